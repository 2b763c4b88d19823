#!/usr/bin/env python3
"""What Kernle may have written comes back: random rows of its schemas are imported, exported as a store of Kernle, and imported
again. Both imports give the same memories, and the export leaves nothing out. `$STEMMA` is the program."""
import json, os, random, sqlite3, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="kernle-rows-", dir=os.environ.get("STEMMA_TEST_DIR"))
os.environ["HOME"] = SCRATCH
KINDS = {"raw_entries": "raw", "episodes": "episode", "beliefs": "belief", "notes": "note", "agent_values": "value", "goals": "goal",
         "drives": "drive", "relationships": "relationship", "memory_suggestions": "suggestion"}
TIMES = {"created_at", "captured_at", "local_updated_at", "updated_at"}
TIMES_OR_NONE = {"timestamp", "forgotten_at", "last_verified", "last_accessed", "cloud_synced_at", "resolved_at", "last_interaction"}
LISTS = {"tags", "context_tags", "lessons", "repeat", "avoid", "emotional_tags", "focus_areas", "subject_ids", "access_grants",
         "consent_grants", "cross_domain_applications"}


def schema(version):
    """(table, its column declarations) of each table of that version."""
    tables = []
    for line in open(os.path.join(ROOT, "tests/data/kernle-columns.txt")):
        words = line.split()
        if words[0] == "TABLE":
            tables.append((words[1], []))
        elif words[0].isdigit() and int(words[0]) <= version and (words[1] == "-" or version < int(words[1])):
            tables[-1][1].append(" ".join(words[2:]))
    return [(table, columns) for table, columns in tables if columns]


class Rows:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, *values):
        value = self.random.choice(values)
        return value() if callable(value) else value

    def time(self):
        r = self.random.randint
        return f"2026-{r(1, 9):02}-{r(1, 28):02}T{r(0, 23):02}:{r(0, 59):02}:{r(0, 59):02}.{r(0, 999999):06}+00:00"

    def ref(self):
        kind = self.one(*KINDS.values())
        return f"{kind}:{kind[0]}{self.random.randint(0, 9)}"

    def text(self):
        return self.one("a", 'say "x"', "two\nlines", "é漢", "", "x" * 50)

    def list(self, *values):
        return self.one(None, "[]", lambda: json.dumps([self.one(*values) for _ in range(self.random.randint(1, 4))]))

    def belief(self):
        return f"b{self.random.randint(0, 9)}"

    def change(self):
        change = {"timestamp": self.time(), "old": round(self.random.random(), 3), "new": round(self.random.random(), 3),
                  "reason": self.one(None, "R"), "evidence_source": self.one(None, self.ref, "context:z"), "extra": self.one(None, 5)}
        return {k: v for k, v in change.items() if v is not None}

    def history(self):
        return json.dumps([self.change() for _ in range(self.random.randint(1, 4))])

    def value(self, table, declaration, number):
        name, one, below = declaration.split()[0], self.one, self.random.randint
        special = {
            "id": lambda: KINDS[table][0] + str(number),
            "stack_id": lambda: one("ash", "claire"),
            "derived_from": lambda: self.list(self.ref, self.ref, "context:x", "kernle:auto-linked", "kernle:pre-v0.9-migration"),
            "source_episodes": lambda: self.list(f"e{below(0, 9)}", f"episode:e{below(0, 9)}", "raw:r1"),
            "source_raw_ids": lambda: one("[]", json.dumps([f"r{below(0, 9)}", "raw:r2"])),
            "processed_into": lambda: self.list(self.ref),
            "promoted_to": lambda: one(None, self.ref),
            "supersedes": lambda: one(None, self.belief),
            "superseded_by": lambda: one(None, None, self.belief),
            "confidence_history": lambda: one(None, "[]", self.history),
            "drive_type": lambda: f"d{number}",
            "entity_name": lambda: f"E{number}",
            "deleted": lambda: one(0, 0, 0, 1), "is_forgotten": lambda: one(0, 0, 0, 1), "is_active": lambda: one(1, 1, 0),
            "version": lambda: below(1, 4), "strength": lambda: one(1.0, 1.0, 0.5, 0.0),
            "source_type": lambda: one("inference", "direct_experience", "told_by_agent", None, "weird")}
        if name in special:
            return special[name]()
        if name == "content" and table in ("memory_suggestions", "raw_entries"):
            return json.dumps({one("statement", "content", "text"): "so", "k": below(0, 9)}) if table[0] == "m" else None
        if name in TIMES or name in TIMES_OR_NONE:
            return self.time() if name in TIMES else one(None, self.time)
        if name in LISTS:
            return self.list(self.text)
        if "INTEGER" in declaration:
            return below(0, 1)
        if "REAL" in declaration:
            return round(self.random.random(), below(0, 6))
        if "NOT NULL" in declaration:
            return self.text() or "n"
        return one(None, self.text, declaration.split("'")[1] if "'" in declaration else None)

    def audit(self, number):
        kind = self.one(*KINDS.values())
        details = self.one(None, "plain", json.dumps({"reason": "why", "trigger_id": self.belief()}),
                           json.dumps({"cascade_source": self.ref(), "x": 1}))
        return {"id": f"a{number}", "memory_type": self.one(kind, kind + "s"), "memory_id": f"{kind[0]}{self.random.randint(0, 9)}",
                "operation": self.one("forget", "belief.revised", "weaken"), "details": details, "actor": "core",
                "created_at": self.time(), "correlation_id": self.one(None, "c1")}


def make(path, seed, version):
    rows, db = Rows(seed), sqlite3.connect(path)
    db.execute("CREATE TABLE schema_version(version)")
    db.execute("INSERT INTO schema_version VALUES (?)", (version,))
    for table, columns in schema(version):
        db.execute(f"CREATE TABLE {table}({', '.join(columns)})")
        for number in range(10):
            row = [rows.value(table, c, number) for c in columns] if table in KINDS else \
                [rows.audit(number)[c.split()[0]] for c in columns]
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    db.commit()
    db.close()


def stemma(*words):
    return subprocess.run([STEMMA, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def comes_back(seed, version):
    source, first, made, second = (f"{SCRATCH}/{seed}-{version}{end}" for end in (".db", ".1", ".out", ".2"))
    make(source, seed, version)
    subprocess.run([STEMMA, "import", "kernle", source, "--store", first], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert stemma("export", "kernle", "-o", made, "--store", first).stderr == ""
    stemma("import", "kernle", made, "--store", second)
    before, after = ([json.loads(line) for line in stemma("export", "--store", store).stdout.splitlines()] for store in (first, second))
    assert len(before) == 90
    for old, new in zip(before, after):
        assert old == new, (old, new)
    assert len(after) == len(before)


for version in (24, 26, 27):
    for seed in range(4):
        harness.test(f"version {version}, rows {seed}", comes_back, seed, version)
sys.exit(harness.failed)
