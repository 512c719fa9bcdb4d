//! Names of many megabytes are refused without being copied.

use crate::allocations::largest;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, OptionValue};

/// Runs a call on an existing long text, and returns its kind of error, the length of the message, and its largest
/// allocation.
fn refused<T>(call: impl FnOnce() -> leafmint::Result<T>) -> (ErrorKind, usize, usize) {
    let (result, largest) = largest(call);
    let error = result.err().expect("a name of megabytes is refused");
    (error.kind(), error.message().len(), largest)
}

#[test]
fn names_of_ten_megabytes_are_refused_with_a_short_message_and_little_memory() {
    let long = "ü\n".repeat(10 << 20).leak() as &str;
    let open = |scheme: &str, option: &str, value: OptionValue| {
        leafmint::open::segment(&format!("{scheme}://127.0.0.1:1/db"), [(option.to_owned(), value)])
    };
    let mut refusals = Vec::new();
    let ids = leafmint::open::segment("memory://long", []).unwrap();
    let described = NewTagOptions::new().step(1).description(long);
    for (what, refusal) in [
        ("biz_tag", refused(|| ids.biz_tag(long))),
        ("create_tag", refused(|| ids.create_tag_with(long, NewTagOptions::new().step(1)))),
        ("description", refused(|| ids.create_tag_with("order", described))),
    ] {
        assert_eq!(refusal.0, ErrorKind::InvalidArgument, "{what}");
        refusals.push((what, refusal));
    }
    for scheme in ["mysql", "postgresql", "jdbc:postgresql"] {
        let url = format!("{scheme}://{long}@host/db").leak() as &str;
        refusals.push(("url", refused(|| leafmint::open::segment(url, []))));
        refusals.push(("url of snowflakes", refused(|| leafmint::open::snowflake(url, []))));
    }
    let path = format!("postgresql://host/db?options=-c%20search_path={}", "u".repeat(20 << 20)).leak() as &str;
    refusals.push(("search path", refused(|| leafmint::open::segment(path, []))));
    for scheme in ["mysql", "postgresql"] {
        for name in ["table", "username", "password", "ssl_ca", "timeout", "max_step", "eager", "no such option"] {
            let value = OptionValue::from(long.to_owned());
            refusals.push((name, refused(|| open(scheme, name, value))));
        }
    }
    let tags = OptionValue::from(vec![long.to_owned()]);
    refusals.push(("eager_tags", refused(|| open("mysql", "eager_tags", tags))));
    for name in ["namespace", "endpoint", "layout", "workers", "worker_map", "state_dir"] {
        let value = OptionValue::from(long.to_owned());
        refusals.push((name, refused(|| leafmint::open::snowflake("local:x", [(name.to_owned(), value)]))));
    }
    let name = long.to_owned();
    refusals
        .push(("an option's name", refused(|| leafmint::open::segment("memory:", [(name, OptionValue::from("1"))]))));
    for (what, (_, message, largest)) in refusals {
        assert!(message < 10_000, "{what}: a message of {message} bytes");
        assert!(largest < 1 << 20, "{what}: {largest} bytes in one piece");
    }
}
