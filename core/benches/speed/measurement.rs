//! What was measured of one subject, as a line of JSON that `bench/run.py` reads.

use serde_json::json;

/// What a subject is in its group.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// What no id can be cheaper than.
    Floor,
    Leafmint,
}

impl Role {
    fn as_str(self) -> &'static str {
        match self {
            Role::Floor => "floor",
            Role::Leafmint => "leafmint",
        }
    }
}

/// The subjects of one group are compared with each other, each thread count by itself.
pub(crate) struct Group<'a> {
    pub(crate) name: &'a str,
    /// None if threads play no part.
    pub(crate) threads: Option<usize>,
}

/// Prints the values of one subject, one per round; `how` is its configuration.
pub(crate) fn report(group: &Group, name: &str, role: Role, unit: &str, rounds: &[f64], how: &str) {
    let line = json!({
        "group": group.name, "threads": group.threads, "name": name, "role": role.as_str(), "unit": unit, "how": how,
        "rounds": rounds,
    });
    println!("{line}");
}
