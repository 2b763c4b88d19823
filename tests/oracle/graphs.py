"""Graphs to draw: the sample, hard ones, and random ones of every family."""
import random, unicodedata

KINDS = ("guessed", "evidence", "reinforced", "derived", "all", "supersedes")  # the last of several is drawn


class Graph:
    def __init__(self, name, nodes=(), edges=(), tame=True):
        self.name = name
        self.nodes = list(nodes)  # (id, label or None)
        self.edges = list(edges)  # (from, to, kind); nodes may be missing, edges may be loops or duplicates
        self.tame = tame          # the text determines how labels look

    def names(self):
        return {n for n, _ in self.nodes} | {e for f, t, _ in self.edges for e in (f, t)}

    def drawn(self):
        """{(from, to): stroke}"""
        drawn = {}
        for f, t, kind in self.edges:
            if f != t:
                drawn[f, t] = max(drawn.get((f, t), kind), kind, key=KINDS.index)
        return drawn

    def loops(self):
        return {f for f, t, _ in self.edges if f == t}

    def circles(self):
        """Returns whether an edge cannot be drawn along the flow."""
        edges, names = set(self.drawn()), self.names()
        while names:
            free = names - {t for _, t in edges}
            if not free:
                return True
            names, edges = names - free, {(f, t) for f, t in edges if f not in free}
        return False

    def labels(self):
        """{id: its text, as cells show it}; of missing nodes, too"""
        given = dict(self.nodes)
        return {n: (given[n] or n) if n in given else "?" + n for n in self.names()}

    def text(self, rng=None):
        lines = [f"node {n} {label}" if label else f"node {n}" for n, label in self.nodes]
        lines += [f"edge {f} {t} {kind}" for f, t, kind in self.edges]
        if rng:
            rng.shuffle(lines)
        return "".join(line + "\n" for line in lines)


def plain(name, pairs, kind="derived", more=()):
    nodes = sorted({n for pair in pairs for n in pair} | set(more))
    return Graph(name, [(n, None) for n in nodes], [(f, t, kind) for f, t in pairs])


def sample():
    labels = {"b1": "ship Thu", "b2": "ship Fri", "b3": "QA owns", "e1": "standup", "e2": "planning", "e3": "incident",
              "e4": "review", "r1": "chat", "r2": "mail", "r3": "note", "r4": "log", "r5": "page"}
    edges = ("b2 b1 supersedes", "b2 e2 reinforced", "b2 e3", "b1 e1", "b1 e2", "b3 e3", "b3 e4", "b3 e1 reinforced",
             "e1 r1", "e1 r2", "e2 r2", "e2 r3", "e3 r4", "e3 r5", "e4 r5")
    return Graph("sample", [(n, f"{n} {label}") for n, label in labels.items()],
                 [tuple((edge + " derived").split(" ")[:3]) for edge in edges])


def random_pairs(rng, nodes, edges, circles):
    names = [f"n{i:02}" for i in range(nodes)]
    pairs = set()
    for _ in range(edges):
        a, b = rng.sample(names, 2)
        pairs.add((a, b) if circles or a < b else (b, a))
    return sorted(pairs)


def hard():
    """Graphs that are hard to draw."""
    rng = random.Random(6)
    yield Graph("nothing")
    yield Graph("one", [("a", "alone")])
    yield Graph("loop", [("a", "itself")], [("a", "a", "derived")])
    yield Graph("apart", [(f"n{i}", None) for i in range(7)])
    yield plain("pair", [("a", "b")])
    yield plain("two-circle", [("a", "b"), ("b", "a")])
    yield plain("two-circles", [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "a"), ("a", "c")])
    yield plain("three-circle", [("a", "b"), ("b", "c"), ("c", "a")])
    yield Graph("loops", [(n, None) for n in "abc"], [(a, b, "derived") for a in "abc" for b in "abc"])
    yield plain("K6,6", [(f"a{i}", f"b{j}") for i in range(6) for j in range(6)])
    yield plain("K3,9", [(f"a{i}", f"b{j}") for i in range(3) for j in range(9)])
    yield plain("star out", [("c", f"n{i:02}") for i in range(60)])
    yield plain("star in", [(f"n{i:02}", "c") for i in range(60)])
    yield plain("star both", [("c", f"n{i:02}") for i in range(30)] + [(f"m{i:02}", "c") for i in range(30)])
    yield Graph("star of kinds", [(f"n{i:02}", None) for i in range(60)] + [("c", None)],
                [("c", f"n{i:02}", KINDS[i % 6]) for i in range(60)])
    yield plain("chain", [(f"n{i:03}", f"n{i + 1:03}") for i in range(200)], "supersedes")
    yield plain("ring", [(f"n{i:02}", f"n{(i + 1) % 40:02}") for i in range(40)])
    yield plain("dense", random_pairs(rng, 60, 400, False))
    yield plain("cyclic", random_pairs(rng, 60, 150, True))
    yield plain("tournament", [(f"n{i}", f"n{j}") for i in range(9) for j in range(i)])
    yield plain("everything", [(f"n{i}", f"n{j}") for i in range(7) for j in range(7) if i != j])
    yield plain("skips", [(f"n{i:02}", f"n{j:02}") for i in range(20) for j in (i + 1, i + 3, i + 7) if j < 20])
    yield plain("ladder", [(f"{side}{i}", f"{other}{i + 1}") for i in range(8) for side in "ab" for other in "ab"])
    yield plain("swap", [("a", "d"), ("b", "c"), ("a", "c"), ("b", "d")])
    yield Graph("kinds", [("a", "above"), ("b", "below")], [("a", "b", kind) for kind in KINDS])
    yield Graph("kinds apart", [(n, None) for n in "abcdefgh"], [(n, "abcdefgh"[i + 1 - (i == 7)], KINDS[i % 6])
                                                               for i, n in enumerate("abcdefg")])
    yield Graph("kinds both ways", [("a", None), ("b", None)], [("a", "b", "all"), ("b", "a", "supersedes")])
    yield Graph("all of", [(n, None) for n in "abcdef"], [("a", n, "all") for n in "bcd"] + [("f", n, "all") for n in "cde"] +
                [("a", "e", "derived"), ("d", "a", "all")])
    yield Graph("repeated", [("a", None), ("b", None), ("a", None)], [("a", "b", "derived")] * 5 + [("b", "a", "derived")] * 2)
    yield Graph("ghosts", [("a", "here")], [("a", "gone", "derived"), ("lost", "a", "evidence"), ("gone", "lost", "all"),
                                             ("lost", "lost", "derived")])
    yield Graph("all ghosts", [], [("x", "y", "derived"), ("y", "z", "guessed")])
    yield Graph("components", [(f"n{i:02}", None) for i in range(30)],
                [(f"n{i:02}", f"n{i + 1:02}", KINDS[i % 6]) for i in range(29) if i % 4 != 3])
    yield Graph("labels", [("a", "an inordinately long label that goes on and on, far beyond any column"),
                           ("b", "出荷は金曜日と決めました、念のため全員に知らせてください。よろしく"), ("c", "x"),
                           ("d", "Zürich, naïve café"), ("e", "e" + "\u0301" * 3 + "n" + "\u0303" * 4 + " marks"),
                           ("f", "─┤x├─"), ("g", "│"), ("h", "┌──┐"), ("i", "┼┼┼"), ("j", "▲◄"), ("k", "+-|'."),
                           ("l", "─" * 40), ("m", "漢"), ("n", "^<")],
                [("a", n, "derived") for n in "bcdefg"] + [(n, m, "supersedes") for n, m in zip("bcdefg", "hijklm")] +
                [("h", "n", "derived"), ("i", "n", "derived"), ("n", "a", "derived"), ("f", "f", "derived")])
    yield Graph("hostile", [("a", "\x1b[31mred\x1b[0m"), ("b", "tab\there"), ("c", "a\u202eb"), ("d", "\u200d"),
                            ("e", "👩‍👩‍👧 family"), ("f", "\u0301bare"), ("g", "nul\0nul"), ("h", "\x7f\x80\x9b"), ("i", "-- end of"),
                            ("j", "\u00ad\u2060")],
                [("a", n, "derived") for n in "bcde"] + [(n, "j", "all") for n in "bcfghi"], tame=False)


WORDS = "ship Thursday planning review 漢字 メモ standup Zürich incident page mail QA e\u0301tude log ─┤x├─ note │ ok".split(" ")


def dag(rng):
    n = rng.randint(2, 30)
    return random_pairs(rng, n, rng.randint(1, 2 * n), False)


def cyclic(rng):
    n = rng.randint(2, 24)
    return random_pairs(rng, n, rng.randint(1, 2 * n), True)


def dense(rng):
    n = rng.randint(3, 12)
    return random_pairs(rng, n, n * n // 2, rng.random() < 0.5)


def tree(rng):
    n = rng.randint(2, 40)
    pairs = [(f"n{rng.randrange(i):02}", f"n{i:02}") for i in range(1, n)]
    return [(b, a) for a, b in pairs] if rng.random() < 0.5 else pairs


def lineage(rng):
    """Raw entries, episodes, beliefs, and beliefs that replace others."""
    raws, episodes, beliefs = rng.randint(1, 12), rng.randint(1, 8), rng.randint(1, 8)
    pairs = [(f"e{i}", f"r{rng.randrange(raws):02}") for i in range(episodes) for _ in range(rng.randint(1, 3))]
    pairs += [(f"b{i}", f"e{rng.randrange(episodes)}") for i in range(beliefs) for _ in range(rng.randint(1, 3))]
    return pairs + [(f"b{i}", f"b{rng.randrange(i)}") for i in range(1, beliefs) if rng.random() < 0.4]


def bipartite(rng):
    a, b = rng.randint(1, 8), rng.randint(1, 8)
    return [(f"a{i}", f"b{j}") for i in range(a) for j in range(b) if rng.random() < 0.6] or [("a0", "b0")]


def stars(rng):
    pairs = []
    for s in range(rng.randint(1, 3)):
        for i in range(rng.randint(1, 14)):
            pairs.append((f"c{s}", f"n{rng.randrange(20):02}") if rng.random() < 0.7 else (f"n{rng.randrange(20):02}", f"c{s}"))
    return pairs


def chain(rng):
    n = rng.randint(2, 25)
    pairs = [(f"n{i:02}", f"n{i + 1:02}") for i in range(n)]
    return pairs + [(f"n{a:02}", f"n{b:02}") for a, b in (sorted(rng.sample(range(n + 1), 2)) for _ in range(rng.randint(0, 6)))]


def forest(rng):
    pairs = []
    for part in "pqrst"[:rng.randint(2, 5)]:
        pairs += [(part + a, part + b) for a, b in random_pairs(rng, rng.randint(2, 6), rng.randint(1, 7), rng.random() < 0.3)]
    return pairs


def two_circles(rng):
    n = rng.randint(2, 10)
    pairs = random_pairs(rng, n, n + 3, True)
    return pairs + [(b, a) for a, b in pairs if rng.random() < 0.6]


def large(rng):
    n = rng.randint(40, 120)
    return random_pairs(rng, n, rng.randint(n // 2, 2 * n), rng.random() < 0.3)


def layered(rng):
    """Many edges between neighbouring layers only, so that lines swap places."""
    layers = [[f"l{i}{c}" for c in "abcdefgh"[:rng.randint(1, 8)]] for i in range(rng.randint(2, 6))]
    return [(a, b) for up, down in zip(layers, layers[1:]) for a in up for b in down if rng.random() < 0.5] or [("a", "b")]


FAMILIES = (dag, cyclic, dense, tree, lineage, bipartite, stars, chain, forest, two_circles, layered)
LARGE = FAMILIES + (large,)


def random_graph(seed, families=FAMILIES):
    rng = random.Random(seed)
    family = families[seed % len(families)]
    pairs = family(rng)
    kinds = rng.choice((("derived",), KINDS, ("derived", "derived", "supersedes", "reinforced", "all")))
    edges = [(a, b, rng.choice(kinds)) for a, b in pairs]
    names = sorted({n for pair in pairs for n in pair})
    if rng.random() < 0.2:
        edges += [(a, b, rng.choice(KINDS)) for a, b, _ in rng.sample(edges, min(3, len(edges)))]
    if rng.random() < 0.2:
        edges += [(n, n, "derived") for n in rng.sample(names, 1)]
    ghosts = set(rng.sample(names, 1)) if rng.random() < 0.15 else set()
    lone = [f"z{i}" for i in range(rng.randint(0, 3))] if rng.random() < 0.1 else []
    wordy = rng.choice((0, 1, 4))
    nodes = [(n, " ".join([n] + [rng.choice(WORDS) for _ in range(rng.randint(0, wordy))])) for n in names + lone
             if n not in ghosts]
    return Graph(f"random {seed} ({family.__name__})", nodes, edges)


def looks_like(label, text, loop, ascii, whole):
    """Returns whether the text may show this label; with `whole` the label must not be cut."""
    mark = (" C" if ascii else " ↺") if loop else ""
    if text is None or not text.endswith(mark):
        return False
    if ascii:
        label = "".join(c if c < "\x7f" else "?" for c in label if not unicodedata.combining(c))
    text = text.removesuffix(mark)
    if text == label:
        return True
    ellipsis = "~" if ascii else "…"
    begun = text.removesuffix(ellipsis)
    return not whole and begun != text and label.startswith(begun) and len(begun) < len(label) and \
        not unicodedata.combining(label[len(begun)])
