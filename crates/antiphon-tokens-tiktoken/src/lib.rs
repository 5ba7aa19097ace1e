//! Exact token counts for OpenAI models, by [`tiktoken_rs`], safe for any input.
//!
//! For whoever needs the very number that OpenAI's tokenizer gives: o200k_base (GPT-4o and later), o200k_harmony (gpt-oss) and
//! cl100k_base (GPT-4, GPT-3.5, embeddings). The vocabularies are in the binary and are read once, at the first count.
//! What it does not do: return the tokens themselves, or count for models whose tokenizer is not public.
//!
//! ```
//! use antiphon_tokens::TokenCounter;
//! use antiphon_tokens_tiktoken::Tiktoken;
//! let counter = Tiktoken::for_model("gpt-4o-mini").ok_or("no such model")?;
//! assert_eq!(counter.count("The quick brown fox jumps over the lazy dog."), 10);
//! assert_eq!(counter.count("<|endoftext|>"), 7); // text unless asked for
//! assert_eq!(counter.prefix("The quick brown fox", 2), "The quick");
//! # Ok::<(), &str>(())
//! ```
//!
//! # What is done about hostile input
//!
//! tiktoken-rs alone panics on a million spaces: its regular expression engine gives up on `\s+(?!\S)`. Here every text is fed in
//! pieces cut at [safe places](antiphon_tokens::safe_pieces), and runs of blanks of 2 KB and more are merged by a merge of our own
//! from the same vocabulary, so that no long run reaches the engine. Equality with tiktoken is tested on both. A piece without
//! a safe place (a million letters without a space) still costs tiktoken-rs's n log n: about half a second a megabyte.
//!
//! # Backends
//!
//! | feature | backend | speed, 2 KB messages | worst megabyte | first count | in the binary | in memory |
//! | --- | --- | --- | ---: | ---: | ---: | ---: |
//! | (always) | [`Tiktoken`] | 20 to 35 MB/s, as tiktoken-rs alone | 0.6 s (spaces) | 0.12 s | 5.8 MB | 46 MB |
//! | `bpe-openai` | `BpeOpenai` | 25 to 70 MB/s | 0.19 s (tabs) | 0.04 s | 34 MB | 67 MB |
//!
//! for o200k, on a shared machine (`cargo xtask measure-tokens speed`). `bpe-openai` is GitHub's: it gave the same counts as
//! tiktoken on every text of the tests (own texts counted by Python's tiktoken, random ones, hostile ones), is linear, and stops at
//! the limit. Crates that the project's notes name as faster were left out, and not measured again here: none of them is known to
//! be exact, linear on hostile input and kept by more than one person, all three.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod blanks;
#[cfg(feature = "bpe-openai")]
mod bpe;
mod encoding;
mod tiktoken;

#[cfg(feature = "bpe-openai")]
#[cfg_attr(docsrs, doc(cfg(feature = "bpe-openai")))]
pub use bpe::BpeOpenai;
pub use encoding::Encoding;
pub use tiktoken::Tiktoken;
