//! Regions relative to other sites.

use firmware_core::cartridge::op::{NOTHING, Op, bit, slot};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::Node;

impl Compiler {
    pub(super) fn expand(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let steps = arguments.named("steps");
        let origin = arguments.named("origin");
        let is_direction = |node: &Node| node.word().is_some() || node.head() == Some("directions");
        let first = match origin {
            Some(origin) => origin,
            None => arguments.need("a region")?,
        };
        let ways = arguments.find(is_direction);
        let sites = self.sites(first)?;
        let ways = self.directions(ways, Direction::Adjacent)?;
        let steps = self.number_or_nothing(steps)?;
        if let Some(grown) = self.grown(sites, steps, ways) {
            return Ok(self.program.fixed(grown));
        }
        Ok(self.node(Op::Expand, 0, &[sites, steps, ways]))
    }

    /// The sites of a grown region, if they are constant.
    pub(super) fn grown(&self, sites: NodeId, steps: u16, ways: NodeId) -> Option<Vec<usize>> {
        let mut all = self.program.fixed_of(sites)?;
        let steps = match steps {
            NOTHING => 1,
            steps => self.program.constant_of(steps)?,
        };
        let mask = self.same_ways(ways)?;
        for _ in 0..steps {
            let before = all.len();
            all.extend(self.beside(&all, mask));
            all.sort_unstable();
            all.dedup();
            if all.len() == before {
                break;
            }
        }
        Some(all)
    }

    /// The ways of a node as bits, if they are the same for all pieces.
    pub(super) fn same_ways(&self, ways: NodeId) -> Option<u32> {
        let is_choice = self.program.op(ways) == Some(Op::Choice);
        let rows = is_choice.then(|| {
            self.program
                .choice_of(self.program.operand(ways, slot::Choice::CHOICE))
        })?;
        let first = rows.first()?;
        rows.iter().all(|row| row == first).then_some(*first)
    }

    /// The sites that steps along these ways lead to; a site itself where there is no step.
    fn beside(&self, sites: &[usize], ways: u32) -> Vec<usize> {
        let on_board = sites.iter().filter(|site| **site < self.sites.len());
        let all = self.ways.next.iter().enumerate();
        let next = all.filter(|(way, _)| ways & (1 << way) != 0);
        on_board
            .flat_map(|site| next.clone().map(|(_, next)| next[*site]))
            .collect()
    }

    /// The site ahead of another, if it is constant.
    pub(in crate::compile) fn always_ahead(
        &self,
        from: NodeId,
        steps: NodeId,
        ways: NodeId,
    ) -> Option<usize> {
        let from = usize::try_from(self.program.constant_of(from)?).ok()?;
        let steps = usize::try_from(self.program.constant_of(steps)?).ok()?;
        let called = self.same_ways(ways)?;
        if from >= self.sites.len() || steps >= self.sites.len() {
            return None;
        }
        let ahead = |next: &Vec<usize>| {
            let mut site = from;
            for _ in 0..steps {
                // Stops at the edge, and where a circular way returns.
                if next[site] == site || next[site] == from {
                    return None;
                }
                site = next[site];
            }
            Some(site)
        };
        let ways = self.ways.next.iter().enumerate();
        let mut ways = ways.filter(|(way, _)| called & (1 << way) != 0);
        Some(ways.find_map(|(_, next)| ahead(next)).unwrap_or(from))
    }

    /// The sites around others, if they are constant.
    fn always_around(&self, sites: NodeId, ways: NodeId, own: bool) -> Option<Vec<usize>> {
        let sites = self.program.fixed_of(sites)?;
        let mut around = self.beside(&sites, self.same_ways(ways)?);
        around.retain(|site| !sites.contains(site));
        if own {
            around.extend(sites);
        }
        Some(around)
    }

    pub(super) fn around(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let sites = self.sites(arguments.need("a site")?)?;
        let dynamic =
            arguments.word_of(&["Empty", "NotEmpty", "Own", "NotOwn", "Enemy", "NotEnemy"]);
        let own = arguments.named("includeSelf").and_then(Node::word) == Some("True");
        let condition = arguments.named("if");
        let distance = arguments.named("distance");
        if let Some(distance) = distance {
            return Err(Unknown::at(
                distance,
                "sites further around are not supported",
            ));
        }
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        let condition = self.optional(condition, Self::truth)?;
        let always = match condition {
            None => self.always_around(sites, ways, own),
            Some(_) => None,
        };
        let around = match always {
            Some(always) => self.program.fixed(always),
            None => {
                let takes = [sites, ways, Self::maybe(condition)];
                self.node(Op::Around, u8::from(own) * bit::WITH_FIRST, &takes)
            }
        };
        let Some(dynamic) = dynamic else {
            return Ok(around);
        };
        let mover = self.node(Op::Mover, 0, &[]);
        let mine = self.node(Op::OccupiedBy, 0, &[mover]);
        let shared = self.constant(i64::from(self.players) + 1);
        let shared = self.node(Op::OccupiedBy, 0, &[shared]);
        let all = self.constant(-1);
        let all = self.node(Op::OccupiedBy, 0, &[all]);
        let own = self.union(vec![mine, shared]);
        let filter = match dynamic {
            "Empty" => self.node(Op::Empty, 0, &[]),
            "NotEmpty" => all,
            "Own" | "NotEnemy" => own,
            "Enemy" => self.enemies()?,
            _ => self.node(Op::Difference, 0, &[all, own]),
        };
        Ok(self.intersection(vec![around, filter]))
    }

    pub(super) fn along(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = arguments.named("from");
        let from = match from {
            Some(node) => self.sites(node)?,
            None => {
                let node = arguments
                    .next_if(|node| node.word().is_none() && node.head() != Some("directions"));
                let node =
                    node.ok_or_else(|| Unknown::at(arguments.call, "a site is missing here"))?;
                self.sites(node)?
            }
        };
        let own = arguments.named("included").and_then(Node::word) == Some("True");
        let last = arguments.named("stopIncluded").and_then(Node::word) == Some("True");
        let stop = arguments.named("stop");
        let distance = arguments.named("distance");
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        self.site_type(arguments)?;
        let stop = self.optional(stop, Self::truth)?;
        let distance = self.number_or_nothing(distance)?;
        let extra = (u8::from(own) * bit::WITH_FIRST) | (u8::from(last) * bit::WITH_STOP);
        Ok(self.node(Op::Along, extra, &[from, ways, distance, Self::maybe(stop)]))
    }

    pub(super) fn side(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let which = arguments.need("a direction")?;
        let direction = which.word().and_then(|word| word.parse().ok());
        let unknown = || Unknown::at(call, "the board has no such side");
        let direction = direction.ok_or_else(unknown)?;
        let side = self.sites.side(direction).ok_or_else(unknown)?.to_vec();
        Ok(self.program.fixed(side))
    }
}
