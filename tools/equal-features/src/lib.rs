//! A package without code. Its dependencies request, for each shared crate, the union of
//! the features that the packages of the workspace request.
