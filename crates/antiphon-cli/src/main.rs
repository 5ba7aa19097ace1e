//! The command line of antiphon.

mod args;
mod check;
mod count;
mod explain;
mod finding;
mod fix;
mod input;
mod json;
mod output;
mod place;
mod progress;
mod render;
mod session;
mod stream;

use clap::Parser;
use std::process::ExitCode;

/// What a command came to; its number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    Good = 0,
    /// An error was found, or the result falls short.
    Fault = 1,
    /// The command was used wrongly, or a file could not be read or written.
    Trouble = 2,
}

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no trouble; clap prints each where it belongs.
            return match error.print() {
                Err(failed) => failure(&failed.into()),
                Ok(()) => ExitCode::from(if error.use_stderr() { Outcome::Trouble as u8 } else { 0 }),
            };
        }
    };
    let outcome = match args.command {
        args::Command::Check(args) => check::run(&args),
        args::Command::Fix(args) => fix::run(&args),
        args::Command::Explain(args) => explain::run(&args),
        args::Command::Count(args) => count::run(&args),
        args::Command::Stream(args) => stream::run(&args),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) => failure(&error),
    }
}

fn failure(error: &anyhow::Error) -> ExitCode {
    // A reader that went away (`antiphon check … | head`) is not worth a word.
    if error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::from(Outcome::Good as u8);
    }
    output::say(&render::trouble(&format!("{error:#}")));
    ExitCode::from(Outcome::Trouble as u8)
}
