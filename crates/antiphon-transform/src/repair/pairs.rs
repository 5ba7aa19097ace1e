//! Calls and their results: each call gets one result, directly behind it.

use super::Work;
use crate::conversation::{Origin, Slot};
use crate::repair::{MissingResult, OrphanResult};
use crate::report::ChangeKind::{Inserted, Moved, Removed, Replaced};
use antiphon_contract::{Finding, Path, View};
use antiphon_model::{BlockRef, Content, ContentBlock, Message, Role, ToolResult};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

pub(super) const RULES: &[&str] = &[
    "missing-tool-result",
    "tool-result-not-adjacent",
    "tool-result-not-first",
    "split-tool-results",
    "duplicate-tool-result",
    "orphan-tool-result",
];

/// Where a result or a call stands: message, and block if it is one.
type Spot = (usize, Option<usize>);

/// A run of assistant messages with calls, and what stands directly behind it.
struct Group {
    /// First message behind the run: where flat results and new messages go.
    end: usize,
    /// The messages of the user turn directly behind; empty if another turn comes there.
    answer: Range<usize>,
    calls: Vec<Call>,
}

struct Call {
    id: String,
    spot: Spot,
    /// The results that name it, in order.
    results: Vec<Found>,
}

#[derive(Clone, Copy)]
struct Found {
    spot: Spot,
    failed: bool,
}

/// What is to be done, found without changing anything.
#[derive(Default)]
struct Plan {
    /// Results and calls that leave their place.
    leave: BTreeMap<Spot, Leave>,
    /// The results that are to stand first behind a run, in order.
    behind: Vec<Behind>,
}

#[derive(PartialEq)]
enum Leave {
    /// It goes behind its call.
    Behind,
    Drop,
    ToText,
}

struct Behind {
    end: usize,
    answer: Range<usize>,
    answers: Vec<Answer>,
}

enum Answer {
    Real(Spot),
    Synthetic { id: String, flat: bool },
}

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let (messages, origins): (Vec<Message>, Vec<Origin>) =
        std::mem::take(&mut work.slots).into_iter().map(|slot| (slot.message, slot.origin)).unzip();
    let (groups, orphans) = groups(&messages);
    let leading = Leading::of(&messages);
    work.slots = messages.into_iter().zip(origins).map(|(message, origin)| Slot { message, origin }).collect();
    let plan = plan(work, groups, &orphans, &leading, findings);
    apply(work, plan);
}

/// The groups of calls with the results that name them, and the results that nobody asks for.
fn groups(messages: &[Message]) -> (Vec<Group>, Vec<Spot>) {
    let view = View::new(messages);
    let is = |at: usize, role| view.turns.get(at).is_some_and(|turn| turn.role == Some(role));
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while at < view.turns.len() {
        let from = at;
        while is(at, Role::Assistant) {
            at += 1;
        }
        let run = view.turns.get(from..at).unwrap_or_default();
        let next = view.turns.get(at).filter(|next| next.role == Some(Role::User));
        let answered: HashSet<&str> = next
            .iter()
            .flat_map(|turn| view.of(turn))
            .filter_map(|p| p.content.as_tool_result())
            .map(|result| result.tool_use_id.as_str())
            .collect();
        let mut calls: Vec<Call> = Vec::new();
        let mut any_answered = false;
        for turn in run {
            for placed in view.of(turn) {
                let Some(call) = placed.content.as_tool_use() else { continue };
                any_answered |= answered.contains(call.id.as_str());
                calls.push(Call { id: call.id.clone(), spot: (placed.message, placed.block), results: Vec::new() });
            }
            let end = turn.messages.end;
            let last = run.last().is_some_and(|last| last.messages.end == end);
            // A call that was cut off, and the assistant went on in a message of its own: its result goes right
            // behind it. Only calls that were answered together behind the run belong together.
            if !calls.is_empty() && (last || !any_answered) {
                let answer = match next {
                    Some(next) if last => next.messages.clone(),
                    _ => end..end,
                };
                groups.push(Group { end, answer, calls: std::mem::take(&mut calls) });
            }
        }
        at = at.max(from + 1);
    }
    // For each id the calls that bear it, in order: ids may come back in later turns.
    let mut by_id: HashMap<String, Vec<(usize, usize, usize)>> = HashMap::new();
    for (g, group) in groups.iter().enumerate() {
        for (c, call) in group.calls.iter().enumerate() {
            by_id.entry(call.id.clone()).or_default().push((call.spot.0, g, c));
        }
    }
    let mut orphans = Vec::new();
    for placed in view.turns.iter().filter(|turn| turn.role == Some(Role::User)).flat_map(|turn| view.of(turn)) {
        let BlockRef::ToolResult(result) = placed.content else { continue };
        let spot = (placed.message, placed.block);
        let Some(calls) = by_id.get(&result.tool_use_id) else {
            orphans.push(spot);
            continue;
        };
        // The nearest call before it; a result that came too early belongs to the first.
        let before = calls.partition_point(|(message, ..)| *message < placed.message);
        let call = calls
            .get(before.saturating_sub(1))
            .and_then(|(_, g, c)| groups.get_mut(*g).and_then(|group| group.calls.get_mut(*c)));
        if let Some(call) = call {
            call.results.push(Found { spot, failed: result.failed() });
        }
    }
    (groups, orphans)
}

/// For each message, its blocks as far as order is concerned: which are results.
struct Leading(Vec<Vec<bool>>);

impl Leading {
    fn of(messages: &[Message]) -> Self {
        Self(
            messages
                .iter()
                .map(|message| {
                    if message.tool_results().next().is_none() {
                        return if message.blocks().len() > 0 { vec![false] } else { Vec::new() };
                    }
                    message.blocks().map(|block| block.as_tool_result().is_some()).collect()
                })
                .collect(),
        )
    }

    /// The first blocks of a run of messages, leaving out those in `gone`: how many results stand before
    /// anything else.
    fn results_first(&self, messages: Range<usize>, gone: &BTreeMap<Spot, Leave>) -> usize {
        let mut count = 0;
        for message in messages {
            for (at, is_result) in self.0.get(message).into_iter().flatten().enumerate() {
                if gone.contains_key(&(message, Some(at))) || gone.contains_key(&(message, None)) {
                    continue;
                }
                if !is_result {
                    return count;
                }
                count += 1;
            }
        }
        count
    }
}

fn plan(work: &mut Work<'_>, groups: Vec<Group>, orphans: &[Spot], leading: &Leading, findings: &[Finding]) -> Plan {
    let options = work.options;
    let mut plan = Plan::default();
    let flagged: HashMap<Spot, &'static str> =
        findings.iter().filter_map(|f| Some(((f.path.message_index()?, f.path.block_index()), f.rule.id))).collect();
    if options.selects("orphan-tool-result") {
        for spot in orphans {
            let to_text = options.orphan == OrphanResult::ToText;
            let (kind, detail) =
                if to_text { (Replaced, "an orphan result by its text") } else { (Removed, "an orphan result") };
            work.add("orphan-tool-result", kind, path(*spot), detail);
            plan.leave.insert(*spot, if to_text { Leave::ToText } else { Leave::Drop });
        }
    }
    // Of several results for one call, the first that did not fail is the one.
    let chosen: Vec<Vec<Option<Found>>> = groups
        .iter()
        .map(|group| {
            let pick = |call: &Call| call.results.iter().find(|r| !r.failed).or(call.results.first()).copied();
            group.calls.iter().map(pick).collect()
        })
        .collect();
    if options.selects("duplicate-tool-result") {
        for (call, pick) in groups.iter().zip(&chosen).flat_map(|(group, picks)| group.calls.iter().zip(picks)) {
            for extra in call.results.iter().filter(|r| Some(r.spot) != pick.map(|p| p.spot)) {
                work.add(
                    "duplicate-tool-result",
                    Removed,
                    path(extra.spot),
                    format!("a second result for {}", short(&call.id)),
                );
                plan.leave.insert(extra.spot, Leave::Drop);
            }
        }
    }
    let moves = ["tool-result-not-adjacent", "tool-result-not-first", "split-tool-results"];
    let may_move = moves.iter().any(|rule| options.selects(rule));
    for (group, picks) in groups.into_iter().zip(chosen) {
        let near = |found: &Found| group.answer.contains(&found.spot.0);
        let mut here: Vec<Spot> = picks.iter().flatten().filter(|f| near(f)).map(|f| f.spot).collect();
        here.sort_unstable();
        let in_order = leading.results_first(group.answer.clone(), &plan.leave) >= here.len();
        let mut answers: Vec<Answer> = here.into_iter().map(Answer::Real).collect();
        let mut changed = !in_order && may_move;
        for (call, pick) in group.calls.iter().zip(&picks) {
            match pick {
                Some(found) => {
                    if !near(found) && may_move {
                        changed = true;
                        answers.push(Answer::Real(found.spot));
                    }
                    let rule = flagged.get(&found.spot).copied().filter(|rule| moves.contains(rule));
                    if may_move && (!near(found) || !in_order && rule.is_some()) {
                        let rule = rule.unwrap_or("tool-result-not-adjacent");
                        work.add_behind(
                            rule,
                            Moved,
                            path(found.spot),
                            group.end,
                            format!("the result for {} to its call", short(&call.id)),
                        );
                    }
                }
                None if !options.selects("missing-tool-result") => {}
                None if options.missing == MissingResult::DropCall => {
                    work.add(
                        "missing-tool-result",
                        Removed,
                        path(call.spot),
                        format!("the call {} without a result", short(&call.id)),
                    );
                    plan.leave.insert(call.spot, Leave::Drop);
                }
                None => {
                    changed = true;
                    work.add_behind(
                        "missing-tool-result",
                        Inserted,
                        path(call.spot),
                        group.end,
                        format!("an error result for {}", short(&call.id)),
                    );
                    answers.push(Answer::Synthetic { id: call.id.clone(), flat: call.spot.1.is_none() });
                }
            }
        }
        if changed {
            for answer in &answers {
                if let Answer::Real(spot) = answer {
                    plan.leave.insert(*spot, Leave::Behind);
                }
            }
            plan.behind.push(Behind { end: group.end, answer: group.answer, answers });
        }
    }
    plan
}

fn path((message, block): Spot) -> Path {
    let path = Path::message(message);
    match block {
        Some(at) => path.field("content").index(at),
        None => path,
    }
}

fn short(id: &str) -> String {
    let mut chars = id.chars();
    let head: String = chars.by_ref().take(80).collect();
    if chars.next().is_some() { format!("`{head}…`") } else { format!("`{head}`") }
}

/// A result on its way: a flat record, or a block of a message.
enum Taken {
    Flat(Slot),
    Block(ContentBlock, Origin),
}

fn apply(work: &mut Work<'_>, plan: Plan) {
    let mut taken: HashMap<Spot, Taken> = HashMap::new();
    let mut dead: HashSet<usize> = HashSet::new();
    let mut slots: Vec<Option<Slot>> = std::mem::take(&mut work.slots).into_iter().map(Some).collect();
    take_out(&mut slots, &plan.leave, &mut taken, &mut dead);

    // What is to be put before each message, and in front of the blocks of which message.
    let mut before: BTreeMap<usize, Vec<Slot>> = BTreeMap::new();
    let mut front: HashMap<usize, Vec<ContentBlock>> = HashMap::new();
    for behind in plan.behind {
        let mut flats = Vec::new();
        let mut blocks = Vec::new();
        let mut origin = Origin::None;
        for answer in behind.answers {
            match answer {
                Answer::Synthetic { id, flat } => {
                    let result = ToolResult::error(id, work.options.missing_text.clone());
                    if flat {
                        flats.push(Slot::made(Message::ToolResult(result)));
                    } else {
                        blocks.push(ContentBlock::ToolResult(result));
                    }
                }
                Answer::Real(spot) => match taken.remove(&spot) {
                    Some(Taken::Flat(slot)) => flats.push(slot),
                    Some(Taken::Block(block, from)) => {
                        origin.extend(&from);
                        blocks.push(block);
                    }
                    None => {}
                },
            }
        }
        if !blocks.is_empty() {
            let host = behind.answer.clone().find(|at| {
                slots.get(*at).and_then(Option::as_ref).is_some_and(|slot| matches!(slot.message, Message::User(_)))
            });
            if let Some(at) = host {
                if let Some(slot) = slots.get_mut(at).and_then(Option::as_mut) {
                    slot.origin.extend(&origin);
                }
                dead.remove(&at);
                front.insert(at, blocks);
            } else {
                flats.push(Slot { message: Message::user_blocks(blocks), origin });
            }
        }
        before.entry(behind.end).or_default().extend(flats);
    }

    let count = slots.len();
    let mut out = Vec::with_capacity(count);
    for (index, slot) in slots.into_iter().enumerate() {
        out.extend(before.remove(&index).into_iter().flatten());
        let Some(mut slot) = slot.filter(|_| !dead.contains(&index)) else { continue };
        if let Some(mut blocks) = front.remove(&index)
            && let Some(content) = slot.message.content_mut()
        {
            let own = content.make_blocks();
            blocks.append(own);
            *own = blocks;
        }
        out.push(slot);
    }
    out.extend(before.remove(&count).into_iter().flatten());
    work.slots = out;
}

/// Takes results and calls out of their messages. A user message that is left empty is dead.
fn take_out(
    slots: &mut [Option<Slot>],
    leave: &BTreeMap<Spot, Leave>,
    taken: &mut HashMap<Spot, Taken>,
    dead: &mut HashSet<usize>,
) {
    let mut leaving = leave.iter().peekable();
    while let Some((&(message, block), what)) = leaving.next() {
        let Some(place) = slots.get_mut(message) else { continue };
        if block.is_none() {
            match (what, place.take()) {
                (Leave::Behind, Some(slot)) => {
                    taken.insert((message, None), Taken::Flat(slot));
                }
                (Leave::ToText, Some(mut slot)) => {
                    if let Message::ToolResult(result) = slot.message {
                        slot.message = Message::user_blocks(words(result));
                        if slot.message.content().is_some_and(|c| !c.is_empty()) {
                            *place = Some(Slot { message: slot.message, origin: slot.origin });
                        }
                    }
                }
                _ => {}
            }
            continue;
        }
        // All that leaves this message, at once.
        let mut here: HashMap<usize, &Leave> = block.map(|at| (at, what)).into_iter().collect();
        while let Some(((_, Some(at)), what)) = leaving.next_if(|((other, _), _)| *other == message) {
            here.insert(*at, what);
        }
        let Some(slot) = place.as_mut() else { continue };
        let origin = slot.origin.clone();
        let user = matches!(slot.message, Message::User(_));
        let Some(Content::Blocks(blocks)) = slot.message.content_mut() else { continue };
        let mut kept = Vec::with_capacity(blocks.len());
        for (at, block) in std::mem::take(blocks).into_iter().enumerate() {
            match (here.get(&at), block) {
                (None, block) => kept.push(block),
                (Some(Leave::Behind), block) => {
                    taken.insert((message, Some(at)), Taken::Block(block, origin.clone()));
                }
                (Some(Leave::ToText), ContentBlock::ToolResult(result)) => kept.extend(words(result)),
                (Some(_), _) => {}
            }
        }
        *blocks = kept;
        if blocks.is_empty() && user {
            dead.insert(message);
        }
    }
}

/// What a result says, as blocks of a user turn.
fn words(result: ToolResult) -> Vec<ContentBlock> {
    let blocks = result.content.map(Content::into_blocks).unwrap_or_default();
    blocks
        .into_iter()
        .map(|block| match block.type_name() {
            "text" | "image" | "document" | "search_result" => block,
            _ => super::block::as_text(&block),
        })
        .collect()
}
