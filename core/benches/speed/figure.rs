//! One line of the table.

use serde_json::json;

/// What a figure should be.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
    /// It is told, and judged by the reader.
    None,
}

/// Prints a figure. `unit` is `x` for ratios; `detail` says what stood beside what.
pub(crate) fn tell(what: &str, value: f64, unit: &str, goal: Goal, detail: &str) {
    let (sense, goal) = match goal {
        Goal::AtMost(goal) => (Some("at most"), Some(goal)),
        Goal::AtLeast(goal) => (Some("at least"), Some(goal)),
        Goal::None => (None, None),
    };
    println!("{}", json!({"what": what, "value": value, "unit": unit, "sense": sense, "goal": goal, "detail": detail}));
}
