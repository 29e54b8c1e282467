//! A machine's requirements on a word: one bit and one byte for each site.

use crate::word::Word;

/// A word that also has one byte for each of its bits, as all words do.
pub trait Span: Word {}

impl<W: Word> Span for W {}
