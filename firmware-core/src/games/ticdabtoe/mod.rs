//! TicDabToe: Ultimate Tic-Tac-Toe of 4x4 (International Institute of Information
//! Technology Hyderabad, contest of 2017).

pub mod position;
pub mod squares;

#[cfg(test)]
mod reference;

pub use position::{
    Block, POINTS_OF_A_WIN, Position, Refusal, block_of, cell_of, point_of, points_of_a_win,
};
