//! Work on a session: a closure that sends statements, and returns what the answers mean.

use super::failure::Outcome;
use std::marker::PhantomData;
use std::pin::Pin;

/// Work on a session of one kind of database. It may be done again on another session.
///
/// Call sites write `|session, _| Box::pin(…)`. An async closure would do, if a bound could say that its future is
/// `Send`.
pub(crate) trait Work<'env, Session, T>:
    for<'s> Fn(&'s mut Session, Within<'s, 'env>) -> Answering<'s, T> + Send + Sync
{
}

impl<'env, Session, T, W> Work<'env, Session, T> for W where
    W: for<'s> Fn(&'s mut Session, Within<'s, 'env>) -> Answering<'s, T> + Send + Sync
{
}

/// Work that is under way on a session.
pub(crate) type Answering<'s, T> = Pin<Box<dyn Future<Output = Outcome<T>> + Send + 's>>;

/// What the work borrows outlives its use of the session.
pub(crate) type Within<'s, 'env> = PhantomData<&'s &'env ()>;
