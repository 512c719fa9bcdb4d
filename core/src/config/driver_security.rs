//! The parameters of a driver's URL that demand security: those of Connector/J, MariaDB's connector and pgjdbc, in any
//! case, and those of libpq and Python's drivers.
//!
//! A session never has less security than they demand.

use crate::config_errors::ConfigErrors;
use crate::store::SslMode;

/// What the parameters of a driver demand.
#[derive(Default)]
pub(super) struct DriverSecurity {
    /// Each parameter as it was written, and the mode that it demands.
    demands: Vec<(String, SslMode)>,
    /// The parameter that names a Java key store.
    key_store: Option<String>,
}

impl DriverSecurity {
    /// Reads a parameter of a JDBC driver. Returns false if it is not about security.
    pub(super) fn read_jdbc(&mut self, name: &str, value: &str, errors: &mut ConfigErrors) -> bool {
        let demanded = match name.to_ascii_lowercase().as_str() {
            "sslmode" => match ssl_mode(value) {
                Some(mode) => Some(mode),
                None => {
                    errors.add(format!(
                        "{name}={value} is none of DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY"
                    ));
                    None
                }
            },
            "usessl" => boolean(name, value, errors).map(|yes| if yes { SslMode::Required } else { SslMode::Disabled }),
            "requiressl" => boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::Required),
            "verifyservercertificate" => boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::VerifyCa),
            // Without TLS, leafmint asks the server for the key to send the password with, and logs in by any way that
            // does not show it.
            "allowpublickeyretrieval" => boolean(name, value, errors).filter(|yes| !*yes).map(|_| SslMode::Required),
            "serverrsapublickeyfile" | "restrictedauth" => Some(SslMode::Required),
            "tlsversions" | "enabledtlsprotocols" | "enabledsslprotocolsuites" => {
                check_versions(name, value, errors);
                Some(SslMode::Required)
            }
            "trustcertificatekeystoreurl" | "truststore" | "serversslcert" => {
                self.key_store = Some(name.to_owned());
                Some(SslMode::VerifyCa)
            }
            _ => return false,
        };
        self.demand(name, value, demanded);
        true
    }

    /// Reads a parameter of a Python driver. Returns false if it is not about security.
    pub(super) fn read_python(&mut self, name: &str, value: &str, errors: &mut ConfigErrors) -> bool {
        let demanded = match name {
            "ssl" => boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::Required),
            "ssl_disabled" => boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::Disabled),
            "ssl_verify_cert" => boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::VerifyCa),
            "ssl_verify_identity" | "ssl_check_hostname" => {
                boolean(name, value, errors).filter(|yes| *yes).map(|_| SslMode::VerifyIdentity)
            }
            _ => return false,
        };
        self.demand(name, value, demanded);
        true
    }

    /// Reads a parameter of a driver of PostgreSQL. Returns false if it is not about security.
    pub(super) fn read_postgres(&mut self, name: &str, value: &str, jdbc: bool, errors: &mut ConfigErrors) -> bool {
        let lower = value.to_ascii_lowercase();
        let demanded = match (name.to_ascii_lowercase().as_str(), lower.as_str()) {
            // pgjdbc then checks the certificate and the name.
            ("ssl", "" | "true" | "1") if jdbc => Some(SslMode::VerifyIdentity),
            ("ssl" | "requiressl", "true" | "1") => Some(SslMode::Required),
            ("ssl" | "requiressl", "false" | "0") => None,
            ("ssl" | "sslmode", _) => match ssl_mode(value) {
                Some(mode) => Some(mode),
                None => {
                    errors.add(format!(
                        "{name}={value} is none of disable, allow, prefer, require, verify-ca, verify-full"
                    ));
                    None
                }
            },
            // The authorities of the system; libpq then checks the name too.
            ("sslrootcert", _) => Some(SslMode::VerifyIdentity),
            ("channel_binding" | "channelbinding", "disable" | "prefer") => None,
            ("channel_binding" | "channelbinding", _) => {
                errors.add(format!(
                    "{name}={value} cannot be demanded: leafmint binds the log-in to the server's certificate if the server can; \
                     set ssl_mode=verify_identity"
                ));
                None
            }
            _ => return false,
        };
        self.demand(name, value, demanded);
        true
    }

    fn demand(&mut self, name: &str, value: &str, mode: Option<SslMode>) {
        self.demands.extend(mode.map(|mode| (format!("{name}={value}"), mode)));
    }

    /// Returns the mode that satisfies every parameter, and the option `ssl_ca` if it is given.
    pub(super) fn ssl_mode(&self, has_ssl_ca: bool, errors: &mut ConfigErrors) -> Option<SslMode> {
        let own = has_ssl_ca.then(|| ("ssl_ca".to_owned(), SslMode::VerifyCa));
        let (name, mode) = self.demands.iter().chain(&own).max_by_key(|(_, mode)| *mode)?;
        let refusing = self.demands.iter().find(|(_, mode)| *mode == SslMode::Disabled);
        if let Some((refusing, _)) = refusing
            && *mode >= SslMode::Required
        {
            errors.add(format!("{refusing} asks for no encryption, and {name} for encryption: keep one of them"));
        }
        Some(*mode)
    }

    /// Refuses a Java key store, unless `ssl_ca` names the authorities as well.
    pub(super) fn check_authorities(&self, has_ssl_ca: bool, errors: &mut ConfigErrors) {
        if let Some(name) = self.key_store.as_ref().filter(|_| !has_ssl_ca) {
            errors.add(format!(
                "the parameter {name} names trusted certificates in a form that leafmint does not read: write them to a PEM file \
                 (keytool -exportcert -rfc) and name it with ssl_ca"
            ));
        }
    }
}

/// Reads Connector/J's names, and those of MariaDB's connector and of libpq.
fn ssl_mode(text: &str) -> Option<SslMode> {
    match text.to_ascii_lowercase().replace('-', "_").as_str() {
        "disabled" | "disable" => Some(SslMode::Disabled),
        "preferred" | "prefer" | "allow" => Some(SslMode::Preferred),
        "required" | "require" | "trust" => Some(SslMode::Required),
        "verify_ca" => Some(SslMode::VerifyCa),
        "verify_identity" | "verify_full" => Some(SslMode::VerifyIdentity),
        _ => None,
    }
}

/// Refuses versions of TLS without 1.2, which the server may choose.
fn check_versions(name: &str, value: &str, errors: &mut ConfigErrors) {
    if !value.split([',', ' ']).any(|version| version.eq_ignore_ascii_case("TLSv1.2")) {
        errors.add(format!(
            "{name}={value} cannot be demanded: leafmint speaks TLS 1.2 and 1.3, as the server chooses: leave it out, and set \
             ssl_mode=verify_identity"
        ));
    }
}

fn boolean(name: &str, value: &str, errors: &mut ConfigErrors) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => {
            errors.add(format!("{name}={value} is neither true nor false"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(parameters: &str, has_ssl_ca: bool) -> Result<Option<SslMode>, String> {
        let (mut jdbc, mut errors) = (DriverSecurity::default(), ConfigErrors::default());
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap();
            assert!(jdbc.read_jdbc(name, value, &mut errors), "{name}");
        }
        let mode = jdbc.ssl_mode(has_ssl_ca, &mut errors);
        jdbc.check_authorities(has_ssl_ca, &mut errors);
        errors.into_result("test").map(|()| mode).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn the_mode_is_the_least_that_satisfies_every_parameter_in_any_case() {
        for (parameters, mode) in [
            ("", None),
            ("sslMode=PREFERRED", Some(SslMode::Preferred)),
            ("SSLMODE=Verify_Identity", Some(SslMode::VerifyIdentity)),
            ("sslMode=verify-full", Some(SslMode::VerifyIdentity)),
            ("useSSL=false", Some(SslMode::Disabled)),
            ("usessl=false&requireSSL=false&verifyServerCertificate=FALSE", Some(SslMode::Disabled)),
            ("useSSL=true", Some(SslMode::Required)),
            ("requireSSL=true", Some(SslMode::Required)),
            ("useSSL=true&requireSSL=true&verifyServerCertificate=false", Some(SslMode::Required)),
            ("requireSSL=true&verifyservercertificate=TRUE", Some(SslMode::VerifyCa)),
            ("sslMode=REQUIRED&verifyServerCertificate=true", Some(SslMode::VerifyCa)),
            ("allowPublicKeyRetrieval=true", None),
            ("allowPublicKeyRetrieval=false", Some(SslMode::Required)),
            ("sslMode=VERIFY_CA&allowPublicKeyRetrieval=false", Some(SslMode::VerifyCa)),
            ("serverRSAPublicKeyFile=key.pem", Some(SslMode::Required)),
            ("restrictedAuth=mysql_native_password", Some(SslMode::Required)),
            ("tlsVersions=TLSv1.2,TLSv1.3", Some(SslMode::Required)),
            ("enabledSslProtocolSuites=TLSv1.2 TLSv1.3", Some(SslMode::Required)),
        ] {
            assert_eq!(asked(parameters, false), Ok(mode), "{parameters}");
        }
        assert_eq!(asked("", true), Ok(Some(SslMode::VerifyCa)));
        assert_eq!(asked("sslMode=VERIFY_IDENTITY", true), Ok(Some(SslMode::VerifyIdentity)));
        assert_eq!(asked("trustCertificateKeyStoreUrl=file:store.jks", true), Ok(Some(SslMode::VerifyCa)));
    }

    #[test]
    fn pythons_drivers_have_names_of_their_own() {
        for (name, value, mode) in [
            ("ssl", "true", Some(SslMode::Required)),
            ("ssl_disabled", "1", Some(SslMode::Disabled)),
            ("ssl_disabled", "false", None),
            ("ssl_verify_cert", "true", Some(SslMode::VerifyCa)),
            ("ssl_verify_identity", "true", Some(SslMode::VerifyIdentity)),
            ("ssl_check_hostname", "true", Some(SslMode::VerifyIdentity)),
            ("ssl_check_hostname", "false", None),
        ] {
            let (mut security, mut errors) = (DriverSecurity::default(), ConfigErrors::default());
            assert!(security.read_python(name, value, &mut errors));
            assert_eq!(security.ssl_mode(false, &mut errors), mode, "{name}={value}");
        }
    }

    #[test]
    fn drivers_of_postgresql_name_modes_as_libpq_does() {
        for (parameters, jdbc, mode) in [
            ("sslmode=disable", false, Some(SslMode::Disabled)),
            ("sslmode=allow", false, Some(SslMode::Preferred)),
            ("sslmode=prefer", true, Some(SslMode::Preferred)),
            ("sslmode=require", false, Some(SslMode::Required)),
            ("sslMode=verify-ca", true, Some(SslMode::VerifyCa)),
            ("sslmode=verify-full&channel_binding=prefer", false, Some(SslMode::VerifyIdentity)),
            ("ssl=verify-full", false, Some(SslMode::VerifyIdentity)),
            ("ssl=true", false, Some(SslMode::Required)),
            ("ssl=true", true, Some(SslMode::VerifyIdentity)),
            ("ssl=false", true, None),
            ("sslrootcert=system", false, Some(SslMode::VerifyIdentity)),
        ] {
            let (mut security, mut errors) = (DriverSecurity::default(), ConfigErrors::default());
            for (name, value) in parameters.split('&').map(|parameter| parameter.split_once('=').unwrap()) {
                assert!(security.read_postgres(name, value, jdbc, &mut errors), "{name}");
            }
            assert_eq!(security.ssl_mode(false, &mut errors), mode, "{parameters}");
            errors.into_result("test").unwrap();
        }
        for (name, value) in [("sslmode", "maybe"), ("channel_binding", "require")] {
            let (mut security, mut errors) = (DriverSecurity::default(), ConfigErrors::default());
            assert!(security.read_postgres(name, value, false, &mut errors));
            assert!(errors.into_result("test").unwrap_err().message().contains(name));
        }
    }

    #[test]
    fn contradictions_and_unreadable_values_are_refused() {
        for (parameters, part) in [
            ("useSSL=false&requireSSL=true", "useSSL=false"),
            ("sslMode=DISABLED&verifyServerCertificate=true", "sslMode=DISABLED"),
            ("sslMode=MAYBE", "sslMode=MAYBE"),
            ("useSSL=perhaps", "useSSL=perhaps"),
            ("trustCertificateKeyStoreUrl=file:store.jks", "ssl_ca"),
            ("TrustStore=store.p12", "ssl_ca"),
            ("useSSL=false&allowPublicKeyRetrieval=false", "allowPublicKeyRetrieval=false"),
            ("sslMode=DISABLED&serverRSAPublicKeyFile=key.pem", "serverRSAPublicKeyFile=key.pem"),
            ("sslMode=DISABLED&restrictedAuth=ed25519", "restrictedAuth=ed25519"),
            ("sslMode=DISABLED&tlsVersions=TLSv1.2", "tlsVersions=TLSv1.2"),
            ("tlsVersions=TLSv1.3", "tlsVersions=TLSv1.3"),
            ("enabledTLSProtocols=TLSv1,TLSv1.1", "enabledTLSProtocols"),
        ] {
            let problem = asked(parameters, false).unwrap_err();
            assert!(problem.contains(part), "{parameters}: {problem}");
        }
        assert!(asked("useSSL=false", true).unwrap_err().contains("ssl_ca"));
    }
}
