use std::collections::HashSet;
use std::path::{Path, PathBuf};

use antiphon_interop::claude_code::{Conversation, LineRole, Session};
use antiphon_log::Log;
use antiphon_model::{Message, RawJson};
use serde_json::Value;

/// A folder named by a variable of the environment, or one beside the workspace.
fn folder(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(default), PathBuf::from)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: nothing to read in {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    files
}

pub(crate) fn cases() -> Vec<(PathBuf, Value)> {
    let files = files(&folder("ANTIPHON_CASES", "../../testdata/cases"));
    let sessions = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    sessions
        .map(|path| {
            let expect = std::fs::read(path.with_extension("expect.json")).unwrap();
            (path, serde_json::from_slice(&expect).unwrap())
        })
        .collect()
}

pub(crate) fn corpus() -> Vec<PathBuf> {
    files(&folder("ANTIPHON_CORPUS", "../../../shared/corpus").join("claude-code"))
}

/// Role and content, a lone string as one text block: what the cases compare.
pub(crate) fn wire(message: &Value) -> Value {
    let content = match &message["content"] {
        Value::String(text) => serde_json::json!([{"type": "text", "text": text}]),
        other => other.clone(),
    };
    serde_json::json!({"role": message["role"], "content": content})
}

pub(crate) fn wires(messages: &[Message]) -> Vec<Value> {
    messages.iter().map(|message| wire(&serde_json::from_str(&message.to_json()).unwrap())).collect()
}

/// Role and content as written.
pub(crate) fn contents(messages: &[Message]) -> Vec<(String, String)> {
    messages
        .iter()
        .map(|message| {
            let raw = RawJson::parse(&message.to_json()).unwrap();
            (message.role_name().to_owned(), raw.member("content").unwrap().get().to_owned())
        })
        .collect()
}

/// Every line has one role; those of messages are the ones the origins name; every block has a place it came from.
pub(crate) fn check_account(log: &Log, conversation: &Conversation) {
    assert_eq!(conversation.report.roles.len(), log.entries.len());
    let mut carried = HashSet::new();
    for (at, (message, origin)) in conversation.messages.iter().zip(&conversation.origins).enumerate() {
        for entry in &origin.entries {
            assert!(carried.insert(*entry), "an entry carries two messages");
            assert_eq!(conversation.report.roles[*entry], LineRole::Message(at));
        }
        assert_eq!(origin.blocks.len(), message.blocks().count());
        let mut places = HashSet::new();
        for (block, (entry, place)) in message.blocks().zip(&origin.blocks) {
            assert!(origin.entries.contains(entry) && places.insert((*entry, *place)));
            let own = log.entries[*entry].message().unwrap();
            assert_eq!(own.blocks().nth(*place).unwrap().type_name(), block.type_name());
        }
    }
    let messages = conversation.report.roles.iter().filter(|role| matches!(role, LineRole::Message(_))).count();
    assert_eq!(messages, carried.len());
}

/// What a reader sees that knows nothing but the official rule: no joining, no healing, no lines beside the way.
pub(crate) fn official_path(log: &Log) -> Vec<usize> {
    let session = Session::new(log);
    let lines = session.lines();
    let chained = |at: &usize| {
        let kind = lines[*at].type_name.and_then(|kind| kind.as_str().map(std::borrow::Cow::into_owned));
        lines[*at].uuid.is_some()
            && kind.is_some_and(|kind| ["user", "assistant", "system", "attachment", "progress"].contains(&&*kind))
    };
    let nodes: Vec<usize> = (0..lines.len()).filter(chained).collect();
    let uuid = |at: usize| lines[at].uuid.clone().unwrap();
    let parent = |at: usize| match &lines[at].parent {
        antiphon_interop::claude_code::Parent::Uuid(uuid) => Some(uuid.clone()),
        _ => None,
    };
    let by_uuid: std::collections::HashMap<_, _> = nodes.iter().map(|at| (uuid(*at), *at)).collect();
    let named: HashSet<_> = nodes.iter().filter_map(|at| parent(*at)).collect();
    let walk = |from: usize| {
        let mut seen = Vec::new();
        let mut met = HashSet::new();
        let mut now = Some(from);
        while let Some(at) = now.filter(|at| met.insert(*at)) {
            seen.push(at);
            now = parent(at).and_then(|uuid| by_uuid.get(&uuid).copied());
        }
        seen
    };
    let leaves: Vec<usize> = nodes
        .iter()
        .filter(|at| !named.contains(&uuid(**at)))
        .filter_map(|at| {
            let mut now = Some(*at);
            for _ in 0..lines.len() {
                match now {
                    Some(at) if lines[at].is_turn() => return now,
                    Some(at) => now = parent(at).and_then(|uuid| by_uuid.get(&uuid).copied()),
                    None => return None,
                }
            }
            None
        })
        .collect();
    let main = |at: &&usize| !lines[**at].is_sidechain && lines[**at].team_name.is_none() && !lines[**at].is_meta;
    let Some(leaf) = leaves.iter().filter(main).max().or(leaves.iter().max()) else { return Vec::new() };
    let mut path = walk(*leaf);
    path.reverse();
    path
}
