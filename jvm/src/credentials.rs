//! Natives of the credentials that an application supplies. The core must not call into the JVM, so its questions wait
//! here, and a Java thread takes them: see `CredentialsThread.java`.

use crate::asked::{Asked, questions};
use crate::handle;
use crate::natives::natives;
use leafmint::{Credentials, CredentialsSource, OptionValue};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

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
}

impl Asked for Questions {
    fn end(&self) {
        let mut state = self.state.lock();
        // The questions that are dropped here end without an answer.
        *state = State { ended: true, ..State::default() };
        self.changed.notify_all();
    }

    /// Returns a source that asks here, until it is dropped.
    fn option(self: Arc<Self>) -> Option<(String, OptionValue)> {
        let asking = Asking(self);
        Some(("credentials".to_owned(), CredentialsSource::new(move || asking.0.ask()).into()))
    }
}

/// The core's side, which ends the questions when the core has dropped it.
struct Asking(Arc<Questions>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.end();
    }
}

natives!(
    /// Makes the questions of a generator that is about to be opened.
    fn credentialsNew() -> jlong {
        Ok(handle::give::<Arc<dyn Asked>>(Arc::new(Questions::default())))
    },
    /// Waits for a question. It blocks, on a thread made for it. Returns false if no other question can come.
    fn credentialsTake(handle: jlong) -> jboolean {
        Ok(questions::<Questions>(handle).take())
    },
    /// Answers the question that was taken.
    fn credentialsAnswer(env: &mut Env, handle: jlong, user: JString, password: JString) {
        let credentials = Credentials::new(user.try_to_string(env)?, password.try_to_string(env)?);
        questions::<Questions>(handle).answer(Ok(credentials));
        Ok(())
    },
    /// Answers it with what went wrong.
    fn credentialsFail(env: &mut Env, handle: jlong, problem: JString) {
        questions::<Questions>(handle).answer(Err(problem.try_to_string(env)?));
        Ok(())
    }
);
