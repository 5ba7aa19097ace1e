//! What of a broken message may go on in a conversation.

use std::collections::{HashMap, HashSet};

use antiphon_model::{AssistantMessage, Content, ContentBlock, StopReason};
use serde::Serialize;

use super::build::Built;

/// Choices for a salvage.
///
/// ```
/// let options = antiphon_stream::SalvageOptions::default().with_tool_calls(false);
/// assert!(!options.tool_calls);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SalvageOptions {
    /// Keep tool calls that are whole. Default true: they may have been run when they came. Each then needs its
    /// result in the next message.
    pub tool_calls: bool,
    /// Ids of server tool calls that earlier turns left pending (a `pause_turn` does): results for them stay.
    /// Default none, so that a result without its call in the message goes.
    pub pending_calls: Vec<String>,
}

impl Default for SalvageOptions {
    fn default() -> Self {
        Self { tool_calls: true, pending_calls: Vec::new() }
    }
}

impl SalvageOptions {
    /// Sets [`tool_calls`](Self::tool_calls).
    #[must_use]
    pub fn with_tool_calls(mut self, keep: bool) -> Self {
        self.tool_calls = keep;
        self
    }

    /// Sets [`pending_calls`](Self::pending_calls).
    #[must_use]
    pub fn with_pending_calls(mut self, ids: Vec<String>) -> Self {
        self.pending_calls = ids;
        self
    }
}

/// What was saved, and what was not.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Salvage {
    /// A message that may stand in a conversation: role and content, without what only answers have (`id`, `usage`,
    /// and so on), for requests refuse that. `None` if nothing is left. Ids of calls stay as they came: one that the
    /// API would refuse is for the repair of conversations to rename.
    pub message: Option<AssistantMessage>,
    /// What was left out, in the order of the message.
    pub left_out: Vec<LeftOut>,
}

/// Something left out by a salvage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The index of the block.
    pub index: u64,
    /// Its type, such as `thinking`.
    pub kind: String,
    /// Why.
    pub reason: LeftOutReason,
}

/// Why something may not stand in the next request. Contract section 4 has the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// A tool call that is not whole.
    Unfinished,
    /// A whole tool call, which the options do not want.
    NotWanted,
    /// A second call with the same id.
    DuplicateId,
    /// A text of nothing but white space.
    EmptyText,
    /// Thinking without a signature, or not as it was signed.
    UnsignedThinking,
    /// Thinking that would end the message.
    ThinkingLast,
    /// Thinking in a message that no longer begins with it.
    ThinkingNotFirst,
    /// A call of a server tool whose result did not come.
    NoServerResult,
    /// The result of a server tool whose call is not before it.
    NoServerCall,
    /// Nothing that an assistant turn may hold, even where the provider itself sent it.
    NotReplayable,
    /// What another model said before a fallback and the one that answers can not take over.
    BeforeFallback,
    /// A block without a type, or without what its type requires.
    Malformed,
    /// A summary or a block not known that did not come whole.
    CutBlock,
    /// White space at the end of the last text. The text itself stays.
    TrailingSpace,
}

/// `whole` says that the message ended as it should: what is pending then is pending on purpose.
pub(super) fn salvage(head: &AssistantMessage, blocks: Vec<Built>, whole: bool, options: &SalvageOptions) -> Salvage {
    let pending = whole && matches!(head.stop_reason(), Some(StopReason::PauseTurn | StopReason::ToolUse));
    let is_fallback = |block: &Built| block.content.as_ref().is_ok_and(|block| block.type_name() == "fallback");
    let fallback = blocks.iter().rposition(is_fallback).unwrap_or(0);
    // A result answers the call before it, so the last one of each id decides.
    let answers: HashMap<String, usize> =
        blocks.iter().enumerate().filter_map(|(at, block)| Some((answers(block)?.to_owned(), at))).collect();
    let mut ids = HashSet::new();
    let mut calls: HashSet<String> = options.pending_calls.iter().cloned().collect();
    let mut left_out = Vec::new();
    let mut kept: Vec<(u64, ContentBlock)> = Vec::new();
    for (position, built) in blocks.into_iter().enumerate() {
        let index = built.index;
        let block = match built.content {
            Ok(ref block) => block,
            Err(call) => {
                let kind = if call.server { "server_tool_use" } else { "tool_use" };
                left_out.push(LeftOut { index, kind: kind.to_owned(), reason: LeftOutReason::Unfinished });
                continue;
            }
        };
        let reason = match block {
            ContentBlock::Text(text) if text.text.trim().is_empty() => Some(LeftOutReason::EmptyText),
            ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_) | ContentBlock::ToolUse(_)
                if position < fallback =>
            {
                Some(LeftOutReason::BeforeFallback)
            }
            ContentBlock::Thinking(thinking)
                if built.damaged || thinking.signature.as_deref().unwrap_or_default().is_empty() =>
            {
                Some(LeftOutReason::UnsignedThinking)
            }
            ContentBlock::ToolUse(_) if !options.tool_calls => Some(LeftOutReason::NotWanted),
            ContentBlock::ToolUse(tool) if !ids.insert(tool.id.clone()) => Some(LeftOutReason::DuplicateId),
            ContentBlock::ServerToolUse(tool) if !ids.insert(tool.id.clone()) => Some(LeftOutReason::DuplicateId),
            ContentBlock::ServerToolUse(tool) if !pending && answers.get(&tool.id).is_none_or(|at| *at < position) => {
                Some(LeftOutReason::NoServerResult)
            }
            ContentBlock::ServerToolResult(result) if !calls.contains(&result.tool_use_id) => {
                Some(LeftOutReason::NoServerCall)
            }
            ContentBlock::ContainerUpload(_)
            | ContentBlock::Image(_)
            | ContentBlock::Document(_)
            | ContentBlock::SearchResult(_)
            | ContentBlock::ToolResult(_)
            | ContentBlock::ToolReference(_) => Some(LeftOutReason::NotReplayable),
            ContentBlock::Other(other) if other.is_malformed() => Some(LeftOutReason::Malformed),
            ContentBlock::Compaction(compaction)
                if !built.stopped || compaction.content.as_ref().is_some_and(|text| text.is_empty()) =>
            {
                Some(LeftOutReason::CutBlock)
            }
            ContentBlock::Other(_) if !built.stopped => Some(LeftOutReason::CutBlock),
            _ => None,
        };
        if let (None, ContentBlock::ServerToolUse(tool)) = (reason, block) {
            calls.insert(tool.id.clone());
        }
        match (reason, built.content) {
            (Some(reason), Ok(block)) => left_out.push(LeftOut { index, kind: block.type_name().to_owned(), reason }),
            (_, Ok(block)) => kept.push((index, block)),
            (_, Err(_)) => {}
        }
    }
    settle_thinking(&mut kept, &mut left_out);
    if let Some((index, ContentBlock::Text(text))) = kept.last_mut() {
        let trimmed = text.text.trim_end().len();
        if trimmed < text.text.len() {
            text.text.make_mut().truncate(trimmed);
            left_out.push(LeftOut { index: *index, kind: "text".to_owned(), reason: LeftOutReason::TrailingSpace });
        }
    }
    // Blocks with one index (which the peer should not send) keep the order in which they were left out.
    left_out.sort_by_key(|left_out| left_out.index);
    let blocks: Vec<_> = kept.into_iter().map(|(_, block)| block).collect();
    let message = AssistantMessage::new(Content::Blocks(blocks));
    Salvage { message: Some(message).filter(|message| !message.content.is_empty()), left_out }
}

/// The id of the call that a server tool's result answers.
fn answers(block: &Built) -> Option<&str> {
    match &block.content {
        Ok(ContentBlock::ServerToolResult(result)) => Some(&result.tool_use_id),
        _ => None,
    }
}

/// Thinking may not end a message, and where it stands at all the message must begin with it (contract 4.7).
fn settle_thinking(kept: &mut Vec<(u64, ContentBlock)>, left_out: &mut Vec<LeftOut>) {
    let mut leave = |(index, block): (u64, ContentBlock), reason| {
        left_out.push(LeftOut { index, kind: block.type_name().to_owned(), reason });
    };
    while kept.last().is_some_and(|(_, block)| block.is_thinking()) {
        if let Some(last) = kept.pop() {
            leave(last, LeftOutReason::ThinkingLast);
        }
    }
    // The provider itself puts the work of server tools, a compaction or a fallback before the first thinking.
    let server_work = |block: &ContentBlock| {
        matches!(
            block,
            ContentBlock::ServerToolUse(_) | ContentBlock::ServerToolResult(_) | ContentBlock::Compaction(_)
        ) || block.type_name() == "fallback"
    };
    let begins_otherwise =
        kept.iter().find(|(_, block)| !server_work(block)).is_some_and(|(_, block)| !block.is_thinking());
    if begins_otherwise && kept.iter().any(|(_, block)| block.is_thinking()) {
        for entry in std::mem::take(kept) {
            if entry.1.is_thinking() {
                leave(entry, LeftOutReason::ThinkingNotFirst);
            } else {
                kept.push(entry);
            }
        }
    }
}
