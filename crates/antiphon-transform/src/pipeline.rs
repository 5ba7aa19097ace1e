use crate::conversation::Conversation;
use crate::error::Error;
use crate::report::Report;

/// A change of a conversation that states what holds afterwards, holds it, or refuses.
///
/// One of one's own takes a few lines:
///
/// ```
/// use antiphon_transform::{Conversation, Error, Report, Transform};
/// /// Changes nothing, and says so.
/// #[derive(Debug)]
/// struct Nothing;
/// impl Transform for Nothing {
///     fn name(&self) -> &'static str {
///         "nothing"
///     }
///     fn apply(&self, _: &mut Conversation) -> Result<Report, Error> {
///         Ok(Report::default())
///     }
/// }
/// ```
pub trait Transform: std::fmt::Debug + Send + Sync {
    /// Its name, for reports.
    fn name(&self) -> &'static str;

    /// Changes the conversation in place and says what was changed. A second run changes nothing.
    ///
    /// # Errors
    /// When what the transform promises cannot be reached.
    fn apply(&self, conversation: &mut Conversation) -> Result<Report, Error>;

    /// What [`apply`](Self::apply) would change; the conversation stays as it is.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    fn preview(&self, conversation: &Conversation) -> Result<Report, Error> {
        self.apply(&mut conversation.clone())
    }
}

/// Transforms one after the other, with one report.
///
/// ```
/// use antiphon_model::Message;
/// use antiphon_transform::{Conversation, Merge, Pipeline, Repair, Transform};
/// let pipeline = Pipeline::new().then(Repair::default()).then(Merge::blocks());
/// let mut conversation = Conversation::from_messages(vec![Message::user("a"), Message::user("b")]);
/// assert_eq!(pipeline.preview(&conversation)?.changes.len(), 1);
/// pipeline.apply(&mut conversation)?;
/// assert_eq!(conversation.messages().len(), 1);
/// # Ok::<(), antiphon_transform::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Pipeline {
    steps: Vec<Box<dyn Transform>>,
}

impl Pipeline {
    /// No transform yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a transform behind the others.
    #[must_use]
    pub fn then(mut self, transform: impl Transform + 'static) -> Self {
        self.steps.push(Box::new(transform));
        self
    }
}

impl Transform for Pipeline {
    fn name(&self) -> &'static str {
        "pipeline"
    }

    /// Runs the transforms in order and stops at the first that refuses; the conversation then holds
    /// what was changed until there, and the error its report.
    fn apply(&self, conversation: &mut Conversation) -> Result<Report, Error> {
        let mut report = Report::default();
        for step in &self.steps {
            match step.apply(conversation) {
                Ok(done) => report.extend(done),
                Err(Error::Unrepaired { report: done, remaining }) => {
                    report.extend(done);
                    return Err(Error::Unrepaired { report, remaining });
                }
            }
        }
        Ok(report)
    }
}
