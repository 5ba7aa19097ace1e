//! Contract 4.1: body and shape.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    INVALID_JSON = "invalid-json", ERROR, Reader {
        title: "the text is not JSON",
        why: "The body must parse as JSON. A reader that is asked for a request or a list of messages says where it does not.",
        errors: ["The request body is not valid JSON: *", "The request body is not valid JSON"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.1 body-valid-json (reported)",
    }
    LONE_SURROGATE = "lone-surrogate", ERROR, Request {
        title: "half a surrogate pair in a string",
        why: "No string may hold an unpaired \\ud8xx or \\udcxx escape: programs that cut UTF-16 text inside an emoji leave one, and every later request fails until it is gone.",
        errors: ["no low surrogate in string*", "The request body is not valid JSON: no low surrogate in string*", "unexpected end of hex escape*", "*lone leading surrogate in hex escape*"],
        refused: r#"[{"role":"user","content":"cut \ud83d"}]"#,
        accepted: r#"[{"role":"user","content":"whole \ud83d\ude00"}]"#,
        repair: Some("replace it by U+FFFD"),
        evidence: "4.1 no-lone-surrogate (reported)",
    }
    BODY_TOO_LARGE = "body-too-large", ERROR, Request {
        title: "the request is over the size limit",
        why: "Messages and count_tokens take at most 32 MB. The edge in front of the API answers 413 before anything is read.",
        errors: ["Request exceeds the maximum size", "request_too_large"],
        refused: "",
        accepted: r#"[{"role":"user","content":"small"}]"#,
        repair: None,
        evidence: "4.1 body-size (documented)",
    }
    REQUIRED_FIELD = "required-field", ERROR, Request {
        title: "a block lacks what its type requires",
        why: "Each block type has members that must be there and have the right type.",
        errors: ["*: Field required", "Missing required parameter: *"],
        refused: r#"[{"role":"user","content":[{"type":"tool_result","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"x"}]}]"#,
        repair: Some("turn the block into text"),
        evidence: "4.1 required-fields (live probe)",
    }
    EXTRA_FIELD = "extra-field", ERROR, Request {
        title: "a key that the schema does not know",
        why: "Request objects are closed. Messages take `role` and `content` alone; the usual offenders on blocks are helper keys of SDKs (`parsed_output`, `index`, `partial_json`).",
        errors: ["*: Extra inputs are not permitted"],
        refused: r#"[{"role":"user","content":"hi","name":"bob"}]"#,
        accepted: r#"[{"role":"user","content":"hi"}]"#,
        repair: Some("leave the key out"),
        evidence: "4.1 no-extra-fields (reported, live probe)",
    }
    CITATION_FILE_ID = "citation-file-id", WARNING, Request {
        title: "a citation carries `file_id`, which only answers have",
        why: "The citation that the API returns has a `file_id` that the request schema does not know.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"c","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1,"file_id":null}]}]},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"c","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1}]}]},{"role":"user","content":"b"}]"#,
        repair: Some("leave `file_id` out"),
        evidence: "1.2 and 6 (schema; no live report)",
    }
    FOREIGN_BLOCK_TYPE = "foreign-block-type", ERROR, Request {
        title: "a block of another provider's dialect",
        why: "`input_text`, `image_url`, `function_call` and their like belong to other APIs; the Messages API knows none of them. Convert the conversation instead.",
        errors: ["Input tag '*' found using 'type' does not match any of the expected tags*", "Invalid 'messages*. Content blocks are expected to be either text or image_url type*"],
        refused: r#"[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
        repair: Some("turn the block into text"),
        evidence: "4.1 known-block-type (reported)",
    }
    UNKNOWN_BLOCK_TYPE = "unknown-block-type", WARNING, Request {
        title: "a block type that is not known here",
        why: "The union of block types is closed on the server, and grows. A type that shipped after this table is no fault, yet a typing error is.",
        errors: [],
        refused: r#"[{"role":"user","content":[{"type":"hologram","w":1},{"type":"text","text":"hi"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
        repair: None,
        evidence: "4.1 known-block-type (reported)",
    }
    NO_MESSAGES = "no-messages", ERROR, Request {
        title: "there is no message",
        why: "At least one message is required.",
        errors: ["messages: at least one message is required", "Invalid request: contents is required"],
        refused: "[]",
        accepted: r#"[{"role":"user","content":"hi"}]"#,
        repair: None,
        evidence: "4.1 messages-non-empty (reported)",
    }
    TOO_MANY_MESSAGES = "too-many-messages", ERROR, Request {
        title: "more messages than the API takes",
        why: "A request has at most 100,000 messages.",
        errors: [],
        refused: "",
        accepted: r#"[{"role":"user","content":"hi"}]"#,
        repair: None,
        evidence: "4.1 messages-max (documented, schema)",
    }
    UNKNOWN_ROLE = "unknown-role", ERROR, Request {
        title: "a role that the API does not know",
        why: "Roles are `user`, `assistant` and, on some models, `system`. `tool`, `developer` and `function` belong to other APIs.",
        errors: ["*role: Input should be 'user' or 'assistant'*", "messages.*: role: Input should be*", "Unsupported value: 'messages*.role' does not support *", "Invalid value: '*'. Supported values are: 'assistant', 'system', 'developer', and 'user'*", "Please use a valid role: user, model*"],
        refused: r#"[{"role":"tool","content":"x"}]"#,
        accepted: r#"[{"role":"user","content":"x"}]"#,
        repair: None,
        evidence: "4.1 role-known (reported, clones)",
    }
    CONTENT_SHAPE = "content-shape", ERROR, Request {
        title: "`content` is neither a string nor a list of blocks",
        why: "The content of a message, and of a tool result, is a string or an array.",
        errors: ["*Input should be a valid string*", "*Input should be a valid list*"],
        refused: r#"[{"role":"user","content":{"type":"text","text":"hi"}}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
        repair: Some("put a single block into a list; drop a message without content"),
        evidence: "4.1 content-shape (schema, live probe)",
    }
}
