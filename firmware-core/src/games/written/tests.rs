//! Tests of games by a layout's rules.
