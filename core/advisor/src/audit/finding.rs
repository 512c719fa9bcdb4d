//! What an audit found.

use super::catalogue::Column;

/// What an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// How much it matters.
    pub severity: Severity,
    /// The table, or the sequence that fills no column.
    pub table: String,
    /// The column; empty for a sequence that fills none.
    pub column: String,
    /// The number that is judged.
    pub value: u64,
    /// The number that it is measured by.
    pub limit: u64,
    /// What is wrong and what to do, for people.
    pub text: String,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// `value` numbers of `limit` are used.
    RunsOut,
    /// A foreign key holds numbers up to `limit`, and points to numbers up to `value`.
    NarrowReference,
    /// A sequence or `AUTO_INCREMENT` gives `value` next, and there is a row `limit`.
    CounterBehind,
    /// A tag leases `value` next, and there is a row `limit` in the table.
    TagBehind,
    /// The table holds a number `value` above `limit`, 2^53, which JavaScript rounds.
    RoundedInJson,
    /// The time `value` in the highest id is ahead of the clock, which shows `limit`, both in Unix milliseconds.
    ClockAhead,
    /// The id `value` is none of the layout's, but `limit` is the highest in its column.
    MixedLayouts,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Inserts fail, or soon will.
    Problem,
    /// It is worth knowing.
    Note,
}

impl Finding {
    pub(super) fn of(
        kind: FindingKind,
        severity: Severity,
        column: &Column,
        (value, limit): (u64, u64),
        text: String,
    ) -> Self {
        Self { kind, severity, table: column.table.clone(), column: column.name.clone(), value, limit, text }
    }
}

impl FindingKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::RunsOut,
        Self::NarrowReference,
        Self::CounterBehind,
        Self::TagBehind,
        Self::RoundedInJson,
        Self::ClockAhead,
        Self::MixedLayouts,
    ];

    /// Returns its name in all languages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RunsOut => "runs_out",
            Self::NarrowReference => "narrow_reference",
            Self::CounterBehind => "counter_behind",
            Self::TagBehind => "tag_behind",
            Self::RoundedInJson => "rounded_in_json",
            Self::ClockAhead => "clock_ahead",
            Self::MixedLayouts => "mixed_layouts",
        }
    }
}

impl Severity {
    /// Both, worst first.
    pub const ALL: [Self; 2] = [Self::Problem, Self::Note];

    /// Returns its name in all languages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Note => "note",
        }
    }
}
