//! A request taken apart into what is counted: texts, and things with a price of their own.

use std::borrow::Cow;

use antiphon_model::message::Blocks;
use antiphon_model::{
    Base64Source, BlockRef, Content, DocumentBlock, ImageBlock, Message, RawRef, Request, Source, Tool,
};

use crate::costs::{Costs, ThinkingRule};
use crate::counter::Bounds;

/// What a part of a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// The frame: the request, turns, blocks of tools.
    Overhead,
    /// Text.
    Text,
    /// Thinking that the model sees again.
    Thinking,
    /// A call: name and input.
    ToolUse,
    /// A result of a tool.
    ToolResult,
    /// A picture.
    Image,
    /// A document.
    Document,
    /// Anything else.
    Other,
}

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Request,
    System,
    Tools,
    Message(usize),
}

/// One part: a text to count, or a price.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    Text(Cow<'a, str>),
    /// A text of which a token costs `1.0 ×` this.
    Weighted(Cow<'a, str>, f64),
    Price(Bounds),
}

pub(crate) type Visit<'v> = dyn FnMut(Place, PartKind, Part<'_>) + 'v;

/// Visits every part of a request, the cheap ones first within a message.
pub(crate) fn request(request: &Request, costs: &Costs, visit: &mut Visit<'_>) {
    visit(Place::Request, PartKind::Overhead, Part::Price(Bounds::exact(costs.request)));
    if let Some(system) = &request.system {
        if !system.is_empty() {
            visit(Place::System, PartKind::Overhead, Part::Price(Bounds::exact(costs.system)));
        }
        let at = At { costs, place: Place::System, kind: PartKind::Text, thinking: true, depth: 0 };
        content(system, at, visit);
    }
    tools(request, costs, visit);
    if request.param("thinking").and_then(|t| t.member("budget_tokens")).is_some() {
        visit(Place::Request, PartKind::Overhead, Part::Price(Bounds::exact(costs.thinking_asked)));
    }
    // `output_format: {schema}`, or the same as `output_config: {format: {schema}}`.
    let format = request.param("output_config").and_then(|c| c.member("format"));
    let format = format.or_else(|| request.param("output_format"));
    if let Some(schema) = format.and_then(|f| f.member("schema")) {
        let mut json = String::new();
        compact(schema.get(), &mut json);
        visit(Place::Request, PartKind::Overhead, Part::Price(Bounds::exact(costs.schema)));
        visit(Place::Request, PartKind::Overhead, Part::Text(Cow::Owned(json)));
    }
    if request.messages.iter().flat_map(Message::blocks).any(cites) {
        visit(Place::Request, PartKind::Overhead, Part::Price(Bounds::exact(costs.citations)));
    }
    let from = running_loop(&request.messages);
    for (i, message) in request.messages.iter().enumerate() {
        let thinking = costs.thinking == ThinkingRule::Kept || i >= from;
        self::message(message, costs, Place::Message(i), thinking, visit);
    }
}

/// A document or search result whose citations are switched on.
fn cites(block: BlockRef<'_>) -> bool {
    matches!(block, BlockRef::Document(_) | BlockRef::SearchResult(_))
        && block.member("citations").and_then(|c| c.member("enabled")).and_then(RawRef::as_bool) == Some(true)
}

/// The first message after the last user turn that brings more than tool results.
pub(crate) fn running_loop(messages: &[Message]) -> usize {
    let asks = |m: &Message| {
        matches!(m, Message::User(_))
            && m.blocks().any(|b| !matches!(b, BlockRef::ToolResult(_) | BlockRef::ServerToolResult(_)))
    };
    messages.iter().rposition(asks).map_or(0, |i| i + 1)
}

fn tools(request: &Request, costs: &Costs, visit: &mut Visit<'_>) {
    let Some(tools) = request.tools.as_deref().filter(|t| !t.is_empty()) else { return };
    if tools.iter().any(Tool::is_custom) {
        let choice = request.param("tool_choice").and_then(|c| c.member("type")).and_then(RawRef::as_str);
        let forced = matches!(choice.as_deref(), Some("any" | "tool"));
        let frame = if forced { costs.tools_forced } else { costs.tools };
        visit(Place::Tools, PartKind::Overhead, Part::Price(Bounds::exact(frame)));
    }
    for tool in tools {
        if tool.is_custom() {
            visit(Place::Tools, PartKind::Overhead, Part::Price(Bounds::exact(costs.tool)));
            visit(Place::Tools, PartKind::Text, Part::Weighted(Cow::Owned(definition(tool)), costs.tool_json));
        } else {
            // The provider's own: it writes the description. The documented sizes, else a guess.
            let price = match tool.kind().as_deref().unwrap_or_default() {
                kind if kind.starts_with("bash") => Bounds::calibrated(200, 245, 400),
                kind if kind.starts_with("text_editor") => Bounds::calibrated(500, 700, 1100),
                kind if kind.starts_with("computer") => Bounds::calibrated(600, 1200, 1600),
                _ => Bounds::calibrated(50, 700, 3000),
            };
            visit(Place::Tools, PartKind::Other, Part::Price(price));
        }
    }
}

/// Name, description and schema as compact JSON: what the recorded sizes grow with.
fn definition(tool: &Tool) -> String {
    let mut out = String::from("{");
    for key in ["name", "description", "input_schema"] {
        if let Some(value) = tool.member(key) {
            if out.len() > 1 {
                out.push(',');
            }
            out.push('"');
            out.push_str(key);
            out.push_str("\":");
            compact(value.get(), &mut out);
        }
    }
    out.push('}');
    out
}

/// JSON without the white space between its tokens.
pub(crate) fn compact(json: &str, out: &mut String) {
    let (mut string, mut escaped) = (false, false);
    for c in json.chars() {
        if string {
            string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c == '"' {
            string = true;
        } else if c.is_ascii_whitespace() {
            continue;
        }
        out.push(c);
    }
}

/// The parts of one message.
pub(crate) fn message(message: &Message, costs: &Costs, place: Place, thinking: bool, visit: &mut Visit<'_>) {
    visit(place, PartKind::Overhead, Part::Price(Bounds::exact(costs.message)));
    if let Message::Other(other) = message {
        strings(other.raw.as_ref(), place, PartKind::Other, visit);
    }
    for block in message.blocks() {
        self::block(block, At { costs, place, kind: PartKind::Text, thinking, depth: 0 }, visit);
    }
}

/// Deeper than this, what is inside a tool result is counted as the JSON it is.
const DEEPEST: u8 = 32;

#[derive(Clone, Copy)]
struct At<'c> {
    costs: &'c Costs,
    place: Place,
    kind: PartKind,
    thinking: bool,
    depth: u8,
}

fn content(content: &Content, at: At<'_>, visit: &mut Visit<'_>) {
    if at.depth >= DEEPEST {
        let mut json = String::new();
        content.write_json(&mut json);
        return visit(at.place, at.kind, Part::Text(Cow::Owned(json)));
    }
    let at = At { depth: at.depth + 1, ..at };
    for block in Blocks::of(content) {
        self::block(block, at, visit);
    }
}

fn block(block: BlockRef<'_>, at: At<'_>, visit: &mut Visit<'_>) {
    let At { costs, place, .. } = at;
    let text = |kind: PartKind, text: &str, visit: &mut Visit<'_>| {
        if !text.is_empty() {
            visit(place, kind, Part::Text(Cow::Borrowed(text)));
        }
    };
    match block {
        BlockRef::Text { text: t, .. } => text(at.kind, t.as_str(), visit),
        BlockRef::Image(image) => visit(place, PartKind::Image, Part::Price(self::image(image, costs))),
        BlockRef::Document(document) => self::document(document, at, visit),
        BlockRef::SearchResult(result) => {
            text(PartKind::Document, result.source.as_str(), visit);
            text(PartKind::Document, result.title.as_str(), visit);
            let inner = At { kind: PartKind::Document, depth: at.depth + 1, ..at };
            for block in result.content.iter().take(if at.depth < DEEPEST { usize::MAX } else { 0 }) {
                self::block(block.into(), inner, visit);
            }
        }
        BlockRef::Thinking(block) if at.thinking => text(PartKind::Thinking, block.thinking.as_str(), visit),
        // Encrypted: about as many tokens as its bytes would have as text.
        BlockRef::RedactedThinking(block) if at.thinking => {
            let bytes = block.data.len() as u64 * 3 / 4;
            visit(place, PartKind::Thinking, Part::Price(Bounds::calibrated(0, bytes / 4, bytes)));
        }
        BlockRef::ToolUse(call) => {
            visit(place, PartKind::Overhead, Part::Price(Bounds::exact(costs.tool_block)));
            self::call(&call.name, call.input.as_ref(), place, visit);
        }
        BlockRef::ServerToolUse(call) => {
            visit(place, PartKind::Overhead, Part::Price(Bounds::exact(costs.tool_block)));
            self::call(&call.name, call.input.as_ref(), place, visit);
        }
        BlockRef::ToolResult(result) => {
            visit(place, PartKind::Overhead, Part::Price(Bounds::exact(costs.tool_block)));
            if let Some(inner) = &result.content {
                content(inner, At { kind: PartKind::ToolResult, ..at }, visit);
            }
        }
        BlockRef::ServerToolResult(result) => {
            visit(place, PartKind::Overhead, Part::Price(Bounds::exact(costs.tool_block)));
            if let Some(inner) = &result.content {
                strings(inner.as_ref(), place, PartKind::ToolResult, visit);
            }
        }
        BlockRef::ToolReference(reference) => text(PartKind::ToolResult, &reference.tool_name, visit),
        BlockRef::Compaction(compaction) => {
            if let Some(t) = &compaction.content {
                text(PartKind::Text, t.as_str(), visit);
            }
        }
        BlockRef::Other(other) => strings(other.raw.as_ref(), place, PartKind::Other, visit),
        // Thinking that the service drops; uploads, which cost nothing in the prompt; kinds to come.
        _ => {}
    }
}

fn call(name: &str, input: RawRef<'_>, place: Place, visit: &mut Visit<'_>) {
    visit(place, PartKind::ToolUse, Part::Text(Cow::Borrowed(name)));
    let mut out = String::with_capacity(input.get().len());
    compact(input.get(), &mut out);
    visit(place, PartKind::ToolUse, Part::Text(Cow::Owned(out)));
}

/// The strings in a JSON value that is not understood, but for what is encrypted or names and types things.
fn strings(raw: RawRef<'_>, place: Place, kind: PartKind, visit: &mut Visit<'_>) {
    let mut stack = vec![raw];
    while let Some(raw) = stack.pop() {
        if let Some(text) = raw.as_str() {
            if !text.is_empty() {
                visit(place, kind, Part::Text(text));
            }
            continue;
        }
        stack.extend(raw.elements());
        for (key, value) in raw.members() {
            let skipped =
                key.starts_with("encrypted") || matches!(&*key, "type" | "id" | "signature" | "data" | "role");
            if !skipped {
                stack.push(value);
            }
        }
    }
}

fn image(image: &ImageBlock, costs: &Costs) -> Bounds {
    let frame = Bounds::exact(costs.image);
    if let Source::Base64(source) = &image.source
        && let Some((width, height)) = source.dimensions()
    {
        return frame + Bounds::exact(costs.images.tokens(width, height));
    }
    frame + unknown_image(costs)
}

/// A picture behind a URL or an id: a screenshot's size is likely.
fn unknown_image(costs: &Costs) -> Bounds {
    let (least, most) = costs.images.range();
    Bounds::calibrated(least, costs.images.tokens(1200, 900), most)
}

fn document(document: &DocumentBlock, at: At<'_>, visit: &mut Visit<'_>) {
    let At { costs, place, .. } = at;
    for text in [&document.title, &document.context].into_iter().flatten() {
        visit(place, PartKind::Document, Part::Text(Cow::Borrowed(text.as_str())));
    }
    match &document.source {
        Source::Text(source) => {
            visit(place, PartKind::Document, Part::Text(Cow::Borrowed(source.data.as_str())));
        }
        Source::Content(source) => content(&source.content, At { kind: PartKind::Document, ..at }, visit),
        Source::Base64(source) => {
            let (least, likely) = pages(source);
            let (low, middle, high) = costs.page;
            let price = Bounds::calibrated(least * low, likely * middle, likely.saturating_mul(2) * high);
            visit(place, PartKind::Document, Part::Price(price));
        }
        _ => {
            let (low, middle, high) = costs.page;
            visit(place, PartKind::Document, Part::Price(Bounds::calibrated(low, 2 * middle, 100 * high)));
        }
    }
}

/// The pages of a PDF: at least, and likely. Page objects are counted where they are not compressed away; else by size.
fn pages(source: &Base64Source) -> (u64, u64) {
    let bytes = source.data.len() as u64 * 3 / 4;
    let by_size = (bytes / 60_000).max(1);
    let Some(data) = source.decode_prefix(source.data.len()) else { return (1, by_size) };
    let mut count = 0_u64;
    let mut rest = data.as_slice();
    while let Some(at) = rest.windows(5).position(|w| w == b"/Type") {
        rest = rest.get(at + 5..).unwrap_or_default();
        let name = rest.trim_ascii_start();
        count += u64::from(name.starts_with(b"/Page") && name.get(5) != Some(&b's'));
    }
    if count == 0 { (1, by_size) } else { (count, count) }
}
