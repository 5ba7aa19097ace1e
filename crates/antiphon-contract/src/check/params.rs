//! Tools and parameters of the request (contract 4.5, 4.7, 4.10, 4.11).

use super::text::is_blank;
use super::{Found, shown};
use crate::path::Path;
use crate::rules;
use crate::view::View;
use antiphon_model::{BlockRef, Content, ContentBlock, JsonKind, RawRef, Request};
use std::collections::HashSet;

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    definitions(request, found);
    used_tools(request, view, found);
    tool_choice(request, found);
    thinking(request, found);
    others(request, found);
}

fn definitions(request: &Request, found: &mut Found<'_>) {
    let Some(tools) = request.tools.as_deref() else { return };
    let mut names = HashSet::new();
    for (i, tool) in tools.iter().enumerate() {
        let path = || Path::top("tools").index(i);
        let Some(name) = tool.name() else { continue };
        let length = name.chars().count();
        if tool.is_custom() {
            let pattern = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            if !pattern || length > found.profile.tool_name {
                found.add(
                    &rules::INVALID_TOOL_NAME,
                    path().field("name"),
                    format!("{} does not match ^[a-zA-Z0-9_-]{{1,{}}}$", shown(&name), found.profile.tool_name),
                );
            } else if length > 64 {
                found.plain(&rules::LONG_TOOL_NAME, path().field("name"));
            }
            let object = tool.input_schema().is_some_and(|schema| {
                schema.kind() == JsonKind::Object && schema.member("type").is_some_and(|kind| kind.is_str("object"))
            });
            if !object {
                found.add(
                    &rules::TOOL_SCHEMA,
                    path().field("input_schema"),
                    format!("the tool {} has no `input_schema` of type object", shown(&name)),
                );
            }
        }
        if !names.insert(name.clone()) {
            found.add(&rules::DUPLICATE_TOOL_NAME, path().field("name"), format!("{} is there twice", shown(&name)));
        }
    }
    let deferred = |tool: &antiphon_model::Tool| tool.member("defer_loading").and_then(RawRef::as_bool) == Some(true);
    if !tools.is_empty() && tools.iter().all(deferred) {
        found.plain(&rules::ALL_TOOLS_DEFERRED, Path::top("tools"));
    }
}

fn used_tools(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    match request.tools.as_deref() {
        None => {
            let full =
                request.model().is_some() && request.param("mcp_servers").is_none_or(antiphon_model::RawRef::is_null);
            let used = view.blocks.iter().find(|p| matches!(p.content, BlockRef::ToolUse(_) | BlockRef::ToolResult(_)));
            if let Some(placed) = used.filter(|_| full) {
                found.plain(&rules::TOOLS_NOT_DECLARED, placed.path());
            }
        }
        Some(tools) => {
            // Toolsets of MCP servers bring tools that the request does not name.
            if tools.iter().any(|tool| tool.name().is_none()) {
                return;
            }
            let names: HashSet<_> = tools.iter().filter_map(antiphon_model::Tool::name).collect();
            for placed in &view.blocks {
                let BlockRef::ToolResult(result) = placed.content else { continue };
                let Some(Content::Blocks(blocks)) = &result.content else { continue };
                for (i, block) in blocks.iter().enumerate() {
                    if let ContentBlock::ToolReference(reference) = block
                        && !names.contains(reference.tool_name.as_str())
                    {
                        found.add(
                            &rules::UNKNOWN_TOOL_REFERENCE,
                            placed.path().field("content").index(i),
                            format!("no tool {} is declared", shown(&reference.tool_name)),
                        );
                    }
                }
            }
        }
    }
}

fn tool_choice(request: &Request, found: &mut Found<'_>) {
    let Some(choice) = request.param("tool_choice").filter(|choice| !choice.is_null()) else { return };
    let path = || Path::top("tool_choice");
    let kind = choice.member("type").and_then(RawRef::as_str);
    match kind.as_deref() {
        Some("auto" | "any" | "tool" | "none") => {}
        _ => found.plain(&rules::TOOL_CHOICE_SHAPE, path()),
    }
    if request.tools.is_none() {
        found.plain(&rules::TOOL_CHOICE_WITHOUT_TOOLS, path());
    }
    if matches!(kind.as_deref(), Some("any" | "tool")) && thinking_kind(request).as_deref() == Some("enabled") {
        found.plain(&rules::TOOL_CHOICE_WITH_THINKING, path());
    }
}

fn thinking_kind(request: &Request) -> Option<std::borrow::Cow<'_, str>> {
    request.param("thinking")?.member("type")?.as_str()
}

fn thinking(request: &Request, found: &mut Found<'_>) {
    let kind = thinking_kind(request);
    match kind.as_deref() {
        Some("enabled") => {
            found.plain(&rules::MANUAL_THINKING_UNSUPPORTED, Path::top("thinking").field("type"));
            if let Some(budget) =
                request.param("thinking").and_then(|t| t.member("budget_tokens")).and_then(RawRef::as_i64)
            {
                let path = || Path::top("thinking").field("budget_tokens");
                // With tools, thinking may interleave, and then the budget may exceed `max_tokens`.
                let over = request.tools.is_none()
                    && request.max_tokens().is_some_and(|most| i64::try_from(most).is_ok_and(|most| budget >= most));
                if budget < 1024 {
                    found.add(
                        &rules::THINKING_BUDGET,
                        path(),
                        format!("a budget of {budget}, at least 1024 are needed"),
                    );
                } else if over {
                    found.add(&rules::THINKING_BUDGET, path(), format!("a budget of {budget}, not below `max_tokens`"));
                }
            }
            let warm = request
                .param("temperature")
                .is_none_or(|t| t.is_null() || t.get().parse::<f64>().is_ok_and(|t| (t - 1.0).abs() < f64::EPSILON));
            if !warm {
                found.plain(&rules::THINKING_SAMPLING, Path::top("temperature"));
            }
        }
        Some("adaptive") => {
            found.plain(&rules::ADAPTIVE_THINKING_UNSUPPORTED, Path::top("thinking").field("type"));
        }
        _ => {}
    }
    for key in ["temperature", "top_p", "top_k"] {
        if let Some(value) = request.param(key)
            && !value.is_null()
            && !(key != "top_k" && value.get().parse::<f64>().is_ok_and(|v| (v - 1.0).abs() < f64::EPSILON))
        {
            found.add(&rules::SAMPLING_UNSUPPORTED, Path::top(key), format!("`{key}` is {value}"));
        }
    }
}

fn others(request: &Request, found: &mut Found<'_>) {
    if let Some(sequences) = request.param("stop_sequences") {
        for (i, sequence) in sequences.elements().enumerate() {
            if sequence.as_str().is_none_or(|text| is_blank(&text)) {
                found.plain(&rules::STOP_SEQUENCE_BLANK, Path::top("stop_sequences").index(i));
            }
        }
    }
    if let Some(kind) =
        request.param("output_config").and_then(|config| config.member("format")).and_then(|f| f.member("type"))
        && !kind.is_str("json_schema")
    {
        found.plain(&rules::OUTPUT_FORMAT_TYPE, Path::top("output_config").field("format").field("type"));
    }
    if let Some(edits) = request.param("context_management").and_then(|context| context.member("edits")) {
        let late = edits.elements().skip(1).position(|edit| {
            edit.member("type").and_then(RawRef::as_str).is_some_and(|kind| kind.starts_with("clear_thinking"))
        });
        if let Some(at) = late {
            found.plain(&rules::CONTEXT_EDIT_ORDER, Path::top("context_management").field("edits").index(at + 1));
        }
    }
}
