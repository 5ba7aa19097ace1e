//! Which line carries which blocks of the messages in a changed part.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use antiphon_model::{BlockRef, Content, ContentBlock, Message, RawJson, RawRef};

use super::gather::raw_key;
use super::plan::Style;
use super::session::{Conversation, Session};

/// A line of a changed part.
#[derive(Debug)]
pub(crate) enum Piece {
    /// A line that carries what it carried.
    Keep { entry: usize },
    /// A line with another message in it.
    Edit { entry: usize, message: RawJson },
    /// A new line, like another one if that is known.
    Fresh { message: RawJson, like: Option<usize>, of: usize },
}

impl Piece {
    pub(crate) fn entry(&self) -> Option<usize> {
        match self {
            Self::Keep { entry } | Self::Edit { entry, .. } => Some(*entry),
            Self::Fresh { .. } => None,
        }
    }
}

/// A block of an old message and its place in the file.
#[derive(Debug, Clone, Copy)]
struct Source {
    entry: usize,
    block: usize,
    /// The new block is the old one, not one in its place.
    same: bool,
}

/// Blocks of a new message that go on one line.
#[derive(Debug, Default)]
struct Part {
    entry: Option<usize>,
    like: Option<usize>,
    sources: Vec<Option<Source>>,
    blocks: Vec<String>,
    results: usize,
}

/// The lines of new messages, range by range.
pub(crate) struct Pieces<'s, 'a> {
    pool: Pool<'s, 'a>,
    sources: HashMap<usize, Vec<Option<Source>>>,
    used: HashSet<usize>,
    style: Style,
    /// The old message that the last one is a copy of.
    copied: Option<usize>,
}

impl<'s, 'a> Pieces<'s, 'a> {
    /// `old`: messages that are not there any more as they were; `changed`: messages that were not there.
    pub(crate) fn new(
        session: &'s Session<'a>,
        before: &Conversation,
        after: &[Message],
        old: impl Iterator<Item = usize>,
        changed: &[usize],
        style: Style,
        copied: Option<usize>,
    ) -> Self {
        let mut pool = Pool::new(session, before, old);
        let sources = pool.sources(changed, after);
        Self { pool, sources, used: HashSet::new(), style, copied }
    }

    /// The lines of the messages `new`, in order.
    pub(crate) fn lines(
        &mut self,
        before: &Conversation,
        after: &[Message],
        matched: &[Option<usize>],
        new: Range<usize>,
    ) -> Vec<Piece> {
        let mut out = Vec::new();
        for at in new {
            let Some(message) = after.get(at) else { continue };
            if self.style.copy && at + 1 == after.len() {
                let like =
                    self.copied.and_then(|old| before.origins.get(old)).and_then(|origin| origin.entries.first());
                let like = like.copied();
                out.push(self.pool.on_one_line(message, None, like, at));
                continue;
            }
            let matched = matched.get(at).copied().flatten();
            let origin = matched.and_then(|old| before.origins.get(old));
            if let Some(origin) = origin.filter(|origin| !self.style.whole || origin.entries.len() == 1) {
                out.extend(origin.entries.iter().map(|entry| Piece::Keep { entry: *entry }));
                continue;
            }
            if let Some(origin) = origin {
                // One line for what came from several.
                let entry = origin.entries.first().copied();
                out.push(self.pool.on_one_line(message, entry, None, at));
                continue;
            }
            let parts = parts(message, self.sources.remove(&at).unwrap_or_default(), &mut self.used);
            if parts.len() > 1 && !self.style.whole && self.pool.joins_again(message, &parts) {
                out.extend(parts.into_iter().map(|part| self.pool.piece(message, part, at)));
            } else {
                let entry = parts.iter().find_map(|part| part.entry);
                for other in parts.iter().filter_map(|part| part.entry).filter(|other| Some(*other) != entry) {
                    self.used.remove(&other);
                }
                out.push(self.pool.alone(message, &parts, entry, at, self.style.whole));
            }
        }
        out
    }
}

/// The blocks of old messages that are not there any more as they were.
struct Pool<'s, 'a> {
    session: &'s Session<'a>,
    /// How many blocks each line has.
    blocks_of: HashMap<usize, usize>,
    /// Lines whose message stood on others too, and what that message had besides its content.
    shared: HashMap<usize, RawJson>,
    /// The messages of all other lines.
    single: HashMap<usize, String>,
    /// Blocks by their text.
    same: HashMap<String, VecDeque<Source>>,
    /// What tells a block that was changed: its kind, and the id of its call.
    alike: HashMap<(String, String), VecDeque<Source>>,
    taken: HashSet<(usize, usize)>,
}

impl<'s, 'a> Pool<'s, 'a> {
    fn new(session: &'s Session<'a>, before: &Conversation, old: impl Iterator<Item = usize>) -> Self {
        let mut pool = Self {
            session,
            blocks_of: HashMap::new(),
            shared: HashMap::new(),
            single: HashMap::new(),
            same: HashMap::new(),
            alike: HashMap::new(),
            taken: HashSet::new(),
        };
        for at in old {
            let (Some(message), Some(origin)) = (before.messages.get(at), before.origins.get(at)) else { continue };
            match origin.entries.as_slice() {
                [entry] => {
                    pool.single.insert(*entry, sent(message));
                }
                entries => {
                    let mut bare = message.clone();
                    if let Some(content) = bare.content_mut() {
                        *content = Content::Blocks(Vec::new());
                    }
                    let bare = RawJson::parse(&bare.to_json()).unwrap_or_else(|_| turn(message));
                    pool.shared.extend(entries.iter().map(|entry| (*entry, bare.clone())));
                }
            }
            for ((block, text), (entry, place)) in message.blocks().zip(texts(message)).zip(&origin.blocks) {
                let source = Source { entry: *entry, block: *place, same: true };
                *pool.blocks_of.entry(*entry).or_default() += 1;
                pool.same.entry(keyed(message, text)).or_default().push_back(source);
                pool.alike.entry(likeness(message, block)).or_default().push_back(Source { same: false, ..source });
            }
        }
        pool
    }

    /// For each changed message the places its blocks come from.
    fn sources(&mut self, changed: &[usize], after: &[Message]) -> HashMap<usize, Vec<Option<Source>>> {
        let mut out = HashMap::new();
        for at in changed {
            let Some(message) = after.get(*at) else { continue };
            let found: Vec<_> = texts(message)
                .into_iter()
                .map(|text| {
                    let source = self.same.get_mut(&keyed(message, text))?.pop_front()?;
                    self.taken.insert((source.entry, source.block));
                    Some(source)
                })
                .collect();
            out.insert(*at, found);
        }
        for at in changed {
            let (Some(message), Some(found)) = (after.get(*at), out.get_mut(at)) else { continue };
            for (block, place) in message.blocks().zip(found.iter_mut()) {
                if place.is_some() {
                    continue;
                }
                let Some(list) = self.alike.get_mut(&likeness(message, block)) else { continue };
                while let Some(source) = list.pop_front() {
                    if self.taken.insert((source.entry, source.block)) {
                        *place = Some(source);
                        break;
                    }
                }
            }
        }
        out
    }

    /// One of several lines of a message.
    fn piece(&self, message: &Message, part: Part, of: usize) -> Piece {
        if let Some(entry) = part.entry
            && self.is_as_it_was(entry, &part)
        {
            return Piece::Keep { entry };
        }
        let message = self.message(message, part.entry, part.like, &array(&part.blocks));
        match part.entry {
            Some(entry) => Piece::Edit { entry, message },
            None => Piece::Fresh { message, like: part.like, of },
        }
    }

    /// The only line of a message.
    fn alone(&self, message: &Message, parts: &[Part], entry: Option<usize>, of: usize, whole: bool) -> Piece {
        if let ([part], Some(entry), Some(Content::Blocks(_)), false) = (parts, entry, message.content(), whole)
            && self.is_as_it_was(entry, part)
            && self.shared.contains_key(&entry)
        {
            return Piece::Keep { entry };
        }
        let moved = entry.and_then(|entry| self.single.get(&entry)).is_some_and(|single| *single == sent(message));
        if let (true, Some(entry)) = (moved, entry) {
            return Piece::Keep { entry };
        }
        self.on_one_line(message, entry, parts.iter().find_map(|part| part.like), of)
    }

    /// A message on one line: in that of an entry, or on a new one.
    fn on_one_line(&self, message: &Message, entry: Option<usize>, like: Option<usize>, of: usize) -> Piece {
        let content = content(message);
        // The message as a whole knows more than its first line: the full usage, the stop reason.
        let whole = entry.or(like).and_then(|entry| self.shared.get(&entry));
        let message = match whole {
            Some(whole) => antiphon_log::set_member(whole.as_ref(), "content", content.as_ref()),
            None => self.message(message, entry, like, &content),
        };
        match entry {
            Some(entry) => Piece::Edit { entry, message },
            None => Piece::Fresh { message, like, of },
        }
    }

    /// What stands beside the content is that of the line itself; on a new line of an answer that of one of its other lines.
    fn message(&self, message: &Message, entry: Option<usize>, like: Option<usize>, content: &RawJson) -> RawJson {
        let is_answer = matches!(message, Message::Assistant(_));
        let own = entry.or(like.filter(|_| is_answer));
        let own = own.and_then(|entry| self.session.line(entry)?.message);
        let own = own.filter(|own| own.member("role").is_some_and(|role| role.is_str(message.role_name())));
        let own = own.map(RawRef::to_owned);
        antiphon_log::set_member(own.unwrap_or_else(|| turn(message)).as_ref(), "content", content.as_ref())
    }

    /// Whether the reader would join these lines to this message again.
    fn joins_again(&self, message: &Message, parts: &[Part]) -> bool {
        let Some(Content::Blocks(_)) = message.content() else { return false };
        if matches!(message, Message::Assistant(_)) {
            let mut keys = parts.iter().map(|part| {
                let line = part.entry.or(part.like).and_then(|entry| self.session.line(entry))?;
                raw_key(line, line.message?)
            });
            let first = keys.next().flatten();
            return first.is_some() && keys.all(|key| key == first);
        }
        // Results come first in a message of several lines.
        let mut rest = message.blocks().skip_while(|block| matches!(block, BlockRef::ToolResult(_)));
        parts.iter().all(|part| part.results > 0) && !rest.any(|block| matches!(block, BlockRef::ToolResult(_)))
    }

    /// Whether the part is just what its line holds.
    fn is_as_it_was(&self, entry: usize, part: &Part) -> bool {
        let all = self.blocks_of.get(&entry) == Some(&part.blocks.len());
        let places = part.sources.iter().zip(0..);
        all && places.into_iter().all(|(source, place)| {
            source.is_some_and(|source| source.same && source.entry == entry && source.block == place)
        })
    }
}

/// Cuts a message into the lines that its blocks come from.
fn parts(message: &Message, sources: Vec<Option<Source>>, used: &mut HashSet<usize>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let sources = sources.into_iter().chain(std::iter::repeat(None));
    for ((block, text), source) in message.blocks().zip(texts(message)).zip(sources) {
        let entry = source.map(|source| source.entry);
        let is_result = matches!(block, BlockRef::ToolResult(_));
        let goes_on = parts.last().is_some_and(|last| match entry {
            Some(_) => last.entry == entry,
            // A new block of a person's turn goes to the line before it: alone it would be a turn of its own.
            None => last.entry.is_none() || !is_result && !matches!(message, Message::Assistant(_)),
        });
        if !goes_on {
            let free = entry.filter(|entry| used.insert(*entry));
            let like = entry.or_else(|| parts.last().and_then(|last| last.entry.or(last.like)));
            parts.push(Part { entry: free, like, ..Part::default() });
        }
        if let Some(last) = parts.last_mut() {
            last.sources.push(source);
            last.blocks.push(text);
            last.results += usize::from(is_result);
        }
    }
    if parts.is_empty() {
        parts.push(Part::default());
    }
    parts
}

/// The blocks as JSON; a string content is a text block.
fn texts(message: &Message) -> Vec<String> {
    match message.content() {
        Some(Content::Blocks(blocks)) => blocks.iter().map(ContentBlock::to_json).collect(),
        Some(Content::Text(text)) => vec![format!("{{\"type\":\"text\",\"text\":{}}}", text.to_json())],
        None => Vec::new(),
    }
}

/// Blocks move between messages of one role only.
fn keyed(message: &Message, text: String) -> String {
    format!("{} {text}", message.role_name())
}

fn likeness(message: &Message, block: BlockRef<'_>) -> (String, String) {
    let id = match block {
        BlockRef::ToolUse(call) => call.id.clone(),
        BlockRef::ToolResult(result) => result.tool_use_id.clone(),
        _ => String::new(),
    };
    (format!("{} {}", message.role_name(), block.type_name()), id)
}

fn array(blocks: &[String]) -> RawJson {
    RawJson::parse(&format!("[{}]", blocks.join(","))).unwrap_or_else(|_| RawJson::null())
}

/// What is sent of a message, to compare.
pub(crate) fn sent(message: &Message) -> String {
    format!("{} {}", message.role_name(), content(message).get())
}

fn content(message: &Message) -> RawJson {
    let mut text = String::new();
    if let Some(content) = message.content() {
        content.write_json(&mut text);
    }
    RawJson::parse(&text).unwrap_or_else(|_| RawJson::null())
}

/// A message of this role without anything else.
fn turn(message: &Message) -> RawJson {
    let role = RawJson::string(message.role_name());
    antiphon_log::set_member(RawJson::object().as_ref(), "role", role.as_ref())
}
