//! Contract 4.5: client tools.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    MISSING_TOOL_RESULT = "missing-tool-result", ERROR, Request {
        title: "a tool call without its result",
        why: "Every tool_use has a tool_result in the very next message, also when it stands in the last one. An interrupt leaves a call without one, and the API refuses the session for ever.",
        errors: ["*`tool_use` ids were found without `tool_result` blocks immediately after: *", "*Did not find * `tool_result` block(s) at the beginning of this message*", "No tool output found for tool call *", "No tool output found for function call *", "*An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"text","text":"a"}]}]"#,
        repair: Some("insert an error result behind the call"),
        evidence: "4.5 tool-use-answered (reported, live probe)",
    }
    TOOL_RESULT_NOT_ADJACENT = "tool-result-not-adjacent", ERROR, Request {
        title: "something stands between a tool call and its result",
        why: "The result stands in the message directly behind the call: no user text, no system message, no assistant turn in between, not even another user turn.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"wait"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"text","text":"wait"}]}]"#,
        repair: Some("move the result directly behind its call"),
        evidence: "4.5 tool-result-adjacent (documented, live probe)",
    }
    TOOL_RESULT_NOT_FIRST = "tool-result-not-first", ERROR, Request {
        title: "something stands before a tool result in its message",
        why: "In the answering user message all results come before anything else.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"text","text":"x"}]}]"#,
        repair: Some("move the result to the front"),
        evidence: "4.5 tool-result-first (documented, reported)",
    }
    ORPHAN_TOOL_RESULT = "orphan-tool-result", ERROR, Request {
        title: "a tool result without its call",
        why: "Every tool_result names a call of the message directly before. Cutting history or compaction leaves such orphans.",
        errors: ["*unexpected `tool_use_id` found in `tool_result` blocks: *", "*Each `tool_result` block must have a corresponding `tool_use` block in the previous message*"],
        refused: r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"text","text":"a"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("drop the result"),
        evidence: "4.5 tool-result-known (reported, live probe)",
    }
    SPLIT_TOOL_RESULTS = "split-tool-results", ERROR, Request {
        title: "the results of one turn stand in several messages",
        why: "All results of an assistant turn are in one user message.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}},{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}},{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"tool_result","tool_use_id":"toolu_2","content":"x"}]}]"#,
        repair: Some("put them into one message"),
        evidence: "4.5 tool-results-one-message (documented; a live failure)",
    }
    DUPLICATE_TOOL_USE_ID = "duplicate-tool-use-id", ERROR, Request {
        title: "a tool call id stands twice",
        why: "No id may be used by two calls of a request.",
        errors: ["*`tool_use` ids must be unique"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"x"}]}]"#,
        repair: Some("drop a copy in the same message, else rename the later call and its result"),
        evidence: "4.5 tool-use-id-unique (reported)",
    }
    DUPLICATE_TOOL_RESULT = "duplicate-tool-result", ERROR, Request {
        title: "two results for one call",
        why: "Each call has a single result.",
        errors: ["*each tool_use must have a single result. Found multiple `tool_result` blocks with id: *"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("keep the first that is no error, else the first"),
        evidence: "4.5 tool-result-single (reported)",
    }
    INVALID_TOOL_ID = "invalid-tool-id", ERROR, Request {
        title: "a tool call id has characters that the API refuses",
        why: "Ids of calls match `^[a-zA-Z0-9_-]+$`; any prefix is fine.",
        errors: ["*tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", "*tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'", "*String should match pattern '^[a-zA-Z0-9_-]+$'"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"call:1.2","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call:1.2","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"call_1_2","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1_2","content":"x"}]}]"#,
        repair: Some("rename the call and its results"),
        evidence: "4.5 tool-use-id-pattern (schema, reported)",
    }
    TOOL_USE_NAME = "tool-use-name", ERROR, Request {
        title: "a tool call without a name, or with too long a one",
        why: "A call's name has 1 to 200 characters; it need not be a declared tool.",
        errors: ["*tool_use.name: String should *"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("name it `unknown_tool`, or cut the name"),
        evidence: "4.5 tool-use-name (schema)",
    }
    TOOL_INPUT_NOT_OBJECT = "tool-input-not-object", ERROR, Request {
        title: "a tool call's input is not an object",
        why: "The input is a JSON object, also when it is empty.",
        errors: ["*tool_use.input: Input should be a valid dictionary", "*tool_use.input: Input should be an object"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("take the object out of a string, else wrap the value"),
        evidence: "4.5 tool-use-input-object (reported)",
    }
    TOOLS_NOT_DECLARED = "tools-not-declared", WARNING, Request {
        title: "tool blocks in the history and no `tools` in the request",
        why: "Gateways and Bedrock refuse it; whether the first-party API does is not confirmed. Judged on requests that name a model, not on bare messages.",
        errors: ["*Requests which include `tool_use` or `tool_result` blocks must define tools*"],
        refused: r#"{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        accepted: r#"{"model":"m","tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        repair: None,
        evidence: "4.5 tools-declared (reported)",
    }
    INVALID_TOOL_NAME = "invalid-tool-name", ERROR, Request {
        title: "a tool definition's name is not allowed",
        why: "Names match `^[a-zA-Z0-9_-]{1,128}$`.",
        errors: ["tools.*.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", "tools.*.custom.name: String should have at most 128 characters", "tools.*.name: String should match pattern *", "tools.*.name: String should have at most * characters"],
        refused: r#"{"tools":[{"name":"my tool","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tools":[{"name":"my_tool","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-name-pattern (reported)",
    }
    LONG_TOOL_NAME = "long-tool-name", WARNING, Request {
        title: "a tool definition's name is longer than 64 characters",
        why: "The documentation says 64, the server's errors 128; some hosts hold to 64.",
        errors: [],
        refused: r#"{"tools":[{"name":"a123456789012345678901234567890123456789012345678901234567890123456789","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tools":[{"name":"a","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-name-pattern (documented)",
    }
    DUPLICATE_TOOL_NAME = "duplicate-tool-name", ERROR, Request {
        title: "two tools have one name",
        why: "Names of tools are unique.",
        errors: ["*Tool names must be unique*"],
        refused: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-name-unique (reported)",
    }
    TOOL_SCHEMA = "tool-schema", ERROR, Request {
        title: "a tool definition without an object schema",
        why: "A client tool has an `input_schema`: an object, whose `type` is `object`.",
        errors: ["tools.*input_schema: Field required", "tools.*input_schema: JSON schema is invalid*", "tools.*input_schema.type: Field required", "tools.*For 'object' type, 'additionalProperties' must be explicitly set to false", "Invalid schema for function '*': *"],
        refused: r#"{"tools":[{"name":"f"}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-schema (live probe, reported)",
    }
    TOOL_CHOICE_SHAPE = "tool-choice-shape", ERROR, Request {
        title: "`tool_choice` has a wrong shape",
        why: "It is an object whose `type` is `auto`, `any`, `tool` or `none`.",
        errors: ["tool_choice: Input should be an object", "tool_choice: Input tag '*' found using 'type' does not match any of the expected tags*"],
        refused: r#"{"tool_choice":"auto","tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tool_choice":{"type":"auto"},"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-choice-shape (live probe)",
    }
    TOOL_CHOICE_WITHOUT_TOOLS = "tool-choice-without-tools", WARNING, Request {
        title: "`tool_choice` without `tools`",
        why: "It may only be given with tools.",
        errors: ["tool_choice: may only be specified while providing tools*"],
        refused: r#"{"tool_choice":{"type":"auto"},"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tool_choice":{"type":"auto"},"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-choice-needs-tools (clones)",
    }
    TOOL_CHOICE_WITH_THINKING = "tool-choice-with-thinking", ERROR, Request {
        title: "a tool is forced while thinking is on",
        why: "`any` and `tool` do not go with manual thinking.",
        errors: ["Thinking may not be enabled when tool_choice forces tool use*", "tool_choice: type \"tool\" and \"any\" are not supported for this model*"],
        refused: r#"{"tool_choice":{"type":"any"},"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tool_choice":{"type":"auto"},"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tool-choice-thinking (documented)",
    }
    ERROR_RESULT_EMPTY = "error-result-empty", ERROR, Request {
        title: "an error result without content",
        why: "`is_error: true` needs content.",
        errors: ["*tool_result: content cannot be empty if `is_error` is true", "*content cannot be empty if `is_error` is true"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"","is_error":true}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"","is_error":false}]}]"#,
        repair: Some("give it the text `error`"),
        evidence: "4.5 tool-error-non-empty (reported, documented)",
    }
    ERROR_RESULT_NOT_TEXT = "error-result-not-text", ERROR, Request {
        title: "an error result holds something else than text",
        why: "With `is_error: true` all content is text.",
        errors: ["*tool_result: all content must be type `text` if `is_error` is true", "*all content must be type `text` if `is_error` is true"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}],"is_error":true}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"x"}],"is_error":true}]}]"#,
        repair: Some("move what is not text behind the results of the message"),
        evidence: "4.5 tool-error-text-only (reported)",
    }
    TOOL_RESULT_BLOCK_TYPE = "tool-result-block-type", ERROR, Request {
        title: "a block that may not stand in a tool result",
        why: "Results hold text, image, search_result, document, tool_reference and browser_state.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"thinking","thinking":"t","signature":"c2ln"}]}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"t"}]}]}]"#,
        repair: Some("turn the block into text"),
        evidence: "4.5 tool-result-inner-types (schema)",
    }
    TOOLSET_RESULT = "toolset-result", WARNING, Request {
        title: "the result of a toolset's tool does not name the toolset",
        why: "A result repeats the `toolset_name` of its call.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{},"toolset_name":"browser"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{},"toolset_name":"browser"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x","toolset_name":"browser"}]}]"#,
        repair: None,
        evidence: "4.5 tool-result-toolset (documented)",
    }
    UNKNOWN_TOOL_REFERENCE = "unknown-tool-reference", ERROR, Request {
        title: "a tool reference names no declared tool",
        why: "A `tool_reference` in a result names a tool of the request. Judged where tools are declared.",
        errors: ["*Tool reference '*' not found in available tools"],
        refused: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"nope"}]}]}]}"#,
        accepted: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"f"}]}]}]}"#,
        repair: Some("drop the reference"),
        evidence: "4.5 tool-reference-known (documented)",
    }
    ALL_TOOLS_DEFERRED = "all-tools-deferred", ERROR, Request {
        title: "every tool is deferred",
        why: "At least one tool has no `defer_loading`.",
        errors: ["*All tools cannot be deferred*", "*At least one tool must have defer_loading=false*"],
        refused: r#"{"tools":[{"name":"f","input_schema":{"type":"object"},"defer_loading":true}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.5 tools-not-all-deferred (documented)",
    }
    TEXT_AFTER_TOOL_USE = "text-after-tool-use", WARNING, Request {
        title: "text behind a tool call in an assistant turn",
        why: "No refusal by the first-party API was found; some gateways reorder it.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}},{"type":"text","text":"x"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: None,
        evidence: "4.5 tool-use-last (clones)",
    }
}
