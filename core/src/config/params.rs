//! The options of a generator, from its URL and by name.

use super::MOST_BYTES;
use super::jdbc::JdbcSecurity;
use super::options::{OptionSpec, OptionValue};
use super::url::Url;
use crate::config_errors::ConfigErrors;
use crate::events::{self, EventKind};
use std::collections::BTreeMap;

/// Replaces the name of a parameter that may be part of a password.
const HIDDEN: &str = "(not named, since it may be part of a password: there, write %26 for &)";

/// Most characters of a name that a message repeats.
const SHOWN: usize = 64;

/// Option values by name; options given by name override those in the URL.
pub(super) struct Params {
    values: BTreeMap<String, OptionValue>,
    table: &'static [OptionSpec],
    /// The security that a JDBC URL demands by its driver's names.
    pub(super) jdbc: JdbcSecurity,
}

impl Params {
    /// Collects the options of the URL and those by name, and adds an error for each that the table lacks.
    pub(super) fn gather(
        url: &Url,
        options: impl IntoIterator<Item = (String, OptionValue)>,
        table: &'static [OptionSpec],
        errors: &mut ConfigErrors,
    ) -> Self {
        let (mut values, mut jdbc) = (BTreeMap::new(), JdbcSecurity::default());
        let in_url = url.parameters.iter().map(|(name, text)| (name.clone(), OptionValue::from(text.clone()), true));
        let by_name = options.into_iter().map(|(name, value)| (name, value, false));
        // A parameter after a password may be the rest of it, behind a raw '&'.
        let mut may_be_secret = false;
        for (name, value, from_url) in in_url.chain(by_name) {
            let known = table.iter().any(|spec| spec.name == name);
            let shown = if from_url && may_be_secret { HIDDEN.to_owned() } else { format!("{:?}", excerpt(&name)) };
            let lower = excerpt(&name).to_ascii_lowercase();
            may_be_secret |= from_url && (lower.contains("pass") || lower.contains("pwd") || !(known || url.jdbc));
            if name.len().max(length(&value)) > MOST_BYTES {
                errors.add(format!("the option {shown} is longer than {MOST_BYTES} bytes"));
                continue;
            }
            if let OptionValue::Text(text) = &value
                && from_url
                && url.jdbc
                && jdbc.read(&name, text, errors)
            {
                continue;
            }
            if known {
                values.insert(name, value);
            } else if from_url && url.jdbc && name.contains(|letter: char| letter.is_ascii_uppercase()) {
                let text = format_args!("the JDBC parameter {shown} is not needed here and is ignored");
                events::emit(EventKind::OptionIgnored, &shown, text);
            } else {
                let known: Vec<&str> = table.iter().map(|spec| spec.name).collect();
                errors.add(format!("the option {shown} is not known; known are {}", known.join(", ")));
            }
        }
        Self { values, table, jdbc }
    }

    /// Returns the value of an option, if it is set.
    pub(super) fn value(&self, name: &str) -> Option<&OptionValue> {
        self.values.get(name)
    }

    /// Returns the value of an option as text, if it is set.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            OptionValue::Text(text) => Some(text.clone()),
            OptionValue::List(items) => Some(items.join(",")),
        }
    }

    /// Reads an option, or its default in the table if it is not set.
    pub(super) fn read<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> std::result::Result<T, String>,
        errors: &mut ConfigErrors,
    ) -> T {
        let default = || {
            let spec =
                self.table.iter().find(|spec| spec.name == name).expect("every option that is read is in the table");
            parse(spec.default).expect("the defaults in the table are valid")
        };
        match self.text(name) {
            None => default(),
            Some(text) => parse(&text).unwrap_or_else(|problem| {
                errors.add(problem);
                default()
            }),
        }
    }
}

/// Cuts a name that is too long for a message.
fn excerpt(name: &str) -> &str {
    name.char_indices().nth(SHOWN).map_or(name, |(cut, _)| &name[..cut])
}

/// Returns the number of bytes of a value.
fn length(value: &OptionValue) -> usize {
    match value {
        OptionValue::Text(text) => text.len(),
        OptionValue::List(items) => items.iter().map(String::len).sum(),
    }
}
