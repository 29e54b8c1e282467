//! The rules, place by place of their sources.

use super::*;
use crate::games::testing;
use crate::games::testing::Floors;

const OWN: Floors = Floors {
    positions: 0,
    ..Floors::USUAL
};

testing::laws!(Ishido, |_| {}, OWN);
