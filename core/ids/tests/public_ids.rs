//! Fuzz targets: keys, public ids, and the texts of types.

use leafmint_fuzz::{assert_refusal, fuzz};
use leafmint_ids::error::ErrorKind;
use leafmint_ids::public_id::{IdKeys, IdText, PublicIds};

const KEYS: &str = "lmk2_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819
                    lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

/// Returns whether a text has a row of hexadecimal digits that is long enough to be a part of a key.
fn shows_a_key(text: &str) -> bool {
    text.split(|character: char| !character.is_ascii_hexdigit()).any(|digits| digits.len() > 20)
}

#[test]
fn fuzz_id_keys() {
    fuzz("id_keys", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        match IdKeys::parse(&text) {
            Ok(keys) => {
                let numbers = keys.numbers();
                assert!((1..=4).contains(&numbers.len()) && numbers.iter().all(|number| *number < 4));
                let ids = PublicIds::new("order", &keys).unwrap();
                assert_eq!(ids.decode(&ids.encode(42).unwrap()), Ok(42));
                format!("{} keys", numbers.len())
            }
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                assert!(!shows_a_key(error.message()), "{error}");
                error.to_string()
            }
        }
    });
}

#[test]
fn fuzz_public_ids() {
    let keys = IdKeys::parse(KEYS).unwrap();
    let ids = PublicIds::new("order", &keys).unwrap();
    fuzz("public_ids", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        let decoded = ids.decode(&text);
        let mut column = [-1];
        if input.len() == ids.length() {
            assert_eq!(ids.decode_column(input, &mut column).is_ok(), decoded.is_ok());
        }
        match decoded {
            Ok(id) => {
                assert_eq!(column, [id]);
                let old = PublicIds::new("order", &IdKeys::parse(KEYS.lines().nth(1).unwrap()).unwrap()).unwrap();
                let written = [ids.encode(id).unwrap(), old.encode(id).unwrap()];
                assert!(written.contains(&text.into_owned()));
                "an id".to_owned()
            }
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidId]);
                assert!(error.message().ends_with("is not an id of this kind: \"order\""), "{error}");
                format!("{} bytes", input.len())
            }
        }
    });
}

#[test]
fn fuzz_id_texts() {
    let keys = IdKeys::parse(KEYS).unwrap();
    fuzz("id_texts", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        let mut lines = text.splitn(6, '\n');
        let mut line = || lines.next().unwrap_or_default();
        let (form, name, prefix, format, number, text) = (line(), line(), line(), line(), line(), line());
        let [prefix, format] = [prefix, format].map(|line| Some(line).filter(|line| !line.is_empty()));
        let declared = IdText::new(form, name, prefix, format, number.parse().ok());
        let bound = declared.and_then(|declared| {
            let example = declared.example();
            let bound = declared.bind(declared.needs_keys().then_some(&keys))?;
            assert_eq!(bound.decode(&example).is_err(), form == "public");
            Ok(bound)
        });
        let bound = match bound {
            Ok(bound) => bound,
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                return error.to_string();
            }
        };
        match bound.decode(text) {
            Ok(id) => {
                assert_eq!(bound.decode(&bound.encode(id).unwrap()), Ok(id));
                "an id".to_owned()
            }
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidId]);
                error.to_string()
            }
        }
    });
}
