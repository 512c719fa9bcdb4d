//! Natives of the connections that an application lends. The core must not call into the JVM, so its questions wait
//! here, and Java threads take them: see `DriverThreads.java`.

mod answers;

use crate::asked::{Asked, questions};
use crate::natives::natives;
use crate::pending::Texts;
use crate::{handle, text};
use jni::sys::jlong;
use leafmint::binding::borrowed::{Answer, DriverError, Lender, Question, Wanted};
use parking_lot::{Condvar, Mutex};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of calls of the driver at a time, with those that were given up while the driver did not return.
const MOST_INSIDE: usize = 16;

/// The questions of one generator.
struct Questions {
    name: String,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Asked, and not taken yet.
    asked: VecDeque<Question>,
    /// Taken by a Java thread, and not answered yet; by their numbers.
    taken: HashMap<jlong, Question>,
    numbers: jlong,
    /// How many of those taken are inside the driver. Those that cut a connection do not count: they end others.
    inside: usize,
    /// Nothing asks any more.
    ended: bool,
}

impl State {
    /// Returns where the next question is that may be taken.
    fn next(&self) -> Option<usize> {
        let has_room = self.inside < MOST_INSIDE;
        self.asked.iter().position(|question| has_room || question.wanted == Wanted::Abandon)
    }

    /// Takes a question, and returns its texts.
    fn take(&mut self, at: usize) -> Option<Texts> {
        let mut question = self.asked.remove(at)?;
        self.numbers += 1;
        self.inside += usize::from(question.wanted != Wanted::Abandon);
        let (what, statements) = match &mut question.wanted {
            Wanted::Connect => ("connect", Vec::new()),
            Wanted::Run(statements) => ("run", std::mem::take(statements)),
            Wanted::RunTogether(statements) => ("run together", std::mem::take(statements)),
            Wanted::End => ("end", Vec::new()),
            Wanted::Abandon => ("abandon", Vec::new()),
        };
        let head = [self.numbers.to_string(), question.connection.to_string(), what.to_owned()];
        let texts = head.into_iter().chain(statements).map(Some).collect();
        self.taken.insert(self.numbers, question);
        Some(texts)
    }

    /// Returns a question that was taken, now that it is answered.
    fn answered(&mut self, number: jlong) -> Option<Question> {
        let question = self.taken.remove(&number)?;
        self.inside -= usize::from(question.wanted != Wanted::Abandon);
        Some(question)
    }

    /// Removes the question of a connection that was not taken.
    fn forget(&mut self, connection: u64) -> Option<Question> {
        let at = self.asked.iter().position(|question| question.connection == connection)?;
        self.asked.remove(at)
    }
}

impl Questions {
    /// Waits for a question. Returns its texts, none if the time passes without one, and `None` after the end.
    fn take(&self, longest: Duration) -> Option<Texts> {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| state.next().is_none() && !state.ended, longest);
        if state.ended { None } else { Some(state.next().and_then(|at| state.take(at)).unwrap_or_default()) }
    }

    /// Answers a question that was taken. Returns false if nothing waits for it any more.
    fn answer(&self, number: jlong, answer: Option<Result<Answer, DriverError>>) -> bool {
        let answered = self.state.lock().answered(number);
        self.changed.notify_one();
        match (answered, answer) {
            (Some(question), Some(answer)) if !question.reply.is_closed() => question.reply.send(answer),
            _ => return false,
        }
        true
    }
}

impl Asked for Questions {
    /// Those that wait for an answer end without one.
    fn end(&self) {
        let mut state = self.state.lock();
        let unanswered = std::mem::replace(&mut *state, State { ended: true, ..State::default() });
        self.changed.notify_all();
        // Dropping a reply wakes who waits for it, which may ask again.
        drop(state);
        drop(unanswered);
    }

    /// Returns a lender that asks here, until it is dropped.
    fn lender(self: Arc<Self>) -> Option<Arc<dyn Lender>> {
        Some(Arc::new(JavaLender(self)))
    }
}

/// The core's side, which ends the questions when the core has dropped it.
struct JavaLender(Arc<Questions>);

impl Lender for JavaLender {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn ask(&self, question: Question) {
        let mut state = self.0.state.lock();
        if state.ended {
            drop(state);
            return question.reply.send(Err(DriverError::lost("the generator is closed")));
        }
        let forgotten = if question.wanted == Wanted::Abandon { state.forget(question.connection) } else { None };
        if forgotten.as_ref().is_none_or(|forgotten| forgotten.wanted != Wanted::Connect) {
            state.asked.push_back(question);
            self.0.changed.notify_one();
        }
        // Dropping a reply wakes who waits for it, which may ask again.
        drop(state);
        drop(forgotten);
    }
}

impl Drop for JavaLender {
    fn drop(&mut self) {
        self.0.end();
    }
}

natives!(
    /// Makes the questions of a generator that is about to be opened. `name` is [`Lender::name`].
    fn lendingNew(env: &mut Env, name: JString) -> jlong {
        let name = name.try_to_string(env)?;
        let asked = Questions { name, state: Mutex::default(), changed: Condvar::new() };
        Ok(handle::give::<Arc<dyn Asked>>(Arc::new(asked)))
    },
    /// Waits for a question. It blocks, on a thread made for it. Returns the number of the question, the connection,
    /// what is wanted, and the statements; nothing if the time passes without one, and `null` if no other question can
    /// come.
    fn lendingTake(env: &mut Env, handle: jlong, millis: jlong) -> JObject {
        let taken = questions::<Questions>(handle).take(Duration::from_millis(millis.unsigned_abs()));
        match taken {
            Some(texts) => Ok(text::write_all(env, &texts)?),
            None => Ok(jni::objects::JObject::null()),
        }
    },
    /// Answers a question that was taken, with what `LendingAnswer.java` has written; `null` is no answer. Returns
    /// false if nothing waits for it any more.
    fn lendingAnswer(env: &mut Env, handle: jlong, number: jlong, answer: JByteArray) -> jboolean {
        let answer = if answer.is_null() { None } else { Some(answers::read(&env.convert_byte_array(&answer)?)) };
        Ok(questions::<Questions>(handle).answer(number, answer))
    }
);
