//! Cases whose type is forgotten, so that what runs a law is compiled once and not for
//! each law: with a copy of proptest's runner for each of its two hundred laws, a quarter of
//! the code of a library's tests would be that runner.
//!
//! Invariants: a strategy whose type is forgotten generates and shrinks the same cases as
//! before, and they are printed in the same way.

use std::any::Any;
use std::fmt;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Reason, TestRunner};

/// A case of some type.
pub struct Case(Box<dyn AnyCase>);

impl Case {
    /// The case, which has to be of this type.
    ///
    /// # Panics
    /// If it is of another one.
    pub fn of<T: 'static>(self) -> T {
        let case: Box<T> = self.0.any().downcast().expect("the type of its strategy");
        *case
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// What is known of a case of any type.
trait AnyCase: fmt::Debug {
    fn any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: fmt::Debug + 'static> AnyCase for T {
    fn any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A case with the simpler ones that it can be shrunk to.
type Tree = Box<dyn ValueTree<Value = Case>>;

/// A strategy for cases of any type.
pub trait Cases {
    /// Generates a case.
    ///
    /// # Errors
    /// Why there is none.
    fn tree(&self, runner: &mut TestRunner) -> Result<Tree, Reason>;
}

impl<S: Strategy<Tree: 'static, Value: 'static>> Cases for S {
    fn tree(&self, runner: &mut TestRunner) -> Result<Tree, Reason> {
        Ok(Box::new(OfAnyType(self.new_tree(runner)?)))
    }
}

/// The tree of a typed case.
struct OfAnyType<T>(T);

impl<T: ValueTree<Value: 'static>> ValueTree for OfAnyType<T> {
    type Value = Case;

    fn current(&self) -> Case {
        Case(Box::new(self.0.current()))
    }

    fn simplify(&mut self) -> bool {
        self.0.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.0.complicate()
    }
}

/// A strategy whose type is forgotten.
pub struct Like<'a>(pub &'a dyn Cases);

impl fmt::Debug for Like<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Like")
    }
}

impl Strategy for Like<'_> {
    type Tree = Tree;
    type Value = Case;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.0.tree(runner)
    }
}
