//! A session file: its lines, its chain, its conversations.

use std::borrow::Cow;
use std::collections::HashMap;

use antiphon_log::Log;
use antiphon_model::Message;

use super::chain::{Chain, Healed, NONE};
use super::gather::gather;
use super::line::Line;

/// A session file that was read. Entries are named by their index in [`Log::entries`].
#[derive(Debug)]
pub struct Session<'a> {
    pub(crate) log: &'a Log,
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) chain: Chain,
    pub(crate) by_uuid: HashMap<Cow<'a, str>, usize>,
}

/// What a conversation takes in.
///
/// The default is what the program would send when the session is resumed.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Options {
    /// Take in `isMeta` lines: the program's notes to the model. The model saw them, so they are in unless this is unset; people
    /// are not shown them.
    pub meta: bool,
    /// Take in assistant lines that only tell of a failed request (`isApiErrorMessage`). No model wrote them and none is sent
    /// them, so they are out unless this is set. Other lines of the model `<synthetic>` stand for a turn and are always in.
    pub error_notices: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { meta: true, error_notices: false }
    }
}

impl Options {
    /// What people are shown: no notes to the model, but notices of failed requests.
    pub fn display() -> Self {
        Self { meta: false, error_notices: true }
    }

    /// Sets [`meta`](Self::meta).
    #[must_use]
    pub fn with_meta(mut self, meta: bool) -> Self {
        self.meta = meta;
        self
    }

    /// Sets [`error_notices`](Self::error_notices).
    #[must_use]
    pub fn with_error_notices(mut self, notices: bool) -> Self {
        self.error_notices = notices;
        self
    }
}

/// Messages, and the lines they came from.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Conversation {
    /// The messages, as the API saw them. What an answer has besides role and content (`id`, `model`, `usage`) is in their `extra`.
    pub messages: Vec<Message>,
    /// For each message the lines it came from.
    pub origins: Vec<crate::Origin>,
    /// What became of each line.
    pub report: SessionReport,
    pub(crate) options: Options,
}

impl Conversation {
    /// The messages as a request has them: role and content. What answers have besides (`id`, `model`, `usage`) is a record of
    /// the past and is not sent; a request that holds it is refused.
    ///
    /// ```
    /// use antiphon_interop::claude_code::Session;
    /// let log = antiphon_log::read(
    ///     br#"{"type":"assistant","uuid":"a","parentUuid":null,"message":{"id":"m","role":"assistant","content":"hi"}}"#,
    /// );
    /// let conversation = Session::new(&log).conversation();
    /// assert_eq!(conversation.to_send()[0].to_json(), r#"{"role":"assistant","content":"hi"}"#);
    /// ```
    pub fn to_send(&self) -> Vec<Message> {
        let mut messages = self.messages.clone();
        for message in &mut messages {
            if let Some(extra) = message.extra_mut() {
                extra.clear();
            }
        }
        messages
    }
}

/// What became of the lines of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionReport {
    /// One role for each entry.
    pub roles: Vec<LineRole>,
    /// Messages that were put together from several lines.
    pub joined: Vec<Joined>,
    /// Links on the way of this conversation that the file does not give, or gives wrongly.
    pub healed: Vec<Healed>,
}

/// A message that stood on several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Joined {
    /// The message.
    pub message: usize,
    /// Its lines.
    pub entries: Vec<usize>,
}

/// What a line is to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LineRole {
    /// It carries this message, or a part of it.
    Message(usize),
    /// On the way, but a note to the model that was not asked for.
    Meta,
    /// On the way, but a notice of a failed request that was not asked for.
    ErrorNotice,
    /// On the way, but it holds no readable message.
    Unreadable,
    /// A line of a sub-agent or of a team.
    Sidechain,
    /// A user or assistant line of a branch that was left.
    OtherBranch,
    /// What a compaction replaced.
    Compacted,
    /// On the way, and no message: progress, notices, attachments.
    Chain,
    /// In the chain, but not on the way, and no message.
    Aside,
    /// A repeat of another line's `uuid`.
    Repeat,
    /// A record outside the chain, known or unknown.
    Record,
}

impl SessionReport {
    /// How many lines have a role; all of [`LineRole::Message`] count for any of it.
    ///
    /// ```
    /// use antiphon_interop::claude_code::{LineRole, Session};
    /// let log = antiphon_log::read(b"{\"type\":\"summary\"}\n{\"type\":\"new-thing\"}\n");
    /// let report = Session::new(&log).conversation().report;
    /// assert_eq!(report.count(LineRole::Record), 2);
    /// assert_eq!(report.count(LineRole::Message(0)), 0);
    /// ```
    pub fn count(&self, role: LineRole) -> usize {
        let same = |other: &&LineRole| std::mem::discriminant(*other) == std::mem::discriminant(&role);
        self.roles.iter().filter(same).count()
    }
}

impl<'a> Session<'a> {
    /// Reads the envelopes and the chain.
    pub fn new(log: &'a Log) -> Self {
        let lines: Vec<_> = log.entries.iter().map(Line::read).collect();
        let (chain, by_uuid) = Chain::new(log, &lines);
        Self { log, lines, chain, by_uuid }
    }

    /// The log it was read from.
    pub fn log(&self) -> &'a Log {
        self.log
    }

    /// The envelopes, one for each entry.
    pub fn lines(&self) -> &[Line<'a>] {
        &self.lines
    }

    /// The last user or assistant line of the active conversation, by the official rule: from every line that no other names as its parent
    /// up to the nearest user or assistant line; among those, not counting sub-agents, teams and meta lines, the last one in the
    /// file. If all are such, the last of all (the file is a sub-agent's own). `None` if there is no user or assistant line.
    pub fn leaf(&self) -> Option<usize> {
        (self.chain.leaf != NONE).then_some(self.chain.leaf)
    }

    /// The last lines of all branches and sidechains, in file order. [`conversation_from`](Self::conversation_from) reads any of them.
    pub fn leaves(&self) -> &[usize] {
        &self.chain.leaves
    }

    /// The way from the first line of a conversation to this line, lines that are no messages included.
    pub fn path(&self, leaf: usize) -> Vec<usize> {
        self.chain.path(leaf)
    }

    /// Every link that the file does not give, on all branches.
    pub fn healed(&self) -> &[Healed] {
        &self.chain.healed
    }

    /// The active conversation, as the program would send it on resume.
    pub fn conversation(&self) -> Conversation {
        self.conversation_with(Options::default())
    }

    /// The active conversation.
    ///
    /// ```
    /// use antiphon_interop::claude_code::{Options, Session};
    /// let log = antiphon_log::read(
    ///     br#"{"type":"user","uuid":"a","parentUuid":null,"isMeta":true,"message":{"role":"user","content":"note"}}
    /// {"type":"user","uuid":"b","parentUuid":"a","message":{"role":"user","content":"hi"}}"#,
    /// );
    /// let session = Session::new(&log);
    /// assert_eq!(session.conversation().messages.len(), 2);
    /// assert_eq!(session.conversation_with(Options::display()).messages.len(), 1);
    /// ```
    pub fn conversation_with(&self, options: Options) -> Conversation {
        gather(self, self.chain.leaf, options)
    }

    /// The conversation that ends in this line: another branch, or a sidechain. Empty if there is no such line.
    pub fn conversation_from(&self, leaf: usize, options: Options) -> Conversation {
        let known = self.chain.node.get(leaf) == Some(&true);
        gather(self, if known { leaf } else { NONE }, options)
    }

    pub(crate) fn line(&self, at: usize) -> Option<&Line<'a>> {
        self.lines.get(at)
    }
}
