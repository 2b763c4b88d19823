"""JSON lines for the stores of the benches. The same arguments give the same lines."""
import json, random

DAY, STEP = 1440, 60000
FIRST = 1700000000000
CHAIN, CHAIN_EACH = 5000, 100000
KINDS = ("raw raw raw raw episode raw raw belief raw note episode raw raw belief episode belief belief note episode "
         "belief").split()
AGENTS = "ash ash ash claire claire robin sam deploy-bot".split()
SOURCE_TYPES = "direct_experience inference told_by_agent observation external".split()
KNOWN = ("the deploy staging before migration agent review never rollback database because failed payment worker "
         "queue").split()


def line(ref, text, at, **more):
    return json.dumps({"ref": ref, "agent_id": "ash", "text": text, "created_at": at, "updated_at": at,
                       "source_type": "inference", "status": "active", **more}, ensure_ascii=False) + "\n"


def group(role, refs, at, reading="any"):
    return {"role": role, "reading": reading, "recorded": "recorded", "at": at,
            "antecedents": [{"ref": ref} for ref in dict.fromkeys(refs)]}


def days(count, seed):
    """An agent's days: raw entries become episodes, and these beliefs and notes, about three links for each memory. There are
    several agents, some long texts, one replaced belief in fifty, links to missing memories, circles, and chains of beliefs
    5,000 deep."""
    dice = random.Random(seed)
    words = KNOWN + ["".join(dice.choice("bcdfghklmnprstvw") + dice.choice("aeiou") for _ in range(dice.randint(1, 4)))
                     for _ in range(6000)]
    ids = [f"{dice.getrandbits(32):08x}-{i >> 16:04x}-4{i >> 8 & 255:03x}-a{i & 255:03x}-{i:012x}" for i in range(count)]
    ref = lambda i: f"{KINDS[i % 20]}:{ids[i]}"
    past = {kind: [] for kind in KINDS}
    for i in range(count):
        kind, at = KINDS[i % 20], FIRST + i * STEP
        length = dice.randint(500, 3500) if kind == "raw" and i % 500 == 0 else dice.randint(5, 24)
        text = " ".join(words[int(dice.random() ** 3 * len(words))] for _ in range(length)).capitalize()
        text += (" デプロイの前に確認する" if i % 97 == 0 else "") + (" zyxwvut" if i % 50000 == 77 else "") + "."
        more = {"agent_id": AGENTS[i // DAY * 7 % 8], "source_type": dice.choice(SOURCE_TYPES)}
        groups = []

        def earlier(of, most):
            near = past[of][-most * 3:]
            return dice.sample(near, min(most, len(near)))
        if kind in ("episode", "note"):
            groups.append(group("derived_from", earlier("raw", dice.randint(4, 6)), at))
        elif kind == "belief":
            made = earlier(dice.choice(("episode", "episode", "note")), dice.randint(2, 4))
            if i % 200 == 13:
                made.append(f"raw:{i:08x}-0000-4000-a000-00000000dead")
            groups.append(group("derived_from", made, at, dice.choice(("any",) * 9 + ("all",))))
            groups += [group("evidence", [r], at) for r in earlier("episode", dice.randint(2, 4))]
            before = past["belief"][-1:]
            replaces = len(past["belief"]) % 50 == 1
            chained = i % CHAIN_EACH < min(4 * CHAIN, count // 4)
            if before and (chained or replaces or dice.random() < 0.06):
                groups.append(group("derived_from", before, at))
            if i % 5000 == 3007 and i + 20 < count:
                groups.append(group("derived_from", [ref(i + 20)], at))
            if i % 5000 == 3027:
                groups.append(group("derived_from", [ref(i - 20)], at))
            if replaces:
                more["relations"] = [{"type": "supersedes", "to": before[0], "at": at}]
            if len(past["belief"]) % 50 == 0:
                more["status"] = "superseded"
            more["detail"] = {"belief_type": "fact", "times_reinforced": 1}
        if kind != "raw":
            more["confidence"] = dice.randint(30, 99) / 100
        groups = [g for g in groups if g["antecedents"]]
        if groups:
            more["justifications"] = groups
        if dice.random() < 0.25:
            more["tags"] = ["deploy", "incident", "review"][:dice.randint(1, 3)]
        past[kind].append(ref(i))
        del past[kind][:-40]
        yield line(ref(i), text, at, **more)


def shapes(many, at=FIRST):
    """Lineages that are too large to draw: a belief with that many dependents, one below as many in a tree, one based on all,
    and as many versions of one."""
    for shape in ("hub", "tree", "wide", "versions"):
        for i in range(many + 1):
            name = lambda k: f"belief:{shape}-{k}"
            on = {"hub": [name(0)], "tree": [name((i - 1) // 8)], "versions": [name(i - 1)],
                  "wide": [name(k) for k in range(many)] if i == many else []}[shape] if i else []
            more = {"justifications": [group("derived_from", on, at)]} if on else {}
            if shape == "versions":
                more["status"] = "superseded" if i < many else "active"
                more["relations"] = [{"type": "supersedes", "to": on[0], "at": at}] if on else []
            yield line(name(i), "Something that was said", at + i, **more)


def entries(count, namespaces):
    for i in range(count):
        key = f"user/{i // namespaces:07}/" + ("jane@example.com" if i // namespaces % 50 == 7 else "profile")
        detail = {"namespace": f"agent.n{i % namespaces:04}", "key": key,
                  "value": {"seen": i, "prefers": "short answers, with their sources", "tags": ["a", "b"]}}
        if i % 10 == 3:
            detail["expires_at"] = 4000000000000 + i
        yield line(f"entry:{i:08x}-0000-4000-a000-000000000000", key, FIRST + i, source_type="observation", detail=detail)


def chains(count):
    """A chain of 200 steps with 2,000 sources, then chains of four steps. `handbook` has the same text in each, `frontpage`
    another one."""
    for i in range(count + 1):
        steps = []
        for s in range(1, (201 if i == 0 else 5)):
            used = [("handbook", "always the same"), ("frontpage", f"news {i}.{s}")][:1 + s % 2]
            used += [(f"doc-{i}-{s}-{k}", f"content {k}") for k in range(9 if i == 0 else 1)]
            steps.append({"step_number": s, "question": f"what of {s}?", "intermediate_answer": f"answer {s}",
                          "confidence_score": 0.8, "reasoning_trace": "it follows", "execution_time": 0.5,
                          "source_attributions": [{"document_id": d, "content": c, "relevance_score": 0.7} for d, c in used]})
        yield json.dumps({"original_question": f"question {i % (count // 100 + 1)}", "final_answer": f"so {i}",
                          "reasoning_steps": steps}) + "\n"
