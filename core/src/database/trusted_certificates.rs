//! Reads the certificates of the authorities to trust from the file that the option `ssl_ca` names.

use crate::error::{Error, ErrorKind, Result};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The bundle of a whole system has a quarter of a megabyte.
const MOST_BYTES: usize = 4 << 20;

/// The authorities to trust.
pub(crate) struct Authorities {
    /// As in the file.
    pub(crate) bytes: Vec<u8>,
    pub(crate) store: RootCertStore,
}

/// Reads the certificates, and checks that each can be used: a driver would panic, or ignore them.
///
/// Raises `store_unavailable` if the file cannot be read now, and `invalid_config` if it holds something else.
pub(crate) fn read(path: &Path) -> Result<Authorities> {
    let named = |kind, problem: &str| Error::new(kind, format!("ssl_ca={} {problem}", path.display()));
    let bytes = read_bounded(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => named(ErrorKind::InvalidConfig, &format!("is not usable: {error}")),
        _ => named(ErrorKind::StoreUnavailable, &format!("could not be read: {error}")),
    })?;
    match check(&bytes) {
        Ok(store) => Ok(Authorities { bytes, store }),
        Err(problem) => {
            Err(named(ErrorKind::InvalidConfig, &format!("{problem}: name a PEM file with the certificates to trust")))
        }
    }
}

/// Reads a regular file, without waiting for anything else: a named pipe would block, a device has no end.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(invalid("not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES {
        return Err(invalid(format!("longer than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

fn check(bytes: &[u8]) -> std::result::Result<RootCertStore, String> {
    let mut authorities = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(bytes) {
        let unreadable = "holds something that cannot be read as PEM";
        let certificate = certificate.map_err(|_| unreadable.to_owned())?;
        authorities.add(certificate).map_err(|error| format!("holds a certificate that cannot be used ({error})"))?;
    }
    // One certificate in binary form is taken as well.
    if authorities.is_empty() && authorities.add(CertificateDer::from(bytes)).is_err() {
        return Err("holds no certificate".to_owned());
    }
    Ok(authorities)
}
