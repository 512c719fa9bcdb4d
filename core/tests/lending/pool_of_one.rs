//! A pool of the application that has one connection.

use crate::stores::runtime;
use leafmint_backends::borrowed::{Answer, Connected, DriverError, Lender, Question, Wanted};
use leafmint_engine::runtime::background::reply;
use std::sync::{Arc, Mutex};

/// The connection of another lender by which the pool knows its own.
const KEY: u64 = u64::MAX;

struct PoolOfOne {
    lender: Arc<dyn Lender>,
    connected: Result<Connected, DriverError>,
    is_taken: Mutex<bool>,
}

/// Lends the one connection of a pool to one caller at a time. To others there is none.
pub(crate) fn lender(lender: Arc<dyn Lender>) -> Arc<dyn Lender> {
    let connected = match ask(&*lender, Wanted::Connect) {
        Ok(Answer::Connected(connected)) => Ok(Connected { is_shared: true, ..connected }),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    Arc::new(PoolOfOne { lender, connected, is_taken: Mutex::new(false) })
}

fn ask(lender: &dyn Lender, wanted: Wanted) -> Result<Answer, DriverError> {
    let (reply, answer) = reply();
    lender.ask(Question { connection: KEY, wanted, reply });
    runtime().block_on(answer).unwrap()
}

impl Lender for PoolOfOne {
    fn name(&self) -> &str {
        self.lender.name()
    }

    fn ask(&self, question: Question) {
        let mut is_taken = self.is_taken.lock().unwrap();
        match question.wanted {
            Wanted::Connect if *is_taken => question.reply.send(Err(DriverError::lost("the pool has no connection"))),
            Wanted::Connect => {
                *is_taken = true;
                question.reply.send(self.connected.clone().map(Answer::Connected));
            }
            Wanted::End => {
                *is_taken = false;
                question.reply.send(Ok(Answer::Ended));
            }
            _ => self.lender.ask(Question { connection: KEY, ..question }),
        }
    }
}
