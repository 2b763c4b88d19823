#!/usr/bin/env python3
"""The drawings, outlines, JSON and DOT of `stemma graph` agree with `show --trace`: on the demo's story, on random stores, with
hostile text and at a hub. On a terminal it draws what fits. `$STEMMA` is the program."""
import collections, fcntl, hashlib, json, os, pty, random, re, shutil, struct, subprocess, sys, tempfile, termios

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../oracle"), os.path.join(HERE, "../../support")]
sys.dont_write_bytecode = True
import harness
from read_back import Drawing, Printed
from test_drawing import check_strokes

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
STORY = os.path.join(HERE, "../../../tests/data/demo.jsonl")
SCRATCH = tempfile.mkdtemp(prefix="graph-", dir=os.environ.get("STEMMA_TEST_DIR"))
ENV = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "STEMMA_STORE", "NO_COLOR", "TERM")}
ENV.update(LC_ALL="C.UTF-8", HOME=SCRATCH)
BELIEF = "belief:8a2770de-67d0-450f-a29b-b158f6e6f3da"
STYLES = ("lr", "lr-box", "tb", "tb-box")


def run(*args, ok=(0,), env=None, raw=False):
    p = subprocess.run([STEMMA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(ENV, **(env or {})))
    assert p.returncode in ok, (args, p.returncode, p.stdout[-500:], p.stderr.decode(errors="replace")[-2000:])
    return p.stdout if raw else p.stdout.decode()


def refused(*args, code):
    p = subprocess.run([STEMMA, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    assert p.returncode == code and not p.stdout and p.stderr.startswith(b"stemma: "), (args, p)
    return p.stderr.decode()


def make_store(name, memories):
    path, lines = os.path.join(SCRATCH, name + ".db"), os.path.join(SCRATCH, name + ".jsonl")
    with open(lines, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(m) + "\n" for m in memories)
    run("import", "jsonl", lines, "--store", path)
    return path


def story():
    path = os.path.join(SCRATCH, "story.db")
    if not os.path.exists(path):
        run("import", "jsonl", STORY, "--store", path)
    return path


def random_memories(rng, count):
    """The text of each memory is its number, so that a line of output identifies it."""
    refs = [f"{rng.choice(['raw', 'episode', 'belief', 'note', 'goal', 'document'])}:m{i:03d}" for i in range(count)]
    out = []
    for i, ref in enumerate(refs):
        m = {"ref": ref, "agent_id": "ash", "text": f"#{i:03d}", "created_at": 1_700_000_000_000 + i, "justifications": [],
             "status": rng.choices(["active", "superseded", "retracted", "forgotten"], [85, 5, 5, 5])[0]}
        for _ in range(rng.choice([0, 1, 1, 2])):
            pool = refs if rng.random() < .2 else refs[:i + 1]
            ants = rng.sample(pool, min(len(pool), rng.choice([1, 1, 2, 3])))
            if rng.random() < .08:
                ants.append(f"raw:gone-{rng.randrange(3)}")
            m["justifications"].append({"role": rng.choice(["derived_from", "evidence", "reinforcement"]), "antecedents": ants,
                                        "reading": rng.choice(["any", "any", "all"]), "at": i,
                                        "recorded": rng.choice(["recorded", "recorded", "auto-linked"])})
        if i and rng.random() < .1:
            m["relations"] = [{"type": "supersedes", "to": rng.choice(refs[:i]), "at": i}]
        out.append(m)
    return out


# ---- JSON, compared with a trace ----

def graph(store, ref, *how):
    return json.loads(run("graph", ref, "--json", "--store", store, *how))


def turned(cycle):
    at = cycle.index(min(cycle))
    return tuple(cycle[at:] + cycle[:at])


def check_against_trace(store, ref, flag, depth=None):
    """Without relations the nodes and links equal those of the trace; otherwise they include them."""
    bound = ["--depth", str(depth)] if depth is not None else []
    trace = json.loads(run("show", ref, flag, "--json", "--store", store, *bound))
    side = ["--reverse"] if flag == "--reverse" else []
    got = graph(store, ref, *side, *bound)
    plain = ("role", "reading", "justification", "recorded", "from", "to")
    key = lambda l: tuple(l[k] for k in plain)
    nodes = {n["ref"]: n for n in got["nodes"]}
    assert len(nodes) == len(got["nodes"]), "every memory stands once"
    assert got["focus"] == got["nodes"][0]["ref"] and got["nodes"][0]["depth"] == 0
    related = any(l["role"] == "supersedes" for l in (graph(store, ref, *side) if bound else got)["links"])
    for n in trace["nodes"]:
        own = nodes.get(n["ref"])
        assert own, (ref, flag, depth, n["ref"])
        assert {k: own.get(k) for k in ("text", "label", "status", "missing")} == \
               {k: n.get(k) for k in ("text", "label", "status", "missing")}, (own, n)
        assert own["depth"] == n["depth"] if not related else own["depth"] <= n["depth"], (own, n)
    links = collections.Counter(key(l) for l in got["links"] if "recorded" in l)
    wanted = collections.Counter(key(l) for l in trace["links"])
    if not related:
        assert set(nodes) == {n["ref"] for n in trace["nodes"]}, (ref, flag, depth)
        assert links == wanted, (ref, flag, depth, links, wanted)
        assert got["cut"] == trace["cut"], (ref, flag, depth, got["cut"], trace["cut"])
    elif depth is None:
        assert not wanted - links, (ref, flag, wanted - links)
    for l in got["links"]:
        assert l["from"] == l["to"] or l["stroke"] in ("derived", "evidence", "reinforced", "supersedes", "guessed", "all"), l
        assert l["from"] in nodes and l["to"] in nodes, l
    pairs = {(l["from"], l["to"]) for l in got["links"]}
    for cycle in got["cycles"]:
        assert all(p in pairs for p in zip(cycle, cycle[1:] + cycle[:1])), cycle
    if not related and depth is None:
        assert {turned(c) for c in got["cycles"]} == {turned(c) for c in trace["cycles"]}, (got["cycles"], trace["cycles"])
    return got


def json_is_a_trace_on_the_story():
    listed = [json.loads(l) for l in run("list", "all", "--status", "all", "--json", "--store", story()).splitlines()]
    for m in listed[::9]:
        check_against_trace(story(), m["ref"], "--reverse")
        check_against_trace(story(), m["ref"], "--trace")
    both = graph(story(), BELIEF, "--both")
    one, other = graph(story(), BELIEF), graph(story(), BELIEF, "--reverse")
    refs = lambda g: {n["ref"] for n in g["nodes"]}
    assert refs(both) == refs(one) | refs(other)
    assert {n["side"] for n in both["nodes"]} == {"both", "based_on", "used_by"}


def json_is_a_trace_on_random_stores():
    for seed, count in enumerate((8, 60)):
        rng = random.Random(seed)
        store = make_store(f"random-{seed}", random_memories(rng, count))
        listed = [json.loads(l)["ref"] for l in run("list", "all", "--status", "all", "--json", "--store", store).splitlines()]
        for ref in rng.sample(listed, 5):
            for flag in ("--trace", "--reverse"):
                if not (flag == "--trace" and ref.startswith("raw:")):
                    check_against_trace(store, ref, flag)
                    check_against_trace(store, ref, flag, rng.choice([0, 1, 2]))


# ---- text ----

def outline_edges(text, rest_below):
    """Returns (from, to) by number from an outline of such memories."""
    edges, path, nodes = set(), [], set()
    body = text.split("\n\n")[0]
    for line in body.splitlines():
        line = re.sub(r"^ *\d+ ", "", line, count=1)
        depth, at = 0, 0
        while line[at:at + 3] in ("│  ", "   ", "├─ ", "└─ "):
            depth, at = depth + 1, at + 3
        found = re.findall(r"#(\d{3})|\?(gone-\d)", line[at:])
        assert len(found) == 1, line
        name = found[0][0] or found[0][1]
        nodes.add(name)
        del path[depth:]
        if path:
            edges.add((path[-1], name) if rest_below else (name, path[-1]))
        path.append(name)
    return edges, nodes


def name_of(node):
    """The text that only its line or box has."""
    if "ref" not in node:
        return str(node["total"])
    return node["text"][1:] if node["text"] else node["ref"].split(":")[1]


def outlines_hold_every_link():
    for seed in range(2):
        rng = random.Random(100 + seed)
        store = make_store(f"outline-{seed}", random_memories(rng, 30))
        for how in ([], ["--reverse"], ["--both"]):
            ref = rng.choice([json.loads(l)["ref"] for l in run("list", "all", "--json", "--store", store).splitlines()])
            got = graph(store, ref, *how)
            name = {n["ref"]: name_of(n) for n in got["nodes"]}
            pairs = {(name[l["from"]], name[l["to"]]) for l in got["links"] if l["from"] != l["to"]}
            edges, nodes = outline_edges(run("graph", ref, "--budget", "0", "--store", store, *how),
                                         got["show"] != "used_by")
            assert nodes == set(name.values()), (ref, how)
            assert edges == pairs, (ref, how, edges ^ pairs)


def read_drawing(text, got, ascii):
    """Reads a drawing back, with the rectangles from its JSON."""
    name = {n.get("ref", n.get("id")): str(i) for i, n in enumerate(got["nodes"])}
    rows = text.split("\n")
    drawing, below = rows[:got["height"]], "\n".join(rows[got["height"]:])
    assert below.startswith("\n" + got["focus"]), below
    rects = [f"-- rect {i} {n['column']} {n['row']} {n['columns']} {n['rows']}" for i, n in enumerate(got["nodes"])]
    printed = Printed("\n".join(drawing + rects + [""]).encode(), len(rects))
    assert printed.width == got["width"], (printed.width, got["width"])
    says = lambda i, label: label and not {label[0], label[-1]} & set("─╤┬┴│├┤╟╢+|") and name_of(got["nodes"][int(i)]) in label
    return Drawing(printed, got["style"], ascii, says).edges(), name


def drawings_are_read_back():
    """Compares every style, bundled and not, with the links of the JSON. tests/oracle/test_drawing.py draws far more, without a
    start of the program for each."""
    for seed in range(2):
        rng = random.Random(200 + seed)
        store = make_store(f"drawn-{seed}", random_memories(rng, 45))
        refs = [json.loads(l)["ref"] for l in run("list", "all", "--json", "--store", store).splitlines()]
        for ref in rng.sample(refs, 2):
            for style in STYLES:
                how = ["--both", "--style", style, "--budget", rng.choice(["0", "12", "30"]), "--store", store]
                ascii = rng.random() < .3
                env = {"LC_ALL": "C.ISO-8859-1"} if ascii else None
                got = json.loads(run("graph", ref, "--json", *how, env=env))
                found, name = read_drawing(run("graph", ref, *how, env=env), got, ascii)
                edges = [(f, t) for f, t, _ in found]
                wanted = {(name[l["from"]], name[l["to"]]): l.get("stroke") for l in got["links"] if l["from"] != l["to"]}
                assert len(set(edges)) == len(edges) and set(edges) == set(wanted), (how, set(edges) ^ set(wanted))
                if not ascii:
                    check_strokes(found, wanted)


def any_order_of_rows_gives_the_same():
    rng = random.Random(300)
    memories = random_memories(rng, 40)
    one = make_store("ordered", memories)
    rng.shuffle(memories)
    other = make_store("shuffled", memories)
    for style in (*STYLES, "outline"):
        how = ["--both", "--style", style, "--budget", rng.choice(["0", "15"])]
        ref = rng.choice(memories)["ref"]
        assert run("graph", ref, *how, "--store", one) == run("graph", ref, *how, "--store", other), (ref, how)


def what_is_not_in_view_is_counted():
    ref, store = "belief:top", make_store("counted", [
        {"ref": "belief:top", "text": "#000", "derived_from": ["note:a"]},
        {"ref": "note:a", "text": "#001", "derived_from": [f"raw:r{i}" for i in range(140)]},
        *({"ref": f"raw:r{i}", "text": f"#{100 + i}"} for i in range(140))])
    shallow = run("graph", ref, "--depth", "1", "--store", store)
    assert "\nbased on 141 memories, +140 not in view" in shallow and "#100" not in shallow, shallow
    text = run("graph", ref, "--style", "lr", "--store", store)
    seen = len(re.findall(r"#[12]\d\d", text))
    more = re.search(r"⋯ \+(\d+) raw", text)
    assert more and seen + int(more[1]) == 140 and f"+{more[1]} not in view" in text, text
    whole = run("graph", ref, "--budget", "0", "--store", store)
    assert len(re.findall(r"#[12]\d\d", whole)) == 140 and "not in view" not in whole
    assert graph(store, ref, "--depth", "1")["cut"] == 140 and graph(store, ref)["cut"] == 0
    some = graph(store, ref, "--budget", "10")
    rest = [n for n in some["nodes"] if "ref" not in n]
    assert rest and all(n["sort"] in ("more", "equivalent") for n in rest), rest
    assert some["cut"] + sum(n.get("total", 1) for n in some["nodes"] if n.get("sort") != "more") == 142, some


def the_legend_says_what_is_drawn():
    store = make_store("signs", [
        {"ref": "belief:a", "text": "#001", "derived_from": ["belief:b"]},
        {"ref": "belief:b", "text": "#002", "derived_from": ["belief:a"]},
        {"ref": "belief:loop", "text": "#003", "derived_from": ["belief:loop", "raw:nowhere"]},
        {"ref": "belief:new", "text": "#004", "supersedes": "belief:old",
         "justifications": [{"role": "derived_from", "reading": "all", "antecedents": ["raw:x", "raw:y"]},
                            {"role": "evidence", "antecedents": ["episode:e"]},
                            {"role": "reinforcement", "antecedents": ["note:n"]},
                            {"role": "derived_from", "recorded": "auto-linked", "antecedents": ["note:guess"]}]},
        {"ref": "belief:old", "text": "#005", "status": "superseded"}, {"ref": "raw:x", "text": "#006"},
        {"ref": "raw:y", "text": "#007"}, {"ref": "episode:e", "text": "#008"}, {"ref": "note:n", "text": "#009"},
        {"ref": "note:guess", "text": "#010", "status": "retracted"}])
    text = run("graph", "belief:new", "--style", "lr", "--store", store)
    drawing, below = text.split("\n\n", 1)
    for sign, words in (("━", "replaces"), ("╢", "needs all of them"), ("┈", "evidence"), ("┄", "reinforced"), ("╌", "guessed")):
        assert sign in drawing and re.search(rf"{sign} (\d+ )?{words}", below), (sign, text)
    assert "b 2 beliefs" in below and "× 1 ended" in below and "◄" not in below and "?" not in below, below
    circle = run("graph", "belief:a", "--style", "lr", "--store", store)
    assert "◄" in circle.split("\n\n")[0] and "◄ right supports left" in circle, circle
    assert re.search(r"circle: b #00(\d) → b #00(\d) → b #00\1\n", circle), circle
    down = run("graph", "belief:a", "--style", "tb", "--store", store)
    assert "▲ below supports above" in down and "above supports below" in down, down
    loop = run("graph", "belief:loop", "--style", "lr", "--store", store)
    assert "#003 ↺" in loop and "circle: b #003 → b #003" in loop and "? 1 not in this store" in loop and "?nowhere" in loop, loop
    plain = run("graph", "belief:new", "--style", "lr", "--store", store, env={"LC_ALL": "C.ISO-8859-1"}, raw=True)
    assert all(b < 128 for b in plain) and b"- based on, in any way" in plain, plain
    assert not re.search(rb"replaces|needs all|evidence|guessed|reinforced", plain), plain
    color = run("graph", "belief:new", "--style", "lr", "--color", "always", "--store", store)
    assert re.sub(r"\x1b\[\d+m", "", color) == text


# ---- hostile text ----

HOSTILE = ['quote " and \\', "a\nb\tc", "\x1b[31mred\x07", "\u202eevil", "&amp; <b>& \\N \\G \\l", "日本語のラベル" * 9, "e\u0301" * 40,
           "x" * 100_000, '"]; evil [label="', "\\", "}\n// end", "👩‍🚀🚀", "\x7f\x80", " ", "·" * 200]


def parse_dot(text):
    """Parses a digraph of quoted names strictly. Returns (nodes, edges)."""
    token = re.compile(r'"(?:[^"\\]|\\.)*"|->|[\[\]{};=,]|[A-Za-z0-9_.#-]+')
    at, tokens = 0, []
    for m in token.finditer(text):
        assert not text[at:m.start()].strip(), text[at:m.end()]
        tokens.append(m[0])
        at = m.end()
    assert not text[at:].strip() and tokens[:3] == ["digraph", "stemma", "{"] and tokens[-1] == "}", tokens[:5]
    statements, now = [], []
    for t in tokens[3:-1]:
        now, _ = ([], statements.append(now)) if t == ";" else (now + [t], None)
    assert not now, now
    names = [s[0] for s in statements if s[0].startswith('"') and s[1] == "["]
    edges = [(s[0], s[2]) for s in statements if s[1] == "->"]
    assert len(set(names)) == len(names) and all(a in names and b in names for a, b in edges)
    return names, edges


def is_clean(text):
    return not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", text)


def hostile_text_stays_in_its_place():
    memories = [{"ref": "belief:top", "text": "#top", "derived_from": [f"note:{i}" for i in range(len(HOSTILE))]}]
    memories += [{"ref": f"note:{i}", "text": t, "derived_from": [f"raw:{t[:20]}{i}"]} for i, t in enumerate(HOSTILE)]
    store = make_store("hostile", memories)
    got = graph(store, "belief:top")
    texts = {n["ref"]: n["text"] for n in got["nodes"]}
    for i, t in enumerate(HOSTILE):
        assert texts[f"note:{i}"] == json.loads(run("show", f"note:{i}", "--json", "--store", store))["text"], i
    dot = run("graph", "belief:top", "--format", "dot", "--store", store)
    names, edges = parse_dot(dot)
    assert is_clean(dot) and len(names) == len(got["nodes"]) and len(edges) == len(got["links"]), (len(names), len(edges))
    if shutil.which("dot"):
        svg = subprocess.run(["dot", "-Tsvg"], input=dot.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert svg.returncode == 0 and b"syntax error" not in svg.stderr, svg.stderr
        assert svg.stdout.count(b'class="node"') == len(names) and svg.stdout.count(b'class="edge"') == len(edges)
    for style in (*STYLES, "outline"):
        text = run("graph", "belief:top", "--style", style, "--budget", "0", "--store", store)
        assert is_clean(text), [c for c in text if not is_clean(c)]
        if style != "outline":
            assert max(map(len, text.splitlines())) < 4000, "labels are cut"


# ---- sizes ----

def a_hub_costs_what_is_shown():
    store = make_store("hub", [{"ref": "raw:hub", "text": "#hub"}] +
                       [{"ref": f"belief:b{i:05d}", "text": f"#{i}", "created_at": i, "derived_from": ["raw:hub"]} for i in range(8000)])
    text = run("graph", "raw:hub", "--store", store)
    assert "used by 999+ memories" in text and "1000+" not in text and len(text.splitlines()) < 300 and "999+" in text or "+ beliefs" in text, text[-500:]
    drawn = run("graph", "raw:hub", "--style", "lr", "--store", store)
    assert "⋯" in drawn and len(drawn.splitlines()) < 80, drawn
    assert len(graph(store, "raw:hub")["nodes"]) == 8001
    assert len(parse_dot(run("graph", "raw:hub", "--format", "dot", "--store", store))[1]) == 8000


def a_deep_chain_is_whole():
    store = make_store("deep", [{"ref": "belief:d0", "text": "#d0"}] +
                       [{"ref": f"belief:d{i}", "text": f"#d{i}", "derived_from": [f"belief:d{i - 1}"]} for i in range(1, 1500)])
    got = graph(store, "belief:d1499")
    assert len(got["nodes"]) == 1500 and max(n["depth"] for n in got["nodes"]) == 1499
    text = run("graph", "belief:d1499", "--style", "tb", "--store", store)
    assert "#d1499" in text and "⋮ ● 1498 beliefs" in text and "#d0" in text and "1499 memories\n" in text, text[-600:]
    apart = run("graph", "belief:d1499", "--style", "lr", "--budget", "0", "--store", store)
    assert apart.split("\n\n")[0].count("#d") == 1500
    deep = run("graph", "belief:d1499", "--budget", "0", "--store", store)
    assert deep.split("\n\n")[0].count("#d") == 1500 and len(deep) < 200_000 and "… 1499 › b – #d0\n" in deep, deep[-300:]


# ---- the terminal ----

def at_terminal(columns, *args, env=None, rows=40):
    """Returns its output on a terminal of that size, without colours, and its standard error."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    p = subprocess.Popen([STEMMA, *args], stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE,
                         env=dict(ENV, **{"TERM": "xterm-256color", **(env or {})}))
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(master)
    err = p.stderr.read().decode()
    p.stderr.close()
    assert p.wait() == 0, (args, err)
    return re.sub(r"\x1b\[\d+m", "", out.decode().replace("\r\n", "\n")), err


def is_outline(text):
    return bool(re.match(r" *1 ", text))


def a_terminal_shows_what_fits():
    for columns in (60, 80, 120, 200):
        for how in ([], ["--both"]):
            text, said = at_terminal(columns, "graph", BELIEF, *how, "--store", story())
            assert max(map(len, text.split("\n"))) <= columns and not said, (columns, text)
            assert not is_outline(text) or columns == 60, (columns, text)
    assert is_outline(at_terminal(79, "graph", BELIEF, "--store", story())[0])
    assert is_outline(at_terminal(120, "graph", BELIEF, "--store", story(), env={"TERM": "dumb"})[0])
    assert is_outline(run("graph", BELIEF, "--store", story())), "into a pipe"
    wide, said = at_terminal(60, "graph", BELIEF, "--style", "lr-box", "--store", story())
    assert not is_outline(wide) and "columns wide" in said, said
    narrow = at_terminal(40, "graph", BELIEF, "--store", story())[0]
    assert max(map(len, narrow.split("\n"))) <= 40, narrow


# ---- stores and times ----

def nothing_is_written():
    path = story()
    before = hashlib.sha256(open(path, "rb").read()).hexdigest()
    copy = os.path.join(SCRATCH, "locked")
    os.mkdir(copy)
    run("export", "--store", path, "-o", copy + "/lines")
    run("import", "jsonl", copy + "/lines", "--store", copy + "/s.db")
    os.chmod(copy + "/s.db", 0o400)
    text = run("graph", BELIEF, "--store", path)
    assert run("graph", BELIEF, "--read-only", "--store", path) == text == run("graph", BELIEF, "--store", copy + "/s.db")
    assert hashlib.sha256(open(path, "rb").read()).hexdigest() == before


def as_it_was_then():
    store = os.path.join(SCRATCH, "then.db")
    first = run("add", "raw", "#first", "--store", store).split()[0]
    second = run("add", "belief", "#second", "--from", first, "--store", store).split()[0]
    run("add", "note", "#third", "--from", second, "--store", store)
    assert [n["text"] for n in graph(store, first)["nodes"]] == ["#first", "#second", "#third"]
    assert [n["text"] for n in graph(store, first, "--as-of", "@2")["nodes"]] == ["#first", "#second"]
    assert "#third" not in run("graph", first, "--as-of", "@2", "--style", "lr", "--store", store)
    assert "did not exist yet" in refused_past(store, second)


def refused_past(store, ref):
    p = subprocess.run([STEMMA, "graph", ref, "--as-of", "@1", "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    assert p.returncode == 1 and not p.stdout, p
    return p.stderr.decode()


def what_cannot_be_drawn_is_refused():
    store = story()
    refused("graph", BELIEF, "--reverse", "--both", "--store", store, code=2)
    refused("graph", BELIEF, "--style", "round", "--store", store, code=2)
    refused("graph", BELIEF, "--format", "png", "--store", store, code=2)
    refused("graph", BELIEF, "--json", "--format", "dot", "--store", store, code=2)
    refused("graph", BELIEF, "--depth", "-1", "--store", store, code=2)
    refused("graph", "--store", store, code=2)
    refused("graph", "belief:nowhere-at-all", "--store", store, code=1)
    refused("graph", BELIEF, "--store", SCRATCH + "/none.db", code=3)
    assert "stemma graph REF" in run("help", "graph") and "graph" in run("help")


status = harness.run(json_is_a_trace_on_the_story, json_is_a_trace_on_random_stores, outlines_hold_every_link,
                     drawings_are_read_back, any_order_of_rows_gives_the_same, what_is_not_in_view_is_counted, the_legend_says_what_is_drawn,
                     hostile_text_stays_in_its_place, a_hub_costs_what_is_shown, a_deep_chain_is_whole, a_terminal_shows_what_fits,
                     nothing_is_written, as_it_was_then, what_cannot_be_drawn_is_refused)
shutil.rmtree(SCRATCH, ignore_errors=True)
sys.exit(status)
