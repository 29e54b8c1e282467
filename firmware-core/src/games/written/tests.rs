//! What holds of games by a layout's rules.
