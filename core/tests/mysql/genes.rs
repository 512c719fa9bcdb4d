//! The gene bits of a tag, which are stored in a table next to Leaf's.

use super::accounts::Account;
use super::open;
use crate::stores::{Table, mysql_url, number, runtime, sql};
use leafmint::ErrorKind;
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use mysql_async::prelude::Queryable;
use std::time::Duration;

#[test]
fn a_tag_with_other_gene_bits_is_refused_and_its_row_is_unchanged() {
    let table = Table::missing();
    let ids = open(&table, [("auto_create", "true")]);
    ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap();
    ids.close().unwrap();
    let max_id = number(&format!("SELECT max_id FROM `{table}`"));
    for _ in 0..3 {
        let error = open(&table, []).biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    }
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), max_id);
}

#[test]
fn gene_bits_of_a_leaf_table_are_stored_under_the_name_in_its_row() {
    let table = Table::of_leaf();
    sql(&format!("ALTER TABLE `{table}` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"));
    let ids = open(&table, [("auto_create", "true")]);
    assert_eq!(
        ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(7, None).unwrap(),
        1 << 4 | 7
    );
    // In the collation of this table `Order` is the same tag.
    for (tag, bits) in [("order", 0), ("Order", 0), ("Order", 5)] {
        let other =
            open(&table, [("auto_create", "true")]).biz_tag_with(tag, TagOptions::new().gene_bits(bits)).unwrap();
        let answer = if bits == 0 { other.next_id() } else { other.next_id_with_gene(0, None) };
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::InvalidConfig, "{tag} {bits}");
    }
    assert!(
        open(&table, [])
            .biz_tag_with("Order", TagOptions::new().gene_bits(4))
            .unwrap()
            .next_id_with_gene(7, None)
            .is_ok()
    );
}

#[test]
fn an_account_without_access_to_gene_bits_mints_only_raw_ids() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::on("SELECT, INSERT, UPDATE", &format!("`{table}`"));
    for gene_table_exists in [false, true] {
        if gene_table_exists {
            open(&table, []).init_schema().unwrap().wait().unwrap();
        }
        let ids = open(&table, [("username", &account.0), ("password", "pw"), ("auto_create", "true")]);
        ids.biz_tag("order").unwrap().next_id().unwrap();
        let error =
            ids.biz_tag_with("new", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(&format!("leafmint_gene_{table}")), "{error}");
    }
    assert_eq!(number(&format!("SELECT COUNT(*) FROM `{table}`")), 1);
}

#[test]
fn a_tag_creation_that_loses_the_race_stores_no_gene_bits() {
    let table = Table::of_leaf();
    open(&table, []).init_schema().unwrap().wait().unwrap();
    let runtime = runtime();
    let mut raw = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    runtime.block_on(raw.query_drop("BEGIN")).unwrap();
    runtime.block_on(raw.query_drop(format!("INSERT INTO `{table}` (biz_tag, step) VALUES ('order', 10)"))).unwrap();
    // The creation finds no row, and then waits for the one that is inserted.
    let created = open(&table, []).create_tag_with("order", NewTagOptions::new().step(10).gene_bits(4)).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    runtime.block_on(raw.query_drop("COMMIT")).unwrap();
    let error = created.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert_eq!(number(&format!("SELECT COUNT(*) FROM `leafmint_gene_{table}`")), 0);
    open(&table, []).biz_tag("order").unwrap().next_id().unwrap();
}
