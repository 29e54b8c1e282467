//! Nothing but dependencies: the features that the packages of the workspace
//! ask of the same crates, all together.
