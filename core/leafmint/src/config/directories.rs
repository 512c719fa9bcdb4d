//! Reads the directories of lock and state files.

use super::params::Params;
use super::url::Url;
use leafmint_ids::error::ConfigErrors;
use std::path::PathBuf;

/// Reads the directory of a `local:` URL: `local:/dir` is absolute, and `local:dir` relative to the working directory.
/// Two slashes are refused: in other URLs three of them begin a relative path.
pub(super) fn local(url: &Url, errors: &mut ConfigErrors) -> PathBuf {
    let path = url.opaque.clone();
    if path.is_empty() || path == "/" || path.contains('\0') {
        errors.add("write local:/dir for an absolute path, local:dir for a relative one");
    }
    absolute(path, errors)
}

/// Returns the directory of state files: the option, or the user's. `None` if the user has none, or there are to be no
/// files.
pub(super) fn state(params: &Params, errors: &mut ConfigErrors) -> Option<PathBuf> {
    let has_files: bool = params.get("state_files");
    if let Some(text) = params.given::<String>("state_dir") {
        if text.is_empty() || text.contains('\0') {
            errors.add_of("state_dir", format!("state_dir={text:?} is not a directory"));
        }
        if !has_files {
            errors.add_of("state_files", "state_files=false, but state_dir is set: leave one out");
        }
        return Some(absolute(text, errors));
    }
    let home = |variable| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = home("XDG_STATE_HOME").or_else(|| home("HOME").map(|home| home.join(".local/state")));
    user.filter(|_| has_files).map(|user| user.join("leafmint"))
}

fn absolute(path: String, errors: &mut ConfigErrors) -> PathBuf {
    let path = PathBuf::from(path);
    errors.keep(std::path::absolute(&path).map_err(|error| format!("the path {path:?} is not usable: {error}")), path)
}
