//! What only the server can tell: for `explain` and `diagnose`.

use super::{ERROR, rules};

rules! { LIST;
    THINKING_SIGNATURE_INVALID = "thinking-signature-invalid", ERROR, Server {
        title: "the signature of a thinking block is not genuine",
        why: "A signature is made by the provider for one content. Drop the block.",
        errors: ["*Invalid `signature` in `thinking` block", "*Invalid `signature` in `thinking` block*"],
        refused: "",
        accepted: "",
        repair: Some("drop the thinking of that message"),
        evidence: "4.7 thinking-signature-valid (reported, live probe)",
    }
    THINKING_PREFIX_BOUND = "thinking-prefix-bound", ERROR, Server {
        title: "the thinking block belongs to another conversation",
        why: "On Fable and Mythos 5.1, Opus, Sonnet and Haiku 5.5 and later, a signature is bound to everything before it: after an edit, drop the thinking behind it, or set `thinking.block_binding.prefix_mismatch_behavior` to `drop_block`.",
        errors: ["*Invalid `signature` in `thinking` block. The block is bound to a different conversation*", "*The block is bound to a different conversation*"],
        refused: "",
        accepted: "",
        repair: Some("drop the thinking behind the edit"),
        evidence: "4.7 thinking-prefix-bound (reported)",
    }
    REDACTED_DATA_INVALID = "redacted-data-invalid", ERROR, Server {
        title: "the data of a redacted thinking block is not genuine",
        why: "It goes back untouched, to where it came from, or not at all.",
        errors: ["*Invalid `data` in `redacted_thinking` block*"],
        refused: "",
        accepted: "",
        repair: Some("drop the thinking of that message"),
        evidence: "4.7 redacted-data-valid (reported, live probe)",
    }
    THINKING_MODIFIED = "thinking-modified", ERROR, Server {
        title: "thinking in the latest assistant message was changed",
        why: "Its blocks stay byte for byte, all of them, in order, next to the same neighbours.",
        errors: ["*`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified*"],
        refused: "",
        accepted: "",
        repair: Some("drop all thinking of that message"),
        evidence: "4.7 thinking-unmodified (documented, reported)",
    }
    PROMPT_TOO_LONG = "prompt-too-long", ERROR, Server {
        title: "the prompt is longer than the context window",
        why: "Shorten or compact the history: `antiphon fit`.",
        errors: ["*prompt is too long: * tokens > * maximum*", "*prompt is too long*", "*input length and `max_tokens` exceed context limit: *", "*exceed context limit*", "This model's maximum context length is * tokens*", "prompt too long; exceeded max context length*", "Your input exceeds the context window of this model*", "The total length of all messages is too long*", "The input token count * exceeds the maximum number of tokens allowed *"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.10 prompt-fits, prompt-plus-output-fits (reported)",
    }
    MAX_TOKENS_CAP = "max-tokens-cap", ERROR, Server {
        title: "`max_tokens` is over the model's limit",
        why: "Each model has a most of output tokens.",
        errors: ["max_tokens: * > *, which is the maximum allowed number of output tokens for *"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.10 max-tokens-cap (live probe)",
    }
    PDF_PAGES = "pdf-pages", ERROR, Server {
        title: "a PDF has too many pages",
        why: "600 pages; 100 when the context is below a million tokens.",
        errors: ["*A maximum of * PDF pages may be provided*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.9 pdf-pages (reported)",
    }
    CACHE_MIN_SIZE = "cache-min-size", ERROR, Server {
        title: "the prefix before a cache mark is too short",
        why: "Old servers refused it; today it is silently not cached.",
        errors: ["*The message up to and including the first cache-control block must be at least * tokens*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.8 cache-min-size (reported)",
    }
    UNKNOWN_BETA_HEADER = "unknown-beta-header", ERROR, Server {
        title: "an `anthropic-beta` value that the server does not know",
        why: "Each value of the header is known by name.",
        errors: ["*Unexpected value(s) `*` for the `anthropic-beta` header*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "4.1 known-beta-header (reported)",
    }
    UNSUPPORTED_EFFORT = "unsupported-effort", ERROR, Server {
        title: "the model does not know this effort level",
        why: "`output_config.effort` has levels that differ by model.",
        errors: ["This model does not support effort level '*'*", "This model does not support the effort parameter*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answer of 2026",
    }
    OUTPUT_SCHEMA_UNSUPPORTED = "output-schema-unsupported", ERROR, Server {
        title: "the output schema uses what structured output does not support",
        why: "Structured output takes a subset of JSON Schema.",
        errors: ["output_format.schema: *", "output_config.format.schema: *"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answer of 2025",
    }
    UNKNOWN_MODEL = "unknown-model", ERROR, Server {
        title: "there is no model of this name",
        why: "The server answers 404 with the name that was asked for.",
        errors: ["model: *", "*The provided model identifier is invalid*", "The requested model '*' does not exist*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answers",
    }
    UNSUPPORTED_TOOL_TYPE = "unsupported-tool-type", ERROR, Server {
        title: "the host does not know a tool of this type",
        why: "Server tools differ by host, model and beta header.",
        errors: ["tools.*: Input tag '*' found using 'type' does not match any of the expected tags*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answer of a Bedrock host",
    }
    UNSUPPORTED_CONTENT = "unsupported-content", ERROR, Server {
        title: "the model does not take this kind of content",
        why: "Bedrock names the block or the field that a model does not support.",
        errors: ["*This model doesn't support the * content block that you provided*", "*This model doesn't support the * field. Remove * and try again*", "Invalid file data: *", "The file type you uploaded is not supported*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answers of a Bedrock host",
    }
    MEDIA_UNREACHABLE = "media-unreachable", ERROR, Server {
        title: "the server could not fetch a picture or document by its URL",
        why: "What is named by URL is fetched at each request: once it is gone, every later request fails. Send the bytes instead.",
        errors: ["Error while downloading *", "Cannot fetch content from the provided URL*"],
        refused: "",
        accepted: "",
        repair: None,
        evidence: "recorded answers of other providers",
    }
}
