//! Every pattern of the driver is known, and matches what the crate on crates.io, without Unicode, matches.

use regex::bytes::Regex;
use regex_automata::meta;
use regex_automata::util::syntax;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What texts are made of, so that each pattern matches some of them.
const PIECES: &[&str] = &[
    "5.5.5-",
    "5",
    "10",
    "8",
    "11",
    "123",
    ".",
    "-",
    "-MariaDB",
    "MariaDB",
    ":",
    "12:59:07",
    "838:59:59",
    ".000123",
    " ",
    "\n",
    "é",
    "-----BEGIN PUBLIC KEY-----",
    "-----END PUBLIC KEY-----",
    "-----BEGIN RSA PUBLIC KEY-----",
    "-----END RSA PUBLIC KEY-----",
    "MIIB+/=",
    "2026-11-29",
];
const WHOLE: &[&str] = &[
    "5.5.5-10.11.6-MariaDB-log",
    "11.8.2-MariaDB",
    "8.4.3",
    "12:59:07",
    "12:59:07.5",
    "838:59:59",
    "838:59:59.000001",
    "-----BEGIN PUBLIC KEY-----\nMIIB\nIjAN\n-----END PUBLIC KEY-----\n",
    "-----BEGIN RSA PUBLIC KEY-----\nMIIB\n-----END RSA PUBLIC KEY-----\n",
    "2026-11-29",
    "2026-11-29 12:59:07",
    "2026-11-29 12:59:07.000001",
];

/// Returns the directory of the locked `mysql_common`.
fn driver() -> PathBuf {
    let arguments = ["metadata", "--locked", "--offline", "--format-version", "1"];
    let printed = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    let mut manifests = printed.split("\"manifest_path\":\"").filter_map(|rest| rest.split('"').next());
    let manifest = manifests.find(|path| path.contains("/mysql_common-")).unwrap();
    Path::new(manifest).parent().unwrap().join("src")
}

/// Returns the patterns in the sources below a directory.
fn patterns(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(patterns(&path));
            continue;
        }
        for call in fs::read_to_string(path).unwrap().split("Regex::new(").skip(1) {
            let (before, rest) = call.split_once('"').unwrap();
            assert!(matches!(before.trim(), "" | "r"), "a pattern that is not a literal: {before}");
            let literal = rest.split('"').next().unwrap();
            found.push(literal.split("\\\n").map(str::trim_start).collect());
        }
    }
    found
}

fn groups<'t>(known: &Regex, text: &'t [u8]) -> Vec<&'t [u8]> {
    let found = known.captures(text);
    assert_eq!(found.is_some(), known.is_match(text));
    found.map_or_else(Vec::new, |found| (0..).map_while(|group| found.get(group)).map(|part| part.as_bytes()).collect())
}

fn groups_of_original<'t>(original: &meta::Regex, text: &'t [u8]) -> Vec<&'t [u8]> {
    let mut found = original.create_captures();
    original.captures(text, &mut found);
    found.iter().flatten().map(|span| &text[span.start..span.end]).collect()
}

#[test]
fn each_pattern_of_the_driver_matches_as_the_original_does() {
    let found = patterns(&driver());
    assert!(found.len() >= 8, "{found:?}");
    let mut random = fastrand::Rng::with_seed(7);
    for pattern in found {
        let known = Regex::new(&pattern).unwrap_or_else(|_| panic!("{pattern} has syntax that is not known"));
        let ascii = syntax::Config::new().unicode(false).utf8(false);
        let original = meta::Regex::builder().syntax(ascii).build(&pattern).unwrap();
        let mut matched = 0;
        for round in 0..20_000 {
            let mut text: Vec<u8> =
                if round % 2 == 0 { random.choice(WHOLE).unwrap().as_bytes().to_vec() } else { vec![] };
            for _ in 0..random.usize(..6) {
                text.splice(random.usize(..=text.len()).., random.choice(PIECES).unwrap().bytes());
            }
            if random.bool() && !text.is_empty() {
                let at = random.usize(..text.len());
                text[at] = random.u8(..);
            }
            let expected = groups_of_original(&original, &text);
            assert_eq!(groups(&known, &text), expected, "{pattern} in {:?}", String::from_utf8_lossy(&text));
            matched += usize::from(!expected.is_empty());
        }
        assert!((1..20_000).contains(&matched), "{pattern} matched {matched} times");
    }
}

#[test]
fn other_syntax_is_refused() {
    for pattern in
        ["a|b", "a+", "a?", "a*?", r"\w", r"\s", "[abc]", "[^a]", "(a)+", "((a))", "(?i)a", "(?:a)", "a{12}", "(a", "é"]
    {
        assert!(Regex::new(pattern).is_err(), "{pattern}");
    }
}
