//! Reads a pattern.

use crate::program::{Class, Program, Step};

/// A pattern has syntax that is not known here.
#[derive(Debug)]
pub struct Unknown;

/// `groups` are those that were opened before.
pub(crate) fn parse(pattern: &str) -> Result<Program, Unknown> {
    if !pattern.is_ascii() {
        return Err(Unknown);
    }
    steps(pattern.as_bytes(), 0)
}

fn steps(mut rest: &[u8], mut groups: usize) -> Result<Program, Unknown> {
    let (mut steps, mut open) = (Vec::new(), None);
    while let [first, tail @ ..] = rest {
        if let Some(optional) = rest.strip_prefix(b"(?:") {
            let end = optional.iter().position(|byte| *byte == b')').ok_or(Unknown)?;
            let (inner, after) = (&optional[..end], optional[end..].strip_prefix(b")?").ok_or(Unknown)?);
            if inner.contains(&b'(') || open.is_some() {
                return Err(Unknown);
            }
            let with = self::steps(&[inner, after].concat(), groups)?;
            let without = self::steps(after, groups)?;
            groups = with.groups;
            steps.push(Step::Either(with, without));
            break;
        }
        match first {
            b'^' => steps.push(Step::Start),
            b'$' => steps.push(Step::End),
            b'(' if open.is_none() && !tail.starts_with(b"?") => {
                groups += 1;
                open = Some(groups);
                steps.push(Step::Open(groups));
            }
            b')' => steps.push(Step::Close(open.take().ok_or(Unknown)?)),
            _ => {
                let (class, after) = class(rest)?;
                let (least, most, after) = bounds(after)?;
                steps.push(Step::Run { class, least, most });
                rest = after;
                continue;
            }
        }
        rest = tail;
        if matches!(rest, [b'*' | b'+' | b'?' | b'{', ..]) {
            return Err(Unknown);
        }
    }
    if open.is_some() { Err(Unknown) } else { Ok(Program { steps, groups }) }
}

fn class(pattern: &[u8]) -> Result<(Class, &[u8]), Unknown> {
    let (is_negated, first, last, rest) = match pattern {
        [b'\\', b'd', rest @ ..] => (false, b'0', b'9', rest),
        [b'\\', b'.', rest @ ..] => (false, b'.', b'.', rest),
        [b'[', b'^', b'-', b']', rest @ ..] => (true, b'-', b'-', rest),
        [b'[', first, b'-', last, b']', rest @ ..] if first.is_ascii_digit() && last.is_ascii_digit() => {
            (false, *first, *last, rest)
        }
        [b'.', rest @ ..] => (true, b'\n', b'\n', rest),
        [byte, rest @ ..] if byte.is_ascii_alphanumeric() || b" -:".contains(byte) => (false, *byte, *byte, rest),
        _ => return Err(Unknown),
    };
    Ok((Class { is_negated, first, last }, rest))
}

/// Reads how often what came before it may come: `*`, `{n}` or `{n,m}`, otherwise once.
fn bounds(pattern: &[u8]) -> Result<(usize, usize, &[u8]), Unknown> {
    match pattern {
        [b'*', b'?' | b'+', ..] | [b'+' | b'?', ..] => Err(Unknown),
        [b'*', rest @ ..] => Ok((0, usize::MAX, rest)),
        [b'{', least, b'}', rest @ ..] if least.is_ascii_digit() => Ok((number(*least), number(*least), rest)),
        [b'{', least, b',', most, b'}', rest @ ..] if least.is_ascii_digit() && most.is_ascii_digit() => {
            Ok((number(*least), number(*most), rest))
        }
        [b'{', ..] => Err(Unknown),
        _ => Ok((1, 1, pattern)),
    }
}

fn number(digit: u8) -> usize {
    usize::from(digit - b'0')
}
