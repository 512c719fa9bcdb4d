//! Tags with gene bits.

use super::database::{Database, memory};
use leafmint::ErrorKind;
use leafmint::gene::{gene_of_id, gene_of_int};
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use std::collections::HashSet;
use std::time::Duration;

#[test]
fn the_low_bits_of_every_id_are_its_gene() {
    let ids = memory([]);
    ids.create_tag_with("order", NewTagOptions::new().step(10).start(100).gene_bits(4)).unwrap().wait().unwrap();
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    assert_eq!(order.gene_bits(), 4);
    for number in 100..1100 {
        let gene = gene_of_int(number * 7, 4).unwrap();
        let id = order.next_id_with_gene(gene, None).unwrap();
        assert_eq!((id >> 4, gene_of_id(id, 4).unwrap()), (number, gene));
    }
}

#[test]
fn eight_threads_with_genes_never_meet() {
    let ids = memory([("max_step", "3"), ("default_step", "3")]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(2)).unwrap();
    let all: HashSet<i64> = std::thread::scope(|scope| {
        let mint = |gene: i64| {
            let order = order.clone();
            scope
                .spawn(move || (0..5_000).map(|_| order.next_id_with_gene(gene % 4, None).unwrap()).collect::<Vec<_>>())
        };
        let threads: Vec<_> = (0..8).map(mint).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.len(), 40_000);
}

#[test]
fn a_call_without_a_gene_asks_for_one_and_a_gene_that_does_not_fit_is_refused() {
    let ids = memory([]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    for _ in 0..2 {
        let errors = [
            order.next_id().unwrap_err(),
            order.next_id_within(Duration::ZERO).unwrap_err(),
            order.next_id_or_wait(None).err().unwrap(),
            order.try_next_id().unwrap_err(),
            order.next_ids(5).unwrap_err(),
            order.next_range(5).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::InvalidArgument), "{errors:?}");
        assert!(errors.iter().all(|error| error.message().contains("pass a gene")), "{errors:?}");
        for gene in [-1, 16, i64::MAX, i64::MIN] {
            assert_eq!(order.next_id_with_gene(gene, None).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        order.next_id_with_gene(15, None).unwrap();
    }
    assert_eq!(order.next_id_with_gene(0, None).unwrap(), 3 << 4, "what was refused drew no number");
    let raw = ids.biz_tag("raw").unwrap().next_id_with_gene(0, None).unwrap_err();
    assert_eq!(raw.kind(), ErrorKind::InvalidArgument);
    for bits in [-1, 13, i64::MAX] {
        assert_eq!(
            ids.biz_tag_with("x", TagOptions::new().gene_bits(bits)).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
        assert_eq!(
            ids.create_tag_with("x", NewTagOptions::new().step(1).gene_bits(bits)).err().unwrap().kind(),
            ErrorKind::InvalidArgument
        );
    }
    let other = ids.biz_tag_with("order", TagOptions::new().gene_bits(5)).unwrap_err();
    assert_eq!(other.kind(), ErrorKind::InvalidArgument);
    assert!(other.message().contains("gene_bits=4") && other.message().contains('5'), "{other}");
    assert!(ids.biz_tag("order").is_err());
    ids.close().unwrap();
    assert_eq!(order.next_id_with_gene(0, None).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn raw_ids_and_ids_with_genes_never_share_a_tag_whichever_came_first() {
    let database = Database::new();
    let first = database.open([]);
    first.biz_tag("raw").unwrap().next_id().unwrap();
    first.biz_tag_with("gene", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap();
    // Another process, and a restart.
    for _ in 0..2 {
        let other = database.open([]);
        let errors = [
            other.biz_tag_with("raw", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap_err(),
            other.biz_tag("gene").unwrap().next_id().unwrap_err(),
            database
                .open([])
                .biz_tag_with("gene", TagOptions::new().gene_bits(5))
                .unwrap()
                .next_id_with_gene(0, None)
                .unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::InvalidConfig), "{errors:?}");
        assert!(errors[0].message().contains("already used without gene bits"), "{errors:?}");
        first.close().unwrap();
    }
    assert_eq!(database.max_id("raw"), 2, "the refusals wrote nothing");
    assert_eq!(
        database
            .open([])
            .biz_tag_with("gene", TagOptions::new().gene_bits(4))
            .unwrap()
            .next_id_with_gene(9, None)
            .unwrap(),
        2 << 4 | 9
    );
    // Deleting the row of a tag does not free its name for raw ids.
    database.sql("DELETE FROM leaf_alloc");
    assert_eq!(database.open([]).biz_tag("gene").unwrap().next_id().unwrap_err().kind(), ErrorKind::InvalidConfig);
}

#[test]
fn a_missing_tag_with_genes_is_unknown_if_auto_create_is_off() {
    let ids = memory([("auto_create", "false")]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    let error = order.next_id_with_gene(0, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTag);
    assert!(error.message().contains("gene_bits=4"), "{error}");
    ids.create_tag_with("order", NewTagOptions::new().step(10).start(0).gene_bits(4)).unwrap().wait().unwrap();
    assert_eq!(order.next_id_with_gene(5, None).unwrap(), 5);
}

#[test]
fn numbers_whose_ids_would_not_fit_are_exhausted() {
    let ids = memory([]);
    let last = i64::MAX >> 12;
    ids.create_tag_with("order", NewTagOptions::new().step(1).start(last).gene_bits(12)).unwrap().wait().unwrap();
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(12)).unwrap();
    assert_eq!(order.next_id_with_gene(4095, None).unwrap(), i64::MAX);
    assert_eq!(order.next_id_with_gene(0, None).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
}

#[test]
fn an_empty_batch_needs_no_gene_and_ends_with_the_close() {
    let ids = memory([]);
    let tag = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    for order in [&tag, &ids.biz_tag("user").unwrap()] {
        assert_eq!((order.next_ids(0).unwrap(), order.next_range(0).unwrap()), (vec![], 0..0));
    }
    ids.close().unwrap();
    assert_eq!(tag.next_ids(0).unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(tag.next_range(0).unwrap_err().kind(), ErrorKind::Closed);
}
