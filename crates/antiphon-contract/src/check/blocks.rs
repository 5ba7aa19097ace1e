//! Each message and block by itself: shape, emptiness, role, strings.

use super::text::{is_blank, oddities};
use super::{Found, shown, too_large};
use crate::finding::Severity;
use crate::path::Path;
use crate::rules;
use crate::view::{Placed, Turn, View};
use antiphon_model::{
    AssistantMessage, BlockRef, Content, ContentBlock, JsonKind, Message, OtherBlock, OtherMessage, RawRef, Request,
    Role, Source, Text, ToolResult, ToolUse,
};

/// Block types of other providers' dialects.
const FOREIGN: &[&str] = &[
    "input_text",
    "output_text",
    "input_image",
    "input_file",
    "input_audio",
    "image_url",
    "refusal",
    "function_call",
    "function_call_output",
    "reasoning",
    "tool_call",
    "tool-call",
    "tool-result",
    "mid_conv_system",
];

/// Keys that SDKs put on blocks for their own use, which end up in stored messages and are refused.
pub const SDK_HELPER_KEYS: &[&str] = &["parsed_output", "parsed", "index", "partial_json", "__json_buf"];

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    if request.messages.is_empty() {
        found.plain(&rules::NO_MESSAGES, Path::top("messages"));
    }
    let most = found.profile.messages;
    if request.messages.len() > most {
        found.add(
            &rules::TOO_MANY_MESSAGES,
            Path::top("messages"),
            format!("{} messages, over the limit of {most}", request.messages.len()),
        );
    }
    too_large(request, found);
    system_prompt(request, found);
    let last = request.messages.len().saturating_sub(1);
    for (index, message) in request.messages.iter().enumerate() {
        message_shape(index, message, index == last, found);
    }
    for turn in &view.turns {
        for placed in view.of(turn) {
            if let Some(role) = turn.role {
                placement(role, placed.content, || placed.path(), found);
            }
            block(placed.content, &mut || placed.path(), found);
        }
        blank_texts(turn, view.of(turn), found);
    }
}

/// Text blocks of white space alone. The server's test is by message: beside other content one may pass.
fn blank_texts(turn: &Turn, blocks: &[Placed<'_>], found: &mut Found<'_>) {
    if turn.role.is_none() {
        return;
    }
    let blank = |p: &&Placed<'_>| p.content.as_text().is_some_and(|text| !text.is_empty() && is_blank(text));
    let mut all_blank = None;
    for placed in blocks.iter().filter(blank) {
        let alone = *all_blank.get_or_insert_with(|| blocks.iter().all(|p| blank(&p)));
        let most = if alone { Severity::Error } else { found.profile.blank_beside_content };
        found.add_at_most(most, &rules::WHITESPACE_TEXT_BLOCK, placed.path(), rules::WHITESPACE_TEXT_BLOCK.title);
    }
}

fn system_prompt(request: &Request, found: &mut Found<'_>) {
    let Some(system) = &request.system else { return };
    match system {
        Content::Text(text) => {
            if is_blank(text) {
                found.plain(&rules::EMPTY_SYSTEM_STRING, Path::top("system"));
            } else {
                string(text, &mut || Path::top("system"), found);
            }
        }
        Content::Blocks(blocks) => {
            for (i, block) in blocks.iter().enumerate() {
                let path = || Path::top("system").index(i);
                match block {
                    ContentBlock::Text(b) if is_blank(&b.text) => found.plain(&rules::EMPTY_SYSTEM, path()),
                    ContentBlock::Text(b) => string(&b.text, &mut { path }, found),
                    other => found.add(
                        &rules::SYSTEM_MESSAGE_CONTENT,
                        path(),
                        format!("the system prompt takes text blocks only, this is {}", shown(other.type_name())),
                    ),
                }
            }
        }
    }
}

fn message_shape(index: usize, message: &Message, last: bool, found: &mut Found<'_>) {
    let path = || Path::message(index);
    if let Message::Other(other) = message {
        return misshapen(other, path(), found);
    }
    let allowed: &[&str] = if matches!(message, Message::System(_)) { &["output_config", "clear_at"] } else { &[] };
    if !message.is_flat()
        && let Some(extra) = message.extra().filter(|extra| !extra.is_empty())
    {
        for (key, _) in extra.iter().filter(|(key, _)| !allowed.contains(&&**key)) {
            found.add(
                &rules::EXTRA_FIELD,
                path(),
                format!("a {} message takes no key {}", message.role_name(), shown(&key)),
            );
        }
        if extra.get("clear_at").is_some() && matches!(message, Message::System(_)) {
            found.plain(&rules::SYSTEM_CLEAR_AT, path());
        }
    }
    let directive = message.extra().is_some_and(|extra| extra.get("output_config").is_some());
    if let Some(content) = message.content().filter(|content| content.is_empty()) {
        let optional = last && matches!(message, Message::Assistant(AssistantMessage { .. }));
        if !optional && !directive {
            found.add(
                &rules::EMPTY_MESSAGE,
                path().field("content"),
                format!(
                    "the {} message has {}",
                    message.role_name(),
                    if matches!(content, Content::Text(_)) { "an empty string as content" } else { "no content block" }
                ),
            );
        }
    }
}

fn misshapen(other: &OtherMessage, path: Path, found: &mut Found<'_>) {
    if other.raw.as_ref().lone_surrogates().next().is_some() {
        found.plain(&rules::LONE_SURROGATE, path.clone());
    }
    match other.role.as_deref() {
        Some("user" | "assistant" | "system") => {
            let content = other.raw.member("content");
            let kind = content.map(RawRef::kind);
            match kind {
                Some(JsonKind::String | JsonKind::Array) => {
                    found.add(&rules::EXTRA_FIELD, path, "the message repeats a key");
                }
                Some(kind) => found.add(
                    &rules::CONTENT_SHAPE,
                    path.field("content"),
                    format!("`content` is {}, not a string or a list", article(kind)),
                ),
                None => found.add(&rules::CONTENT_SHAPE, path, "the message has no `content`"),
            }
        }
        Some(flat @ ("tool_use" | "tool_result")) => {
            found.add(&rules::REQUIRED_FIELD, path, format!("the {flat} record lacks a field that it requires"));
        }
        Some(role) => found.add(&rules::UNKNOWN_ROLE, path, format!("the API knows no role {}", shown(role))),
        None => found.add(&rules::UNKNOWN_ROLE, path, "this is no message: it has no `role`"),
    }
}

fn article(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "null",
        JsonKind::Bool => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::String => "a string",
        JsonKind::Array => "a list",
        JsonKind::Object => "an object",
    }
}

/// Which block in which role (contract 4.4).
fn placement(role: Role, block: BlockRef<'_>, path: impl Fn() -> Path, found: &mut Found<'_>) {
    let kind = block.type_name();
    let rule = match (role, kind) {
        (Role::System, "text" | "tool_addition" | "tool_removal") => return,
        (Role::System, _) => &rules::SYSTEM_MESSAGE_CONTENT,
        (_, "tool_addition" | "tool_removal") => &rules::TOOL_CHANGE_NOT_IN_SYSTEM,
        (Role::Assistant, "image" | "document" | "search_result") => &rules::IMAGE_IN_ASSISTANT,
        (Role::Assistant, "container_upload") => &rules::CONTAINER_UPLOAD_IN_ASSISTANT,
        (Role::Assistant, "tool_result") => &rules::TOOL_RESULT_NOT_IN_USER,
        (Role::User, "tool_use") => &rules::TOOL_USE_NOT_IN_ASSISTANT,
        (Role::User, "thinking" | "redacted_thinking") => &rules::THINKING_NOT_IN_ASSISTANT,
        (Role::User, "server_tool_use" | "mcp_tool_use") => &rules::SERVER_BLOCK_NOT_IN_ASSISTANT,
        (Role::User, _) if matches!(block, BlockRef::ServerToolResult(_)) => &rules::SERVER_BLOCK_NOT_IN_ASSISTANT,
        _ => return,
    };
    found.add(rule, path(), format!("a {} block in a {role} message", shown(kind)));
}

/// A block by itself; goes into tool results, documents and search results (bounded in depth).
fn block(block: BlockRef<'_>, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    helper_keys(block, path, found);
    match block {
        BlockRef::Text { text, block } => {
            if text.is_empty() {
                // An empty string as content is an empty message, and reported as that.
                if let Some(block) = block {
                    found.plain(&rules::EMPTY_TEXT_BLOCK, path().field("text"));
                    if block.extra.get("cache_control").is_some_and(|mark| !mark.is_null()) {
                        found.plain(&rules::CACHE_CONTROL_ON_EMPTY_TEXT, path().field("cache_control"));
                    }
                }
            }
            string(text, path, found);
            for (i, citation) in block.and_then(|b| b.citations.as_ref()).into_iter().flatten().enumerate() {
                if citation.member("file_id").is_some() {
                    found.plain(&rules::CITATION_FILE_ID, path().field("citations").index(i).field("file_id"));
                }
                raw_strings(citation.raw(), path, found);
            }
        }
        BlockRef::ToolUse(call) => tool_use(call, path, found),
        BlockRef::ToolResult(result) => tool_result(result, path, found),
        BlockRef::Thinking(b) if b.thinking.has_lone_surrogate() => {
            found.plain(&rules::LONE_SURROGATE, path().field("thinking"));
        }
        BlockRef::Document(b) => {
            for text in b.title.iter().chain(&b.context) {
                if text.has_lone_surrogate() {
                    found.plain(&rules::LONE_SURROGATE, path());
                }
            }
            match &b.source {
                Source::Text(source) => string(&source.data, &mut || path().field("source").field("data"), found),
                Source::Content(source) => {
                    inner(&source.content, &mut || path().field("source").field("content"), found);
                }
                Source::Other(raw) => raw_strings(raw.as_ref(), path, found),
                _ => {}
            }
        }
        BlockRef::SearchResult(b) => {
            let blank = b.content.iter().any(|inner| !matches!(inner, ContentBlock::Text(t) if !t.text.is_empty()));
            if b.content.is_empty() || blank {
                found.plain(&rules::SEARCH_RESULT_EMPTY, path().field("content"));
            }
        }
        BlockRef::Compaction(b) if b.content.as_ref().is_some_and(|text| text.is_empty()) => {
            found.plain(&rules::COMPACTION_EMPTY, path().field("content"));
        }
        BlockRef::ServerToolUse(b) => raw_strings(b.input.as_ref(), path, found),
        BlockRef::ServerToolResult(b) => {
            if let Some(content) = &b.content {
                raw_strings(content.as_ref(), path, found);
            }
        }
        BlockRef::Other(other) => other_block(other, path, found),
        _ => {}
    }
}

fn inner(content: &Content, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    match content {
        Content::Text(text) => string(text, path, found),
        Content::Blocks(blocks) => {
            for (i, b) in blocks.iter().enumerate() {
                block(BlockRef::from(b), &mut || path().index(i), found);
            }
        }
    }
}

fn helper_keys(block: BlockRef<'_>, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    for key in SDK_HELPER_KEYS {
        if block.member(key).is_some() {
            found.add(&rules::EXTRA_FIELD, path(), format!("`{key}` is a helper key of an SDK"));
        }
    }
    if block.is_thinking() && block.member("cache_control").is_some() {
        found.plain(&rules::THINKING_CACHE_CONTROL, path().field("cache_control"));
    }
}

fn tool_use(call: &ToolUse, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    if !super::is_tool_id(&call.id) {
        found.add(
            &rules::INVALID_TOOL_ID,
            path().field("id"),
            format!("the id {} does not match ^[a-zA-Z0-9_-]+$", shown(&call.id)),
        );
    }
    if call.name.is_empty() || call.name.chars().count() > 200 {
        found.add(
            &rules::TOOL_USE_NAME,
            path().field("name"),
            format!("the name has {} characters, not 1 to 200", call.name.chars().count()),
        );
    }
    if call.input.kind() != JsonKind::Object {
        found.add(
            &rules::TOOL_INPUT_NOT_OBJECT,
            path().field("input"),
            format!("the input is {}, not an object", article(call.input.kind())),
        );
    }
    raw_strings(call.input.as_ref(), &mut || path().field("input"), found);
}

/// What may stand in a tool result (contract 4.5).
fn may_be_in_result(kind: &str) -> bool {
    matches!(kind, "text" | "image" | "search_result" | "document" | "tool_reference" | "browser_state")
}

fn tool_result(result: &ToolResult, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    let empty = match &result.content {
        None => true,
        Some(Content::Text(text)) => is_blank(text),
        Some(Content::Blocks(blocks)) => blocks.is_empty(),
    };
    if result.failed() && empty {
        found.add(
            &rules::ERROR_RESULT_EMPTY,
            path().field("content"),
            format!("the error result for {} has no content", shown(&result.tool_use_id)),
        );
    }
    if let Some(Content::Blocks(blocks)) = &result.content {
        for (i, b) in blocks.iter().enumerate() {
            let kind = b.type_name();
            let known_elsewhere = !matches!(b, ContentBlock::Other(_)) || FOREIGN.contains(&kind);
            if !may_be_in_result(kind) && known_elsewhere {
                found.add(
                    &rules::TOOL_RESULT_BLOCK_TYPE,
                    path().field("content").index(i),
                    format!("a {} block may not stand in a tool result", shown(kind)),
                );
            } else if result.failed() && kind != "text" {
                found.add(
                    &rules::ERROR_RESULT_NOT_TEXT,
                    path().field("content").index(i),
                    format!("a {} block in an error result", shown(kind)),
                );
            }
        }
    }
    if let Some(content) = &result.content {
        inner(content, &mut || path().field("content"), found);
    }
}

fn other_block(other: &OtherBlock, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    raw_strings(other.raw.as_ref(), path, found);
    let kind = other.kind.as_str();
    if FOREIGN.contains(&kind) {
        found.add(&rules::FOREIGN_BLOCK_TYPE, path(), format!("{} is a block of another API", shown(kind)));
    } else if let Some(lacks) = required(kind) {
        found.add(&rules::REQUIRED_FIELD, path(), format!("a {kind} block requires {lacks}"));
    } else if kind.is_empty() {
        found.add(&rules::REQUIRED_FIELD, path(), "a block requires a `type`");
    } else if !KNOWN_RAW.contains(&kind) {
        found.add(&rules::UNKNOWN_BLOCK_TYPE, path(), format!("the block type {} is not known here", shown(kind)));
    }
}

/// Blocks of the contract that the model keeps raw.
const KNOWN_RAW: &[&str] = &["browser_state", "fallback", "connector_text", "tool_addition", "tool_removal"];

/// What a block that is typed when it is whole requires.
fn required(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "text" => "`text`, a string",
        "image" => "`source`, an object",
        "document" => "`source`, an object",
        "search_result" => "`source`, `title` and `content`",
        "thinking" => "`thinking`, a string",
        "redacted_thinking" => "`data`, a string",
        "tool_use" | "server_tool_use" | "mcp_tool_use" => "`id`, `name` and `input`",
        "tool_result" => "`tool_use_id`, and `content` to be a string or a list",
        "tool_reference" => "`tool_name`, a string",
        "container_upload" => "`file_id`, a string",
        "compaction" => "each key once",
        _ if kind.ends_with("_tool_result") => "`tool_use_id`",
        _ => return None,
    })
}

fn raw_strings(raw: RawRef<'_>, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    if raw.lone_surrogates().next().is_some() {
        found.plain(&rules::LONE_SURROGATE, path());
    }
}

fn string(text: &Text, path: &mut dyn FnMut() -> Path, found: &mut Found<'_>) {
    if text.has_lone_surrogate() {
        found.plain(&rules::LONE_SURROGATE, path());
    }
    if !found.lints {
        return;
    }
    let odd = oddities(text);
    if odd.nul {
        found.plain(&rules::NUL_BYTE, path());
    }
    if odd.escape {
        found.plain(&rules::ANSI_ESCAPE, path());
    }
    if odd.base64 {
        found.plain(&rules::BASE64_IN_TEXT, path());
    }
}
