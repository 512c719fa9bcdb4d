//! The tags of a generator, and how it is opened.

use super::database::{create, memory, url};
use crate::stores;
use crate::stores::options;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, OptionValue};
use std::path::Path;

#[test]
fn a_resolved_tag_keeps_its_generator_alive() {
    let order = memory([]).biz_tag("order").unwrap();
    assert_eq!(order.next_ids(3).unwrap(), [1, 2, 3]);
}

#[test]
fn a_tag_without_ids_is_forgotten_with_its_last_handle_and_any_other_is_kept() {
    let ids = memory([("auto_create", "false")]);
    let used = create(&ids, "used", 10);
    assert_eq!(used.next_id().unwrap(), 1);
    drop(used);
    let held = ids.biz_tag("held").unwrap();
    for number in 0..20_000 {
        let name = format!("name {number}");
        let tag = ids.biz_tag(&name).unwrap();
        // Some do not exist: a name may come from a request.
        if number % 100 == 0 {
            assert_eq!(tag.try_next_id().unwrap(), None);
        }
    }
    let stats = ids.stats();
    assert!(stats.tags.len() < 3_000, "{} names are kept", stats.tags.len());
    assert!(ids.stats().tags.iter().any(|(name, stats)| name == "used" && stats.issued == 1));
    assert_eq!(ids.biz_tag("used").unwrap().next_id().unwrap(), 2, "what was in hand is in hand");
    ids.create_tag_with("held", NewTagOptions::new().step(10)).unwrap().wait().unwrap();
    assert_eq!(held.next_id().unwrap(), 1);
    assert_eq!(ids.biz_tag("held").unwrap().next_id().unwrap(), 2, "it is the same tag");
}

#[test]
fn a_list_option_may_hold_tags_with_commas() {
    let tags = OptionValue::List(vec!["a,b".into(), "c".into()]);
    let given = [("eager_tags".to_owned(), tags), ("eager".to_owned(), OptionValue::from("true"))];
    let ids = leafmint::open::segment(&format!("memory://{}", stores::unique("commas")), given).unwrap();
    assert_eq!(ids.stats().tags.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a,b", "c"]);
}

#[test]
fn eager_takes_supply_at_open_or_fails_there() {
    let ids = memory([("eager", "true"), ("eager_tags", "order,user")]);
    let stats = ids.stats();
    assert!(
        stats.tags.len() == 2 && stats.tags.iter().all(|(_, tag)| tag.unused == 1000 && tag.issued == 0),
        "{stats:?}"
    );

    let missing = Path::new("no/such/directory/ids.db");
    let error = leafmint::open::segment(&url(missing), options([("eager", "true")])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("no/such/directory/ids.db"), "{error}");

    let error = leafmint::open::segment(
        "memory:",
        options([("eager", "true"), ("eager_tags", "absent"), ("auto_create", "false")]),
    );
    assert_eq!(error.unwrap_err().kind(), ErrorKind::UnknownTag);
}

#[test]
fn stats_have_the_fields_of_the_vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../tests/vectors/stats.json")).unwrap();
    let names: Vec<&str> = vectors["tag"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, leafmint::segment::TAG_STATS);
}
