//! The boxed future that stores and holders answer with.

use leafmint_ids::error::Result;
use std::future::Future;
use std::pin::Pin;

/// An answer that a store or a holder has yet to give.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;
