//! From a plan to the bytes of the file: order of lines, links, new lines.

use std::collections::{HashMap, HashSet};

use antiphon_log::{Entry, write_record};
use antiphon_model::{RawJson, RawRef};

use super::chain::NONE;
use super::line::{Line, Parent};
use super::plan::{Item, Plan};
use super::rewrite::{Rewrite, Written};
use super::session::Session;
use crate::align::rising;

/// A line of the new file: an entry, or a new one by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Entry(usize),
    Fresh(usize),
}

/// The `parentUuid` that a line needs where it says something else.
#[derive(Debug)]
enum Link {
    Root,
    To(String),
}

impl Link {
    fn json(&self) -> RawJson {
        match self {
            Self::Root => RawJson::null(),
            Self::To(uuid) => RawJson::string(uuid),
        }
    }
}

struct Fresh {
    message: RawJson,
    like: usize,
    of: usize,
    uuid: Option<String>,
}

struct Emit<'s, 'a, 'p> {
    session: &'s Session<'a>,
    plan: &'p Plan,
    fresh: Vec<Fresh>,
    messages: HashMap<usize, &'p RawJson>,
    /// The line that comes before, where that is not what it was; `None`: none does.
    parents: HashMap<At, Option<At>>,
    gone: HashSet<usize>,
    /// The lines have uuids, so links say their order.
    named: bool,
    uuids: HashSet<String>,
    out: Rewrite,
}

pub(crate) fn emit(session: &Session<'_>, plan: &Plan) -> Rewrite {
    let mut emit = Emit {
        session,
        plan,
        fresh: Vec::new(),
        messages: HashMap::new(),
        parents: HashMap::new(),
        gone: plan.removed.clone(),
        named: session.lines.iter().any(|line| line.uuid.is_some()),
        uuids: HashSet::new(),
        out: Rewrite { damaged: session.log.report.lines.bad, ..Rewrite::default() },
    };
    let order = emit.order();
    emit.keep_history();
    let links = emit.links(&order);
    emit.drop_repeats(&links);
    emit.write(&order, &links);
    let Rewrite { edited, relinked, moved, removed, written, damaged, .. } = &emit.out;
    let same = [edited, relinked, moved, removed].iter().all(|list| list.is_empty());
    emit.out.changed = !same || !written.is_empty() || *damaged > 0;
    emit.out
}

impl<'a> Emit<'_, 'a, '_> {
    fn line(&self, at: At) -> Option<&Line<'a>> {
        match at {
            At::Entry(entry) => self.session.line(entry),
            At::Fresh(number) => self.session.line(self.fresh.get(number)?.like),
        }
    }

    fn uuid(&self, at: At) -> Option<&str> {
        match at {
            At::Entry(entry) => self.session.line(entry)?.uuid.as_deref(),
            At::Fresh(number) => self.fresh.get(number)?.uuid.as_deref(),
        }
    }

    /// Links the new way and gives the order of lines in the file.
    fn order(&mut self) -> Vec<At> {
        let mut behind: HashMap<At, Vec<At>> = HashMap::new();
        let mut ahead: HashMap<usize, Vec<At>> = HashMap::new();
        let mut moved: HashSet<usize> = HashSet::new();
        let mut tail = self.session.leaf().unwrap_or(NONE);
        let mut fresh_tail = None;
        let mut first = Vec::new();
        let plan = self.plan;
        for region in &plan.regions {
            let entry = |at: usize| (at != NONE).then_some(At::Entry(at));
            let mut before = entry(region.before);
            let mut sequence = Vec::with_capacity(region.items.len());
            for item in &region.items {
                let at = match item {
                    Item::Line { entry, message } => {
                        if let Some(message) = message {
                            self.messages.insert(*entry, message);
                        }
                        At::Entry(*entry)
                    }
                    Item::Fresh { message, like, of } => self.fresh_line(before, message, *like, *of),
                };
                self.parents.insert(at, before);
                sequence.push(at);
                before = Some(at);
            }
            match (entry(region.behind), before) {
                (Some(next), before) => {
                    self.parents.insert(next, before);
                }
                (None, Some(At::Fresh(number))) => fresh_tail = Some(At::Fresh(number)),
                (None, Some(At::Entry(last))) => (tail, fresh_tail) = (last, None),
                (None, None) => tail = NONE,
            }
            // Lines stay where they are; without links to tell their order, as far as the file can.
            let places: Vec<(usize, usize)> = sequence
                .iter()
                .enumerate()
                .filter_map(|(place, at)| if let At::Entry(entry) = at { Some((place, *entry)) } else { None })
                .filter(|(_, at)| *at < region.behind && (region.before == NONE || *at > region.before))
                .collect();
            let still: HashSet<usize> =
                if self.named { places } else { rising(&places) }.into_iter().map(|(_, entry)| entry).collect();
            let mut anchor = entry(region.before);
            let mut waiting = Vec::new();
            for at in sequence {
                match at {
                    At::Entry(entry) if still.contains(&entry) => {
                        if !waiting.is_empty() {
                            ahead.entry(entry).or_default().append(&mut waiting);
                        }
                        anchor = Some(at);
                        continue;
                    }
                    At::Entry(entry) => {
                        moved.insert(entry);
                    }
                    At::Fresh(_) => {}
                }
                match anchor {
                    Some(anchor) => behind.entry(anchor).or_default().push(at),
                    None => waiting.push(at),
                }
            }
            match entry(region.behind) {
                _ if waiting.is_empty() => {}
                Some(At::Entry(next)) => ahead.entry(next).or_default().append(&mut waiting),
                _ => first.append(&mut waiting),
            }
        }
        let tail = fresh_tail.or((tail != NONE).then_some(At::Entry(tail)));
        let mut order = first;
        for entry in 0..self.session.lines.len() {
            if self.gone.contains(&entry) {
                order.append(&mut behind.remove(&At::Entry(entry)).unwrap_or_default());
                continue;
            }
            order.append(&mut ahead.remove(&entry).unwrap_or_default());
            if !moved.contains(&entry) {
                order.push(At::Entry(entry));
            }
            order.append(&mut behind.remove(&At::Entry(entry)).unwrap_or_default());
        }
        if let (true, Some(tail)) = (plan.style.last, tail) {
            order.retain(|at| *at != tail);
            order.push(tail);
            if let At::Entry(entry) = tail {
                moved.insert(entry);
            }
        }
        self.out.moved = moved.into_iter().collect();
        self.out.moved.sort_unstable();
        order
    }

    /// What hung on a line that is gone hangs on the one before it.
    fn keep_history(&mut self) {
        let session = self.session;
        let mut ends: HashMap<usize, usize> = HashMap::new();
        for at in 0..session.lines.len() {
            let parent = session.chain.parent_of(at);
            if !self.gone.contains(&parent) || self.gone.contains(&at) || self.parents.contains_key(&At::Entry(at)) {
                continue;
            }
            let (mut up, mut way) = (parent, Vec::new());
            while self.gone.contains(&up) {
                if let Some(end) = ends.get(&up) {
                    up = *end;
                    break;
                }
                way.push(up);
                up = session.chain.parent_of(up);
            }
            ends.extend(way.into_iter().map(|at| (at, up)));
            self.parents.insert(At::Entry(at), (up != NONE).then_some(At::Entry(up)));
        }
    }

    /// A repeat must not bring back what changes: an equal line behind the one that changes would count as the newer of the two, and one
    /// that is equal afterwards as the same. Other lines with the same `uuid` stay; the one that counts stands behind them.
    fn drop_repeats(&mut self, links: &HashMap<At, Link>) {
        let mut now: HashMap<usize, RawJson> = HashMap::new();
        for (repeat, of) in &self.session.chain.repeats {
            let link = links.get(&At::Entry(*of));
            let message = self.messages.get(of).copied();
            let entry = |at: &usize| self.session.log.entries.get(*at);
            let drop = if self.gone.contains(of) {
                true
            } else if link.is_none() && message.is_none() {
                false
            } else if repeat > of {
                true
            } else if let Some(record) = entry(of) {
                let now = now
                    .entry(*of)
                    .or_insert_with(|| edited(record, message, link).unwrap_or_else(|| record.raw().to_owned()));
                entry(repeat).is_some_and(|other| other.text() == now.get())
            } else {
                false
            };
            if drop {
                self.gone.insert(*repeat);
            }
        }
        self.out.removed = self.gone.iter().copied().collect();
        self.out.removed.sort_unstable();
    }

    /// The links that have to be written.
    fn links(&self, order: &[At]) -> HashMap<At, Link> {
        let there: HashSet<At> = order.iter().copied().collect();
        let mut last: HashMap<(bool, Option<&str>, Option<&str>), At> = HashMap::new();
        let mut links = HashMap::new();
        for at in order {
            let Some(line) = self.line(*at) else { continue };
            if matches!(at, At::Entry(entry) if self.session.chain.node.get(*entry) != Some(&true)) {
                continue;
            }
            let before = last.insert(line.side(), *at);
            if let Some(link) = self.link(*at, before, &there) {
                links.insert(*at, link);
            }
        }
        links
    }

    fn write(&mut self, order: &[At], links: &HashMap<At, Link>) {
        let mut bytes = Vec::new();
        for at in order {
            let link = links.get(at);
            match at {
                At::Fresh(number) => {
                    let Some(fresh) = self.fresh.get(*number) else { continue };
                    write_record(self.envelope(fresh, link).as_ref(), &mut bytes);
                    self.out.written.push(Written { message: fresh.of, uuid: fresh.uuid.clone() });
                }
                At::Entry(entry) => {
                    let Some(record) = self.session.log.entries.get(*entry) else { continue };
                    if self.gone.contains(entry) {
                        continue;
                    }
                    let message = self.messages.get(entry).copied();
                    match edited(record, message, link) {
                        None => record.write_to(&mut bytes),
                        Some(json) => write_record(json.as_ref(), &mut bytes),
                    }
                    match (message.is_some(), link.is_some()) {
                        (true, _) => self.out.edited.push(*entry),
                        (false, true) => self.out.relinked.push(*entry),
                        (false, false) => self.out.kept += 1,
                    }
                }
            }
        }
        for list in [&mut self.out.edited, &mut self.out.relinked] {
            list.sort_unstable();
        }
        self.out.bytes = bytes;
    }

    /// The `parentUuid` that a line needs, if it is not what the line says.
    fn link(&self, at: At, before: Option<At>, place: &HashSet<At>) -> Option<Link> {
        self.uuid(at)?;
        let wanted = match (self.parents.get(&at), at) {
            (Some(wanted), _) => *wanted,
            (None, At::Entry(entry)) => {
                let parent = self.session.chain.parent_of(entry);
                (parent != NONE).then_some(At::Entry(parent))
            }
            (None, At::Fresh(_)) => None,
        };
        let needed = || {
            let uuid = wanted.and_then(|wanted| self.uuid(wanted));
            Some(uuid.map_or(Link::Root, |uuid| Link::To(uuid.to_owned())))
        };
        let At::Entry(entry) = at else { return needed() };
        let line = self.session.line(entry)?;
        let said = match &line.parent {
            Parent::Root => None,
            Parent::Absent => before,
            Parent::Uuid(uuid) => match self.session.by_uuid.get(uuid).map(|at| At::Entry(*at)) {
                Some(said) if place.contains(&said) => Some(said),
                // It names a line that is nowhere, and the reader finds none to put in its place.
                _ if wanted.is_none()
                    && !self.parents.contains_key(&at)
                    && (before.is_none() || line.is_compact_summary) =>
                {
                    return None;
                }
                _ => return needed(),
            },
        };
        if said == wanted { None } else { needed() }
    }

    /// A new line: its `uuid` is made from the line before it and its own text.
    fn fresh_line(&mut self, before: Option<At>, message: &RawJson, like: usize, of: usize) -> At {
        let uuid = self.named.then(|| {
            let before = before.and_then(|before| self.uuid(before)).unwrap_or_default();
            (0..=u32::MAX)
                .map(|count| derive_uuid(&[before.as_bytes(), message.get().as_bytes(), &count.to_le_bytes()]))
                .find(|uuid| !self.session.by_uuid.contains_key(uuid.as_str()) && !self.uuids.contains(uuid))
                .unwrap_or_default()
        });
        self.uuids.extend(uuid.clone());
        self.fresh.push(Fresh { message: message.clone(), like, of, uuid });
        At::Fresh(self.fresh.len() - 1)
    }

    /// The envelope of a new line: what its neighbour's says of the session, not of the neighbour's own message.
    fn envelope(&self, fresh: &Fresh, link: Option<&Link>) -> RawJson {
        const OF_THE_SESSION: [&str; 14] = [
            "isSidechain",
            "userType",
            "entrypoint",
            "cwd",
            "sessionId",
            "session_id",
            "version",
            "gitBranch",
            "slug",
            "agentId",
            "teamName",
            "agentName",
            "forkedFrom",
            "timestamp",
        ];
        let role = fresh.message.member("role").and_then(RawRef::as_str).unwrap_or_default().into_owned();
        let mut members: Vec<(String, RawJson)> = Vec::new();
        if fresh.uuid.is_some() {
            members.push(("parentUuid".to_owned(), link.map_or_else(RawJson::null, Link::json)));
        }
        let like = self.session.log.entries.get(fresh.like);
        let is_answer = role == "assistant"
            && self.session.line(fresh.like).is_some_and(|line| line.kind == super::LineKind::Assistant);
        for (key, value) in like.into_iter().flat_map(|like| like.raw().members()) {
            if OF_THE_SESSION.contains(&&*key) || is_answer && key == "requestId" {
                members.push((key.into_owned(), value.to_owned()));
            }
        }
        members.push(("type".to_owned(), RawJson::string(&role)));
        members.push(("message".to_owned(), fresh.message.clone()));
        if let Some(uuid) = &fresh.uuid {
            members.push(("uuid".to_owned(), RawJson::string(uuid)));
        }
        let members: Vec<String> =
            members.iter().map(|(key, value)| format!("{}:{}", RawJson::string(key), value.get())).collect();
        RawJson::parse(&format!("{{{}}}", members.join(","))).unwrap_or_else(|_| RawJson::object())
    }
}

/// The record of a line that changes.
fn edited(record: &Entry, message: Option<&RawJson>, link: Option<&Link>) -> Option<RawJson> {
    let mut json = message.map(|message| antiphon_log::set_member(record.raw(), "message", message.as_ref()));
    if let Some(link) = link {
        let base = json.as_ref().map_or(record.raw(), RawJson::as_ref);
        json = Some(antiphon_log::set_member(base, "parentUuid", link.json().as_ref()));
    }
    json
}

/// A UUID of version 8 (a maker's own) from parts of text: FNV-1a over 128 bits, so that the same edit gives the same file.
fn derive_uuid(parts: &[&[u8]]) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for part in parts {
        for byte in part.iter().chain(b"\n") {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    let hash = hash & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let hex = format!("{hash:032x}");
    let mut out = String::with_capacity(36);
    for (at, digit) in hex.chars().enumerate() {
        if matches!(at, 8 | 12 | 16 | 20) {
            out.push('-');
        }
        out.push(digit);
    }
    out
}
