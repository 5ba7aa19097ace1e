//! Real session files. Nothing of them stands here.

use antiphon_interop::claude_code::{Options, Session};
use antiphon_log::{Reader, read};

use crate::support::{check_account, corpus, official_path};

#[test]
fn every_file_loads_and_every_line_is_accounted_for() {
    for path in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        let log = read(&bytes);
        let lines = log.report.lines;
        let own_line = log.entries.iter().filter(|entry| !entry.is_salvaged()).count() as u64;
        assert_eq!(lines.total, own_line + lines.bad);
        let session = Session::new(&log);
        for options in [Options::default(), Options::display()] {
            check_account(&log, &session.conversation_with(options));
        }
        for leaf in session.leaves().iter().rev().take(20) {
            check_account(&log, &session.conversation_from(*leaf, Options::default()));
        }
        println!(
            "{}: {} lines, {} bad; {} messages, {} joined, {} healed, {} leaves",
            path.file_name().unwrap().to_string_lossy(),
            lines.total,
            lines.bad,
            session.conversation().messages.len(),
            session.conversation().report.joined.len(),
            session.healed().len(),
            session.leaves().len()
        );
    }
}

#[test]
fn every_record_round_trips() {
    for path in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        let mut reader = Reader::default();
        bytes.chunks(4097).for_each(|chunk| reader.push(chunk));
        let log = reader.finish();
        assert_eq!(log, read(&bytes));
        for entry in log.entries.iter().filter(|entry| !entry.is_salvaged()) {
            let from = usize::try_from(entry.offset()).unwrap();
            assert_eq!(&bytes[from..from + entry.bytes().len()], entry.bytes());
            if let Some(message) = entry.message() {
                let whole = entry.raw().member("role").is_some_and(|role| role.as_str().is_some());
                let raw = if whole { entry.raw() } else { entry.raw().member("message").unwrap() };
                let written = antiphon_model::RawJson::parse(&message.to_json()).unwrap();
                assert!(raw.equivalent(written.as_ref()), "{}: line {}", path.display(), entry.line());
            }
        }
    }
}

#[test]
fn whole_links_give_what_the_official_rule_gives() {
    let mut compared = 0;
    for path in corpus() {
        let log = read(&std::fs::read(&path).unwrap());
        let session = Session::new(&log);
        let conversation = session.conversation();
        let repeats = conversation.report.roles.contains(&antiphon_interop::claude_code::LineRole::Repeat);
        if session.healed().is_empty() && !repeats {
            let path = session.leaf().map(|leaf| session.path(leaf)).unwrap_or_default();
            assert_eq!(path, official_path(&log));
            compared += 1;
        }
    }
    println!("{compared} files compared");
}
