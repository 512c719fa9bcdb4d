//! Snowflake mode: ids of a timestamp, a worker id and a sequence. Run it with
//! `cargo run --release --example snowflake`.
//!
//! `local:ids` shares worker ids among the processes of this host, in the directory `ids`;
//! `mysql://user:password@host/database` among those of all hosts.

use leafmint::{Layout, Result};

fn main() -> Result<()> {
    let default = || format!("local:{}", std::env::temp_dir().join("leafmint-example").display());
    let url = std::env::args().nth(1).unwrap_or_else(default);
    let flakes = leafmint::open::snowflake(&url, [])?;

    // The first id takes a worker id; after that an id costs no I/O.
    let id = flakes.next_id()?;
    let parts = flakes.decode(id)?;
    println!("{id}: worker id {}, {} ms since 1970, sequence {}", parts.worker_id, parts.timestamp, parts.sequence);
    println!("ten ids: {:?}", flakes.next_ids(10)?);

    // A layout works without a generator: it decodes ids, and gives the bounds of a range query by time.
    let layout = Layout::parse("leaf", None)?;
    let (from, to) = (layout.min_id(parts.timestamp)?, layout.max_id(parts.timestamp)?);
    println!("ids of that millisecond: {from} to {to}");

    flakes.close()
}
