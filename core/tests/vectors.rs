//! The vectors in `tests/vectors`, which all languages share.

use leafmint::{Error, Result};
use serde_json::Value;

/// The cases of one list of a file.
pub(crate) fn cases(file: &str, list: &str) -> Vec<Case> {
    let path = format!("{}/../../tests/vectors/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = all[list].as_array().unwrap_or_else(|| panic!("{file}.json has the list {list}"));
    assert!(!cases.is_empty());
    cases.iter().cloned().map(Case).collect()
}

pub(crate) struct Case(pub(crate) Value);

impl Case {
    pub(crate) fn int(&self, name: &str) -> i64 {
        self.0[name].as_i64().unwrap_or_else(|| panic!("{name} of {}", self.0))
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_else(|| panic!("{name} of {}", self.0))
    }

    /// Compares an answer with the number or the error that the case expects.
    pub(crate) fn expect(&self, name: &str, answer: Result<i64>) {
        match answer {
            Ok(number) => assert_eq!(Some(number), self.0[name].as_i64(), "{}", self.0),
            Err(error) => self.expect_error(&error),
        }
    }

    pub(crate) fn expect_error(&self, error: &Error) {
        assert_eq!(Some(error.kind().code()), self.0["code"].as_str(), "{}: {error}", self.0);
        assert!(error.message().chars().count() < 700, "{error}");
        if let Some(message) = self.0["message"].as_str() {
            assert_eq!(error.message(), message);
        }
        for part in self.0["mentions"].as_array().into_iter().flatten() {
            assert!(error.message().contains(part.as_str().unwrap()), "{}: {error}", self.0);
        }
    }
}
