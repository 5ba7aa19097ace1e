//! The count cases of `testdata/cases`.

use antiphon_model::{BlockRef, ContentBlock, ImageBlock, Message, Request, Source};
use antiphon_tokens::{Costs, Family, Heuristic, Meter, TokenCounter};

const FAMILIES: [Family; 3] = [Family::O200k, Family::Cl100k, Family::Claude4_5];

fn case(name: &str) -> Vec<Message> {
    let path = format!("{}/../../testdata/cases/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Request::from_messages_json(&std::fs::read_to_string(path).unwrap()).unwrap().messages
}

#[test]
fn case_21_cjk_is_not_a_quarter_of_its_characters() {
    let message = &case("21-cjk-token-estimate")[0];
    for family in FAMILIES {
        let counter = Heuristic::new(family);
        let total = Meter::new(&counter, Costs::of_model("claude-sonnet-4-5")).message(message).total();
        assert!((240..=900).contains(&total.likely), "{family:?} {total}");
        let letters = "abcde ".repeat(80);
        assert!((60..=200).contains(&counter.count(letters.trim_end())), "{}", counter.count(&letters));
        let text = message.text();
        let (once, twice) = (counter.count(&text), counter.count(&text.repeat(2)));
        assert!(twice.abs_diff(2 * once) * 10 <= 2 * once, "{once} {twice}");
        assert!(counter.count("ＡＢＣＤＥＦＧＨ") > counter.count("ABCDEFGH"));
    }
}

fn png(width: u32, height: u32, filler: usize) -> ContentBlock {
    use base64::Engine as _;
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x02\0\0\0");
    bytes.extend(vec![7; filler]);
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    ContentBlock::Image(ImageBlock::new(Source::base64("image/png", data)))
}

#[test]
fn case_22_a_picture_is_not_its_base64() {
    let message = &case("22-image-is-not-text-tokens")[0];
    let counter = Heuristic::new(Family::Claude4_5);
    let meter = Meter::new(&counter, Costs::of_model("claude-sonnet-4-5"));
    let tokens = meter.message(message);
    assert!((5..=5000).contains(&tokens.total().likely), "{}", tokens.total());
    assert!(tokens.total().likely > meter.message(&Message::user("Describe the picture.")).total().likely);
    // 120 × 120 pixels: 5 × 5 squares, and the frame.
    assert_eq!(tokens.images.likely, 25 + 3);

    let one = |filler| meter.message(&Message::user_blocks(vec![png(640, 480, filler)])).images;
    assert_eq!(one(100), one(90_000));
    let two = meter.message(&Message::user_blocks(vec![png(640, 480, 10), png(640, 480, 10)])).images;
    assert_eq!(two.likely, 2 * one(10).likely);
    assert!(message.blocks().any(|b| matches!(b, BlockRef::Image(_))));
}
