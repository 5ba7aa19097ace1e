//! A line of a session file, seen through its envelope.

use std::borrow::Cow;

use antiphon_log::Entry;
use antiphon_model::RawRef;

/// What a line is, by its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineKind {
    /// `user`: what a person typed, tool results, notes of the program.
    User,
    /// `assistant`: a block (or more) of an answer.
    Assistant,
    /// `system`: a notice of the program, a compaction boundary among them.
    System,
    /// `attachment`: context that the program adds.
    Attachment,
    /// `progress`: a step of a tool or hook.
    Progress,
    /// Any other record. It stands outside the chain and is carried as it is.
    Other,
}

/// What a line says about the line before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent<'a> {
    /// There is no member `parentUuid`: the format that wrote it has no links, and file order counts.
    Absent,
    /// It is `null`: a conversation starts here.
    Root,
    /// The `uuid` of another line.
    Uuid(Cow<'a, str>),
}

/// The envelope of one line. Reading it costs one pass over the line and no copy.
///
/// ```
/// use antiphon_interop::claude_code::{Line, LineKind, Parent};
/// let log = antiphon_log::read(
///     br#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hi"},"uuid":"a"}"#,
/// );
/// let line = Line::read(&log.entries[0]);
/// assert_eq!((line.kind, line.parent, line.uuid.as_deref()), (LineKind::User, Parent::Root, Some("a")));
/// assert!(line.message.is_some());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format has these flags, and any of them may be set with any other"
)]
pub struct Line<'a> {
    /// What it is.
    pub kind: LineKind,
    /// `type`, as written.
    pub type_name: Option<RawRef<'a>>,
    /// `uuid`.
    pub uuid: Option<Cow<'a, str>>,
    /// `parentUuid`.
    pub parent: Parent<'a>,
    /// `logicalParentUuid`: across a compaction. Not followed when a session is resumed.
    pub logical_parent: Option<RawRef<'a>>,
    /// `message`.
    pub message: Option<RawRef<'a>>,
    /// `requestId`.
    pub request_id: Option<RawRef<'a>>,
    /// `agentId`: the sub-agent that wrote it.
    pub agent_id: Option<RawRef<'a>>,
    /// `teamName`.
    pub team_name: Option<RawRef<'a>>,
    /// `sourceToolAssistantUUID`: the line of the call that a result answers.
    pub source_assistant: Option<RawRef<'a>>,
    /// `isSidechain`: of a sub-agent.
    pub is_sidechain: bool,
    /// `isMeta`: a note of the program to the model, hidden from people.
    pub is_meta: bool,
    /// `isCompactSummary`: stands for everything before the compaction.
    pub is_compact_summary: bool,
    /// `isApiErrorMessage`: tells a person that a request failed.
    pub is_api_error: bool,
}

impl<'a> Line<'a> {
    /// Reads the envelope.
    pub fn read(entry: &'a Entry) -> Self {
        let mut line = Self {
            kind: LineKind::Other,
            type_name: None,
            uuid: None,
            parent: Parent::Absent,
            logical_parent: None,
            message: None,
            request_id: None,
            agent_id: None,
            team_name: None,
            source_assistant: None,
            is_sidechain: false,
            is_meta: false,
            is_compact_summary: false,
            is_api_error: false,
        };
        let present = |value: RawRef<'a>| (!value.is_null()).then_some(value);
        for (key, value) in entry.raw().members() {
            match &*key {
                "type" => line.type_name = Some(value),
                "uuid" => line.uuid = value.as_str(),
                "parentUuid" => line.parent = value.as_str().map_or(Parent::Root, Parent::Uuid),
                "logicalParentUuid" => line.logical_parent = present(value),
                "message" => line.message = present(value),
                "requestId" => line.request_id = present(value),
                "agentId" => line.agent_id = present(value),
                "teamName" => line.team_name = present(value),
                "sourceToolAssistantUUID" => line.source_assistant = present(value),
                "isSidechain" => line.is_sidechain = value.as_bool() == Some(true),
                "isMeta" => line.is_meta = value.as_bool() == Some(true),
                "isCompactSummary" => line.is_compact_summary = value.as_bool() == Some(true),
                "isApiErrorMessage" => line.is_api_error = value.as_bool() == Some(true),
                _ => {}
            }
        }
        line.kind = match line.type_name {
            Some(name) if name.is_str("user") => LineKind::User,
            Some(name) if name.is_str("assistant") => LineKind::Assistant,
            Some(name) if name.is_str("system") => LineKind::System,
            Some(name) if name.is_str("attachment") => LineKind::Attachment,
            Some(name) if name.is_str("progress") => LineKind::Progress,
            _ => LineKind::Other,
        };
        line
    }

    /// Whether it is a user or assistant line.
    pub fn is_turn(&self) -> bool {
        matches!(self.kind, LineKind::User | LineKind::Assistant)
    }

    /// Whom the line belongs to: lines of sub-agents and teams are never continued into others.
    pub(crate) fn side(&self) -> (bool, Option<&'a str>, Option<&'a str>) {
        (self.is_sidechain, self.agent_id.map(RawRef::get), self.team_name.map(RawRef::get))
    }
}
