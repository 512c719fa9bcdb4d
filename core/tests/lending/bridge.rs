//! Applications in other languages: a program that runs a binding's own code serves one connection of any driver on
//! each connection to its port. `jvm/java/src/test/java/io/github/leafmint/internal/lending/Bridge.java` says what is
//! said.

use leafmint_backends::borrowed::{Blocking, BlockingConnection, Connected, DriverError, Lender, OnThreads, Ran};
use std::io::{BufRead, BufReader, Error, ErrorKind, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// Where a program serves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Java,
    Python,
}

impl Language {
    fn address(self) -> String {
        let variable = match self {
            Self::Java => "LEAFMINT_TEST_LENDING_JAVA",
            Self::Python => "LEAFMINT_TEST_LENDING_PYTHON",
        };
        std::env::var(variable).unwrap_or_else(|_| panic!("set {variable}, or run `make lent`, which starts a program"))
    }
}

/// Lends connections to a database, by the URL that the language's drivers read.
pub(crate) fn lender(language: Language, url: &str) -> Arc<dyn Lender> {
    lender_at(&language.address(), language, url)
}

/// A program of the test's own, in Java. Dropped, it is killed.
pub(crate) struct Program(Child);

impl Program {
    /// Starts one. Returns its address too.
    pub(crate) fn start() -> (Self, String) {
        let words = std::env::var("LEAFMINT_TEST_LENDING_COMMAND").expect("run `make lent`");
        let words: Vec<&str> = words.lines().collect();
        let mut command = Command::new(words[0]);
        let mut program = command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(program.stdout.as_mut().unwrap()).read_line(&mut port).unwrap();
        (Self(program), format!("127.0.0.1:{}", port.trim()))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Does the same by the program at an address.
pub(crate) fn lender_at(address: &str, language: Language, url: &str) -> Arc<dyn Lender> {
    let without_secrets = url.split(['?', '@']).next_back().unwrap();
    let name = format!("{language:?}'s driver ({})", if url.starts_with("jdbc:") { url } else { without_secrets });
    Arc::new(OnThreads::new(Source { address: address.to_owned(), url: url.to_owned(), name }))
}

struct Source {
    address: String,
    url: String,
    name: String,
}

impl Blocking for Source {
    type Connection = Bridge;

    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> std::result::Result<(Bridge, Connected), DriverError> {
        Bridge::open(&self.address, &self.url).map_err(|error| DriverError::lost(error.to_string()))?
    }
}

/// One connection.
struct Bridge {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

type Ended<T> = Result<std::result::Result<T, DriverError>>;

impl Bridge {
    fn open(address: &str, url: &str) -> Ended<(Self, Connected)> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut bridge = Self { lines: BufReader::new(stream.try_clone()?), stream };
        write!(bridge.stream, "U {}\nC\n", hex(url))?;
        let words = bridge.words()?;
        let opened = match words[0].as_str() {
            "c" => Ok(Connected { product: text(&words[1])?, version: text(&words[2])?, is_shared: false }),
            _ => Err(failure(&words)?),
        };
        bridge.end_of_reply()?;
        Ok(opened.map(|connected| (bridge, connected)))
    }

    fn ask(&mut self, request: char, statements: &[String]) -> Vec<std::result::Result<Ran, DriverError>> {
        let mut results = Vec::new();
        if let Err(error) = self.try_to_ask(request, statements, &mut results) {
            results.push(Err(DriverError::lost(error.to_string())));
        }
        results
    }

    fn try_to_ask(
        &mut self,
        request: char,
        statements: &[String],
        results: &mut Vec<std::result::Result<Ran, DriverError>>,
    ) -> Result<()> {
        let lines: String = statements.iter().map(|statement| format!("{}\n", hex(statement))).collect();
        self.stream.write_all(format!("{request} {}\n{lines}", statements.len()).as_bytes())?;
        loop {
            let words = self.words()?;
            results.push(match words[0].as_str() {
                "." => return Ok(()),
                "n" => Ok(Ran::Changed(number(&words[1])?)),
                "r" => Ok(Ran::Rows((0..number::<usize>(&words[2])?).map(|_| self.row()).collect::<Result<_>>()?)),
                _ => Err(failure(&words)?),
            });
        }
    }

    fn row(&mut self) -> Result<Vec<Option<String>>> {
        self.words()?.iter().map(|word| if word == "-" { Ok(None) } else { text(word).map(Some) }).collect()
    }

    fn end_of_reply(&mut self) -> Result<()> {
        self.words().map(drop)
    }

    /// Reads a line, which has one word or more. An empty text is an empty word in Python's.
    fn words(&mut self) -> Result<Vec<String>> {
        let mut line = String::new();
        match self.lines.read_line(&mut line)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end_matches('\n').split(' ').map(str::to_owned).collect()),
        }
    }
}

impl BlockingConnection for Bridge {
    fn run(&mut self, statements: &[String]) -> Vec<std::result::Result<Ran, DriverError>> {
        self.ask('R', statements)
    }

    fn run_together(&mut self, statements: &[String]) -> Vec<std::result::Result<Ran, DriverError>> {
        self.ask('T', statements)
    }

    fn end(mut self) {
        if self.stream.write_all(b"E\n").is_ok() {
            let _ = self.end_of_reply();
        }
    }

    fn cutter(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        let stream = self.stream.try_clone().ok()?;
        Some(Box::new(move || drop(stream.shutdown(Shutdown::Both))))
    }
}

fn failure(words: &[String]) -> Result<DriverError> {
    let given = |word: &String| Some(word.clone()).filter(|word| word != "-");
    let [kind, code, state, lost, message] = words else { return Err(unexpected(words)) };
    match kind.as_str() {
        "e" => Ok(DriverError {
            number: given(code).map(|code| number(&code)).transpose()?,
            state: given(state),
            text: text(message)?,
            is_lost: lost == "1",
        }),
        _ => Err(unexpected(words)),
    }
}

fn unexpected(words: &[String]) -> Error {
    Error::other(format!("the program said {words:?}"))
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T> {
    word.parse().map_err(|_| Error::other(format!("the program said {word} for a number")))
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn text(word: &str) -> Result<String> {
    if word == "\"\"" {
        return Ok(String::new());
    }
    let digits = |at| u8::from_str_radix(word.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..word.len()).step_by(2).map(digits).collect();
    let read = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    read.ok_or_else(|| Error::other(format!("the program said {word} for a text")))
}
