//! Java's hash codes, which sharding middleware on the JVM uses.

/// Returns `String.hashCode` of a text: `s[0]*31^(n-1) + ... + s[n-1]` over its UTF-16 units, in wrapping 32-bit
/// arithmetic.
pub(super) fn of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Returns `Long.hashCode` of a number: its upper half xor its lower half.
pub(super) const fn of_int(number: i64) -> i32 {
    (number ^ (number >> 32)) as i32
}
