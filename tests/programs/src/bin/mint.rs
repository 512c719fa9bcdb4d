//! Mints ids of one tag and writes them to a file.
//!
//! `mint URL TAG COUNT FILE [REOPEN]` opens a new generator after every REOPEN ids; with `-` for the tag it mints
//! snowflakes. The file has little-endian 64-bit words, a -1 before each generator's ids. A line of JSON on standard
//! output summarises the run. The last generator is closed when standard input ends.

use leafmint::{Result, SegmentGenerator, ShardRule, SnowflakeGenerator};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::time::Instant;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, tag, count, file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: mint URL TAG COUNT FILE [REOPEN]".into());
    };
    let count: usize = count.parse()?;
    let reopen: usize = rest.first().map_or(Ok(count), |text| text.parse())?;

    let (mut ids, mut generators, mut last) = (Vec::with_capacity(2 * count), 0, None);
    let began = Instant::now();
    for left in (1..=count).rev().step_by(reopen) {
        if let Some(generator) = last.take() {
            close(generator)?;
        }
        generators += 1;
        ids.push(-1);
        last = Some(mint(url, tag, left.min(reopen), &mut ids)?);
    }
    let seconds = began.elapsed().as_secs_f64();

    let mut out = BufWriter::new(File::create(file)?);
    ids.iter().try_for_each(|id| out.write_all(&id.to_le_bytes()))?;
    out.flush()?;
    let first: Vec<String> = ids.iter().skip(1).take(5).map(i64::to_string).collect();
    let first = first.join(", ");
    let flake = match &last {
        Some(Generator::Snowflake(flakes)) => describe(flakes, ids[1])?,
        _ => String::new(),
    };
    println!(
        r#"{{"language": "Rust", "ids": {count}, "generators": {generators}, "seconds": {seconds:.3}, "first": [{first}]{flake}}}"#
    );
    std::io::stdin().read_to_end(&mut Vec::new())?;
    last.map_or(Ok(()), |generator| Ok(close(generator)?))
}

/// A generator of either mode.
enum Generator {
    Segment(SegmentGenerator),
    Snowflake(SnowflakeGenerator),
}

fn mint(url: &str, tag: &str, count: usize, ids: &mut Vec<i64>) -> Result<Generator> {
    if tag == "-" {
        let flakes = leafmint::open::snowflake(url, [])?;
        for _ in 0..count {
            ids.push(flakes.next_id()?);
        }
        return Ok(Generator::Snowflake(flakes));
    }
    let generator = leafmint::open::segment(url, [])?;
    let tag = generator.biz_tag(tag)?;
    for _ in 0..count {
        ids.push(tag.next_id()?);
    }
    Ok(Generator::Segment(generator))
}

/// Takes a snowflake apart, and mints an order number with the table of a customer.
fn describe(flakes: &SnowflakeGenerator, id: i64) -> Result<String> {
    let decoded = flakes.decode(id)?;
    let (worker_id, timestamp, sequence) = (decoded.worker_id, decoded.timestamp, decoded.sequence);
    let rule = ShardRule::new("10", 1024)?;
    let order = rule.compose(flakes.next_id()?, rule.table_of_text("user-42")?)?;
    let table = rule.parse(&order.to_string())?.table();
    Ok(format!(
        r#", "worker_id": {worker_id}, "timestamp": {timestamp}, "sequence": {sequence}, "order": "{order}", "table": {table}"#
    ))
}

fn close(generator: Generator) -> Result<()> {
    match generator {
        Generator::Segment(generator) => generator.close(),
        Generator::Snowflake(generator) => generator.close(),
    }
}
