//! The name of the process that claims a worker id, for messages to others.

use leafmint_engine::holder::Token;
use leafmint_engine::runtime::process::host_name;
use std::fmt;

/// The name of the process that claims a worker id: one that the user gave, or else one of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    text: String,
    given: bool,
}

impl Endpoint {
    /// Takes the user's name, such as `ip:port`.
    pub fn given(text: impl Into<String>) -> Self {
        Self { text: text.into(), given: true }
    }

    /// Names this process: host, process id and a random part.
    pub fn of_this_process() -> Self {
        let part = Token::fresh().map(|token| token.to_string()[..6].to_owned()).unwrap_or_default();
        Self { text: format!("{}-{}-{part}", host_name(), std::process::id()), given: false }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Names the child of a fork. A name that was given is the child's too.
    pub fn in_child(&self) -> Self {
        if self.given { self.clone() } else { Self::of_this_process() }
    }
}

impl From<String> for Endpoint {
    fn from(text: String) -> Self {
        Self::given(text)
    }
}

impl From<&str> for Endpoint {
    fn from(text: &str) -> Self {
        Self::given(text)
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
