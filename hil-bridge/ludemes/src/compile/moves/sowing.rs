//! Sowing, and values to remember.

use firmware_core::cartridge::op::{NOTHING, Op, bit};
use firmware_core::cartridge::state::NAMES;

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::tree::Node;

impl Compiler {
    pub(super) fn sow(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.heights.push(None);
        let call = arguments.call;
        self.site_type(arguments)?;
        let [count, per_hole, owner, condition, skip] =
            ["count", "numPerHole", "owner", "if", "skipIf"].map(|name| arguments.named(name));
        let [effect, each, origin, back, on] =
            ["apply", "sowEffect", "origin", "backtracking", "forward"]
                .map(|name| arguments.named(name));
        let own = arguments.named("includeSelf").and_then(Node::word) != Some("False");
        let start = arguments.next_if(|node| node.text().is_none());
        let name = arguments.next_if(|node| node.text().is_some());
        let start = self.site_or_last(start)?;
        let count = self.number_or(count, |compiler| compiler.node(Op::CountAt, 0, &[start]))?;
        let track = match (name.and_then(Node::text), owner) {
            (None, _) => self.track(call, None, None, true)?,
            (name, owner) => self.track(call, name, owner, true)?,
        };
        let per_hole = self.number_or_nothing(per_hole)?;
        let mut truths = [NOTHING; 5];
        for (truth, node) in truths.iter_mut().zip([condition, skip, back, on, origin]) {
            *truth = Self::maybe(self.optional(node, Self::truth)?);
        }
        let [condition, skip, back, on, origin] = truths;
        let [effect, each] = [effect, each].map(|node| match node {
            Some(node) => self.moves(node, MadeBy::Rules),
            None => Ok(NOTHING),
        });
        self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
        let takes = [
            start, count, per_hole, track, condition, effect?, skip, back, on, origin, each?,
        ];
        Ok(self.node(Op::Sow, u8::from(!own) * bit::NOT_FIRST, &takes))
    }

    /// The number of the name under which values are remembered.
    pub(in crate::compile) fn memory(
        &mut self,
        at: &Node,
        name: Option<&str>,
    ) -> CompileResult<u16> {
        let place = Self::place_of(&mut self.memories, name.unwrap_or(""));
        if place >= NAMES {
            let what = format!("sites are remembered under {NAMES} names at most");
            return Err(Unknown::at(at, what));
        }
        Ok(place as u16)
    }

    pub(super) fn remember(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        if arguments.word_of(&["Value"]).is_none() {
            return Err(Unknown::at(call, "only values are remembered here"));
        }
        let name = arguments.next_if(|node| node.text().is_some());
        let once = arguments.named("unique").and_then(Node::word) == Some("True");
        let name = self.memory(call, name.and_then(Node::text))?;
        let value = self.number(arguments.need("what is remembered")?)?;
        Ok(self.node(Op::Remember, u8::from(once) * bit::ONCE, &[name, value]))
    }

    pub(super) fn forget(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        if arguments.word_of(&["Value"]).is_none() {
            return Err(Unknown::at(call, "only values are forgotten here"));
        }
        let named = arguments.next_if(|node| node.text().is_some());
        if arguments.word_of(&["All"]).is_some() {
            let Some(named) = named else {
                return self.forget_all_names(call);
            };
            let name = self.memory(call, named.text())?;
            return Ok(self.node(Op::Forget, 0, &[name, NOTHING]));
        }
        let name = self.memory(call, named.and_then(Node::text))?;
        let value = self.number(arguments.need("what is forgotten")?)?;
        Ok(self.node(Op::Forget, 0, &[name, value]))
    }

    /// `(forget Value All)`: forgets the values under all names, and those without a name.
    fn forget_all_names(&mut self, call: &Node) -> CompileResult<NodeId> {
        let names = std::mem::take(&mut self.remembered_names);
        let mut all = Vec::new();
        for name in &names {
            let name = self.memory(call, Some(name))?;
            all.push(self.node(Op::Forget, 0, &[name, NOTHING]));
        }
        self.remembered_names = names;
        Ok(self.program.each(Op::Any, &[], &all))
    }
}
