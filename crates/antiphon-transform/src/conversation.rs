use antiphon_model::{Message, Request};

/// A request under change, with where each message came from.
///
/// ```
/// use antiphon_model::Message;
/// use antiphon_transform::{Conversation, Merge, Transform};
/// let mut conversation = Conversation::from_messages(vec![Message::user("a"), Message::user("b")]);
/// Merge::default().apply(&mut conversation)?;
/// assert_eq!(conversation.messages().len(), 1);
/// assert_eq!(conversation.origin(0), [0, 1]);
/// # Ok::<(), antiphon_transform::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    pub(crate) request: Request,
    pub(crate) origins: Vec<Origin>,
}

/// The messages that one was made of, by their index in the conversation as it was first given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was made here.
    None,
    /// It is that message, changed or not.
    One([usize; 1]),
    /// It was joined from several.
    Many(Vec<usize>),
}

impl Origin {
    pub(crate) fn as_slice(&self) -> &[usize] {
        match self {
            Self::None => &[],
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        for index in other.as_slice() {
            match self {
                Self::None => *self = Self::One([*index]),
                Self::One([own]) if own == index => {}
                Self::One([own]) => *self = Self::Many(vec![*own, *index]),
                // Joined messages come in order, so a look at the end finds nearly every repetition.
                Self::Many(many) if many.last() == Some(index) => {}
                Self::Many(many) => many.push(*index),
            }
        }
    }
}

impl Conversation {
    /// A request to change.
    pub fn new(request: Request) -> Self {
        let origins = (0..request.messages.len()).map(|index| Origin::One([index])).collect();
        Self { request, origins }
    }

    /// Messages to change.
    pub fn from_messages(messages: Vec<Message>) -> Self {
        Self::new(Request::new(messages))
    }

    /// The request as it is now.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The messages as they are now.
    pub fn messages(&self) -> &[Message] {
        &self.request.messages
    }

    /// The messages that message `index` was made of, by their index in the conversation as it was first
    /// given; none for a message that was made here.
    pub fn origin(&self, index: usize) -> &[usize] {
        self.origins.get(index).map(Origin::as_slice).unwrap_or_default()
    }

    /// The request, changed.
    pub fn into_request(self) -> Request {
        self.request
    }

    /// Takes the messages out, to be put back by [`restore`](Self::restore).
    pub(crate) fn take(&mut self) -> Vec<Slot> {
        let messages = std::mem::take(&mut self.request.messages);
        let origins = std::mem::take(&mut self.origins);
        messages.into_iter().zip(origins).map(|(message, origin)| Slot { message, origin }).collect()
    }

    pub(crate) fn restore(&mut self, slots: Vec<Slot>) {
        (self.request.messages, self.origins) = slots.into_iter().map(|slot| (slot.message, slot.origin)).unzip();
    }
}

/// A message and where it came from, together while they are moved about.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) message: Message,
    pub(crate) origin: Origin,
}

impl Slot {
    /// A message that is made here.
    pub(crate) fn made(message: Message) -> Self {
        Self { message, origin: Origin::None }
    }
}
