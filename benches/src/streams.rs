//! Streams beside other readers of them: bodies made up by code, the readers of other crates, the official SDKs as
//! child processes, and the aims that the figures are held to.

pub mod aims;
pub mod body;
pub mod readers;
pub mod sdk;
