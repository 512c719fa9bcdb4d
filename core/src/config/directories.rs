//! Reads the directories of lock and state files.

use super::params::Params;
use super::url::Url;
use crate::config_errors::ConfigErrors;
use std::path::PathBuf;

/// Reads the directory of a `local:` URL: `local:///dir` is absolute, as in a file URL, and `local:dir` relative to the
/// working directory.
pub(super) fn local(url: &Url, errors: &mut ConfigErrors) -> PathBuf {
    let path = if url.opaque.is_empty() { format!("/{}", url.path) } else { url.opaque.clone() };
    if !url.hosts.is_empty() || path == "/" || path.contains('\0') {
        errors.add("write local:///dir for an absolute path, local:dir for a relative one");
    }
    absolute(path, errors)
}

/// Returns the directory of state files: the option, or the user's. `None` if the user has none, or the option is
/// `none`.
pub(super) fn state(params: &Params, errors: &mut ConfigErrors) -> Option<PathBuf> {
    if let Some(text) = params.given::<String>("state_dir") {
        if text.is_empty() || text.contains('\0') {
            errors.add_of("state_dir", format!("state_dir={text:?} is not a directory"));
        }
        return (text != "none").then(|| absolute(text, errors));
    }
    let home = |variable| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = home("XDG_STATE_HOME").or_else(|| home("HOME").map(|home| home.join(".local/state")));
    user.map(|user| user.join("leafmint"))
}

fn absolute(path: String, errors: &mut ConfigErrors) -> PathBuf {
    let path = PathBuf::from(path);
    errors.keep(std::path::absolute(&path).map_err(|error| format!("the path {path:?} is not usable: {error}")), path)
}
