//! Exact counts, and what is proven about them.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

mod bounds;
mod corpus;
mod exact;
mod hostile;
mod truncate;

/// A small generator of test texts: no two runs differ.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }

    /// A text of the things that splitting is hard on.
    pub fn text(&mut self, most: usize) -> String {
        const PARTS: &[&str] = &[
            "a",
            "b",
            "e",
            "s",
            "t",
            "d",
            "m",
            "ll",
            "ve",
            "re",
            "A",
            "B",
            "S",
            "T",
            "LL",
            "Ve",
            "rE",
            "X",
            "0",
            "1",
            "9",
            "12",
            "123",
            "1234",
            " ",
            " ",
            "  ",
            "   ",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\u{b}",
            "\u{c}",
            "'",
            "'s",
            "'LL",
            "'vE",
            ".",
            ",",
            "/",
            "//",
            "-",
            "_",
            "\"",
            "(",
            "{\"",
            "\":",
            "#",
            "\u{1b}[",
            "\0",
            "\u{7f}",
            "é",
            "ß",
            "ö",
            "\u{301}",
            "\u{300}",
            "ſ",
            "K",
            "Ω",
            "ж",
            "Ж",
            "ա",
            "א",
            "ع",
            "क",
            "ि",
            "ก",
            "ა",
            "አ",
            "ម",
            "の",
            "カ",
            "漢",
            "字",
            "한",
            "。",
            "，",
            "（",
            "！",
            "１",
            "²",
            "½",
            "١",
            "Ⅷ",
            "ª",
            "ʰ",
            "ǅ",
            "\u{a0}",
            "\u{85}",
            "\u{2028}",
            "\u{3000}",
            "\u{feff}",
            "’",
            "—",
            "…",
            "😀",
            "👍🏽",
            "\u{200d}",
            "\u{fe0f}",
            "the",
            " the",
            "fn",
            "return",
            "<|endoftext|>",
            "word",
            " word",
            "Word",
            "HTTPServer",
            "fooBar",
        ];
        let n = 1 + self.below(most);
        (0..n).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }
}

pub fn corpus() -> Option<std::path::PathBuf> {
    let path = std::env::var_os("ANTIPHON_CORPUS").map(std::path::PathBuf::from);
    let path = path.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no corpus");
    None
}
