"""Reads a drawing back: finds the edges that a person would see, only from the characters and the nodes' rectangles.

It does not know how drawings are made. A line leads from cell to cell. A line across the flow passes behind a line along it.
Each connected component of lines has nodes at both ends, a single one at one of them, and stands for the edges between them.
"""
import ctypes, re

libc = ctypes.CDLL(None)
libc.setlocale.restype = ctypes.c_char_p
assert libc.setlocale(0, b"C.UTF-8"), "there is no locale C.UTF-8"

N, S, W, E = 1, 2, 4, 8
BACK = {N: S, S: N, W: E, E: W}

# The directions of a glyph, and the strokes that may look like it.
LIGHT, HEAVY, DASH, GUESS, EVIDENCE = "derived", "supersedes", "reinforced", "guessed", "evidence"
BENT = "bent"  # a corner or a junction of any light or dashed line
GLYPHS = {}
for glyphs, straight, bent in (("╵╷│╴┘┐┤╶└┌├─┴┬┼", LIGHT, BENT), ("╹╻┃╸┛┓┫╺┗┏┣━┻┳╋", HEAVY, HEAVY),
                               ("  ┆        ┄   ", DASH, None), ("  ╎        ╌   ", GUESS, None),
                               ("  ┊        ┈   ", EVIDENCE, None)):
    for mask, glyph in enumerate(glyphs, 1):
        # Borders end in halves; lines never do.
        if glyph != " ":
            GLYPHS[glyph] = (mask, straight if mask in (N | S, W | E) else bent)
ARROWS = {"▲": N, "◄": W}
TWOFOLD = {"╤": (W | E | S), "╧": (W | E | N), "╟": (N | S | E), "╢": (N | S | W)}

ASCII = {"|": (N | S,), "-": (W | E,), "'": (N | W, N | E), ".": (S | W, S | E),
         "+": (N | S | W, N | S | E, N | W | E, S | W | E, N | S | W | E)}
ASCII_ARROWS = {"^": N, "<": W}

# A drawing that flows to the right is read as if it flowed down.
TURNED = [0] * 16
for mask in range(16):
    TURNED[mask] = (mask & N and W) | (mask & S and E) | (mask & W and N) | (mask & E and S)

_widths = {}


def width_of(char):
    if char not in _widths:
        _widths[char] = 1 if " " <= char <= "~" else libc.wcwidth(ctypes.c_wchar(char))
    return _widths[char]


def width_of_text(text):
    return sum(map(width_of, text))


class Broken(Exception):
    """An error in a drawing: a word for it, and its place."""


def cells_of(line, row):
    """Returns a string for each column; the second column of a wide character is empty."""
    cells = []
    for char in line:
        width = width_of(char)
        if width < 0:
            raise Broken(f"unprintable: U+{ord(char):04X} in row {row}")
        if width == 0:
            if not cells:
                raise Broken(f"a mark without a base in row {row}")
            at = len(cells) - 1
            while cells[at] == "":
                at -= 1
            cells[at] += char
        else:
            cells.append(char)
            cells += [""] * (width - 1)
    return cells


class Printed:
    """The parsed output of graph-draw."""

    def __init__(self, text, nodes, stats=False, moves=False):
        lines = text.decode("utf-8").split("\n")
        if lines.pop() != "":
            raise Broken("the last line does not end")
        self.stats = {}
        if stats:
            for word in lines.pop().removeprefix("-- stats ").split(" "):
                name, value = word.split("=")
                self.stats[name] = float(value)
        self.moves = {}
        for line in lines[len(lines) - nodes:] if moves and nodes else []:
            node, *ways = line.removeprefix("-- moves ").split(" ")
            self.moves[node] = ways
        if moves:
            lines = lines[:len(lines) - nodes]
        self.rects = {}
        for line in lines[len(lines) - nodes:] if nodes else []:
            match = re.fullmatch(r"-- rect (\S+) (\d+) (\d+) (\d+) (\d+)", line)
            if not match:
                raise Broken(f"no rectangle: {line!r}")
            if match[1] in self.rects:
                raise Broken(f"two rectangles of {match[1]}")
            self.rects[match[1]] = tuple(map(int, match.groups()[1:]))
        self.lines = lines[:len(lines) - nodes]
        for row, line in enumerate(self.lines):
            if line.endswith(" "):
                raise Broken(f"blanks at the end of row {row}")
        self.rows = [cells_of(line, row) for row, line in enumerate(self.lines)]
        self.width = max([len(row) for row in self.rows] + [c + w for c, _, w, _ in self.rects.values()] + [0])
        self.height = len(self.rows)
        for row in self.rows:
            row += [" "] * (self.width - len(row))

    def text(self, column, row, width):
        """The text in some cells of a row; None if an edge cuts a wide character."""
        cells = self.rows[row][column:column + width]
        after = self.rows[row][column + width] if column + width < self.width else " "
        return None if cells[:1] == [""] or after == "" else "".join(cells)


class Node:
    """A node's rectangle: the cells of its border, and its text."""

    def __init__(self, name, printed, boxed, across, says):
        self.name = name
        self.column, self.row, self.width, self.height = printed.rects[name]
        if self.width < 1 or self.height < 1:
            raise Broken(f"{name} has no cells")
        if self.column + self.width > printed.width or self.row + self.height > printed.height:
            raise Broken(f"{name} stands outside")
        self.border = set()
        if boxed:
            self.take_box(printed)
        else:
            self.take_flat(printed, across, says)
        if not says(self.text):
            raise Broken(f"the label of {name} is missing: {self.text!r}")

    def inside(self, printed, left, right, top, bottom):
        """The only row with text between these margins, stripped; None if there is none."""
        found = []
        for row in range(self.row + top, self.row + self.height - bottom):
            text = printed.text(self.column + left, row, self.width - left - right)
            if text is None:
                return None
            if text.strip(" "):
                found.append(text.strip(" "))
        return found[0] if len(found) == 1 else "" if not found else None

    def take_box(self, printed):
        if self.width < 3 or self.height < 3:
            raise Broken(f"{self.name} has no room for a border")
        self.text = self.inside(printed, 1, 1, 1, 1)
        for row in range(self.row, self.row + self.height):
            for column in range(self.column, self.column + self.width):
                if row in (self.row, self.row + self.height - 1) or column in (self.column, self.column + self.width - 1):
                    self.border.add((row, column))

    def take_flat(self, printed, across, says):
        """A flat node is its label, with a border before or after it if the label has no room for the ports."""
        for before, behind in ((0, 0), (1, 1), (1, 0), (0, 1)):
            if (self.width if across else self.height) - before - behind < 1:
                continue
            self.text = self.inside(printed, *((before, behind, 0, 0) if across else (0, 0, before, behind)))
            if says(self.text):
                break
        for row in range(self.row, self.row + self.height):
            for column in range(self.column, self.column + self.width):
                place, size = (column - self.column, self.width) if across else (row - self.row, self.height)
                if place < before or place >= size - behind:
                    self.border.add((row, column))


class Component:
    def __init__(self):
        self.tops, self.bottoms, self.strokes = [], [], set()  # of ports: (node, arrow, twofold or None, junction)


class Drawing:
    """Lines as cells of a plane that flows down."""

    def __init__(self, printed, style, ascii, says, partly=False):
        """`partly`: some lines are not drawn, so an open end is not an error."""
        self.printed, self.ascii, self.partly = printed, ascii, partly
        self.turned = style.startswith("lr")
        self.boxed = style.endswith("-box")
        self.across, self.down = (printed.height, printed.width) if self.turned else (printed.width, printed.height)
        # A margin of blanks avoids checks of the edge.
        self.stride = self.across + 2
        size = self.stride * (self.down + 2)
        self.step = {N: -self.stride, S: self.stride, W: -1, E: 1}
        self.owner = [None] * size
        self.mask = [0] * size   # of lines, and outwards of ports in borders
        self.look = [None] * size
        self.arrow = [False] * size
        self.twofold = [None] * size  # of a border's port
        self.nodes = {}
        for name in printed.rects:
            self.place(Node(name, printed, self.boxed, self.turned, lambda text, name=name: says(name, text)))
        self.lines = []
        self.take_lines()
        self.take_borders()
        if ascii:
            self.decide()
        self.components = self.connect()

    def at(self, row, column):
        return (column + 1) * self.stride + row + 1 if self.turned else (row + 1) * self.stride + column + 1

    def where(self, cell):
        down, across = divmod(cell, self.stride)
        return f"column {down - 1}, row {across - 1}" if self.turned else f"column {across - 1}, row {down - 1}"

    def place(self, node):
        self.nodes[node.name] = node
        for row in range(node.row, node.row + node.height):
            for column in range(node.column, node.column + node.width):
                cell = self.at(row, column)
                if self.owner[cell] is not None:
                    raise Broken(f"overlap: {node.name} and {self.owner[cell].name} at {self.where(cell)}")
                self.owner[cell] = node

    def turn(self, mask):
        return TURNED[mask] if self.turned else mask

    def take_lines(self):
        arrows = ASCII_ARROWS if self.ascii else ARROWS
        self.choice = {}
        for r, row in enumerate(self.printed.rows):
            for c, glyph in enumerate(row):
                if glyph == " ":
                    continue
                cell = self.at(r, c)
                if self.owner[cell] is not None:
                    continue
                if glyph in arrows:
                    if self.turn(arrows[glyph]) != N:
                        raise Broken(f"stray: {glyph} at {self.where(cell)}")
                    self.mask[cell], self.arrow[cell] = N | S, True
                elif self.ascii and glyph in ASCII:
                    self.choice[cell] = [self.turn(mask) for mask in ASCII[glyph]]
                    self.mask[cell] = self.choice[cell][0] if len(self.choice[cell]) == 1 else -1
                elif not self.ascii and GLYPHS.get(glyph, (0, None))[1]:
                    mask, self.look[cell] = GLYPHS[glyph]
                    self.mask[cell] = self.turn(mask)
                else:
                    raise Broken(f"stray: {glyph!r} at {self.where(cell)}")
                self.lines.append(cell)

    def take_borders(self):
        """Finds ports, where the glyph of a border opens outwards."""
        self.ports = []
        for node in self.nodes.values():
            for r, c in node.border:
                cell = self.at(r, c)
                self.take_border(node, cell, self.printed.rows[r][c])

    def outward(self, node, cell):
        return [d for d in (N, S, W, E) if self.owner[cell + self.step[d]] is not node]

    def inward(self, outward):
        """The sides on which a border never opens."""
        return BACK[outward[0]] if len(outward) == 1 else 0

    def take_border(self, node, cell, glyph):
        outward, arrows = self.outward(node, cell), ASCII_ARROWS if self.ascii else ARROWS
        if not self.boxed:
            outward = [d for d in outward if d in (N, S)]
        if glyph in arrows:
            if self.turn(arrows[glyph]) != N or S not in outward:
                raise Broken(f"stray: {glyph} in the border of {node.name} at {self.where(cell)}")
            self.mask[cell], self.arrow[cell] = S, True
        elif not self.ascii and glyph in TWOFOLD:
            self.mask[cell], self.twofold[cell] = self.turn(TWOFOLD[glyph]), True
        elif not self.ascii and glyph in GLYPHS:
            self.mask[cell] = self.turn(GLYPHS[glyph][0])
            self.twofold[cell] = False
        elif self.ascii and glyph in "+*#" and len(outward) == 1:
            self.mask[cell] = outward[0]
        elif self.ascii and glyph in "+-|'.:~":
            self.mask[cell] = 0
        else:
            raise Broken(f"stray: {glyph!r} in the border of {node.name} at {self.where(cell)}")
        along = 15 & ~sum(outward) & ~self.inward(outward)
        if self.boxed and not self.ascii and not self.arrow[cell] and self.mask[cell] & ~sum(outward) != along:
            raise Broken(f"the border of {node.name} is broken at {self.where(cell)}")
        if not self.boxed and self.mask[cell] and not self.arrow[cell] and not self.ascii and \
                (self.mask[cell] & (W | E) != W | E or self.mask[cell] & ~sum(outward) & (N | S)):
            raise Broken(f"the border of {node.name} is broken at {self.where(cell)}")
        if self.boxed and len(outward) > 1 and self.mask[cell] & sum(outward):
            raise Broken(f"a corner of {node.name} is open at {self.where(cell)}")
        if self.mask[cell] & sum(outward) & (W | E):
            raise Broken(f"{node.name} is open at its side at {self.where(cell)}")
        self.mask[cell] &= sum(outward)
        if self.mask[cell]:
            self.ports.append(cell)

    def passes(self, cell):
        """Returns whether a line across continues behind it. No line passes behind an arrow."""
        return self.mask[cell] == N | S and self.owner[cell] is None and not self.arrow[cell]

    def beyond(self, cell, direction):
        """The next cell of a line from here."""
        step = self.step[direction]
        cell += step
        while direction in (W, E) and self.passes(cell):
            cell += step
        return cell

    # ---- ASCII: the neighbours of a sign decide on which sides it opens ----

    def may(self, cell, direction):
        return any(mask & direction for mask in self.choice[cell]) if cell in self.choice else bool(self.mask[cell] & direction)

    def must(self, cell, direction):
        return all(mask & direction for mask in self.choice[cell]) if cell in self.choice else bool(self.mask[cell] & direction)

    def opens(self, cell, direction, other):
        """Whether a sign continues to its neighbour: True, False, or None if undecided."""
        if self.owner[other] is not None:
            if direction in (W, E):
                return False
            node = self.owner[other]
            inner = (other // self.stride - 1, other % self.stride - 1)
            if (inner[::-1] if self.turned else inner) in node.border:
                return bool(self.mask[other] & BACK[direction])
            return True  # a sign at a flat node is its port
        if not self.may(other, BACK[direction]):
            return False
        return True if self.must(other, BACK[direction]) else None

    def decide(self):
        open_cells = [cell for cell in self.lines if self.mask[cell] == -1]
        self.undecided = 0
        while open_cells:
            left, changed = [], False
            for cell in open_cells:
                before = len(self.choice[cell])
                for direction in (N, S, W, E):
                    opened = self.opens(cell, direction, self.beyond(cell, direction))
                    if opened is not None:
                        self.choice[cell] = [m for m in self.choice[cell] if bool(m & direction) == opened]
                if not self.choice[cell]:
                    raise Broken(f"dangling or unclear at {self.where(cell)}")
                changed |= len(self.choice[cell]) < before
                if len(self.choice[cell]) > 1:
                    left.append(cell)
                else:
                    self.mask[cell] = self.choice[cell][0]
            if not changed:
                break
            open_cells = left
        self.undecided = len(open_cells)
        for cell in open_cells:  # all possible connections are taken
            self.mask[cell] = max(self.choice[cell], key=lambda mask: bin(mask).count("1"))

    # ---- components ----

    def connect(self):
        parent = {cell: cell for cell in self.lines}

        def root(cell):
            while parent[cell] != cell:
                parent[cell] = parent[parent[cell]]
                cell = parent[cell]
            return cell

        ends, met, mask, owner = [], set(), self.mask, self.owner
        self.crossings = 0
        for cell in self.lines:
            goes = 0
            for direction in (S, N, E, W):
                if not mask[cell] & direction:
                    continue
                other = self.beyond(cell, direction)
                goes += owner[other] is not None or bool(mask[other] & BACK[direction])
                if owner[other] is not None:
                    if direction in (W, E):
                        raise Broken(f"dangling: a line runs into the side of {owner[other].name} at {self.where(cell)}")
                    ends.append((cell, direction, other))
                    met.add(other)
                elif self.partly and not mask[other] & BACK[direction]:
                    continue
                elif not mask[other] & BACK[direction]:
                    raise Broken(f"dangling at {self.where(cell)}")
                elif direction in (S, E):
                    a, b = root(cell), root(other)
                    if a == b:
                        raise Broken(f"detour: a line goes round in a circle at {self.where(cell)}")
                    parent[a] = b
                    self.crossings += other - cell - 1 if direction == E else 0
            if goes < 2:
                raise Broken(f"dangling: a line ends in nothing at {self.where(cell)}")
        found = {}
        for cell in self.lines:
            component = found.setdefault(root(cell), Component())
            if self.look[cell]:
                component.strokes.add(self.look[cell])
        for cell, direction, other in ends:
            self.end(found[root(cell)], cell, direction, other)
        # A border that opens meets a line, or another border's opening.
        for port in self.ports:
            if port in met or self.partly:
                continue
            direction = self.mask[port]
            other = port + self.step[direction]
            if owner[other] is None or not self.mask[other] & BACK[direction]:
                raise Broken(f"dangling: a port of {owner[port].name} at {self.where(port)}")
            if direction == S:
                component = found[port] = Component()
                component.tops.append((owner[port].name, self.arrow[port], self.twofold[port], False))
                component.bottoms.append((owner[other].name, False, self.twofold[other], False))
        return list(found.values())

    def end(self, component, cell, direction, other):
        """A line ends at a node, or at its own beginning if the node is before it."""
        node = self.owner[other]
        inner = (other // self.stride - 1, other % self.stride - 1)
        if (inner[::-1] if self.turned else inner) in node.border:
            if not self.mask[other] & BACK[direction]:
                raise Broken(f"dangling: {node.name} has no port at {self.where(other)}")
            twofold = self.twofold[other]
        else:
            twofold = None
        ends = component.tops if direction == N else component.bottoms
        ends.append((node.name, direction == N and (self.arrow[cell] or self.arrow[other]), twofold,
                     bin(self.mask[cell]).count("1") > 2))

    def edges(self):
        """[(from, to, component)]"""
        edges = []
        arrows = 0
        for component in self.components:
            tops, bottoms = component.tops, component.bottoms
            names = f"{[t[0] for t in tops]} → {[b[0] for b in bottoms]}"
            if not tops or not bottoms:
                raise Broken(f"dangling: lines without an end: {names}")
            if len(tops) > 1 and len(bottoms) > 1:
                raise Broken(f"ambiguous: {names}")
            if len({t[0] for t in tops}) < len(tops) or len({b[0] for b in bottoms}) < len(bottoms):
                raise Broken(f"twice at the same node: {names}")
            if len({t[1] for t in tops}) > 1:
                raise Broken(f"ambiguous: some with an arrow: {names}")
            component.reversed = tops[0][1]
            arrows += sum(t[1] for t in tops)
            for top in tops:
                for bottom in bottoms:
                    edges.append((top[0], bottom[0], component) if component.reversed else (bottom[0], top[0], component))
        if arrows != sum(self.arrow) and not self.partly:
            raise Broken("stray: an arrow that is no line's beginning")
        return edges


# ---- outlines ----

ROLES = {"": "derived", "replaces ": "supersedes", "reinforced by ": "reinforced", "evidence ": "evidence",
         "guessed ": "guessed", "all of ": "all"}


def read_outline(printed, ascii, says):
    """Returns [(from, to, stroke)] of an outline; `says(name, text)` tells whether the text may be the node's label."""
    bar, tee, corner = ("|  ", "|- ", "`- ") if ascii else ("│  ", "├─ ", "└─ ")
    times, up, circle = ("x", "^", "C") if ascii else ("×", "↑", "↻")
    first = {rect[1]: name for name, rect in printed.rects.items()}
    if len(first) != len(printed.rects):
        raise Broken("overlap: two nodes in one line")
    below, path, open_bars, edges, shown = {}, [], [], [], {}
    notes = []
    digits = len(str(len(printed.lines)))
    for number, line in enumerate(printed.lines):
        head = f"{number + 1:>{digits}} "
        if not line.startswith(head):
            raise Broken(f"line {number + 1} has another number: {line!r}")
        at, level = len(head), 0
        while level < len(open_bars) and line.startswith(bar if open_bars[level] else "   ", at) and \
                not line.startswith((tee, corner), at):
            at, level = at + 3, level + 1
        root = not line.startswith((tee, corner), at) or (number in first and printed.rects[first[number]][0] == len(head))
        if root:
            if level or any(open_bars):
                raise Broken(f"dangling: a bar ends before line {number + 1}")
            path, open_bars = [], []
        else:
            if level >= len(path):
                raise Broken(f"line {number + 1} hangs on nothing")
            if any(open_bars[level + 1:]) or (level < len(open_bars) and not open_bars[level]):
                raise Broken(f"dangling: a bar ends before line {number + 1}")
            more = line.startswith(tee, at)
            at += 3
            path, open_bars = path[:level + 1], open_bars[:level] + [more]
        name, stroke = read_outline_line(line[at:], number, path, first, shown, says, printed,
                                         (times, up, circle), notes)
        if path:
            edges.append((path[-1], name, stroke))
        for above in path:
            below[above] = below.get(above, 0) + 1
        if number in first:
            shown[name] = number
            path = path + [name]
        else:
            path = path + [None]
    if any(open_bars):
        raise Broken("dangling: a bar at the end")
    check_notes(notes, edges, below, shown, printed)
    return edges


def read_outline_line(text, number, path, first, shown, says, printed, marks, notes):
    times, up, circle = marks
    if number in first:
        name = first[number]
        column, _, width, height = printed.rects[name]
        label = printed.text(column, number, width)
        before = "".join(printed.rows[number][:column])
        after = "".join(printed.rows[number][column + width:]).rstrip(" ")
        role = next((r for r in ROLES if printed.lines[number].removesuffix(text) + r == before), None)
        if role is None or height != 1:
            raise Broken(f"the rectangle of {name} is not where its label is: {before!r}")
        if not says(name, label.strip(" ")):
            raise Broken(f"the label of {name} is missing: {label!r}")
        match = re.fullmatch(rf"(?:  {times}(\d+))?", after)
        if not match:
            raise Broken(f"stray: {after!r} in line {number + 1}")
        notes.append(("parents", name, int(match[1] or 1)))
        return name, ROLES[role]
    match = re.search(rf"  \{up}(\d+)(?: \((\d+) below\))?$", text)
    if match:
        name = first.get(int(match[1]) - 1)
        if name is None or name not in shown:
            raise Broken(f"line {number + 1} refers to what does not stand there")
        notes.append(("below", name, int(match[2] or 0)))
        text = text[:match.start()]
        if name in path:
            raise Broken(f"line {number + 1} is on its own path and does not say so")
    elif text.endswith(f"  {circle} cycle"):
        text = text.removesuffix(f"  {circle} cycle")
        name = next((n for n in path if any(text.startswith(r) and says(n, text[len(r):]) for r in ROLES)), None)
        if name is None:
            raise Broken(f"line {number + 1} is no circle: {text!r}")
    else:
        raise Broken(f"line {number + 1} shows a node without a rectangle: {text!r}")
    role = next((r for r in sorted(ROLES, key=len, reverse=True) if text.startswith(r) and says(name, text[len(r):])), None)
    if role is None:
        raise Broken(f"the label of {name} is missing in line {number + 1}: {text!r}")
    return name, ROLES[role]


def check_notes(notes, edges, below, shown, printed):
    parents = {}
    for _, to, _ in edges:
        parents[to] = parents.get(to, 0) + 1
    for what, name, count in notes:
        if what == "parents" and count != max(1, parents.get(name, 0)):
            raise Broken(f"{name} has {parents.get(name, 0)} parents and says {count}")
        if what == "below" and count != below.get(name, 0):
            raise Broken(f"{below.get(name, 0)} lines stand below {name}, and a reference says {count}")
    for name in printed.rects:
        if name not in shown:
            raise Broken(f"lost: {name}")
