//! `cargo xtask fit-heuristic` and `measure-tokens`: the table of the token heuristic, and every figure that is stated about it.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::run::Program;

/// How to fit.
#[derive(clap::Args)]
pub(crate) struct Fit {
    /// The folder of further texts that `gather.py` beside the fitting program fills
    #[arg(long, value_name = "DIR")]
    extra: PathBuf,
    /// Replace the checked-in tables
    #[arg(long)]
    write: bool,
    /// Only this encoding: o200k or cl100k
    #[arg(long)]
    only: Option<String>,
}

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Measure {
    /// Some of: texts, stages, pairs, anchor, speed; all without
    parts: Vec<String>,
}

/// Fits the weights to exact counts and prints the error on what was not fitted to.
pub(crate) fn fit(root: &Path, options: &Fit) -> Outcome {
    let mut program = example(root, "fit-heuristic").args(["--extra"]).args([&options.extra]);
    if options.write {
        program = program.args(["--write"]);
    }
    if let Some(only) = &options.only {
        program = program.args(["--only", only]);
    }
    program.show()
}

/// Prints the tables that the documentation of `antiphon-tokens` quotes.
pub(crate) fn measure(root: &Path, options: &Measure) -> Outcome {
    example(root, "measure").args(&options.parts).show()
}

fn example(root: &Path, name: &str) -> Program {
    let cargo = Program::cargo(root);
    cargo.words("run --quiet --release -p antiphon-tokens-tiktoken --features bpe-openai --example").args([name, "--"])
}
