//! Whole requests with their recorded counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use antiphon_model::{Message, RawRef, Request, Tool};
use antiphon_tokens::{Costs, Family, Heuristic, Meter, Quick, Scaled, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::{head, row};

pub struct Recorded {
    pub model: String,
    pub class: String,
    pub tokens: u64,
    pub request: Request,
}

pub fn claude(corpus: &Path) -> Vec<Recorded> {
    lines(corpus, "claude-usage-pairs", |line| {
        let text = |key| line.member(key).and_then(RawRef::as_str).map(std::borrow::Cow::into_owned);
        Some(Recorded {
            model: text("model")?,
            class: text("class")?,
            tokens: line.member("total_input_tokens")?.as_u64()?,
            request: Request::from_json(line.member("request")?.get()).ok()?,
        })
    })
}

fn lines<T>(corpus: &Path, name: &str, read: impl Fn(RawRef<'_>) -> Option<T>) -> Vec<T> {
    let text = fs::read_to_string(corpus.join("usage-pairs").join(format!("{name}.jsonl"))).unwrap();
    text.lines().filter_map(|l| read(RawRef::parse(l).ok()?)).collect()
}

/// A chat request as ours: enough for counting.
pub fn openai(corpus: &Path) -> Vec<Recorded> {
    lines(corpus, "openai-usage-pairs", |line| {
        let text = |key| line.member(key).and_then(RawRef::as_str).map(std::borrow::Cow::into_owned);
        let request = line.member("request")?;
        let messages = request.member("messages")?.elements().map(chat_message).collect::<Option<Vec<_>>>()?;
        let mut ours = Request::new(messages);
        if let Some(tools) = request.member("tools") {
            let tools = tools.elements().filter_map(|t| Some(chat_tool(t.member("function")?))).collect();
            ours = ours.with_tools(tools);
        }
        Some(Recorded {
            model: text("response_model").or_else(|| text("model"))?,
            class: text("class")?,
            tokens: line.member("prompt_tokens")?.as_u64()?,
            request: ours,
        })
    })
}

fn chat_tool(function: RawRef<'_>) -> Tool {
    let part = |key: &str| function.member(key).map_or("null", RawRef::get);
    let json = format!(
        "{{\"name\":{},\"description\":{},\"input_schema\":{}}}",
        part("name"),
        part("description"),
        part("parameters")
    );
    Tool::from_raw(antiphon_model::RawJson::parse(&json).unwrap())
}

fn chat_message(raw: RawRef<'_>) -> Option<Message> {
    let role = raw.member("role")?.as_str()?;
    let mut content = match raw.member("content") {
        Some(c) if c.as_str().is_some() => c.as_str()?.into_owned(),
        Some(c) => c.elements().filter_map(|p| Some(p.member("text")?.as_str()?.into_owned())).collect(),
        None => String::new(),
    };
    for call in raw.member("tool_calls").into_iter().flat_map(RawRef::elements) {
        let f = call.member("function")?;
        content += &f.member("name")?.as_str()?;
        content += &f.member("arguments")?.as_str()?;
    }
    Some(match &*role {
        "assistant" => Message::assistant(content),
        "system" | "developer" => Message::system(content),
        _ => Message::user(content),
    })
}

fn gemini(corpus: &Path) -> Vec<Recorded> {
    lines(corpus, "gemini-usage-pairs", |line| {
        let model = line.member("model")?.as_str()?.into_owned();
        let features = line.member("features")?.get().to_owned();
        let request = line.member("request")?;
        let texts = |raw: RawRef<'_>| -> String {
            raw.member("parts")
                .into_iter()
                .flat_map(RawRef::elements)
                .filter_map(|p| Some(p.member("text")?.as_str()?.into_owned()))
                .collect()
        };
        let contents = request.member("contents")?;
        let only_text = contents
            .elements()
            .flat_map(|c| c.member("parts").into_iter().flat_map(RawRef::elements))
            .all(|p| p.member("text").is_some());
        let mut ours = Request::new(contents.elements().map(|c| Message::user(texts(c))).collect());
        if let Some(system) = request.member("systemInstruction").or_else(|| request.member("system_instruction")) {
            ours = ours.with_system(texts(system));
        }
        if let Some(tools) = request.member("tools") {
            let mut functions = Vec::new();
            for tool in tools.elements() {
                let of = tool.member("functionDeclarations").or_else(|| tool.member("function_declarations"));
                functions.extend(of.into_iter().flat_map(RawRef::elements).map(chat_tool));
            }
            ours = ours.with_tools(functions);
        }
        let class = if !only_text {
            "parts"
        } else if features == "[]" {
            "text"
        } else {
            "other"
        };
        Some(Recorded {
            model,
            class: class.to_owned(),
            tokens: line.member("prompt_tokens")?.as_u64()?,
            request: ours,
        })
    })
}

fn table(title: &str, pairs: &[Recorded], of: impl Fn(&Recorded) -> Option<(String, f64)>) {
    head(title);
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for pair in pairs.iter().filter(|p| p.tokens > 0) {
        let Some((group, estimate)) = of(pair) else { continue };
        let error = estimate / pair.tokens as f64 - 1.0;
        if pair.tokens > 200 {
            groups.entry(format!("{group}, over 200 tokens")).or_default().push(error);
        }
        groups.entry(group).or_default().push(error);
    }
    for (group, errors) in groups {
        row(&group, &errors);
    }
}

pub fn run(corpus: &Path) {
    let pairs = claude(corpus);
    let exact = Tiktoken::new(Encoding::O200kBase);
    let group = |p: &Recorded| Some((Family::of_model(&p.model)?, p.class.clone()));
    table("Claude, heuristic", &pairs, |p| {
        let (family, class) = group(p)?;
        let counter = Heuristic::new(family);
        let total = Meter::new(&counter, Costs::of_model(&p.model)).request(&p.request).total();
        Some((format!("{family:?} {class}"), total.likely as f64))
    });
    table("Claude, o200k × ratio", &pairs, |p| {
        let (family, class) = group(p)?;
        let counter = Scaled::new(exact, family.ratio()?);
        let total = Meter::new(&counter, Costs::of_model(&p.model)).request(&p.request).total();
        Some((format!("{family:?} {class}"), total.likely as f64))
    });
    table("Claude, chars / 4", &pairs, |p| {
        let (family, class) = group(p)?;
        Some((format!("{family:?} {class}"), Quick.count(&p.request.to_json()) as f64))
    });
    let pairs = openai(corpus);
    table("OpenAI chat, exact", &pairs, |p| {
        let counter = Tiktoken::for_model(&p.model)?;
        let total = Meter::new(&counter, Costs::of_model(&p.model)).request(&p.request).total();
        Some((format!("{:?} {}", Family::of_model(&p.model)?, p.class), total.likely as f64))
    });
    table("OpenAI chat, heuristic", &pairs, |p| {
        let family = Family::of_model(&p.model)?;
        let total = Meter::new(&Heuristic::new(family), Costs::of_model(&p.model)).request(&p.request).total();
        Some((format!("{family:?} {}", p.class), total.likely as f64))
    });
    let texts: Vec<&Recorded> =
        pairs.iter().filter(|p| p.class == "text" && Family::of_model(&p.model).is_some()).collect();
    let equal = texts
        .iter()
        .filter(|p| {
            let counter = Tiktoken::for_model(&p.model).unwrap();
            Meter::new(&counter, Costs::of_model(&p.model)).request(&p.request).total().likely == p.tokens
        })
        .count();
    println!("\nOpenAI chat, text only: {equal} of {} equal", texts.len());

    table("Gemini, heuristic", &gemini(corpus), |p| {
        let family = Family::of_model(&p.model)?;
        let total = Meter::new(&Heuristic::new(family), Costs::of_model(&p.model)).request(&p.request).total();
        Some((p.class.clone(), total.likely as f64))
    });
}
