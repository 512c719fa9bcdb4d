//! Answers as `LendingAnswer.java` writes them: numbers in big-endian order, texts in UTF-8 after their length, which
//! is -1 for `null`.

use leafmint::binding::borrowed::{Answer, Connected, DriverError, Ran};

/// Reads an answer.
///
/// # Panics
///
/// If Java has written something else.
pub(super) fn read(bytes: &[u8]) -> Result<Answer, DriverError> {
    let mut reader = Reader(bytes);
    match reader.byte() {
        b'c' => {
            let (product, version) = (reader.text(), reader.text());
            Ok(Answer::Connected(Connected { product, version, is_shared: reader.flag() }))
        }
        b'r' => Ok(Answer::Ran(reader.results())),
        b'e' => Err(reader.error()),
        b'.' => Ok(Answer::Ended),
        other => panic!("no answer begins with {other}"),
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().expect("the answer goes on");
        self.0 = rest;
        *head
    }

    fn byte(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    fn flag(&mut self) -> bool {
        self.byte() != 0
    }

    fn number(&mut self) -> i32 {
        i32::from_be_bytes(self.bytes())
    }

    fn optional(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()).ok()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn text(&mut self) -> String {
        self.optional().unwrap_or_default()
    }

    fn results(&mut self) -> Vec<Result<Ran, DriverError>> {
        (0..self.number()).map(|_| self.result()).collect()
    }

    fn result(&mut self) -> Result<Ran, DriverError> {
        match self.byte() {
            b'r' => {
                let (columns, rows) = (self.number(), self.number());
                Ok(Ran::Rows((0..rows).map(|_| (0..columns).map(|_| self.optional()).collect()).collect()))
            }
            b'n' => Ok(Ran::Changed(u64::from_be_bytes(self.bytes()))),
            b'e' => Err(self.error()),
            other => panic!("no result begins with {other}"),
        }
    }

    fn error(&mut self) -> DriverError {
        let number = self.flag().then(|| self.number());
        let state = self.optional();
        DriverError { number, state, text: self.text(), is_lost: self.flag() }
    }
}
