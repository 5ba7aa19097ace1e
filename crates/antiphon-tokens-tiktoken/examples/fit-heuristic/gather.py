#!/usr/bin/env python3
"""Gathers texts for `fit-heuristic` beyond the corpus: gather.py OUT DEBS [WHEEL...]

Takes what a development machine has (toolchain and crate sources, Python's library, manual pages in
many languages, rustdoc pages) and the translations inside the given wheels
(`pip download --no-deps django wagtail`); DEBS is a folder into which Debian packages were unpacked (`apt-get download`
and `dpkg -x` of installation-guide-amd64 gnome-user-docs debian-reference-zh-cn debian-reference-ja debian-handbook
fortunes fortunes-ru mediawiki). Writes OUT/KIND__NAME.txt, at most 120 KB each; the kind is
what the fit weighs and reports by. Nothing of it is committed.
"""
import ast, gzip, glob, os, random, re, sys, zipfile, subprocess, base64, json, uuid

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
CAP = 120_000
rnd = random.Random(4)

def put(kind, name, text, cap=CAP):
    data = text.encode("utf-8", "ignore")[:cap]
    text = data.decode("utf-8", "ignore")
    if len(data) < 1500:
        return
    with open(os.path.join(out, f"{kind}__{name}.txt"), "w", encoding="utf-8", newline="") as f:
        f.write(text)

def some(paths, n):
    paths = sorted(paths)
    rnd.shuffle(paths)
    return paths[:n]

def read(p):
    try:
        return open(p, encoding="utf-8").read()
    except (OSError, UnicodeDecodeError):
        return ""

def bundle(kind, paths, files, each=12_000, per=10):
    """`files` bundles, each of up to `per` source files."""
    paths = some(paths, files * per)
    for i in range(0, len(paths), per):
        put(kind, f"{i // per:02}", "\n".join(read(p)[:each] for p in paths[i:i + per]))

home = os.path.expanduser("~")
cargo = glob.glob(f"{home}/.cargo/registry/src/*")
def find(ext, roots, minimum=1500):
    r = []
    for root in roots:
        for d, _, fs in os.walk(root):
            r += [os.path.join(d, f) for f in fs if f.endswith(ext) and os.path.getsize(os.path.join(d, f)) >= minimum]
    return r

bundle("rust", find(".rs", cargo), 8)
bundle("toml", find(".toml", cargo), 2)
bundle("readme", find(".md", cargo), 4)
bundle("python", find(".py", ["/usr/lib/python3.11"]), 6)
sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
bundle("html", some(find(".html", [f"{sysroot}/share/doc/rust/html/std", f"{sysroot}/share/doc/rust/html/book", f"{sysroot}/share/doc/rust/html/cargo"]), 300), 4, each=30_000, per=4)
def untag(h):
    h = re.sub(r"(?s)<(script|style|nav).*?</\1>", "", h)
    h = re.sub(r"<[^>]+>", "", h)
    import html
    return re.sub(r"\n{3,}", "\n\n", html.unescape(h))
for i, p in enumerate(some(find(".html", [f"{sysroot}/share/doc/rust/html/book", f"{sysroot}/share/doc/rust/html/reference", f"{sysroot}/share/doc/rust/html/nomicon"], 20000), 30)):
    put("techdoc", f"{i:02}", untag(read(p)), 40_000)
bundle("js", find(".js", ["/usr/share", "/usr/lib", f"{sysroot}/share"]), 3)
bundle("c", find(".h", ["/usr/include", "/usr/lib/gcc"]), 5)
bundle("shell", [p for p in find("", ["/usr/bin", "/etc/init.d", "/usr/share/bash-completion", "/usr/lib/git-core"]) if read(p)[:2] == "#!" or "bash-completion" in p], 4)
bundle("perl", find(".pm", ["/usr/share/perl", "/usr/share/perl5", "/usr/lib/x86_64-linux-gnu/perl"]), 2)
bundle("ts", find(".d.ts", ["/usr"]), 2)
bundle("css", find(".css", ["/usr/share", f"{sysroot}/share/doc/rust/html/static.files"]), 1)
bundle("xml", find(".xml", ["/usr/share"]), 2)
bundle("changelog", find("changelog", ["/usr/share/doc"]), 1)
bundle("licence", find("copyright", ["/usr/share/doc"]), 2)

def roff(p):
    try:
        t = gzip.open(p).read().decode("utf-8")
    except Exception:
        return ""
    t = re.sub(r'(?m)^\.\\".*\n', "", t)
    t = re.sub(r"(?m)^[.'][A-Z]{1,2}\b ?", "", t)
    t = re.sub(r"\\f[BIRP]|\\&|\\\(..", "", t).replace("\\-", "-")
    return t
for d in sorted(glob.glob("/usr/share/man/*/man?")):
    lang = d.split("/")[-2]
    t = "\n".join(roff(p) for p in some(glob.glob(d + "/*.gz"), 30))
    put("man-" + lang, d[-1], t, 60_000)
for n in "12357":
    t = "\n".join(roff(p)[:9000] for p in some(glob.glob(f"/usr/share/man/man{n}/*.gz"), 25))
    put("man-en", n, t)
    raw = "\n".join(gzip.open(p).read().decode("utf-8", "ignore")[:6000] for p in some(glob.glob(f"/usr/share/man/man{n}/*.gz"), 10))
    put("roff", n, raw, 50_000)

# Translations: the msgstr of every catalogue, by language.
langs = {}
for wheel in sys.argv[3:]:
    z = zipfile.ZipFile(wheel)
    for n in z.namelist():
        m = re.match(r"(.*)/locale/([^/]+)/LC_MESSAGES/[a-z]+\.po$", n)
        if not m:
            continue
        cur, take = [], False
        for line in z.read(n).decode("utf-8").splitlines():
            if line.startswith("msgstr"):
                take, line = True, line.split(" ", 1)[1]
            elif not line.startswith('"'):
                take = False
            if take and line.startswith('"'):
                try:
                    s = ast.literal_eval(line)
                except Exception:
                    continue
                if "Content-Type" in s or "-Version" in s or "Plural-Forms" in s or ": 20" in s or "Language" in s:
                    continue
                cur.append(s if s.endswith((" ", "\n")) else s + "\n")
        langs.setdefault(m.group(2).replace("@", "-"), []).append((n, "".join(cur)))
for lang, parts in sorted(langs.items()):
    if lang.startswith("en"):
        continue
    half = sorted(parts)
    for i in (0, 1):
        put("po-" + lang, str(i), "".join(t for _, t in half[i::2]), 40_000)

# Books and help pages, by language.
debs = sys.argv[2]
def bunch(kind, pages, files, size):
    pages = [t for t in (re.sub(r"[ \t]*\n\s*", "\n", untag(read(p))).strip() for p in some(pages, files * 30)) if len(t) > 300]
    for i in range(files):
        put(kind, str(i), "\n".join(pages[i::files]), size)
for folder, name in [("share/help", "help"), ("share/doc/installation-guide-amd64", "inst"), ("share/doc/debian-handbook/html", "book")]:
    for d in sorted(glob.glob(f"{debs}/usr/{folder}/*")):
        lang = d.split("/")[-1]
        if os.path.isdir(d) and lang != "C":
            bunch(f"{name}-{lang.replace('@', '_')}", find((".page", ".html"), [d], 1000), 2, 40_000)
for lang in ("ja", "zh-cn"):
    bunch(f"ref-{lang}", [p for p in find(".html", [f"{debs}/usr/share"], 1000) if f".{lang}.html" in p], 4, 60_000)
cookies = [p for p in find("", [f"{debs}/usr/share/games/fortunes"], 3000) if not p.endswith((".dat", ".u8"))]
for i, p in enumerate(some([p for p in cookies if "/ru" not in p], 24)):
    put("fortune", f"{i:02}", read(p), 60_000)
for i, p in enumerate(some([p for p in cookies if "/ru" in p], 6)):
    put("fortune-ru", f"{i:02}", read(p), 60_000)
for p in sorted(glob.glob(f"{debs}/usr/share/mediawiki/languages/i18n/*.json")):
    lang = os.path.basename(p)[:-5]
    if lang not in ("en", "qqq") and os.path.getsize(p) > 60_000:
        put("wiki-" + lang, "0", "\n".join(v for k, v in json.loads(read(p)).items() if k != "@metadata" and len(v) > 50), 100_000 if lang in ("hy", "am", "ka", "km", "my", "bn", "ta", "te", "ru", "zh-hans", "ja", "ko") else 30_000)
# Decomposed accents, as some files and file systems have them.
import unicodedata
for kind in ("help-vi", "inst-vi", "help-fr", "help-cs", "po-vi", "inst-es"):
    for p in glob.glob(f"{out}/{kind}__*.txt"):
        t = read(p)
        if kind.endswith("vi"):
            # Half decomposed: the tone apart, the vowel whole.
            put("nfd-" + kind, "half" + p[-5], "".join(unicodedata.normalize("NFC", d[:2]) + d[2:] if len(d := unicodedata.normalize("NFD", c)) > 2 else d if len(d) > 1 and d[1] in "\u0300\u0301\u0303\u0309\u0323" else c for c in t), 30_000)
        put("nfd-" + kind, p[-5], unicodedata.normalize("NFD", t), 30_000)

# Made: what tools print and no source tree holds.
def hexes():
    r = []
    for _ in range(500):
        k = rnd.randrange(5)
        b = rnd.randbytes(rnd.choice([4, 8, 16, 20, 32]))
        r.append([b.hex(), str(uuid.UUID(bytes=rnd.randbytes(16))), b.hex() + "  src/file%d.rs" % rnd.randrange(99), "0x" + b.hex().upper()[:16], "sha256:" + rnd.randbytes(32).hex()][k])
    return "\n".join(r)
for i in range(3):
    put("hex", str(i), hexes(), 40_000)
    put("base64", f"flat{i}", base64.b64encode(rnd.randbytes(30_000)).decode())
    put("base64", f"wrap{i}", base64.encodebytes(rnd.randbytes(30_000)).decode())
    put("base64", f"url{i}", "\n".join(base64.urlsafe_b64encode(rnd.randbytes(rnd.randrange(12, 90))).decode() for _ in range(500)))
pngs = [p for p in find(".png", ["/usr/share", f"{sysroot}/share", home]) + find(".svg", ["/usr/share"]) + find(".so", ["/usr/lib/python3.11"])]
for i, p in enumerate(some(pngs, 10)):
    put("base64", f"file{i}", base64.b64encode(open(p, "rb").read()[5:40_000]).decode(), 30_000)
words = [w for w in re.findall(r"[a-z]{3,9}", read(glob.glob(f"{sysroot}/share/doc/rust/html/book/*.html")[0]) * 1)] or ["alpha"]
def rows(i):
    r = []
    for n in range(400):
        r.append({"id": rnd.randrange(10**6), "name": rnd.choice(words), "email": f"{rnd.choice(words)}@example.com", "score": round(rnd.random() * 100, 3), "tags": rnd.sample(words, 3), "created_at": f"2025-{rnd.randrange(1,13):02}-{rnd.randrange(1,29):02}T{rnd.randrange(24):02}:{rnd.randrange(60):02}:{rnd.randrange(60):02}Z", "active": rnd.random() < .5, "parent": None})
    return r
put("json", "compact", json.dumps(rows(0), separators=(",", ":")), 60_000)
put("json", "pretty", json.dumps(rows(1), indent=2), 60_000)
put("json", "lines", "\n".join(json.dumps(x) for x in rows(2)), 60_000)
bundle("json", find(".json", ["/usr/lib", "/usr/share", home + "/.cargo/registry/src"]), 2)
def log(i):
    r = []
    for n in range(600):
        t = f"2025-11-{rnd.randrange(1,29):02}T{rnd.randrange(24):02}:{rnd.randrange(60):02}:{rnd.randrange(60):02}.{rnd.randrange(10**6):06}Z"
        r.append(rnd.choice([f"{t} {rnd.choice(['INFO','WARN','ERROR','DEBUG'])} {rnd.choice(words)}::{rnd.choice(words)}: {' '.join(rnd.sample(words, 5))} id={rnd.randrange(10**5)} took={rnd.randrange(900)}ms",
            f"[{rnd.randrange(10**5)}.{rnd.randrange(10**6):06}] usb {rnd.randrange(9)}-{rnd.randrange(9)}: new device number {rnd.randrange(99)}",
            f"127.0.0.{rnd.randrange(255)} - - [{rnd.randrange(1,28):02}/Nov/2025:{rnd.randrange(24):02}:{rnd.randrange(60):02}:{rnd.randrange(60):02} +0000] \"GET /{rnd.choice(words)}/{rnd.randrange(999)} HTTP/1.1\" 200 {rnd.randrange(10**5)}",
            f"\x1b[{rnd.choice([31,32,33,36])}m{rnd.choice(words)}\x1b[0m: {' '.join(rnd.sample(words, 4))} \x1b[1m{rnd.randrange(100)}%\x1b[0m"]))
    return "\n".join(r)
for i in range(2):
    put("log", str(i), log(i), 60_000)
put("ls", "0", subprocess.run("ls -laR /usr/include | head -1500", shell=True, capture_output=True, text=True).stdout)
put("ls", "1", subprocess.run("ls -R --color=always /usr/share/doc /usr/lib/python3.11 | head -4000 | tail -2000", shell=True, capture_output=True, text=True).stdout)
put("ls", "2", subprocess.run(f"find {sysroot}/lib /usr/lib/git-core | head -1500", shell=True, capture_output=True, text=True).stdout)
put("grep", "0", subprocess.run(f"grep -rn --color=always 'impl' {cargo[0]} --include=*.rs | shuf --random-source=/bin/ls -n 700", shell=True, capture_output=True, text=True).stdout)
rs = some(find(".rs", cargo), 60)
import difflib
diffs = []
for p in rs:
    a = read(p)[:8000].splitlines()
    b = [l.replace("self", "this") if rnd.random() < .1 else l for l in a if rnd.random() > .05]
    diffs += difflib.unified_diff(a, b, p.split("/src/")[-1], p.split("/src/")[-1], lineterm="")
put("diff", "0", "\n".join(diffs))
put("diff", "1", "\n".join(diffs)[CAP:])
put("space", "0", "\n".join(" " * rnd.randrange(0, 60) + rnd.choice(["", rnd.choice(words), "|"]) + "\t" * rnd.randrange(0, 4) for _ in range(2500)), 60_000)
put("table", "0", "\n".join(" | ".join(f"{rnd.choice(words):<14}" if k % 2 else f"{rnd.randrange(10**6):>10}" for k in range(6)) for _ in range(700)), 60_000)
put("csv", "0", "\n".join(",".join(str(round(rnd.gauss(0, 100), rnd.randrange(5))) if k % 3 else rnd.choice(words) for k in range(9)) for _ in range(900)), 60_000)
js = "".join(re.sub(r"\s+", " ", re.sub(r"(?m)^\s*//.*$", "", read(p)))[:9000] for p in some(find(".js", ["/usr/share", "/usr/lib", f"{sysroot}/share"]), 40))
put("minjs", "0", re.sub(r" ?([(){};,=+\-<>?:&|!*/]) ?", r"\1", js))
put("minjs", "1", re.sub(r" ?([(){};,=+\-<>?:&|!*/]) ?", r"\1", js)[CAP:])
emoji = [chr(c) for a, b in [(0x1F300, 0x1F650), (0x1F680, 0x1F6FD), (0x1F900, 0x1FA00), (0x2600, 0x27BF)] for c in range(a, b)]
put("emoji", "0", "".join(rnd.choice(emoji) + rnd.choice(["", "", " ", "\ufe0f", " " + rnd.choice(words) + " "]) for _ in range(6000)), 40_000)
put("emoji", "1", "\n".join(rnd.choice(emoji[:200]) + " " + " ".join(rnd.sample(words, rnd.randrange(1, 8))) for _ in range(2000)), 40_000)
put("boxes", "0", "\n".join("".join(rnd.choice("─│┌┐└┘├┤┬┴┼═║╔╗╚╝█▓▒░▄▀→←↑↓•…—“”‘’✓✗") if rnd.random() < .6 else rnd.choice([" ", "  ", rnd.choice(words)]) for _ in range(40)) for _ in range(400)), 40_000)
