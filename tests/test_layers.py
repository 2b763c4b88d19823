#!/usr/bin/env python3
"""The layers: every #include follows the table tests/layers, which has no needless entry; a header of a room declares what the
room defines; only store/platform uses what some systems lack; every room has a README and at most 40 source files; tests
are in a folder with the name of their room; and no line of C is wider than 120 columns.

    test_layers.py            checks the checkout, and that errors are found
    test_layers.py --report   prints each error on a line, then a count for each pair of rooms
"""
import collections, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES_MAX = 40
COLUMNS_MAX = 120
# Libraries that only these rooms may include.
LIBRARIES = {"sqlite3.h": "store", "curses": "tui/term"}
# Some systems lack these, and FLAVOUR=posix cannot hide them: only store/platform may use them.
LIBRARIES.update({name: "store/platform" for name in (
    "linux/", "sys/epoll.h", "sys/eventfd.h", "sys/inotify.h", "sys/prctl.h", "sys/sendfile.h", "sys/signalfd.h",
    "sys/syscall.h", "sys/timerfd.h", "sys/vfs.h", "netinet/tcp.h")})
LINUX = re.compile(r"\b(SOCK_CLOEXEC|SOCK_NONBLOCK|SO_PEERCRED|fdatasync|explicit_bzero|pthread_condattr_setclock)\b|\"/proc/")
# Only the rooms of the store run SQL, and among them neither the answers nor the server of agents.
SQL = re.compile(r"\b(sqlite3_\w+|db_(query|int|run|exec|prepare))\(")
WITHOUT_SQL = ("model", "store/json", "store/mcp", "tui")


def read_table(path):
    table = {}
    for line in open(path):
        line = line.split("#")[0].strip()
        if line:
            room, _, allowed = line.partition(":")
            table[room.strip()] = allowed.split()
    return table


def room_of(path):
    return os.path.dirname(path)


def stands_for(name, room, table):
    """Returns whether that name in the table includes the room: a room's name only itself, `model` each room in it."""
    return room == name or name not in table and room.startswith(name + "/")


def find_wrong(root, table):
    """Returns (file, line, what) of each violation of the table."""
    wrong = []
    folders = collections.Counter()
    order = {room: place for place, room in enumerate(table)}
    used = collections.defaultdict(set)
    for room, allowed in table.items():
        for name in allowed:
            if not any(stands_for(name, other, table) and order[other] < order[room] for other in table):
                wrong.append(("tests/layers", 0, f"{room} names {name}, which does not stand above it"))
    for layer in ("model", "store", "tui"):
        for folder, _, names in os.walk(os.path.join(root, layer)):
            for name in names:
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                room = room_of(path)
                folders[room] += 1
                if room not in table:
                    wrong.append((path, 0, f"{room} is not in tests/layers"))
                    continue
                for number, line in enumerate(open(os.path.join(root, path), errors="replace"), 1):
                    if room != "store/platform" and LINUX.search(line):
                        wrong.append((path, number, f"{room} uses {LINUX.search(line).group()}"))
                    if SQL.search(line) and any(stands_for(name, room, {}) for name in WITHOUT_SQL):
                        wrong.append((path, number, f"{room} runs SQL"))
                    m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
                    if not m:
                        continue
                    included = m.group(2)
                    for library, only in LIBRARIES.items():
                        if m.group(1) == "<" and library in included and not (room + "/").startswith(only + "/"):
                            wrong.append((path, number, f"{room} includes {included}"))
                    if m.group(1) == "<" or included == "embedded.h":
                        continue
                    target = room_of(included)
                    used[room].add(target)
                    if not os.path.exists(os.path.join(root, included)):
                        wrong.append((path, number, f"includes are written from the root: {included}"))
                    elif target != room and included.endswith("_internal.h"):
                        wrong.append((path, number, f"{included} is internal to its room"))
                    elif target != room and not may_include(table, order, room, target):
                        wrong.append((path, number, f"{room} -> {target}: {included}"))
    for room, allowed in table.items():
        for name in allowed:
            if not any(stands_for(name, target, table) for target in used[room]):
                wrong.append(("tests/layers", 0, f"{room} names {name} and includes nothing of it: remove it there"))
    for room, files in folders.items():
        if files > FILES_MAX:
            wrong.append((room, 0, f"{files} source files, more than {FILES_MAX}"))
        if not os.path.isfile(os.path.join(root, room, "README.md")):
            wrong.append((room, 0, "no README.md"))
    return wrong


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# A function that other files may call, at the beginning of a line: its type, its name, its parameters.
FUNCTION = r"^(?!static\b|typedef\b|return\b|else\b)[a-z][^\n;{}()=#]*?[\s*](\w+)\(([^;{}]*?)\)"
DEFINED = re.compile(FUNCTION + r"\n\{", re.M)
DECLARED = re.compile(FUNCTION + r"[^;{}]*;", re.M)
# Data that other files may use: `const struct x name[] = `, and in headers `extern const struct x name, other[];`.
DATA_DEFINED = re.compile(r"^(?!static\b|typedef\b|extern\b)[a-z][\w \t*]*?[ *](\w+)(?:\[[^\]]*\])* =", re.M)
DATA_DECLARED = re.compile(r"^extern\b[^;()]*;", re.M)


def find_elsewhere(root):
    """Returns (file, line, what) of functions and data that a header of one room declares and another room defines."""
    defined, declared = {}, []
    for layer in ("model", "store", "tui"):
        for folder, _, names in os.walk(os.path.join(root, layer)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if not name.endswith((".c", ".h")):
                    continue
                # Comments keep their number of lines.
                text = COMMENT.sub(lambda m: "\n" * m[0].count("\n"), open(os.path.join(root, path), errors="replace").read())
                if name.endswith(".c"):
                    for m in (*DEFINED.finditer(text), *DATA_DEFINED.finditer(text)):
                        defined.setdefault(m[1], set()).add(room_of(path))
                else:
                    for m in DECLARED.finditer(text):
                        declared.append((path, text.count("\n", 0, m.start(1)) + 1, m[1]))
                    for m in DATA_DECLARED.finditer(text):
                        for d in re.finditer(r"(\w+)(?:\[[^\]]*\])*[,;]", m[0]):
                            declared.append((path, text.count("\n", 0, m.start() + d.start()) + 1, d[1]))
    return [(path, line, f"{name} is defined in {', '.join(sorted(defined[name]))}")
            for path, line, name in declared if name in defined and room_of(path) not in defined[name]]


def find_misplaced_tests(root):
    """Returns folders with tests of a room that does not exist."""
    return [(os.path.relpath(folder, root), 0, "there is no such room")
            for layer in ("model", "store", "tui")
            for folder, _, names in os.walk(os.path.join(root, "tests", layer))
            if any(re.match(r"test_.*\.(c|py)$", name) for name in names) and
            not os.path.isdir(os.path.join(root, os.path.relpath(folder, os.path.join(root, "tests"))))]


def find_wide(root):
    """Returns lines of C that are wider than a comment may be."""
    return [(os.path.relpath(path, root), number, f"{len(line)} columns")
            for layer in ("model", "store", "tui", "tests")
            for folder, _, names in os.walk(os.path.join(root, layer))
            for path in (os.path.join(folder, name) for name in names if name.endswith((".c", ".h")))
            for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1) if len(line) > COLUMNS_MAX]


def may_include(table, order, room, target):
    if target not in order or order[target] > order[room]:
        return False
    return any(stands_for(name, target, table) for name in table[room])


def main():
    table = read_table(os.path.join(ROOT, "tests/layers"))
    includes, elsewhere, misplaced = find_wrong(ROOT, table), find_elsewhere(ROOT), find_misplaced_tests(ROOT)
    wide = find_wide(ROOT)
    wrong = includes + elsewhere + misplaced + wide
    for path, number, what in wrong:
        print(f"{path}:{number}: {what}")
    if "--report" in sys.argv:
        pairs = collections.Counter(what.split(":")[0] for _, _, what in wrong if "->" in what)
        for pair, count in sorted(pairs.items()):
            print(f"{count:5} {pair}")
        print(f"{len(wrong)} in all")
        return 0
    # A forbidden include fails: a copy of the table's rooms in which model/base includes a header of the store.
    with tempfile.TemporaryDirectory() as copy:
        for layer in ("model", "store", "tui"):
            subprocess.run(["cp", "-r", os.path.join(ROOT, layer), copy], check=True)
        with open(os.path.join(copy, "model/base/error.c"), "a") as f:
            f.write('#include "store/db/store.h"\n#include <sqlite3.h>\n#include <sys/epoll.h>\nint a = SOCK_CLOEXEC;\n'
                    'int b = db_int(db, &seq, 0, e, "", "");\n')
        found = [w for w in find_wrong(copy, table) if w[0] == "model/base/error.c"]
        needless = find_wrong(copy, {**table, "tui": table["tui"] + ["store"]})
        # A header of model/base declares, over two lines, what the store defines, and what nothing defines.
        with open(os.path.join(copy, "model/base/error.h"), "a") as f:
            f.write("struct store *store_open(const char *path,\n    struct error *e);\n"
                    "/* int64_t store_now(void); */\nstatic int ours(void);\nvoid nobodys(void);\n"
                    "extern const char *const nobodys_names[],\n    *const store_suffixes[];\n/* " + 120 * "–" + " */\n")
        lines = open(os.path.join(copy, "model/base/error.h")).read().count("\n")
        called_up, wide_there = find_elsewhere(copy), find_wide(copy)
        os.makedirs(os.path.join(copy, "tests/store/attic"))
        for path in ("tests/store/attic/test_it.c", "tests/store/notes.txt"):
            open(os.path.join(copy, path), "w").close()
        lost = find_misplaced_tests(copy)
    results = [
        ("layers", not includes),
        ("a_name_that_no_file_needs_is_found", any("tui names store and" in w[2] for w in needless)),
        ("a_room_declares_what_it_defines", not elsewhere),
        ("tests_stand_in_the_folder_of_their_room", not misplaced),
        ("a_forbidden_include_is_found", len(found) == 5 and any("store/db" in str(w) for w in found)),
        ("what_another_room_defines_is_found",
         called_up == elsewhere + [("model/base/error.h", lines - 7, "store_open is defined in store"),
                                    ("model/base/error.h", lines - 1, "store_suffixes is defined in store/db")]),
        ("no_line_of_c_is_wide", not wide),
        ("a_wide_line_is_found", ("model/base/error.h", lines, "126 columns") in wide_there),
        ("tests_without_a_room_are_found", [w[0] for w in lost] == ["tests/store/attic"]),
    ]
    for name, good in results:
        print(f"[       OK ] {name}" if good else f"[  FAILED  ] {name}")
    return 0 if all(good for _, good in results) else 1


if __name__ == "__main__":
    sys.exit(main())
