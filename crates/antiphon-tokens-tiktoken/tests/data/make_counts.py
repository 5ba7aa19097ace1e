#!/usr/bin/env python3
"""Writes counts.json: texts of our own and what Python's tiktoken counts for them.

    pip install tiktoken==0.14.0
    python3 make_counts.py > counts.json

tiktoken fetches its vocabularies at first use; without a way out, put o200k_base.tiktoken and cl100k_base.tiktoken (the
crate tiktoken-rs carries them) into a folder under the names that tiktoken gives its cache, and set TIKTOKEN_CACHE_DIR.
Python checks their hash, so they are the published ones.
"""
import json
import random
import tiktoken

encodings = {n: tiktoken.get_encoding(n) for n in ("o200k_base", "cl100k_base")}
rnd = random.Random(1)
texts = {
    "english": "The lighthouse keeper wrote down the weather every evening, even when there was none to speak of. It's what he'd always done; they'll do it too.",
    "rust": "fn main() -> Result<(), Box<dyn Error>> {\n    let x: HashMap<String, Vec<u8>> = HashMap::new();\n\tprintln!(\"{x:?}\");\n}\n",
    "python": "def f(a, *, b=None):\n    \"\"\"Doc.\"\"\"\n    return {k: v for k, v in zip(a, b or [])}\n\n\nclass HTTPServerError(Exception): pass\n",
    "json": "{\"id\": 1042, \"name\": \"pump\", \"tags\": [\"a\", \"b\"], \"ratio\": -1.50e+10, \"next\": null}",
    "log": "2025-11-03T08:15:30.123456Z  WARN pool::worker: retry #3 in 250ms (conn=0x7f3a9c, peer=10.0.0.17:5432)\r\n",
    "ansi": "\x1b[1m\x1b[31merror[E0502]\x1b[0m\x1b[1m: cannot borrow `x`\x1b[0m",
    "german": "Die Straßenbahn hält übermorgen früher; für Fußgänger ändert sich nichts.",
    "french": "L’été dernier, à Noël déjà, il n'y avait qu'une forêt là-bas.",
    "vietnamese decomposed": "Tie\u0302\u0301ng Vie\u0323\u0302t vie\u0302\u0301t ro\u031b\u0300i",
    "russian": "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
    "arabic": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر",
    "hindi": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश",
    "thai": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
    "chinese": "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。价格是¥128（含税）。",
    "japanese": "いろはにほへと ちりぬるを。カタカナとABC、１２３も混ぜる！",
    "korean": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈 ok 👍🏽✨🇪🇺",
    "special": "<|endoftext|><|endofprompt|><|fim_prefix|><|start|>",
    "nul and controls": "a\x00b\x01\x7f\x0b\x0cc\x85d\u2028e\ufefff",
    "contractions": "IT'S it'S I'Ve we'RE he'lL 'tis '90s x's'y ain't'd've",
    "camel": "XMLHttpRequest parseJSONString iOS aBcDeF SHA256sum utf8ToBase64URL",
    "slashes": "a//b /usr/lib//x .\n/.y ..\n//z !\n/ ?\r\n/a",
    "white": " a  b   c\t\td \n\n  e\n \n\tf  \n   \n g\r\n\r\n  ",
    "numbers": "1 12 123 1234 12345 3.14159 1,000,000 0x1F 1e-9 ١٢٣ ²³ ½",
    "hex": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "empty": "",
    "random": "".join(rnd.choice("aB3 .'\n\t/é漢😀-_") for _ in range(3000)),
    "blanks": "".join(rnd.choice([" ", " ", "\t", "\u00a0", "\u3000"]) for _ in range(3000)) + "x",
}
# Long ones as a piece, how often, and what stands at the end.
repeats = {
    "spaces": (" ", 5000, ""), "spaces, letter": (" ", 5000, "a"), "tabs": ("\t", 5000, ""), "tabs, letter": ("\t", 5000, "a"),
    "line breaks": ("\n", 5000, ""), "line breaks, letter": ("\n", 5000, "a"), "a": ("a", 5000, ""), "emoji row": ("😀", 3000, ""),
    "han row": ("漢字", 2000, ""), "hex row": ("0f3a", 2000, ""), "blank lines": ("  \n", 3000, "  x"),
}
count = lambda t: {n: len(e.encode_ordinary(t)) for n, e in encodings.items()}
out = [{"name": n, "text": t, **count(t)} for n, t in texts.items()]
out += [{"name": n, "repeat": [p, k, end], **count(p * k + end)} for n, (p, k, end) in repeats.items()]
print(json.dumps({"tiktoken": tiktoken.__version__, "cases": out}, indent=1, ensure_ascii=True))
