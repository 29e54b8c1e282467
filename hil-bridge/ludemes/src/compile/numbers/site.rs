//! Numbers that are sites, and numbers that sites have.

use firmware_core::cartridge::op::Op;

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::layout::{Direction, NamedRegion};
use crate::tree::{Kind, Node};

impl Compiler {
    /// The site with a name such as `A1`.
    pub(in crate::compile) fn site_named(
        &mut self,
        node: &Node,
        name: &str,
    ) -> CompileResult<NodeId> {
        let site = self.sites.named(name);
        let site = site.ok_or_else(|| {
            Unknown::at(
                node,
                format!("no site is called \"{name}\": `ludemes picture FILE --names` draws what they are called"),
            )
        })?;
        Ok(self.constant(site as i64))
    }

    /// The site with a name, or at a row and a column.
    pub(in crate::compile) fn coordinates(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let (row, column) = (arguments.named("row"), arguments.named("column"));
        if let (Some(row), Some(column)) = (row, column) {
            return self.site_at(row, column);
        }
        let name = arguments.need("a site")?;
        if let Some(name) = name.text() {
            return self.site_named(call, name);
        }
        Err(Unknown::at(
            call,
            "this way to name a site is not supported",
        ))
    }

    /// A number that the board gives to each site.
    pub(in crate::compile) fn by_table(
        &mut self,
        arguments: &mut Arguments<'_>,
        name: &str,
    ) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let of = self.number(arguments.need_named("of")?)?;
        let all = 0..self.sites.len();
        let table = all.map(|site| match name {
            "row" => self.sites.row(site),
            "column" => self.sites.column(site),
            "layer" => self.sites.layer(site),
            _ => self.sites.phase(site),
        });
        let table = table.map(|number| number as i16).collect();
        let table = self.program.table(table);
        Ok(self.node(Op::Entry, 0, &[table, of]))
    }

    /// The site some steps ahead.
    pub(in crate::compile) fn ahead(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let from = self.number(arguments.need("a site")?)?;
        let steps = self.number_or(arguments.named("steps"), |compiler| compiler.constant(1))?;
        let directions = arguments.next();
        if let Some(several) = directions.filter(|node| is_of_several(node)) {
            let what = "one direction is wanted here: what lies ahead is one site";
            return Err(Unknown::at(several, what));
        }
        let ways = match directions {
            Some(_) => self.directions(directions, Direction::Adjacent)?,
            None => {
                let forward = Node {
                    span: call.span,
                    kind: Kind::Word("Forward".to_owned()),
                };
                self.directions(Some(&forward), Direction::Adjacent)?
            }
        };
        Ok(match self.always_ahead(from, steps, ways) {
            Some(site) => self.constant(site as i64),
            None => self.node(Op::Ahead, 0, &[from, steps, ways]),
        })
    }

    /// A site of a hand.
    pub(in crate::compile) fn hand_site(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let who = self.role(arguments.need("a player")?)?;
        let table = std::iter::once(-1).chain((0..usize::from(self.players)).map(|player| {
            let hand = self.hands.get(player).and_then(|hand| hand.first());
            hand.map_or(-1, |site| *site as i16)
        }));
        let table = self.program.table(table.collect());
        let first = self.node(Op::Entry, 0, &[table, who]);
        match arguments.next() {
            Some(node) => {
                let more = self.number(node)?;
                Ok(self.node(Op::Plus, 0, &[first, more]))
            }
            None => Ok(first),
        }
    }

    /// The value of a key in a map.
    pub(in crate::compile) fn map_entry(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        let name = arguments.next_if(|node| node.text().is_some());
        let name = name.and_then(Node::text).unwrap_or("");
        let table = self.map_named(name);
        let table =
            table.ok_or_else(|| Unknown::at(call, format!("no map is called \"{name}\"")))?;
        let table = self.program.table(table);
        let key = self.role(arguments.need("a key")?)?;
        Ok(self.node(Op::Entry, 0, &[table, key]))
    }

    /// The site at an index of a region.
    pub(in crate::compile) fn region_site(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let sites = self.sites(arguments.need("a region")?)?;
        let index = self.number_or(arguments.named("index"), |compiler| compiler.constant(0))?;
        Ok(self.node(Op::Nth, 0, &[sites, index]))
    }

    /// The middle of the board.
    pub(in crate::compile) fn centre_point(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let centre = self.sites.region(NamedRegion::Centre).first().copied();
        let none = || Unknown::at(call, "the board has no centre");
        Ok(self.constant(centre.ok_or_else(none)? as i64))
    }

    /// The site at a row and a column; -1 if there is none.
    fn site_at(&mut self, row: &Node, column: &Node) -> CompileResult<NodeId> {
        let (row, column) = (self.number(row)?, self.number(column)?);
        let places =
            |of: &dyn Fn(usize) -> usize| -> Vec<usize> { (0..self.sites.len()).map(of).collect() };
        let rows = places(&|site| self.sites.row(site));
        let columns = places(&|site| self.sites.column(site));
        let many = columns.iter().max().map_or(0, |last| last + 1);
        let mut table = vec![-1; many * rows.iter().max().map_or(0, |last| last + 1)];
        for (site, (row, column)) in rows.iter().zip(&columns).enumerate() {
            table[row * many + column] = site as i16;
        }
        let constants = (
            self.program.constant_of(row),
            self.program.constant_of(column),
        );
        if let (Some(row), Some(column)) = constants {
            let place = usize::try_from(row * many as i64 + column).ok();
            let is_one = (0..many as i64).contains(&column);
            let site = place.filter(|_| is_one).and_then(|place| table.get(place));
            return Ok(self.constant(site.map_or(-1, |site| i64::from(*site))));
        }
        let many = self.constant(many as i64);
        let before = self.node(Op::Times, 0, &[row, many]);
        let index = self.node(Op::Plus, 0, &[before, column]);
        let table = self.program.table(table);
        let site = self.node(Op::Entry, 0, &[table, index]);
        // A row ends at the last column, rather than continuing in the next row.
        let less = self.node(Op::Less, 0, &[column, many]);
        let none = self.constant(-1);
        let before = self.node(Op::Less, 0, &[none, column]);
        let is_one = self.program.each(Op::And, &[], &[less, before]);
        Ok(self.node(Op::IfNumber, 0, &[is_one, site, none]))
    }

    /// The values of a map, or of all maps if none is named: the first map with the key
    /// is used. A key without an entry is its own value.
    fn map_named(&self, name: &str) -> Option<Vec<i16>> {
        let maps = self.maps.iter();
        let maps = maps.filter(|(known, _)| name.is_empty() || known == name);
        let maps: Vec<&Vec<i16>> = maps.map(|(_, table)| table).collect();
        let longest = maps.iter().map(|table| table.len()).max()?;
        let value = |key: usize| {
            let mut values = maps.iter().filter_map(|table| table.get(key));
            let found = values.find(|value| **value != -1);
            found.copied().unwrap_or(key as i16)
        };
        Some(
            (0..longest.max(self.program.sites + 1))
                .map(value)
                .collect(),
        )
    }

    /// The site of a piece; of several, the lowest.
    pub(in crate::compile) fn place_of_piece(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let name = arguments.need("a piece")?;
        let role = if name.text().is_some() {
            arguments.next()
        } else {
            None
        };
        let piece = self.piece_of(name, role)?;
        let sites = self.node(Op::WithNumber, 0, &[piece]);
        Ok(self.node(Op::First, 0, &[sites]))
    }
}

/// True for directions that may be several: a set, or a direction such as `Forwards`.
fn is_of_several(node: &Node) -> bool {
    match &node.kind {
        Kind::Set(nodes) => nodes.len() > 1,
        _ => node.word().is_some_and(|word| word.ends_with("wards")),
    }
}
