//! The arithmetic of ids against the vectors that all languages share.

use crate::vectors::{Case, cases};
use leafmint::Result;
use leafmint::format::{CalendarDate, Format, NumberParts};
use leafmint::gene::{gene_of_id, gene_of_int, gene_of_text, with_gene};
use leafmint::layout::{DecodedId, Layout, moments_of_span, period_tables};
use leafmint::shard::{ShardRule, ShardStrategy};
use serde_json::Value;
use std::time::{Duration, UNIX_EPOCH};

impl Case {
    fn parse_layout(&self, name: &str) -> Result<Layout> {
        Layout::parse(self.text(name), self.0["epoch"].as_i64())
    }

    fn layout(&self) -> Layout {
        self.parse_layout("layout").unwrap()
    }

    fn rule(&self, strategy: &str) -> Result<ShardRule> {
        ShardRule::with(self.text("business_code"), self.int("tables"), self.int("table_width"), strategy)
    }

    fn format(&self) -> Format {
        Format::new(self.text("format")).unwrap()
    }

    fn number_parts(&self) -> NumberParts<'_> {
        let date = self.0["date"].as_str().map(|date| {
            let fields: Vec<i64> = date.split('-').map(|field| field.parse().unwrap()).collect();
            CalendarDate::new(fields[0], fields[1], fields[2]).unwrap()
        });
        let (key, shard) = (self.0["key"].as_str(), self.0["shard"].as_i64());
        NumberParts { number: self.int("number"), date, key, shard }
    }
}

#[test]
fn layouts_mean_the_same_in_every_language() {
    for case in cases("layouts", "valid") {
        let layout = case.parse_layout("text").unwrap();
        let bits = layout.bits();
        let parts = [
            ("timestamp", bits.timestamp),
            ("datacenter", bits.datacenter),
            ("worker", bits.worker),
            ("sequence", bits.sequence),
            ("gene", bits.gene),
        ];
        for (name, bits) in parts {
            assert_eq!(i64::from(bits), case.int(name), "{name} of {}", case.0);
        }
        assert_eq!(layout.unit().as_millis(), case.int("unit_millis") as u128);
        assert_eq!(layout.fingerprint(), case.text("fingerprint"));
        assert_eq!(layout.last_id(), case.int("last_id"));
        assert_eq!(layout.runs_out(), case.int("runs_out"));
    }
    for case in cases("layouts", "invalid") {
        case.expect_error(&case.parse_layout("text").unwrap_err());
    }
}

#[test]
fn ids_are_composed_and_decoded() {
    for case in cases("decode", "ids") {
        let parts = DecodedId {
            id: case.int("id"),
            timestamp: case.int("timestamp"),
            datacenter: case.int("datacenter"),
            worker_id: case.int("worker_id"),
            sequence: case.int("sequence"),
            gene: case.int("gene"),
        };
        let layout = case.layout();
        assert_eq!(layout.decode(parts.id), Ok(parts));
        let tick = case.int("tick");
        assert_eq!(layout.compose(tick, parts.datacenter, parts.worker_id, parts.sequence, parts.gene), Ok(parts.id));
        assert_eq!((layout.tick_at(parts.timestamp), layout.start_of(tick)), (tick, parts.timestamp));
    }
    for case in cases("decode", "invalid_ids") {
        let error = case.layout().decode(case.int("id")).unwrap_err();
        case.expect_error(&error);
        assert!(error.message().contains(&case.int("id").to_string()), "{error}");
    }
    for case in cases("decode", "invalid_parts") {
        let [tick, datacenter, worker_id] = ["tick", "datacenter", "worker_id"].map(|name| case.int(name));
        let composed = case.layout().compose(tick, datacenter, worker_id, case.int("sequence"), case.int("gene"));
        case.expect_error(&composed.unwrap_err());
    }
}

#[test]
fn range_queries_have_bounds() {
    for case in cases("decode", "ranges").into_iter().chain(cases("decode", "invalid_ranges")) {
        case.expect("min_id", case.layout().min_id(case.int("at")));
        case.expect("max_id", case.layout().max_id(case.int("at")));
    }
}

#[test]
fn spans_of_time_have_ranges_of_ids() {
    for case in cases("spans", "ids") {
        let range = case.layout().id_range(case.int("start"), case.int("end"));
        assert_eq!(range, Ok(case.int("first")..case.int("end_id")), "{}", case.0);
    }
    for case in cases("spans", "invalid_ids") {
        case.expect_error(&case.layout().id_range(case.int("start"), case.int("end")).unwrap_err());
    }
}

fn utc_date(unix_millis: i64) -> CalendarDate {
    let text = humantime::format_rfc3339(UNIX_EPOCH + Duration::from_millis(unix_millis.unsigned_abs())).to_string();
    let mut parts = text[..10].split('-').map(|part| part.parse().unwrap());
    let mut part = || parts.next().unwrap();
    CalendarDate::new(part(), part(), part()).unwrap()
}

#[test]
fn spans_of_time_have_tables() {
    let tables = |case: &Case| {
        let moments = moments_of_span(case.int("start"), case.int("end"))?;
        period_tables(case.text("pattern"), moments.map(|moments| moments.map(utc_date)))
    };
    for case in cases("spans", "tables").into_iter().filter(|case| case.text("zone") == "UTC") {
        assert_eq!(serde_json::json!(tables(&case).unwrap()), case.0["tables"], "{}", case.0);
    }
    for case in cases("spans", "invalid_tables") {
        case.expect_error(&tables(&case).unwrap_err());
    }
}

#[test]
fn genes_are_the_same_in_every_language() {
    for case in cases("genes", "gene_of_int") {
        case.expect("gene", gene_of_int(case.int("key"), case.int("bits")));
    }
    for case in cases("genes", "gene_of_text") {
        case.expect("gene", gene_of_text(case.text("key"), case.int("bits")));
    }
    for case in cases("genes", "with_gene") {
        case.expect("id", with_gene(case.int("number"), case.int("gene"), case.int("bits")));
    }
    for case in cases("genes", "gene_of_id") {
        case.expect("gene", gene_of_id(case.int("id"), case.int("bits")));
    }
}

#[test]
fn keys_find_their_tables() {
    let rule = |case: &Case| ShardRule::with("10", case.int("tables"), 9, case.text("strategy")).unwrap();
    for case in cases("shards", "table_of_text") {
        case.expect("table", rule(&case).table_of_text(case.text("key")));
    }
    for case in cases("shards", "table_of_int") {
        case.expect("table", Ok(rule(&case).table_of_int(case.int("key"))));
    }
}

#[test]
fn numbers_with_a_shard_suffix_are_written_and_read() {
    for case in cases("shards", "numbers") {
        for strategy in ShardStrategy::ALL {
            let rule = case.rule(strategy.name()).unwrap();
            let number = rule.compose(case.int("sequence"), case.int("table")).unwrap();
            assert_eq!(number.to_string(), case.text("text"));
            let parsed = rule.parse(case.text("text")).unwrap();
            assert_eq!(parsed, number);
            assert_eq!((parsed.sequence(), parsed.table()), (case.int("sequence"), case.int("table")));
            assert_eq!(parsed.business_code(), case.text("business_code"));
        }
    }
    for case in cases("shards", "invalid_compose") {
        let rule = case.rule("hash_mod").unwrap();
        case.expect_error(&rule.compose(case.int("sequence"), case.int("table")).unwrap_err());
    }
    for case in cases("shards", "invalid_texts") {
        let text = case.text("text");
        let error = case.rule("hash_mod").unwrap().parse(text).unwrap_err();
        case.expect_error(&error);
        let begin: String = text.chars().take(64).collect();
        assert!(error.message().contains(format!("{begin:?}").trim_end_matches('"')), "{error}");
    }
    for case in cases("shards", "invalid_rules") {
        case.expect_error(&case.rule(case.text("strategy")).unwrap_err());
    }
}

#[test]
fn formatted_numbers_are_written_and_read() {
    for case in cases("formats", "numbers") {
        let (format, parts, text) = (case.format(), case.number_parts(), case.text("text"));
        assert_eq!(format.format(&parts).as_deref(), Ok(text));
        assert_eq!(format.parse(text), Ok(parts), "{}", case.0);
        assert_eq!(format.parse_forgiving(text), Ok(parts), "{}", case.0);
        assert_eq!((format.text(), format.to_string().as_str()), (case.text("format"), case.text("format")));
    }
    for case in cases("formats", "invalid_parts") {
        case.expect_error(&case.format().format(&case.number_parts()).unwrap_err());
    }
}

#[test]
fn texts_that_people_wrote_are_forgiven_if_the_caller_says_so() {
    for case in cases("formats", "forgiven") {
        let (format, text, spelled) = (case.format(), case.text("text"), case.text("spelled"));
        assert!(format.parse(text).is_err(), "{}", case.0);
        let parts = format.parse_forgiving(text).unwrap();
        assert_eq!(format.format(&parts).as_deref(), Ok(spelled));
    }
}

#[test]
fn texts_and_formats_that_are_none_are_refused() {
    for case in cases("formats", "invalid_texts") {
        let (format, text) = (case.format(), case.text("text"));
        case.expect_error(&format.parse(text).unwrap_err());
        if case.0["forgiving"] == Value::Bool(true) {
            case.expect_error(&format.parse_forgiving(text).unwrap_err());
        }
    }
    for case in cases("formats", "invalid_formats") {
        case.expect_error(&Format::new(case.text("format")).unwrap_err());
    }
}
