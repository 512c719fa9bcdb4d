//! What TLS asks of a server: as much as the mode says.

use super::settings::{DatabaseSettings, SslMode};
use super::trusted_certificates;
use crate::background::connecting;
use crate::error::{Error, ErrorKind, Result};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::Arc;

/// Returns what an encrypted connection of this mode is made with. Reads the authorities to trust.
pub(crate) async fn config(settings: &DatabaseSettings, mode: SslMode) -> Result<Arc<ClientConfig>> {
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
        Some(path) => {
            connecting().run(move || trusted_certificates::read(&path)).await.map(|authorities| authorities.store)
        }
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
