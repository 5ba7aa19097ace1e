use antiphon_interop::claude_code::Session;
use antiphon_interop::{Dialect, detect};
use antiphon_log::read;
use serde_json::Value;

use crate::support::{cases, check_account, official_path, wire, wires};

#[test]
fn what_can_be_had_is_had() {
    for (path, expect) in cases() {
        let log = read(&std::fs::read(&path).unwrap());
        assert_eq!(detect(&log.entries), Some(Dialect::ClaudeCode), "{}", path.display());
        let conversation = Session::new(&log).conversation();
        check_account(&log, &conversation);
        let sound = expect["violations"].as_array().is_some_and(Vec::is_empty);
        let wanted = if expect["recovered"].is_array() { &expect["recovered"] } else { &expect["repaired"] };
        if !expect["recovered"].is_array() && !sound {
            continue;
        }
        if let Some(wanted) = wanted.as_array() {
            let wanted: Vec<Value> = wanted.iter().map(wire).collect();
            assert_eq!(wires(&conversation.messages), wanted, "{}", path.display());
        }
    }
}

#[test]
fn links_that_are_whole_give_what_the_official_rule_gives() {
    for (path, _) in cases() {
        let log = read(&std::fs::read(&path).unwrap());
        let session = Session::new(&log);
        if session.healed().is_empty() {
            assert_eq!(session.path(session.leaf().unwrap()), official_path(&log), "{}", path.display());
        }
    }
}
