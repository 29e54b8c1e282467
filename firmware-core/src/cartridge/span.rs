//! What a machine needs of a word: a bit and a byte for each site.

use crate::word::Word;

/// A word, as every one has a byte for each of its bits.
pub trait Span: Word {}

impl<W: Word> Span for W {}
