//! What TLS asks of a server: as much as the mode says. The file that the option `ssl_ca` names has the authorities to
//! trust.

use super::settings::{DatabaseSettings, SslMode};
use leafmint_engine::runtime::background::connecting;
use leafmint_ids::error::{Error, ErrorKind, Result};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

/// Returns what an encrypted connection of this mode is made with. Reads the authorities to trust.
pub async fn config(settings: &DatabaseSettings, mode: SslMode) -> Result<Arc<ClientConfig>> {
    let provider = Arc::new(ring::default_provider());
    let failed = |error: &dyn std::fmt::Display| Error::new(ErrorKind::StoreUnavailable, format!("TLS: {error}"));
    let by_authority = match mode {
        SslMode::VerifyCa | SslMode::VerifyIdentity => {
            let roots = Arc::new(roots(settings).await?);
            let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider.clone());
            Some(verifier.build().map_err(|error| failed(&error))?)
        }
        _ => None,
    };
    let verifier = Verifier { provider: provider.clone(), by_authority, any_name: mode < SslMode::VerifyIdentity };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| failed(&error))?.dangerous();
    Ok(Arc::new(builder.with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()))
}

async fn roots(settings: &DatabaseSettings) -> Result<RootCertStore> {
    match settings.ssl_ca.clone() {
        Some(path) => connecting().run(move || read_authorities(&path)).await.map(|authorities| authorities.store),
        None => Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }),
    }
}

/// Checks as much of the server's certificate as the mode asks for.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    /// `None` if any certificate will do.
    by_authority: Option<Arc<WebPkiServerVerifier>>,
    /// The authority counts, not the name.
    any_name: bool,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, rustls::Error> {
        let Some(verifier) = &self.by_authority else { return Ok(ServerCertVerified::assertion()) };
        match verifier.verify_server_cert(certificate, others, name, ocsp, now) {
            // The name is checked last.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.any_name => Ok(ServerCertVerified::assertion()),
            answer => answer,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// The bundle of a whole system has a quarter of a megabyte.
const MOST_BYTES: usize = 4 << 20;

/// The authorities to trust.
pub struct Authorities {
    /// As in the file.
    pub bytes: Vec<u8>,
    pub store: RootCertStore,
}

/// Reads the certificates, and checks that each can be used: a driver would panic, or ignore them.
///
/// Raises `store_unavailable` if the file cannot be read now, and `invalid_config` if it holds something else.
pub fn read_authorities(path: &Path) -> Result<Authorities> {
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
