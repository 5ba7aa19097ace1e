//! What a request costs beside its texts: the constants of each provider and model generation.

use crate::family::Family;
use crate::images::ImageRule;

/// Which thinking of earlier turns is part of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThinkingRule {
    /// Only thinking after the last user turn that is more than tool results (the running tool loop): the service drops the rest.
    RunningLoop,
    /// All of it.
    Kept,
}

/// The constants of a model: tokens for a request as such, a message, tools, pictures.
///
/// Claude's are fitted to recorded usage (there is no public tokenizer), OpenAI's follow its cookbook and hold exactly for text.
///
/// ```
/// use antiphon_tokens::Costs;
/// let costs = Costs::of_model("gpt-4o");
/// assert_eq!((costs.request, costs.message), (3, 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Costs {
    /// The tokenizer family, where known.
    pub family: Option<Family>,
    /// Tokens for the request.
    pub request: u64,
    /// Tokens for each turn (a message and its role).
    pub message: u64,
    /// Tokens for the system prompt beside its text.
    pub system: u64,
    /// Tokens once there is a tool.
    pub tools: u64,
    /// The same when a tool is forced (`tool_choice` of `any` or `tool`).
    pub tools_forced: u64,
    /// Tokens for each tool definition beside its JSON.
    pub tool: u64,
    /// Tokens for each tool definition for one of its JSON.
    pub tool_json: f64,
    /// Tokens for each call and each result beside its texts.
    pub tool_block: u64,
    /// Tokens once thinking is asked for with a budget.
    pub thinking_asked: u64,
    /// Tokens once an output schema is given, beside the schema's JSON.
    pub schema: u64,
    /// Tokens for each picture beside its pixels.
    pub image: u64,
    /// Tokens once a document is to be cited.
    pub citations: u64,
    /// How pictures count.
    pub images: ImageRule,
    /// Which thinking counts.
    pub thinking: ThinkingRule,
    /// Tokens of one page of a PDF: least, likely, most.
    pub page: (u64, u64, u64),
}

impl Costs {
    /// The constants of a model; for a name that is not known, those of a recent Claude with the family unknown.
    pub fn of_model(model: &str) -> Self {
        let Some(family) = Family::of_model(model) else {
            return Self { family: None, ..Self::claude(Family::Claude4_5, "") };
        };
        match family {
            Family::Claude3 | Family::Claude4_5 | Family::Claude4_7 => Self::claude(family, model),
            Family::O200k | Family::Cl100k => Self::openai(family, model),
            Family::Gemini => Self::gemini(),
        }
    }

    /// Fitted to recorded usage: `4 + 3 a turn + R · text + K + 25 a tool block`.
    fn claude(family: Family, model: &str) -> Self {
        let model = model.to_ascii_lowercase();
        let (tools, tools_forced) = match family {
            Family::Claude3 if model.contains("haiku") => (278, 340),
            Family::Claude3 if model.contains("3-opus") => (545, 545),
            Family::Claude3 => (330, 350),
            Family::Claude4_5 => (509, 615),
            _ => (365, 533),
        };
        let images = if family == Family::Claude4_7 { ImageRule::CLAUDE_HIGH } else { ImageRule::CLAUDE };
        // Opus from 4.5 on keeps the thinking of earlier turns.
        let kept = family != Family::Claude3 && !model.contains("sonnet-4") && !model.contains("haiku-4");
        Self {
            family: Some(family),
            request: 4,
            message: 3,
            system: 0,
            tools,
            tools_forced,
            tool: 0,
            tool_json: 1.0,
            tool_block: 25,
            thinking_asked: if family == Family::Claude4_7 { 0 } else { 28 },
            image: 3,
            citations: 540,
            schema: if family == Family::Claude4_7 { 40 } else { 150 },
            images,
            thinking: if kept { ThinkingRule::Kept } else { ThinkingRule::RunningLoop },
            page: (1500, 1650, 4500),
        }
    }

    /// `3 + a turn: 3, the role, the text`; reasoning models one less.
    fn openai(family: Family, model: &str) -> Self {
        let model = model.to_ascii_lowercase();
        let name = model.rsplit('/').next().unwrap_or_default();
        let reasoning = ["gpt-5", "o1", "o3", "o4"].iter().any(|p| name.starts_with(p)) && !name.contains("chat");
        Self {
            family: Some(family),
            request: if reasoning { 2 } else { 3 },
            message: 4,
            system: 0,
            // Fitted; from GPT-5 on the service adds a longer preface.
            tools: if name.starts_with("gpt-5") { 87 } else { 9 },
            tools_forced: if name.starts_with("gpt-5") { 87 } else { 9 },
            tool: 0,
            tool_json: 0.75,
            tool_block: 6,
            thinking_asked: 0,
            image: 0,
            citations: 0,
            schema: 10,
            images: ImageRule::of_model(&model).unwrap_or(ImageRule::Flat(765)),
            thinking: ThinkingRule::RunningLoop,
            page: (500, 1500, 4000),
        }
    }

    fn gemini() -> Self {
        Self {
            family: Some(Family::Gemini),
            request: 0,
            message: 0,
            system: 0,
            tools: 0,
            tools_forced: 0,
            tool: 0,
            tool_json: 0.75,
            tool_block: 6,
            thinking_asked: 0,
            image: 0,
            citations: 0,
            schema: 10,
            images: ImageRule::Gemini,
            thinking: ThinkingRule::RunningLoop,
            page: (258, 258, 258),
        }
    }
}
