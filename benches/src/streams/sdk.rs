//! The official SDKs, each in a process of its own that reads the same bytes from a file.
//!
//! The scripts in `benches/peers` time only what the SDK does with the bytes, as CPU time without imports, and say the
//! median on one line of JSON.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use tempfile::TempPath;

use super::body::{Body, Cut};

/// What a script ends with when its SDK is not installed.
const MISSING: i32 = 3;

/// An SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sdk {
    /// `anthropic`; parses all of a tool's input again at every delta.
    Python,
    /// `@anthropic-ai/sdk`, and nobody looks at tool input before its end.
    TypeScript,
    /// `@anthropic-ai/sdk` with a listener that gets the value of the tool input at every delta.
    TypeScriptValues,
}

impl Sdk {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "Python SDK",
            Self::TypeScript => "TypeScript SDK",
            Self::TypeScriptValues => "TypeScript SDK, a value at every delta",
        }
    }

    /// The name of the first stream that a process reads with it: what is compiled on the way and memory that was never
    /// touched count in.
    pub const fn first_name(self) -> &'static str {
        match self {
            Self::Python => "Python SDK, first of its process",
            Self::TypeScript => "TypeScript SDK, first of its process",
            Self::TypeScriptValues => "TypeScript SDK, values, first of its process",
        }
    }

    const fn install(self) -> &'static str {
        match self {
            Self::Python => "pip install anthropic",
            Self::TypeScript | Self::TypeScriptValues => "npm install @anthropic-ai/sdk",
        }
    }

    fn command(self) -> Command {
        let script = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(name);
        match self {
            Self::Python => {
                let python = std::env::var_os("ANTIPHON_PEERS_PYTHON").unwrap_or_else(|| OsString::from("python3"));
                let mut command = Command::new(python);
                command.arg(script("stream_sdk.py"));
                command
            }
            Self::TypeScript | Self::TypeScriptValues => {
                let mut command = Command::new("node");
                if let Some(modules) = std::env::var_os("ANTIPHON_PEERS_NODE_MODULES") {
                    command.env("NODE_PATH", modules);
                }
                command.arg(script("stream_sdk.mjs"));
                command
            }
        }
    }

    /// Reads the body in a process of its own.
    ///
    /// # Errors
    ///
    /// [`Failure`]: it is not installed, or it failed.
    pub fn run(self, body: &Body, cut: Cut, rounds: usize) -> Result<Timed, Failure> {
        self.run_with(self.command(), body, cut, rounds)
    }

    fn run_with(self, mut command: Command, body: &Body, cut: Cut, rounds: usize) -> Result<Timed, Failure> {
        let failed = |why: String| Failure { sdk: self, missing: false, why };
        let file = scratch(body.bytes()).map_err(|error| failed(format!("temporary file: {error}")))?;
        let cut = match cut {
            Cut::Events => "events".to_owned(),
            Cut::Bytes(size) => size.to_string(),
            Cut::Whole => body.bytes().len().to_string(),
        };
        command.arg(&*file).args([cut, rounds.to_string()]);
        if self == Self::TypeScriptValues {
            command.arg("values");
        }
        let program = command.get_program().to_string_lossy().into_owned();
        let output = match command.stdin(Stdio::null()).output() {
            Ok(output) => output,
            Err(error) => {
                let missing = error.kind() == io::ErrorKind::NotFound;
                return Err(Failure { sdk: self, missing, why: format!("{program}: {error}") });
            }
        };
        let (said, answer) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            let why = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("said nothing").trim();
            let missing = output.status.code() == Some(MISSING);
            return Err(Failure { sdk: self, missing, why: why.to_owned() });
        }
        let timed: Timed = serde_json::from_str(&answer).map_err(|error| failed(format!("its answer: {error}")))?;
        if timed.bytes != body.carries {
            return Err(failed(format!("it read {} of {} bytes", timed.bytes, body.carries)));
        }
        Ok(timed)
    }
}

/// What a script says.
#[derive(Clone, Debug, Deserialize)]
pub struct Timed {
    /// The SDK and what runs it, with versions.
    pub peer: String,
    /// CPU time of the first stream in milliseconds.
    first_ms: f64,
    /// Median CPU time of further ones; of the first if it took long.
    median_ms: f64,
    /// How many times the median is of.
    pub rounds: usize,
    /// Length of the text or of the tool input (as compact JSON) in the message.
    bytes: usize,
}

impl Timed {
    /// CPU time of the first stream that the process read.
    pub fn first(&self) -> Duration {
        Duration::from_secs_f64(self.first_ms.max(0.0) / 1e3)
    }

    /// Median CPU time of further ones; of the first if it took long.
    pub fn median(&self) -> Duration {
        Duration::from_secs_f64(self.median_ms.max(0.0) / 1e3)
    }
}

/// Why there is no figure.
#[derive(Clone, Debug)]
pub struct Failure {
    sdk: Sdk,
    /// Whether it just is not installed.
    pub missing: bool,
    why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sdk, why, .. } = self;
        if self.missing {
            write!(f, "skipped: {}: {why} ({})", sdk.name(), sdk.install())
        } else {
            write!(f, "failed: {}: {why}", sdk.name())
        }
    }
}

/// A file that is gone when its path is dropped.
fn scratch(bytes: &[u8]) -> io::Result<TempPath> {
    let mut file = tempfile::Builder::new().prefix("antiphon-streams-").suffix(".sse").tempfile()?;
    file.write_all(bytes)?;
    Ok(file.into_temp_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command that says `answer` and ends with `code`, whatever its arguments are.
    #[cfg(unix)]
    fn says(answer: &str, code: i32) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("echo '{answer}'; echo '{answer}' >&2; exit {code}")]);
        command
    }

    fn run(command: Command) -> Result<Timed, Failure> {
        Sdk::Python.run_with(command, &Body::text(10), Cut::Events, 1)
    }

    #[test]
    fn what_is_missing_is_skipped_and_says_how_to_get_it() {
        let failure = run(Command::new("antiphon-no-such-program")).unwrap_err();
        assert!(failure.missing);
        let text = failure.to_string();
        assert!(text.starts_with("skipped: Python SDK: antiphon-no-such-program: "), "{text}");
        assert!(text.ends_with("(pip install anthropic)"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn a_package_that_is_missing_is_skipped_and_a_crash_is_not() {
        let failure = run(says("No module", MISSING)).unwrap_err();
        assert_eq!(failure.to_string(), "skipped: Python SDK: No module (pip install anthropic)");
        let failure = run(says("No attribute", 1)).unwrap_err();
        assert_eq!(failure.to_string(), "failed: Python SDK: No attribute");
    }

    #[cfg(unix)]
    #[test]
    fn a_figure_counts_only_if_all_was_read() {
        let answer = |bytes: usize| {
            says(&format!(r#"{{"peer":"x 1","first_ms":4,"median_ms":1.5,"rounds":3,"bytes":{bytes}}}"#), 0)
        };
        assert_eq!(run(answer(50)).unwrap().median(), Duration::from_micros(1500));
        assert_eq!(run(answer(49)).unwrap_err().to_string(), "failed: Python SDK: it read 49 of 50 bytes");
        assert!(run(says("hello", 0)).unwrap_err().to_string().contains("its answer"));
    }

    #[test]
    fn the_scripts_are_there() {
        for sdk in [Sdk::Python, Sdk::TypeScript] {
            let command = sdk.command();
            assert!(Path::new(command.get_args().next().unwrap()).is_file(), "{command:?}");
        }
    }
}
