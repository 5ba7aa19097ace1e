//! `cargo xtask ci`: everything that must hold before a change lands, step by step.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::metadata::Metadata;
use crate::run::{self, Program};
use crate::{Outcome, bench, layers, readme, report, tidy};

/// Which steps to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these steps, in their usual order
    #[arg(value_name = "STEP", value_parser = names())]
    steps: Vec<String>,
}

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Outcome,
}

/// Cheap and telling first: a step that fails ends the run.
const STEPS: &[Step] = &[
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "tidy", about: "house rules", run: |root| report("tidy", tidy::check(root)) },
    Step { name: "layers", about: "who may depend on whom", run: |root| report("layers", layers::check(root)) },
    Step { name: "clippy", about: "lints, all targets and features", run: clippy },
    Step { name: "test", about: "unit and integration tests", run: test },
    Step { name: "doctest", about: "examples in the documentation", run: doctest },
    Step { name: "serde-json", about: "tests with serde_json as other crates may configure it", run: serde_json },
    Step { name: "features", about: "no features, then each one alone", run: features },
    Step { name: "doc", about: "documentation builds without a warning", run: doc },
    Step { name: "bench", about: "benches run once with small input", run: bench::smoke },
    Step { name: "readme", about: "the README's commands run", run: readme::run },
];

fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// Runs the steps and stops at the first that fails.
pub(crate) fn run(root: &Path, options: &Options) -> Outcome {
    let wanted = |step: &&Step| options.steps.is_empty() || options.steps.iter().any(|name| name == step.name);
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    let began = Instant::now();
    let mut times = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        println!("\n=== {}/{} {}: {}", number + 1, steps.len(), step.name, step.about);
        let step_began = Instant::now();
        if let Err(error) = (step.run)(root) {
            let after = seconds(step_began.elapsed());
            eprintln!("=== {} FAILED after {after}; to run it alone: cargo xtask ci {}", step.name, step.name);
            return Err(error);
        }
        times.push((step.name, step_began.elapsed()));
        println!("=== {} ok, {}", step.name, seconds(step_began.elapsed()));
    }
    println!("\n=== all {} steps ok, {}", times.len(), seconds(began.elapsed()));
    for (name, time) in times {
        println!("{name:>12} {:>9}", seconds(time));
    }
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn fmt(root: &Path) -> Outcome {
    if !run::has(Program::cargo(root).words("fmt --version"), "rustup component add rustfmt")? {
        return Ok(());
    }
    Program::cargo(root).words("fmt --all --check").show()
}

fn clippy(root: &Path) -> Outcome {
    if !has_clippy(root)? {
        return Ok(());
    }
    Program::cargo(root).words("clippy --workspace --all-targets --all-features --locked -- -D warnings").show()
}

fn has_clippy(root: &Path) -> Outcome<bool> {
    run::has(Program::cargo(root).words("clippy --version"), "rustup component add clippy")
}

fn test(root: &Path) -> Outcome {
    Program::cargo(root).words("test --workspace --all-features --locked --lib --bins --tests --no-fail-fast").show()
}

fn doctest(root: &Path) -> Outcome {
    Program::cargo(root).words("test --workspace --all-features --locked --doc").show()
}

/// Features unify over a user's build: whatever another crate switches on in serde_json, we get as well. Naming a
/// dependency's feature on the command line switches it on for this run and leaves our manifests alone.
fn serde_json(root: &Path) -> Outcome {
    let metadata = Metadata::load(root)?;
    let mut packages = Vec::new();
    for (name, _) in metadata.crates().filter(|(name, _)| layers::is_core(name) || *name == "antiphon-cli") {
        packages.extend(["-p", name]);
    }
    for feature in layers::CONTAGIOUS {
        let switch = format!("serde_json/{feature}");
        let test = Program::cargo(root).words("test --locked --lib --bins --tests").args(&packages);
        test.args(["--features", &switch]).show()?;
    }
    Ok(())
}

/// Features must be additive: without any, and with any one alone, every crate builds and warns of nothing.
fn features(root: &Path) -> Outcome {
    if !has_clippy(root)? {
        return Ok(());
    }
    let metadata = Metadata::load(root)?;
    for (name, package) in metadata.crates().filter(|(_, package)| !package.features.is_empty()) {
        let none = || Program::cargo(root).words("clippy --locked --no-default-features -p").args([name]);
        none().words("-- -D warnings").show()?;
        for feature in &package.features {
            none().args(["--features", feature]).words("-- -D warnings").show()?;
        }
    }
    Ok(())
}

fn doc(root: &Path) -> Outcome {
    let doc = Program::cargo(root).words("doc --workspace --no-deps --all-features --locked");
    doc.env("RUSTDOCFLAGS", "-D warnings").show()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_name_of_its_own() {
        let mut names = names();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }

    #[test]
    fn a_failing_step_ends_the_run() {
        let nowhere = std::env::temp_dir().join("antiphon-xtask-nowhere");
        let error = run(&nowhere, &Options { steps: vec!["tidy".to_owned(), "readme".to_owned()] }).unwrap_err();
        assert!(!error.to_string().contains("README.md"), "the second step ran: {error}");
    }
}
