#!/usr/bin/env python3
"""An oracle for the sources of reasoning and for citations: a second, naive implementation of the rules.

Makes random chains, search results, contexts and citations (ties, duplicates, gaps, emoji, odd values, limits), gives them to
the program as files (`import cot`) and over MCP (`stemma mcp` on standard input and output), and compares its answers
with the rules. `$STEMMA` is the program, `$SEED` a seed other than the default.
"""
import json, math, os, random, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.environ.get("STEMMA", "./stemma")
SEED = int(os.environ.get("SEED", "20261121"))
SCRATCH = tempfile.mkdtemp(prefix="reasoning-", dir=os.environ.get("STEMMA_TEST_DIR"))


def run(*args, ok=(0,), data=None):
    p = subprocess.run([STEMMA, *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode in ok, (args, p.returncode, p.stderr.decode(errors="replace")[-2000:])
    return p.stdout


# ---- the rules: sources ----

def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def as_text(x):
    return x if isinstance(x, str) else None if x is None else str(x)


def chunk_of(x):
    if is_number(x) and x == int(x):
        return int(x)
    if isinstance(x, str) and re.fullmatch(r"\s*-?[0-9]+\s*", x):
        return int(x)
    return None


class Refused(Exception):
    pass


def check_score(x):
    if not 0 <= x <= 1:
        raise Refused(x)
    return x


class Source(dict):
    """`key`: what its document is. A made-up id is that of its content, or without one of this use alone."""
    def __init__(self, given, content, **members):
        super().__init__(**members)
        self.key = self["document_id"] if given else ("made up", content or object())


def from_result(i, item):
    given = item["document_id"] if item.get("document_id") not in (None, "") else f"doc_{i}"
    title = item["title"] if "title" in item else item.get("document_title")
    score = item["score"] if "score" in item else item["relevance_score"] if "relevance_score" in item else None
    content = item["content"] if "content" in item else item["text"] if "text" in item else ""
    return Source(item.get("document_id") not in (None, ""), content, document_id=as_text(given), document_title=as_text(title),
                  relevance_score=check_score(score) if is_number(score) else 0.5, excerpt=(content or "")[:200],
                  chunk_index=chunk_of(item.get("chunk_index")), retrieval_rank=i + 1,
                  score_origin="measured" if is_number(score) else "default")


def from_results(items):
    """Returns the accepted sources, and the places of the refused ones."""
    sources, refused = [], []
    for i, item in enumerate(items):
        try:
            sources.append(from_result(i, item))
        except Refused:
            refused.append(i)
    return sources, refused


def id_in_context(text):
    """The first word after the first `id:` at the beginning of the context or after white space, unless it begins with `id:`."""
    for m in re.finditer("id:", text):
        if m.start() == 0 or text[m.start() - 1].isspace():
            words = text[m.end():].split()
            return words[0] if words and not words[0].startswith("id:") else None
    return None


def from_contexts(contexts):
    return [Source(id_in_context(text), text, document_id=id_in_context(text) or f"context_doc_{i}", document_title=None,
                   relevance_score=max(0.3, 1.0 - i * 0.1), excerpt=text[:200], chunk_index=None, retrieval_rank=i + 1,
                   score_origin="heuristic") for i, text in enumerate(contexts) if text.strip()]


def from_attribution(item):
    excerpt = item.get("excerpt")
    return Source(True, None, document_id=item["document_id"], document_title=item.get("document_title"),
                  relevance_score=check_score(item["relevance_score"]), excerpt=excerpt and excerpt[:200],
                  chunk_index=item.get("chunk_index"), retrieval_rank=item.get("retrieval_rank"),
                  score_origin=item.get("score_origin") or "asserted")


def sources_of(step, answers):
    """`answers`: those of the earlier steps, which are not documents if they occur as contexts."""
    if step.get("source_attributions"):
        sources = []
        for item in step["source_attributions"]:
            try:
                sources.append(from_attribution(item))
            except Refused:
                pass
        return sources
    if step.get("retrieved_documents"):
        return from_results(step["retrieved_documents"])[0]
    return from_contexts(["" if c.strip() in answers else c for c in step.get("context_used") or []])


# ---- the rules: a chain ----

def summarise(steps):
    """`steps`: (number, sources). All sources, the primary ones, and the ids that each step used."""
    best, usage = {}, {}
    for number, sources in steps:
        usage[number] = [s["document_id"] for s in sources]
        for s in sources:
            known = best.get(s.key)
            winner, other = (s, known) if known is None or s["relevance_score"] > known["relevance_score"] else (known, s)
            winner = dict(winner)
            for what in ("document_title", "excerpt"):
                if not winner[what] and other:
                    winner[what] = other[what]
            best[s.key] = winner  # an existing key keeps its place
    everything = sorted(best.values(), key=lambda s: -s["relevance_score"])
    primary = [s for s in everything if s["relevance_score"] > 0.7][:3] or everything[:3]
    return everything, primary, usage


def display(summary, excerpts):
    everything, primary, usage = summary

    def entry(s, with_rank):
        e = {"document_id": s["document_id"], "title": s["document_title"] or s["document_id"],
             "relevance": float("%.2f" % s["relevance_score"])}
        if with_rank and s["retrieval_rank"] is not None:
            e["rank"] = s["retrieval_rank"]
        if excerpts and s["excerpt"]:
            e["excerpt"] = s["excerpt"]
        return e
    return {"total_sources": len(everything), "primary_sources": [entry(s, True) for s in primary],
            "all_sources": [entry(s, False) for s in everything],
            "step_breakdown": {f"step_{n}": {"step_number": n, "sources_used": len(ids), "document_ids": ids} for n, ids in usage.items()}}


def mean(numbers):
    return sum(numbers) / len(numbers)


# ---- the rules: citations ----

def format_citation(name, page, section):
    where = ([f"page {page}"] if page else []) + ([section] if section else [])
    return f"({name}, {', '.join(where or ['document'])})"


def place(c):
    return c["documentId"], c["page"] or None, c["section"] or None


def deduplicate(citations):
    best = {}
    for c in citations:
        known = best.get(place(c))
        if known is None or c["score"] > known["score"]:
            best[place(c)] = c
    return list(best.values())


def rank(citations, limit):
    return sorted(citations, key=lambda c: -c["score"])[:limit]


def uncertainty(scores):
    if not scores:
        return "complete"
    m = mean(scores)
    return "none" if m > 0.7 else "low" if m > 0.5 else "medium" if m > 0.3 else "high"


# ---- the examples of the specification ----

def the_rules_by_example():
    ids = lambda contexts: [s["document_id"] for s in from_contexts(contexts)]
    assert ids(["a", "b", "c"]) == ["context_doc_0", "context_doc_1", "context_doc_2"]
    assert [s["relevance_score"] for s in from_contexts(["a", "b", "c"])] == [1.0, 0.9, 0.8]
    assert ids(["id: doc_abc123 Some content here", "id: doc_xyz789 More content"]) == ["doc_abc123", "doc_xyz789"]
    assert ids(["id:doc_123 Machine learning content...", "Deep learning overview..."]) == ["doc_123", "context_doc_1"]
    sparse = from_contexts(["Valid content", "", "   ", "More valid content"])
    assert [(s["document_id"], s["relevance_score"], s["retrieval_rank"]) for s in sparse] == [("context_doc_0", 1.0, 1), ("context_doc_3", 0.7, 4)]
    assert ids(["id:"]) == ids(["id:id:x"]) == ids(["ID:doc_1 upper"]) == ["context_doc_0"]
    assert ids(["id:a id:b rest", "id:uuid:1234 rest", "id:abcid:d"]) == ["a", "uuid:1234", "abcid:d"] and ids(["The valid: answer", "paid:500 now"]) == ["context_doc_0", "context_doc_1"]
    assert len(from_contexts(["\N{EARTH GLOBE EUROPE-AFRICA}" * 201])[0]["excerpt"]) == 200
    step = lambda **scores: [Source(True, None, document_id=d, document_title=None, relevance_score=s, excerpt=None, retrieval_rank=None) for d, s in scores.items()]
    told = [([step(d1=.9, d2=.75), step(d1=.85, d3=.8)], ["d1", "d3", "d2"], ["d1", "d3", "d2"]),
            ([step(a=.95, b=.85, c=.75, d=.72)], ["a", "b", "c", "d"], ["a", "b", "c"]),
            ([step(a=.5, b=.4, c=.3, d=.2)], ["a", "b", "c", "d"], ["a", "b", "c"]),
            ([step(a=.9, b=.6)], ["a", "b"], ["a"]),
            ([step(a=.7, b=.6, c=.5, d=.4)], ["a", "b", "c", "d"], ["a", "b", "c"]),
            ([step(a=.5, b=.5), step(c=.5, a=.5)], ["a", "b", "c"], ["a", "b", "c"]),
            ([step(a=.5, b=.9), step(a=.9)], ["a", "b"], ["a", "b"])]
    for steps, everything, primary in told:
        got = summarise(list(enumerate(steps, 1)))
        assert [[s["document_id"] for s in part] for part in got[:2]] == [everything, primary], got
    assert format_citation("Management Presentation", 12, None) == "(Management Presentation, page 12)"
    assert format_citation("CIM Draft", None, "Executive Summary") == "(CIM Draft, Executive Summary)"
    assert format_citation("Report", 5, "Chapter 1") == "(Report, page 5, Chapter 1)"
    assert format_citation("Report", 0, "") == "(Report, document)"
    assert [uncertainty([x]) for x in (.71, .7, .51, .5, .31, .3)] == ["none", "low", "low", "medium", "medium", "high"]


# ---- random input ----

# Few, so that documents repeat; with escape sequences, ids that look generated, and a very long one.
IDS = ["doc_1", "doc_2", "context_doc_0", "a", "b", "c", "d:e", "f g", "\N{PARTY POPPER}", "Ωmega", "tab\tin it", "esc\x1b[2J", "x" * 300, "doc:sha256-0"]
TEXTS = ["", " ", "short", "\N{EARTH GLOBE EUROPE-AFRICA}" * 201, "e\u0301" * 150, "line\nbreak\ttab", "\u202eright to left", "y" * 199, "y" * 200, "y" * 201,
         "\N{WOMAN}\u200d\N{PERSONAL COMPUTER}" * 70, "\"quoted\" \\ back", "null"]
SCORES = [0, 1, 0.5, 0.7, 0.70000000000000001, 0.7000000000000001, 0.125, 0.375, 0.123456789, 0.005, 0.995, 0.3, 0.9, 1e-300, 0.30000000000000004]
SPACES = [" ", "\n", "\t", "\u00a0", "\u2003", "\u3000"]


def score(r):
    return r.choice(SCORES) if r.random() < 0.7 else r.random()


def search_result(r):
    item = {}
    if r.random() < 0.85:
        item["document_id"] = r.choice(IDS + [None, "", 12345, 0, 7.5])
    for key in ("title", "document_title"):
        if r.random() < 0.5:
            item[key] = r.choice(["Title", "", None, "T \N{PARTY POPPER}", 2024])
    for key in ("score", "relevance_score"):
        if r.random() < 0.5:
            item[key] = r.choice([score(r), score(r), score(r), None, "0.9", True, 1.5, -0.1, 7])
    for key in ("content", "text"):
        if r.random() < 0.5:
            item[key] = r.choice(TEXTS + [None])
    if r.random() < 0.5:
        item["chunk_index"] = r.choice([0, 3, -1, 2.0, 2.5, "5", " -7 ", "x", "", "1.5", None, True, [], {}])
    return item


def context(r):
    mark = lambda: r.choice(["id:", "id: ", "id:\t", "ID:", "valid:", "paid:", "id", ":", "id:id:"])
    words = [mark() + r.choice(IDS[:6] + ["\N{PARTY POPPER}", "", "Ωmega"]) if r.random() < 0.4 else r.choice(TEXTS + ["word"]) for _ in range(r.randrange(4))]
    return r.choice(["", r.choice(SPACES)]) + r.choice(SPACES).join(words)


def attribution(r):
    item = {"document_id": r.choice(IDS), "relevance_score": r.choice([score(r), score(r), score(r), score(r), 1.01, -1])}
    if r.random() < 0.6:
        item["document_title"] = r.choice(["Title", "", None, "Another"])
    if r.random() < 0.7:
        item["excerpt"] = r.choice(TEXTS + [None])
    if r.random() < 0.5:
        item["chunk_index"] = r.choice([None, 0, 5, -2])
    if r.random() < 0.6:
        item["retrieval_rank"] = r.choice([None, 1, 2, 17])
    if r.random() < 0.4:
        item["score_origin"] = r.choice(["measured", "heuristic", "default", "asserted"])
    return item


def step_sources(r, answers):
    step = {}
    if r.random() < 0.5:
        step["source_attributions"] = [attribution(r) for _ in range(r.randrange(7))]
    if r.random() < 0.4:
        step["retrieved_documents"] = [search_result(r) for _ in range(r.randrange(7))]
    if r.random() < 0.6:
        step["context_used"] = [r.choice(answers) if answers and r.random() < 0.2 else context(r) for _ in range(r.randrange(14))]
    return step


def chain(r, name):
    steps, answers = [], []
    for number in sorted(r.sample(range(1, 40), r.randrange(9))):  # with gaps
        step = {"step_number": number, "question": f"question {number}", "intermediate_answer": f"answer {number} of {name}",
                "confidence_score": r.choice([0, 1, 0.5, r.random()]), "reasoning_trace": "t", "execution_time": r.choice([0, 0.25, 3])}
        step.update(step_sources(r, answers))
        answers.append(step["intermediate_answer"])
        steps.append(step)
    return {"original_question": f"question of {name}", "final_answer": "f", "reasoning_steps": steps}


def expected(chain):
    answers, steps = set(), []
    for step in chain["reasoning_steps"]:
        steps.append((step["step_number"], sources_of(step, answers)))
        answers.add(step["intermediate_answer"])
    return summarise(steps)


# ---- by files ----

def differing(got, want, path=""):
    """Shows the first difference, since answers are long."""
    if isinstance(got, dict) and isinstance(want, dict) and got.keys() == want.keys():
        return next((d for k in got if (d := differing(got[k], want[k], f"{path}.{k}"))), None)
    if isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        return next((d for i, (g, w) in enumerate(zip(got, want)) if (d := differing(g, w, f"{path}[{i}]"))), None)
    return None if got == want else f"{path}: {got!r} and not {want!r}"


def same(got, want, about):
    difference = differing(got, want)
    assert not difference, (SEED, difference)


def same_numbers(got, want, about):
    """Compares, but a score may differ by the order of operations."""
    for g, w in zip(got, want):
        assert math.isclose(g["relevance_score"], w["relevance_score"], abs_tol=1e-12), (SEED, about, g, w)
        same({**g, "relevance_score": 0}, {**w, "relevance_score": 0}, about)
    assert len(got) == len(want), (SEED, about, got, want)


SOURCE = ("document_id", "document_title", "relevance_score", "excerpt", "chunk_index", "retrieval_rank", "score_origin")


def refs_by_question(store):
    listed = [json.loads(line) for line in run("list", "chain", "--json", "--store", store).decode().splitlines()]
    return {m["text"]: m["ref"] for m in listed}


def imported_chains():
    r = random.Random(SEED)
    store = os.path.join(SCRATCH, "imported.db")
    chains = [chain(r, f"chain {i}") for i in range(30)]
    run("import", "cot", "-", "--store", store, "--agent", "ash", ok=(0, 1), data=json.dumps(chains).encode())
    refs = refs_by_question(store)
    assert len(refs) == len(chains)
    written = []
    for c in chains:
        ref, summary = refs[c["original_question"]], expected(c)
        for excerpts in False, True:
            got = json.loads(run("sources", ref, "--json", "--store", store, *(["--excerpts"] if excerpts else [])))
            same(got, display(summary, excerpts), c)
            assert list(got["step_breakdown"]) == [f"step_{s['step_number']}" for s in c["reasoning_steps"]]
        whole = json.loads(run("chain", ref, "--json", "--store", store))
        check_whole(whole, c, summary)
        written.append(whole)
    read_again(written, chains)


def check_whole(whole, c, summary):
    """Checks a stored chain: the sources of each step, the summary, and the search form."""
    answers = set()
    for got, step in zip(whole["reasoning_steps"], c["reasoning_steps"]):
        want = [{k: s.get(k) for k in SOURCE} for s in sources_of(step, answers)]
        same_numbers([{k: s[k] for k in SOURCE} for s in got["source_attributions"]], want, step)
        for key in "step_number", "question", "intermediate_answer", "confidence_score", "reasoning_trace", "execution_time":
            assert got[key] == step[key], (SEED, key, got[key], step[key])
        answers.add(step["intermediate_answer"])
    assert len(whole["reasoning_steps"]) == len(c["reasoning_steps"])
    ids = lambda sources: [s["document_id"] for s in sources]
    said = whole["source_summary"]
    same([ids(said["all_sources"]), ids(said["primary_sources"]), said["source_usage_by_step"]],
         [ids(summary[0]), ids(summary[1]), {str(n): used for n, used in summary[2].items()}], c)
    search = whole["search"]
    same([search["answer"], ids(search["sources"]), search["source_breakdown"], len(search["reasoning_trace"])],
         [c["final_answer"], ids(summary[1]), {str(n): used for n, used in summary[2].items()}, len(c["reasoning_steps"])], c)


def read_again(written, chains):
    """The export can be imported elsewhere and gives the same, except that a step without accepted sources takes its contexts."""
    refused = lambda step: (step.get("source_attributions") or step.get("retrieved_documents")) and not sources_of(step, set())
    kept = [(w, c) for w, c in zip(written, chains) if not any(map(refused, c["reasoning_steps"]))]
    written, chains = zip(*kept)
    store = os.path.join(SCRATCH, "again-imported.db")
    data = "\n".join(json.dumps(w) for w in written).encode()
    told = subprocess.run([STEMMA, "import", "cot", "-", "--store", store, "--agent", "ash"], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert told.returncode == 0 and not told.stderr, (SEED, told.stderr[:2000])
    refs = refs_by_question(store)
    for c in chains:
        got = json.loads(run("sources", refs[c["original_question"]], "--json", "--excerpts", "--store", store))
        same(got, display(expected(c), True), c)


# ---- over MCP ----

class Server:
    """`stemma mcp`, its answers and its notifications."""

    def __init__(self, store):
        self.p = subprocess.Popen([STEMMA, "mcp", "--store", store, "--agent", "ash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.told, self.next = [], 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "oracle", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.p.stdin.write(json.dumps(message).encode() + b"\n")
        self.p.stdin.flush()

    def ask(self, method, params):
        self.next += 1
        self.send({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
        while True:
            line = self.p.stdout.readline()
            assert line, "it is gone"
            m = json.loads(line)
            if m.get("id") == self.next:
                assert "result" in m, m
                return m["result"]
            self.told.append(m)

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), (SEED, tool, arguments, result)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def close(self):
        self.p.stdin.close()
        self.p.stdout.read()
        assert self.p.wait(60) == 0


def extracted_sources():
    r, server = random.Random(SEED + 1), Server(os.path.join(SCRATCH, "extracted.db"))
    for _ in range(250):
        results = [search_result(r) for _ in range(r.choice([0, 0, 1, 3, 8]))]
        contexts = [context(r) for _ in range(r.randrange(14))]
        got = server.call("extract_sources", context_documents=contexts, search_results=results)
        want, refused = from_results(results) if results else (from_contexts(contexts), [])
        same_numbers(got["sources"], want, (results, contexts))
        same([x["index"] for x in got.get("refused", [])], refused, results)
    server.close()


def chains_step_by_step():
    """A growing chain has the sources of its steps so far, and equals one that is recorded whole."""
    r, store = random.Random(SEED + 2), os.path.join(SCRATCH, "steps.db")
    server = Server(store)
    for i in range(15):
        c = chain(r, f"chain {i}")
        for step in c["reasoning_steps"]:
            step.pop("source_attributions", None)
        ref = server.call("cot_begin", question=c["original_question"])["ref"]
        so_far = {"reasoning_steps": []}
        for step in c["reasoning_steps"]:
            given = server.call("cot_step", chain=ref, **step)
            so_far["reasoning_steps"].append(step)
            summary = expected(so_far)
            same([s["document_id"] for s in given["sources"]], summary[2][step["step_number"]], step)
            same(server.call("cot_sources", chain=ref), display(summary, True), c)
        server.call("cot_finish", chain=ref, final_answer="f")
        whole = server.call("cot_record", **c)["ref"]
        for one in ref, whole:
            same(server.call("cot_sources", chain=one, include_excerpts=False), display(expected(c), False), c)
        same(json.loads(run("chain", whole, "--json", "--store", store)), server.call("cot_get", chain=whole), c)
        if c["reasoning_steps"]:
            confidence = mean([s["confidence_score"] for s in c["reasoning_steps"]])
            assert math.isclose(server.call("cot_get", chain=ref)["total_confidence"], confidence, abs_tol=1e-9), (SEED, c)
    server.close()


def a_chain_is_seen_growing():
    """A chain is shown as running while its agent is connected, then as finished or abandoned."""
    store = os.path.join(SCRATCH, "growing.db")
    server = Server(store)
    ref, left = (server.call("cot_begin", question=q)["ref"] for q in ("does it grow?", "is it left?"))

    def seen(ref):
        said = json.loads(run("chain", ref, "--json", "--store", store))
        return said["state"], [s["step_number"] for s in said["reasoning_steps"]], said["total_confidence"]
    assert seen(ref) == ("running", [], None), seen(ref)
    for number, confidence, mean_so_far in (1, 0.9, 0.9), (2, 0.5, 0.7):
        for one in ref, left:
            server.call("cot_step", chain=one, step_number=number, question="q", intermediate_answer="a", confidence_score=confidence)
        assert seen(ref) == ("running", list(range(1, number + 1)), mean_so_far), seen(ref)
    server.call("cot_finish", chain=ref, final_answer="yes", total_confidence=0.8)
    assert seen(ref) == ("finished", [1, 2], 0.8), seen(ref)
    server.close()
    assert seen(ref)[0] == "finished" and seen(left) == ("abandoned", [1, 2], 0.7), seen(left)


# ---- citations ----

def cited(r):
    item = {"snippet": r.choice(TEXTS[2:]), "relevanceScore": r.choice([score(r), score(r), score(r), score(r), 1.2, -0.5])}
    if r.random() < 0.9:
        item["documentId"] = r.choice(IDS[:4] + ["", "source-1"])
    if r.random() < 0.85:
        item["documentName"] = r.choice(["Q3_Report.pdf", "Smith, Jones.pdf", "", "N \N{PARTY POPPER}"])
    if r.random() < 0.7:
        item["location"] = {k: v for k, v in (("page", r.choice([0, 1, 12])), ("section", r.choice(["", "Chapter 1"])), ("paragraph", 2)) if r.random() < 0.7}
    if r.random() < 0.5:
        item["retrievedAt"] = "2026-02-03T04:05:06.789Z"
    return item


def taken(items):
    """Returns the accepted citations, and the places of the refused ones."""
    citations, refused = [], []
    for i, item in enumerate(items):
        if not 0 <= item["relevanceScore"] <= 1:
            refused.append(i)
            continue
        where = item.get("location", {})
        made_up = not item.get("documentId")
        citations.append({"documentId": (f"source-{i + 1}", True) if made_up else (item["documentId"], False),
                          "name": item.get("documentName") or "Unknown source", "page": where.get("page"), "section": where.get("section"),
                          "snippet": item["snippet"], "score": item["relevanceScore"]})
    return citations, refused


def check_source(got, want):
    where = got.get("location", {})
    assert (got["documentId"], got["documentName"], got["snippet"]) == (want["documentId"][0], want["name"], want["snippet"]), (SEED, got, want)
    assert math.isclose(got["relevanceScore"], want["score"], abs_tol=1e-15), (SEED, got, want)
    assert (where.get("page"), where.get("section")) == (want["page"] or None, want["section"] or None), (SEED, got, want)
    assert None not in got.values() and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", got["retrievedAt"]), (SEED, got)


def cited_responses():
    r, store = random.Random(SEED + 3), os.path.join(SCRATCH, "cited.db")
    server = Server(store)
    for i in range(40):
        items = [cited(r) for _ in range(r.choice([0, 1, 3, 7, 12]))]
        citations, refused = taken(items)
        want = rank(deduplicate(citations), 5)
        server.told.clear()
        got = server.call("cite_sources", conversation_id=f"c{i // 4}", message_id=f"m{i}", sources=items)
        same([x["index"] for x in got.get("refused", [])], refused, items)
        assert len(got["sources"]) == len(want), (SEED, items, got)
        for g, w in zip(got["sources"], want):
            check_source(g, w)
        assert got["uncertainty"] == uncertainty([w["score"] for w in want]), (SEED, got)
        check_events(got, f"c{i // 4}", f"m{i}", [m["params"]["data"] for m in server.told if m["params"].get("logger") == "stemma.citations"])
        formatted = [format_citation(w["name"], w["page"], w["section"]) for w in want]
        again = server.call("get_citations", message_id=f"m{i}")
        same([c["formatted"] for c in again["citations"]], formatted, items)
        if formatted:
            plain = run("cite", f"m{i}", "--store", store).decode()
            assert plain == "".join(f + "\n" for f in formatted), (SEED, plain, formatted)
            same(json.loads(run("cite", f"m{i}", "--json", "--store", store)), again, items)
    server.close()


def check_events(got, conversation, message, told):
    """One event for each source by rank, then done with the same list, also sent as notifications."""
    events = got["events"]
    assert told == events, (SEED, told, events)
    assert [e["type"] for e in events] == ["source_added"] * len(got["sources"]) + ["done"], (SEED, events)
    assert [e["source"] for e in events[:-1]] == got["sources"] == events[-1]["sources"], (SEED, events)
    assert events[-1]["messageId"] == message and all(e["conversationId"] == conversation for e in events), (SEED, events)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", e["timestamp"]) for e in events), (SEED, events)


def cited_again():
    """A message that cites again has only the last citations; other messages keep theirs."""
    server = Server(os.path.join(SCRATCH, "again.db"))
    item = lambda name, page: {"documentId": name, "documentName": name, "snippet": "s", "relevanceScore": 0.9, "location": {"page": page}}
    server.call("cite_sources", conversation_id="c", message_id="m1", sources=[item("a", 1), item("b", 2)])
    server.call("cite_sources", conversation_id="c", message_id="m2", sources=[item("a", 3)])
    server.call("cite_sources", conversation_id="c", message_id="m1", sources=[item("a", 1), item("c", 4)])
    of = lambda **query: [c["formatted"] for c in server.call("get_citations", **query)["citations"]]
    assert of(message_id="m1") == ["(a, page 1)", "(c, page 4)"]
    assert sorted(of(conversation_id="c")) == ["(a, page 1)", "(a, page 3)", "(c, page 4)"]
    assert of(document_id="b") == [] and sorted(of(document_id="a")) == ["(a, page 1)", "(a, page 3)"]
    assert server.call("cite_sources", conversation_id="c", message_id="m1", sources=[])["uncertainty"] == "complete"
    assert of(message_id="m1") == []
    server.close()


sys.exit(harness.run(the_rules_by_example, imported_chains, extracted_sources, chains_step_by_step, a_chain_is_seen_growing, cited_responses, cited_again))
