//! Regions of the language.

use firmware_core::cartridge::op::{NOTHING, Op};

use super::arguments::{Arguments, Known, Unknown, elements, head, text, word};
use super::{At, Compiler};
use crate::layout::{Direction, Region as Part};
use crate::tree::{Kind, Node};

/// The parts of a board by name.
const PARTS: [(&str, Part); 13] = [
    ("Top", Part::Top),
    ("Bottom", Part::Bottom),
    ("Left", Part::Left),
    ("Right", Part::Right),
    ("Outer", Part::Outer),
    ("Perimeter", Part::Perimeter),
    ("Inner", Part::Inner),
    ("Centre", Part::Centre),
    ("Corners", Part::Corners),
    ("ConvexCorners", Part::ConvexCorners),
    ("ConcaveCorners", Part::ConcaveCorners),
    ("Major", Part::Major),
    ("Minor", Part::Minor),
];

impl Compiler {
    /// A region; a number is the one site.
    pub(super) fn sites(&mut self, node: &Node) -> Known<At> {
        match &node.kind {
            Kind::Set(nodes) => {
                let mut parts = Vec::new();
                for node in nodes {
                    parts.push(self.sites(node)?);
                }
                Ok(self.union(parts))
            }
            _ if self.is_number(node) => {
                let number = self.number(node)?;
                match self.program.constant_of(number) {
                    Some(site) if site >= 0 && (site as usize) < self.program.sites => {
                        Ok(self.program.fixed([site as usize]))
                    }
                    _ => Ok(self.node(Op::One, 0, &[number])),
                }
            }
            Kind::Call(_) => {
                let mut arguments = Arguments::of(node)?;
                let sites = self.sites_of(&mut arguments, head(node).unwrap_or(""))?;
                arguments.finish()?;
                Ok(sites)
            }
            _ => Err(Unknown::at(node, "a region is expected here")),
        }
    }

    /// What is in one of these.
    fn union(&mut self, parts: Vec<At>) -> At {
        let fixed: Option<Vec<Vec<usize>>> = parts
            .iter()
            .map(|part| self.program.fixed_of(*part))
            .collect();
        if let Some(fixed) = fixed {
            return self.program.fixed(fixed.into_iter().flatten());
        }
        match parts[..] {
            [one] => one,
            _ => self.program.each(Op::Union, &[], &parts),
        }
    }

    fn sites_of(&mut self, arguments: &mut Arguments<'_>, name: &str) -> Known<At> {
        let call = arguments.call;
        match name {
            "union" | "intersection" => {
                let mut parts = Vec::new();
                while let Some(node) = arguments.next() {
                    if let Kind::Set(nodes) = &node.kind {
                        for node in nodes {
                            parts.push(self.sites(node)?);
                        }
                    } else {
                        parts.push(self.sites(node)?);
                    }
                }
                if name == "union" {
                    return Ok(self.union(parts));
                }
                let fixed: Option<Vec<Vec<usize>>> = parts
                    .iter()
                    .map(|part| self.program.fixed_of(*part))
                    .collect();
                if let Some(fixed) = fixed {
                    let mut all = fixed.into_iter();
                    let first = all.next().unwrap_or_default();
                    let rest: Vec<Vec<usize>> = all.collect();
                    let both = first
                        .into_iter()
                        .filter(|site| rest.iter().all(|set| set.contains(site)));
                    return Ok(self.program.fixed(both));
                }
                Ok(self.intersection(parts))
            }
            "difference" => {
                let one = self.sites(arguments.need("a region")?)?;
                let other = self.sites(arguments.need("a region")?)?;
                let fixed = (self.program.fixed_of(one), self.program.fixed_of(other));
                if let (Some(one), Some(other)) = fixed {
                    let left = one.into_iter().filter(|site| !other.contains(site));
                    return Ok(self.program.fixed(left));
                }
                Ok(self.node(Op::Difference, 0, &[one, other]))
            }
            "expand" => self.expand(arguments),
            "if" => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let one = self.sites(arguments.need("a region")?)?;
                let other = match arguments.next() {
                    Some(node) => self.sites(node)?,
                    None => self.program.fixed([]),
                };
                Ok(self.node(Op::IfSites, 0, &[truth, one, other]))
            }
            "forEach" => {
                if let Some(node) = arguments.next_if(|node| word(node).is_some()) {
                    return Err(Unknown::at(
                        node,
                        "this loop over regions is not known here",
                    ));
                }
                let sites = self.sites(arguments.need("a region")?)?;
                let truth = self.truth(arguments.need_named("if")?)?;
                Ok(self.node(Op::Filter, 0, &[sites, truth]))
            }
            "sites" => self.named_sites(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the region `{name}` is not known here"),
            )),
        }
    }

    fn expand(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        self.site_type(arguments)?;
        let steps = arguments.named("steps");
        let origin = arguments.named("origin");
        let is_direction = |node: &Node| word(node).is_some() || head(node) == Some("directions");
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

    /// A region that grows, if it is always the same.
    fn grown(&self, sites: At, steps: u16, ways: At) -> Option<Vec<usize>> {
        let mut all = self.program.fixed_of(sites)?;
        let steps = match steps {
            NOTHING => 1,
            steps => self.program.constant_of(steps)?,
        };
        let is_choice = self.program.op(ways) == Some(Op::Choice);
        let rows = is_choice.then(|| self.program.choice_of(self.program.operand(ways, 1)))?;
        let mask = *rows
            .first()
            .filter(|first| rows.iter().all(|row| row == *first))?;
        for _ in 0..steps {
            let mut more = Vec::new();
            for site in &all {
                for (way, next) in self.ways.next.iter().enumerate() {
                    if mask & (1 << way) != 0 && *site < self.sites.len() {
                        more.push(next[*site]);
                    }
                }
            }
            all.extend(more);
            all.sort_unstable();
            all.dedup();
        }
        Some(all)
    }

    fn named_sites(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let call = arguments.call;
        let Some(first) = arguments.next() else {
            return Ok(self.board());
        };
        if let Kind::Set(nodes) = &first.kind {
            let is_walk = nodes
                .iter()
                .any(|node| matches!(node.kind, Kind::Set(_)) || word(node).is_some());
            if is_walk {
                return Err(Unknown::at(first, "sites by walks are not known here"));
            }
            let mut parts = Vec::new();
            for node in nodes {
                parts.push(self.sites(node)?);
            }
            return Ok(self.union(parts));
        }
        if let Some(name) = text(first) {
            return self.region_named(first, name, None);
        }
        let Some(kind) = word(first) else {
            if head(first) == Some("player") {
                let name = arguments.next_if(|node| text(node).is_some());
                return self.region_named(first, name.and_then(text).unwrap_or(""), Some(first));
            }
            return self.sites(first);
        };
        if let Some((_, part)) = PARTS.iter().find(|(name, _)| *name == kind) {
            self.site_type(arguments)?;
            let sites = self.sites.region(*part).to_vec();
            return Ok(self.program.fixed(sites));
        }
        match kind {
            "Board" => {
                self.site_type(arguments)?;
                Ok(self.board())
            }
            "Empty" => {
                self.site_type(arguments)?;
                Ok(self.node(Op::Empty, 0, &[]))
            }
            "ToClear" => Ok(self.node(Op::ToRemove, 0, &[])),
            "Pending" => Ok(self.node(Op::PendingSites, 0, &[])),
            "Occupied" => self.occupied(arguments),
            "Hand" => {
                let role = arguments.need("a player")?;
                self.hand(role)
            }
            "Row" | "Column" | "Phase" | "Layer" => {
                self.site_type(arguments)?;
                let index = self.number(arguments.need("a number")?)?;
                let sets = match kind {
                    "Row" => self.sites.rows(),
                    "Column" => self.sites.columns(),
                    "Layer" => self.sites.layers(),
                    _ => self.sites.phases(),
                };
                self.chosen(sets, index)
            }
            "Side" => self.side(arguments),
            "Around" => self.around(arguments),
            "Direction" => self.along(arguments),
            "Between" => {
                let ways = arguments
                    .next_if(|node| word(node).is_some() || head(node) == Some("directions"));
                let ways = self.directions(ways, Direction::Adjacent)?;
                self.site_type(arguments)?;
                let from = self.number(arguments.need_named("from")?)?;
                let to = self.number(arguments.need_named("to")?)?;
                if let Some(node) = arguments
                    .named("fromIncluded")
                    .or(arguments.named("toIncluded"))
                {
                    return Err(Unknown::at(
                        node,
                        "this part of what lies between is not known here",
                    ));
                }
                Ok(self.node(Op::Amid, 0, &[ways, from, to]))
            }
            "State" => {
                self.site_type(arguments)?;
                let state = self.number(arguments.need("a state")?)?;
                Ok(self.node(Op::WithState, 0, &[state]))
            }
            "Group" => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                let condition = arguments.named("if");
                let ways = self.directions(arguments.next(), Direction::Adjacent)?;
                let condition = self.optional(condition, Self::truth)?;
                Ok(self.node(Op::Group, 0, &[ways, at, Self::maybe(condition)]))
            }
            "From" | "To" => {
                let moves = self.moves(arguments.need("moves")?, false)?;
                Ok(self.node(Op::Reached, u8::from(kind == "From"), &[moves]))
            }
            "LineOfSight" => {
                let what = arguments.word_of(&["Piece", "Empty", "Farthest"]);
                let x = match what {
                    Some("Empty") => 1,
                    Some("Farthest") => 2,
                    _ => 0,
                };
                self.site_type(arguments)?;
                let at = match arguments.named("at") {
                    Some(node) => self.number(node)?,
                    None => self.node(Op::LastTo, 0, &[]),
                };
                let ways = self.directions(arguments.next(), Direction::Adjacent)?;
                Ok(self.node(Op::Sight, x, &[ways, at]))
            }
            "Start" => self.started(arguments),
            "Mover" | "Next" | "Player" | "Prev" => {
                let name = arguments.next_if(|node| text(node).is_some());
                self.region_named(first, name.and_then(text).unwrap_or(""), Some(first))
            }
            _ if self.player_of(kind).is_some() => {
                let name = arguments.next_if(|node| text(node).is_some());
                self.region_named(first, name.and_then(text).unwrap_or(""), Some(first))
            }
            _ => Err(Unknown::at(
                call,
                format!("`sites {kind}` is not known here"),
            )),
        }
    }

    /// One of several sets, by a number.
    fn chosen(&mut self, sets: Vec<Vec<usize>>, index: At) -> Known<At> {
        if let Some(index) = self.program.constant_of(index) {
            let set = usize::try_from(index)
                .ok()
                .and_then(|index| sets.get(index));
            return Ok(self.program.fixed(set.cloned().unwrap_or_default()));
        }
        let many = sets.len() as u16;
        let sets = sets
            .into_iter()
            .map(|mut set| {
                set.sort_unstable();
                set
            })
            .collect();
        let first = self.program.sets_in_order(sets);
        Ok(self.node(Op::Choose, 0, &[first, many, index]))
    }

    fn hand(&mut self, role: &Node) -> Known<At> {
        let sets: Vec<Vec<usize>> = std::iter::once(Vec::new())
            .chain(self.hands.iter().cloned())
            .collect();
        let who = self.role(role)?;
        self.chosen(sets, who)
    }

    /// Where a piece stood at first.
    fn started(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let piece = arguments.need("a piece")?;
        let mut inner = Arguments::of(piece)?;
        let name = inner.need("a piece")?;
        let role = inner.next();
        inner.finish()?;
        let piece = self.piece_of(name, role)?;
        let sets = (0..self.program.pieces.len() as u8)
            .map(|piece| self.started.get(&piece).cloned().unwrap_or_default());
        let sets = sets.collect();
        self.chosen(sets, piece)
    }

    fn side(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let which = arguments.need("a direction")?;
        let direction = word(which).and_then(|word| word.parse().ok());
        let unknown = || Unknown::at(call, "the board has no such side");
        let direction = direction.ok_or_else(unknown)?;
        let side = self.sites.side(direction).ok_or_else(unknown)?.to_vec();
        Ok(self.program.fixed(side))
    }

    fn around(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        self.site_type(arguments)?;
        let sites = self.sites(arguments.need("a site")?)?;
        let dynamic =
            arguments.word_of(&["Empty", "NotEmpty", "Own", "NotOwn", "Enemy", "NotEnemy"]);
        let own = arguments.named("includeSelf").and_then(word) == Some("True");
        let condition = arguments.named("if");
        let distance = arguments.named("distance");
        if let Some(distance) = distance {
            return Err(Unknown::at(
                distance,
                "sites further around are not known here",
            ));
        }
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        let condition = self.optional(condition, Self::truth)?;
        let around = self.node(
            Op::Around,
            u8::from(own),
            &[sites, ways, Self::maybe(condition)],
        );
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

    /// Where pieces of the mover's enemies stand.
    fn enemies(&mut self) -> Known<At> {
        let mut parts = Vec::new();
        for player in 1..=self.players {
            let player = self.constant(player.into());
            parts.push(self.node(Op::OccupiedBy, 0, &[player]));
        }
        let all = self.program.each(Op::Union, &[], &parts);
        let mover = self.node(Op::Mover, 0, &[]);
        let mine = self.node(Op::OccupiedBy, 0, &[mover]);
        Ok(self.node(Op::Difference, 0, &[all, mine]))
    }

    fn along(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = arguments.named("from");
        let from = match from {
            Some(node) => self.sites(node)?,
            None => {
                let node = arguments
                    .next_if(|node| word(node).is_none() && head(node) != Some("directions"));
                let node =
                    node.ok_or_else(|| Unknown::at(arguments.call, "a site is missing here"))?;
                self.sites(node)?
            }
        };
        let own = arguments.named("included").and_then(word) == Some("True");
        let last = arguments.named("stopIncluded").and_then(word) == Some("True");
        let stop = arguments.named("stop");
        let distance = arguments.named("distance");
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        self.site_type(arguments)?;
        let stop = self.optional(stop, Self::truth)?;
        let distance = self.number_or_nothing(distance)?;
        let x = u8::from(own) | u8::from(last) << 1;
        Ok(self.node(Op::Along, x, &[from, ways, distance, Self::maybe(stop)]))
    }

    fn occupied(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let by = arguments.need_named("by")?;
        let container = arguments.named("container");
        let component = arguments.named("component");
        let components = arguments.named("components");
        arguments.named("top");
        let on = arguments.named("on");
        if let Some(on) = on {
            let is_used = word(on)
                == Some(match self.used {
                    crate::layout::SiteType::Cell => "Cell",
                    crate::layout::SiteType::Vertex => "Vertex",
                    crate::layout::SiteType::Edge => "Edge",
                });
            if !is_used {
                return Err(Unknown::at(
                    on,
                    "only what stands on the board's sites is known here",
                ));
            }
        }
        let mut parts = Vec::new();
        match word(by) {
            Some("All") => {
                let all = self.constant(-1);
                parts.push(self.node(Op::OccupiedBy, 0, &[all]));
            }
            Some("Enemy") => parts.push(self.enemies()?),
            Some("Each") => {
                let mut each = Vec::new();
                for player in 1..=self.players {
                    let player = self.constant(player.into());
                    each.push(self.node(Op::OccupiedBy, 0, &[player]));
                }
                parts.push(self.program.each(Op::Union, &[], &each));
            }
            Some("NonMover") => {
                let all = self.constant(-1);
                let all = self.node(Op::OccupiedBy, 0, &[all]);
                let mover = self.node(Op::Mover, 0, &[]);
                let mine = self.node(Op::OccupiedBy, 0, &[mover]);
                parts.push(self.node(Op::Difference, 0, &[all, mine]));
            }
            _ => {
                let who = self.role(by)?;
                parts.push(self.node(Op::OccupiedBy, 0, &[who]));
            }
        }
        let named: Vec<&Node> = component
            .into_iter()
            .chain(components)
            .flat_map(elements)
            .collect();
        if !named.is_empty() {
            let mut pieces = Vec::new();
            let mut table = Vec::new();
            for node in named {
                match text(node) {
                    Some(name) => {
                        let found = self.pieces_named(name);
                        if found.is_empty() {
                            let what = format!("no piece is called \"{name}\"");
                            return Err(Unknown::at(node, what));
                        }
                        table.extend(found.into_iter().map(i16::from));
                    }
                    None => {
                        let piece = self.number(node)?;
                        pieces.push(self.node(Op::WithNumber, 0, &[piece]));
                    }
                }
            }
            if !table.is_empty() {
                let table = self.program.table(table);
                pieces.push(self.node(Op::WithPiece, 0, &[table]));
            }
            let pieces = self.union(pieces);
            parts.push(pieces);
        }
        match container {
            Some(node) if text(node) == Some("Board") => {
                let board = self.board();
                parts.push(board);
            }
            Some(node) if text(node).is_some() => {
                return Err(Unknown::at(node, "this container is not known here"));
            }
            Some(node) => parts.push(self.hand(node)?),
            None => {}
        }
        Ok(self.intersection(parts))
    }

    /// A region of the equipment, of one player or of all.
    fn region_named(&mut self, at: &Node, name: &str, role: Option<&Node>) -> Known<At> {
        let unknown = || Unknown::at(at, format!("no region is called \"{name}\" here"));
        let fits = |region: &&super::Region, owner: Option<u8>| {
            region.name == name || (name.is_empty() && owner.is_some())
        };
        let of = |compiler: &Self, owner: Option<u8>| -> Vec<At> {
            let regions = compiler.regions.iter().filter(|region| fits(region, owner));
            let regions = regions.filter(|region| owner.is_none() || region.owner == owner);
            regions.flat_map(|region| region.parts.clone()).collect()
        };
        let Some(role) = role else {
            let parts = of(self, None);
            if parts.is_empty() {
                // A coordinate in the place of a name.
                let number = self.number(at).map_err(|_| unknown())?;
                let site = self.program.constant_of(number).unwrap_or(0);
                return Ok(self.program.fixed([site as usize]));
            }
            return Ok(self.union(parts));
        };
        let who = self.role(role)?;
        if let Some(owner) = self.program.constant_of(who) {
            let parts = of(self, Some(owner as u8));
            return Ok(self.union(parts));
        }
        let mut each = Vec::new();
        for player in 1..=self.players {
            let parts = of(self, Some(player));
            each.push(self.union(parts));
        }
        let fixed: Option<Vec<Vec<usize>>> = each
            .iter()
            .map(|part| self.program.fixed_of(*part))
            .collect();
        if let Some(fixed) = fixed {
            let sets = std::iter::once(Vec::new()).chain(fixed).collect();
            return self.chosen(sets, who);
        }
        let mut sites = self.program.fixed([]);
        for (index, part) in each.into_iter().enumerate() {
            let player = self.constant(index as i64 + 1);
            let is = self.node(Op::Equal, 0, &[who, player]);
            sites = self.node(Op::IfSites, 0, &[is, part, sites]);
        }
        Ok(sites)
    }
}
