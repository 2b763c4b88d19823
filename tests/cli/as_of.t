# Commands as of an event print what they printed then: the test keeps a copy of the store for each moment.
$ cat >history <<'END'
> {"ref":"raw:11111111","agent_id":"ash","text":"The deploy failed at noon","created_at":1700000000000}
> {"ref":"belief:22222222","agent_id":"ash","text":"Never deploy at noon","created_at":1700000001000,"tags":["deploy"],"derived_from":["raw:11111111"]}
> {"ref":"belief:33333333","agent_id":"claire","text":"Noon is a bad time","created_at":1700000002000,"derived_from":["belief:22222222","raw:99999999"]}
> END
> step() { "$@" >/dev/null 2>&1 || echo "$* failed"; n=$((n+1)); cp now.db then-$n.db; }
> export STEMMA_STORE=$PWD/now.db; while read -r line; do echo "$line" >one; step stemma import jsonl one --store now.db; done <history
> step stemma edit belief:22222222 --text "Deploy after staging" --confidence 0.9 --no-tags --reason "said better"
> step stemma retract raw:11111111 --reason "it did not" --dependants leave --yes
> echo '{"ref":"raw:99999999","agent_id":"claire","text":"Noon again","created_at":1700000004000}' >one; step stemma import jsonl one
> step stemma restore raw:11111111 --reason "it did"; step stemma forget belief:33333333 --yes
> echo '{"ref":"note:44444444","agent_id":"ash","text":"Nothing more","created_at":1700000005000}' >one; step stemma import jsonl one
> stemma log --json | wc -l; ls then-*.db | wc -l
9
9

# Every command prints the same, after an addition, an edit, a retraction, an import of what was missing, and a forgetting.
$ cat >same <<'END'
> export LC_ALL=C.UTF-8
> once() { stemma "$@" --store then-$m.db >was 2>/dev/null; a=$?; stemma "$@" --store now.db --as-of @$m >is 2>err; b=$?; sed -Ei "s, \\((now|[0-9]+[a-z]+)\\),,g" was is; cmp -s was is && [ $a = $b ] && grep -q "(event $m)" err; }
> same() { for try in 1 2 3 4 5 6; do once "$@" && return; done; echo "@$m: $*"; } # an age counts from another time
> memory() { same show raw:11111111; same show raw:11111111 --json; same show raw:11111111 --reverse --json; same history raw:11111111 --json; same whatif raw:11111111 --json; }
> lists() { same list all --json --status all; same list belief --order confidence; same list all --agent ash --json --order text; same list all --label supported --json; same orphans --json; same export; same log --limit 3 --json; }
> END
$ . ./same; for m in 2 4 5 6 8; do lists; done; echo compared
compared
$ . ./same; for m in 2 4 5 6 8; do same search deploy --json; same search noon; same search st --json; done; echo compared
compared
$ . ./same; for m in 2 4 5 6 8; do memory; done; echo compared
compared
$ . ./same; for m in 3 5 6 8; do same show belief:33333333 --trace --json; same show belief:33333333 --trace; same show belief:22222222 --json; same history belief:2222 --json; done; echo compared
compared

# A time selects an event.
$ for t in 2100-01-01 tomorrow now 1999-12-31 @0 @10 @ @-1 @1x @99999999999999999999 soon ''; do stemma list all --json --store now.db --as-of "$t" 2>&1 >/dev/null; echo $?; done; stemma show note:44444444 --store now.db --as-of @8; stemma history note:44444444 --store now.db --as-of @8
stemma: '2100-01-01' is not yet. Give a time in the past, or now.
2
stemma: 'tomorrow' is not yet. Give a time in the past, or now.
2
stemma: as of NOW (event 9)
0
stemma: the store was empty at 1999-12-31: its first event is at NOW. Give a later time.
1
stemma: the store was empty at @0: its first event is at NOW. Give a later time.
1
stemma: there is no event 10: the last one is 9. stemma log shows them.
2
stemma: '@' is not the number of an event. Write it as @123; `stemma history REF` shows the numbers.
2
stemma: '@-1' is not the number of an event. Write it as @123; `stemma history REF` shows the numbers.
2
stemma: '@1x' is not the number of an event. Write it as @123; `stemma history REF` shows the numbers.
2
stemma: '@99999999999999999999' is not the number of an event. Write it as @123; `stemma history REF` shows the numbers.
2
stemma: 'soon' is not a time. Give a date, ISO 8601, how long ago (2 days ago), yesterday, last week, or an event (@123).
2
stemma: '' is not a time. Give a date, ISO 8601, how long ago (2 days ago), yesterday, last week, or an event (@123).
2
stemma: as of NOW (event 8)
stemma: note:44444444 did not exist yet. `stemma history` shows when it was added.
stemma: as of NOW (event 8)
stemma: it did not exist yet
[1]

# Commands that write refuse it.
$ for c in "add note x" "retract raw:11111111 --yes" undo "mark reviewed raw:11111111" "import jsonl /dev/null" "edit raw:11111111 --text=x"; do stemma $c --store now.db --as-of @3; echo $?; done; stemma log --follow --store now.db --as-of @3
stemma: 'add' works only on the current store. Omit --as-of.
4
stemma: 'retract' works only on the current store. Omit --as-of.
4
stemma: 'undo' works only on the current store. Omit --as-of.
4
stemma: 'flag' works only on the current store. Omit --as-of.
4
stemma: 'import' works only on the current store. Omit --as-of.
4
stemma: 'edit' works only on the current store. Omit --as-of.
4
stemma: --as-of shows the past, --follow new events. Omit one of them.
[2]

# A difference names its events, and is exact.
$ d() { stemma diff "$@" --store now.db; }; d @3 @5; d @0 @2; d @2 @0; d @5 @5; d @5 @50
stemma: from NOW (event 3), to NOW (event 5)
belief:22222222  Deploy after staging
  changed by event 4: edit by sean, NOW (AGE)
    text               Never deploy at noon → Deploy after staging
    confidence         0.800 → 0.900
    tags             - deploy
    history          + 0.800 → 0.900 (said better)
raw:11111111  The deploy failed at noon
  changed by event 5: retract by sean, NOW (AGE)
    status             active → retracted
0 added, 2 changed, 0 removed
stemma: from before the first event, to NOW (event 2)
raw:11111111  The deploy failed at noon
  added by event 1: import by ash, NOW (AGE)
belief:22222222  Never deploy at noon
  added by event 2: import by ash, NOW (AGE)
2 added, 0 changed, 0 removed
stemma: from NOW (event 2), to before the first event
raw:11111111  The deploy failed at noon
  not there before event 1: import by ash, NOW (AGE)
belief:22222222  Never deploy at noon
  not there before event 2: import by ash, NOW (AGE)
0 added, 0 changed, 2 removed
stemma: from NOW (event 5), to NOW (event 5)
stemma: nothing differs
stemma: there is no event 50: the last one is 9. stemma log shows them.
[2]
$ d() { stemma diff "$@" --store now.db 2>/dev/null | sed -E 's/:1(7[1-9]|[89][0-9])[0-9]{10}/:T/g'; }; d @3 @5 --json; d @5 @7 --json; d @4 @7 --json; d @7 @5 --json
{"ref":"belief:22222222","event":4,"before":{"text":"Never deploy at noon","updated_at":1700000001000,"confidence":0.8,"tags":["deploy"],"version":1,"history":null},"after":{"text":"Deploy after staging","updated_at":T,"confidence":0.9,"tags":null,"version":2,"history":[{"at":T,"old":0.8,"new":0.9,"reason":"said better"}]},"events":[4]}
{"ref":"raw:11111111","event":5,"before":{"updated_at":1700000000000,"status":"active","version":1},"after":{"updated_at":T,"status":"retracted","version":2},"events":[5]}
{"ref":"raw:99999999","event":6,"before":null,"after":{"ref":"raw:99999999","agent_id":"claire","text":"Noon again","created_at":1700000004000,"updated_at":1700000004000,"confidence":1,"source_type":"direct_experience","status":"active","version":1},"events":[6]}
{"ref":"raw:11111111","event":7,"before":{"updated_at":T,"status":"retracted","version":2},"after":{"updated_at":T,"status":"active","version":3},"events":[7]}
{"ref":"raw:99999999","event":6,"before":null,"after":{"ref":"raw:99999999","agent_id":"claire","text":"Noon again","created_at":1700000004000,"updated_at":1700000004000,"confidence":1,"source_type":"direct_experience","status":"active","version":1},"events":[6]}
{"ref":"raw:11111111","event":7,"before":{"updated_at":1700000000000,"version":1},"after":{"updated_at":T,"version":3},"events":[5,7]}
{"ref":"raw:99999999","event":6,"before":{"ref":"raw:99999999","agent_id":"claire","text":"Noon again","created_at":1700000004000,"updated_at":1700000004000,"confidence":1,"source_type":"direct_experience","status":"active","version":1},"after":null,"events":[6]}
{"ref":"raw:11111111","event":7,"before":{"updated_at":T,"status":"active","version":3},"after":{"updated_at":T,"status":"retracted","version":2},"events":[7]}

# Neither command writes to the store.
$ sha256sum now.db >before; stemma list all --store now.db --as-of @3 --read-only >/dev/null 2>&1; stemma diff @1 @9 --store now.db >/dev/null; sha256sum -c --quiet before && echo the same
stemma: from NOW (event 1), to NOW (event 9)
the same

# A difference between any two moments is exact, on a random history.
$ cat >lead.py <<'END'
> import itertools, json, random, subprocess
> def run(*argv): return subprocess.run(["stemma", *argv, "--store", "random.db"], capture_output=True, text=True).stdout
> dice, there = random.Random(7), [f"{kind}:{n}" for kind in ("raw", "belief", "note") for n in range(4)]
> def line(ref):
>     m = {"ref": ref, "agent_id": dice.choice(("ash", "bo")), "text": f"says {dice.random()}", "created_at": 1700000000000 + dice.randrange(9), "confidence": dice.randrange(5) / 4,
>          "status": dice.choice(("active", "active", "retracted", "forgotten")), "tags": dice.sample("abc", dice.randrange(3)), "derived_from": dice.sample(there, dice.randrange(3))}
>     return json.dumps(m)
> for n in range(8):
>     with open("random.jsonl", "w") as f: f.write("\n".join(line(r) for r in dice.sample(there, 5)))
>     run("import", "jsonl", "random.jsonl", "--replace")
> for command in ("undo", "redo", "purge raw:1 --yes", "retract belief:1 --yes", "restore belief:1"): run(*command.split())
> last = max(json.loads(l)["seq"] for l in run("log", "--json").splitlines())
> states = {n: {m["ref"]: m for m in map(json.loads, run("export", "--as-of", f"@{n}").splitlines())} for n in sorted(dice.sample(range(1, last), 6)) + [last]}
> wrong = changes = 0
> for a, b in itertools.permutations(states, 2):
>     state = {r: dict(m) for r, m in states[a].items()}
>     for d in map(json.loads, run("diff", f"@{a}", f"@{b}", "--json").splitlines()):
>         changes += 1
>         if d["after"] is None: del state[d["ref"]]
>         else: state[d["ref"]] = {k: v for k, v in {**state.get(d["ref"], {}), **d["after"]}.items() if v is not None}
>     purged = [r for r in state if states[b].get(r, {}).get("status") == "purged"]
>     wrong += {r: m for r, m in state.items() if r not in purged} != {r: m for r, m in states[b].items() if r not in purged}
> print(len(states), "moments,", changes > 100, wrong)
> END
> python3 lead.py
7 moments, True 0

# A difference is in the order of the events that it names: the addition of a memory that was added, else the last event.
$ rm -f order.db*; export STEMMA_STORE=$PWD/order.db; for n in 1 2 3; do echo '{"ref":"note:n'$n'","text":"'$n'"}' | stemma import jsonl - >/dev/null 2>&1; done; stemma edit note:n1 --text one >/dev/null; stemma edit note:n2 --text two >/dev/null; for t in @0 @1 @3; do stemma diff $t 2>/dev/null | grep -oE "by event [0-9]+"; echo; done
by event 1
by event 2
by event 3

by event 2
by event 3
by event 4

by event 4
by event 5

# Ages count back from that time.
$ stemma demo --store demo.db >/dev/null </dev/null; stemma list all --store demo.db --as-of "2 weeks ago" --limit 1 2>/dev/null | grep -cE '  [0-9]+[smhd]  '
1
