//! Takes ids by one hot path and ends. The tests count the instructions that it executes.
//!
//! `hot_paths PATH COUNT`, where PATH is `nothing` (the loop alone), `next_id`, `try_next_id`, `relaxed`,
//! `next_id_with_gene`, `snowflake` (stamped by the processor's counter, if there is one that can be used) or
//! `snowflake_system` (stamped by the system's clock).

use leafmint::Result;
use leafmint::segment::{Order, TagOptions};
use std::hint::black_box;
use std::time::Duration;

type Failure = Box<dyn std::error::Error>;

/// So large that few refills happen within the count.
const STEP: i64 = 10_000_000;

/// With 20 sequence bits a millisecond has more ids than a thread can take.
const UNSATURATED: &str = "timestamp:41,worker:2,sequence:20";

/// Longer than the counter is measured and checked for.
const COUNTER_IN_USE: Duration = Duration::from_millis(1500);

fn main() -> std::result::Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, count] = arguments.as_slice() else { return Err("usage: hot_paths PATH COUNT".into()) };
    let count: u64 = count.parse()?;
    let ids = leafmint::open::segment(&format!("memory:?default_step={STEP}"), [])?;
    match path.as_str() {
        "nothing" => repeat(count, || Ok(1))?,
        "next_id" => {
            let tag = ids.biz_tag("hot")?;
            repeat(count, || tag.next_id())?;
        }
        "try_next_id" => {
            let tag = ids.biz_tag("hot")?;
            tag.next_id()?;
            repeat(count, || tag.try_next_id())?;
        }
        "relaxed" => {
            let tag = ids.biz_tag_with("hot", TagOptions::new().order(Order::Relaxed))?;
            repeat(count, || tag.next_id())?;
        }
        "next_id_with_gene" => {
            let tag = ids.biz_tag_with("hot", TagOptions::new().gene_bits(4))?;
            repeat(count, || tag.next_id_with_gene(black_box(3), None))?;
        }
        "snowflake" | "snowflake_system" => {
            let folder = tempfile::tempdir()?;
            let clock = if path == "snowflake" { "auto" } else { "system" };
            let url = format!("local:{}?layout={UNSATURATED}&clock={clock}", folder.path().display());
            let flakes = leafmint::open::snowflake(&url, [])?;
            flakes.next_id()?;
            std::thread::sleep(COUNTER_IN_USE);
            repeat(count, || flakes.next_id())?;
            flakes.close()?;
        }
        _ => return Err(format!("{path} is no hot path").into()),
    }
    ids.close()?;
    Ok(())
}

fn repeat<T>(count: u64, mint: impl Fn() -> Result<T>) -> Result<()> {
    for _ in 0..count {
        black_box(mint()?);
    }
    Ok(())
}
