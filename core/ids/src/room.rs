//! Memory for what is as long as a caller chooses: the only way to allocate that. A vector that finds no memory ends
//! the process; here the call fails, before it has taken a number.

use crate::error::{Error, ErrorKind, Reason, Result};
use std::hint::black_box;

/// A shorter answer is not judged by [`check`]: a process without memory for it cannot go on anyway.
const JUDGED: usize = 1 << 20;

/// Returns an empty vector with room for `count` values.
///
/// Raises `invalid_argument` with the reason `out_of_memory`, as does everything here.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| out_of_memory(count, size_of::<T>()))?;
    Ok(values)
}

/// Returns `count` zeros.
pub fn zeros<T: Copy + Default>(count: usize) -> Result<Vec<T>> {
    let mut values = room(count)?;
    values.resize(count, T::default());
    Ok(values)
}

/// Collects values.
pub fn all<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut collected = room(values.len())?;
    collected.extend(values);
    Ok(collected)
}

/// Adds a value to a vector that grows.
pub fn push<T>(values: &mut Vec<T>, value: T) -> Result<()> {
    let count = values.len() + 1;
    values.try_reserve(1).map_err(|_| out_of_memory(count, size_of::<T>()))?;
    values.push(value);
    Ok(())
}

/// Adds values to a vector that grows.
pub fn extend<T: Copy>(values: &mut Vec<T>, more: &[T]) -> Result<()> {
    let count = values.len() + more.len();
    values.try_reserve(more.len()).map_err(|_| out_of_memory(count, size_of::<T>()))?;
    values.extend_from_slice(more);
    Ok(())
}

/// Checks that there is memory for `count` values of `size` bytes that another language will allocate, one by one or as
/// a whole.
pub fn check(count: usize, size: usize) -> Result<()> {
    let bytes = count.saturating_mul(size);
    if bytes >= JUDGED {
        let memory = room::<u8>(bytes).map_err(|_| out_of_memory(count, size))?;
        // The compiler leaves out an allocation that is not used.
        black_box(memory);
    }
    Ok(())
}

/// Makes the error of `count` values of `size` bytes for which there is no memory.
#[cold]
pub fn out_of_memory(count: usize, size: usize) -> Error {
    let text =
        format!("there is no memory for {count} values of {size} bytes at once: ask for fewer, in several calls");
    Error::new(ErrorKind::InvalidArgument, text).because(Reason::OutOfMemory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_can_hold_is_refused_by_a_reason() {
        const COUNT: usize = usize::MAX / 8;
        let refused = |error: Error| (error.kind(), error.reason());
        let expected = (ErrorKind::InvalidArgument, Some(Reason::OutOfMemory));
        assert_eq!(room::<u64>(COUNT).map_err(refused), Err(expected));
        assert_eq!(zeros::<u64>(COUNT).map_err(refused), Err(expected));
        assert_eq!(all(std::iter::repeat_n(7_u64, COUNT)).map_err(refused), Err(expected));
        for (count, size) in [(COUNT, 8), (usize::MAX, 40)] {
            let error = check(count, size).unwrap_err();
            assert!(error.message().contains(&format!("{count} values of {size} bytes")), "{error}");
            assert_eq!(refused(error), expected);
        }
    }

    #[test]
    fn what_there_is_memory_for_is_there() {
        assert_eq!(all([3, 4].into_iter()), Ok(vec![3, 4]));
        assert_eq!(zeros(2), Ok(vec![0_u8, 0]));
        let mut values = room(1).unwrap();
        push(&mut values, 5).unwrap();
        push(&mut values, 6).unwrap();
        assert_eq!(values, [5, 6]);
        assert_eq!([check(0, 8), check(JUDGED, 1)], [Ok(()), Ok(())]);
    }
}
