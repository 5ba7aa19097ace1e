//! What a picture costs, by its pixels, under each provider's published rules.

/// The day on which the tables here were read off the providers' documentation.
pub const IMAGE_RULES_AS_OF: &str = "2026-12-01";

/// How a model counts pictures.
///
/// ```
/// use antiphon_tokens::ImageRule;
/// let claude = ImageRule::of_model("claude-sonnet-4-5").ok_or("unknown")?;
/// assert_eq!(claude.tokens(1000, 1000), 1296);
/// let gpt = ImageRule::of_model("gpt-4o").ok_or("unknown")?;
/// assert_eq!(gpt.tokens(1024, 1024), 765);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ImageRule {
    /// Claude: a token for every begun square of 28 pixels, after scaling down until both edges are at most `edge` and the whole
    /// at most `tokens`.
    Squares {
        /// Longest edge in pixels.
        edge: u32,
        /// Most tokens.
        tokens: u32,
    },
    /// OpenAI, tile models in high detail: scaled into 2048 × 2048, the short side to 768; `base` and `tile` for each begun 512
    /// pixels square.
    Tiles {
        /// Tokens whatever the size; all there is in low detail.
        base: u32,
        /// Tokens a tile.
        tile: u32,
    },
    /// OpenAI, patch models: patches of 32 pixels, at most `patches`, times `multiplier`.
    Patches {
        /// Most patches.
        patches: u32,
        /// Longest edge in pixels.
        edge: u32,
        /// Tokens a patch.
        multiplier: f64,
    },
    /// Gemini: 258 up to 384 × 384, else 258 for each begun tile of 768 pixels.
    Gemini,
    /// The same for every picture.
    Flat(u32),
}

impl ImageRule {
    /// Claude up to 4.6.
    pub const CLAUDE: Self = Self::Squares { edge: 1568, tokens: 1568 };
    /// Claude from Opus 4.7 on.
    pub const CLAUDE_HIGH: Self = Self::Squares { edge: 2576, tokens: 4784 };

    /// The rule of a model; `None` for one that is not known. Scope and figures changed several times with every provider: take
    /// the result as an estimate of the date [`IMAGE_RULES_AS_OF`].
    pub fn of_model(model: &str) -> Option<Self> {
        use crate::Family;
        let name = model.to_ascii_lowercase();
        let has = |part: &str| name.contains(part);
        let patches = |patches, edge, multiplier| Some(Self::Patches { patches, edge, multiplier });
        match Family::of_model(model)? {
            Family::Claude3 | Family::Claude4_5 => Some(Self::CLAUDE),
            Family::Claude4_7 => Some(Self::CLAUDE_HIGH),
            Family::Gemini => Some(Self::Gemini),
            Family::Cl100k => Some(Self::Tiles { base: 85, tile: 170 }),
            Family::O200k => match () {
                () if has("gpt-5.6") => patches(10_000, 6000, 1.2),
                () if has("gpt-5.5") => patches(10_000, 6000, 1.0),
                () if has("-nano") => patches(1536, 2048, 2.46),
                () if has("gpt-5.4-mini") || has("gpt-5-mini") || has("gpt-4.1-mini") => patches(1536, 2048, 1.62),
                () if has("gpt-5.4") => patches(2500, 2048, 1.0),
                () if has("o4-mini") => patches(1536, 2048, 1.72),
                () if has("gpt-5.") || has("gpt-5-codex") => patches(1536, 2048, 1.0),
                () if has("gpt-5") => Some(Self::Tiles { base: 70, tile: 140 }),
                () if has("o1") || has("o3") => Some(Self::Tiles { base: 75, tile: 150 }),
                () if has("computer-use") => Some(Self::Tiles { base: 65, tile: 129 }),
                () if has("gpt-4o-mini") => Some(Self::Tiles { base: 2833, tile: 5667 }),
                () => Some(Self::Tiles { base: 85, tile: 170 }),
            },
        }
    }

    /// Tokens of a picture of this width and height in pixels. Nought counts as one pixel; sizes beyond 2³² saturate.
    pub fn tokens(self, width: u64, height: u64) -> u64 {
        let clamp = |n: u64| n.clamp(1, u64::from(u32::MAX));
        let (width, height) = (clamp(width), clamp(height));
        match self {
            Self::Squares { edge, tokens } => squares(width, height, u64::from(edge), u64::from(tokens)),
            Self::Tiles { base, tile } => tiles(width, height, u64::from(base), u64::from(tile)),
            Self::Patches { patches, edge, multiplier } => patches_of(width, height, patches, edge, multiplier),
            Self::Gemini if width <= 384 && height <= 384 => 258,
            Self::Gemini => width.div_ceil(768).saturating_mul(height.div_ceil(768)).saturating_mul(258),
            Self::Flat(tokens) => u64::from(tokens),
        }
    }

    /// Tokens in low detail, where the rule has one.
    pub const fn low_detail(self) -> Option<u64> {
        match self {
            Self::Tiles { base, .. } => Some(base as u64),
            _ => None,
        }
    }

    /// The least and the most that a picture of unknown size costs.
    pub fn range(self) -> (u64, u64) {
        match self {
            Self::Squares { tokens, .. } => (1, u64::from(tokens)),
            Self::Tiles { base, tile } => (u64::from(base + tile), u64::from(base) + 8 * u64::from(tile)),
            Self::Patches { patches, multiplier, .. } => (1, scale(u64::from(patches), multiplier)),
            Self::Gemini => (258, 258 * 16),
            Self::Flat(tokens) => (u64::from(tokens), u64::from(tokens)),
        }
    }
}

/// Claude: pages "Vision" and "Coordinates and bounding boxes" of the documentation.
fn squares(width: u64, height: u64, edge: u64, budget: u64) -> u64 {
    const SIDE: u64 = 28;
    let cost = |w: u64, h: u64| w.div_ceil(SIDE) * h.div_ceil(SIDE);
    let fits =
        |w: u64, h: u64| w.div_ceil(SIDE) * SIDE <= edge && h.div_ceil(SIDE) * SIDE <= edge && cost(w, h) <= budget;
    if fits(width, height) {
        return cost(width, height);
    }
    // The largest long edge that fits; the short one follows by the aspect ratio, halves to even.
    let (long, short) = (width.max(height), width.min(height));
    let short_of = |n: u64| {
        let (quotient, twice_rest) = (n * short / long, n * short % long * 2);
        let up = twice_rest > long || (twice_rest == long && quotient % 2 == 1);
        (quotient + u64::from(up)).max(1)
    };
    let (mut good, mut bad) = (1, long);
    while bad - good > 1 {
        let middle = u64::midpoint(good, bad);
        if fits(middle, short_of(middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    cost(good, short_of(good)).min(budget)
}

/// OpenAI, tiles: guide "Images and vision".
fn tiles(width: u64, height: u64, base: u64, tile: u64) -> u64 {
    let down = |(w, h): (u64, u64), from: u64, to: u64| {
        if from <= to { (w, h) } else { ((w * to / from).max(1), (h * to / from).max(1)) }
    };
    let fitted = down((width, height), width.max(height), 2048);
    let (w, h) = down(fitted, fitted.0.min(fitted.1), 768);
    base + tile * w.div_ceil(512) * h.div_ceil(512)
}

/// OpenAI, patches: the same guide.
#[expect(clippy::cast_precision_loss, reason = "pixels are far below 2^53")]
fn patches_of(width: u64, height: u64, patches: u32, edge: u32, multiplier: f64) -> u64 {
    const SIDE: f64 = 32.0;
    let (mut w, mut h) = (width as f64, height as f64);
    let shrink = (f64::from(edge) / w.max(h)).min(1.0);
    (w, h) = (w * shrink, h * shrink);
    let count = |w: f64, h: f64| (w / SIDE).ceil().max(1.0) * (h / SIDE).ceil().max(1.0);
    let most = f64::from(patches);
    if count(w, h) > most {
        let factor = (SIDE * SIDE * most / (w * h)).sqrt();
        let whole = |n: f64| ((n * factor / SIDE).floor() / (n * factor / SIDE)).min(1.0);
        let factor = factor * whole(w).min(whole(h));
        (w, h) = ((w * factor).round().max(1.0), (h * factor).round().max(1.0));
    }
    let n = count(w, h).min(most);
    crate::Bounds::exact(1).scaled(n * multiplier).high
}

fn scale(n: u64, factor: f64) -> u64 {
    crate::Bounds::exact(n).scaled(factor).high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claude_as_documented() {
        let standard = |w, h| ImageRule::CLAUDE.tokens(w, h);
        let high = |w, h| ImageRule::CLAUDE_HIGH.tokens(w, h);
        assert_eq!(standard(200, 200), 64);
        assert_eq!(standard(1000, 1000), 1296);
        assert_eq!(standard(1092, 1092), 1521);
        assert_eq!((standard(1920, 1080), high(1920, 1080)), (1560, 2691));
        assert_eq!((standard(2000, 1500), high(2000, 1500)), (1564, 3888));
        assert_eq!((standard(3840, 2160), high(3840, 2160)), (1560, 4784));
        assert_eq!((standard(1075, 1520), high(1075, 1520)), (33 * 47, 2145));
    }

    #[test]
    fn openai_as_documented() {
        let of = |model: &str, w, h| ImageRule::of_model(model).unwrap().tokens(w, h);
        assert_eq!(of("gpt-4o", 1024, 1024), 765);
        assert_eq!(of("gpt-4o", 2048, 4096), 1105);
        assert_eq!(ImageRule::of_model("gpt-4o").unwrap().low_detail(), Some(85));
        assert_eq!(of("gpt-5", 1024, 1024), 70 + 4 * 140);
        let patches = ImageRule::Patches { patches: 1536, edge: 1 << 20, multiplier: 1.0 };
        assert_eq!(patches.tokens(1800, 2400), 1452);
        assert_eq!(patches.tokens(1024, 1024), 1024);
        assert_eq!(of("gpt-4.1-mini", 1024, 1024), 1659);
    }

    #[test]
    fn any_size_has_a_price_within_the_range() {
        let rules = [
            ImageRule::CLAUDE,
            ImageRule::CLAUDE_HIGH,
            ImageRule::Tiles { base: 85, tile: 170 },
            ImageRule::Patches { patches: 1536, edge: 2048, multiplier: 1.62 },
        ];
        for rule in rules {
            for w in [0, 1, 27, 28, 29, 511, 768, 1568, 4000, 100_000, u64::MAX] {
                for h in [0, 1, 30, 769, 2049, 8000, u64::MAX] {
                    let (least, most) = rule.range();
                    let tokens = rule.tokens(w, h);
                    assert!((least..=most).contains(&tokens), "{rule:?} {w} {h} {tokens}");
                }
            }
        }
    }
}
