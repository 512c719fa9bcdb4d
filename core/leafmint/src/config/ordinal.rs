//! Reads a worker id from the ordinal of a StatefulSet's pod: `web-12` has worker id 12.

use super::params::Params;
use leafmint_engine::holder::Workers;
use leafmint_engine::runtime::process::host_name;

type Parsed<T> = std::result::Result<T, String>;

/// What stands in place of a worker id.
const WORD: &str = "ordinal";

/// Length from which a host name may have been cut off, and its ordinal with it: Kubernetes keeps 63 characters of a
/// pod's name.
const MAY_BE_CUT: usize = 63;

/// Returns whether a worker id is written as `ordinal`.
pub(super) fn is_meant(text: &str) -> bool {
    text == WORD
}

/// Reads the worker id of this pod, or those of all pods for the fleet.
///
/// `instead` is how to write a number in place of `ordinal`.
pub(super) fn read(params: &Params, last: i64, instead: &str) -> Parsed<Workers> {
    let offset = params.up_to("ordinal_offset", last)?;
    if params.of_fleet {
        return Ok([offset..=last].into_iter().collect());
    }
    let source = Source::read(params)?;
    let ordinal = source.ordinal().ok_or_else(|| source.refusal(instead))?;
    ordinal
        .checked_add(offset)
        .filter(|id| (0..=last).contains(id))
        .map(Workers::from)
        .ok_or_else(|| source.too_high(ordinal, offset, last))
}

/// Reports the options of an ordinal where no worker id is written as one.
pub(super) fn refuse_unused(params: &Params) -> Parsed<()> {
    match ["ordinal_env", "ordinal_offset"].into_iter().find(|name| params.has(name)) {
        Some(name) => Err(format!("{name} has no effect here: it needs fixed:ordinal or workers=ordinal")),
        None => Ok(()),
    }
}

/// The text that ends with the ordinal.
struct Source {
    /// The environment variable that holds it; `None` for the host name.
    variable: Option<String>,
    text: String,
}

impl Source {
    fn read(params: &Params) -> Parsed<Self> {
        let Some(variable) = params.given::<String>("ordinal_env") else {
            return Ok(Self { variable: None, text: host_name() });
        };
        if variable.is_empty() || variable.contains(['=', '\0']) {
            return Err(format!("ordinal_env={variable:?} is not the name of an environment variable"));
        }
        match std::env::var_os(&variable) {
            Some(text) => Ok(Self { variable: Some(variable), text: text.to_string_lossy().into_owned() }),
            None => Err(format!(
                "ordinal_env={variable}: the environment variable {variable} is not set: set it from the field \
                 metadata.labels['apps.kubernetes.io/pod-index'] of the pod, or from metadata.name"
            )),
        }
    }

    /// Returns the digits behind the last hyphen; a variable may also be nothing but digits.
    fn digits(&self) -> Option<&str> {
        let digits = match self.text.rsplit_once('-') {
            Some((name, digits)) if !name.is_empty() => digits,
            None if self.variable.is_some() => &self.text,
            _ => return None,
        };
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
    }

    /// Returns the ordinal, `i64::MAX` for one that is larger; `None` if the text is not the name of such a pod.
    fn ordinal(&self) -> Option<i64> {
        let digits = self.digits().filter(|_| self.misleading().is_none())?;
        Some(digits.parse().unwrap_or(i64::MAX))
    }

    /// Says why a number at the end is not an ordinal.
    fn misleading(&self) -> Option<&'static str> {
        let digits = self.digits()?;
        if digits.len() > 1 && digits.starts_with('0') {
            return Some("its number has a leading zero, and an ordinal has none");
        }
        if self.text.len() >= MAY_BE_CUT {
            return Some("it is so long that its end may have been cut off, and with it a part of the ordinal");
        }
        is_address(&self.text).then_some("it is a node's address, as with hostNetwork")
    }

    fn refusal(&self, instead: &str) -> String {
        let why = self.misleading().unwrap_or("it does not end with a hyphen and a number");
        let (or_digits, advice) = match self.variable {
            Some(_) => (", or its ordinal alone", "set the variable"),
            None => ("", "name an environment variable that holds the pod's name or ordinal in ordinal_env"),
        };
        format!(
            "{self} is not the name of a StatefulSet's pod, such as web-12{or_digits}: {why}; {advice}, or write {instead}"
        )
    }

    fn too_high(&self, ordinal: i64, offset: i64, last: i64) -> String {
        let sum = ordinal.checked_add(offset).filter(|_| ordinal < i64::MAX);
        let made = sum.map_or("a number of more than 63 bits".to_owned(), |sum| format!("worker id {sum}"));
        format!(
            "{self} with ordinal_offset={offset} makes {made}, and the layout has those from 0 to {last}: run fewer \
             replicas, lower ordinal_offset, or choose a layout with more worker bits"
        )
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.variable {
            Some(variable) => write!(f, "{variable}={:?}", self.text),
            None => write!(f, "the host name {:?}", self.text),
        }
    }
}

/// Returns whether a name is one that nodes get from their address: `ip-10-0-3-12`.
fn is_address(name: &str) -> bool {
    let Some(numbers) = name.strip_prefix("ip-") else { return false };
    let parts: Vec<&str> = numbers.split('-').collect();
    parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Source {
        Source { variable: None, text: text.to_owned() }
    }

    fn variable(text: &str) -> Source {
        Source { variable: Some("POD".to_owned()), text: text.to_owned() }
    }

    #[test]
    fn a_host_name_ends_with_the_ordinal() {
        for (name, ordinal) in [("web-0", 0), ("web-12", 12), ("ip-10-0-3-12-web-1", 1), ("a--3", 3)] {
            assert_eq!(host(name).ordinal(), Some(ordinal), "{name}");
        }
    }

    #[test]
    fn a_host_name_without_an_ordinal_has_none() {
        for name in ["", "web", "12", "-12", "web-", "web-x", "web-12 ", "web-1.example.org", "web-٣", "web-01"] {
            assert_eq!(host(name).ordinal(), None, "{name}");
            let refusal = host(name).refusal("fixed:N");
            assert!(refusal.contains(&format!("the host name {name:?} is not")), "{refusal}");
            assert!(refusal.contains("ordinal_env") && refusal.contains("fixed:N"), "{refusal}");
        }
    }

    #[test]
    fn a_variable_may_hold_the_ordinal_alone() {
        assert_eq!(variable("12").ordinal(), Some(12));
        assert_eq!(variable("web-12").ordinal(), Some(12));
        assert_eq!(variable("99999999999999999999").ordinal(), Some(i64::MAX));
    }

    #[test]
    fn a_name_that_may_be_cut_off_has_no_ordinal() {
        let (whole, cut) = (format!("{}-12", "w".repeat(59)), format!("{}-1", "w".repeat(61)));
        assert_eq!((whole.len(), host(&whole).ordinal()), (62, Some(12)));
        assert_eq!((cut.len(), host(&cut).ordinal()), (63, None));
        assert!(host(&cut).refusal("fixed:N").contains("cut off"));
    }

    #[test]
    fn the_address_of_a_node_is_no_ordinal() {
        assert_eq!(host("ip-10-0-3-12").ordinal(), None);
        assert_eq!(host("ip-10-0-3-999").ordinal(), Some(999));
    }
}
