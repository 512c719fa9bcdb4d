//! Matches the few patterns of `mysql_common`, which reads the server's version and its RSA key by them.
//!
//! The crate of this name on crates.io matches any pattern over all of Unicode, and is large. This one matches bytes,
//! knows the syntax of those patterns only, and refuses any other pattern. A digit is one of ASCII.
#![forbid(unsafe_code)]

pub mod bytes;

mod parse;
mod program;
