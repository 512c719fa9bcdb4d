//! What the errors of the products mean. No message is read: only numbers and SQLSTATEs.

use super::product::{Code, Product};
use crate::borrowed::DriverError;
use crate::sessions::{Failure, cut, look_up};
use leafmint_ids::error::{Error, ErrorKind, ServerError};

/// Describes why no connection could be had.
pub(super) fn of_connection(error: DriverError) -> Failure {
    Failure::broken(cut(&error.text))
}

/// Describes an error of a driver, by the product that it connects to.
pub(super) fn of(product: &Product, error: DriverError) -> Failure {
    let DriverError { number, state, text, is_lost } = error;
    let text = cut(&text);
    let code =
        [number.map(|number| number.to_string()), state.clone()].into_iter().flatten().collect::<Vec<_>>().join("/");
    let shown = if code.is_empty() { text } else { format!("error {code}: {text}") };
    let answer = ServerError::new(number, state.clone(), shown.clone());
    if is_lost {
        return Failure::Broken(Error::new(ErrorKind::StoreUnavailable, shown).with_source(answer));
    }
    let is = |code: &Code| match code {
        // SQLite's extended numbers have their class in the lowest eight bits.
        Code::Number(known) => {
            number.is_some_and(|number| number == *known || (number > 255 && number & 255 == *known))
        }
        Code::Exactly(known) => number == Some(*known),
        Code::State(known) => state.as_deref().is_some_and(|state| state.starts_with(known)),
    };
    let (_, sense) = look_up(product.errors, is);
    Failure::of_server(answer, sense, "")
}
