//! Worker ids in tables of a PostgreSQL database: the statements, and what the tables must be like.

mod block;
mod row;
mod session;
mod shape;
