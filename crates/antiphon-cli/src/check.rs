//! `antiphon check`

use crate::Outcome;
use crate::args::{CheckArgs, Format};
use crate::finding::{Item, items, profile};
use crate::input::{Body, Input};
use crate::{json, output, render};
use std::io::Write;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Good;
    for file in &args.files {
        let input = match Input::read(file, args.judge.input) {
            Ok(input) => input,
            Err(error) => {
                // The other files are still worth a look.
                output::say(&render::trouble(&format!("{error:#}")));
                outcome = Outcome::Trouble;
                continue;
            }
        };
        let profile = profile(&args.judge, &input)?;
        let items = items(&input, &profile);
        let mut out = anstream::stdout().lock();
        match args.format {
            Format::Json => writeln!(out, "{}", json::findings(&input, &items))?,
            Format::Human => {
                writeln!(out, "{}", render::findings(&input, &items))?;
                if let Body::Session(session) = &input.body {
                    output::say(&format!("note: {}", session.described()));
                }
            }
        }
        if items.iter().any(|item: &Item| item.is_error() || args.strict) {
            outcome = outcome.max(Outcome::Fault);
        }
    }
    Ok(outcome)
}
