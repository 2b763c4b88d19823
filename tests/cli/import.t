# A source that gives nothing leaves no store.
$ echo 'no memory at all' >text; : >empty.db; stemma add raw x --store ours.db >/dev/null; python3 -c "import sqlite3; c = sqlite3.connect('foreign.db'); c.execute('CREATE TABLE other(x)'); c.commit()"; cp $DATA/kernle-1000.db kernle.db; head -c 20000 kernle.db >damaged.db
> for s in "kernle missing" "jsonl missing" "kernle /tmp" "jsonl /tmp" "kernle damaged.db" "kernle empty.db" "cot empty.db" "kernle foreign.db" "kernle text" "kernle ours.db" "jsonl ours.db" "jsonl kernle.db" "jsonl text"; do stemma import $s --store never/never.db; echo $?; done; ls never
stemma: cannot read missing: No such file or directory. Check the path.
3
stemma: cannot read missing: No such file or directory. Check the path.
3
stemma: /tmp is a directory. Give the path of a file.
3
stemma: /tmp is a directory. Give the path of a file.
3
stemma: cannot open damaged.db: the file is damaged. Restore a backup, or run stemma fsck to see what is affected.
3
stemma: empty.db is no store of Kernle. Check the path.
3
stemma: there is nothing in empty.db. Give JSON objects with original_question, final_answer and reasoning_steps: one, a list of them, or several one after the other.
3
stemma: foreign.db is no store of Kernle. Check the path.
3
stemma: cannot open text: it is not a database. Check the path.
3
stemma: ours.db is a store of stemma. Run stemma export on it, then import what that gives.
3
stemma: ours.db is a store of stemma. Run stemma export on it, then import what that gives.
3
stemma: kernle.db is a store of Kernle. Run stemma import kernle on it.
3
stemma: line 1: not JSON: something that is no value at byte 1. Mend the text there and try again.
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
1
ls: cannot access 'never': No such file or directory
[2]
$ stemma import cott - --store never.db </dev/null
stemma: 'cott' is nothing that can be imported. Did you mean cot?
[2]

# It was not done by hand: undo says so, and which number takes it back.
$ printf '{"ref":"raw:a","text":"a"}\n{"ref":"raw:b","text":"b"}\n' >two; stemma import jsonl two --store u.db; stemma undo --store u.db; stemma undo 2 --store u.db; stemma undo --store u.db
read 2 memories: 2 added, 0 updated, 0 unchanged
  2 raw
stemma: the last thing was an import of 2 memories. stemma undo 2 takes it back.
Undone  2
    raw:b  b  (taken back)
    raw:a  a  (taken back)
fell  0
weakened  0
only descend  0
stemma: there is nothing to undo for sean. An event can be undone by its number; stemma log lists them.
[1]
$ stemma add raw c --store u.db >/dev/null; echo '{"ref":"raw:d","text":"d"}' | stemma import jsonl - --store u.db >/dev/null; stemma undo --store u.db | tail -2
to know
  an import of 1 memory came after it and stays: stemma undo 6 takes it back

# Counts: one is not many; twice in one file is a count of its own; lines that cannot be read are named.
$ echo '{"ref":"raw:a","text":"t","derived_from":["raw:gone"]}' | stemma import jsonl - --store one.db
stemma: raw:a: names raw:gone, which is not here
read 1 memory: 1 added, 0 updated, 0 unchanged
  1 raw
  1 link
  1 ref that names nothing here
$ printf '{"ref":"raw:a","text":"t"}\n{"ref":"raw:a","text":"u"}\n' | stemma import jsonl - --store twice.db
stemma: line 2: raw:a: stands there twice, with other content; the first one counts
read 2 memories: 1 added, 0 updated, 0 unchanged
  2 raw
  1 refused: named twice in this source, with other content
[4]
$ printf '{"ref":"raw:one","text":"good"}\nnot json\n' | stemma import jsonl - --store half.db
stemma: line 2: not JSON: something that is no value at byte 1. Mend the text there and try again.
read 1 memory: 1 added, 0 updated, 0 unchanged
  1 raw
  1 not understood
[1]
$ echo '{"ref":"raw:a","text":"t"}' | stemma import jsonl - --agent $'\u200b ' --store blank.db
stemma: line 1: agent_id is missing. Write it in the line, or name the agent.
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
[1]
$ stemma import jsonl story.db --dry-run; stemma export >out.jsonl; wc -l <out.jsonl; stemma import jsonl out.jsonl --dry-run --store never.db; ls never.db
stemma: story.db is a store of stemma. Run stemma export on it, then import what that gives.
171
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
would import 171 memories: 171 added, 0 updated, 0 unchanged
  6 raw, 6 episodes, 21 beliefs, 13 notes, 1 value, 1 goal, 1 drive, 1 relationship, 1 suggestion, 29 attributions, 27 documents, 6 chains, 26 steps, 18 citations, 14 entries
  238 links
  1 ref that names nothing here
ls: cannot access 'never.db': No such file or directory
[2]

# Export and import are lossless.
$ stemma export -o again.jsonl; stemma import jsonl again.jsonl --store again.db --json | jq -c '[.added, .links]'; stemma export --store again.db | diff - out.jsonl
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
[171,238]

# Chains of thought, in every shape; a file says nothing else than a pipe.
$ step() { echo "{\"step_number\":$1,\"question\":\"q\",\"context_used\":[],\"intermediate_answer\":\"a\",\"confidence_score\":0.5,\"reasoning_trace\":\"t\",\"execution_time\":0.5,\"source_attributions\":[$2]}"; }
> chain() { echo "{\"original_question\":\"$1\",\"final_answer\":\"f\",\"reasoning_steps\":[$2]}"; }
> source() { echo "{\"document_id\":\"$1\",\"relevance_score\":$2}"; }
> one=$(chain one "$(step 1 "$(source d 0.9)")"); two=$(chain two ''); n=0
> for shape in "$one$two" "[$one,$two]" "$one
> $two"; do n=$((n + 1)); echo "$shape" | stemma import cot - --agent ash --store shape$n.db; echo "$shape" | stemma import cot - --agent ash --store shape$n.db | head -1; done
> echo "[$one,$two]" >chains.json; stemma import cot chains.json --agent ash --store shape3.db | head -1; stemma list chain --agent ash --store shape3.db | wc -l
> echo "$(chain good "$(step 1 "$(source d 0.9),$(source e 1.5)")")$(chain twice "$(step 1),$(step 1)")" | stemma import cot - --agent ash --store wrong.db
> echo "$two" | stemma import cot - --read-only --store never.db; echo "$(chain x "$(step 1)")" | stemma import cot - --dry-run --store never.db; stemma import cot /nonexistent --store never.db; ls never.db
read 3 memories: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories: 0 added, 0 updated, 3 unchanged
read 3 memories: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories: 0 added, 0 updated, 3 unchanged
read 3 memories: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories: 0 added, 0 updated, 3 unchanged
read 3 memories: 0 added, 0 updated, 3 unchanged
2
stemma: chain 1 (line 1): step 1: source_attributions[1] (“e”): relevance_score is 1.5, which is not between 0 and 1
stemma: chain 2 (line 1): step 1 is there twice
read 2 memories: 2 added, 0 updated, 0 unchanged
  1 chain, 1 step
  3 links
  2 not understood
stemma: import changes the store, and --read-only was given. Leave --read-only out to change the store.
would import 2 memories: 2 added, 0 updated, 0 unchanged
  1 chain, 1 step
  2 links
stemma: cannot read /nonexistent: No such file or directory. Check the path.
ls: cannot access 'never.db': No such file or directory
[2]

# Two thousand sources are read.
$ python3 - >big.json <<'END'
> import json
> print(json.dumps({"original_question": "big", "final_answer": "f", "reasoning_steps": [{"step_number": s, "question": f"question {s}", "intermediate_answer": "a", "confidence_score": 0.5, "execution_time": 1,
>     "source_attributions": [{"document_id": f"doc-{s % 10 * 10 + i}", "relevance_score": (s * 7 + i * 13) % 100 / 100, "excerpt": "passage", "score_origin": "measured"} for i in range(10)]} for s in range(1, 201)]}))
> END
> export STEMMA_STORE=$PWD/big.db COLUMNS=80; stemma import cot big.json --agent ash | head -1; ref=$(stemma list chain --json | jq -r .ref); stemma chain $ref | grep -c '^     '; stemma chain $ref | grep -c '  20 steps$'; stemma chain $ref | grep ^state; stemma sources $ref | grep -c '^  step '
> stemma sources $ref --json | jq -c '.total_sources, (.step_breakdown|length)'; stemma chain $ref --json | jq '.reasoning_steps|length'; stemma cite $ref | wc -l
read 201 memories: 201 added, 0 updated, 0 unchanged
2200
100
state        finished, 200 steps, 100 documents
200
100
200
200
100

# add prints the ref; what names nothing yet is kept and told; - is standard input.
$ ref=$(stemma add raw seen --store deeper/added.db --agent ash); echo ${#ref}; stemma add belief 'so it is' --from $ref --from context:told --evidence episode:later --tag a --tag b --source 'heard it' --json --store deeper/added.db | jq -c '.version, .unresolved'
40
1
["episode:later"]
$ stemma list beliefs --json --store deeper/added.db | jq -c '.source_type, .tags, .annotations'; echo 'from a pipe' | stemma add note - --store deeper/added.db >/dev/null; stemma list notes --json --store deeper/added.db | jq .text; stemma add note x --store deeper/added.db --read-only; stemma fsck --store deeper/added.db
"told_by_agent"
["a","b"]
["context:told"]
"from a pipe"
stemma: add changes the store, and --read-only was given. Leave --read-only out to change the store.
3 events, 3 memories and 2 links checked: all is well
