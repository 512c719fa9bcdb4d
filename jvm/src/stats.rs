//! Figures, as texts.

use leafmint::segment::StatValue;

pub(crate) fn figure(value: StatValue) -> Option<String> {
    match value {
        StatValue::Count(count) => Some(count.to_string()),
        // Java spells it so.
        StatValue::Measure(Some(f64::INFINITY)) => Some("Infinity".to_owned()),
        StatValue::Measure(measure) => measure.map(|measure| format!("{measure:?}")),
        StatValue::Text(text) => text,
    }
}
