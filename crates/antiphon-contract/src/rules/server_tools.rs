//! Contract 4.6: server tools and MCP.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    INVALID_SERVER_TOOL_ID = "invalid-server-tool-id", ERROR, Request {
        title: "a server tool call id of another form",
        why: "Ids of server tool calls match `^srvtoolu_[a-zA-Z0-9_]+$`.",
        errors: ["*String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"call_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"call_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: Some("turn the call and its result into text"),
        evidence: "4.6 server-tool-id (live probe)",
    }
    UNKNOWN_SERVER_TOOL = "unknown-server-tool", WARNING, Request {
        title: "a server tool that is not known here",
        why: "The server knows a closed list of names, which grows; calls that another provider made are refused.",
        errors: ["*name: Input should be 'web_search', 'web_fetch', *"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"analyze_image","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_fetch","input":{}},{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: None,
        evidence: "4.6 server-tool-name (live probe)",
    }
    ORPHAN_SERVER_TOOL_RESULT = "orphan-server-tool-result", ERROR, Request {
        title: "a server tool result without its call before it",
        why: "Each result of a server tool has its call before it, in the same or an earlier assistant message. Compaction and edits cut them apart.",
        errors: ["*unexpected `tool_use_id` found in `*_tool_result` blocks: *", "*Each `*` block must have a corresponding `server_tool_use` block before it*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: Some("drop the result"),
        evidence: "4.6 server-result-has-use (reported, live probe)",
    }
    UNANSWERED_SERVER_TOOL = "unanswered-server-tool", ERROR, Request {
        title: "a server tool call without its result in a finished turn",
        why: "Only the last assistant turn may have one, to be resumed as it is (`pause_turn`).",
        errors: ["*tool use with id `*` was found without a corresponding `*_tool_result` block*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}}]}]"#,
        repair: Some("drop the call"),
        evidence: "4.6 server-use-has-result (documented)",
    }
    SERVER_TOOL_PENDING = "server-tool-pending", ERROR, Request {
        title: "something else than results while a server tool is still at work",
        why: "When an assistant turn has client calls and an unanswered server call, the next user message holds tool results alone.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"},{"type":"text","text":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("drop the server tool call"),
        evidence: "4.6 pending-server-only-results (documented)",
    }
    CLIENT_RESULT_FOR_SERVER_TOOL = "client-result-for-server-tool", ERROR, Request {
        title: "a tool result for a call that the provider runs itself",
        why: "The provider answers its own calls; a client result for one is an orphan.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"srvtoolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]},{"role":"user","content":"x"}]"#,
        repair: Some("drop the result"),
        evidence: "4.6 no-client-result-for-server-tool (documented)",
    }
    SEARCH_RESULT_NOT_ENCRYPTED = "search-result-not-encrypted", ERROR, Request {
        title: "a web search result without its encrypted content",
        why: "`encrypted_content` is made and checked by the provider: findings of another search cannot stand in its result.",
        errors: ["*encrypted_content: Field required", "*Invalid `encrypted_content` in `search_result` block*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"t","url":"https://e.x"}]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"t","url":"https://e.x","encrypted_content":"as returned"}]},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: Some("turn the call and its result into text"),
        evidence: "4.6 search-result-encrypted (live probe)",
    }
    PROGRAMMATIC_CONTAINER = "programmatic-container", WARNING, Request {
        title: "a pending programmatic call and no `container` in the request",
        why: "A call made by code is resumed in the same container. Judged on requests that name a model.",
        errors: [],
        refused: r#"{"model":"m","tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}},{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        accepted: r#"{"model":"m","container":"container_1","tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{}},{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        repair: None,
        evidence: "4.6 programmatic-container (documented)",
    }
}
