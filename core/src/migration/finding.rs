//! What a look at a Leaf found.

/// What a look at a Leaf found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether the move has to wait for it.
    pub level: Level,
    /// The tag, table or node that it is about.
    pub subject: String,
    /// What is wrong, and what to do.
    pub text: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Ids could repeat, or none could be minted: it has to be mended before the move.
    Clash,
    /// It is worth knowing before the move.
    Warning,
}

impl Level {
    /// Returns its name in all languages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clash => "clash",
            Self::Warning => "warning",
        }
    }
}

impl Finding {
    pub(super) fn clash(subject: &str, text: impl Into<String>) -> Self {
        Self { level: Level::Clash, subject: subject.to_owned(), text: text.into() }
    }

    pub(super) fn warning(subject: &str, text: impl Into<String>) -> Self {
        Self { level: Level::Warning, subject: subject.to_owned(), text: text.into() }
    }
}
