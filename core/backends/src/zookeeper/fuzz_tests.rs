//! Fuzz targets: what a server may answer.

use super::digest_md5::Exchange;
use super::node::Stat;
use super::stream::{Reader, Record};
use super::{dial, session};
use crate::sessions::{Failure, Outcome};
use leafmint_fuzz::fuzz;

fn outcome<T>(answer: Outcome<T>) -> String {
    match answer {
        Ok(_) => "read".to_owned(),
        Err(Failure::Broken(error)) => error.to_string(),
        Err(_) => panic!("a malformed answer is a broken session, and nothing else"),
    }
}

/// Every record of an answer, of which no length is believed before its bytes are there.
#[test]
fn fuzz_answers_of_zookeeper() {
    let names = Record::default().int(2).text("0").text("1023");
    let stat = (0..4).fold(Record::default(), |record, at| record.long(at)).int(7).int(0).int(0).long(0);
    let stat = stat.int(1).int(0).long(9);
    let node = Record::default().bytes(b"leafmint").record(&stat);
    let opened = Record::default().int(0).int(30_000).long(1).bytes(&[0; 16]).boolean(false);
    let seeds = [names, stat, node, opened].map(Record::into_bytes).to_vec();
    fuzz("zookeeper_answers", seeds, |input| {
        let mut node = Reader::of(input);
        let data = node.bytes().map(<[u8]>::len);
        let answers = [
            outcome(session::names(Reader::of(input))),
            outcome(Stat::read(&mut Reader::of(input))),
            outcome(data.and_then(|_| Stat::read(&mut node))),
            outcome(dial::granted(input)),
        ];
        answers.join("; ")
    });
}

/// What a server sends while a client logs in by SASL.
#[test]
fn fuzz_challenges_of_sasl() {
    fuzz("zookeeper_sasl", Vec::new(), |input| {
        let exchange = match Exchange::of(input, "user", "secret", "00ff".into()) {
            Ok(exchange) => exchange,
            Err(failure) => return outcome::<()>(Err(failure)),
        };
        let answer = exchange.answer();
        assert!(!answer.contains("secret") && exchange.check(input).is_err());
        "answered".to_owned()
    });
}
