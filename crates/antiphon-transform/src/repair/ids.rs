//! Ids of calls: characters that the API refuses, and ids that stand twice.

use super::Work;
use super::block::{self, Place};
use crate::report::ChangeKind::{Removed, Renamed};
use antiphon_contract::Finding;
use antiphon_model::{BlockMut, BlockRef, ContentBlock, Message, Role};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

pub(super) const RULES: &[&str] = &["invalid-tool-id", "duplicate-tool-use-id"];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let mut names = Names::of(work);
    if findings.iter().any(|f| f.rule.id == "invalid-tool-id") {
        invalid(work, findings, &mut names);
    } else {
        duplicates(work, findings, &mut names);
    }
}

/// Ids that are taken, and how far each base has been counted.
struct Names {
    taken: HashSet<String>,
    counters: HashMap<String, usize>,
}

impl Names {
    fn of(work: &Work<'_>) -> Self {
        let mut taken = HashSet::new();
        for slot in &work.slots {
            for block in slot.message.blocks() {
                match block {
                    BlockRef::ToolUse(call) => taken.insert(call.id.clone()),
                    BlockRef::ToolResult(result) => taken.insert(result.tool_use_id.clone()),
                    BlockRef::ServerToolUse(call) => taken.insert(call.id.clone()),
                    _ => false,
                };
            }
        }
        Self { taken, counters: HashMap::new() }
    }

    /// A free id made of `base`: itself, or with a number behind.
    fn free(&mut self, base: &str, itself: bool) -> String {
        if itself && self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let counter = self.counters.entry(base.to_owned()).or_insert(1);
        loop {
            *counter += 1;
            let name = format!("{base}_{counter}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn sound(id: &str) -> String {
    let sound: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect();
    if sound.is_empty() { "tool".to_owned() } else { sound }
}

/// Calls `rename` for each id of a call or a result at the top of a message.
fn each_id(message: &mut Message, mut rename: impl FnMut(&mut String, bool)) {
    message.for_each_block_mut(|block| match block {
        BlockMut::ToolUse(call) => rename(&mut call.id, true),
        BlockMut::ToolResult(result) => rename(&mut result.tool_use_id, false),
        BlockMut::Block(ContentBlock::ToolUse(call)) => rename(&mut call.id, true),
        BlockMut::Block(ContentBlock::ToolResult(result)) => rename(&mut result.tool_use_id, false),
        _ => {}
    });
}

fn invalid(work: &mut Work<'_>, findings: &[Finding], names: &mut Names) {
    let mut renames: HashMap<String, String> = HashMap::new();
    for finding in findings.iter().filter(|f| f.rule.id == "invalid-tool-id") {
        let Some(place) = Place::of(&finding.path) else { continue };
        let Some(id) = block::tool_use(&mut work.slots, &place).map(|call| call.id.clone()) else { continue };
        if renames.contains_key(&id) {
            continue;
        }
        let name = names.free(&sound(&id), true);
        work.add(finding.rule.id, Renamed, finding.path.clone(), format!("the call is `{name}` now, its result too"));
        renames.insert(id, name);
    }
    for slot in &mut work.slots {
        each_id(&mut slot.message, |id, _| {
            if let Some(name) = renames.get(id.as_str()) {
                id.clone_from(name);
            }
        });
    }
}

/// The calls of one id in the run of assistant messages at hand.
struct Use {
    run: usize,
    name: String,
    input: antiphon_model::RawJson,
    /// The names under which its results are still to come, in order.
    awaited: VecDeque<String>,
}

fn duplicates(work: &mut Work<'_>, findings: &[Finding], names: &mut Names) {
    let flagged: BTreeSet<Place> = findings.iter().filter_map(|f| Place::of(&f.path)).collect();
    let mut uses: HashMap<String, Use> = HashMap::new();
    let mut drops: Vec<Place> = Vec::new();
    let mut flat_drops = BTreeSet::new();
    let mut done: Vec<(Place, String)> = Vec::new();
    let mut run = 0;
    let mut before = None;
    for (index, slot) in work.slots.iter_mut().enumerate() {
        let role = slot.message.wire_role();
        if role == Some(Role::Assistant) && before != role {
            run += 1;
        }
        before = role;
        let flat = slot.message.is_flat();
        let mut at = 0;
        slot.message.for_each_block_mut(|block| {
            let place = Place { message: index, steps: if flat { vec![] } else { vec![at] } };
            at += 1;
            match block {
                BlockMut::ToolUse(call) | BlockMut::Block(ContentBlock::ToolUse(call)) => {
                    let known = uses.get_mut(&call.id);
                    let Some(known) = known.filter(|_| flagged.contains(&place)) else {
                        uses.insert(
                            call.id.clone(),
                            Use {
                                run,
                                name: call.name.clone(),
                                input: call.input.clone(),
                                awaited: VecDeque::from([call.id.clone()]),
                            },
                        );
                        return;
                    };
                    let copy = known.run == run
                        && known.name == call.name
                        && known.input.as_ref().equivalent(call.input.as_ref());
                    if copy {
                        if flat {
                            flat_drops.insert(index);
                        } else {
                            drops.push(place.clone());
                        }
                        done.push((place, String::new()));
                        return;
                    }
                    let name = names.free(&call.id, false);
                    if known.run != run {
                        known.awaited.clear();
                    }
                    known.run = run;
                    known.awaited.push_back(name.clone());
                    done.push((place, name.clone()));
                    call.id = name;
                }
                BlockMut::ToolResult(result) | BlockMut::Block(ContentBlock::ToolResult(result)) => {
                    if let Some(known) = uses.get_mut(&result.tool_use_id) {
                        let name = if known.awaited.len() > 1 {
                            known.awaited.pop_front()
                        } else {
                            known.awaited.front().cloned()
                        };
                        if let Some(name) = name {
                            result.tool_use_id = name;
                        }
                    }
                }
                _ => {}
            }
        });
    }
    for (place, name) in done {
        let path = super::local::path_of(&place);
        if name.is_empty() {
            work.add("duplicate-tool-use-id", Removed, path, "a copy of the call before it");
        } else {
            work.add("duplicate-tool-use-id", Renamed, path, format!("the call is `{name}` now, its result too"));
        }
    }
    block::remove(&mut work.slots, drops);
    let mut index = 0;
    work.slots.retain(|_| {
        index += 1;
        !flat_drops.contains(&(index - 1))
    });
}
