#!/usr/bin/env python3
"""The layers: every #include follows the table tests/layers, every room has a README and at most 40 source files.

    test_layers.py            checks the checkout, and that a forbidden include is found
    test_layers.py --report   prints what is wrong, a line each, then a count for each pair of rooms
"""
import collections, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES_MAX = 40
# Libraries that only these rooms may include.
LIBRARIES = {"sqlite3.h": "store", "curses": "tui/term"}


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
    """Does that name in the table stand for the room: the room itself, or the room around it?

    `store` is the front door alone for rooms of store, and everything in store for other layers.
    """
    return room == name or room.startswith(name + "/")


def find_wrong(root, table):
    """(file, line, what) of everything that breaks the table."""
    wrong = []
    folders = collections.Counter()
    order = {room: place for place, room in enumerate(table)}
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
                    m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
                    if not m:
                        continue
                    included = m.group(2)
                    for library, only in LIBRARIES.items():
                        if m.group(1) == "<" and library in included and not stands_for(only, room, table):
                            wrong.append((path, number, f"{room} includes {included}"))
                    if m.group(1) == "<" or included == "embedded.h":
                        continue
                    target = room_of(included)
                    if not os.path.exists(os.path.join(root, included)):
                        wrong.append((path, number, f"includes are written from the root: {included}"))
                    elif target != room and included.endswith("_internal.h"):
                        wrong.append((path, number, f"{included} is internal to its room"))
                    elif target != room and not may_include(table, order, room, target):
                        wrong.append((path, number, f"{room} -> {target}: {included}"))
    for room, files in folders.items():
        if files > FILES_MAX:
            wrong.append((room, 0, f"{files} source files, more than {FILES_MAX}"))
        if not os.path.isfile(os.path.join(root, room, "README.md")):
            wrong.append((room, 0, "no README.md"))
    return wrong


def may_include(table, order, room, target):
    if target not in order or order[target] > order[room]:
        return False
    return any(stands_for(name, target, table) for name in table[room])


def main():
    table = read_table(os.path.join(ROOT, "tests/layers"))
    wrong = find_wrong(ROOT, table)
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
            f.write('#include "store/store.h"\n#include <sqlite3.h>\n')
        found = [w for w in find_wrong(copy, table) if w[0] == "model/base/error.c"]
    results = [("layers", not wrong), ("a_forbidden_include_is_found", len(found) == 2)]
    for name, good in results:
        print(f"[       OK ] {name}" if good else f"[  FAILED  ] {name}")
    return 0 if all(good for _, good in results) else 1


if __name__ == "__main__":
    sys.exit(main())
