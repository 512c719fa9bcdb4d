//! Natives of the credentials that an application supplies. The core must not call into the JVM, so its questions wait
//! here, and a Java thread takes them: see `CredentialsThread.java`.

use crate::errors::{Failure, call};
use crate::handle;
use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use jni::sys::{jboolean, jlong};
use leafmint::{Credentials, CredentialsSource, OptionValue, Pending};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::task::Wake;
use std::time::Duration;

type Answer = Result<Credentials, String>;

/// The questions of one generator.
#[derive(Default)]
struct Questions {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Asked, and not taken yet. The core asks one question at a time.
    asked: Option<Sender<Answer>>,
    /// Taken by the Java thread, and not answered yet.
    taken: Option<Sender<Answer>>,
    /// Nothing asks any more.
    ended: bool,
}

impl Questions {
    /// Returns a source that asks here, until it is dropped.
    fn source(self: &Arc<Self>) -> CredentialsSource {
        let asking = Asking(self.clone());
        CredentialsSource::new(move || asking.0.ask())
    }

    fn ask(&self) -> Answer {
        let (sender, answer) = channel();
        {
            let mut state = self.state.lock();
            if !state.ended {
                state.asked = Some(sender);
                self.changed.notify_all();
            }
        }
        answer.recv().unwrap_or_else(|_| Err("the generator is closed".to_owned()))
    }

    /// Waits for a question. Returns false after the end.
    fn take(&self) -> bool {
        // Without an answer the core would wait for ever, and ask nothing else.
        self.answer(Err("its answer was lost: the JVM may be out of memory".to_owned()));
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.asked.is_none() && !state.ended);
        state.taken = state.asked.take();
        state.taken.is_some()
    }

    fn answer(&self, answer: Answer) {
        let taken = self.state.lock().taken.take();
        if let Some(taken) = taken {
            let _ = taken.send(answer);
        }
    }

    fn end(&self) {
        let mut state = self.state.lock();
        // The questions that are dropped here end without an answer.
        *state = State { ended: true, ..State::default() };
        self.changed.notify_all();
    }
}

/// The core's side, which ends the questions when the core has dropped it.
struct Asking(Arc<Questions>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Ends the questions when it is woken.
struct Ending(Arc<Questions>);

impl Wake for Ending {
    fn wake(self: Arc<Self>) {
        self.0.end();
    }
}

/// Ends the questions of a generator after its close, which may still ask. Its tags may keep the source for longer, and
/// the thread that answers keeps their class loader. Does nothing without a handle.
pub(crate) fn end_after(close: leafmint::Result<Pending<()>>, handle: jlong) {
    if handle == 0 {
        return;
    }
    let ending = Arc::new(Ending(questions(handle).clone()));
    let goes_on = close.is_ok_and(|close| {
        close.wake(ending.clone().into());
        close.wait_for(Duration::ZERO).is_none()
    });
    if !goes_on {
        ending.wake();
    }
}

/// Returns the option of a generator that asks here, none without a handle.
pub(crate) fn option(handle: jlong) -> Option<(String, OptionValue)> {
    (handle != 0).then(|| ("credentials".to_owned(), questions(handle).source().into()))
}

fn questions<'a>(handle: jlong) -> &'a Arc<Questions> {
    // SAFETY: the handle is that of questions, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes the questions of a generator that is about to be opened.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsNew(env: EnvUnowned<'_>, _class: JClass<'_>) -> jlong {
    call(env, |_| Ok::<_, Failure>(handle::give(Arc::<Questions>::default())))
}

/// Waits for a question. It blocks, on a thread made for it. Returns false if no other question can come.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsTake(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(questions(handle).take()))
}

/// Answers the question that was taken.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsAnswer<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    user: JString<'local>,
    password: JString<'local>,
) {
    call(env, |env| {
        let credentials = Credentials::new(user.try_to_string(env)?, password.try_to_string(env)?);
        questions(handle).answer(Ok(credentials));
        Ok::<(), Failure>(())
    })
}

/// Answers it with what went wrong.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsFail<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    problem: JString<'local>,
) {
    call(env, |env| {
        questions(handle).answer(Err(problem.try_to_string(env)?));
        Ok::<(), Failure>(())
    })
}

/// Ends the questions, and the wait for one.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsEnd(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        questions(handle).end();
        Ok::<(), Failure>(())
    })
}

/// Takes the questions back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_credentialsFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Arc<Questions>>(handle) };
        Ok::<(), Failure>(())
    })
}
