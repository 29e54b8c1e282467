//! The touch board in 3D, and the workbench around it, as Bevy plugins.
//!
//! 1. [`source`]: where the board is; the boundary that everything else stands
//!    on.
//! 2. [`scene`]: the board as an object on a table: case, domes, display,
//!    buttons, light, camera, fingers.
//! 3. [`keys`]: what each key of the window does.
//! 4. [`theme`]: the colours of both.

#![deny(missing_docs)]

pub mod app;
pub mod capture;
pub mod film;
pub mod keys;
pub mod leaving;
pub mod opening;
pub mod options;
pub mod overheard;
pub mod prepare;
pub mod remembered;
pub mod scene;
pub mod sound;
pub mod source;
pub mod theme;
pub mod workbench;
