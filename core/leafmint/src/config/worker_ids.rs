//! Reads which worker ids may be taken: the options `workers` and `worker_map`.

use leafmint_engine::holder::Workers;
use leafmint_ids::error::ConfigErrors;

/// Reads `0-31` or `5,7`.
pub(super) fn read(text: &str, last: i64) -> std::result::Result<Workers, String> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        match (from.trim().parse::<i64>(), to.trim().parse::<i64>()) {
            (Ok(from), Ok(to)) if 0 <= from && from <= to && to <= last => Ok(from..=to),
            _ => Err(format!(
                "workers={text}: {part:?} is neither a worker id from 0 to {last} nor a range such as 0-31"
            )),
        }
    };
    text.split(',').map(range).collect()
}

/// Reads the entries of `worker_map`, each `endpoint=worker id`.
pub(super) fn map(entries: &[String], last: i64, errors: &mut ConfigErrors) -> Vec<(String, i64)> {
    let mut map: Vec<(String, i64)> = Vec::new();
    for entry in entries {
        let parsed = entry.rsplit_once('=').and_then(|(name, id)| Some((name.trim(), id.trim().parse::<i64>().ok()?)));
        match parsed {
            Some((name, id)) if !name.is_empty() && (0..=last).contains(&id) => {
                if map.iter().any(|(other, taken)| other == name || *taken == id) {
                    errors.add_of("worker_map", format!("worker_map: {entry:?} repeats an endpoint or a worker id"));
                }
                map.push((name.to_owned(), id));
            }
            _ => errors.add_of(
                "worker_map",
                format!("worker_map: {entry:?} is not endpoint=worker id, with an id from 0 to {last}"),
            ),
        }
    }
    map
}

/// Returns this endpoint's worker id in `worker_map`.
pub(super) fn mapped(map: &[(String, i64)], endpoint: Option<&str>, errors: &mut ConfigErrors) -> Option<i64> {
    let Some(endpoint) = endpoint else {
        errors.add_of("worker_map", "worker_map needs the option endpoint: the ip:port of this process");
        return None;
    };
    let found = map.iter().find(|(name, _)| name == endpoint).map(|(_, worker_id)| *worker_id);
    if found.is_none() {
        errors.add_of("endpoint", format!("endpoint={endpoint} is not in worker_map"));
    }
    found
}
