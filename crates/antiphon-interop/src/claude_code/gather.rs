//! From a leaf to the messages of its conversation.
//!
//! A plain walk from leaf to root loses lines: with parallel tools the lines of one answer fork, and the way to the leaf passes
//! only one of the ends. So the lines of an answer that hang beside the way are taken in, and the results that
//! answer its calls; the results of one turn come into one user message, right behind the answer.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use antiphon_model::{Message, RawRef};

use super::chain::{NONE, set};
use super::line::{Line, LineKind};
use super::merge::merge;
use super::session::{Conversation, Joined, LineRole, Options, Session, SessionReport};

/// Not looked at yet.
const UNKNOWN: usize = usize::MAX - 1;

/// Lines that make one message.
struct Group<'a> {
    turn: usize,
    /// Within a turn answers come first, then their results, then the rest.
    class: u8,
    lines: Vec<(usize, Message)>,
    key: Option<String>,
    request: Option<RawRef<'a>>,
}

const ANSWER: u8 = 0;
const RESULTS: u8 = 1;
const PROMPT: u8 = 2;

struct Gather<'s, 'a> {
    session: &'s Session<'a>,
    options: Options,
    leaf: Option<&'s Line<'a>>,
    on_path: Vec<bool>,
    /// The nearest assistant line upwards, the line itself included.
    owner: Vec<usize>,
    roles: Vec<LineRole>,
}

pub(crate) fn gather(session: &Session<'_>, leaf: usize, options: Options) -> Conversation {
    let count = session.lines.len();
    let mut gather = Gather {
        session,
        options,
        leaf: session.line(leaf),
        on_path: vec![false; count],
        owner: vec![UNKNOWN; count],
        roles: Vec::with_capacity(count),
    };
    let path = session.chain.path(leaf);
    for at in &path {
        set(&mut gather.on_path, *at, true);
    }
    gather.first_roles(&path);
    let groups = gather.groups(&path);
    let healed = session.chain.healed.iter().filter(|healed| gather.on_path.get(healed.entry) == Some(&true));
    let mut report = SessionReport { healed: healed.cloned().collect(), ..SessionReport::default() };
    let (mut messages, mut origins) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
    for group in groups {
        let Some((message, origin)) = merge(group.lines, group.class == RESULTS) else { continue };
        for entry in &origin.entries {
            set(&mut gather.roles, *entry, LineRole::Message(messages.len()));
        }
        if origin.entries.len() > 1 {
            report.joined.push(Joined { message: messages.len(), entries: origin.entries.clone() });
        }
        messages.push(message);
        origins.push(origin);
    }
    report.roles = gather.roles;
    Conversation { messages, origins, report, options }
}

impl<'a> Gather<'_, 'a> {
    /// Every line gets a role; those that become messages are told later.
    fn first_roles(&mut self, path: &[usize]) {
        let session = self.session;
        for (at, line) in session.lines.iter().enumerate() {
            self.roles.push(match (session.chain.node.get(at), line.is_turn()) {
                (Some(true), true) if self.is_aside(line) => LineRole::Sidechain,
                (Some(true), true) => LineRole::OtherBranch,
                (Some(true), false) => LineRole::Aside,
                _ => LineRole::Record,
            });
        }
        for (repeat, _) in &session.chain.repeats {
            set(&mut self.roles, *repeat, LineRole::Repeat);
        }
        // What a compaction replaced hangs on its logical parent.
        let mut root = path.first().copied();
        while let Some(boundary) = root.take() {
            let logical = session.line(boundary).and_then(|line| line.logical_parent).and_then(RawRef::as_str);
            let mut at = logical.and_then(|uuid| session.by_uuid.get(&uuid).copied()).unwrap_or(NONE);
            while at != NONE
                && matches!(self.roles.get(at), Some(LineRole::OtherBranch | LineRole::Aside))
                && self.on_path.get(at) == Some(&false)
            {
                set(&mut self.roles, at, LineRole::Compacted);
                let parent = session.chain.parent_of(at);
                if parent == NONE {
                    root = Some(at);
                }
                at = parent;
            }
        }
        for at in path {
            let Some(line) = session.line(*at) else { continue };
            let role = match line.is_turn() {
                false => LineRole::Chain,
                true if self.is_aside(line) => LineRole::Sidechain,
                true if line.is_meta && !self.options.meta => LineRole::Meta,
                true if line.is_api_error && !self.options.error_notices => LineRole::ErrorNotice,
                true => LineRole::Unreadable,
            };
            set(&mut self.roles, *at, role);
        }
    }

    /// A line of an agent or team other than the leaf's.
    fn is_aside(&self, line: &Line<'_>) -> bool {
        let leaf = self.leaf;
        line.is_sidechain && !leaf.is_some_and(|leaf| leaf.is_sidechain)
            || line.team_name.is_some() && leaf.is_none_or(|leaf| leaf.team_name.is_none())
    }

    /// Whether a line off the way may belong to a message on it.
    fn is_candidate(&self, at: usize, line: &Line<'_>) -> bool {
        self.on_path.get(at) == Some(&false)
            && self.session.chain.node.get(at) == Some(&true)
            && line.is_turn()
            && !self.is_aside(line)
            && (self.options.meta || !line.is_meta)
            && !line.is_api_error
    }

    fn groups(&mut self, path: &[usize]) -> Vec<Group<'a>> {
        let turns: Vec<(usize, Message)> = path
            .iter()
            .filter(|at| self.roles.get(**at) == Some(&LineRole::Unreadable))
            .filter_map(|at| Some((*at, read(self.session.line(*at)?)?)))
            .collect();
        let forked = path.len() < self.session.chain.node.iter().filter(|node| **node).count();
        let mut siblings = if forked { self.siblings(&turns) } else { HashMap::new() };
        let answered: HashSet<String> =
            if forked { turns.iter().flat_map(|(_, message)| result_ids(message)).collect() } else { HashSet::new() };

        let mut groups: Vec<Group<'a>> = Vec::with_capacity(turns.len());
        let mut group_of: HashMap<usize, usize> = HashMap::new();
        let mut turn = 0;
        let mut calls: HashSet<String> = HashSet::new();
        let mut results: HashMap<usize, usize> = HashMap::new();
        let (mut last_answer, mut user_since, mut prompt_since) = (None, false, false);
        for (at, message) in turns {
            let Some(line) = self.session.line(at) else { continue };
            if matches!(message, Message::Assistant(_)) {
                let key = key(line, &message);
                let same = last_answer.filter(|last| {
                    groups.get(*last).is_some_and(|group: &Group<'_>| {
                        let request = group.request.is_some() && group.request == line.request_id;
                        key.is_some() && group.key == key && (!prompt_since || request)
                    })
                });
                let group = same.unwrap_or_else(|| {
                    if user_since {
                        turn += 1;
                        calls.clear();
                    }
                    (user_since, prompt_since) = (false, false);
                    groups.push(Group { turn, class: ANSWER, lines: Vec::new(), key, request: line.request_id });
                    groups.len() - 1
                });
                last_answer = Some(group);
                let beside = siblings.remove(&at).unwrap_or_default();
                if forked {
                    group_of.insert(at, group);
                    group_of.extend(beside.iter().map(|(at, _)| (*at, group)));
                }
                for (at, message) in std::iter::once((at, message)).chain(beside) {
                    calls.extend(message.tool_uses().map(|call| call.id.clone()));
                    if let Some(group) = groups.get_mut(group) {
                        group.lines.push((at, message));
                    }
                }
                continue;
            }
            user_since = true;
            if result_ids(&message).any(|id| calls.contains(&id)) {
                let group = *results.entry(turn).or_insert_with(|| {
                    groups.push(Group { turn, class: RESULTS, lines: Vec::new(), key: None, request: None });
                    groups.len() - 1
                });
                if let Some(group) = groups.get_mut(group) {
                    group.lines.push((at, message));
                }
            } else {
                prompt_since |= !line.is_meta;
                groups.push(Group { turn, class: PROMPT, lines: vec![(at, message)], key: None, request: None });
            }
        }
        if forked {
            self.results_beside(&mut groups, &group_of, &mut results, answered);
        }
        for group in &mut groups {
            // File order, unless the file has parents behind their children: then the way counts.
            let on_path = |at: &usize| self.on_path.get(*at) == Some(&true);
            let way: Vec<usize> = group.lines.iter().map(|(at, _)| *at).filter(on_path).collect();
            if way.len() < group.lines.len() && way.is_sorted() {
                group.lines.sort_by_key(|(at, _)| *at);
            }
        }
        groups.sort_by_key(|group| (group.turn, group.class));
        groups
    }

    /// Lines off the way that are parts of an answer on it, by the line of the way they hang on.
    fn siblings(&mut self, turns: &[(usize, Message)]) -> HashMap<usize, Vec<(usize, Message)>> {
        let mut keys: HashMap<usize, String> = HashMap::new();
        for (at, message) in turns {
            if let Some(key) = self.session.line(*at).and_then(|line| key(line, message)) {
                keys.insert(*at, key);
            }
        }
        let mut out: HashMap<usize, Vec<(usize, Message)>> = HashMap::new();
        // Where each line off the way ends up, when its owners of the same key are followed.
        let mut ends: HashMap<usize, usize> = HashMap::new();
        for at in 0..self.session.lines.len() {
            let Some(line) = self.session.line(at) else { continue };
            if line.kind != LineKind::Assistant || !self.is_candidate(at, line) {
                continue;
            }
            let Some(own) = line.message.and_then(|message| raw_key(line, message)) else { continue };
            let mut way = vec![at];
            let mut now = at;
            let end = loop {
                let up = self.owner(self.session.chain.parent_of(now));
                if up == NONE {
                    break NONE;
                }
                if self.on_path.get(up) == Some(&true) {
                    break if keys.get(&up) == Some(&own) { up } else { NONE };
                }
                if let Some(end) = ends.get(&up) {
                    let same = keys.get(end) == Some(&own);
                    break if same { *end } else { NONE };
                }
                let up_line = self.session.line(up);
                let up_key = up_line.and_then(|line| raw_key(line, line.message?));
                if up_key.as_ref() != Some(&own) {
                    break NONE;
                }
                way.push(up);
                now = up;
            };
            for at in way {
                ends.insert(at, end);
            }
            if end != NONE
                && let Some(message) = read(line)
            {
                out.entry(end).or_default().push((at, message));
            }
        }
        out
    }

    /// Results off the way that answer calls on it which nothing on the way answers.
    fn results_beside(
        &mut self,
        groups: &mut Vec<Group<'a>>,
        group_of: &HashMap<usize, usize>,
        results: &mut HashMap<usize, usize>,
        mut answered: HashSet<String>,
    ) {
        let mut calls: HashMap<String, usize> = HashMap::new();
        for (at, group) in groups.iter().enumerate() {
            let own = group.lines.iter().flat_map(|(_, message)| message.tool_uses());
            calls.extend(own.map(|call| (call.id.clone(), at)));
        }
        for at in 0..self.session.lines.len() {
            let Some(line) = self.session.line(at) else { continue };
            if line.kind != LineKind::User || !self.is_candidate(at, line) {
                continue;
            }
            let named = line.source_assistant.and_then(RawRef::as_str);
            let named = named.and_then(|uuid| self.session.by_uuid.get(&uuid)).and_then(|at| group_of.get(at));
            let above = self.owner(self.session.chain.parent_of(at));
            let Some(group) = named.or_else(|| group_of.get(&above)).copied() else { continue };
            let Some(message) = read(line) else { continue };
            let Some(turn) = groups.get(group).map(|answer| answer.turn) else { continue };
            let ids: Vec<String> = result_ids(&message).collect();
            if !ids.iter().any(|id| calls.get(id) == Some(&group) && !answered.contains(id)) {
                continue;
            }
            answered.extend(ids);
            let group = *results.entry(turn).or_insert_with(|| {
                groups.push(Group { turn, class: RESULTS, lines: Vec::new(), key: None, request: None });
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(group) {
                group.lines.push((at, message));
            }
        }
    }

    /// The nearest assistant line from `at` upwards, over lines that carry no words of a person.
    fn owner(&mut self, at: usize) -> usize {
        let mut way = Vec::new();
        let mut now = at;
        let owner = loop {
            match self.owner.get(now).copied() {
                None => break NONE,
                Some(UNKNOWN) => {}
                Some(known) => break known,
            }
            let Some(line) = self.session.line(now) else { break NONE };
            way.push(now);
            match line.kind {
                LineKind::Assistant => break now,
                LineKind::User if !line.is_meta && !holds_result(line) => break NONE,
                _ => now = self.session.chain.parent_of(now),
            }
        };
        for at in way {
            set(&mut self.owner, at, owner);
        }
        owner
    }
}

/// The message of a line. One that lacks what its role requires is no message that could be sent.
fn read(line: &Line<'_>) -> Option<Message> {
    let message = Message::from_raw(line.message?);
    matches!(message, Message::User(_) | Message::Assistant(_)).then_some(message)
}

/// What all lines of one answer share.
fn key(line: &Line<'_>, message: &Message) -> Option<String> {
    let Message::Assistant(answer) = message else { return None };
    answer.id().or_else(|| line.request_id.and_then(RawRef::as_str)).map(Cow::into_owned)
}

/// The same, from a message that was not read.
pub(super) fn raw_key(line: &Line<'_>, message: RawRef<'_>) -> Option<String> {
    let id = message.member("id").and_then(RawRef::as_str);
    id.or_else(|| line.request_id.and_then(RawRef::as_str)).map(Cow::into_owned)
}

fn result_ids(message: &Message) -> impl Iterator<Item = String> + '_ {
    message.tool_results().map(|result| result.tool_use_id.clone())
}

fn holds_result(line: &Line<'_>) -> bool {
    let content = line.message.and_then(|message| message.member("content"));
    content.is_some_and(|content| {
        content.elements().any(|block| block.member("type").is_some_and(|kind| kind.is_str("tool_result")))
    })
}
