//! The hash of a server's certificate that a log-in is bound to (`tls-server-end-point`, RFC 5929).

use ring::digest;

/// Returns the hash of a certificate, or `None` if its signature names no hash that is known here.
///
/// The hash is that of the certificate's signature, or SHA-256 if that is MD5 or SHA-1.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let hash = match signature_algorithm(certificate)? {
        // RSA with MD5, SHA-1, SHA-256, SHA-384 and SHA-512.
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last] => match last {
            0x04 | 0x05 | 0x0b => &digest::SHA256,
            0x0c => &digest::SHA384,
            0x0d => &digest::SHA512,
            _ => return None,
        },
        // ECDSA with SHA-1, SHA-256, SHA-384 and SHA-512.
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01] => &digest::SHA256,
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last] => match last {
            0x02 => &digest::SHA256,
            0x03 => &digest::SHA384,
            0x04 => &digest::SHA512,
            _ => return None,
        },
        _ => return None,
    };
    Some(digest::digest(hash, certificate).as_ref().to_vec())
}

/// Returns the identifier of the algorithm that the certificate is signed with: the first part of the second element of
/// the outer sequence.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (outer, _) = element(certificate, 0x30)?;
    let (_, rest) = element(outer, 0x30)?;
    let (algorithm, _) = element(rest, 0x30)?;
    Some(element(algorithm, 0x06)?.0)
}

/// Splits off the first element of an encoding (DER), which has this tag: its content, and what follows it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[first, length], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    (first == tag).then(|| rest.split_at_checked(length)).flatten()
}
