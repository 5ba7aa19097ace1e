use std::fmt;

/// A place in a request, written as the API writes it: `messages.2.content.0.source.data`.
/// Indices count the entries of the caller's own arrays, from 0.
///
/// ```
/// use antiphon_contract::Path;
/// let path = Path::message(2).field("content").index(0);
/// assert_eq!(path.to_string(), "messages.2.content.0");
/// assert_eq!(path.message_index(), Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<Step>);

/// One step of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A member of an object.
    Field(&'static str),
    /// An element of an array.
    Index(usize),
}

impl Path {
    /// The whole request.
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// A member of the request.
    pub fn top(field: &'static str) -> Self {
        Self(vec![Step::Field(field)])
    }

    /// A message.
    pub fn message(index: usize) -> Self {
        Self(vec![Step::Field("messages"), Step::Index(index)])
    }

    /// A member of what stands here.
    #[must_use]
    pub fn field(mut self, name: &'static str) -> Self {
        self.0.push(Step::Field(name));
        self
    }

    /// An element of what stands here.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The message it lies in, if it lies in one.
    pub fn message_index(&self) -> Option<usize> {
        match self.0.as_slice() {
            [Step::Field("messages"), Step::Index(index), ..] => Some(*index),
            _ => None,
        }
    }

    /// The same place in another message; the path itself if it lies in none.
    #[must_use]
    pub fn with_message_index(mut self, index: usize) -> Self {
        if let [Step::Field("messages"), Step::Index(own), ..] = self.0.as_mut_slice() {
            *own = index;
        }
        self
    }

    /// The block of that message it lies in, if it lies in one.
    pub fn block_index(&self) -> Option<usize> {
        match self.0.as_slice() {
            [Step::Field("messages"), Step::Index(_), Step::Field("content"), Step::Index(index), ..] => Some(*index),
            _ => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            match step {
                Step::Field(name) => f.write_str(name)?,
                Step::Index(index) => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}
