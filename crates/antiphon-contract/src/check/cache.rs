//! Cache marks (contract 4.8).

use super::Found;
use crate::path::Path;
use crate::rules;
use crate::view::View;
use antiphon_model::{BlockRef, Content, JsonKind, RawRef, Request};

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    let marks = marks(request, view);
    let most = found.profile.cache_marks;
    let automatic = request.param("cache_control").filter(|mark| !mark.is_null());
    if marks.len() > most {
        if let Some((_, path)) = marks.get(most) {
            found.add(
                &rules::TOO_MANY_CACHE_CONTROL,
                path.clone(),
                format!("{} cache marks, at most {most} are allowed", marks.len()),
            );
        }
    } else if let Some(automatic) = automatic {
        let last_block = view.blocks.last().and_then(|placed| placed.content.member("cache_control"));
        let fits = match last_block.filter(|mark| !mark.is_null()) {
            Some(mark) => ttl(mark) == ttl(automatic),
            None => marks.len() < most,
        };
        if !fits {
            found.plain(&rules::CACHE_AUTO_SLOT, Path::top("cache_control"));
        }
    }
    let mut short = false;
    for (mark, path) in &marks {
        if !is_plain(*mark) {
            found.plain(&rules::INVALID_CACHE_CONTROL, path.clone());
            continue;
        }
        if ttl(*mark) == "1h" {
            if short {
                found.plain(&rules::CACHE_TTL_ORDER, path.clone());
            }
        } else {
            short = true;
        }
    }
}

/// All marks in the order the API takes them: tools, system, messages.
fn marks<'a>(request: &'a Request, view: &View<'a>) -> Vec<(RawRef<'a>, Path)> {
    let mut marks = Vec::new();
    let mut add = |mark: Option<RawRef<'a>>, path: &dyn Fn() -> Path| {
        if let Some(mark) = mark.filter(|mark| !mark.is_null()) {
            marks.push((mark, path().field("cache_control")));
        }
    };
    for (i, tool) in request.tools.iter().flatten().enumerate() {
        add(tool.member("cache_control"), &|| Path::top("tools").index(i));
    }
    if let Some(Content::Blocks(blocks)) = &request.system {
        for (i, block) in blocks.iter().enumerate() {
            add(block.cache_control(), &|| Path::top("system").index(i));
        }
    }
    for placed in &view.blocks {
        // A mark on thinking is a fault of its own.
        if placed.content.is_thinking() {
            continue;
        }
        add(placed.content.member("cache_control"), &|| placed.path());
        if let BlockRef::ToolResult(result) = placed.content
            && let Some(Content::Blocks(blocks)) = &result.content
        {
            for (i, block) in blocks.iter().enumerate() {
                add(block.cache_control(), &|| placed.path().field("content").index(i));
            }
        }
    }
    marks
}

fn ttl(mark: RawRef<'_>) -> std::borrow::Cow<'_, str> {
    mark.member("ttl").and_then(RawRef::as_str).unwrap_or("5m".into())
}

fn is_plain(mark: RawRef<'_>) -> bool {
    mark.kind() == JsonKind::Object
        && mark.member("type").is_some_and(|kind| kind.is_str("ephemeral"))
        && mark.members().all(|(key, value)| match &*key {
            "type" => true,
            "ttl" => value.is_null() || value.is_str("5m") || value.is_str("1h"),
            _ => false,
        })
}
