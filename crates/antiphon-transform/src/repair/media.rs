//! Pictures and documents that cannot be sent.

use super::Work;
use super::block::{self, Place};
use crate::report::ChangeKind::Replaced;
use antiphon_contract::Finding;
use antiphon_model::{ContentBlock, Source};
use std::collections::BTreeSet;

pub(super) const RULES: &[&str] = &[
    "image-too-large",
    "image-dimensions",
    "image-undecodable",
    "image-media-type",
    "image-media-type-mismatch",
    "too-many-images",
    "pdf-invalid",
];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let mut done = BTreeSet::new();
    for finding in findings {
        let Some(place) = Place::of(&finding.path) else { continue };
        if finding.rule.id == "too-many-images" {
            oldest(work, finding);
            return;
        }
        if !done.insert(place.clone()) {
            continue;
        }
        let Some(block) = block::block(&mut work.slots, &place) else { continue };
        if let ContentBlock::Image(image) = block
            && let Source::Base64(source) = &mut image.source
            && matches!(finding.rule.id, "image-media-type" | "image-media-type-mismatch")
            && let Some(actual) = source.sniff()
        {
            actual.media_type().clone_into(&mut source.media_type);
            work.add(
                finding.rule.id,
                Replaced,
                finding.path.clone(),
                format!("the media type is {} now", actual.media_type()),
            );
            continue;
        }
        let what = if matches!(block, ContentBlock::Image(_)) { "image" } else { "document" };
        *block = ContentBlock::text(format!("[{what} removed: {}]", finding.message));
        work.add(finding.rule.id, Replaced, finding.path.clone(), format!("the {what} by a note"));
    }
}

/// Too many pictures: the oldest give way.
fn oldest(work: &mut Work<'_>, finding: &Finding) {
    let most = work.options.profile.images;
    let mut places = Vec::new();
    for (message, slot) in work.slots.iter().enumerate() {
        for (i, b) in slot.message.blocks().enumerate() {
            match b {
                antiphon_model::BlockRef::Image(_) => places.push(Place { message, steps: vec![i] }),
                antiphon_model::BlockRef::ToolResult(result) => {
                    if let Some(antiphon_model::Content::Blocks(inner)) = &result.content {
                        // A flat result is its own place: its blocks are one step down.
                        let way = if slot.message.is_flat() { vec![] } else { vec![i] };
                        for (j, b) in inner.iter().enumerate() {
                            if matches!(b, ContentBlock::Image(_)) {
                                places.push(Place { message, steps: way.iter().copied().chain([j]).collect() });
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let surplus = places.len().saturating_sub(most);
    for place in places.into_iter().take(surplus) {
        if let Some(block) = block::block(&mut work.slots, &place) {
            *block = ContentBlock::text("[image removed: too many images in the request]");
            work.add(finding.rule.id, Replaced, super::local::path_of(&place), "an old image by a note");
        }
    }
}
