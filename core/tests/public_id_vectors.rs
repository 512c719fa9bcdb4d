//! Public ids, scrambled numbers and keys against the vectors that all languages share.

use crate::vectors::{Case, cases};
use leafmint::format::Format;
use leafmint::{Error, IdKeys, IdText, PublicIds, Result, ScrambledNumbers};

impl Case {
    fn optional(&self, name: &str) -> Option<&str> {
        self.0[name].as_str()
    }

    fn keys(&self) -> Result<IdKeys> {
        IdKeys::parse(self.text("keys"))
    }

    fn public_ids(&self) -> Result<PublicIds> {
        PublicIds::with_prefix(self.text("name"), &self.keys()?, self.text("prefix"))
    }

    fn scrambled(&self) -> Result<ScrambledNumbers> {
        let format = Format::new(self.text("format"))?;
        ScrambledNumbers::new(self.text("name"), &self.keys()?, self.0["key_number"].as_i64(), &format)
    }

    fn id_text(&self) -> Result<IdText> {
        let (prefix, format) = (self.optional("prefix"), self.optional("format"));
        IdText::new(self.text("form"), self.text("name"), prefix, format, self.0["key_number"].as_i64())
    }
}

/// Expects that each case of a list is refused.
fn refused<T: std::fmt::Debug>(list: &str, call: impl Fn(&Case) -> Result<T>) {
    for case in cases("public_ids", list) {
        let error: Error = call(&case).unwrap_err();
        case.expect_error(&error);
        assert!(case.0["message"].is_string(), "{}", case.0);
    }
}

#[test]
fn public_ids_have_the_same_texts_in_every_language() {
    for case in cases("public_ids", "ids") {
        let (ids, id, text) = (case.public_ids().unwrap(), case.int("id"), case.text("text"));
        assert_eq!(ids.encode(id).as_deref(), Ok(text));
        assert_eq!(ids.decode(text), Ok(id));
        assert_eq!((ids.name(), ids.prefix(), ids.length()), (case.text("name"), case.text("prefix"), text.len()));
    }
    refused("refused_ids", |case| case.public_ids()?.encode(case.int("id")));
}

#[test]
fn texts_of_older_keys_are_read_and_written_anew() {
    for case in cases("public_ids", "old_texts") {
        let (ids, text) = (case.public_ids().unwrap(), case.text("text"));
        assert_eq!(ids.decode(text), Ok(case.int("id")));
        assert_eq!(ids.encode(case.int("id")).as_deref(), Ok(case.text("new_text")));
    }
}

#[test]
fn texts_that_no_key_wrote_are_refused_alike() {
    refused("refused_texts", |case| case.public_ids()?.decode(case.text("text")));
}

#[test]
fn keys_are_read_or_refused_with_all_their_problems() {
    for case in cases("public_ids", "keys") {
        let numbers: Vec<i64> = case.keys().unwrap().numbers().into_iter().map(i64::from).collect();
        assert_eq!(case.0["numbers"], serde_json::json!(numbers));
    }
    refused("invalid_keys", Case::keys);
    refused("invalid_names", Case::public_ids);
}

#[test]
fn scrambled_numbers_are_the_same_in_every_language() {
    for case in cases("public_ids", "scrambled") {
        let (numbers, id, text) = (case.scrambled().unwrap(), case.int("id"), case.text("text"));
        assert_eq!(numbers.encode(id).as_deref(), Ok(text));
        assert_eq!((numbers.decode(text), numbers.decode_forgiving(text)), (Ok(id), Ok(id)));
    }
    for case in cases("public_ids", "forgiven") {
        let (numbers, text) = (case.scrambled().unwrap(), case.text("text"));
        assert!(numbers.decode(text).is_err(), "{}", case.0);
        assert_eq!(numbers.decode_forgiving(text), Ok(case.int("id")));
    }
    refused("refused_scrambled_ids", |case| case.scrambled()?.encode(case.int("id")));
    refused("refused_scrambled_texts", |case| case.scrambled()?.decode(case.text("text")));
    refused("invalid_scrambled", Case::scrambled);
}

#[test]
fn the_texts_of_types_are_declared_alike() {
    for case in cases("public_ids", "texts") {
        let text = case.id_text().unwrap();
        assert_eq!((text.pattern().as_str(), text.example().as_str()), (case.text("pattern"), case.text("example")));
        assert_eq!(case.0["needs_keys"], text.needs_keys());
    }
    refused("invalid_texts", Case::id_text);
}
