//! Mints ids of one tag and writes them to a file: the Rust program of the demo and of the cross-language tests.
//!
//! `mint URL TAG COUNT FILE [REOPEN]` opens a new generator after every REOPEN ids. The file holds little-endian 64-bit words,
//! a -1 before each generator's ids. A line of JSON on standard output sums the run up.

use leafmint::{Result, SegmentGenerator};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, tag, count, file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: mint URL TAG COUNT FILE [REOPEN]".into());
    };
    let count: usize = count.parse()?;
    let reopen: usize = rest.first().map_or(Ok(count), |text| text.parse())?;

    let (mut ids, mut generators) = (Vec::with_capacity(2 * count), 0);
    let began = Instant::now();
    for left in (1..=count).rev().step_by(reopen) {
        generators += 1;
        ids.push(-1);
        mint(url, tag, left.min(reopen), &mut ids)?;
    }
    let seconds = began.elapsed().as_secs_f64();

    let mut out = BufWriter::new(File::create(file)?);
    ids.iter().try_for_each(|id| out.write_all(&id.to_le_bytes()))?;
    out.flush()?;
    let first: Vec<String> = ids.iter().skip(1).take(5).map(i64::to_string).collect();
    let first = first.join(", ");
    println!(
        r#"{{"language": "Rust", "ids": {count}, "generators": {generators}, "seconds": {seconds:.3}, "first": [{first}]}}"#
    );
    Ok(())
}

fn mint(url: &str, tag: &str, count: usize, ids: &mut Vec<i64>) -> Result<()> {
    let generator = SegmentGenerator::open(url, [])?;
    let tag = generator.biz_tag(tag)?;
    for _ in 0..count {
        ids.push(tag.next_id()?);
    }
    generator.close()
}
