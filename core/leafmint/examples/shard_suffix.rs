//! Shard suffixes: order numbers whose last digits are the table of the order. Run it with
//! `cargo run --release --example shard_suffix`.

use leafmint::{Result, ShardRule};

fn main() -> Result<()> {
    let ids = leafmint::open::segment("memory:", [])?;
    let order = ids.biz_tag("order")?;

    // 1024 tables, chosen by the hash of a key, as ShardingSphere's HASH_MOD does.
    let rule = ShardRule::new("10", 1024)?;
    let table = rule.table_of_text("user-42")?;
    let number = rule.compose(order.next_id()?, table)?.to_string();
    println!("an order of user-42: {number}");

    // A number shows its table without a look at the user.
    let parts = rule.parse(&number)?;
    println!("business code {}, id {}, table {}", parts.business_code(), parts.sequence(), parts.table());
    assert_eq!(parts.table(), rule.table_of_text("user-42")?);
    ids.close()
}
