//! Weakenings of single guards, which show that a test catches the loss of each. For tests only; `tests/mutants` has the list.
//!
//! Without the feature `mutants` a `weaken!` is its last expression and nothing else, or nothing where it has but one. With it, the
//! first expression is taken instead in a process whose environment variable `LEAFMINT_MUTANT` names it.

/// Stands where a guard stands: its name, what happens without the guard, and what happens with it, if anything does.
#[cfg(not(feature = "mutants"))]
macro_rules! weaken {
    ($name:literal, $weak:expr, $strong:expr $(,)?) => {
        $strong
    };
    ($name:literal, $weak:expr) => {};
}

#[cfg(feature = "mutants")]
macro_rules! weaken {
    ($name:literal, $weak:expr, $strong:expr $(,)?) => {
        if crate::mutants::on($name) { $weak } else { $strong }
    };
    ($name:literal, $weak:expr) => {
        if crate::mutants::on($name) {
            $weak;
        }
    };
}

pub(crate) use weaken;

/// Tells whether the guard of this name is switched off in this process.
#[cfg(feature = "mutants")]
pub(crate) fn on(name: &str) -> bool {
    static CHOSEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    CHOSEN.get_or_init(|| std::env::var("LEAFMINT_MUTANT").unwrap_or_default()) == name
}
