//! The arithmetic of ids, for layouts, keys, rules and texts of every kind.

use leafmint::ErrorKind;
use leafmint::format::{CalendarDate, Format, NumberParts};
use leafmint::gene::{gene_of_id, gene_of_int, gene_of_text, with_gene};
use leafmint::layout::{LAYOUT_PRESETS, Layout, LayoutBits, MAX_GENE_BITS};
use leafmint::shard::{ShardRule, ShardStrategy};
use proptest::prelude::*;
use std::time::Duration;

fn layouts() -> impl Strategy<Value = Layout> {
    let bits = (
        1_u32..=47,
        prop_oneof![Just(0_u32), 0_u32..=31],
        1_u32..=31,
        1_u32..=31,
        prop_oneof![Just(0_u32), 0_u32..=12],
    );
    let unit = prop_oneof![Just(1_u64), Just(10), Just(1000), 1..=3_600_000_u64];
    let epoch = prop_oneof![Just(0_i64), Just(1_288_834_974_657), 0..=253_402_300_799_999_i64];
    (bits, unit, epoch).prop_filter_map(
        "a valid layout",
        |((timestamp, datacenter, worker, sequence, gene), unit, epoch)| {
            let bits = LayoutBits { timestamp, datacenter, worker, sequence, gene };
            Layout::new(bits, Duration::from_millis(unit), epoch).ok()
        },
    )
}

fn ones(bits: u32) -> i64 {
    i64::MAX >> (63 - bits)
}

/// Cuts any number down to a number of bits.
fn cut(number: u64, bits: u32) -> i64 {
    (number & ones(bits) as u64) as i64
}

/// Numbers at and around the ends of `i64`, small ones, powers of two, and any.
fn numbers() -> impl Strategy<Value = i64> {
    let ends = prop_oneof![(i64::MAX - 5)..=i64::MAX, i64::MIN..=i64::MIN + 5];
    prop_oneof![any::<i64>(), -5_i64..=70, ends, (0_u32..63).prop_map(|bit| 1 << bit)]
}

fn rules() -> impl Strategy<Value = ShardRule> {
    let strategy = prop::sample::select(ShardStrategy::ALL.to_vec());
    ("[0-9]{1,9}", 1_i64..=9, any::<u32>(), strategy).prop_map(|(code, width, tables, strategy)| {
        let tables = i64::from(tables) % 10_i64.pow(width as u32) + 1;
        ShardRule::with(&code, tables, width, strategy.name()).unwrap()
    })
}

/// A rule, and a text that is one of its numbers, almost one, or any text.
fn rules_and_texts() -> impl Strategy<Value = (ShardRule, String)> {
    let digits = "[0-9]{0,40}";
    (rules(), prop_oneof![any::<String>(), digits, digits.prop_map(|digits| format!("begun{digits}"))])
        .prop_map(|(rule, text)| (rule.clone(), text.replace("begun", rule.business_code())))
}

/// Formats with every kind of field, in several orders.
fn formats() -> impl Strategy<Value = Format> {
    let literal = "(|-|--|/|A|0|INV-|-x-|\\{\\{|号)";
    let number = "\\{number(|:base32|:base36)(|:19|:20)\\}";
    let date = "(|\\{yy\\}|\\{year\\}-\\{month\\}|\\{day\\}\\{month\\}\\{year\\})";
    let rest = ["(|\\{key\\})", date, "(|\\{shard:4\\})", number].map(|part| format!("{literal}{part}{literal}"));
    let check = "(|\\{check:damm\\}|\\{check:luhn\\}|\\{check:mod37_36\\}|\\{check:mod97_10\\})";
    Just(rest)
        .prop_shuffle()
        .prop_flat_map(move |parts| {
            let texts: Vec<_> = parts.iter().map(|part| proptest::string::string_regex(part).unwrap()).collect();
            (texts, proptest::string::string_regex(check).unwrap())
        })
        .prop_filter_map("a format", |(parts, check)| Format::new(&(parts.concat() + &check)).ok())
}

/// A format, and parts that it can write.
fn formats_and_parts() -> impl Strategy<Value = (Format, i64, Option<CalendarDate>, Option<String>, Option<i64>)> {
    let key = "[0-9A-Za-z/~]([!-~]{0,6}[0-9A-Za-z/~])?";
    (formats(), any::<u64>(), 0_u32..63, (2000_i64..=2099, 1_i64..=12, 1_i64..=28), key, 0_i64..10_000).prop_map(
        |(format, number, shift, (year, month, day), key, shard)| {
            let has = |field: &str| format.text().contains(field);
            let part = |field, value| if has(field) { value } else { 1 };
            let date = CalendarDate::new(year, part("{month}", month), part("{day}", day)).unwrap();
            let date = (has("{yy}") || has("{year}")).then_some(date);
            let number = (number >> 1 >> shift) as i64;
            let (key, shard) = (has("{key}").then_some(key), has("{shard").then_some(shard));
            (format, number, date, key, shard)
        },
    )
}

fn layout_texts() -> impl Strategy<Value = String> {
    let field = "(timestamp|datacenter|worker|sequence|gene|unit|epoch):[0-9ms]{0,4}";
    prop_oneof![any::<String>(), prop::collection::vec(field, 1..=6).prop_map(|fields| fields.join(","))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, max_local_rejects: 10_000_000, ..ProptestConfig::default() })]

    #[test]
    fn a_composed_id_decodes_to_its_parts(layout in layouts(), parts in any::<[u64; 5]>()) {
        let bits = layout.bits();
        let widths = [bits.timestamp, bits.datacenter, bits.worker, bits.sequence, bits.gene];
        let [tick, datacenter, worker, sequence, gene]: [i64; 5] = std::array::from_fn(|at| cut(parts[at], widths[at]));
        let id = layout.compose(tick, datacenter, worker, sequence, gene).unwrap();
        prop_assert!((0..=layout.last_id()).contains(&id));
        let decoded = layout.decode(id).unwrap();
        prop_assert_eq!((decoded.id, decoded.datacenter, decoded.worker_id), (id, datacenter, worker));
        prop_assert_eq!((decoded.sequence, decoded.gene), (sequence, gene));
        prop_assert_eq!(decoded.timestamp, layout.epoch() + tick * layout.unit().as_millis() as i64);
        prop_assert_eq!(layout.tick_at(decoded.timestamp), tick);
        let ticket = layout.ticket(tick, sequence);
        prop_assert_eq!(layout.tick_of(ticket), tick);
        prop_assert_eq!(layout.ticket_encoder(datacenter, worker).unwrap().encode(ticket, gene), id);
    }

    #[test]
    fn every_number_is_decoded_or_refused(layout in layouts(), id in numbers()) {
        match layout.decode(id) {
            Ok(parts) => {
                let tick = layout.tick_at(parts.timestamp);
                prop_assert_eq!(layout.compose(tick, parts.datacenter, parts.worker_id, parts.sequence, parts.gene), Ok(id));
            }
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidId);
                prop_assert!(!(0..=layout.last_id()).contains(&id));
            }
        }
    }

    #[test]
    fn a_later_ticket_is_a_higher_id(
        layout in layouts(), ticket in any::<u64>(), worker in any::<u64>(), genes in any::<[u64; 2]>(),
    ) {
        let bits = layout.bits();
        let ticket = cut(ticket, bits.timestamp + bits.sequence);
        let encoder = layout.ticket_encoder(cut(worker >> 32, bits.datacenter), cut(worker, bits.worker)).unwrap();
        let genes = genes.map(|gene| cut(gene, bits.gene));
        if ticket > 0 {
            prop_assert!(encoder.encode(ticket - 1, genes[0]) < encoder.encode(ticket, genes[1]));
        }
    }

    #[test]
    fn the_bounds_bracket_every_id_of_their_tick(layout in layouts(), id in any::<u64>(), within in any::<u64>()) {
        let id = cut(id, layout.bits().total());
        let at = layout.decode(id).unwrap().timestamp + (within % layout.unit().as_millis() as u64) as i64;
        let (least, most) = (layout.min_id(at).unwrap(), layout.max_id(at).unwrap());
        prop_assert!(least <= id && id <= most);
        let start = |id| layout.decode(id).unwrap().timestamp;
        prop_assert!(start(least) == start(id) && start(most) == start(id));
        prop_assert!(least == 0 || start(least - 1) < start(id));
        prop_assert!(most == layout.last_id() || start(most + 1) > at);
    }

    #[test]
    fn times_without_ids_are_refused(layout in layouts(), at in numbers()) {
        let there = (layout.epoch()..layout.runs_out()).contains(&at);
        prop_assert_eq!((layout.min_id(at).is_ok(), layout.max_id(at).is_ok()), (there, there));
        if let Err(error) = layout.min_id(at) {
            prop_assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_named(layout in layouts(), parts in prop::array::uniform5(numbers())) {
        let bits = layout.bits();
        let fits = |at: usize, width: u32| (0..=ones(width)).contains(&parts[at]);
        let rest = fits(1, bits.datacenter) && fits(2, bits.worker) && fits(3, bits.sequence) && fits(4, bits.gene);
        match layout.compose(parts[0], parts[1], parts[2], parts[3], parts[4]) {
            Ok(_) => prop_assert!(rest && fits(0, bits.timestamp)),
            Err(error) if parts[0] > layout.last_tick() => prop_assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted),
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                prop_assert!(!rest || parts[0] < 0);
            }
        }
    }

    #[test]
    fn a_layout_reads_what_it_writes(layout in layouts(), gene in 0_u32..=12) {
        prop_assert_eq!(Layout::parse(&layout.to_string(), Some(layout.epoch())), Ok(layout));
        if let Ok(other) = layout.with_gene_bits(gene) {
            prop_assert_eq!(other.bits().gene, gene);
            prop_assert_eq!((other.last_id(), other.runs_out()), (layout.last_id(), layout.runs_out()));
            prop_assert!(other == layout || other.fingerprint() != layout.fingerprint());
        }
    }

    #[test]
    fn any_bits_make_a_layout_or_a_named_error(
        bits in any::<[u32; 5]>(), small in any::<bool>(), unit in any::<Duration>(), epoch in numbers(), gene in any::<u32>(),
    ) {
        let [timestamp, datacenter, worker, sequence, gene_bits] = if small { bits.map(|bits| bits % 70) } else { bits };
        let bits = LayoutBits { timestamp, datacenter, worker, sequence, gene: gene_bits };
        for unit in [unit, Duration::from_millis(unit.as_secs() % 3_600_002)] {
            let layout = Layout::new(bits, unit, epoch).and_then(|layout| layout.with_gene_bits(gene));
            if let Err(error) = layout {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidConfig);
            }
        }
    }

    #[test]
    fn any_text_is_a_layout_or_a_named_error(text in layout_texts(), epoch in prop::option::of(numbers())) {
        if let Err(error) = Layout::parse(&text, epoch) {
            prop_assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        }
    }

    #[test]
    fn genes_are_remainders(key in numbers(), text in any::<String>(), bits in 1_i64..=MAX_GENE_BITS) {
        let shards = 1_i64 << bits;
        prop_assert_eq!(gene_of_int(key, bits), Ok(key.rem_euclid(shards)));
        prop_assert!((0..shards).contains(&gene_of_text(&text, bits).unwrap()));
    }

    #[test]
    fn a_gene_is_read_back(number in numbers(), gene in numbers(), bits in prop_oneof![1_i64..=MAX_GENE_BITS, numbers()]) {
        let bits_hold = (1..=MAX_GENE_BITS).contains(&bits);
        match with_gene(number, gene, bits) {
            Ok(id) => {
                prop_assert!(bits_hold && id >= 0);
                prop_assert_eq!((id >> bits, gene_of_id(id, bits)), (number, Ok(gene)));
            }
            Err(error) if error.kind() == ErrorKind::IdSpaceExhausted => {
                prop_assert!(i128::from(number) << bits > i128::from(i64::MAX));
            }
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                prop_assert!(!bits_hold || number < 0 || !(0..1 << bits).contains(&gene));
            }
        }
    }

    #[test]
    fn a_number_reads_as_it_was_written(rule in rules(), sequence in 0..=i64::MAX, key in numbers(), text in any::<String>()) {
        let tables = [Some(rule.table_of_int(key)), rule.table_of_text(&text).ok()];
        prop_assert_eq!(tables[1].is_none(), rule.strategy() == ShardStrategy::Mod);
        for table in tables.into_iter().flatten() {
            prop_assert!((0..rule.tables()).contains(&table));
            let number = rule.compose(sequence, table).unwrap();
            prop_assert_eq!((number.sequence(), number.table()), (sequence, table));
            prop_assert_eq!(rule.parse(&number.to_string()), Ok(number));
        }
    }

    #[test]
    fn parts_that_a_rule_does_not_have_are_named(rule in rules(), sequence in numbers(), table in numbers()) {
        let holds = sequence >= 0 && (0..rule.tables()).contains(&table);
        match rule.compose(sequence, table) {
            Ok(_) => prop_assert!(holds),
            Err(error) => prop_assert!(!holds && error.kind() == ErrorKind::InvalidArgument),
        }
    }

    #[test]
    fn a_rule_writes_every_accepted_number_the_same_way((rule, text) in rules_and_texts()) {
        match rule.parse(&text) {
            Ok(number) => prop_assert_eq!(number.to_string(), text),
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::InvalidId),
        }
    }

    #[test]
    fn any_input_makes_a_rule_or_a_named_error(
        code in any::<String>(), strategy in any::<String>(), tables in numbers(), width in numbers(),
    ) {
        for code in [&code, "10"] {
            for strategy in [&strategy, "hash_mod"] {
                if let Err(error) = ShardRule::with(code, tables, width, strategy) {
                    prop_assert_eq!(error.kind(), ErrorKind::InvalidConfig);
                }
            }
        }
    }

    #[test]
    fn a_formatted_number_reads_as_it_was_written(
        (format, number, date, key, shard) in formats_and_parts(), other in any::<u32>(),
    ) {
        let parts = NumberParts { number, date, key: key.as_deref(), shard };
        let text = format.format(&parts).unwrap();
        prop_assert_eq!(format.parse(&text), Ok(parts));
        prop_assert_eq!(format.parse_forgiving(&text), Ok(parts));
        let other = NumberParts { number: number ^ i64::from(other), ..parts };
        prop_assert_eq!(format.format(&other).unwrap() == text, other == parts);
        let small = text.to_ascii_lowercase();
        let forgiven = format.parse_forgiving(&small).unwrap();
        let keeps_its_key = NumberParts { key: forgiven.key, ..parts };
        prop_assert_eq!(forgiven, keeps_its_key);
        prop_assert!(key.is_none() || forgiven.key == key.map(|key| key.to_ascii_lowercase()).as_deref());
    }

    #[test]
    fn hyphens_may_be_left_out_or_added_between_fields(date in (2000_i64..=2099, 1_i64..=12, 1_i64..=28), number in 0_i64..1_000_000) {
        let format = Format::new("INV-{yy}{month}{day}-{number:6}-{check:damm}").unwrap();
        let date = Some(CalendarDate::new(date.0, date.1, date.2).unwrap());
        let parts = NumberParts { number, date, ..NumberParts::default() };
        let text = format.format(&parts).unwrap();
        let bare = text.replace('-', "");
        prop_assert_eq!(format.parse_forgiving(&bare), Ok(parts));
        let dashed = format!("{}-{}--{}-{}-{}-{}-", &bare[..3], &bare[3..5], &bare[5..7], &bare[7..9], &bare[9..15], &bare[15..]);
        prop_assert_eq!(format.parse_forgiving(&dashed), Ok(parts));
    }

    #[test]
    fn a_format_writes_every_accepted_text_the_same_way((format, ..) in formats_and_parts(), text in "[-0-9A-Zo/号]{0,40}") {
        match format.parse(&text) {
            Ok(parts) => prop_assert_eq!(format.format(&parts), Ok(text)),
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::InvalidId),
        }
    }

    #[test]
    fn any_text_is_a_format_or_a_named_error(text in any::<String>(), field in "\\{[a-z]{0,6}(:[a-z0-9_]{0,7}){0,3}\\}") {
        for text in [text.clone(), field.clone(), format!("{text}{field}{{number}}")] {
            if let Err(error) = Format::new(&text) {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidConfig);
            }
        }
    }

    #[test]
    fn damm_luhn_and_mod_97_10_find_every_wrong_digit_and_swap(number in 0_i64..10_i64.pow(18), at in 0_usize..18) {
        for check in ["damm", "luhn", "mod97_10"] {
            let format = Format::new(&format!("{{number:18}}{{check:{check}}}")).unwrap();
            let text = format.format(&NumberParts { number, ..NumberParts::default() }).unwrap();
            for digit in ('0'..='9').filter(|digit| !text[at..].starts_with(*digit)) {
                let wrong = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
                prop_assert!(format.parse(&wrong).is_err(), "{text} {wrong}");
            }
            let pair = &text[at..at + 2];
            let swapped = format!("{}{}{}{}", &text[..at], &pair[1..], &pair[..1], &text[at + 2..]);
            let is_missed = swapped == text || check == "luhn" && matches!(pair, "09" | "90");
            prop_assert_eq!(format.parse(&swapped).is_ok(), is_missed, "{} {}", text, swapped);
        }
    }

    #[test]
    fn mod_37_36_finds_every_wrong_character(number in 0_i64..36_i64.pow(12), at in 0_usize..=12) {
        let format = Format::new("{number:base36:12}{check:mod37_36}").unwrap();
        let text = format.format(&NumberParts { number, ..NumberParts::default() }).unwrap();
        for wrong in ('0'..='9').chain('A'..='Z').filter(|wrong| !text[at..].starts_with(*wrong)) {
            let wrong = format!("{}{wrong}{}", &text[..at], &text[at + 1..]);
            prop_assert!(format.parse(&wrong).is_err(), "{text} {wrong}");
        }
    }
}

#[test]
fn mod_37_36_misses_the_swap_of_one_pair_of_630_after_each_beginning() {
    for first in ('0'..='9').chain('A'..='Z') {
        let format = Format::new(&format!("{first}{{number:base36:2}}{{check:mod37_36}}")).unwrap();
        let (mut pairs, mut missed, mut missed_with_the_check) = (0, 0, 0);
        for number in 0..36 * 36 {
            let text = format.format(&NumberParts { number, ..NumberParts::default() }).unwrap();
            let swapped =
                |at: usize| format!("{}{}{}{}", &text[..at], &text[at + 1..at + 2], &text[at..=at], &text[at + 2..]);
            if text[1..2] < text[2..3] {
                pairs += 1;
                missed += i32::from(format.parse(&swapped(1)).is_ok());
            }
            if text[2..3] < text[3..4] {
                missed_with_the_check += i32::from(format.parse(&swapped(2)).is_ok());
            }
        }
        assert_eq!((pairs, missed, missed_with_the_check), (630, 1, 1), "after {first}");
    }
}

#[test]
fn dates_of_the_years_1_to_9999_are_those_of_the_calendar() {
    let days = (-5..=10_005).map(|year| {
        (0..=13).map(|month| (0..=32).filter(|day| CalendarDate::new(year, month, *day).is_ok()).count()).sum::<usize>()
    });
    // 400 years have 146,097 days, and 24 times that ends with 9600; 399 more years lack the leap day of 10000.
    assert_eq!(days.sum::<usize>(), 25 * 146_097 - 366);
    assert!(CalendarDate::new(2000, 2, 29).is_ok() && CalendarDate::new(1900, 2, 29).is_err());
    for extreme in [i64::MIN, i64::MAX] {
        let made = [(extreme, 1, 1), (1, extreme, 1), (1, 1, extreme)].map(|(y, m, d)| CalendarDate::new(y, m, d));
        assert!(made.iter().all(|made| made.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidArgument)));
    }
}

#[test]
fn the_presets_hold_what_their_documentation_says() {
    for (name, text) in LAYOUT_PRESETS {
        assert_eq!(Layout::parse(name, None), Layout::parse(text, None));
    }
    assert_eq!(Layout::parse("leaf", None), Ok(Layout::default()));
    assert_eq!(Layout::parse("javascript", None).unwrap().last_id(), (1 << 53) - 1);
}

#[test]
fn the_longest_text_of_the_longest_format_is_written_and_read() {
    let fields = "{key}/{year}{month}{day}{shard:9}{number:20}{check:mod97_10}";
    let format = Format::new(&format!("{}{fields}", "x".repeat(200 - fields.len()))).unwrap();
    let (key, date) = ("k".repeat(64), CalendarDate::new(9999, 12, 31).ok());
    let parts = NumberParts { number: i64::MAX, date, key: Some(&key), shard: Some(999_999_999) };
    let text = format.format(&parts).unwrap();
    assert_eq!(format.parse(&text).unwrap(), parts);
    let short = "{key}/{number}";
    let format = Format::new(&format!("{}{short}", "x".repeat(200 - short.len()))).unwrap();
    let parts = NumberParts { date: None, shard: None, ..parts };
    assert_eq!(format.parse(&format.format(&parts).unwrap()).unwrap(), parts);
}
