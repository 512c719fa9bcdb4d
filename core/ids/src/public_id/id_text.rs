//! The text of a typed id, as its type declares it.

use super::{IdKeys, PublicIds, ScrambledNumbers, check_id, invalid_config, public_ids, scrambled};
use crate::error::{ConfigErrors, Result};
use crate::format::{Format, NumberParts};
use crate::text::quoted;

/// How a type of ids is written, without its keys: what a binding checks when the type is declared.
#[derive(Clone, Debug)]
pub struct IdText(Form);

#[derive(Clone, Debug)]
enum Form {
    Public { name: String, prefix: String },
    ScrambledNumbers { name: String, format: Format, key_number: Option<i64> },
    Formatted(Format),
}

/// How a type of ids is written, with its keys.
#[derive(Clone, Debug)]
pub struct BoundIdText(BoundForm);

#[derive(Clone, Debug)]
enum BoundForm {
    Public(PublicIds),
    ScrambledNumbers(Box<ScrambledNumbers>),
    Formatted(Format),
}

impl IdText {
    /// Makes the text of a type. The form is `public`, `scrambled`, `formatted` or `decimal`.
    ///
    /// | form | name | prefix | format | key_number |
    /// |---|---|---|---|---|
    /// | `public` | empty: the prefix | `None`: the name | none | none |
    /// | `scrambled` | empty: the prefix | none, or the name | as of [`ScrambledNumbers`] | the same |
    /// | `formatted` | without effect | none | literals, a number, and a check or none | none |
    /// | `decimal` | without effect | none | none | none |
    ///
    /// Raises `invalid_config`, whose message lists everything that is wrong.
    pub fn new(
        form: &str,
        name: &str,
        prefix: Option<&str>,
        format: Option<&str>,
        key_number: Option<i64>,
    ) -> Result<Self> {
        let name = if name.is_empty() { prefix.unwrap_or_default() } else { name };
        let declaration = Declaration { name, prefix, format, key_number };
        let mut errors = ConfigErrors::default();
        let made = match form {
            "public" => declaration.public(&mut errors),
            "scrambled" => declaration.scrambled(&mut errors),
            "formatted" => declaration.formatted(&mut errors),
            "decimal" => declaration.decimal(&mut errors),
            _ => {
                errors.add("known are public, scrambled, formatted and decimal");
                None
            }
        };
        errors.into_result(&format!("form={}", quoted(form)))?;
        Ok(Self(made.expect("nothing is wrong")))
    }

    /// Returns whether [`bind`](IdText::bind) needs keys.
    pub fn needs_keys(&self) -> bool {
        !matches!(self.0, Form::Formatted(_))
    }

    /// Returns a regular expression that matches each text, and few others, for JSON Schema, Python and Java alike.
    pub fn pattern(&self) -> String {
        match &self.0 {
            Form::Public { prefix, .. } => public_ids::pattern(prefix),
            Form::ScrambledNumbers { format, .. } | Form::Formatted(format) => format.pattern(),
        }
    }

    /// Returns a text of the right shape, which does not depend on keys.
    pub fn example(&self) -> String {
        match &self.0 {
            Form::Public { prefix, .. } => public_ids::example(prefix),
            Form::ScrambledNumbers { format, .. } => written(format, within(format.largest())),
            Form::Formatted(format) => written(format, format.largest().min(42)),
        }
    }

    /// Adds the keys. Raises `invalid_config` if they are needed and missing, or if they do not fit.
    pub fn bind(&self, keys: Option<&IdKeys>) -> Result<BoundIdText> {
        let keys = || {
            let missing = "ids of this form need keys, and none are configured: `leafmint id-keys new` makes one";
            keys.ok_or_else(|| invalid_config(missing))
        };
        Ok(BoundIdText(match &self.0 {
            Form::Public { name, prefix } => BoundForm::Public(PublicIds::with_prefix(name, keys()?, prefix)?),
            Form::ScrambledNumbers { name, format, key_number } => {
                BoundForm::ScrambledNumbers(ScrambledNumbers::new(name, keys()?, *key_number, format)?.into())
            }
            Form::Formatted(format) => BoundForm::Formatted(format.clone()),
        }))
    }
}

impl BoundIdText {
    /// Writes an id. Raises `invalid_id` if it is negative, and `id_space_exhausted` if it does not fit the format.
    #[inline]
    pub fn encode(&self, id: i64) -> Result<String> {
        match &self.0 {
            BoundForm::Public(ids) => ids.encode(id),
            BoundForm::ScrambledNumbers(numbers) => numbers.encode(id),
            BoundForm::Formatted(format) => {
                check_id(id)?;
                format.format(&NumberParts { number: id, ..NumberParts::default() })
            }
        }
    }

    /// Reads an id. Raises `invalid_id`.
    #[inline]
    pub fn decode(&self, text: &str) -> Result<i64> {
        match &self.0 {
            BoundForm::Public(ids) => ids.decode(text),
            BoundForm::ScrambledNumbers(numbers) => numbers.decode(text),
            BoundForm::Formatted(format) => format.parse(text).map(|parts| parts.number),
        }
    }
}

/// What a type declares of its ids' text. Each method makes one form, and adds what is wrong.
struct Declaration<'a> {
    name: &'a str,
    prefix: Option<&'a str>,
    format: Option<&'a str>,
    key_number: Option<i64>,
}

impl Declaration<'_> {
    fn public(&self, errors: &mut ConfigErrors) -> Option<Form> {
        let prefix = self.prefix.unwrap_or(self.name);
        self.refuse_format(errors);
        self.refuse_key_number(errors);
        public_ids::check_names(self.name, prefix, errors);
        Some(Form::Public { name: self.name.to_owned(), prefix: prefix.to_owned() })
    }

    fn scrambled(&self, errors: &mut ConfigErrors) -> Option<Form> {
        if self.prefix.is_some_and(|prefix| prefix != self.name) {
            self.refuse_prefix(errors);
        }
        let format = self.read_format(errors)?;
        scrambled::check_declaration(self.name, &format, self.key_number, errors);
        Some(Form::ScrambledNumbers { name: self.name.to_owned(), format, key_number: self.key_number })
    }

    fn formatted(&self, errors: &mut ConfigErrors) -> Option<Form> {
        self.refuse_prefix(errors);
        self.refuse_key_number(errors);
        let format = self.read_format(errors)?;
        scrambled::check_fields(&format, errors);
        Some(Form::Formatted(format))
    }

    fn decimal(&self, errors: &mut ConfigErrors) -> Option<Form> {
        self.refuse_prefix(errors);
        self.refuse_format(errors);
        self.refuse_key_number(errors);
        Format::new("{number}").ok().map(Form::Formatted)
    }

    fn read_format(&self, errors: &mut ConfigErrors) -> Option<Format> {
        let Some(text) = self.format else {
            errors.add("it needs a format, such as M-{number:8}-{check:damm}");
            return None;
        };
        Format::new(text).map_err(|error| errors.add(error.message())).ok()
    }

    fn refuse_prefix(&self, errors: &mut ConfigErrors) {
        if let Some(prefix) = self.prefix {
            errors.add(format!("it has no prefix: write {} into the format", quoted(prefix)));
        }
    }

    fn refuse_format(&self, errors: &mut ConfigErrors) {
        if self.format.is_some() {
            errors.add("it has no format: take the form scrambled or formatted");
        }
    }

    fn refuse_key_number(&self, errors: &mut ConfigErrors) {
        if self.key_number.is_some() {
            errors.add("it has no key_number, which is for the form scrambled only");
        }
    }
}

/// Returns a number that looks scrambled: the largest one divided by the golden ratio.
fn within(largest: i64) -> i64 {
    ((largest as u128 * 0x9e37_79b9_7f4a_7c15) >> 64) as i64
}

fn written(format: &Format, number: i64) -> String {
    format.format(&NumberParts { number, ..NumberParts::default() }).expect("it has the number only, which fits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const KEYS: &str = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    fn refusal(form: &str, name: &str, prefix: Option<&str>, format: Option<&str>, key_number: Option<i64>) -> String {
        let error = IdText::new(form, name, prefix, format, key_number).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        error.message().to_owned()
    }

    #[test]
    fn each_form_writes_and_reads_its_text() {
        let forms = [
            IdText::new("public", "order", None, None, None),
            IdText::new("public", "", Some("order"), None, None),
            IdText::new("public", "orders_of_shop_7", Some("order"), None, None),
            IdText::new("scrambled", "member", None, Some("M-{number:8}-{check:damm}"), Some(0)),
            IdText::new("scrambled", "", Some("member"), Some("M-{number:8}-{check:damm}"), None),
            IdText::new("formatted", "", None, Some("INV-{number}-{check:luhn}"), None),
            IdText::new("formatted", "", None, Some("{number:base32:1}"), None),
            IdText::new("decimal", "", None, None, None),
        ];
        let keys = IdKeys::parse(KEYS).unwrap();
        for form in forms {
            let form = form.unwrap();
            let bound = form.bind(form.needs_keys().then_some(&keys)).unwrap();
            assert_eq!(bound.decode(&bound.encode(17).unwrap()), Ok(17));
            assert_eq!(bound.encode(-1).unwrap_err().kind(), ErrorKind::InvalidId);
            assert_eq!(bound.decode("something else").unwrap_err().kind(), ErrorKind::InvalidId);
        }
    }

    #[test]
    fn the_text_of_each_form_is_described_without_keys() {
        let described = |form: &str, name: &str, prefix, format| {
            let text = IdText::new(form, name, prefix, format, None).unwrap();
            (text.example(), text.pattern())
        };
        let owned = |(example, pattern): (&str, &str)| (example.to_owned(), pattern.to_owned());
        let public = owned(("cus_4hq0q7ybr0e1v6wdnt9z2x8mk3", "^cus_[0-9a-hjkmnp-tv-z]{26}$"));
        assert_eq!(described("public", "customer", Some("cus"), None), public);
        let scrambled = owned(("M-61803398-8", "^M-[0-9]{8}-[0-9]$"));
        assert_eq!(described("scrambled", "member", None, Some("M-{number:8}-{check:damm}")), scrambled);
        let formatted = owned(("INV-42-2", "^INV-(0|[1-9][0-9]{0,18})-[0-9]$"));
        assert_eq!(described("formatted", "", None, Some("INV-{number}-{check:luhn}")), formatted);
        assert_eq!(described("decimal", "", None, None), owned(("42", "^(0|[1-9][0-9]{0,18})$")));
    }

    #[test]
    fn an_example_is_no_id_but_of_the_right_shape() {
        let keys = IdKeys::parse(KEYS).unwrap();
        let public = IdText::new("public", "order", None, None, None).unwrap();
        let written = public.bind(Some(&keys)).unwrap().encode(1).unwrap();
        assert_eq!(written.len(), public.example().len());
        assert!(public.bind(Some(&keys)).unwrap().decode(&public.example()).is_err());
        let scrambled =
            IdText::new("scrambled", "member", None, Some("{number:base36:6}{check:mod37_36}"), None).unwrap();
        assert!(scrambled.bind(Some(&keys)).unwrap().decode(&scrambled.example()).is_ok());
    }

    #[test]
    fn a_declaration_that_is_wrong_is_refused_with_all_its_problems() {
        let word = "is not 1 to 63 small letters, digits and underscores, a letter first and no underscore last";
        let refusals = [
            (refusal("hex", "order", None, None, None), "form=\"hex\": known are public, scrambled, formatted and decimal".to_owned()),
            (refusal("public", "", None, None, None), format!("form=\"public\": the name \"\" {word}")),
            (
                refusal("public", "order", Some("Order"), Some("{number}"), Some(1)),
                format!(
                    "form=\"public\": 3 problems: it has no format: take the form scrambled or formatted; it has no \
                     key_number, which is for the form scrambled only; the prefix \"Order\" {word}"
                ),
            ),
            (
                refusal("scrambled", "member", Some("m"), None, None),
                "form=\"scrambled\": 2 problems: it has no prefix: write \"m\" into the format; it needs a format, such \
                 as M-{number:8}-{check:damm}"
                    .to_owned(),
            ),
            (
                refusal("scrambled", "member", None, Some("{number:6}{check:damm}"), Some(4)),
                "form=\"scrambled\": key_number: the number 4 is out of range (0 to 3)".to_owned(),
            ),
            (
                refusal("formatted", "", Some("order"), Some("{year}-{number}"), None),
                "form=\"formatted\": 2 problems: it has no prefix: write \"order\" into the format; \
                 format=\"{year}-{number}\" has {year}, but an id is a number only"
                    .to_owned(),
            ),
            (
                refusal("formatted", "", None, Some("{nummer}"), None),
                Format::new("{nummer}").unwrap_err().message().replace("format=", "form=\"formatted\": format="),
            ),
            (
                refusal("decimal", "", None, Some("{number}"), None),
                "form=\"decimal\": it has no format: take the form scrambled or formatted".to_owned(),
            ),
        ];
        for (message, expected) in refusals {
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn keys_that_are_missing_are_asked_for() {
        let error = IdText::new("public", "order", None, None, None).unwrap().bind(None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("`leafmint id-keys new` makes one"), "{error}");
    }
}
