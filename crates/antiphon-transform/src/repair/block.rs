//! Reaching a block by the path of a finding, and changing the list it is in.

use crate::conversation::Slot;
use antiphon_contract::{Path, Step};
use antiphon_model::{Content, ContentBlock, Message, Source, ToolResult, ToolUse};

/// The place of a block: the message, and the indices on the way down through contents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) message: usize,
    pub(super) steps: Vec<usize>,
}

impl Place {
    /// The block a path leads to or into. For a string content and for a flat record there are no steps.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let message = path.message_index()?;
        let mut steps = Vec::new();
        let mut rest = path.steps().get(2..).unwrap_or_default();
        while let [Step::Field("content"), Step::Index(index), tail @ ..] = rest {
            steps.push(*index);
            rest = match tail {
                [Step::Field("source"), inner @ ..] => inner,
                inner => inner,
            };
        }
        Some(Self { message, steps })
    }
}

/// The content a block holds itself.
pub(super) fn inner(block: &mut ContentBlock) -> Option<&mut Content> {
    match block {
        ContentBlock::ToolResult(b) => b.content.as_mut(),
        ContentBlock::Document(b) => match &mut b.source {
            Source::Content(source) => Some(&mut source.content),
            _ => None,
        },
        _ => None,
    }
}

/// The top content of a message: of a turn its own, of a flat result that of the result.
pub(super) fn top(message: &mut Message) -> Option<&mut Content> {
    match message {
        Message::ToolResult(result) => result.content.as_mut(),
        other => other.content_mut(),
    }
}

/// The list that holds the block at `place`, and its index there.
pub(super) fn list<'s>(slots: &'s mut [Slot], place: &Place) -> Option<(&'s mut Vec<ContentBlock>, usize)> {
    let (last, way) = place.steps.split_last()?;
    let mut content = top(&mut slots.get_mut(place.message)?.message)?;
    for step in way {
        let Content::Blocks(blocks) = content else { return None };
        content = inner(blocks.get_mut(*step)?)?;
    }
    let Content::Blocks(blocks) = content else { return None };
    (*last < blocks.len()).then_some((blocks, *last))
}

/// The block at `place`.
pub(super) fn block<'s>(slots: &'s mut [Slot], place: &Place) -> Option<&'s mut ContentBlock> {
    let (blocks, at) = list(slots, place)?;
    blocks.get_mut(at)
}

/// The tool result at `place`, flat or as a block.
pub(super) fn tool_result<'s>(slots: &'s mut [Slot], place: &Place) -> Option<&'s mut ToolResult> {
    if place.steps.is_empty() {
        return match &mut slots.get_mut(place.message)?.message {
            Message::ToolResult(result) => Some(result),
            _ => None,
        };
    }
    match block(slots, place)? {
        ContentBlock::ToolResult(result) => Some(result),
        _ => None,
    }
}

/// The call at `place`, flat or as a block.
pub(super) fn tool_use<'s>(slots: &'s mut [Slot], place: &Place) -> Option<&'s mut ToolUse> {
    if place.steps.is_empty() {
        return match &mut slots.get_mut(place.message)?.message {
            Message::ToolUse(call) => Some(call),
            _ => None,
        };
    }
    match block(slots, place)? {
        ContentBlock::ToolUse(call) => Some(call),
        _ => None,
    }
}

/// Takes blocks out, each by its place. Linear in the blocks of the lists concerned.
pub(super) fn remove(slots: &mut [Slot], mut places: Vec<Place>) -> Vec<(Place, ContentBlock)> {
    places.sort();
    places.dedup();
    let mut removed = Vec::with_capacity(places.len());
    // From the back, so that the places before stay true; whole lists at once, so that many removals
    // from one list do not shift it many times.
    while let Some(place) = places.last().cloned() {
        let same = |other: &Place| {
            other.message == place.message
                && other.steps.len() == place.steps.len()
                && other.steps.split_last().map(|s| s.1) == place.steps.split_last().map(|s| s.1)
        };
        let from = places.iter().rposition(|p| !same(p)).map_or(0, |at| at + 1);
        let group = places.split_off(from);
        if let Some((blocks, _)) = list(slots, &place) {
            let mut group = group.into_iter().peekable();
            let kept = std::mem::take(blocks);
            let mut taken = Vec::new();
            for (at, b) in kept.into_iter().enumerate() {
                if group.peek().is_some_and(|p| p.steps.last() == Some(&at)) {
                    if let Some(p) = group.next() {
                        taken.push((p, b));
                    }
                } else {
                    blocks.push(b);
                }
            }
            removed.extend(taken.into_iter().rev());
        }
    }
    removed.reverse();
    removed
}

/// A block as text that says what it was: its own text if it has some, else its JSON.
pub(super) fn as_text(block: &ContentBlock) -> ContentBlock {
    let text = match block {
        ContentBlock::Other(other) => ["text", "refusal"]
            .iter()
            .find_map(|key| other.raw.member(key)?.as_str())
            .map(std::borrow::Cow::into_owned)
            .filter(|text| !text.trim().is_empty()),
        ContentBlock::Thinking(thinking) => Some(thinking.thinking.as_str().to_owned()),
        _ => None,
    };
    ContentBlock::text(text.unwrap_or_else(|| readable(&block.to_json())))
}

/// JSON whose half surrogate pairs are gone, so that the text that holds it is sound.
fn readable(json: &str) -> String {
    antiphon_model::RawRef::parse(json)
        .ok()
        .and_then(antiphon_model::RawRef::without_lone_surrogates)
        .map_or_else(|| json.to_owned(), |raw| raw.get().to_owned())
}
