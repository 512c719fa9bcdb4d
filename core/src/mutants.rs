//! Weakenings of single guards, which show that a test catches the loss of each. For tests only; `tests/mutants` has
//! the list.
//!
//! Without the feature `mutants`, a `weaken!` is the guarded expression and nothing else. With it, a process whose
//! environment variable `LEAFMINT_MUTANT` names the guard evaluates the expression behind `without` instead.

/// Names a guard: `weaken!("name", expression, without = expression)`, where the first expression is the true one.
///
/// `weaken!("name", without = expression)` names a guard that consists of doing nothing.
#[cfg(not(feature = "mutants"))]
macro_rules! weaken {
    ($name:literal, without = $weak:expr $(,)?) => {};
    ($name:literal, $strong:expr, without = $weak:expr $(,)?) => {
        $strong
    };
}

#[cfg(feature = "mutants")]
macro_rules! weaken {
    ($name:literal, without = $weak:expr $(,)?) => {
        if crate::mutants::is_off($name) {
            $weak;
        }
    };
    ($name:literal, $strong:expr, without = $weak:expr $(,)?) => {
        if crate::mutants::is_off($name) { $weak } else { $strong }
    };
}

pub(crate) use weaken;

/// Returns whether the guard of this name is switched off in this process.
#[cfg(feature = "mutants")]
pub(crate) fn is_off(name: &str) -> bool {
    static CHOSEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    CHOSEN.get_or_init(|| std::env::var("LEAFMINT_MUTANT").unwrap_or_default()) == name
}
