//! SASL DIGEST-MD5 (RFC 2831), as far as ZooKeeper's servers ask for it: an answer to one challenge, and the check
//! that the server knows the password too.

use crate::sessions::{Failure, Outcome};
use md5::{Digest, Md5};
use std::collections::BTreeMap;

/// The service and the host that every ZooKeeper server expects.
const URI: &str = "zookeeper/zk-sasl-md5";

/// What one log-in is computed from.
pub(super) struct Exchange<'a> {
    user: &'a str,
    password: &'a str,
    realm: String,
    nonce: String,
    /// Drawn for this log-in.
    client_nonce: String,
}

impl<'a> Exchange<'a> {
    /// Reads the server's challenge.
    pub(super) fn of(challenge: &[u8], user: &'a str, password: &'a str, client_nonce: String) -> Outcome<Self> {
        let mut found = directives(challenge)?;
        let nonce = found.remove("nonce").ok_or_else(|| refused("its challenge has no nonce"))?;
        if !found.get("qop").is_none_or(|offered| offered.split(',').any(|kind| kind.trim() == "auth")) {
            return Err(refused("it asks for encryption by SASL: use TLS"));
        }
        if found.get("algorithm").is_none_or(|name| name != "md5-sess") {
            return Err(refused("its challenge names no algorithm md5-sess"));
        }
        Ok(Self { user, password, realm: found.remove("realm").unwrap_or_default(), nonce, client_nonce })
    }

    /// Returns the answer to the challenge.
    pub(super) fn answer(&self) -> String {
        let Self { user, realm, nonce, client_nonce, .. } = self;
        let (user, realm, nonce) = (quoted(user), quoted(realm), quoted(nonce));
        let response = self.proof("AUTHENTICATE");
        format!(
            "charset=utf-8,username={user},realm={realm},nonce={nonce},nc=00000001,cnonce=\"{client_nonce}\",\
             digest-uri=\"{URI}\",maxbuf=65536,response={response},qop=auth"
        )
    }

    /// Checks that the server knows the password.
    pub(super) fn check(&self, answer: &[u8]) -> Outcome<()> {
        match directives(answer)?.get("rspauth") {
            Some(proof) if *proof == self.proof("") => Ok(()),
            _ => Err(refused("it does not know the password itself")),
        }
    }

    fn proof(&self, method: &str) -> String {
        let Self { user, password, realm, nonce, client_nonce } = self;
        let secret = Md5::digest(format!("{user}:{realm}:{password}"));
        let mut first = Md5::new_with_prefix(secret);
        first.update(format!(":{nonce}:{client_nonce}"));
        let second = Md5::digest(format!("{method}:{URI}"));
        let all = format!("{}:{nonce}:00000001:{client_nonce}:auth:{}", hex(&first.finalize()), hex(&second));
        hex(&Md5::digest(all))
    }
}

fn refused(problem: &str) -> Failure {
    Failure::broken(format!("the server cannot be logged in to by SASL: {problem}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Reads `name=value,name="quoted value"`.
fn directives(text: &[u8]) -> Outcome<BTreeMap<String, String>> {
    let malformed = || refused("its challenge is malformed");
    let mut rest = std::str::from_utf8(text).map_err(|_| malformed())?;
    let mut found = BTreeMap::new();
    while !rest.trim_start_matches([',', ' ']).is_empty() {
        let (name, behind) = rest.trim_start_matches([',', ' ']).split_once('=').ok_or_else(malformed)?;
        let (value, behind) = match behind.strip_prefix('"') {
            Some(inside) => unquote(inside).ok_or_else(malformed)?,
            None => {
                let end = behind.find(',').unwrap_or(behind.len());
                (behind[..end].to_owned(), &behind[end..])
            }
        };
        found.insert(name.trim().to_owned(), value);
        rest = behind;
    }
    Ok(found)
}

/// Reads up to the closing quote. Returns the value, and what is behind it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(letters.next()?.1),
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &[u8] =
        br#"realm="zk-sasl-md5",nonce="OA6MG9tEQGm2hh",qop="auth",charset=utf-8,algorithm=md5-sess"#;

    fn exchange() -> Exchange<'static> {
        Exchange::of(CHALLENGE, "super", "adminsecret", "OA6MHXh6VqTrRk".into()).ok().unwrap()
    }

    #[test]
    fn a_server_that_knows_the_password_is_believed_and_no_other() {
        let proof = exchange().proof("");
        assert!(exchange().check(format!("rspauth={proof}").as_bytes()).is_ok());
        assert!(exchange().check(b"rspauth=0123").is_err() && exchange().check(b"").is_err());
        let other = Exchange { password: "other", ..exchange() };
        assert!(other.check(format!("rspauth={proof}").as_bytes()).is_err());
    }

    #[test]
    fn quotes_in_a_name_are_escaped() {
        let exchange = Exchange { user: "a\"b\\c", ..exchange() };
        assert!(exchange.answer().contains(r#"username="a\"b\\c""#), "{}", exchange.answer());
    }

    #[test]
    fn a_challenge_that_asks_for_more_is_refused() {
        for challenge in [
            &br#"nonce="n",qop="auth-conf",algorithm=md5-sess"#[..],
            br#"realm="r",algorithm=md5-sess"#,
            br#"nonce="n",algorithm=sha"#,
            br#"nonce="n"#,
            b"nonce",
            b"\xff",
        ] {
            assert!(Exchange::of(challenge, "u", "p", String::new()).is_err());
        }
    }
}
