//! What a machine needs of a word: one bit and one byte for each site.

use crate::word::Word;

/// A word that also has a byte for each of its bits, as every word has.
pub trait Span: Word {}

impl<W: Word> Span for W {}
