//! The arguments, and the help that goes with them.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Everything done to the messages of an LLM agent between the model, the tools and the disk.
#[derive(Debug, Parser)]
#[command(
    name = "antiphon",
    version,
    about,
    after_help = "Results go to stdout, reports to stderr. Exit code 0: good; 1: an error was found, or the result falls short; 2: usage or I/O."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what the API would refuse, and why
    #[command(after_help = "Examples:
  antiphon check session.jsonl
  antiphon check request.json --model claude-opus-4-6
  antiphon check *.json --format json | jq -c 'select(.valid | not) | .file'")]
    Check(CheckArgs),
    /// Repair a conversation so that the API takes it
    #[command(after_help = "Examples:
  antiphon fix session.jsonl --diff             what would change
  antiphon fix session.jsonl --in-place         mend the session, keep the old file as session.jsonl.bak
  antiphon fix session.jsonl --as messages      its active conversation, ready to be sent
  antiphon fix request.json --only missing-tool-result --no-merge")]
    Fix(FixArgs),
    /// Say what a rule means, or what a server error text stands for
    #[command(after_help = "Examples:
  antiphon explain missing-tool-result
  antiphon explain 'messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_7'
  antiphon explain                              all rules")]
    Explain(ExplainArgs),
    /// Say how many tokens a conversation takes, and where they are
    Count(CountArgs),
    /// Read a streamed answer: its text as it comes, and the message it adds up to
    Stream(StreamArgs),
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A JSON array of messages.
    Messages,
    /// A request object with `messages`.
    Request,
    /// One message a line, flat tool_use and tool_result records among them.
    Jsonl,
    /// A session file of Claude Code.
    ClaudeCode,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Request => "request",
            Self::Jsonl => "jsonl",
            Self::ClaudeCode => "claude-code",
        }
    }

    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Messages => "an array of messages",
            Self::Request => "a request object",
            Self::Jsonl => "a plain JSONL session",
            Self::ClaudeCode => "a Claude Code session",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For machines: one JSON object a line.
    Json,
}

/// Options of everything that judges a conversation.
#[derive(Debug, clap::Args)]
pub(crate) struct Judge {
    /// What the file holds, when it should not be found out
    #[arg(long, value_name = "KIND")]
    pub(crate) input: Option<Kind>,
    /// Who is asked: default, anthropic, bedrock, google-cloud or strict
    #[arg(long, value_name = "P", default_value = "default")]
    pub(crate) profile: String,
    /// The model that is asked; a request object says it itself
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) judge: Judge,
    /// A warning counts as an error
    #[arg(long)]
    pub(crate) strict: bool,
    /// How the findings look
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // one for each switch
pub(crate) struct FixArgs {
    /// The file to repair; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) judge: Judge,
    /// Write the result to this file instead of stdout
    #[arg(long, value_name = "F", conflicts_with_all = ["in_place", "diff"])]
    pub(crate) output: Option<PathBuf>,
    /// Write the result over the file; the old one stays as FILE.bak
    #[arg(long, conflicts_with = "diff")]
    pub(crate) in_place: bool,
    /// With --in-place: keep no backup
    #[arg(long, requires = "in_place")]
    pub(crate) no_backup: bool,
    /// Print what would change instead of the result
    #[arg(long)]
    pub(crate) diff: bool,
    /// Repair these rules only (and do not join neighbours); `antiphon explain` lists them
    #[arg(long, value_name = "RULE", num_args = 1.., value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Do not join neighbours of one role
    #[arg(long)]
    pub(crate) no_merge: bool,
    /// Of a session file: print its active conversation as an array of messages
    #[arg(long = "as", value_name = "SHAPE", conflicts_with = "in_place")]
    pub(crate) shape: Option<Shape>,
    /// Add a user turn of this text where the model refuses to continue an assistant turn
    #[arg(long, value_name = "TEXT")]
    pub(crate) continue_with: Option<String>,
    /// How the report on stderr looks
    #[arg(long, value_enum, default_value = "human", value_name = "FORMAT")]
    pub(crate) report: Format,
}

/// The shape of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// An array of messages.
    Messages,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// A rule (`missing-tool-result`) or the text of a server error; without it, all rules are listed
    #[arg(value_name = "RULE | \"SERVER ERROR TEXT\"")]
    pub(crate) what: Vec<String>,
    /// How the answer looks
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct StreamArgs {
    /// A recorded body of server-sent events; `-` is standard input, shown live
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print every update as a line of JSON
    #[arg(long)]
    pub(crate) events: bool,
    /// `json` prints the message, whether it is complete, its tool calls and what is wrong
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CountArgs {
    /// The file to count; `-` is standard input. Of a session file its active conversation is counted
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What the file holds, when it should not be found out
    #[arg(long, value_name = "KIND")]
    pub(crate) input: Option<Kind>,
    /// Who counts
    #[arg(long, value_enum, default_value = "heuristic", value_name = "C")]
    pub(crate) counter: Counter,
    /// The model that is asked; without it, the one that the file names
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<String>,
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

/// Who counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counter {
    /// Characters divided by four: what most tools do
    Quick,
    /// An estimate with a stated error, for the model's family of tokenizers
    Heuristic,
    /// Exact text by o200k_base (GPT-4o and later)
    O200k,
    /// Exact text by cl100k_base (GPT-4, GPT-3.5)
    Cl100k,
    /// The estimate for Claude, whatever model the file names
    Claude,
    /// The provider's count endpoint (a build with `--features api`, and ANTHROPIC_API_KEY)
    Api,
}

impl Counter {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Heuristic => "heuristic",
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
            Self::Claude => "claude",
            Self::Api => "api",
        }
    }
}
