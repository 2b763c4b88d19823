#!/usr/bin/env python3
"""An oracle for the answers of the graph: a second, naive implementation of the definitions over exported JSON lines.

Makes random stores (AND/OR groups, circles, missing and dead memories), imports them, and compares what the program
answers (labels, traces, what-if, orphans) with the definitions applied to its export. `$STEMMA` is the program.
"""
import json, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.environ.get("STEMMA", "./stemma")
LIVING = {"active", "superseded", "expired"}
SOURCES = {"raw", "attribution", "document", "entry"}
SUPPORT = {"derived_from", "evidence", "reinforcement", "source", "step", "citation"}


def run(*args, ok=(0,), data=None):
    p = subprocess.run([STEMMA, *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode in ok, (args, p.returncode, p.stderr.decode(errors="replace")[-2000:])
    return p.stdout


def lines(out):
    return [json.loads(l) for l in out.decode().splitlines() if l]


class Model:
    """An export, and the definitions over it."""

    def __init__(self, exported):
        self.memory = {m["ref"]: m for m in exported}
        self.just = {}
        for ref, m in self.memory.items():
            js = []
            for g in m.get("justifications", []):
                refs = list(dict.fromkeys(a if isinstance(a, str) else a["ref"] for a in g["antecedents"]))
                js += [refs] if g["reading"] == "all" or not refs else [[r] for r in refs]
            self.just[ref] = js

    def lives(self, ref, dead=()):
        return ref in self.memory and ref not in dead and self.memory[ref]["status"] in LIVING

    def standing(self, dead=(), greatest=False):
        """The least (or greatest) fixed point, by iterating until nothing changes."""
        stands = {r for r in self.memory if self.lives(r, dead)} if greatest else set()
        while True:
            now = {r for r in self.memory if self.lives(r, dead) and
                   (not self.just[r] or any(all(a in stands for a in j) for j in self.just[r]))}
            if now == stands:
                return stands
            stands = now

    def label(self, ref, least, greatest):
        if not self.lives(ref):
            return "ended"
        js = self.just[ref]
        if not js:
            return "supported" if ref.split(":")[0] in SOURCES else "unsourced"
        holds = sum(all(a in least for a in j) for j in js)
        if holds == len(js):
            return "supported"
        if holds:
            return "weakened"
        return "circular" if any(all(a in greatest for a in j) for j in js) else "unsupported"

    def reach(self, start, reverse):
        forward = {r: {a for j in js for a in j} for r, js in self.just.items()}
        if reverse:
            back = {}
            for r, to in forward.items():
                for t in to:
                    back.setdefault(t, set()).add(r)
            forward = back
        depth, front = {start: 0}, [start]
        while front:
            nxt = []
            for r in front:
                for t in forward.get(r, ()):
                    if t not in depth:
                        depth[t] = depth[r] + 1
                        nxt.append(t)
            front = nxt
        return depth


def make(rng, n):
    kinds = ["raw", "episode", "belief", "note", "value", "entry", "document", "goal"]
    refs = [f"{rng.choice(kinds)}:m{i:04d}-{rng.randrange(16**6):06x}" for i in range(n)]
    out = []
    for i, ref in enumerate(refs):
        m = {"ref": ref, "agent_id": rng.choice(["ash", "claire"]), "text": f"memory {i} " + rng.choice(["deploy", "出荷", "\u202eevil", "tab\tand\nline"]),
             "created_at": 1_700_000_000_000 + i * 1000, "updated_at": 1_700_000_000_000 + i * 1000, "confidence": round(rng.random(), 3),
             "source_type": "direct_experience", "version": 1,
             "status": rng.choices(["active", "superseded", "expired", "retracted", "forgotten", "deleted"], [80, 5, 3, 4, 4, 4])[0]}
        if ref.startswith("entry:"):  # an import accepts only its name
            m["detail"] = {"namespace": "n", "key": f"k{i}", "value": i}
        groups = []
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            pool = refs if rng.random() < .3 else refs[:max(1, i)]
            ants = rng.sample(pool, min(len(pool), rng.choice([0, 1, 1, 2, 3]) if rng.random() < .2 else rng.choice([1, 2, 3])))
            if rng.random() < .06:
                ants.append(f"raw:missing-{rng.randrange(5)}")
            groups.append({"role": rng.choice(["derived_from", "evidence", "reinforcement"]), "reading": rng.choice(["any", "any", "all"]),
                           "recorded": "recorded", "at": m["created_at"], "antecedents": ants})
        if groups:
            m["justifications"] = groups
        if rng.random() < .2:
            m["annotations"] = ["context:a:b"]
        out.append(m)
    return out


def check_store(path, rng, sample):
    model = Model(lines(run("export", "--store", path)))
    least, greatest = model.standing(), model.standing(greatest=True)
    listed = lines(run("list", "all", "--status", "all", "--json", "--store", path))
    assert {m["ref"] for m in listed} == set(model.memory), "list all --status all names every memory once"
    for m in listed:
        want = model.label(m["ref"], least, greatest)
        if want != "ended":
            assert m["label"] == want, (m["ref"], m["label"], want)
    refs = sorted(model.memory)
    for ref in rng.sample(refs, min(sample, len(refs))):
        for reverse in (False, True):
            flag = "--reverse" if reverse else "--trace"
            # The trace of a raw entry shows what is based on it.
            want = model.reach(ref, reverse or ref.startswith("raw:"))
            got = json.loads(run("show", ref, flag, "--json", "--store", path))
            assert {n["ref"]: n["depth"] for n in got["nodes"]} == want, (ref, flag)
            assert not got["cut"], (ref, got["cut"])
            for link in got["links"]:
                assert any(link["to"] in j for j in model.just[link["from"]]), link
            pairs = {(r, a) for r in want for j in model.just.get(r, []) for a in j if a in want}
            assert {(l["from"], l["to"]) for l in got["links"]} == pairs, (ref, flag)
            for cycle in got["cycles"]:
                for a, b in zip(cycle, cycle[1:] + cycle[:1]):
                    assert a == b or any(b in j for j in model.just[a]) or any(a in j for j in model.just[b]), cycle
            cut = json.loads(run("show", ref, flag, "--depth", "2", "--json", "--store", path))
            assert {n["ref"]: n["depth"] for n in cut["nodes"]} == {r: d for r, d in want.items() if d <= 2}
            assert cut["cut"] == sum(d > 2 for d in want.values()), (ref, flag, cut["cut"])
    for _ in range(sample):
        dead = rng.sample(refs, rng.choice([1, 1, 2, 3]))
        after = model.standing(dead)
        got = json.loads(run("whatif", *dead, "--json", "--store", path))
        falls = {r for r in least if r not in after and r not in dead}
        assert set(got["loses_all_support"]) == falls, (dead, got["loses_all_support"], falls)
        weak = {}
        for r in after:
            b = sum(all(a in least for a in j) for j in model.just[r])
            a = sum(all(x in after for x in j) for j in model.just[r])
            if a < b:
                weak[r] = (b, a)
        assert {w["ref"]: (w["before"], w["after"]) for w in got["weakened"]} == weak, (dead, got["weakened"], weak)
        desc = set().union(*(set(model.reach(d, True)) for d in dead)) - set(dead) - falls - set(weak)
        assert got["descends"] == len(desc), (dead, got["descends"], len(desc))
    want = {(r, "unsupported") for r in model.memory if model.label(r, least, greatest) == "unsupported"}
    want |= {(r, "circular") for r in model.memory if model.label(r, least, greatest) == "circular"}
    want |= {(r, "unrecorded") for r, m in model.memory.items() if model.label(r, least, greatest) == "unsourced" and not m.get("annotations")}
    got = lines(run("orphans", "--json", "--store", path, ok=(0, 1)))
    assert {(o["ref"], o["problem"]) for o in got if o["problem"] in ("unsupported", "circular", "unrecorded")} == want
    missing = {(r, a) for r in model.memory if model.lives(r) for j in model.just[r] for a in j if a not in model.memory}
    assert {(o["ref"], o["target"]) for o in got if o["problem"] == "missing"} == missing


def random_stores():
    for seed, count in enumerate((5, 20, 60, 120, 60, 20)):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as d:
            store = d + "/memory.db"
            made = make(rng, count)
            rng.shuffle(made)
            run("import", "jsonl", "-", "--store", store, data="".join(json.dumps(m) + "\n" for m in made).encode())
            check_store(store, rng, 5)


def demo_store():
    with tempfile.TemporaryDirectory() as d:
        store = d + "/memory.db"
        run("import", "jsonl", "tests/data/demo.jsonl", "--store", store)
        check_store(store, random.Random(1), 8)
        first = run("export", "--store", store)
        run("import", "jsonl", "-", "--store", d + "/again.db", data=first)
        assert run("export", "--store", d + "/again.db") == first, "export, import, export gives the same bytes"
        run("fsck", "--store", d + "/again.db")


def deep_chain():
    with tempfile.TemporaryDirectory() as d:
        store = d + "/memory.db"
        chain = [{"ref": f"belief:deep-{i}", "agent_id": "ash", "text": f"step {i}", "created_at": 1_700_000_000_000 + i,
                  "derived_from": [f"belief:deep-{i - 1}"] if i else ["raw:root"]} for i in range(5000)]
        chain.append({"ref": "raw:root", "agent_id": "ash", "text": "the root", "created_at": 1_699_999_999_999})
        run("import", "jsonl", "-", "--store", store, data="".join(json.dumps(m) + "\n" for m in chain).encode())
        got = json.loads(run("show", "belief:deep-4999", "--trace", "--json", "--store", store))
        assert len(got["nodes"]) == 5001 and max(n["depth"] for n in got["nodes"]) == 5000
        fall = json.loads(run("whatif", "raw:root", "--json", "--store", store))
        assert len(fall["loses_all_support"]) == 5000
        run("show", "raw:root", "--reverse", "--store", store)


sys.exit(harness.run(random_stores, demo_store, deep_chain))
