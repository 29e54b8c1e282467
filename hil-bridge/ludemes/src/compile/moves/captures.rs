//! Compiles captures, which depend on where pieces are.

use firmware_core::cartridge::op::{NOTHING, NotedSite, Op};

use super::parts::MovePart;
use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::Node;

impl Compiler {
    /// The site from which a capture is evaluated; by default the last site.
    pub(super) fn capture_from(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = self.part(arguments.call("from"))?;
        match from.sites {
            Some(node) => self.number(node),
            None => Ok(self.node(Op::LastTo, 0, &[])),
        }
    }

    /// The effect in the text, or by default removing the piece at `(between)` or `(to)`.
    pub(super) fn effect_or_removal(
        &mut self,
        effect: Option<&Node>,
        place: Op,
    ) -> CompileResult<NodeId> {
        match effect {
            Some(node) => self.moves(node, MadeBy::Rules),
            None => {
                let place = self.node(place, 0, &[]);
                let sites = self.node(Op::One, 0, &[place]);
                Ok(self.node(Op::Remove, 0, &[sites, NOTHING]))
            }
        }
    }

    pub(super) fn enemy_at(&mut self, place: Op) -> NodeId {
        let place = self.node(place, 0, &[]);
        let who = self.node(Op::Who, 0, &[place]);
        self.node(Op::IsEnemy, 0, &[who])
    }

    pub(super) fn friend_at(&mut self, place: Op) -> NodeId {
        let place = self.node(place, 0, &[]);
        let who = self.node(Op::Who, 0, &[place]);
        self.node(Op::IsFriend, 0, &[who])
    }

    /// The conditions on the enclosed and the enclosing pieces, and the effect.
    fn enclosed(
        &mut self,
        between: &MovePart<'_>,
        to: &MovePart<'_>,
    ) -> CompileResult<[NodeId; 3]> {
        let target = match between.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::Between),
        };
        let friend = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.friend_at(Op::To),
        };
        let target = self.program.everywhere(target, NotedSite::Between);
        let friend = self.program.everywhere(friend, NotedSite::To);
        let effect = self.effect_or_removal(between.effect, Op::Between)?;
        Ok([target, friend, effect])
    }

    pub(super) fn custodial(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let (least, most) = self.lengths(&between)?;
        let [target, friend, effect] = self.enclosed(&between, &to)?;
        Ok(self.node(
            Op::Custodial,
            0,
            &[from, ways, least, most, target, friend, effect],
        ))
    }

    pub(super) fn surround(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let except = arguments.named("except");
        let with = arguments.named("with");
        if let Some(with) = with {
            return Err(Unknown::at(with, "who has to surround is not supported"));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let [target, friend, effect] = self.enclosed(&between, &to)?;
        let except = self.number_or_nothing(except)?;
        Ok(self.node(
            Op::Surround,
            0,
            &[from, ways, target, friend, effect, except],
        ))
    }

    pub(super) fn enclose(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let exceptions = arguments.named("numException");
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let target = match between.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::Between),
        };
        let target = self.program.everywhere(target, NotedSite::Between);
        let effect = self.effect_or_removal(between.effect, Op::Between)?;
        let exceptions = self.number_or_nothing(exceptions)?;
        Ok(self.node(Op::Enclose, 0, &[from, ways, target, effect, exceptions]))
    }

    pub(super) fn intervene(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let call = arguments.call;
        let direction = arguments.next();
        let ways = self.lines(direction, call)?;
        let (least, most) = self.lengths(&between)?;
        let target = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::To),
        };
        let effect = self.effect_or_removal(to.effect, Op::To)?;
        Ok(self.node(Op::Intervene, 0, &[from, ways, least, most, target, effect]))
    }

    pub(super) fn directional(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let from = self.capture_from(arguments)?;
        let to = self.part(arguments.call("to"))?;
        let call = arguments.call;
        let direction = arguments.next();
        if direction.is_none() {
            return Err(Unknown::at(
                call,
                "a capture in the direction of the move is not supported",
            ));
        }
        let ways = self.directions(direction, Direction::Adjacent)?;
        let target = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::To),
        };
        let effect = self.effect_or_removal(to.effect, Op::To)?;
        Ok(self.node(
            Op::Directional,
            0,
            &[from, ways, NOTHING, NOTHING, target, effect],
        ))
    }
}
