//! The tracks of a board: their sites in order, as tables.

use firmware_core::cartridge::op::Op;
use firmware_core::cartridge::sowing::track;

use super::arguments::{Arguments, CompileResult, Unknown};
use super::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::{Kind, Node};

/// The number that marks the end of a track.
const END: i16 = -2;

/// A track along which pieces move.
#[derive(Clone, Debug)]
pub(super) struct Track {
    name: String,
    /// The player who owns it; 0 for nobody.
    owner: u8,
    /// The number of its table in the cartridge.
    table: u16,
    /// The sites of the track, in order.
    sites: Vec<i16>,
}

impl Compiler {
    /// Adds all tracks of a board.
    pub(super) fn add_tracks(&mut self, board: &Node) -> CompileResult<()> {
        let Kind::Call(arguments) = &board.kind else {
            return Ok(());
        };
        for argument in arguments {
            for node in argument.node.elements() {
                if node.head() == Some("track") {
                    self.add_track(node)?;
                }
            }
        }
        Ok(())
    }

    fn add_track(&mut self, node: &Node) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        let name = arguments.need("the name of the track")?;
        let way = arguments.need("the way that the track goes")?;
        let truth = |node: Option<&Node>| node.and_then(Node::word) == Some("True");
        let loops = truth(arguments.named("loop"));
        let one_way = truth(arguments.named("directed"));
        let owner = match arguments.next() {
            Some(node) => {
                let owner = self.role(node)?;
                let owner = self.program.constant_of(owner);
                let owner = owner.and_then(|owner| u8::try_from(owner).ok());
                owner.ok_or_else(|| Unknown::at(node, "a track is of one player, or of nobody"))?
            }
            None => 0,
        };
        arguments.finish()?;
        let mut sites = match way.text() {
            Some(steps) => self.track_of_steps(way, steps)?,
            None => self.track_of_sites(way)?,
        };
        sites.dedup();
        let flags = if loops { track::LOOPS } else { 0 } | if one_way { track::ONE_WAY } else { 0 };
        let table = std::iter::once(flags).chain(sites.iter().copied());
        let table = self.program.table(table.collect());
        self.tracks.push(Track {
            name: name.text().unwrap_or("").to_owned(),
            owner,
            table,
            sites,
        });
        Ok(())
    }

    /// Reads a track that lists its sites.
    fn track_of_sites(&mut self, way: &Node) -> CompileResult<Vec<i16>> {
        let mut sites = Vec::new();
        for node in way.elements() {
            if node.word() == Some("End") {
                sites.push(END);
                continue;
            }
            let site = self.number(node)?;
            let site = self.program.constant_of(site);
            let site = site.and_then(|site| i16::try_from(site).ok());
            sites.push(site.ok_or_else(|| Unknown::at(node, "a site of the track is expected"))?);
        }
        Ok(sites)
    }

    /// `1,E,N2,W`: a start, and then directions, each to the edge or for a number of steps.
    fn track_of_steps(&mut self, node: &Node, steps: &str) -> CompileResult<Vec<i16>> {
        let mut sites: Vec<i16> = Vec::new();
        for step in steps.split(',').map(str::trim) {
            if let Ok(site) = step.parse() {
                sites.push(site);
                continue;
            }
            if step == "End" {
                sites.push(END);
                continue;
            }
            let unknown = || Unknown::at(node, format!("`{step}` is not a step of a track here"));
            let name = step.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let many = step[name.len()..].parse().unwrap_or(usize::MAX);
            let direction: Direction = name.parse().map_err(|_| unknown())?;
            let last = sites.last().copied().unwrap_or(-1);
            let here = usize::try_from(last).ok();
            let here = here.filter(|here| *here < self.sites.len());
            for radial in self.sites.radials(here.ok_or_else(unknown)?, direction) {
                sites.extend(radial.sites.iter().take(many).map(|site| *site as i16));
            }
        }
        Ok(sites)
    }

    /// The index of a track's table: the first with this name, and of this player if one
    /// is given. With `exact`, the whole name must match.
    pub(super) fn track(
        &mut self,
        at: &Node,
        name: Option<&str>,
        owner: Option<&Node>,
        exact: bool,
    ) -> CompileResult<NodeId> {
        let none = || Unknown::at(at, "the board has no such track");
        let fits = |track: &&Track| {
            name.is_none_or(|name| {
                if exact && owner.is_none() {
                    track.name == name
                } else {
                    track.name.contains(name)
                }
            })
        };
        let Some(owner) = owner else {
            let shared = self.tracks.iter().filter(fits);
            let free = shared.clone().find(|track| track.owner == 0);
            let first = match name {
                Some(_) => shared.clone().next(),
                None => free.or(shared.clone().next()),
            };
            let table = first.ok_or_else(none)?.table;
            return Ok(self.constant(table.into()));
        };
        let of = |player: u8| {
            let mut tracks = self.tracks.iter().filter(fits);
            let own = tracks.clone().find(|track| track.owner == player);
            let free = tracks.find(|track| track.owner == 0);
            own.or(free).map_or(-1, |track| track.table as i16)
        };
        let tables: Vec<i16> = (0..=self.players).map(of).collect();
        if tables.iter().all(|table| *table < 0) {
            return Err(none());
        }
        let who = self.role(owner)?;
        let tables = self.program.table(tables);
        Ok(self.node(Op::Entry, 0, &[tables, who]))
    }

    /// `(sites Track ...)`: the sites of a track or of a part of it.
    pub(super) fn track_sites(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let role = arguments.next_if(|node| node.word().is_some() || node.head().is_some());
        let name = arguments.next_if(|node| node.text().is_some());
        let name = name.and_then(Node::text);
        let (from, to) = (arguments.named("from"), arguments.named("to"));
        let owner = match role {
            Some(role) => {
                let owner = self.role(role)?;
                self.program.constant_of(owner)
            }
            None => Some(0),
        };
        let fits = |track: &&Track, owner: i64| {
            let free = i64::from(track.owner) == owner || track.owner == 0;
            match name {
                Some(name) => track.name == name || (track.name.contains(name) && free),
                None => free,
            }
        };
        let of = |compiler: &Self, owner: i64| -> Vec<i16> {
            let found = compiler.tracks.iter().find(|track| fits(track, owner));
            found.map_or(Vec::new(), |track| track.sites.clone())
        };
        let on_board = |sites: Vec<i16>| -> Vec<usize> {
            let sites = sites.into_iter();
            sites
                .filter_map(|site| usize::try_from(site).ok())
                .collect()
        };
        let Some(owner) = owner else {
            if from.is_some() || to.is_some() {
                return Err(Unknown::at(
                    call,
                    "a part of another's track is not supported",
                ));
            }
            let sets = (0..=i64::from(self.players)).map(|owner| on_board(of(self, owner)));
            let sets = sets.collect();
            let who = self.role(role.unwrap_or(call))?;
            return self.chosen(sets, who);
        };
        if from.is_some() || to.is_some() {
            let track = self.tracks.iter().find(|track| fits(track, owner));
            let none = || Unknown::at(call, "the board has no such track");
            let table = track.ok_or_else(none)?.table;
            let track = self.constant(table.into());
            let from = self.number_or_nothing(from)?;
            let to = self.number_or_nothing(to)?;
            return Ok(self.node(Op::TrackPart, 0, &[track, from, to]));
        }
        Ok(self.program.fixed(on_board(of(self, owner))))
    }

    /// `(trackSite ...)`: a site further on a track.
    pub(super) fn track_site(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        match arguments.word_of(&["Move", "FirstSite", "EndSite"]) {
            Some("Move") => {
                let from = arguments.named("from");
                let steps = arguments.need_named("steps")?;
                let role = arguments.next_if(|node| node.text().is_none());
                let name = arguments.next().and_then(Node::text);
                let mover = Node {
                    span: call.span,
                    kind: Kind::Word("Mover".to_owned()),
                };
                let owned = self.tracks.iter().any(|track| track.owner > 0);
                let owner = role.or(owned.then_some(&mover));
                let track = self.track(call, name, owner, false)?;
                let from = self.number_or_nothing(from)?;
                let steps = self.number(steps)?;
                Ok(self.node(Op::TrackAhead, 0, &[track, from, steps]))
            }
            Some("FirstSite") => {
                let from = arguments.named("from");
                let condition = arguments.named("if");
                let role = arguments.next_if(|node| node.text().is_none());
                let name = arguments.next().and_then(Node::text);
                let track = self.track(call, name, role, false)?;
                let from = self.number_or_nothing(from)?;
                let condition = self.optional(condition, Self::truth)?;
                Ok(self.node(Op::TrackFirst, 0, &[track, from, Self::maybe(condition)]))
            }
            _ => Err(Unknown::at(call, "this site of a track is not supported")),
        }
    }
}
