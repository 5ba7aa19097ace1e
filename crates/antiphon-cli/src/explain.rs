//! `antiphon explain`

use crate::Outcome;
use crate::args::{ExplainArgs, Format};
use antiphon_contract::{Diagnosis, Rule, diagnose, explain, rules};
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    let what = args.what.join(" ");
    if what.trim().is_empty() {
        for rule in rules::all() {
            match args.format {
                Format::Json => writeln!(out, "{}", rule_json(rule))?,
                Format::Human => writeln!(out, "{:<38} {}", rule.id, rule.title)?,
            }
        }
        return Ok(Outcome::Good);
    }
    if let (Some(rule), Some(text)) = (rules::by_id(what.trim()), explain(what.trim())) {
        match args.format {
            Format::Json => writeln!(out, "{}", rule_json(rule))?,
            Format::Human => write!(out, "{text}")?,
        }
        return Ok(Outcome::Good);
    }
    if let Some(diagnosis) = diagnose(&what) {
        match args.format {
            Format::Json => writeln!(out, "{}", diagnosis_json(&diagnosis))?,
            Format::Human => {
                write!(out, "{}", place_of(&diagnosis))?;
                write!(out, "{}", diagnosis.rule.explain())?;
            }
        }
        return Ok(Outcome::Good);
    }
    let near = near(what.trim());
    let mut message = format!("`{what}` is no rule, and no server error text that is known here");
    if !near.is_empty() {
        message.push_str("; did you mean ");
        message.push_str(&near.join(", "));
        message.push('?');
    }
    crate::output::say(&crate::render::trouble(&message));
    Ok(Outcome::Fault)
}

fn place_of(diagnosis: &Diagnosis) -> String {
    let mut lines = Vec::new();
    if let Some(path) = &diagnosis.path {
        lines.push(format!("place:    {path}\n"));
    }
    if !diagnosis.ids.is_empty() {
        lines.push(format!("ids:      {}\n", diagnosis.ids.join(", ")));
    }
    if !lines.is_empty() {
        lines.push("\n".to_owned());
    }
    lines.concat()
}

/// The rules whose names share most of their words with a name, the nearest first.
fn near(name: &str) -> Vec<&'static str> {
    const MOST: usize = 5;
    let words: Vec<&str> = name.split(['-', '_', ' ']).filter(|word| word.len() > 2).collect();
    let shared = |id: &str| words.iter().filter(|word| id.split('-').any(|part| alike(part, word))).count();
    let mut near: Vec<_> = rules::all().map(|rule| (shared(rule.id), rule.id)).collect();
    near.retain(|(shared, _)| *shared > 0 && shared * 2 >= words.len());
    near.sort_by_key(|(shared, id)| (std::cmp::Reverse(*shared), id.split('-').count()));
    near.into_iter().take(MOST).map(|(_, id)| id).collect()
}

/// Whether two words are the same but for a plural.
fn alike(one: &str, other: &str) -> bool {
    one.trim_end_matches('s') == other.trim_end_matches('s')
}

fn rule_json(rule: &Rule) -> serde_json::Value {
    json!({
        "rule": rule.id,
        "severity": rule.severity.map(antiphon_contract::Severity::as_str),
        "title": rule.title,
        "why": rule.why,
        "errors": rule.errors,
        "refused": rule.refused,
        "accepted": rule.accepted,
        "fix": rule.repair,
        "evidence": rule.evidence,
    })
}

fn diagnosis_json(diagnosis: &Diagnosis) -> serde_json::Value {
    json!({
        "rule": diagnosis.rule.id,
        "path": diagnosis.path,
        "message_index": diagnosis.message,
        "block_index": diagnosis.block,
        "ids": diagnosis.ids,
        "text": diagnosis.text,
        "fix": diagnosis.fix(),
    })
}
