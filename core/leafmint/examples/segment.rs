//! Segment mode: ids of a tag, out of ranges that a store leases. Run it with `cargo run --release --example segment`.
//!
//! With a URL such as `mysql://user:password@host/database` the ids are unique among all services on that database,
//! whatever their language; with `sqlite:///ids.db` among the processes that share the file.

use leafmint::segment::TagOptions;
use leafmint::{OptionValue, Result};
use std::time::Duration;

fn main() -> Result<()> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "memory:".to_owned());
    // Options are part of the URL, as in memory:?default_step=500, or are given by name.
    let options = [("auto_create".to_owned(), OptionValue::from("true"))];
    let ids = leafmint::open::segment(&url, options)?;

    // Resolve a tag once and keep it. It does no I/O; the first id leases a segment.
    let order = ids.biz_tag("order")?;
    println!("one id: {}", order.next_id()?);
    println!("one id, or an error after 50 ms: {}", order.next_id_within(Duration::from_millis(50))?);
    println!("one id, if one is in hand: {:?}", order.try_next_id()?);
    println!("ten ids: {:?}", order.next_ids(10)?);
    println!("ten ids without a gap: {:?}", order.next_range(10)?);

    // With gene bits, an id carries the shard of its record in its low bits.
    let parcel = ids.biz_tag_with("parcel", TagOptions::new().gene_bits(4))?;
    let gene = leafmint::gene::gene_of_text("user-42", 4)?;
    let id = parcel.next_id_with_gene(gene, None)?;
    println!("an id of shard {gene}: {id}, which is in shard {}", leafmint::gene::gene_of_id(id, 4)?);

    // An error has a kind, whose code is the same in Rust, Python and Java, and says whether a retry can help.
    if let Err(error) = ids.biz_tag("") {
        println!("{}, retryable: {}: {error}", error.kind().code(), error.kind().retryable());
    }

    for (tag, stats) in ids.stats().tags {
        println!("{tag}: {} ids issued, {} leased", stats.issued, stats.leased);
    }
    // Gives unused ids back to the store.
    ids.close()
}
