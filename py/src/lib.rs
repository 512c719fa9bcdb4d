#[allow(missing_docs)]
pub fn placeholder() {}
