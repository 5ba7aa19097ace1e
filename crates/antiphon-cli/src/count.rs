//! `antiphon count`

use crate::Outcome;
use crate::args::{CountArgs, Counter, Format};
use crate::input::{Body, Input};
use antiphon_model::{Message, Request};
use antiphon_tokens::{
    Bounds, Breakdown, Certainty, Costs, Family, Heuristic, Meter, Quick, TokenCounter, UsageAnchor,
};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;

pub(crate) fn run(args: &CountArgs) -> anyhow::Result<Outcome> {
    let input = Input::read(&args.file, args.input)?;
    let request = input.request();
    let model = args.model.clone().or_else(|| model_of(&input));
    let model = model.as_deref();
    let (counter, costs): (Box<dyn TokenCounter>, Costs) = match args.counter {
        Counter::Quick => (Box::new(Quick), Costs::of_model(model.unwrap_or_default())),
        Counter::Heuristic => heuristic(model.and_then(Family::of_model).unwrap_or(Family::Claude4_5), model),
        Counter::Claude => heuristic(claude(model), model.filter(|m| m.contains("claude"))),
        Counter::O200k => (Box::new(Tiktoken::new(Encoding::O200kBase)), openai(model, Family::O200k, "gpt-4o")),
        Counter::Cl100k => (Box::new(Tiktoken::new(Encoding::Cl100kBase)), openai(model, Family::Cl100k, "gpt-4")),
        Counter::Api => heuristic(claude(model), model),
    };
    let meter = Meter::new(&*counter, costs);
    let breakdown = meter.request(request);
    let mut total = breakdown.total();
    if args.counter == Counter::Api {
        total = Bounds::exact(api::count(request, model)?);
    }
    let session = Usage::of(&input, &meter);
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{}", as_json(args.counter, request, &breakdown, total, session.as_ref()))?,
        Format::Human => {
            write!(out, "{}", table(&input, &breakdown, total, args.counter))?;
            if let Some(session) = &session {
                write!(out, "{session}")?;
            }
        }
    }
    Ok(Outcome::Good)
}

/// The model that the file names: the request's, or that of the last answer.
fn model_of(input: &Input) -> Option<String> {
    if let Some(model) = input.request().model() {
        return Some(model.into_owned());
    }
    let Body::Session(session) = &input.body else { return None };
    session.stored().iter().rev().find_map(|message| match message {
        Message::Assistant(answer) => {
            answer.model().map(std::borrow::Cow::into_owned).filter(|m| Family::of_model(m).is_some())
        }
        _ => None,
    })
}

fn claude(model: Option<&str>) -> Family {
    model.filter(|m| m.contains("claude")).and_then(Family::of_model).unwrap_or(Family::Claude4_5)
}

fn heuristic(family: Family, model: Option<&str>) -> (Box<dyn TokenCounter>, Costs) {
    let model = model.filter(|m| Family::of_model(m) == Some(family));
    let costs = Costs::of_model(model.unwrap_or(match family {
        Family::O200k => "gpt-4o",
        Family::Cl100k => "gpt-4",
        Family::Gemini => "gemini-2.5-pro",
        Family::Claude3 => "claude-3-5-sonnet",
        Family::Claude4_7 => "claude-opus-4-7",
        _ => "claude-sonnet-4-5",
    }));
    (Box::new(Heuristic::new(family)), costs)
}

fn openai(model: Option<&str>, family: Family, usual: &str) -> Costs {
    Costs::of_model(model.filter(|m| Family::of_model(m) == Some(family)).unwrap_or(usual))
}

fn as_json(counter: Counter, request: &Request, parts: &Breakdown, total: Bounds, session: Option<&Usage>) -> Value {
    let messages: Vec<Value> = request
        .messages
        .iter()
        .zip(&parts.messages)
        .map(|(message, tokens)| {
            let sum = tokens.total();
            json!({"role": message.role_name(), "low": sum.low, "likely": sum.likely, "high": sum.high})
        })
        .collect();
    let mut out = json!({
        "low": total.low,
        "likely": total.likely,
        "high": total.high,
        "exact": total.certainty == Certainty::Exact,
        "counter": counter.name(),
        "overhead": parts.overhead.likely,
        "system": parts.system.likely,
        "tools": parts.tools.likely,
        "messages": messages,
    });
    if let (Some(session), Some(members)) = (session, out.as_object_mut()) {
        let usage = json!({
            "answers": session.answers,
            "input_tokens": session.input,
            "cache_creation_input_tokens": session.written,
            "cache_read_input_tokens": session.read,
            "output_tokens": session.output,
        });
        let next = session.next.map(|next| json!({"low": next.low, "likely": next.likely, "high": next.high}));
        members.insert("usage".to_owned(), usage);
        members.insert("next_request".to_owned(), next.unwrap_or(Value::Null));
    }
    out
}

/// Where the tokens are, with bars.
fn table(input: &Input, parts: &Breakdown, total: Bounds, counter: Counter) -> String {
    let sum = |of: fn(&antiphon_tokens::MessageTokens) -> Bounds| -> Bounds { parts.messages.iter().map(of).sum() };
    let rows = [
        ("system prompt", parts.system),
        ("tools", parts.tools),
        ("text", sum(|m| m.text)),
        ("thinking", sum(|m| m.thinking)),
        ("tool calls", sum(|m| m.tool_use)),
        ("tool results", sum(|m| m.tool_result)),
        ("pictures", sum(|m| m.images)),
        ("documents", sum(|m| m.documents)),
        ("other", sum(|m| m.other)),
        ("frame", parts.overhead + sum(|m| m.overhead)),
    ];
    let most = rows.iter().map(|(_, tokens)| tokens.likely).max().unwrap_or(0);
    let row = |name: &str, tokens: u64, most: u64| format!("{name:<14} {:>12}  {}", grouped(tokens), bar(tokens, most));
    let mut lines: Vec<String> = rows
        .iter()
        .filter(|(_, tokens)| tokens.high > 0)
        .map(|(name, tokens)| row(name, tokens.likely, most))
        .collect();
    let range = if total.certainty == Certainty::Exact {
        "exact".to_owned()
    } else {
        format!("{} to {}", grouped(total.low), grouped(total.high))
    };
    lines.push(format!("{:<14} {:>12}  {range}\n", "total", grouped(total.likely)));
    let mut largest: Vec<_> = parts.messages.iter().map(antiphon_tokens::MessageTokens::total).enumerate().collect();
    largest.sort_by_key(|(at, tokens)| (std::cmp::Reverse(tokens.likely), *at));
    if largest.len() > 1 {
        lines.push("largest messages".to_owned());
        let most = largest.first().map_or(0, |(_, tokens)| tokens.likely);
        lines.extend(largest.iter().take(5).map(|(at, tokens)| {
            let role = input.request().messages.get(*at).map(Message::role_name).unwrap_or_default();
            row(&format!("{at} {role}"), tokens.likely, most)
        }));
        lines.push(String::new());
    }
    lines.push(format!("{}: counted by {} ({})\n", input.name, counter.name(), input.kind.described()));
    lines.join("\n")
}

/// A bar of at most thirty places.
fn bar(tokens: u64, most: u64) -> String {
    let places = tokens.saturating_mul(30).checked_div(most).unwrap_or(0);
    "▇".repeat(usize::try_from(places).unwrap_or(30).max(usize::from(tokens > 0)))
}

/// `1234567` as `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What the answers recorded in a session cost, each counted once, and what the next request will.
struct Usage {
    answers: usize,
    input: u64,
    written: u64,
    read: u64,
    output: u64,
    next: Option<Bounds>,
}

impl Usage {
    /// `None` where no answer reports usage. An answer may stand on several lines, with the same `id` and early
    /// ones with a lower count of output (contract 5.3): the largest counts.
    fn of(input: &Input, meter: &Meter<'_>) -> Option<Self> {
        let Body::Session(session) = &input.body else { return None };
        let mut by_id: HashMap<String, antiphon_model::Usage> = HashMap::new();
        let mut without_id = 0;
        for entry in &session.log.entries {
            let Some(Message::Assistant(answer)) = entry.message() else { continue };
            let Some(usage) = answer.usage() else { continue };
            let id = match answer.id() {
                Some(id) => id.into_owned(),
                None => {
                    without_id += 1;
                    format!("\u{0}{without_id}")
                }
            };
            let known = by_id.entry(id).or_insert_with(|| usage.clone());
            if usage.output_tokens > known.output_tokens {
                *known = usage;
            }
        }
        if by_id.is_empty() {
            return None;
        }
        let sum =
            |of: fn(&antiphon_model::Usage) -> Option<u64>| by_id.values().filter_map(of).fold(0, u64::saturating_add);
        let mut anchor = UsageAnchor::new();
        for message in &session.stored() {
            anchor.push(meter, message);
        }
        Some(Self {
            answers: by_id.len(),
            input: sum(|u| u.input_tokens),
            written: sum(|u| u.cache_creation_input_tokens),
            read: sum(|u| u.cache_read_input_tokens),
            output: sum(|u| u.output_tokens),
            next: anchor.is_anchored().then(|| anchor.estimate()),
        })
    }
}

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "reported by {}: {} in, {} written to the cache, {} read from it, {} out",
            crate::render::plural(self.answers, "answer"),
            grouped(self.input),
            grouped(self.written),
            grouped(self.read),
            grouped(self.output)
        )?;
        if let Some(next) = self.next {
            writeln!(
                f,
                "next request, by the last report: {} ({} to {})",
                grouped(next.likely),
                grouped(next.low),
                grouped(next.high)
            )?;
        }
        Ok(())
    }
}

#[cfg(feature = "api")]
mod api {
    use antiphon_model::{RawJson, Request};
    use antiphon_tokens_api::{ApiCounter, Endpoint, ReqwestTransport, TokioPause};
    use anyhow::Context;

    /// The provider's own count. The key is in `ANTHROPIC_API_KEY`; `ANTHROPIC_BASE_URL` names another host.
    pub(super) fn count(request: &Request, model: Option<&str>) -> anyhow::Result<u64> {
        let key = std::env::var("ANTHROPIC_API_KEY").context("--counter api needs ANTHROPIC_API_KEY to be set")?;
        let model = model.context("--counter api needs to know the model: name it with --model")?;
        let mut endpoint = Endpoint::anthropic(key);
        if let Ok(base) = std::env::var("ANTHROPIC_BASE_URL") {
            endpoint = endpoint.with_base(&base);
        }
        let request = request.clone().with_param("model", RawJson::string(model));
        let counter = ApiCounter::new(endpoint, ReqwestTransport::default(), TokioPause);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(counter.count(&request))?)
    }
}

#[cfg(not(feature = "api"))]
mod api {
    use antiphon_model::Request;

    /// This build has no HTTP client.
    pub(super) fn count(_: &Request, _: Option<&str>) -> anyhow::Result<u64> {
        anyhow::bail!("this build cannot ask the provider: build antiphon-cli with `--features api`")
    }
}
