//! Breakdowns: everything is counted once, at its place.

use antiphon_model::{Message, Request};
use antiphon_tokens::{Bounds, Costs, Family, Heuristic, MessageTokens, Meter, Quick, TokenCounter};

fn meter(counter: &dyn TokenCounter) -> Meter<'_> {
    Meter::new(counter, Costs::of_model("claude-sonnet-4-5"))
}

fn request(json: &str) -> Request {
    Request::from_json(json).unwrap()
}

#[test]
fn the_parts_add_up_and_stand_where_they_belong() {
    let request = request(
        r#"{"model":"claude-sonnet-4-5","system":"You are terse.",
        "tools":[{"name":"ls","description":"List files","input_schema":{ "type" : "object" }},{"type":"bash_20250124","name":"bash"}],
        "messages":[{"role":"user","content":"What is here?"},
        {"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"t","name":"ls","input":{"path": "."}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"Cargo.toml\nsrc"}]}]}"#,
    );
    let breakdown = meter(&Quick).request(&request);
    let sum: Bounds = breakdown.messages.iter().map(MessageTokens::total).sum::<Bounds>()
        + breakdown.overhead
        + breakdown.system
        + breakdown.tools;
    let total = breakdown.total();
    assert_eq!(total.likely, sum.likely);
    assert!(sum.low <= total.low && total.low <= total.likely && total.likely <= total.high && total.high <= sum.high);
    assert_eq!(breakdown.system.likely, 4); // 14 characters
    // 509 for the frame, 77 characters of compact JSON, and the service's own tool.
    let json = r#"{"name":"ls","description":"List files","input_schema":{"type":"object"}}"#;
    assert_eq!(breakdown.tools.likely, 509 + Quick.count(json) + 245);
    let [ask, call, result] = &breakdown.messages[..] else { panic!() };
    assert_eq!(ask.text.likely, 4);
    assert_eq!((call.text.likely, call.tool_use.likely), (3, 1 + Quick.count(r#"{"path":"."}"#)));
    assert_eq!((result.text.likely, result.tool_result.likely), (0, 4));
    assert_eq!(call.overhead.likely, 3 + 25);
}

#[test]
fn forced_tools_thinking_and_schemas_have_a_price() {
    let plain = r#"{"messages":[{"role":"user","content":"x"}],"tools":[{"name":"a","input_schema":{}}]"#;
    let total = |rest: &str| meter(&Quick).request(&request(&format!("{plain}{rest}}}"))).total().likely;
    assert_eq!(total(r#","tool_choice":{"type":"any"}"#) - total(""), 615 - 509);
    assert_eq!(total(r#","thinking":{"type":"enabled","budget_tokens":2000}"#) - total(""), 28);
    let schema = r#","output_format":{"type":"json_schema","schema":{"type":"object"}}"#;
    assert_eq!(total(schema) - total(""), 150 + Quick.count(r#"{"type":"object"}"#));
}

#[test]
fn earlier_thinking_counts_only_where_the_service_keeps_it() {
    let request = request(
        r#"{"messages":[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"a long thought indeed","signature":"c2ln"},{"type":"text","text":"b"}]},
        {"role":"user","content":"c"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"another one","signature":"c2ln"},{"type":"tool_use","id":"t","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    );
    let thinking = |model: &str| -> Vec<u64> {
        let breakdown = Meter::new(&Quick, Costs::of_model(model)).request(&request);
        breakdown.messages.iter().map(|m| m.thinking.likely).collect()
    };
    assert_eq!(thinking("claude-sonnet-4-5"), [0, 0, 0, 3, 0]);
    assert_eq!(thinking("claude-opus-4-7"), [0, 6, 0, 3, 0]);
}

#[test]
fn deep_and_odd_content_is_counted_without_harm() {
    let mut inner = r#""deep""#.to_owned();
    for _ in 0..200 {
        inner = format!(r#"[{{"type":"tool_result","tool_use_id":"t","content":{inner}}}]"#);
    }
    let message = Message::from_json(&format!(r#"{{"role":"user","content":{inner}}}"#)).unwrap();
    assert!(meter(&Quick).message(&message).total().likely > 100);
    let odd = Message::from_json(
        r#"{"role":"user","content":[{"type":"new","secret":{"encrypted_content":"AAAAAAAAAAAA","note":"words here"}}]}"#,
    );
    assert_eq!(meter(&Quick).message(&odd.unwrap()).other.likely, 3);
}

#[test]
fn documents_count_by_text_or_by_page() {
    let counter = Heuristic::new(Family::Claude4_5);
    let document = |source: &str| {
        let json = format!(r#"{{"role":"user","content":[{{"type":"document","source":{source}}}]}}"#);
        meter(&counter).message(&Message::from_json(&json).unwrap()).documents
    };
    let text = document(r#"{"type":"text","media_type":"text/plain","data":"four words of text"}"#);
    assert!((3..=8).contains(&text.likely), "{text}");
    // "%PDF-1.4 /Type /Pages /Type /Page /Type/Page"
    let pdf = document(
        r#"{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQgL1R5cGUgL1BhZ2VzIC9UeXBlIC9QYWdlIC9UeXBlL1BhZ2U="}"#,
    );
    assert_eq!(pdf.likely, 2 * 1650);
    assert!(pdf.low < pdf.likely && pdf.likely < pdf.high);
}
