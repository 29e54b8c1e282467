//! Tests of layouts' own games.
