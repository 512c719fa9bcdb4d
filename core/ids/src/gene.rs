//! Genes: the shard that a record belongs to, carried in the low bits of its id.

use crate::error::{Result, exhausted, invalid_argument, invalid_id};
use crate::layout::{MAX_GENE_BITS, ones};
use crate::shard::hash_of_text;

/// Returns the gene of a number: `key mod 2^bits`, from 0 to 2^bits - 1 for negative keys too.
///
/// Raises `invalid_argument` if `bits` is not 1 to 12.
///
/// ```
/// use leafmint_ids::gene::gene_of_int;
/// assert_eq!(gene_of_int(1_000_003, 4)?, 3);
/// assert_eq!(gene_of_int(-1, 4)?, 15);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
pub fn gene_of_int(key: i64, bits: i64) -> Result<i64> {
    // In two's complement the low bits of a negative number are its floored remainder.
    Ok(key & mask(bits)?)
}

/// Returns the gene of a text: its hash mod 2^bits, from 0 to 2^bits - 1.
///
/// The hash is Java's `String.hashCode`, over UTF-16 units, so a JVM service computes the same gene with
/// `Math.floorMod(key.hashCode(), 1 << bits)`. Raises `invalid_argument` if
/// `bits` is not 1 to 12.
///
/// ```
/// assert_eq!(leafmint_ids::gene::gene_of_text("user-45", 4)?, 3);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
pub fn gene_of_text(key: &str, bits: i64) -> Result<i64> {
    gene_of_int(hash_of_text(key).into(), bits)
}

/// Returns the gene that an id carries in its low bits.
///
/// Raises `invalid_argument` if `bits` is not 1 to 12, and `invalid_id` for a negative id.
///
/// ```
/// assert_eq!(leafmint_ids::gene::gene_of_id(1613, 4)?, 13);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
pub fn gene_of_id(id: i64, bits: i64) -> Result<i64> {
    let mask = mask(bits)?;
    if id < 0 {
        return Err(invalid_id(format!("{id} is not an id: it is negative")));
    }
    Ok(id & mask)
}

/// Returns the id of a number of segment mode with a gene: `number << bits | gene`.
///
/// Raises `invalid_argument` if `bits` is not 1 to 12, the gene does not fit them or the number is negative, and
/// `id_space_exhausted` if the id would not fit 63 bits.
///
/// ```
/// let id = leafmint_ids::gene::with_gene(100, 13, 4)?;
/// assert_eq!((id, leafmint_ids::gene::gene_of_id(id, 4)?), (1613, 13));
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[inline]
pub fn with_gene(number: i64, gene: i64, bits: i64) -> Result<i64> {
    match join(number, gene, bits) {
        Some(id) => Ok(id),
        None => refuse(number, gene, bits),
    }
}

/// Does the same as [`with_gene`], with `None` for what does not fit.
#[inline]
pub fn join(number: i64, gene: i64, bits: i64) -> Option<i64> {
    let fits = (1..=MAX_GENE_BITS).contains(&bits) && gene >> bits == 0 && (0..=i64::MAX >> bits).contains(&number);
    fits.then(|| number << bits | gene)
}

#[cold]
fn refuse(number: i64, gene: i64, bits: i64) -> Result<i64> {
    let mask = mask(bits)?;
    if !(0..=mask).contains(&gene) {
        return Err(invalid_argument(format!("gene={gene} is not from 0 to {mask} ({bits} bits)")));
    }
    if number < 0 {
        return Err(invalid_argument(format!("number={number} is negative")));
    }
    Err(exhausted(format!("number={number} with {bits} gene bits does not fit the 63 bits of an id")))
}

fn mask(bits: i64) -> Result<i64> {
    if !(1..=MAX_GENE_BITS).contains(&bits) {
        return Err(invalid_argument(format!("gene_bits={bits} is not from 1 to {MAX_GENE_BITS}")));
    }
    Ok(ones(bits as u32))
}
