//! Reports for machines. The shapes are those of DESIGN section 9.

use crate::finding::Item;
use crate::input::{Body, Input};
use antiphon_transform::Report;
use serde_json::{Value, json};

/// The findings of a file.
pub(crate) fn findings(input: &Input, items: &[Item]) -> String {
    let list: Vec<Value> = items
        .iter()
        .map(|item| {
            json!({
                "rule": item.rule,
                "severity": item.severity.as_str(),
                "path": item.path,
                "message": item.message,
                "fix": item.fix,
            })
        })
        .collect();
    let mut out = json!({
        "file": input.name,
        "kind": input.kind.name(),
        "valid": !items.iter().any(Item::is_error),
        "findings": list,
    });
    if let Body::Session(session) = &input.body {
        let lines = session.log.report.lines;
        let lines = json!({"total": lines.total, "bad": lines.bad, "salvaged": lines.salvaged});
        if let Some(members) = out.as_object_mut() {
            members.insert("lines".to_owned(), lines);
        }
    }
    out.to_string()
}

/// What `fix` did.
pub(crate) fn report(input: &Input, report: &Report, lines: &[String], remaining: &[Item]) -> String {
    let changes: Vec<Value> = report
        .changes
        .iter()
        .map(|change| {
            json!({
                "rule": change.rule,
                "kind": change.kind.as_str(),
                "path": change.path.to_string(),
                "detail": change.detail,
            })
        })
        .collect();
    let remaining: Vec<Value> = remaining
        .iter()
        .map(|item| json!({"rule": item.rule, "severity": item.severity.as_str(), "path": item.path, "message": item.message}))
        .collect();
    json!({
        "file": input.name,
        "kind": input.kind.name(),
        "valid": remaining.is_empty(),
        "changes": changes,
        "first_changed": report.first_changed(),
        "lines": lines,
        "remaining": remaining,
    })
    .to_string()
}
