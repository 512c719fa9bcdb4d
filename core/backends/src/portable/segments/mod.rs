//! The store over a table of these products.

mod gapless;
mod lease;
mod listing;
mod row;
mod series;
mod tags;
