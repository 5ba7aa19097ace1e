//! Stores for the sessions of agents: the trait, a store in memory, and what every backend shares.
//!
//! A session is a numbered list of records, and a record is a JSON object on one line: a message, or whatever else a program keeps
//! among its messages. Records are only ever appended. What was appended comes back byte for byte, in order, under the number
//! it was given; damage is reported and never silently skipped.
//!
//! - [`SessionStore`]: what a store does. Object safe; `&S`, `Box<S>` and `Arc<S>` are stores too.
//! - [`MemoryStore`]: a store in memory, for tests and as the yardstick for the others.
//! - [`SessionStoreExt`]: convenience on top of the trait, among it a [`Stream`](futures_core::Stream) of all records.
//! - [`fork_points`]: where a session may be forked.
//!
//! What it does not do: touch a disk or a network. The backends are crates of their own.
//!
//! ```
//! use antiphon_log::Entry;
//! use antiphon_model::Message;
//! use antiphon_store::{Append, MemoryStore, NewSession, Page, SessionId, SessionStore};
//! # pollster::block_on(async {
//! let store = MemoryStore::new();
//! let id = SessionId::new("chat-1")?;
//! store.create(&id, NewSession::default().with_owner("ann")).await?;
//! let turns = [Entry::from_message(&Message::user("hi"))?, Entry::from_message(&Message::assistant("hello"))?];
//! let done = store.append(&id, &turns, Append::default().expecting(0)).await?;
//! assert_eq!((done.first, done.last), (1, 2));
//! let loaded = store.load(&id, Page::default()).await?;
//! assert_eq!(loaded.records[1].entry.text(), r#"{"role":"assistant","content":"hello"}"#);
//! // Somebody who has not seen these is told so.
//! let error = store.append(&id, &turns, Append::default().expecting(0)).await.unwrap_err();
//! assert_eq!(error.to_string(), "session chat-1 has 2 records, not the 0 that were expected");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod append;
mod error;
mod ext;
mod fork;
mod id;
mod line;
mod list;
mod memory;
mod page;
mod session;
mod store;
mod time;

pub use append::{Append, Appended, Durability};
pub use error::{Applied, BoxError, Error, ErrorKind};
pub use ext::{Records, SessionStoreExt};
pub use fork::{check_fork, fork_points};
pub use id::{AppendId, MAX_ID, SessionId};
pub use line::{same_records, to_line};
pub use list::{Cursor, ListQuery, Listed};
pub use memory::MemoryStore;
pub use page::{Loaded, Page, Record};
pub use session::{Change, NewSession, Parent, SessionInfo};
pub use store::{Limits, SessionStore};
pub use time::{Clock, SystemClock, Timestamp};
