//! The options of a generator, from its URL and by name.

use super::MOST_BYTES;
use super::options::OptionSpec;
use super::platform_forms::PlatformParameter;
use super::shape::out_of_range;
use super::url::Url;
use super::value::OptionValue;
use leafmint_backends::sessions::SslMode;
use leafmint_ids::error::ConfigErrors;
use leafmint_ids::text::beginning;
use std::collections::BTreeMap;

/// Replaces the name of a parameter that may be part of a password.
const HIDDEN: &str = "(not named, since it may be part of a password: there, write %26 for &)";

/// The option that is not text, and so is not in the tables.
pub(super) const CREDENTIALS: &str = "credentials";

/// Most characters of a name that a message repeats.
const SHOWN: usize = 64;

/// Option values by name, each of the shape in the table; options given by name override those in the URL.
pub(super) struct Params {
    values: BTreeMap<String, OptionValue>,
    table: &'static [OptionSpec],
    /// Whether to read the worker ids of all processes of a fleet instead of this one's: every entry of a worker map,
    /// every value of an ordinal.
    pub(super) of_fleet: bool,
    /// The security that the URL demands by a platform's names: each parameter as it was written.
    pub(super) security: Vec<(String, SslMode)>,
    /// The schema that the URL names by a platform's name for it.
    pub(super) schema: Option<String>,
}

impl Params {
    /// Collects the options of the URL and those by name, and adds an error for each that the table lacks.
    pub(super) fn gather(
        url: &Url,
        options: impl IntoIterator<Item = (String, OptionValue)>,
        table: &'static [OptionSpec],
        errors: &mut ConfigErrors,
    ) -> Self {
        let mut params = Self { values: BTreeMap::new(), table, of_fleet: false, security: Vec::new(), schema: None };
        // A parameter after a password may be the rest of it, behind a raw '&'.
        let mut may_be_secret = false;
        for (name, text) in &url.parameters {
            let shown = if may_be_secret { HIDDEN.to_owned() } else { format!("{:?}", beginning(name, SHOWN)) };
            let lower = beginning(name, SHOWN).to_ascii_lowercase();
            let understood = params.take_parameter(url, name, text, &shown, errors);
            may_be_secret |= lower.contains("pass") || lower.contains("pwd") || !understood;
        }
        for (name, value) in options {
            let shown = format!("{:?}", beginning(&name, SHOWN));
            params.take_option(name, value, &shown, errors);
        }
        params.check(errors);
        params
    }

    /// Brings each value into the shape of its option, and drops those that do not fit.
    fn check(&mut self, errors: &mut ConfigErrors) {
        for spec in self.table {
            if let Some(value) = self.values.remove(spec.name) {
                match spec.shape.read(spec.name, value) {
                    Ok(value) => drop(self.values.insert(spec.name.to_owned(), value)),
                    Err(problem) => errors.add_of(spec.name, problem),
                }
            }
        }
    }

    /// Takes a parameter of the URL. Returns false if its name says nothing.
    fn take_parameter(&mut self, url: &Url, name: &str, text: &str, shown: &str, errors: &mut ConfigErrors) -> bool {
        let known = self.knows(name);
        let of_platform = match known || name.len().max(text.len()) > MOST_BYTES {
            true => PlatformParameter::Unknown,
            false => PlatformParameter::read(&url.scheme, name, text, errors),
        };
        match of_platform {
            PlatformParameter::Security(mode) => self.security.push((format!("{name}={text}"), mode)),
            PlatformParameter::Schema(schema) => self.schema = Some(schema),
            PlatformParameter::Option(name, text) => self.take_option(name.to_owned(), text.into(), shown, errors),
            PlatformParameter::Nothing => {}
            PlatformParameter::Unknown => {
                self.take_option(name.to_owned(), text.to_owned().into(), shown, errors);
                return known;
            }
        }
        true
    }

    fn take_option(&mut self, name: String, value: OptionValue, shown: &str, errors: &mut ConfigErrors) {
        if name.len().max(value.length()) > MOST_BYTES {
            errors.add(format!("the option {shown} is longer than {MOST_BYTES} bytes"));
        } else if (name == CREDENTIALS) != matches!(value, OptionValue::Credentials(_)) {
            errors.add(match name == CREDENTIALS {
                true => format!("{CREDENTIALS} cannot be text: pass what supplies user and password"),
                false => format!("the option {shown} cannot be a supplier of credentials"),
            });
        } else if self.knows(&name) || name == CREDENTIALS {
            self.values.insert(name, value);
        } else {
            let known: Vec<&str> = self.table.iter().map(|spec| spec.name).collect();
            errors.add(format!(
                "the option {shown} is not known; known are {} (for a driver's own parameters pass the engine or data source in \
                 place of the URL)",
                known.join(", ")
            ));
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.table.iter().any(|spec| spec.name == name)
    }

    /// Returns the value of an option, if it is set.
    pub(super) fn given<T: TryFrom<OptionValue>>(&self, name: &str) -> Option<T> {
        self.values.get(name).map(|value| typed(value.clone()))
    }

    /// Returns the value of an option, or its default in the table.
    pub(super) fn get<T: TryFrom<OptionValue>>(&self, name: &str) -> T {
        self.given(name).unwrap_or_else(|| {
            let spec = self.table.iter().find(|spec| spec.name == name).expect("what is read is in the table");
            typed(spec.shape.read(name, spec.default.into()).expect("the defaults in the table are valid"))
        })
    }

    /// Returns what the word stands for that is the value of an option, or its default in the table.
    pub(super) fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> T {
        let chosen: String = self.get(name);
        words.iter().find(|(word, _)| *word == chosen).expect("the table has these words").1
    }

    /// Returns a number from 0 to a bound that the layout has; 0 if it is not set.
    pub(super) fn up_to(&self, name: &str, max: i64) -> std::result::Result<i64, String> {
        match self.given(name).unwrap_or(0) {
            number if !(0..=max).contains(&number) => Err(out_of_range(name, &number.to_string(), 0, max)),
            number => Ok(number),
        }
    }

    /// Returns whether an option is set.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

fn typed<T: TryFrom<OptionValue>>(value: OptionValue) -> T {
    value.try_into().ok().expect("an option is read as what its shape is")
}
