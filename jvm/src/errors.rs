//! Throws Java exceptions; no other file does.

use crate::text;
use jni::errors::{ErrorPolicy, JniError};
use jni::objects::JThrowable;
use jni::strings::{JNIStr, JNIString};
use jni::sys::jlong;
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use leafmint::binding::{panics, printable};
use leafmint::{ErrorKind, Reason};
use std::any::Any;
use std::error::Error as _;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a native has no answer.
pub(crate) enum Failure {
    /// An error of the core.
    Core(leafmint::Error),
    /// An error of the JVM.
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

/// Runs a native. Its error or panic is thrown as a Java exception.
pub(crate) fn call<'local, T: Default>(
    mut env: EnvUnowned<'local>,
    work: impl FnOnce(&mut Env<'local>) -> Result<T, Failure>,
) -> T {
    env.with_env(work).resolve::<Throw>()
}

/// The Java class of each kind. A new kind does not compile until it has a row.
const CLASS_NAMES: [(ErrorKind, &JNIStr); ErrorKind::ALL.len()] = [
    (ErrorKind::InvalidConfig, jni_str!("io/github/leafmint/InvalidConfigException")),
    (ErrorKind::InvalidArgument, jni_str!("io/github/leafmint/InvalidArgumentException")),
    (ErrorKind::UnknownTag, jni_str!("io/github/leafmint/UnknownTagException")),
    (ErrorKind::SegmentUnavailable, jni_str!("io/github/leafmint/SegmentUnavailableException")),
    (ErrorKind::StoreUnavailable, jni_str!("io/github/leafmint/StoreUnavailableException")),
    (ErrorKind::StoreRegressed, jni_str!("io/github/leafmint/StoreRegressedException")),
    (ErrorKind::WorkerIdUnavailable, jni_str!("io/github/leafmint/WorkerIdUnavailableException")),
    (ErrorKind::LeaseLost, jni_str!("io/github/leafmint/LeaseLostException")),
    (ErrorKind::ClockMovedBackwards, jni_str!("io/github/leafmint/ClockMovedBackwardsException")),
    (ErrorKind::IdSpaceExhausted, jni_str!("io/github/leafmint/IdSpaceExhaustedException")),
    (ErrorKind::RateExceeded, jni_str!("io/github/leafmint/RateExceededException")),
    (ErrorKind::InvalidId, jni_str!("io/github/leafmint/InvalidIdException")),
    (ErrorKind::Closed, jni_str!("io/github/leafmint/ClosedException")),
];

fn class_name(kind: ErrorKind) -> &'static JNIStr {
    CLASS_NAMES.iter().find(|(known, _)| *known == kind).map_or(BUG, |(_, name)| name)
}

/// The class for panics and for errors that must not happen.
const BUG: &JNIStr = jni_str!("java/lang/IllegalStateException");

/// Loads every class once, because the JAR may be closed later. Keeps no reference, which would keep the class loader
/// reachable. If one is not found, an exception that names it is pending.
pub(crate) fn load_classes(env: &mut Env<'_>) -> jni::errors::Result<()> {
    for kind in ErrorKind::ALL {
        let name = class_name(kind);
        match env.find_class(name) {
            Ok(class) => env.delete_local_ref(class),
            Err(error) => {
                let reason = JNIString::new(format!("the class {name} was not found: {error}"));
                return env.throw_new(jni_str!("java/lang/NoClassDefFoundError"), reason);
            }
        }
    }
    Ok(())
}

/// The error policy of [`call`].
struct Throw;

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'env: 'native, 'native> = ();

    fn on_error<'env: 'native, 'native>(env: &mut Env<'env>, _: &mut (), failure: Failure) -> jni::errors::Result<T> {
        match failure {
            Failure::Core(error) => throw_core(env, &error),
            // The JVM has thrown an exception, which stays pending.
            Failure::Jni(jni::errors::Error::JavaException) => {}
            // The crate has caught the JVM's OutOfMemoryError.
            Failure::Jni(jni::errors::Error::JniCall(JniError::NoMemory)) => {
                let _ = env.throw_new(OUT_OF_MEMORY, jni_str!("the heap of the JVM has no memory for this answer"));
            }
            Failure::Jni(error) => {
                throw_bug(env, &printable(format!("a call from leafmint into the JVM failed: {error}")))
            }
        }
        Ok(T::default())
    }

    fn on_panic<'env: 'native, 'native>(
        env: &mut Env<'env>,
        _: &mut (),
        payload: Box<dyn Any + Send>,
    ) -> jni::errors::Result<T> {
        throw_bug(env, &panics::message_of(payload));
        Ok(T::default())
    }
}

fn throw_bug(env: &mut Env<'_>, message: &str) {
    // The result is always an error, which says that an exception is pending now.
    let _ = env.throw_new(BUG, JNIString::new(message));
}

fn throw_core(env: &mut Env<'_>, error: &leafmint::Error) {
    match exception_of(env, error) {
        Ok(exception) => drop(env.throw(exception)),
        // The JVM has thrown an exception, which stays pending.
        Err(jni::errors::Error::JavaException) => {}
        Err(_) => throw_bug(env, error.message()),
    }
}

/// The class for a call that finds no memory, as for one of Java's own.
const OUT_OF_MEMORY: &JNIStr = jni_str!("java/lang/OutOfMemoryError");

/// Makes the exception of an error, with the exceptions of those behind it.
fn exception_of<'local>(env: &mut Env<'local>, error: &leafmint::Error) -> jni::errors::Result<JThrowable<'local>> {
    if error.reason() == Some(Reason::OutOfMemory) {
        return with_message(env, OUT_OF_MEMORY, error.message());
    }
    let exception = with_message(env, class_name(error.kind()), error.message())?;
    let server_code = error.server().and_then(|server| match (server.number(), server.state()) {
        (Some(number), _) => Some(number.to_string()),
        (None, state) => state.map(str::to_owned),
    });
    if error.source().is_none() && error.reason().is_none() && error.options().is_empty() {
        return Ok(exception);
    }
    let names: Vec<_> = error.options().iter().map(|name| Some((*name).to_owned())).collect();
    let options = text::write_all(env, &names)?;
    let facts = text::write_all(env, &[error.reason().map(|reason| reason.code().to_owned()), server_code])?;
    let cause = cause_of(env, error)?;
    let arguments = [(&exception).into(), (&facts).into(), (&options).into(), (&cause).into()];
    let class = env.find_class(jni_str!("io/github/leafmint/LeafmintException"))?;
    env.call_static_method(
        class,
        jni_str!("explain"),
        jni_sig!(
            "(Lio/github/leafmint/LeafmintException;[Ljava/lang/String;[Ljava/lang/String;Ljava/lang/Throwable;)V"
        ),
        &arguments,
    )?;
    Ok(exception)
}

/// Returns the exception of the error behind another, or `null`. What a server answered has none: its number is known.
fn cause_of<'local>(env: &mut Env<'local>, error: &leafmint::Error) -> jni::errors::Result<JThrowable<'local>> {
    let Some(source) = error.source() else { return Ok(JThrowable::null()) };
    match (source.downcast_ref::<leafmint::Error>(), source.downcast_ref::<io::Error>()) {
        (Some(inner), _) => exception_of(env, inner),
        (_, Some(of_system)) => with_message(env, jni_str!("java/io/IOException"), &of_system.to_string()),
        _ => Ok(JThrowable::null()),
    }
}

fn with_message<'local>(
    env: &mut Env<'local>,
    class: &JNIStr,
    message: &str,
) -> jni::errors::Result<JThrowable<'local>> {
    // This asks the class loader of the native's class, whatever the caller's is. A name would ask the caller's first.
    let class = env.find_class(class)?;
    let message = env.new_string(message)?;
    let exception = env.new_object(class, jni_sig!("(Ljava/lang/String;)V"), &[(&message).into()])?;
    env.cast_local::<JThrowable<'_>>(exception)
}

/// Runs a native that returns a number, without an [`Env`] unless it fails. Then it throws, and the result means
/// nothing.
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
    // SAFETY: the JVM passed this pointer to the native that is still running on this thread.
    let env = unsafe { EnvUnowned::from_raw(env) };
    call(env, |_| match outcome {
        Ok(error) => Err(Failure::Core(error)),
        Err(payload) => std::panic::resume_unwind(payload),
    })
}
