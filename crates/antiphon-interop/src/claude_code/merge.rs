//! One message out of several lines.

use antiphon_model::{AssistantMessage, Content, ContentBlock, Message, RawRef};

use crate::Origin;

/// Joins lines into one message; `results_first` puts tool results before everything else, as the API wants them.
pub(crate) fn merge(mut lines: Vec<(usize, Message)>, results_first: bool) -> Option<(Message, Origin)> {
    let entries: Vec<usize> = lines.iter().map(|(entry, _)| *entry).collect();
    if lines.len() <= 1 {
        let (entry, message) = lines.pop()?;
        let blocks = (0..message.blocks().count()).map(|block| (entry, block)).collect();
        return Some((message, Origin { entries, blocks }));
    }
    let mut blocks: Vec<((usize, usize), ContentBlock)> = Vec::new();
    let mut merged: Option<Message> = None;
    for (entry, mut message) in lines {
        let content = message.content_mut().map(|content| std::mem::replace(content, Content::Blocks(Vec::new())));
        for (at, block) in content.into_iter().flat_map(Content::into_blocks).enumerate() {
            blocks.push(((entry, at), block));
        }
        match (&mut merged, message) {
            (None, message) => merged = Some(message),
            (Some(Message::Assistant(first)), Message::Assistant(next)) => merge_answer(first, &next),
            _ => {}
        }
    }
    if results_first {
        blocks.sort_by_key(|(_, block)| !matches!(block, ContentBlock::ToolResult(_)));
    }
    let mut message = merged?;
    let (origins, blocks) = blocks.into_iter().unzip();
    if let Some(content) = message.content_mut() {
        *content = Content::Blocks(blocks);
    }
    Some((message, Origin { entries, blocks: origins }))
}

/// What an answer has besides its blocks. Early lines have a smaller count of output tokens and no stop reason yet.
fn merge_answer(first: &mut AssistantMessage, next: &AssistantMessage) {
    let output = |message: &AssistantMessage| {
        message.extra.get("usage").and_then(|usage| usage.member("output_tokens")).and_then(RawRef::as_u64)
    };
    let better_usage = output(next) > output(first);
    for (key, value) in next.extra.iter() {
        let take = match &*key {
            "usage" => better_usage,
            "stop_reason" | "stop_sequence" => !value.is_null(),
            _ => false,
        };
        if take || first.extra.get(&key).is_none() {
            first.extra.insert(&key, value.to_owned());
        }
    }
}
