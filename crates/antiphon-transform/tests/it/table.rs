//! Every rule that has a repair is repaired in its own example.

use crate::support::{assert_repairs, read};
use antiphon_contract::{Judge, Profile, Severity, rules};
use antiphon_transform::{Conversation, Repair, Transform};

#[test]
fn each_rule_with_a_repair_is_repaired() {
    for rule in rules::all().filter(|r| r.judge == Judge::Request && r.repair.is_some() && !r.refused.is_empty()) {
        let profile = Profile::default().with_level(rule.id, Some(Severity::Error));
        let (_, result) = assert_repairs(read(rule.refused), &Repair::new(profile.clone()), &profile);
        let report = result.unwrap_or_else(|e| panic!("{}: {e}", rule.id));
        assert!(!report.is_empty(), "{}", rule.id);
    }
}

#[test]
fn an_accepted_example_is_not_touched() {
    for rule in rules::all().filter(|r| !r.accepted.is_empty()) {
        let request = read(rule.accepted);
        let mut conversation = Conversation::new(request.clone());
        let report = Repair::default().apply(&mut conversation).unwrap();
        assert!(report.is_empty(), "{}: {:?}", rule.id, report.changes);
        assert_eq!(conversation.into_request(), request, "{}", rule.id);
    }
}

#[test]
fn rules_without_a_repair_are_refused_with_their_name() {
    let mut conversation = Conversation::new(read(r#"[{"role":"tool","content":"x"}]"#));
    let error = Repair::default().apply(&mut conversation).unwrap_err();
    assert!(error.to_string().contains("unknown-role"), "{error}");
}
