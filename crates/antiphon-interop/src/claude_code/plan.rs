//! What stays, what changes and in which order: the way of the new conversation through the file.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use antiphon_model::{Message, RawJson};

use super::chain::NONE;
use super::pieces::{Piece, Pieces, sent};
use super::rewrite::same;
use super::session::{Conversation, Session};
use crate::align::align;

/// How changes are written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// A changed message goes on one line, and one of several lines behind it does too.
    pub(crate) whole: bool,
    /// The last line of the conversation goes to the end of the file.
    pub(crate) last: bool,
    /// The last message gets a new line, and its own lines stay beside it: a branch that was left may hang on them, and a
    /// line that another one hangs on is never the last of a conversation.
    pub(crate) copy: bool,
}

/// A line of the new way.
#[derive(Debug)]
pub(crate) enum Item {
    /// A line of the file, in which `message` takes the place of its message if it is there.
    Line { entry: usize, message: Option<RawJson> },
    /// A new line, with an envelope like that of an entry.
    Fresh { message: RawJson, like: usize, of: usize },
}

/// A part of the way that is written anew.
#[derive(Debug)]
pub(crate) struct Region {
    /// The line before it on the way, or [`NONE`].
    pub(crate) before: usize,
    pub(crate) items: Vec<Item>,
    /// The line behind it on the way, or [`NONE`].
    pub(crate) behind: usize,
}

/// The whole change.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) regions: Vec<Region>,
    pub(crate) removed: HashSet<usize>,
    pub(crate) style: Style,
}

/// Messages whose lines stand between one another on the way.
struct Cluster {
    messages: Range<usize>,
    /// Places on the way.
    from: usize,
    to: usize,
}

impl Plan {
    pub(crate) fn new(session: &Session<'_>, old: &Conversation, new: &[Message], style: Style) -> Self {
        if old.messages.len() == new.len() && old.messages.iter().zip(new).all(|(a, b)| same(a, b)) {
            return Self { regions: Vec::new(), removed: HashSet::new(), style };
        }
        let texts = |messages: &[Message]| messages.iter().map(sent).collect::<Vec<_>>();
        let mut matched = align(&texts(&old.messages), &texts(new));
        let copied = if style.copy { matched.last_mut().and_then(Option::take) } else { None };
        let mut now_at = vec![None; old.messages.len()];
        for (at, before) in matched.iter().enumerate() {
            if let Some(place) = before.and_then(|before| now_at.get_mut(before)) {
                *place = Some(at);
            }
        }
        let path = session.path(session.leaf().unwrap_or(NONE));
        let changes = changes(&path, old, new.len(), &now_at, style);
        let gone = |at: &usize| now_at.get(*at) == Some(&None) && copied != Some(*at);
        let fresh: Vec<usize> =
            changes.iter().flat_map(|change| change.new.clone()).filter(|at| matched.get(*at) == Some(&None)).collect();
        let gone = changes.iter().flat_map(|change| change.old.clone()).filter(gone);
        let mut pieces = Pieces::new(session, old, new, gone, &fresh, style, copied);
        let mut plan = Self { regions: Vec::new(), removed: HashSet::new(), style };
        let mut used = HashSet::new();
        for change in changes {
            let lines = pieces.lines(old, new, &matched, change.new.clone());
            used.extend(lines.iter().filter_map(Piece::entry));
            plan.region(session, old, &path, change, lines);
        }
        used.extend(copied.and_then(|at| old.origins.get(at)).iter().flat_map(|origin| origin.entries.iter().copied()));
        plan.removed.retain(|entry| !used.contains(entry));
        plan
    }

    fn region(
        &mut self,
        session: &Session<'_>,
        old: &Conversation,
        path: &[usize],
        change: Change,
        pieces: Vec<Piece>,
    ) {
        let before = change.way.start.checked_sub(1).and_then(|at| path.get(at)).copied().unwrap_or(NONE);
        let behind = path.get(change.way.end).copied().unwrap_or(NONE);
        let way = path.get(change.way).unwrap_or_default();
        let origins = old.origins.get(change.old).unwrap_or_default();
        let lines: HashSet<usize> = origins.iter().flat_map(|origin| origin.entries.iter().copied()).collect();
        let here: HashSet<usize> = pieces.iter().filter_map(Piece::entry).collect();

        // Lines of the way that are no messages stay behind the message line that they followed.
        let mut follow: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut anchor = NONE;
        for at in way {
            if here.contains(at) {
                anchor = *at;
            } else if !lines.contains(at) {
                follow.entry(anchor).or_default().push(*at);
            }
        }
        self.removed.extend(lines);
        let plain = |entry: usize| Item::Line { entry, message: None };
        let mut items: Vec<Item> = follow.remove(&NONE).unwrap_or_default().into_iter().map(plain).collect();
        let any = || session.lines.iter().position(super::Line::is_turn).unwrap_or(NONE);
        let mut like = [before, behind].into_iter().find(|at| *at != NONE).unwrap_or_else(any);
        for piece in pieces {
            let entry = piece.entry();
            match piece {
                Piece::Keep { entry } => items.push(plain(entry)),
                Piece::Edit { entry, message } => items.push(Item::Line { entry, message: Some(message) }),
                Piece::Fresh { message, like: own, of } => {
                    items.push(Item::Fresh { message, like: own.unwrap_or(like), of });
                }
            }
            if let Some(entry) = entry {
                like = entry;
                items.extend(follow.remove(&entry).unwrap_or_default().into_iter().map(plain));
            }
        }
        self.regions.push(Region { before, items, behind });
    }
}

/// The parts that changed, between clusters that did not. `now_at` says where each old message is now.
fn changes(path: &[usize], old: &Conversation, new: usize, now_at: &[Option<usize>], style: Style) -> Vec<Change> {
    let mut out = Vec::new();
    let mut open = Open { old: 0, new: 0, from: 0 };
    for cluster in clusters(path, old) {
        let first = now_at.get(cluster.messages.start).copied().flatten();
        let Some(first) = first.filter(|first| {
            let mut places = cluster.messages.clone().zip(*first..);
            let stays = places.all(|(before, now)| now_at.get(before) == Some(&Some(now)));
            // Lines are joined by what stands before them: behind a change they may not be.
            let touched = open.old < cluster.messages.start || open.new < *first;
            let mut origins = old.origins.get(cluster.messages.clone()).into_iter().flatten();
            stays && !(style.whole && touched && origins.any(|origin| origin.entries.len() > 1))
        }) else {
            continue;
        };
        out.push(Change { old: open.old..cluster.messages.start, new: open.new..first, way: open.from..cluster.from });
        open = Open { old: cluster.messages.end, new: first + cluster.messages.len(), from: cluster.to + 1 };
    }
    out.push(Change { old: open.old..old.messages.len(), new: open.new..new, way: open.from..path.len() });
    out.retain(|change| !change.old.is_empty() || !change.new.is_empty());
    out
}

/// Where the part begins that is not settled yet.
struct Open {
    old: usize,
    new: usize,
    from: usize,
}

/// A part that changed: messages before and after, and the places on the old way between its unchanged neighbours.
struct Change {
    old: Range<usize>,
    new: Range<usize>,
    way: Range<usize>,
}

fn clusters(path: &[usize], old: &Conversation) -> Vec<Cluster> {
    let place: HashMap<usize, usize> = path.iter().enumerate().map(|(place, entry)| (*entry, place)).collect();
    let mut clusters: Vec<Cluster> = Vec::new();
    for (at, origin) in old.origins.iter().enumerate() {
        let places = || origin.entries.iter().filter_map(|entry| place.get(entry)).copied();
        let span = places().min().zip(places().max());
        match (clusters.last_mut(), span) {
            // All its lines stand beside the way: it belongs to the answer before it.
            (Some(last), None) => last.messages.end = at + 1,
            (Some(last), Some((from, to))) if from <= last.to => {
                last.messages.end = at + 1;
                (last.from, last.to) = (last.from.min(from), last.to.max(to));
            }
            (_, Some((from, to))) => clusters.push(Cluster { messages: at..at + 1, from, to }),
            (None, None) => {}
        }
    }
    clusters
}
