//! The table holds itself: each rule that `check` judges has an example that breaks it and one that
//! keeps it.

use antiphon_contract::{Finding, Judge, Profile, Rule, Severity, check, explain, is_valid, rules};
use antiphon_model::{Content, ContentBlock, ImageBlock, Message, Request, Source};

fn read(example: &str) -> Request {
    if example.trim_start().starts_with('[') {
        Request::from_messages_json(example).unwrap_or_else(|e| panic!("{e}: {example}"))
    } else {
        Request::from_json(example).unwrap_or_else(|e| panic!("{e}: {example}"))
    }
}

/// A profile under which the rule is on.
fn profile_for(rule: &Rule) -> Profile {
    match rule.severity {
        Some(_) => Profile::default(),
        None => Profile::default().with_level(rule.id, Some(Severity::Error)),
    }
}

/// Examples too large to be written down.
fn large(rule: &Rule) -> Option<Request> {
    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII=";
    let image = |data: String| ContentBlock::from(ImageBlock::new(Source::base64("image/png", data)));
    let user = |blocks: Vec<ContentBlock>| Request::new(vec![Message::user_blocks(blocks)]);
    match rule.id {
        "image-too-large" => {
            let head = PNG.trim_end_matches('=');
            Some(user(vec![image(format!("{head}{}", "A".repeat(5 * 1024 * 1024 + 4 - head.len())))]))
        }
        "too-many-images" => Some(user((0..601).map(|_| image(PNG.to_owned())).collect())),
        "body-too-large" => Some(Request::new(vec![Message::user("x".repeat(33 * 1024 * 1024))])),
        "too-many-messages" => Some(Request::new((0..100_001).map(|_| Message::user("x")).collect())),
        _ => None,
    }
}

fn ids(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn every_rule_has_a_refused_and_an_accepted_example() {
    for rule in rules::all().filter(|rule| rule.judge == Judge::Request) {
        let profile = profile_for(rule);
        let refused = if rule.refused.is_empty() {
            large(rule).unwrap_or_else(|| panic!("{} has no refused example", rule.id))
        } else {
            read(rule.refused)
        };
        let findings = check(&refused, &profile);
        let finding = findings.iter().find(|f| f.rule.id == rule.id);
        let finding =
            finding.unwrap_or_else(|| panic!("{} is not found in its example: {:?}", rule.id, ids(&findings)));
        assert_eq!(Some(finding.severity), profile.severity(rule), "{}", rule.id);
        assert!(!finding.message.is_empty());

        let accepted = read(rule.accepted);
        let findings = check(&accepted, &profile);
        assert!(findings.iter().all(|f| f.rule.id != rule.id), "{} is found in its accepted example", rule.id);
        assert!(is_valid(&accepted, &profile), "the accepted example of {} has {:?}", rule.id, ids(&findings));
    }
}

#[test]
fn a_broken_example_breaks_nothing_else_that_is_an_error() {
    // One fault, one error: a reader is not sent after echoes. These rules come in pairs by nature.
    let pairs = [
        ("cache-control-on-empty-text", "empty-text-block"),
        ("image-dimensions", "image-undecodable"),
        ("prefill-with-thinking", "ends-with-assistant"),
        ("tool-result-not-in-user", "orphan-tool-result"),
    ];
    for rule in rules::all().filter(|rule| rule.judge == Judge::Request && !rule.refused.is_empty()) {
        let request = read(rule.refused);
        for finding in check(&request, &profile_for(rule)).iter().filter(|f| f.is_error()) {
            let known = finding.rule.id == rule.id || pairs.contains(&(rule.id, finding.rule.id));
            assert!(known, "{} also breaks {}", rule.id, finding.rule.id);
        }
    }
}

#[test]
fn ids_are_unique_kebab_case_and_explained() {
    let mut seen = std::collections::HashSet::new();
    for rule in rules::all() {
        assert!(seen.insert(rule.id), "{} is there twice", rule.id);
        assert!(rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{}", rule.id);
        let text = explain(rule.id).expect("explained");
        assert!(text.contains(rule.title) && text.contains(rule.why), "{}", rule.id);
    }
}

#[test]
fn the_ids_that_the_cases_use_are_there() {
    for id in [
        "missing-tool-result",
        "orphan-tool-result",
        "tool-result-not-adjacent",
        "tool-result-not-first",
        "duplicate-tool-result",
        "duplicate-tool-use-id",
        "invalid-tool-id",
        "empty-text-block",
        "whitespace-text-block",
        "trailing-whitespace-final-assistant",
        "lone-surrogate",
        "too-many-cache-control",
        "image-too-large",
        "image-dimensions",
        "image-media-type-mismatch",
        "error-result-not-text",
        "tool-input-incomplete",
        "stream-incomplete",
        "stream-error",
        "jsonl-bad-line",
        "jsonl-torn-tail",
        "consecutive-same-role",
        "ends-with-assistant",
        "thinking-text-empty",
        "nul-byte",
        "ansi-escape",
        "base64-in-text",
    ] {
        assert!(rules::by_id(id).is_some(), "{id}");
    }
}

#[test]
fn a_level_can_be_changed_for_every_rule() {
    let mut silent = Profile::default();
    for rule in rules::all() {
        silent = silent.with_level(rule.id, None);
    }
    for rule in rules::all().filter(|rule| !rule.refused.is_empty()) {
        assert!(check(&read(rule.refused), &silent).is_empty(), "{}", rule.id);
    }
    let request = Request::new(vec![Message::turn(antiphon_model::Role::User, Content::from(""))]);
    assert!(!check(&request, &Profile::default()).is_empty());
}
