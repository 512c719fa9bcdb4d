//! Refuses a server that asks for the password itself on a connection that anybody may have answered.

use std::io;

/// The message by which a server asks for the password in clear text.
const REQUEST: [u8; 9] = *b"R\0\0\0\x08\0\0\0\x03";

/// The answer of a server without TLS to the request to encrypt, which comes before its first message.
const NO_TLS: u8 = b'N';

/// Reads along until the first message shows how the server wants to be logged in to.
pub(super) struct ClearText {
    /// `None` once the message is known to be another one, or any is allowed.
    matched: Option<usize>,
}

impl ClearText {
    pub(super) fn allowed() -> Self {
        Self { matched: None }
    }

    pub(super) fn refused() -> Self {
        Self { matched: Some(0) }
    }

    /// Takes in bytes that the server sent, before the driver sees them.
    pub(super) fn read(&mut self, bytes: &[u8]) -> io::Result<()> {
        for byte in bytes {
            let Some(matched) = self.matched else { return Ok(()) };
            match *byte == REQUEST[matched] {
                true if matched + 1 == REQUEST.len() => {
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, TEXT));
                }
                true => self.matched = Some(matched + 1),
                false if matched == 0 && *byte == NO_TLS => {}
                false => self.matched = None,
            }
        }
        Ok(())
    }
}

const TEXT: &str = "the server asks for the password in clear text, and nothing shows that it is the right server: set \
                    ssl_mode=verify_identity or verify_ca";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_found_however_it_is_cut_and_no_other_message_is() {
        for sent in [&b"R\0\0\0\x08\0\0\0\x03"[..], b"NR\0\0\0\x08\0\0\0\x03"] {
            let mut guard = ClearText::refused();
            let answers: Vec<bool> = sent.chunks(1).map(|byte| guard.read(byte).is_ok()).collect();
            assert_eq!(answers.iter().position(|is_ok| !is_ok), Some(sent.len() - 1));
            assert!(ClearText::refused().read(sent).is_err() && ClearText::allowed().read(sent).is_ok());
        }
        for sent in [&b"R\0\0\0\x08\0\0\0\0R\0\0\0\x08\0\0\0\x03"[..], b"R\0\0\0\x0c\0\0\0\x05salt", b"", b"E"] {
            assert!(ClearText::refused().read(sent).is_ok(), "{sent:?}");
        }
    }
}
