//! Every error text of the table leads back to its rule.

use antiphon_contract::{Judge, diagnose, rules};

/// Fills what varies in a text with something harmless.
fn fill(pattern: &str) -> String {
    let filled = pattern.trim_start_matches('*').replace('*', "x");
    if pattern.starts_with('*') { format!("messages.3.content.1: {filled}") } else { filled }
}

#[test]
fn each_error_text_leads_to_its_rule() {
    for rule in rules::all() {
        for pattern in rule.errors {
            let text = fill(pattern);
            let diagnosis = diagnose(&text).unwrap_or_else(|| panic!("nothing for {text:?} of {}", rule.id));
            assert_eq!(diagnosis.rule.id, rule.id, "{text:?}");
            if pattern.starts_with('*') {
                assert_eq!((diagnosis.message, diagnosis.block), (Some(3), Some(1)), "{text:?}");
            }
        }
    }
}

#[test]
fn rules_of_the_server_alone_have_a_text() {
    for rule in rules::all().filter(|rule| rule.judge == Judge::Server) {
        assert!(!rule.errors.is_empty(), "{}", rule.id);
    }
}

/// Texts that the contract quotes, as the server writes them.
#[test]
fn quoted_texts() {
    for (text, rule) in [
        (
            "messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
            "orphan-tool-result",
        ),
        (
            "messages.3.content.2: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_9. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.",
            "orphan-server-tool-result",
        ),
        (
            "`web_fetch` tool use with id `srvtoolu_1` was found without a corresponding `web_fetch_tool_result` block",
            "unanswered-server-tool",
        ),
        (
            "messages.5.content.0.image.source.base64: image exceeds 5 MB maximum: 5300048 bytes > 5242880 bytes",
            "image-too-large",
        ),
        (
            "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
            "image-dimensions",
        ),
        (
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
            "thinking-missing-in-loop",
        ),
        ("messages.2.content.0.tool_result.tool_use_id: Field required", "required-field"),
        ("messages.1.content.1.tool_use.caller: Extra inputs are not permitted", "extra-field"),
        ("messages.7.content.0: Invalid `signature` in `thinking` block", "thinking-signature-invalid"),
        (
            "messages.7.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set it.",
            "thinking-prefix-bound",
        ),
        ("prompt is too long: 214315 tokens > 204798 maximum", "prompt-too-long"),
        (
            "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
            "prompt-too-long",
        ),
        (
            "The request body is not valid JSON: no low surrogate in string: line 1 column 53 (char 52)",
            "lone-surrogate",
        ),
        (
            "messages.2: Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.",
            "missing-tool-result",
        ),
        ("tools.18.custom.name: String should have at most 128 characters", "invalid-tool-name"),
        (
            "messages.0.content.0: Input tag 'fallback' found using 'type' does not match any of the expected tags: 'text'",
            "foreign-block-type",
        ),
        (
            "max_tokens: 10000 > 8192, which is the maximum allowed number of output tokens for claude-3-opus",
            "max-tokens-cap",
        ),
        ("system.0.type: Input should be 'text'", "system-message-content"),
        ("system: text content blocks must be non-empty", "empty-system"),
        ("messages: text content blocks must be non-empty", "empty-text-block"),
        ("messages.4.content.0.text: cache_control cannot be set for empty text blocks", "cache-control-on-empty-text"),
    ] {
        assert_eq!(diagnose(text).map(|d| d.rule.id), Some(rule), "{text}");
    }
}
