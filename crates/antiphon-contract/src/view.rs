//! A conversation as the API sees it: turns of blocks, with the place of each in the caller's arrays.

use crate::path::Path;
use antiphon_model::{BlockRef, Content, Message, Role};
use std::ops::Range;

/// One block and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// Index of its message.
    pub message: usize,
    /// Index in the list of blocks; `None` for a string content and for a flat record.
    pub block: Option<usize>,
    /// The block.
    pub content: BlockRef<'a>,
}

impl Placed<'_> {
    /// Its path in the request.
    pub fn path(&self) -> Path {
        let path = Path::message(self.message);
        match (self.block, self.content) {
            (Some(index), _) => path.field("content").index(index),
            (None, BlockRef::Text { .. }) => path.field("content"),
            (None, _) => path,
        }
    }
}

/// One turn: a message, or flat records that a request would have in one message.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its role; `None` for a message whose role is not known.
    pub role: Option<Role>,
    /// The messages it is made of.
    pub messages: Range<usize>,
    /// Its blocks, in [`View::blocks`].
    pub blocks: Range<usize>,
}

/// A conversation as turns and blocks; borrowed, two allocations in all.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// All blocks, in order.
    pub blocks: Vec<Placed<'a>>,
}

impl<'a> View<'a> {
    /// The view of a list of messages. A flat record joins its neighbours of the same role, as
    /// [`antiphon_model::to_wire`] joins them.
    pub fn new(messages: &'a [Message]) -> Self {
        let mut view = Self { turns: Vec::with_capacity(messages.len()), blocks: Vec::with_capacity(messages.len()) };
        let mut last_flat = false;
        for (index, message) in messages.iter().enumerate() {
            let flat = message.is_flat();
            let role = message.wire_role();
            let from = view.blocks.len();
            let listed = matches!(message.content(), Some(Content::Blocks(_)));
            for (at, content) in message.blocks().enumerate() {
                // An empty string is no block to the server, but an empty message.
                if matches!(content, BlockRef::Text { text, block: None } if text.is_empty()) {
                    continue;
                }
                view.blocks.push(Placed { message: index, block: listed.then_some(at), content });
            }
            let joins = (flat || last_flat) && role.is_some();
            last_flat = flat;
            if joins && let Some(turn) = view.turns.last_mut().filter(|turn| turn.role == role) {
                turn.messages.end = index + 1;
                turn.blocks.end = view.blocks.len();
                continue;
            }
            view.turns.push(Turn { role, messages: index..index + 1, blocks: from..view.blocks.len() });
        }
        view
    }

    /// The blocks of a turn.
    pub fn of(&self, turn: &Turn) -> &[Placed<'a>] {
        self.blocks.get(turn.blocks.clone()).unwrap_or_default()
    }
}
