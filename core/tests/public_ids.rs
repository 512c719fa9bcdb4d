//! Public ids and scrambled numbers. An optimised run, which `make test-all` has, takes ten million ids.
#![allow(missing_docs)]

use leafmint::format::Format;
use leafmint::{ErrorKind, IdKeys, IdText, PublicIds, ScrambledNumbers};

const IDS: usize = if cfg!(debug_assertions) { 100_000 } else { 10_000_000 };
/// Texts that no key wrote.
const FORGED: usize = IDS / 10;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const OLD: &str = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
const NEW: &str = "lmk2_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";

fn keys(text: &str) -> IdKeys {
    IdKeys::parse(text).unwrap()
}

fn orders(text: &str) -> PublicIds {
    PublicIds::new("order", &keys(text)).unwrap()
}

/// Ids that follow on one another, such as those of a segment, and then ids all over the range.
fn id(at: usize) -> i64 {
    if at < IDS / 2 { at as i64 } else { (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64 & i64::MAX }
}

/// Reads the digits of a text whose key has the number 0.
fn block(text: &[u8]) -> u128 {
    let digit = |byte: &u8| DIGITS.iter().position(|digit| digit == byte).unwrap() as u128;
    text[text.len() - 26..].iter().fold(0, |number, byte| number << 5 | digit(byte))
}

fn assert_refused(ids: &PublicIds, text: &str) {
    match ids.decode(text) {
        Ok(id) => panic!("{text:?} was read as {id}"),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidId);
            let expected = format!("is not an id of this kind: {:?}", ids.prefix());
            assert!(error.message().ends_with(&expected), "it says why: {error}");
        }
    }
}

#[test]
fn no_two_ids_have_the_same_text_and_each_text_is_its_id() {
    let ids = orders(OLD);
    let mut blocks = Vec::with_capacity(IDS);
    for at in 0..IDS {
        let text = ids.encode(id(at)).unwrap();
        assert_eq!(ids.decode(&text), Ok(id(at)));
        blocks.push(block(text.as_bytes()));
    }
    blocks.sort_unstable();
    assert!(blocks.windows(2).all(|two| two[0] < two[1]));
}

#[test]
fn forged_texts_are_refused() {
    let ids = orders(&format!("{OLD} {NEW}"));
    let mut random = fastrand::Rng::with_seed(1);
    for at in 0..FORGED {
        let digits: String = (0..26).map(|_| char::from(DIGITS[random.usize(..32)])).collect();
        assert_refused(&ids, &format!("order_{digits}"));
        let right = ids.encode(id(at)).unwrap();
        let mut changed = right.clone().into_bytes();
        for _ in 0..random.usize(1..=3) {
            changed[random.usize(6..32)] = DIGITS[random.usize(..32)];
        }
        if changed != right.as_bytes() {
            assert_refused(&ids, str::from_utf8(&changed).unwrap());
        }
    }
}

#[test]
fn one_character_changed_removed_doubled_or_swapped_is_refused() {
    let ids = orders(&format!("{OLD} {NEW}"));
    // What is no digit must not be read as the digit 0 either.
    let with_zero = (0..).find(|id| ids.encode(*id).unwrap()[6..].contains("40")).unwrap();
    for id in [0, 42, with_zero, i64::MAX] {
        let text = ids.encode(id).unwrap();
        for at in 0..text.len() {
            let (before, after) = (&text[..at], &text[at + 1..]);
            assert_refused(&ids, &format!("{before}{after}"));
            assert_refused(&ids, &format!("{before}{}{}", &text[at..=at], &text[at..]));
            for wrong in ('\0'..='\u{ff}').filter(|wrong| !text[at..].starts_with(*wrong)) {
                assert_refused(&ids, &format!("{before}{wrong}{after}"));
            }
            if at + 1 < text.len() && text[at..=at] != text[at + 1..at + 2] {
                assert_refused(
                    &ids,
                    &format!("{before}{}{}{}", &text[at + 1..at + 2], &text[at..=at], &text[at + 2..]),
                );
            }
        }
    }
}

#[test]
fn texts_of_another_key_name_prefix_or_key_number_are_refused() {
    let ids = orders(OLD);
    let right = ids.encode(42).unwrap();
    let other_key = orders(&NEW.replacen('2', "0", 1)).encode(42).unwrap();
    let other_number = orders(&OLD.replacen('0', "1", 1)).encode(42).unwrap();
    let other_name = PublicIds::with_prefix("customer", &keys(OLD), "order").unwrap().encode(42).unwrap();
    let other_prefix = PublicIds::with_prefix("order", &keys(OLD), "customer").unwrap().encode(42).unwrap();
    assert_eq!(other_prefix.replace("customer", "order"), right);
    assert_eq!(other_number[7..], right[7..]);
    for text in [other_key, other_number, other_name, other_prefix] {
        assert_refused(&ids, &text);
    }
    assert_eq!(ids.decode(&right), Ok(42));
}

#[test]
fn a_key_is_replaced_in_three_steps() {
    let [old, both, new] = [OLD, &format!("{NEW} {OLD}"), NEW].map(orders);
    let [old_text, both_text, new_text] = [&old, &both, &new].map(|ids| ids.encode(42).unwrap());
    assert!(both_text == new_text && old_text != new_text);
    assert_eq!((both.decode(&old_text), both.decode(&new_text)), (Ok(42), Ok(42)));
    assert_refused(&old, &new_text);
    assert_refused(&new, &old_text);
}

#[test]
fn one_bit_of_an_id_changes_half_of_the_bits_of_its_text() {
    let ids = orders(OLD);
    let count = 400;
    for bit in 0..63 {
        let changed = |at: usize| {
            let [one, other] = [id(at), id(at) ^ 1 << bit].map(|id| block(ids.encode(id).unwrap().as_bytes()));
            f64::from((one ^ other).count_ones())
        };
        let mean = (IDS - count..IDS).map(changed).sum::<f64>() / count as f64;
        // The mean of 400 has a standard deviation of 0.28.
        assert!((mean - 64.0).abs() < 1.4, "bit {bit}: {mean}");
    }
}

/// Returns Spearman's rank correlation of the texts of ids in a row with these ids.
fn rank_correlation(mut texts: Vec<(String, usize)>) -> f64 {
    texts.sort_unstable();
    let count = texts.len() as f64;
    let squares: f64 = texts.iter().enumerate().map(|(rank, (_, at))| (rank as f64 - *at as f64).powi(2)).sum();
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

#[test]
fn texts_do_not_show_the_order_of_their_ids() {
    let (ids, numbers) = (orders(OLD), members("{number:8}{check:damm}"));
    let count = 4000;
    let of = |text: &dyn Fn(i64) -> String| rank_correlation((0..count).map(|at| (text(at as i64), at)).collect());
    assert_eq!(of(&|id| format!("{id:09}")), 1.0);
    // The correlation of 4,000 ranks has a standard deviation of 0.016.
    for correlation in [of(&|id| ids.encode(id).unwrap()), of(&|id| numbers.encode(id).unwrap())] {
        assert!(correlation.abs() < 0.08, "{correlation}");
    }
}

fn column(ids: &PublicIds, all: &[i64]) -> Vec<u8> {
    let mut column = vec![0; all.len() * ids.length()];
    ids.encode_column(all, &mut column).unwrap();
    column
}

#[test]
fn columns_have_what_single_calls_return() {
    let [old, both] = [OLD, &format!("{NEW} {OLD}")].map(orders);
    let counts = [0, 1, 2, 31, 32, 33, 63, 64, 65, 96, 100, IDS.min(100_000)];
    for count in counts {
        let all: Vec<i64> = (IDS - count..IDS).map(id).collect();
        let texts: String = all.iter().map(|id| both.encode(*id).unwrap()).collect();
        assert!(column(&both, &all) == texts.as_bytes());
        // All of one key, all of another, and both in turn, in pairs and in hundreds.
        for each in [usize::MAX, 0, 1, 2, 100] {
            let is_old = |at: usize| at.checked_div(each).is_none_or(|run| run % 2 == 1);
            let texts =
                all.iter().enumerate().map(|(at, id)| if is_old(at) { &old } else { &both }.encode(*id).unwrap());
            let mut read = vec![-1; count];
            both.decode_column(texts.collect::<String>().as_bytes(), &mut read).unwrap();
            assert!(read == all, "{count} ids, {each} of a key");
        }
    }
}

#[test]
fn a_refusal_of_a_column_names_the_place() {
    let ids = orders(&format!("{NEW} {OLD}"));
    let all: Vec<i64> = (0..70).collect();
    let texts = column(&ids, &all);
    let mut read = vec![0; all.len()];
    for place in 0..all.len() {
        for (at, wrong) in [(0, b'O'), (6, b'z'), (20, b'l'), (31, b'?')] {
            let mut texts = texts.clone();
            texts[place * ids.length() + at] = wrong;
            // A later one is wrong too.
            *texts.last_mut().unwrap() = b'!';
            let text = String::from_utf8(texts[place * ids.length()..][..ids.length()].to_vec()).unwrap();
            let error = ids.decode_column(&texts, &mut read).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidId);
            assert_eq!(error.message(), format!("ids[{place}]: {}", ids.decode(&text).unwrap_err().message()));
        }
        let mut all = all.clone();
        all[place] = -1;
        all[69] = -2;
        let error = ids.encode_column(&all, &mut texts.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidId);
        assert!(error.message().starts_with(&format!("ids[{place}]: -")), "{error}");
    }
}

#[test]
fn texts_in_a_column_that_are_not_utf_8_are_refused() {
    let ids = orders(OLD);
    let mut texts = column(&ids, &[42]);
    texts[8..10].copy_from_slice(&[0xff, 0xc3]);
    let error = ids.decode_column(&texts, &mut [0]).unwrap_err();
    assert!(error.message().starts_with("ids[0]: \"order_"), "{error}");
}

fn members(format: &str) -> ScrambledNumbers {
    ScrambledNumbers::new("member", &keys(OLD), None, &Format::new(format).unwrap()).unwrap()
}

#[test]
fn scrambled_numbers_change_places() {
    let numbers = members("{number:6}{check:damm}");
    let count = IDS.min(1_000_000);
    let mut texts = Vec::with_capacity(count);
    for id in 0..count as i64 {
        let text = numbers.encode(id).unwrap();
        assert_eq!(numbers.decode(&text), Ok(id));
        texts.push(text);
    }
    texts.sort_unstable();
    assert!(texts.windows(2).all(|two| two[0] < two[1]));
}

#[test]
fn a_scrambled_number_with_the_right_check_is_always_an_id() {
    let (format, numbers) =
        (Format::new("M-{number:base32:6}-{check:mod37_36}").unwrap(), members("M-{number:base32:6}-{check:mod37_36}"));
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..FORGED {
        let number = random.i64(0..=numbers.largest());
        let text = format.format(&leafmint::NumberParts { number, ..Default::default() }).unwrap();
        let id = numbers.decode(&text).unwrap();
        assert!((0..=numbers.largest()).contains(&id));
        assert_eq!(numbers.encode(id), Ok(text));
    }
}

/// Fails if a text has eight characters in a row of a key's secret.
fn assert_no_key(shown: &str) {
    let shown = shown.to_lowercase();
    for secret in [&OLD[5..], &NEW[5..]] {
        let found = (0..=secret.len() - 8).find(|at| shown.contains(&secret[*at..at + 8]));
        assert!(found.is_none(), "{shown}");
    }
}

#[test]
fn no_message_shows_a_key() {
    let secret = &OLD[5..];
    let odd = format!(
        "{OLD} lmk1_{} {secret}_ lmk2_{secret}{secret}{secret} lmk{secret}_{secret} lmkx_{secret}",
        &secret[1..]
    );
    let doubled = format!("{OLD} lmk1_{secret} {NEW} {NEW}");
    let wrong = [secret, &secret[1..], &OLD[..40], &odd, &doubled, &OLD.replace('_', ":"), &OLD.replace('a', "g")];
    for text in wrong {
        assert_no_key(IdKeys::parse(text).unwrap_err().message());
    }
    for key in [OLD, secret, &OLD.to_uppercase(), &format!("env:{OLD}"), &format!("/run/{OLD}\n")] {
        let bytes = [(0, key.as_bytes().to_vec()), (1, secret.as_bytes().to_vec())];
        let messages = [
            PublicIds::new(key, &keys(NEW)).map(drop),
            PublicIds::with_prefix("order", &keys(NEW), key).map(drop),
            orders(NEW).decode(key).map(drop),
            ScrambledNumbers::new(key, &keys(NEW), Some(7), &Format::new("{number}").unwrap()).map(drop),
            IdKeys::new(bytes).map(drop),
            leafmint::id_keys::from_env(key).map(drop),
            leafmint::id_keys::from_file(key).map(drop),
            IdText::new("public", key, None, None, None).map(drop),
            IdText::new("formatted", "", Some(key), None, None).map(drop),
            IdText::new(key, "order", None, None, None).map(drop),
        ];
        for error in messages.into_iter().filter_map(Result::err) {
            assert_no_key(error.message());
        }
    }
}

#[test]
fn nothing_shows_its_keys_when_printed() {
    let both = keys(&format!("{NEW} {OLD}"));
    let number =
        ScrambledNumbers::new("member", &both, Some(0), &Format::new("{number:6}{check:damm}").unwrap()).unwrap();
    let text = IdText::new("public", "order", None, None, None).unwrap().bind(Some(&both)).unwrap();
    assert_eq!(format!("{both:?}"), "IdKeys([2, 0])");
    let shown = format!("{:?}", PublicIds::with_prefix("order", &both, "o").unwrap());
    assert_eq!(shown, "PublicIds { name: \"order\", prefix: \"o\", keys: [2, 0] }");
    for shown in [format!("{both:#?}"), format!("{number:?}"), format!("{text:?}")] {
        assert_no_key(&shown);
        assert!(!shown.contains("Aes") && !shown.contains("170"), "{shown}");
    }
}
