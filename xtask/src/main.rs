//! The project's own tasks, run as `cargo xtask TASK`.
//!
//! Every check that the project has stands here, so that CI and a developer run the same thing: `cargo xtask ci`. Each
//! step of it can be run alone (`cargo xtask ci clippy test`), and what needs no cargo has a task of its own
//! (`cargo xtask tidy`).

mod bench;
mod ci;
mod fuzz;
mod layers;
mod metadata;
mod readme;
mod run;
mod tidy;
mod tokens;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// What a task ends with: nothing to say, or why it failed.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own tasks", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything that must hold before a change lands
    Ci(ci::Options),
    /// Text-level house rules: file length, unfinished marks, machine paths, manifests, README commands, cases
    Tidy,
    /// Which crate may depend on what, and that ARCHITECTURE.md names the crates there are
    Layers,
    /// Criterion benches and the ratios against the yardsticks
    Bench(bench::Options),
    /// Coverage-guided fuzzing of one target (needs cargo-fuzz and a nightly toolchain)
    Fuzz(fuzz::Options),
    /// Fit the table of the token heuristic to exact counts (needs the corpus)
    FitHeuristic(tokens::Fit),
    /// Every figure that the documentation states about token counts (needs the corpus)
    MeasureTokens(tokens::Measure),
}

fn main() -> ExitCode {
    let root = root();
    let outcome = match Cli::parse().task {
        Task::Ci(options) => ci::run(&root, &options),
        Task::Tidy => report("tidy", tidy::check(&root)),
        Task::Layers => report("layers", layers::check(&root)),
        Task::Bench(options) => bench::run(&root, &options),
        Task::Fuzz(options) => fuzz::run(&root, &options),
        Task::FitHeuristic(options) => tokens::fit(&root, &options),
        Task::MeasureTokens(options) => tokens::measure(&root, &options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder: the one above this package's. Cargo names that when it runs the task; what it named when it
/// compiled the task may be another checkout, where two share a target folder.
fn root() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    package.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The names of all tasks, as a person types them.
fn tasks() -> Vec<String> {
    Cli::command().get_subcommands().map(|task| task.get_name().to_owned()).collect()
}

/// Prints what a check found, one problem a line, and fails if there was any.
fn report(check: &str, found: Outcome<Vec<String>>) -> Outcome {
    let problems = found?;
    for problem in &problems {
        eprintln!("{check}: {problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => Err(format!("{check}: 1 problem").into()),
        n => Err(format!("{check}: {n} problems").into()),
    }
}
