//! Lenders that lose answers.

use crate::stores::runtime;
use leafmint_backends::borrowed::{DriverError, Lender, Question, Wanted};
use leafmint_engine::runtime::background::reply;
use std::sync::Arc;

/// A lender whose every fourth question, more or less, is not asked, or asked and not answered.
struct Faulty(Arc<dyn Lender>);

/// Loses questions and answers of another lender.
pub(crate) fn lender(lender: Arc<dyn Lender>) -> Arc<dyn Lender> {
    Arc::new(Faulty(lender))
}

impl Lender for Faulty {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn ask(&self, question: Question) {
        let is_work = matches!(question.wanted, Wanted::Run(_) | Wanted::RunTogether(_));
        match fastrand::u32(..8) {
            0 if is_work => question.reply.send(Err(DriverError::lost("the question was lost"))),
            1 if is_work => {
                let Question { connection, wanted, reply: lost } = question;
                let (reply, answer) = reply();
                self.0.ask(Question { connection, wanted, reply });
                std::thread::spawn(move || {
                    let _ = runtime().block_on(answer);
                    lost.send(Err(DriverError::lost("the answer was lost")));
                });
            }
            _ => self.0.ask(question),
        }
    }
}
