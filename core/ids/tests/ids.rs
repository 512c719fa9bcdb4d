//! Fuzz targets: layouts, ids, sharded numbers and formats.

use leafmint_fuzz::{assert_refusal, fuzz};
use leafmint_ids::error::ErrorKind;
use leafmint_ids::format::{Format, NumberParts};
use leafmint_ids::gene::{gene_of_id, gene_of_int, gene_of_text, with_gene};
use leafmint_ids::layout::Layout;
use leafmint_ids::shard::ShardRule;

/// Splits an input into its lines; a missing line is empty.
fn lines<const N: usize>(input: &[u8]) -> [String; N] {
    let text = String::from_utf8_lossy(input).into_owned();
    let mut lines = text.splitn(N, '\n').map(str::to_owned);
    std::array::from_fn(|_| lines.next().unwrap_or_default())
}

/// Reads a number of any size; for other text, returns the number of its bytes.
fn number(text: &str) -> i64 {
    text.parse::<i128>().map_or(text.len() as i64, |number| number as i64)
}

#[test]
fn fuzz_layouts() {
    fuzz("layouts", Vec::new(), |input| {
        let [text, epoch] = lines(input);
        match Layout::parse(&text, epoch.parse().ok()) {
            Ok(layout) => {
                assert_eq!(Layout::parse(&layout.to_string(), Some(layout.epoch())), Ok(layout));
                assert!(layout.runs_out() > layout.epoch() && layout.last_id() > 0);
                let last = layout.decode(layout.last_id()).unwrap();
                assert_eq!(layout.tick_at(last.timestamp), layout.last_tick());
                "a layout".to_owned()
            }
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                error.to_string()
            }
        }
    });
}

#[test]
fn fuzz_ids() {
    fuzz("ids", Vec::new(), |input| {
        let [layout, id, bits, gene] = lines(input);
        let layout = Layout::parse(&layout, None).unwrap_or_default();
        let (id, bits, gene_number) = (number(&id), number(&bits), number(&gene));
        let decoded = layout.decode(id);
        match &decoded {
            Ok(parts) => {
                let tick = layout.tick_at(parts.timestamp);
                let again = layout.compose(tick, parts.datacenter, parts.worker_id, parts.sequence, parts.gene);
                assert_eq!(again, Ok(id));
                let (least, most) = (layout.min_id(parts.timestamp).unwrap(), layout.max_id(parts.timestamp).unwrap());
                assert!((least..=most).contains(&id), "{least} {most}");
            }
            Err(error) => assert_refusal(error, &[ErrorKind::InvalidId]),
        }
        if let Err(error) = layout.compose(id, gene_number, bits, id, gene_number) {
            assert_refusal(&error, &[ErrorKind::InvalidArgument, ErrorKind::IdSpaceExhausted]);
        }
        for at in [id, gene_number] {
            for bound in [layout.min_id(at), layout.max_id(at)] {
                bound.err().iter().for_each(|error| assert_refusal(error, &[ErrorKind::InvalidArgument]));
            }
        }
        let with = with_gene(id, gene_number, bits);
        match &with {
            Ok(with) => assert_eq!((gene_of_id(*with, bits), with >> bits), (Ok(gene_number), id)),
            Err(error) => assert_refusal(error, &[ErrorKind::InvalidArgument, ErrorKind::IdSpaceExhausted]),
        }
        match (gene_of_id(id, bits), gene_of_int(id, bits), gene_of_text(&gene, bits)) {
            (Ok(shard), by_int, Ok(by_text)) => {
                assert_eq!(by_int, Ok(shard));
                assert!((0..1 << bits).contains(&shard) && (0..1 << bits).contains(&by_text));
                assert_eq!(with_gene(id >> bits, shard, bits), Ok(id));
            }
            (shard, by_int, by_text) => {
                for error in [shard, by_int, by_text].into_iter().filter_map(Result::err) {
                    assert_refusal(&error, &[ErrorKind::InvalidArgument, ErrorKind::InvalidId]);
                }
            }
        }
        format!("{:?} {:?}", decoded.map(drop), with.map(drop))
    });
}

#[test]
fn fuzz_sharded_numbers() {
    fuzz("sharded", Vec::new(), |input| {
        let [code, tables, width, strategy, text] = lines(input);
        let rule = match ShardRule::with(&code, number(&tables), number(&width), &strategy) {
            Ok(rule) => rule,
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                return error.to_string();
            }
        };
        let tables = 0..rule.tables();
        assert!(tables.contains(&rule.table_of_int(number(&text))));
        match rule.table_of_text(&text) {
            Ok(table) => assert!(tables.contains(&table)),
            Err(error) => assert_refusal(&error, &[ErrorKind::InvalidArgument]),
        }
        match rule.parse(&text) {
            Ok(parsed) => {
                assert_eq!(parsed.to_string(), text);
                assert_eq!(rule.compose(parsed.sequence(), parsed.table()), Ok(parsed));
                "a number".to_owned()
            }
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidId]);
                error.to_string()
            }
        }
    });
}

#[test]
fn fuzz_formats() {
    fuzz("formats", Vec::new(), |input| {
        let [format, number_and_key, text] = lines(input);
        let format = match Format::new(&format) {
            Ok(format) => format,
            Err(error) => {
                assert_refusal(&error, &[ErrorKind::InvalidConfig]);
                return error.to_string();
            }
        };
        let (value, key) = number_and_key.split_once(' ').unwrap_or((&number_and_key, ""));
        let mut parts = NumberParts { number: number(value), ..NumberParts::default() };
        parts.key = format.text().contains("{key}").then_some(key);
        match format.format(&parts) {
            Ok(written) => assert_eq!(format.parse(&written), Ok(parts)),
            Err(error) => assert_refusal(&error, &[ErrorKind::InvalidArgument, ErrorKind::IdSpaceExhausted]),
        }
        match (format.parse_forgiving(&text), format.parse(&text)) {
            (Ok(forgiven), strict) => {
                let written = format.format(&forgiven).unwrap();
                assert_eq!(format.parse(&written), Ok(forgiven));
                assert_eq!(strict.is_ok(), written == text);
                "a number".to_owned()
            }
            (Err(error), strict) => {
                assert_refusal(&error, &[ErrorKind::InvalidId]);
                assert_refusal(&strict.unwrap_err(), &[ErrorKind::InvalidId]);
                error.to_string()
            }
        }
    });
}
