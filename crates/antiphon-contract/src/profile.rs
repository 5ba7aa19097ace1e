//! Who is asked: the first-party API by model, other hosts, strict clones. Data, not code paths.

use crate::finding::Severity;
use crate::rules::Rule;
use std::borrow::Cow;

/// What a host and a model allow, beyond what all allow.
///
/// The default profile is for a model that is not known: an error is what the first-party API refuses
/// whatever the model, with the safe limits; what only some models or hosts refuse is a warning.
///
/// ```
/// use antiphon_contract::{Profile, Severity, rules};
/// let any = Profile::default();
/// assert_eq!(any.severity(&rules::CONSECUTIVE_SAME_ROLE), Some(Severity::Warning));
/// let strict = Profile::strict();
/// assert_eq!(strict.severity(&rules::CONSECUTIVE_SAME_ROLE), Some(Severity::Error));
/// let opus = Profile::for_model("claude-opus-4-6");
/// assert_eq!(opus.severity(&rules::ENDS_WITH_ASSISTANT), Some(Severity::Error));
/// let mine = Profile::default().with_level("nul-byte", None);
/// assert_eq!(mine.severity(&rules::NUL_BYTE), None);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Its name, for messages.
    pub name: Cow<'static, str>,
    /// Rules whose level differs from their own; `None` switches a rule off.
    pub levels: Vec<(Cow<'static, str>, Option<Severity>)>,
    /// The most base64 text of one picture, in bytes (contract 4.9: 5 MB safe, 10 MB first-party).
    pub image_bytes: u64,
    /// The longest side of a picture, in pixels.
    pub image_side: u64,
    /// With more pictures than this in a request, `image_side_many` holds.
    pub many_images: usize,
    /// The longest side of a picture in a request with many, in pixels.
    pub image_side_many: u64,
    /// The most pictures in a request.
    pub images: usize,
    /// The most messages.
    pub messages: usize,
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// The most cache marks.
    pub cache_marks: usize,
    /// The longest name of a tool, in characters.
    pub tool_name: usize,
    /// How bad it is when a call id comes back in a later turn (`duplicate-tool-use-id`; in one turn it is
    /// always an error). Reports show the refusal, a recorded request of 2026 to the first-party API passed.
    pub reused_tool_id: Severity,
    /// How bad a blank text block beside other blocks is (`whitespace-text-block`; alone it is always an
    /// error). One report shows the refusal, a live probe and a recorded request passed.
    pub blank_beside_content: Severity,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "default".into(),
            levels: Vec::new(),
            image_bytes: 5 * 1024 * 1024,
            image_side: 8000,
            many_images: 20,
            image_side_many: 2000,
            images: 600,
            messages: 100_000,
            body_bytes: 32 * 1024 * 1024,
            cache_marks: 4,
            tool_name: 128,
            reused_tool_id: Severity::Error,
            blank_beside_content: Severity::Error,
        }
    }
}

/// The names that [`Profile::by_name`] takes.
pub const PROFILE_NAMES: &[&str] = &["default", "anthropic", "bedrock", "google-cloud", "strict"];

impl Profile {
    /// A built-in profile by its name: one of [`PROFILE_NAMES`].
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "default" => Self::default(),
            "anthropic" | "first-party" => Self::first_party(),
            "bedrock" => Self::bedrock(),
            "google-cloud" | "vertex" => Self::google_cloud(),
            "strict" => Self::strict(),
            _ => return None,
        })
    }

    /// The first-party API, model not known: 10 MB of base64 for a picture.
    pub fn first_party() -> Self {
        Self { name: "anthropic".into(), image_bytes: 10 * 1024 * 1024, ..Self::default() }
    }

    /// Bedrock: older checks on order (contract 4.2).
    pub fn bedrock() -> Self {
        Self { name: "bedrock".into(), ..Self::default() }
            .with_level("consecutive-same-role", Some(Severity::Error))
            .with_level("first-message-not-user", Some(Severity::Error))
            .with_level("tools-not-declared", Some(Severity::Error))
    }

    /// Google Cloud.
    pub fn google_cloud() -> Self {
        Self { name: "google-cloud".into(), ..Self::default() }
    }

    /// Clones and gateways that enforce alternation, a first user turn, a last user turn, declared tools
    /// and no system turns.
    pub fn strict() -> Self {
        let mut profile = Self { name: "strict".into(), tool_name: 64, ..Self::default() };
        for rule in [
            "consecutive-same-role",
            "first-message-not-user",
            "ends-with-assistant",
            "tools-not-declared",
            "system-role-unsupported",
            "unknown-block-type",
            "unknown-server-tool",
        ] {
            profile = profile.with_level(rule, Some(Severity::Error));
        }
        profile
    }

    /// The first-party API for a model by its name, host prefixes and dates allowed. A name not known
    /// gives [`Profile::default`] under that name.
    pub fn for_model(model: &str) -> Self {
        Self::first_party().with_model(model)
    }

    /// This host, for a model by its name.
    #[must_use]
    pub fn with_model(mut self, model: &str) -> Self {
        let Some(known) = Model::parse(model) else {
            return self;
        };
        self.name = format!("{} {model}", self.name).into();
        self.reused_tool_id = Severity::Warning;
        self.blank_beside_content = Severity::Warning;
        // Recorded in 2024: the generation of Claude 3 took a JPEG that said it was a PNG.
        if known.version < (4, 0) {
            self = self.with_level("image-media-type-mismatch", Some(Severity::Warning));
        }
        let off_if = |holds: bool, otherwise| if holds { None } else { Some(otherwise) };
        let error_if = |holds: bool| Some(if holds { Severity::Error } else { Severity::Warning });
        let at_least = |major, minor| known.version >= (major, minor);
        self.with_level("ends-with-assistant", if at_least(4, 6) { Some(Severity::Error) } else { None })
            .with_level("system-role-unsupported", off_if(known.takes_system_turns(), Severity::Error))
            .with_level("manual-thinking-unsupported", if at_least(4, 7) { Some(Severity::Error) } else { None })
            .with_level("adaptive-thinking-unsupported", if at_least(4, 6) { None } else { Some(Severity::Error) })
            .with_level("sampling-unsupported", if at_least(4, 7) { error_if(true) } else { None })
    }

    /// Sets the level of a rule; `None` switches it off.
    #[must_use]
    pub fn with_level(mut self, rule: impl Into<Cow<'static, str>>, level: Option<Severity>) -> Self {
        let rule = rule.into();
        self.levels.retain(|(id, _)| *id != rule);
        self.levels.push((rule, level));
        self
    }

    /// This profile with every warning off: `check` is then faster, and finds what the API refuses alone.
    ///
    /// ```
    /// use antiphon_contract::{Profile, rules};
    /// assert_eq!(Profile::default().errors_only().severity(&rules::NUL_BYTE), None);
    /// ```
    #[must_use]
    pub fn errors_only(mut self) -> Self {
        let warnings = crate::rules::all().filter(|rule| self.severity(rule) == Some(Severity::Warning));
        for id in warnings.map(|rule| rule.id).collect::<Vec<_>>() {
            self = self.with_level(id, None);
        }
        self
    }

    /// The level of a rule here; `None` if it is off.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        match self.levels.iter().find(|(id, _)| id == rule.id) {
            Some((_, level)) => *level,
            None => rule.severity,
        }
    }
}

/// What a model's name says.
struct Model {
    family: Family,
    version: (u32, u32),
}

#[derive(PartialEq)]
enum Family {
    Opus,
    Sonnet,
    Haiku,
    Fable,
    Mythos,
}

impl Model {
    /// `claude-sonnet-4-5-20250929`, `us.anthropic.claude-3-5-sonnet-20240620-v1:0`, `claude-opus-5@latest`.
    fn parse(name: &str) -> Option<Self> {
        let from = name.find("claude")?;
        let mut family = None;
        let mut numbers = Vec::new();
        for part in name.get(from..)?.split(['-', '.', '@', ':', '/']) {
            match part {
                "opus" => family = Some(Family::Opus),
                "sonnet" => family = Some(Family::Sonnet),
                "haiku" => family = Some(Family::Haiku),
                "fable" => family = Some(Family::Fable),
                "mythos" => family = Some(Family::Mythos),
                "claude" => {}
                // Dates have eight digits; a version has one or two. What follows anything else is no version.
                _ => match part.parse::<u32>() {
                    Ok(number) if part.len() <= 2 => numbers.push(number),
                    _ => break,
                },
            }
        }
        let version = (*numbers.first()?, numbers.get(1).copied().unwrap_or(0));
        Some(Self { family: family?, version })
    }

    /// Contract 2.3: which models take `system` in mid-conversation.
    fn takes_system_turns(&self) -> bool {
        match self.family {
            Family::Opus => self.version >= (4, 8),
            Family::Fable | Family::Mythos => self.version >= (5, 0),
            Family::Sonnet => self.version >= (5, 5),
            Family::Haiku => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_give_family_and_version() {
        let version = |name| Model::parse(name).map(|m| m.version);
        assert_eq!(version("claude-sonnet-4-5-20250929"), Some((4, 5)));
        assert_eq!(version("us.anthropic.claude-3-5-sonnet-20240620-v1:0"), Some((3, 5)));
        assert_eq!(version("claude-3-opus-20240229"), Some((3, 0)));
        assert_eq!(version("claude-opus-5"), Some((5, 0)));
        assert_eq!(version("claude-opus-4-20250514"), Some((4, 0)));
        assert_eq!(version("claude-opus-4-1@20250805"), Some((4, 1)));
        assert_eq!(version("gpt-5"), None);
        assert_eq!(version("claude"), None);
    }
}
