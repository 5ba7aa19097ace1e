//! One delta into one block.

use super::block::{Block, Kind};
use super::{AnomalyKind, ToolInputDetail, Update};
use crate::{Delta, JsonFault, StreamError, TextFault};

/// How a delta went into its block.
pub(super) enum Fit<'a> {
    Applied,
    /// Applied, and odd.
    Odd(AnomalyKind, String),
    No(Delta<'a>),
}

/// Puts a delta into the block it is for, if it is of its kind.
pub(super) fn fit<'a>(
    block: &mut Block,
    delta: Delta<'a>,
    fault: &mut TextFault,
    detail: ToolInputDetail,
    updates: &mut Vec<Update>,
) -> Fit<'a> {
    let index = block.index;
    match (block.kind, delta) {
        (Kind::Text, Delta::Text(text)) => {
            let text = block.join(text, fault);
            block.text.push_str(&text);
            updates.push(Update::TextChunk { index, text: text.into_owned() });
        }
        (Kind::Thinking, Delta::Thinking(text)) => {
            let text = block.join(text, fault);
            block.text.push_str(&text);
            updates.push(Update::ThinkingChunk { index, text: text.into_owned() });
        }
        (Kind::ToolUse | Kind::ServerToolUse, Delta::InputJson(piece)) => {
            let piece = block.join(piece, fault);
            let mut changes = Vec::new();
            let broken = block.push_input(&piece, detail, &mut changes);
            updates.push(Update::ToolInput { index, partial_json: piece.into_owned(), changes });
            if let Some(broken) = broken {
                let limit = matches!(
                    broken,
                    StreamError::Json { fault: JsonFault::TooDeep { .. } | JsonFault::TooLong { .. }, .. }
                );
                let kind = if limit { AnomalyKind::ToolInputNotShown } else { AnomalyKind::ToolInputInvalid };
                return Fit::Odd(kind, broken.to_string());
            }
        }
        (Kind::Thinking, Delta::Signature(piece)) => {
            let before = block.signature.take();
            let odd = before.is_some();
            // The first one sets it, whatever the start event had. A second one is not in the contract; a peer that
            // cuts its signature in pieces means them to be joined, and a joined signature that is wrong is refused
            // by the API rather than believed.
            block.signature = Some(before.unwrap_or_default() + &piece);
            updates.push(Update::ThinkingSignature { index, signature: piece.into_owned() });
            if odd {
                return Fit::Odd(AnomalyKind::SignatureInPieces, String::new());
            }
        }
        (Kind::Text, Delta::Citation(citation)) => {
            block.citations.push(citation.clone());
            updates.push(Update::Citation { index, citation });
        }
        (Kind::Compaction, Delta::Compaction(raw)) => {
            for (key, value) in raw.members() {
                match &*key {
                    "type" => {}
                    "content" => {
                        if let Some(text) = value.as_str() {
                            block.text.push_str(&text);
                            block.has_content = true;
                            updates.push(Update::CompactionChunk { index, text: text.into_owned() });
                        }
                    }
                    key => block.fields.update(key, value),
                }
            }
        }
        (_, delta) => {
            if let (Delta::Unknown { kind, .. }, true) = (&delta, block.is_tool()) {
                // A piece of the input that can not be read is a piece that is missing.
                block.damaged |= kind == "input_json_delta";
            }
            return Fit::No(delta);
        }
    }
    Fit::Applied
}
