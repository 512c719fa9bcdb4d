//! The one place that throws.

use jni::errors::ErrorPolicy;
use jni::strings::{JNIStr, JNIString};
use jni::sys::jlong;
use jni::{Env, EnvUnowned, jni_str};
use leafmint::ErrorKind;
use leafmint::binding::{panics, printable};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a native did not come to an answer.
pub(crate) enum Failure {
    /// The core refused.
    Core(leafmint::Error),
    /// The virtual machine did.
    Jni(jni::errors::Error),
}

impl From<leafmint::Error> for Failure {
    fn from(error: leafmint::Error) -> Self {
        Failure::Core(error)
    }
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        Failure::Jni(error)
    }
}

/// Runs a native. What it fails with, a panic included, is thrown in Java.
pub(crate) fn call<'local, T: Default>(
    mut env: EnvUnowned<'local>,
    work: impl FnOnce(&mut Env<'local>) -> Result<T, Failure>,
) -> T {
    env.with_env(work).resolve::<Throw>()
}

/// Names the Java class of each kind. A new kind does not compile until it has one.
fn class_name(kind: ErrorKind) -> &'static JNIStr {
    match kind {
        ErrorKind::InvalidConfig => jni_str!("io/github/leafmint/InvalidConfigException"),
        ErrorKind::InvalidArgument => jni_str!("io/github/leafmint/InvalidArgumentException"),
        ErrorKind::UnknownTag => jni_str!("io/github/leafmint/UnknownTagException"),
        ErrorKind::SegmentUnavailable => jni_str!("io/github/leafmint/SegmentUnavailableException"),
        ErrorKind::StoreUnavailable => jni_str!("io/github/leafmint/StoreUnavailableException"),
        ErrorKind::StoreRegressed => jni_str!("io/github/leafmint/StoreRegressedException"),
        ErrorKind::WorkerIdUnavailable => jni_str!("io/github/leafmint/WorkerIdUnavailableException"),
        ErrorKind::LeaseLost => jni_str!("io/github/leafmint/LeaseLostException"),
        ErrorKind::ClockMovedBackwards => jni_str!("io/github/leafmint/ClockMovedBackwardsException"),
        ErrorKind::IdSpaceExhausted => jni_str!("io/github/leafmint/IdSpaceExhaustedException"),
        ErrorKind::RateExceeded => jni_str!("io/github/leafmint/RateExceededException"),
        ErrorKind::InvalidId => jni_str!("io/github/leafmint/InvalidIdException"),
        ErrorKind::Closed => jni_str!("io/github/leafmint/ClosedException"),
    }
}

/// For panics and for what must not happen.
const BUG: &JNIStr = jni_str!("java/lang/IllegalStateException");

/// Loads every class once: later the JAR may be closed. No reference is kept, since it would keep the class loader.
pub(crate) fn load_classes(env: &mut Env<'_>) -> jni::errors::Result<()> {
    for kind in ErrorKind::ALL {
        let class = env.find_class(class_name(kind))?;
        env.delete_local_ref(class);
    }
    Ok(())
}

/// The policy of [`call`].
struct Throw;

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'env: 'native, 'native> = ();

    fn on_error<'env: 'native, 'native>(env: &mut Env<'env>, _: &mut (), failure: Failure) -> jni::errors::Result<T> {
        match failure {
            Failure::Core(error) => throw(env, Some(error.kind()), error.message()),
            // Thrown by the virtual machine itself: it goes on its way.
            Failure::Jni(jni::errors::Error::JavaException) => {}
            Failure::Jni(error) => {
                throw(env, None, &printable(format!("leafmint could not talk to the virtual machine: {error}")))
            }
        }
        Ok(T::default())
    }

    fn on_panic<'env: 'native, 'native>(env: &mut Env<'env>, _: &mut (), payload: Box<dyn Any + Send>) -> jni::errors::Result<T> {
        throw(env, None, &panics::message_of(payload));
        Ok(T::default())
    }
}

fn throw(env: &mut Env<'_>, kind: Option<ErrorKind>, message: &str) {
    // The class loader that is asked is that of the native's class, whatever the caller's is.
    let Ok(class) = env.find_class(kind.map_or(BUG, class_name)) else { return };
    // The answer is always an error: it says that an exception is pending now.
    let _ = env.throw_new(class, JNIString::new(message));
}

/// Runs a native that answers with a number, without an [`Env`] unless it fails: then it throws, and the answer means nothing.
#[inline(always)]
pub(crate) fn quick(env: *mut jni::sys::JNIEnv, work: impl FnOnce() -> leafmint::Result<jlong>) -> jlong {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(answer)) => return answer,
        Ok(Err(error)) => fail(env, Ok(error)),
        Err(payload) => fail(env, Err(payload)),
    }
    0
}

#[cold]
fn fail(env: *mut jni::sys::JNIEnv, outcome: std::thread::Result<leafmint::Error>) {
    // SAFETY: the virtual machine passed this pointer to the native that is still running on this thread.
    let env = unsafe { EnvUnowned::from_raw(env) };
    call(env, |_| match outcome {
        Ok(error) => Err(Failure::Core(error)),
        Err(payload) => std::panic::resume_unwind(payload),
    })
}
