//! Models of worker ids for the past, next to living ones: over rows of a database in `rows`, in a directory in
//! `directory`.

pub mod directory;
pub mod rows;
