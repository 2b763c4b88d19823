#!/usr/bin/env python3
"""Draws graphs in every style and reads the drawings back: not one edge is lost, invented or ambiguous.

`$GRAPH_DRAW` is the program that draws; by default the one next to `$STEMMA`. The arguments `campaign FIRST COUNT` draw that
many random graphs from that seed on, in every style with every option, and print statistics.
"""
import collections, os, random, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
sys.dont_write_bytecode = True
import graphs, harness
from read_back import Broken, Drawing, Printed, read_outline, width_of_text

STEMMA = os.environ.get("STEMMA", "./stemma")
GRAPH_DRAW = os.environ.get("GRAPH_DRAW") or os.path.join(os.path.dirname(STEMMA), "tests/graph-draw")
DRAWINGS = ("lr", "lr-box", "tb", "tb-box")
STYLES = DRAWINGS + ("outline",)
LABEL = 32  # columns of a label without --width
LEAST, LEAST_OUTLINE = 4, 8  # the least columns of a label with --width


def run(words, text, ok=0):
    p = subprocess.run([GRAPH_DRAW, *words], input=text.encode("utf-8", "surrogateescape"), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    assert p.returncode == ok, (words, p.returncode, p.stderr.decode(errors="replace")[-3000:])
    return p.stdout


class Job:
    """One drawing to be made and read back."""

    def __init__(self, graph, style, bundle=None, ascii=False, width=None, shuffle=None, lit=None):
        self.graph, self.style, self.ascii, self.width, self.lit = graph, style, ascii, width, lit
        self.words = ["--style", style] + {None: [], True: ["--bundle"], False: ["--no-bundle"]}[bundle]
        self.words += ["--ascii"] if ascii else []
        self.words += ["--width", str(width)] if width else []
        self.words += ["--lit", lit] if lit else []
        self.input = graph.text(random.Random(shuffle) if shuffle is not None else None)

    def __str__(self):
        return f"graph-draw {' '.join(self.words)}: {self.graph.name}"


def draw_all(jobs):
    """Returns the output of each job, from one process."""
    text = "".join(f"{job.input}draw {' '.join(job.words)} --rects --moves --stats\n" for job in jobs)
    out = run(["--batch"], text).split(b"-- end\n")
    assert out.pop() == b"" and len(out) == len(jobs), (len(out), len(jobs))
    return out


def says_of(job):
    graph, labels, loops = job.graph, job.graph.labels(), job.graph.loops()

    def says(name, text):
        if not graph.tame:
            return bool(text) and not set(text) <= set("─╤┬┴-+^ ") and not {text[0], text[-1]} & set("│├┤╟╢◄+|<")
        label, loop = labels[name], name in loops
        whole = not job.width and width_of_text(label) + 2 * loop <= LABEL
        return graphs.looks_like(label, text, loop, job.ascii, whole)

    return says


def check_strokes(found, drawn):
    """The lines of a net have the stroke of its edges, and only `all` has a double port."""
    for f, t, component in found:
        stroke = drawn[f, t]
        straight = "derived" if stroke == "all" else stroke
        allowed = {"supersedes"} if stroke == "supersedes" else {straight, "bent"}
        if not component.strokes <= allowed:
            raise Broken(f"wrong stroke: {f} → {t} is {stroke} and looks like {sorted(component.strokes)}")
        for name, _, twofold, _ in component.tops + component.bottoms:
            if name in (f, t) and bool(twofold) != (stroke == "all" and name == f):
                raise Broken(f"wrong port: {f} → {t} is {stroke}, and {name} says otherwise")


def check_short(labels, least=LEAST):
    """A drawing that is wider than the room has the shortest labels."""
    for label in labels:
        if width_of_text(label) > least:
            raise Broken(f"it is too wide, and a label is still {label!r}")


def check_ghosts(drawing, graph):
    """Exactly the missing memories have a broken border."""
    ghosts = graph.names() - {name for name, _ in graph.nodes}
    for name, node in drawing.nodes.items():
        border = "".join(drawing.printed.rows[row][column] for row, column in node.border)
        if (name in ghosts) != bool(set(border) & set("┄┆╌╎┈┊")):
            raise Broken(f"the border of {name} is {border!r}")


def reached(steps, start):
    seen, front = {start}, [start]
    while front:
        new = {to for node in front for to in steps[node]} - seen
        seen |= new
        front = list(new)
    return seen


def check_moves(moves, nodes):
    """Arrow keys lead from every node to every other."""
    if set(moves) != nodes:
        raise Broken(f"moves of {sorted(moves)}")
    back = {node: [] for node in moves}
    for node, ways in moves.items():
        for to in ways:
            back[to].append(node)
    for start in sorted(moves)[:1]:
        if reached(moves, start) != nodes or reached(back, start) != nodes:
            raise Broken(f"by moves from {start} one comes to {sorted(reached(moves, start))}, from {sorted(reached(back, start))}")


def check_drawing(job, printed):
    drawing = Drawing(printed, job.style, job.ascii, says_of(job), job.lit)
    found, drawn = drawing.edges(), job.graph.drawn()
    if job.lit:
        drawn = {edge: stroke for edge, stroke in drawn.items() if job.lit in edge}
        # A line that passes a node shows the arm of the junction to that node, too.
        found = [(f, t, c) for f, t, c in found if (f, t) in drawn or not any(
            junction and name in (f, t) for name, _, _, junction in c.tops + c.bottoms)]
    edges, wanted = collections.Counter((f, t) for f, t, _ in found), collections.Counter(drawn.keys())
    if edges != wanted:
        raise Broken(f"lost: {sorted(wanted - edges)}, invented: {sorted(edges - wanted)}")
    if not job.ascii:
        check_strokes(found, drawn)
    if job.width and printed.width > job.width:
        check_short(drawing.nodes[name].text for name in drawing.nodes)
    if not job.graph.circles() and any(c.reversed for c in drawing.components):
        raise Broken("an edge is drawn against the flow, and there is no circle")
    check_moves(printed.moves, job.graph.names())
    if job.style.endswith("-box") and not job.ascii:
        check_ghosts(drawing, job.graph)
    return drawing


def check_outline(job, printed):
    found, drawn = read_outline(printed, job.ascii, says_of(job)), job.graph.drawn()
    if sorted(found) != sorted((f, t, stroke) for (f, t), stroke in drawn.items()):
        raise Broken(f"read as {found}")
    for column, row, width, _ in printed.rects.values():
        if job.width and width_of_text(printed.lines[row]) > job.width:
            check_short([printed.text(column, row, width)], LEAST_OUTLINE)


def check(job, out):
    names = job.graph.names()
    printed = Printed(out, len(names), True, job.style != "outline")
    if set(printed.rects) != names:
        raise Broken(f"rectangles of {sorted(printed.rects)}")
    if job.ascii and not out.isascii():
        raise Broken("not in ASCII")
    if not job.lit and (printed.stats["width"], printed.stats["height"]) != (printed.width, printed.height):
        raise Broken(f"it is {printed.width} by {printed.height}, and is said to be otherwise: {printed.stats}")
    (check_outline if job.style == "outline" else check_drawing)(job, printed)
    return printed


def without_time(out):
    return out[:out.rindex(b" ms=")]


def show(job, out, problem):
    lines = out.decode(errors="replace").split("\n")
    drawing = "\n".join(line[:200] for line in lines[:60])
    return f"{job}: {problem}\n{job.input if len(job.input) < 4000 else '(a large graph)'}\n{drawing}"


def check_all(jobs):
    """Draws and reads back. Returns what is broken: [(job, problem, output)]."""
    broken = []
    for start in range(0, len(jobs), 200):
        some = jobs[start:start + 200]
        for job, out in zip(some, draw_all(some)):
            try:
                check(job, out)
            except Broken as e:
                broken.append((job, str(e), out))
    return broken


def expect_none(broken):
    for job, problem, out in broken[:3]:
        print(show(job, out, problem))
    assert not broken, f"{len(broken)} broken: " + "; ".join(f"{job}: {problem}" for job, problem, _ in broken[:20])


def the_sample():
    expect_none(check_all([Job(graphs.sample(), style, bundle, ascii) for style in STYLES for bundle in (None, True, False)
                           for ascii in (False, True)]))


def golden_drawings():
    """The golden drawings of the sample, in each style; GENERATE=1 rewrites them."""
    jobs = [(f"sample-{style}{'-ascii' if ascii else ''}.txt", Job(graphs.sample(), style, None, ascii))
            for style in STYLES for ascii in (False, True)]
    different = [name for (name, job), out in zip(jobs, draw_all([job for _, job in jobs]))
                 if not harness.keep(f"{HERE}/golden/{name}", out[:out.index(b"-- rect ")].decode())]
    assert not different, f"{different} differ; GENERATE=1 makes them again"


def hard_graphs():
    expect_none(check_all([Job(graph, style, bundle, ascii) for graph in graphs.hard() for style in STYLES
                           for bundle in ((True, False) if style != "outline" else (None,)) for ascii in (False, True)]))


def random_graphs():
    jobs = []
    for seed in range(500):
        graph = graphs.random_graph(seed)
        for number, style in enumerate(STYLES):
            pick = (seed // len(graphs.FAMILIES) + number) % 4
            jobs.append(Job(graph, style, pick % 2 == 0, pick == 1 and seed % 3 > 0, (None, 60, 100)[seed // 7 % 3] if pick == 2 else None))
    expect_none(check_all(jobs))


def what_is_lit():
    """Highlights exactly the lines from or to a node."""
    jobs = []
    for graph in list(graphs.hard()) + [graphs.random_graph(seed) for seed in range(2000, 2060)]:
        for number, name in enumerate(sorted(graph.names())[::5]):
            jobs.append(Job(graph, DRAWINGS[number % 4], number % 8 < 4, lit=name))
    expect_none(check_all(jobs))


def any_order_of_lines():
    """The order of nodes and edges in the input does not matter."""
    wanted = list(graphs.hard()) + [graphs.random_graph(seed) for seed in range(1000, 1040)]
    jobs = [Job(graph, style) for graph in wanted for style in STYLES]
    other = [Job(graph, style, shuffle=number) for number, graph in enumerate(wanted) for style in STYLES]
    for job, first, second in zip(jobs, draw_all(jobs), draw_all(other)):
        assert without_time(first) == without_time(second), f"{job} depends on the order of its lines"


def spoil(out, nodes):
    """Yields each drawing that differs in one cell of a line."""
    lines = out.decode().split("\n")
    for row, line in enumerate(lines[:len(lines) - nodes - 2]):
        for column, old in enumerate(line):
            for new in " ─│┼└▲◄x" if old in "─│┬┴├┤┼┌┐└┘━┃┏┓┗┛┄┆" else "":
                if new != old:
                    changed = (line[:column] + new + line[column + 1:]).rstrip(" ")
                    yield row, column, new, "\n".join(lines[:row] + [changed] + lines[row + 1:]).encode()


def what_is_spoilt_is_noticed():
    """Tests the reader: a drawing with any altered cell of a line reads differently."""
    for style in DRAWINGS:
        for bundle in (True, False):
            job = Job(graphs.sample(), style, bundle)
            out, count = draw_all([job])[0], 0
            check(job, out)
            for row, column, new, changed in spoil(out, 24):
                try:
                    check(job, changed)
                except Broken:
                    count += 1
                    continue
                raise AssertionError(f"{job} reads the same with {new!r} in column {column}, row {row}:\n{changed.decode()}")
            assert count > 300, count


def outlines_that_are_spoilt_are_noticed():
    job = Job(graphs.sample(), "outline")
    out = draw_all([job])[0]
    check(job, out)
    for old, new in (("├─ e1", "└─ e1"), ("↑6", "↑3"), ("(2 below)", "(1 below)"), ("│  └─ e2", "   └─ e2"), ("×2", "×3"),
                     ("replaces ", ""), ("e1 standup  ×2", "e2 standup  ×2"), (" 9 ", " 8 ")):
        changed = out.decode().replace(old, new, 1).encode()
        assert changed != out, old
        try:
            check(job, changed)
        except Broken:
            continue
        raise AssertionError(f"{new!r} in the place of {old!r} is not noticed")


def what_it_takes():
    """The input may have any blanks and order, but nothing unknown."""
    spaced = "\n  edge\ta  b \t derived \r\n\n node   a   one  thing \r\nnode b\nnode b b\nedge b c all"
    assert run(["--style=outline"], spaced).decode() == "1 one  thing\n2 └─ b\n3    └─ all of ?c\n"
    assert run([], "node a -- stats\n", 0) == b"-- stats\n"
    assert run(["--rects", "--ascii"], "edge a a derived\n") == b"?a C\n-- rect a 0 0 4 1\n"
    assert run(["--stats"], "").startswith(b"-- stats segment_crossings=0 width=0 height=0 ms=0.")
    long = "node a " + "x" * 500 + "\n"
    assert run([], long).decode() == "x" * 31 + "…\n"
    assert run(["--width", "100"], long).decode() == "x" * 99 + "…\n"
    assert run(["--width", "2"], long).decode() == "xxx…\n"
    assert run(["--width", "600"], long).decode() == "x" * 500 + "\n"
    for text in ("node a one\nnode a two\n", "node a one\nnode a\n", "edge a b\n", "edge a b because\n", "edge a b derived of\n",
                 "nodes a\n", "node\n", "edge a\n", "a -> b\n", "draw --style lr\n"):
        run([], text, 2)
    for words in (["--style"], ["--style", "up"], ["--width", "0"], ["--width", "x"], ["--width", "-3"], ["--wide"], ["lr"], ["--width="]):
        run(words, "node a\n", 2)


def campaign(first, count):
    """Random graphs from that seed on, in every style with every option and some width."""
    seen, sums = collections.Counter(), collections.Counter()
    for start in range(first, first + count, 20):
        jobs = []
        for seed in range(start, min(start + 20, first + count)):
            graph, rng = graphs.random_graph(seed, graphs.LARGE), random.Random(seed)
            for style in STYLES:
                for bundle in (True, False) if style != "outline" else (None,):
                    for ascii in (False, True):
                        jobs.append(Job(graph, style, bundle, ascii, rng.choice((None, None, rng.randint(1, 200))), rng.randint(0, 9)))
        for job, out in zip(jobs, draw_all(jobs)):
            seen[job.style] += 1
            try:
                printed = check(job, out)
                for name in ("segment_crossings", "ms"):
                    sums[job.style, name] += printed.stats[name]
            except Broken as e:
                seen["broken"] += 1
                print(show(job, out, e), flush=True)
    for style in STYLES:
        print(f"{style}: {seen[style]} drawings, " + ", ".join(f"{name} {sums[style, name] / max(1, seen[style]):.3f}"
              for name in ("segment_crossings", "ms")) + " each")
    print(f"{seen['broken']} broken")
    return 1 if seen["broken"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["campaign"]:
        sys.exit(campaign(int(sys.argv[2]), int(sys.argv[3])))
    sys.exit(harness.run(the_sample, golden_drawings, hard_graphs, random_graphs, any_order_of_lines, what_is_lit,
                         what_is_spoilt_is_noticed, outlines_that_are_spoilt_are_noticed, what_it_takes))
