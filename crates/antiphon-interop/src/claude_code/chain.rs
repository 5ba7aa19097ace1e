//! Which line follows which: the graph of a session file, healed where it is broken.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use antiphon_log::{Log, Problem};

use super::line::{Line, Parent};

/// No line.
pub(crate) const NONE: usize = usize::MAX;

/// A link that the file does not give, and what was taken instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Healed {
    /// The line (index of its entry).
    pub entry: usize,
    /// The line that is taken as the one before it; `None`: the conversation starts here.
    pub parent: Option<usize>,
    /// What was wrong.
    pub fault: LinkFault,
}

/// What is wrong with a link.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkFault {
    /// `parentUuid` names a line that is not in the file: lost to damage, or removed by another program.
    Missing {
        /// The name.
        uuid: String,
        /// Damaged lines stand between the two.
        damage: bool,
    },
    /// The line is its own ancestor.
    Cycle,
    /// The line has no `parentUuid` at all; file order counts.
    Absent,
}

/// The graph.
#[derive(Debug)]
pub(crate) struct Chain {
    /// Whether the entry is a line of the chain.
    pub(crate) node: Vec<bool>,
    /// The line before, or [`NONE`].
    pub(crate) parent: Vec<usize>,
    /// The line of the chain before it in the file, of the same agent, or [`NONE`].
    before: Vec<usize>,
    pub(crate) healed: Vec<Healed>,
    /// Lines that repeat another one's uuid: (repeat, the one that counts).
    pub(crate) repeats: Vec<(usize, usize)>,
    /// Lines from which a conversation can be read, in file order.
    pub(crate) leaves: Vec<usize>,
    /// The last line of the active conversation.
    pub(crate) leaf: usize,
}

impl Chain {
    pub(crate) fn new<'a>(log: &'a Log, lines: &[Line<'a>]) -> (Self, HashMap<Cow<'a, str>, usize>) {
        let linked = |line: &Line<'_>| line.kind != super::LineKind::Other;
        // A format without any uuid (the output of the SDK) is read in file order.
        let with_uuid = lines.iter().any(|line| linked(line) && line.uuid.is_some());
        let mut chain = Self {
            node: lines.iter().map(|line| linked(line) && (line.uuid.is_some() || !with_uuid)).collect(),
            parent: vec![NONE; lines.len()],
            before: vec![NONE; lines.len()],
            healed: Vec::new(),
            repeats: Vec::new(),
            leaves: Vec::new(),
            leaf: NONE,
        };
        let by_uuid = chain.index(log, lines);
        chain.link(log, lines, &by_uuid);
        chain.break_cycles();
        chain.find_leaf(lines);
        (chain, by_uuid)
    }

    /// Lines by uuid. Batches may be delivered twice: an equal repeat is left out. Of different lines with one uuid the last
    /// counts, as in the official reader.
    fn index<'a>(&mut self, log: &'a Log, lines: &[Line<'a>]) -> HashMap<Cow<'a, str>, usize> {
        let mut by_uuid: HashMap<Cow<'a, str>, usize> = HashMap::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let (true, Some(uuid)) = (self.node.get(at) == Some(&true), &line.uuid) else { continue };
            let Some(before) = by_uuid.get(uuid).copied() else {
                by_uuid.insert(uuid.clone(), at);
                continue;
            };
            let text = |at: usize| log.entries.get(at).map(antiphon_log::Entry::text);
            let (keep, drop) = if text(before) == text(at) { (before, at) } else { (at, before) };
            self.repeats.push((drop, keep));
            set(&mut self.node, drop, false);
            by_uuid.insert(uuid.clone(), keep);
        }
        // Of three lines the second may have given way too.
        for (repeat, of) in &mut self.repeats {
            let uuid = lines.get(*repeat).and_then(|line| line.uuid.as_ref());
            *of = uuid.and_then(|uuid| by_uuid.get(uuid)).copied().unwrap_or(*of);
        }
        by_uuid
    }

    fn link<'a>(&mut self, log: &Log, lines: &[Line<'a>], by_uuid: &HashMap<Cow<'a, str>, usize>) {
        let mut last = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            if self.node.get(at) != Some(&true) {
                continue;
            }
            let before = last.insert(line.side(), at);
            set(&mut self.before, at, before.unwrap_or(NONE));
            let (parent, fault) = match &line.parent {
                Parent::Root => continue,
                Parent::Uuid(uuid) => match by_uuid.get(uuid) {
                    Some(parent) => {
                        set(&mut self.parent, at, *parent);
                        continue;
                    }
                    // Its boundary is lost. What the summary stands for must not come back beside it.
                    None if line.is_compact_summary => continue,
                    None => {
                        let lost = damage_between(log, before, at);
                        let named = lost.iter().rev().find_map(|problem| {
                            let parent = *by_uuid.get(named_parent(&problem.excerpt)?.as_str())?;
                            (lines.get(parent)?.side() == line.side()).then_some(parent)
                        });
                        let fault = LinkFault::Missing { uuid: uuid.to_string(), damage: !lost.is_empty() };
                        (named.or(before), fault)
                    }
                },
                Parent::Absent => (before, LinkFault::Absent),
            };
            set(&mut self.parent, at, parent.unwrap_or(NONE));
            if parent.is_some() || fault != LinkFault::Absent {
                self.healed.push(Healed { entry: at, parent, fault });
            }
        }
    }

    /// Each cycle is cut at its first line in file order, which is then continued from the line before it in the file.
    fn break_cycles(&mut self) {
        let mut sets = Sets::new(self.parent.len());
        let mut cycles = Vec::new();
        // Every line has one parent, so a link that closes a ring within its set is the only one of that ring.
        for at in 0..self.parent.len() {
            let parent = self.parent_of(at);
            if parent != NONE && !sets.join(at, parent) {
                cycles.push(at);
            }
        }
        if cycles.is_empty() {
            return;
        }
        let mut first_of_rings = Vec::new();
        for at in cycles {
            let (mut first, mut now) = (at, self.parent_of(at));
            while now != at && now != NONE {
                first = first.min(now);
                now = self.parent_of(now);
            }
            first_of_rings.push(first);
        }
        first_of_rings.sort_unstable();
        for first in &first_of_rings {
            set(&mut self.parent, *first, NONE);
        }
        let mut sets = Sets::new(self.parent.len());
        for at in 0..self.parent.len() {
            let parent = self.parent_of(at);
            if parent != NONE {
                sets.join(at, parent);
            }
        }
        let mut cut = HashSet::with_capacity(first_of_rings.len());
        for first in first_of_rings {
            let before = self.before.get(first).copied().filter(|before| *before != NONE && sets.join(first, *before));
            set(&mut self.parent, first, before.unwrap_or(NONE));
            cut.insert(first);
            self.healed.push(Healed { entry: first, parent: before, fault: LinkFault::Cycle });
        }
        self.healed.retain(|healed| healed.fault == LinkFault::Cycle || !cut.contains(&healed.entry));
        self.healed.sort_by_key(|healed| healed.entry);
    }

    /// The official rule: from every line that nobody names as parent up to the nearest user or assistant line; of those that are not
    /// of a sub-agent, of a team or meta the last one in the file, else the last one of all.
    fn find_leaf(&mut self, lines: &[Line<'_>]) {
        let mut named = vec![false; lines.len()];
        for (at, parent) in self.parent.iter().enumerate() {
            if self.node.get(at) == Some(&true) {
                set(&mut named, *parent, true);
            }
        }
        let mut is_leaf = vec![false; lines.len()];
        let mut walked = vec![false; lines.len()];
        for end in 0..lines.len() {
            if self.node.get(end) != Some(&true) || named.get(end) == Some(&true) {
                continue;
            }
            let mut at = end;
            // A line walked before led to the same place.
            while at != NONE && walked.get(at) == Some(&false) {
                set(&mut walked, at, true);
                if lines.get(at).is_some_and(Line::is_turn) {
                    set(&mut is_leaf, at, true);
                    break;
                }
                at = self.parent_of(at);
            }
        }
        self.leaves = (0..lines.len()).filter(|at| is_leaf.get(*at) == Some(&true)).collect();
        let main = |at: &&usize| {
            lines.get(**at).is_some_and(|line| !line.is_sidechain && line.team_name.is_none() && !line.is_meta)
        };
        self.leaf = self.leaves.iter().rev().find(main).or(self.leaves.last()).copied().unwrap_or(NONE);
    }

    pub(crate) fn parent_of(&self, at: usize) -> usize {
        self.parent.get(at).copied().unwrap_or(NONE)
    }

    /// From the root to `leaf`.
    pub(crate) fn path(&self, leaf: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = leaf;
        while at != NONE && path.len() <= self.parent.len() {
            path.push(at);
            at = self.parent_of(at);
        }
        path.reverse();
        path
    }
}

/// Writes a place that exists.
pub(crate) fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

/// The damaged places between two entries.
fn damage_between(log: &Log, before: Option<usize>, at: usize) -> &[Problem] {
    let offset = |at: usize| log.entries.get(at).map_or(0, antiphon_log::Entry::offset);
    let (from, to) = (before.map_or(0, offset), offset(at));
    let problems = &log.report.problems;
    let first = problems.partition_point(|problem| problem.offset + problem.length <= from);
    let last = problems.partition_point(|problem| problem.offset < to);
    problems.get(first..last).unwrap_or_default()
}

/// The start of a torn line often still says which line came before it.
fn named_parent(excerpt: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(excerpt);
    let (_, rest) = text.split_once("\"parentUuid\":\"")?;
    let (uuid, _) = rest.split_once('"')?;
    Some(uuid.to_owned())
}

/// Disjoint sets, to see a ring when it closes.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        loop {
            let up = self.0.get(at).copied().unwrap_or(at);
            if up == at {
                return at;
            }
            let over = self.0.get(up).copied().unwrap_or(up);
            set(&mut self.0, at, over);
            at = over;
        }
    }

    /// False if both were in one set already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        set(&mut self.0, a, b);
        a != b
    }
}
