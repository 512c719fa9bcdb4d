//! The value of one figure in `stats`, in both modes.

/// The value of one figure.
#[derive(Clone, Debug, PartialEq)]
pub enum StatValue {
    /// A count.
    Count(i64),
    /// A measurement, if there is one.
    Measure(Option<f64>),
    /// A text, if there is one.
    Text(Option<String>),
    /// Whether something is so.
    Flag(bool),
    /// A moment in Unix milliseconds, if there is one.
    Moment(Option<i64>),
}
