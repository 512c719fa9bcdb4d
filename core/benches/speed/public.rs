//! Public ids and scrambled numbers: against an id.

use crate::hot::{compare, floor, leafmint};
use crate::in_turn::subject;
use leafmint::format::Format;
use leafmint::{IdKeys, PublicIds, ScrambledNumbers, SegmentGenerator};
use std::error::Error;
use std::hint::black_box;

const KEYS: &str = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
const MEMBER: &str = "M-{number:8}-{check:damm}";
const ID: i64 = 42_424_242;
const COLUMN: usize = 1000;

pub(crate) fn run(quick: bool) -> Result<(), Box<dyn Error>> {
    let generator = leafmint::open::segment("memory:?default_step=1000", [])?;
    let tag = generator.biz_tag("hot")?;
    let keys = IdKeys::parse(KEYS)?;
    let orders = PublicIds::new("order", &keys)?;
    let members = ScrambledNumbers::new("member", &keys, None, &Format::new(MEMBER)?)?;
    let (order, member) = (orders.encode(ID)?, members.encode(ID)?);
    let an_id = || floor("an id", "next_id()", subject(|| tag.next_id().expect("an id")));
    compare(
        "public id",
        quick,
        &[
            an_id(),
            leafmint("leafmint, encode", "encode(id)", subject(|| orders.encode(black_box(ID)).expect("a text"))),
            leafmint("leafmint, decode", "decode(text)", subject(|| orders.decode(black_box(&order)).expect("an id"))),
        ],
    );
    compare(
        "scrambled number",
        quick,
        &[
            an_id(),
            leafmint("leafmint, encode", MEMBER, subject(|| members.encode(black_box(ID)).expect("a text"))),
            leafmint("leafmint, decode", MEMBER, subject(|| members.decode(black_box(&member)).expect("an id"))),
        ],
    );
    columns(&orders, &generator, quick)?;
    Ok(generator.close()?)
}

/// Measures columns. They are allocated before, as NumPy does.
fn columns(orders: &PublicIds, generator: &SegmentGenerator, quick: bool) -> Result<(), Box<dyn Error>> {
    let tag = generator.biz_tag("columns")?;
    let ids: Vec<i64> = (0..COLUMN as i64).map(|at| ID + at).collect();
    let mut texts = vec![0; COLUMN * orders.length()];
    orders.encode_column(&ids, &mut texts)?;
    compare(
        "column of 1,000 public ids",
        quick,
        &[
            floor(
                "1,000 ids",
                "next_id()",
                subject(|| {
                    for _ in 0..COLUMN {
                        black_box(tag.next_id().expect("an id"));
                    }
                }),
            ),
            leafmint(
                "leafmint, encode",
                "encode_column(ids)",
                subject(|| {
                    let mut texts = vec![0; COLUMN * orders.length()];
                    orders.encode_column(black_box(&ids), &mut texts).expect("texts");
                    texts
                }),
            ),
            leafmint(
                "leafmint, decode",
                "decode_column(texts)",
                subject(|| {
                    let mut ids = [0; COLUMN];
                    orders.decode_column(black_box(&texts), &mut ids).expect("ids");
                    ids
                }),
            ),
        ],
    );
    Ok(())
}
