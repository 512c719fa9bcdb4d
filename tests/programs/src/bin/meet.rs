//! Asks each server for one id in each mode, and prints a line of JSON for each: `meet URL…`.

use leafmint::{OptionValue, Result};
use std::time::Instant;

fn main() {
    leafmint::binding::panics::print_each_line_once();
    for url in std::env::args().skip(1) {
        meet("segment", || {
            let ids = leafmint::open::segment(&url, options(&[]))?;
            ids.biz_tag("order")?.next_id()
        });
        meet("snowflake", || leafmint::open::snowflake(&url, options(&[("state_files", "false")]))?.next_id());
    }
}

fn options(more: &[(&str, &str)]) -> impl Iterator<Item = (String, OptionValue)> {
    let both = [("timeout", "500ms"), ("connect_timeout", "400ms")];
    both.iter()
        .chain(more)
        .map(|(name, value)| ((*name).to_owned(), OptionValue::from(*value)))
        .collect::<Vec<_>>()
        .into_iter()
}

fn meet(mode: &str, mint: impl FnOnce() -> Result<i64>) {
    let began = Instant::now();
    let answer = match mint() {
        Ok(id) => serde_json::json!({"id": id}),
        Err(error) => serde_json::json!({"code": error.kind().code(), "message": error.message()}),
    };
    let mut line = answer;
    line["mode"] = mode.into();
    line["seconds"] = began.elapsed().as_secs_f64().into();
    line["memory"] = resident_megabytes().into();
    println!("{line}");
}

fn resident_megabytes() -> f64 {
    let pages =
        std::fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').nth(1)?.parse::<f64>().ok());
    pages.map_or(f64::NAN, |pages| pages * 4096.0 / 1e6)
}
