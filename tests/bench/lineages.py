#!/usr/bin/env python3
"""What blame finds where the truth is known: tests/bench/lineages.py BENCH [REPOSITORY]

BENCH is build/release/tests/bench/bench. Prints what docs/internals/answers.md tells.

Histories of git: that of REPOSITORY, or one that is made. A commit is based on its own change and on one of its parents, so a
set is the changes that all ways from a commit to the first ones go through. They are checked by walking the history without
them. Questions with paragraphs, of which a few are necessary, as in HotpotQA (2 of 10) and MuSiQue (2 to 4 of 20): each step of
a chain of thought is based on its paragraph and the step before; some paragraphs are said twice, some are cited for nothing."""
import os, random, subprocess, sys, tempfile


class Lineage:
    def __init__(self):
        self.lines = []

    def add(self, *groups):
        """A memory based on each of these groups, ("all" or "any", its numbers)."""
        self.lines.append(" | ".join(" ".join(map(str, (reading, *on))) for reading, on in groups))
        return len(self.lines) - 1

    def ask(self, bench, targets):
        """{target: (exact_to, greedy, ms, sources, sets)}"""
        text = "\n".join(self.lines + ["?", *map(str, targets), ""])
        out = subprocess.run([bench, "lineage"], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
        answers = {}
        for line in out.splitlines():
            head, *sets = line.split("\t")
            target, exact, greedy, ms, sources = head.split(" ")
            answers[int(target)] = (float("inf") if exact == "all" else int(exact), greedy == "1", float(ms), int(sources),
                                    [frozenset(map(int, s.split())) for s in sets])
        return answers


def middle(values):
    return sorted(values)[len(values) // 2]


# ---- histories ----

def make_repository(path, commits, dice):
    """A history with branches and merges, as `git fast-import` reads it."""
    subprocess.run(["git", "init", "-q", path], check=True)
    lines, heads = [], []
    for n in range(1, commits + 1):
        parents = []
        if heads:
            parents = dice.sample(heads, 2 if len(heads) > 1 and dice.random() < 0.25 else 1)
        lines += [f"commit refs/heads/c{n}", f"mark :{n}", f"committer a <a@example.com> {1700000000 + n} +0000", "data 1", "c"]
        lines += [("from" if i == 0 else "merge") + f" :{p}" for i, p in enumerate(parents)]
        lines += [f"M 100644 inline f{n}", "data 1", "x", ""]
        if len(parents) == 2 or (parents and dice.random() < 0.75):
            heads = [h for h in heads if h not in parents]
        heads.append(n)
        del heads[:-6]
    subprocess.run(["git", "-C", path, "fast-import", "--quiet"], input="\n".join(lines), text=True, check=True)


def read_history(path):
    """[(commit, parents)], parents first."""
    out = subprocess.run(["git", "-C", path, "rev-list", "--all", "--topo-order", "--reverse", "--parents"],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    return [(ids[0], ids[1:]) for ids in map(str.split, out.splitlines())]


def walk(parents, target, without=()):
    """The commits on ways from the target, none of them in `without`."""
    seen, ways = {target} - set(without), [c for c in [target] if c not in without]
    while ways:
        on = [p for p in parents[ways.pop()] if p not in seen and p not in without]
        seen.update(on)
        ways += on
    return seen


def survives(parents, target, without):
    """Is there a way from the target to a first commit, through none of `without`?"""
    return any(not parents[c] for c in walk(parents, target, without))


def measure_history(bench, name, path, dice):
    history = read_history(path)
    lineage, change, memory, parents = Lineage(), {}, {}, dict(history)
    for commit, on in history:
        change[commit] = lineage.add()
        memory[commit] = lineage.add(*[("all", (change[commit], memory[p])) for p in on] or [("all", (change[commit],))])
    commit_of = {number: commit for commit, number in change.items()}
    targets = [commit for commit, _ in dice.sample(history, min(200, len(history)))]
    answers = lineage.ask(bench, [memory[c] for c in targets])
    print(f"{name}: {len(history)} commits, {sum(len(on) > 1 for _, on in history)} merges; asked for {len(targets)}")
    wrong = checked = missing = 0
    for target in targets:
        exact, _, _, _, sets = answers[memory[target]]
        ancestors = sorted(walk(parents, target))
        for found in dice.sample(sets, min(20, len(sets))):
            named = {commit_of[n] for n in found}
            checked += 1
            wrong += survives(parents, target, named) or any(not survives(parents, target, named - {c}) for c in named)
        alone = {commit_of[min(s)] for s in sets if len(s) == 1}
        tried = dice.sample(ancestors, min(40, len(ancestors)))
        missing += sum(c not in alone and not survives(parents, target, {c}) for c in tried)
    sizes = [sum(len(s) == k for t in targets for s in answers[memory[t]][4]) for k in (1, 2, 3)]
    print(f"  sets of 1, 2, 3 changes, mean of a commit: {', '.join(f'{s / len(targets):.1f}' for s in sizes)}")
    print(f"  changes below a commit: median {middle([answers[memory[t]][3] for t in targets])}")
    print(f"  all sets: {sum(a[0] == float('inf') for a in answers.values())}; at least to size 3:"
          f" {sum(a[0] >= 3 for a in answers.values())}; to size 2: {sum(a[0] >= 2 for a in answers.values())};"
          f" greedy: {sum(a[1] for a in answers.values())}")
    print(f"  sets checked by walking: {checked}, wrong {wrong}; single changes that it missed: {missing}")
    print(f"  ms: median {middle([a[2] for a in answers.values()]):.2f}, slowest {max(a[2] for a in answers.values()):.1f}")


# ---- questions ----

def make_question(lineage, dice, paragraphs, hops, twice, cited, reading):
    """The number of the answer, its necessary paragraphs, and pairs of which one is necessary. `cited` others are cited by each
    step, together with what it needs ("all"), or each as a reason of its own ("any")."""
    number = [lineage.add() for _ in range(paragraphs)]
    chosen = dice.sample(number, min(paragraphs, 2 * hops))
    compares, necessary, pairs, steps = dice.random() < 0.4, set(), set(), []
    for hop in range(hops):
        paragraph, other = chosen[hop], chosen[-1 - hop]
        on = [] if compares or not steps else [steps[-1]]
        noise = dice.sample([p for p in number if p not in chosen], min(cited, paragraphs - len(chosen)))
        also = noise if reading == "all" else []
        groups = [("all", (paragraph, *on, *also))]
        if dice.random() < twice:
            groups.append(("all", (other, *on, *also)))
            pairs.add(frozenset((paragraph, other)))
        else:
            necessary.add(paragraph)
        if reading == "any":
            groups += [("any", noise)] if noise else []
        steps.append(lineage.add(*groups))
    return lineage.add(("all", steps if compares else steps[-1:])), necessary, pairs


def measure_questions(bench, name, count, paragraphs, hops, twice, cited, reading, dice):
    lineage = Lineage()
    asked = [make_question(lineage, dice, paragraphs, dice.choice(hops), twice, cited, reading) for _ in range(count)]
    answers = lineage.ask(bench, [question[0] for question in asked])
    right = found_one = named = truth = cites = pairs_found = pairs_true = 0
    for target, necessary, pairs in asked:
        _, _, _, sources, sets = answers[target]
        alone = {min(s) for s in sets if len(s) == 1}
        found_one += len(alone & necessary)
        named += len(alone)
        truth += len(necessary)
        cites += sources
        pairs_true += len(pairs)
        pairs_found += len(pairs & set(sets))
        right += alone == necessary and pairs == {s for s in sets if len(s) > 1}
    share = lambda part, of: f"{100 * part / of:.0f} %" if of else "-"
    print(f"{name}: {share(right, count)} exactly right; necessary ones found {share(found_one, truth)}, of those named"
          f" {share(found_one, named)} are; pairs found {share(pairs_found, pairs_true)};"
          f" necessary among all cited {share(truth, cites)}; slowest {max(a[2] for a in answers.values()):.2f} ms")


def main():
    bench, dice = sys.argv[1], random.Random(29)
    if len(sys.argv) > 2:
        measure_history(bench, os.path.basename(os.path.abspath(sys.argv[2])), sys.argv[2], random.Random(29))
    with tempfile.TemporaryDirectory(prefix="stemma-lineages-") as folder:
        make_repository(folder, 500, dice)
        measure_history(bench, "a made history", folder, dice)
    for paragraphs, hops, name in ((10, (2,), "HotpotQA"), (20, (2, 3, 4), "MuSiQue")):
        for reading, cited in (("all", 0), ("all", 2), ("any", 2)):
            cites = f"{cited} others cited with each step, as {reading}" if cited else "only what is needed is cited"
            measure_questions(bench, f"like {name}, {cites}", 1000, paragraphs, hops, 0.2, cited, reading, dice)


main()
