# A source without memories creates no store.
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
stemma: there is nothing in empty.db. Give chains of thought as JSON objects with original_question, final_answer and reasoning_steps.
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
stemma: line 1: not JSON: an unexpected character at byte 1. Fix the text there and try again.
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
1
ls: cannot access 'never': No such file or directory
[2]
$ stemma import cott - --store never.db </dev/null
stemma: 'cott' is not an import format. Did you mean cot?
[2]

# An import is not a change by hand: undo says so, and names the number that undoes it.
$ printf '{"ref":"raw:a","text":"a"}\n{"ref":"raw:b","text":"b"}\n' >two; stemma import jsonl two --store u.db; stemma undo --store u.db; stemma undo 2 --store u.db; stemma undo --store u.db
read 2 memories into u.db: 2 added, 0 updated, 0 unchanged
  2 raw entries
stemma: the last change was an import of 2 memories. stemma undo 2 undoes it.
── undone ─ 2
     raw:b         b undone 1.00 AGE
     raw:a         a undone 1.00 AGE
   the memories are removed; redo brings them back
   no other memory is affected
stemma: sean has no change to undo. Undo an event by its number, which `stemma history REF` shows; in the explorer u undoes the one under the cursor of I or @.
[1]
$ stemma add raw c --store u.db >/dev/null; echo '{"ref":"raw:d","text":"d"}' | stemma import jsonl - --store u.db >/dev/null; stemma undo --store u.db | tail -2
── notes
   a later import of 1 memory stays: stemma undo 6 undoes it

# References to missing memories are counted, and new ones are reported.
$ line() { printf '{"ref":"raw:%s","text":"t","derived_from":["raw:%s","raw:%s"]}\n' $1 $2 $3; }; line a gone old >1; (line b gone new; line c new gone) >2; echo '{"ref":"raw:d","text":"t"}' >3; for i in 1 2 2 3; do stemma import jsonl $i --store n.db 2>&1 | grep -E 'names|^read|nothing'; done
stemma: raw:a: names raw:gone, which is not here
stemma: raw:a: names raw:old, which is not here
read 1 memory into n.db: 1 added, 0 updated, 0 unchanged
stemma: raw:b: names raw:gone, which is not here
stemma: raw:b: names raw:new, which is not here
read 2 memories into n.db: 2 added, 0 updated, 0 unchanged
read 2 memories into n.db: 0 added, 0 updated, 2 unchanged
read 1 memory into n.db: 1 added, 0 updated, 0 unchanged

# Counts: singular and plural; duplicates in one file are counted apart; unreadable lines are named.
$ echo '{"ref":"raw:a","text":"t","derived_from":["raw:gone"]}' | stemma import jsonl - --store one.db
stemma: raw:a: names raw:gone, which is not here
read 1 memory into one.db: 1 added, 0 updated, 0 unchanged
  1 raw entry
  1 link
  1 ref that is not in this store
$ printf '{"ref":"raw:a","text":"t"}\n{"ref":"raw:a","text":"u"}\n' | stemma import jsonl - --store twice.db
stemma: line 2: raw:a: occurs twice with different content; the first one counts
read 2 memories into twice.db: 1 added, 0 updated, 0 unchanged
  2 raw entries
  1 refused: named twice in this source, with different content
[4]
$ printf '{"ref":"raw:one","text":"good"}\nnot json\n' | stemma import jsonl - --store half.db
stemma: line 2: not JSON: an unexpected character at byte 1. Fix the text there and try again.
read 1 memory into half.db: 1 added, 0 updated, 0 unchanged
  1 raw entry
  1 not understood
[1]
$ echo '{"ref":"raw:a","text":"t"}' | stemma import jsonl - --agent $'\u200b ' --store blank.db
stemma: line 1: agent_id is missing. Write it in the line, or name the agent.
read 0 memories into blank.db: 0 added, 0 updated, 0 unchanged
  1 not understood
[1]
$ stemma import jsonl story.db --dry-run; stemma export >out.jsonl; wc -l <out.jsonl; stemma import jsonl out.jsonl --dry-run --store never.db; ls never.db
stemma: story.db is a store of stemma. Run stemma export on it, then import what that gives.
171
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
would import 171 memories into never.db: 171 added, 0 updated, 0 unchanged
  6 raw entries, 6 episodes, 21 beliefs, 13 notes, 1 value, 1 goal, 1 drive, 1 relationship, 1 suggestion, 29 attributions, 27 documents, 6 chains, 26 steps, 18 citations, 14 entries
  238 links
  1 ref that is not in this store
ls: cannot access 'never.db': No such file or directory
[2]

# Export and import are lossless.
$ stemma export -o again.jsonl; stemma import jsonl again.jsonl --store again.db --json | jq -c '[.added, .links]'; stemma export --store again.db | diff - out.jsonl
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
[171,238]

# Chains of thought in every form; a file and a pipe give the same.
$ step() { echo "{\"step_number\":$1,\"question\":\"q\",\"context_used\":[],\"intermediate_answer\":\"a\",\"confidence_score\":0.5,\"reasoning_trace\":\"t\",\"execution_time\":0.5,\"source_attributions\":[$2]}"; }
> chain() { echo "{\"original_question\":\"$1\",\"final_answer\":\"f\",\"reasoning_steps\":[$2]}"; }
> source() { echo "{\"document_id\":\"$1\",\"relevance_score\":$2}"; }
> one=$(chain one "$(step 1 "$(source d 0.9)")"); two=$(chain two ''); n=0
> for shape in "$one$two" "[$one,$two]" "$one
> $two"; do n=$((n + 1)); echo "$shape" | stemma import cot - --agent ash --store shape$n.db; echo "$shape" | stemma import cot - --agent ash --store shape$n.db | head -1; done
> echo "[$one,$two]" >chains.json; stemma import cot chains.json --agent ash --store shape3.db | head -1; stemma list chain --agent ash --store shape3.db | wc -l
> echo "$(chain good "$(step 1 "$(source d 0.9),$(source e 1.5)")")$(chain twice "$(step 1),$(step 1)")" | stemma import cot - --agent ash --store wrong.db
> echo "$two" | stemma import cot - --read-only --store never.db; echo "$(chain x "$(step 1)")" | stemma import cot - --dry-run --store never.db; stemma import cot /nonexistent --store never.db; ls never.db
> echo "[1,2]" | stemma import cot - --store wrong.db
read 3 memories into shape1.db: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories into shape1.db: 0 added, 0 updated, 3 unchanged
read 3 memories into shape2.db: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories into shape2.db: 0 added, 0 updated, 3 unchanged
read 3 memories into shape3.db: 3 added, 0 updated, 0 unchanged
  2 chains, 1 step
  3 links
read 3 memories into shape3.db: 0 added, 0 updated, 3 unchanged
read 3 memories into shape3.db: 0 added, 0 updated, 3 unchanged
2
stemma: chain 1 (line 1): step 1: source_attributions[1] (“e”): relevance_score is 1.5, which is not between 0 and 1
stemma: chain 2 (line 1): step 1 occurs twice
read 2 memories into wrong.db: 2 added, 0 updated, 0 unchanged
  1 chain, 1 step
  3 links
  2 not understood
stemma: import changes the store, but --read-only was given. Omit --read-only to change the store.
would import 2 memories into never.db: 2 added, 0 updated, 0 unchanged
  1 chain, 1 step
  2 links
stemma: cannot read /nonexistent: No such file or directory. Check the path.
ls: cannot access 'never.db': No such file or directory
stemma: chain 1 (line 1): a chain must be an object
stemma: chain 2 (line 1): a chain must be an object
read 0 memories into wrong.db: 0 added, 0 updated, 0 unchanged
  2 not understood
[1]

# Two thousand sources are read.
$ python3 - >big.json <<'END'
> import json
> print(json.dumps({"original_question": "big", "final_answer": "f", "reasoning_steps": [{"step_number": s, "question": f"question {s}", "intermediate_answer": "a", "confidence_score": 0.5, "execution_time": 1,
>     "source_attributions": [{"document_id": f"doc-{s % 10 * 10 + i}", "relevance_score": (s * 7 + i * 13) % 100 / 100, "excerpt": "passage", "score_origin": "measured"} for i in range(10)]} for s in range(1, 201)]}))
> END
> export STEMMA_STORE=$PWD/big.db COLUMNS=80; stemma import cot big.json --agent ash | head -1; ref=$(stemma list chain --json | jq -r .ref); stemma chain $ref | grep -c '^   '; stemma chain $ref | grep -c '  20 steps$'; stemma chain $ref | grep '^ state'; stemma sources $ref | grep -c '^  step '
> stemma sources $ref --json | jq -c '.total_sources, (.step_breakdown|length)'; stemma chain $ref --json | jq '.reasoning_steps|length'; stemma cite $ref | wc -l
read 201 memories into DIR/big.db: 201 added, 0 updated, 0 unchanged
2300
100
 state        finished, 200 steps, 100 documents
200
100
200
200
100

# add prints the ref; a reference to a missing memory is kept and reported; - is standard input.
$ ref=$(stemma add raw seen --store deeper/added.db --agent ash); echo ${#ref}; stemma add belief 'so it is' --from $ref --from context:told --evidence episode:later --tag a --tag b --source 'heard it' --json --store deeper/added.db | jq -c '.version, .unresolved'
40
1
["episode:later"]
$ stemma list beliefs --json --store deeper/added.db | jq -c '.source_type, .tags, .annotations'; echo 'from a pipe' | stemma add note - --store deeper/added.db >/dev/null; stemma list notes --json --store deeper/added.db | jq .text; stemma add note x --store deeper/added.db --read-only; stemma fsck --store deeper/added.db
"told_by_agent"
["a","b"]
["context:told"]
"from a pipe"
stemma: add changes the store, but --read-only was given. Omit --read-only to change the store.
3 events, 3 memories and 2 links checked: all is well

# Any line end works, and a bad line affects no other.
$ cat >f <<'END'
> ref() { echo "{\"ref\":\"$1\",\"text\":\"$2\"}"; }
> END
> . ./f; n=0; for ends in '\n' '\r\n' '' '\n\n\n' '\n \t\n'; do n=$((n + 1)); printf "$(ref raw:1 a)\n$(ref raw:2 b)$ends" | stemma import jsonl - --agent ash --store ends$n.db | head -1; done; printf '\xef\xbb\xbf'"$(ref raw:1 a)" | stemma import jsonl - --agent ash --store bom.db | head -1; stemma import jsonl - --store none.db </dev/null
> while read -r bad; do echo "$bad"; n=$((n + 1)); ref note:$n good; done <<'END' | stemma import jsonl - --agent ash --store bad.db
> not json
> []
> {}
> {"ref":"raw"}
> {"ref":"nokind:1","text":"a"}
> {"ref":"raw:1","confidence":2}
> {"ref":"raw:1"
> "raw:1"
> null
> {"ref":"raw:1","ref":"raw:2"}
> {"next":"abc"}
> {"ref":"raw:1","status":"missing"}
> END
> printf '\0\xff\xfe\0\n{"ref":"raw:2","text":"\xff"}\n\x01\n' | stemma import jsonl - --agent ash --store bytes.db; stemma export --store bytes.db | jq -c '[.text, .detail]'
read 2 memories into ends1.db: 2 added, 0 updated, 0 unchanged
read 2 memories into ends2.db: 2 added, 0 updated, 0 unchanged
read 2 memories into ends3.db: 2 added, 0 updated, 0 unchanged
read 2 memories into ends4.db: 2 added, 0 updated, 0 unchanged
read 2 memories into ends5.db: 2 added, 0 updated, 0 unchanged
read 1 memory into bom.db: 1 added, 0 updated, 0 unchanged
read 0 memories into none.db: 0 added, 0 updated, 0 unchanged
stemma: line 1: not JSON: an unexpected character at byte 1. Fix the text there and try again.
stemma: line 3: the line is not an object. Fix that member and try again.
stemma: line 5: ref is missing. Fix that member and try again.
stemma: line 7: ref is “raw”, which is no kind:id. Write it as kind:id.
stemma: line 9: ref is “nokind:1”, which is no kind:id. Write it as kind:id.
stemma: line 11: confidence is not between 0 and 1. Fix that member and try again.
stemma: line 13: not JSON: unexpected end at byte 15. Fix the text there and try again.
stemma: line 15: the line is not an object. Fix that member and try again.
stemma: line 17: the line is not an object. Fix that member and try again.
stemma: line 19: JSON with a duplicate key at byte 16. Fix the text there and try again.
stemma: line 21: ref is missing. Fix that member and try again.
stemma: line 23: status is “missing”, which is not one of its values. Use one of the values that the format defines.
read 12 memories into bad.db: 12 added, 0 updated, 0 unchanged
  12 notes
  12 not understood
stemma: line 1: not JSON: an unexpected character at byte 1. Fix the text there and try again.
stemma: line 3: not JSON: an unexpected character at byte 1. Fix the text there and try again.
read 1 memory into bytes.db: 1 added, 0 updated, 0 unchanged
  1 raw entry
  2 not understood
["�",{"original":"/w=="}]

# A member called original is no text's; the original of a text goes with the text.
$ printf '{"ref":"belief:o","text":"a\xff","detail":{"original":"aGk="}}\n' | stemma import jsonl - --agent ash --store o.db >/dev/null; was() { stemma show belief:o --store o.db --json | jq -c .detail; }; was; stemma edit belief:o --text "b" --store o.db >/dev/null; was; stemma undo --yes --store o.db >/dev/null; was; stemma replace belief:o "c" --store o.db >/dev/null; stemma list belief --store o.db --json | jq -c '[.text, .detail]'
{"original":"aGk=","original_2":"Yf8="}
{"original":"aGk="}
{"original":"aGk=","original_2":"Yf8="}
["c",{"original":"aGk="}]
["a�",{"original":"aGk=","original_2":"Yf8="}]

# What is not known is left out and told, twenty times at most; what can hardly be meant is kept and told; a place that is none refuses its line.
$ stemma import jsonl - --agent ash --store doubt.db <<'END'
> {"ref":"raw:1","text":"a","mood":1}
> {"ref":"raw:2","text":"a","mood":2,"colour":"red","label":"gone"}
> {"ref":"belief:1","text":"a","history":[{"at":1,"old":-0.5,"new":7}]}
> {"ref":"belief:2","text":"a","history":[{"at":1,"old":0,"new":1}]}
> {"ref":"raw:3","text":"secret","status":"purged"}
> {"ref":"raw:4","text":"","status":"purged"}
> {"ref":"note:5","text":"a","annotations":["raw:x","context:raw:y"]}
> {"ref":"attribution:6","text":"a","detail":{"source_type":"web","retrieval_timestamp":1790000000000,"full_content_hash":"abc"}}
> {"ref":"attribution:7","text":"a","detail":{"source_type":"web","retrieval_timestamp":1790000000000,"full_content_hash":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF"}}
> {"ref":"attribution:8","text":"a","detail":{"source_type":"web","retrieval_timestamp":1790000000000,"full_content_hash":null}}
> {"ref":"step:1","text":"q","detail":{"step_number":-1}}
> {"ref":"citation:2","text":"s","detail":{"page":"x"}}
> {"ref":"citation:3","text":"s","detail":{"page":null}}
> {"ref":"step:4","text":"q","detail":{"step_number":2,"page":"x"}}
> {"ref":"entry:b","text":"b","detail":{"namespace":"x y","value":1}}
> {"ref":"entry:f","text":"f"}
> {"ref":"entry:j","text":"j","detail":{"namespace":"n"}}
> END
> for i in $(seq 30); do echo "{\"ref\":\"raw:$i\",\"text\":\"a\",\"mood\":1}"; done | stemma import jsonl - --agent ash --store mood.db 2>&1 | sed 's/line [0-9]*/line N/' | sort | uniq -c
stemma: line 1: a member that is not known; left out: mood
stemma: line 2: members that are not known; left out: mood, colour
stemma: line 3: belief:1: history[0]: old is not between 0 and 1; kept as it is
stemma: line 3: belief:1: history[0]: new is not between 0 and 1; kept as it is
stemma: line 5: raw:3: is purged, and has a text all the same; kept as it is
stemma: line 7: note:5: the annotation raw:x is a ref, which links nothing there; kept as it is
stemma: line 8: attribution:6: full_content_hash is not 64 hex digits. Give the SHA-256 of the content, or leave it out.
stemma: line 11: step:1: detail: step_number is -1; give a whole number from 1 on
stemma: line 12: citation:2: detail: page is "x"; give a whole number from 0 on
stemma: line 15: entry:b: the namespace of an entry cannot be "x y". Give letters, digits, _ and -, with dots between parts, 100 bytes of them at most.
stemma: line 16: entry:f: an entry is in a namespace, and this one is in none. Give the field namespace.
stemma: line 17: entry:j: an entry has a value, and this one has none. Give the field value as JSON; null says that there is nothing.
read 11 memories into doubt.db: 11 added, 0 updated, 0 unchanged
  4 raw entries, 2 beliefs, 1 note, 2 attributions, 1 step, 1 citation
  12 not understood
      1   30 not understood
      1   30 raw entries
      1 read 30 memories into mood.db: 30 added, 0 updated, 0 unchanged
      1 stemma: 10 more lines have members that are not known; left out
     20 stemma: line N: a member that is not known; left out: mood

# The order of lines does not matter; refs are exact; of duplicates the first counts.
$ . ./f; a='{"ref":"belief:b","text":"b","created_at":1,"derived_from":["belief:c"]}'; b='{"ref":"belief:c","text":"c","created_at":1,"derived_from":["raw:r"],"supersedes":"belief:old"}'; c='{"ref":"raw:r","text":"r","created_at":1,"processed_into":["belief:c"]}'
> for o in "$a $b $c" "$a $c $b" "$b $a $c" "$b $c $a" "$c $a $b" "$c $b $a"; do rm -f o.db; echo "$o" | sed 's/} {/}\n{/g' | stemma import jsonl - --agent ash --store o.db 2>&1 | tr '\n' ' '; stemma export --store o.db | md5sum; done | uniq -c | sed 's/[0-9a-f]\{32\}  -/one sum/'
> printf '{"ref":"raw:abcdef01-2345-4789-8abc-def012345678","text":"whole"}\n{"ref":"note:n","text":"n","derived_from":["raw:abcdef01"]}' | stemma import jsonl - --agent ash --store exact.db 2>&1 | head -1; (ref raw:1 first; ref raw:1 first; ref raw:1 second) | stemma import jsonl - --agent ash --store thrice.db; stemma show raw:1 --json --store thrice.db | jq .text
      6 stemma: belief:c: names belief:old, which is not here read 3 memories into o.db: 3 added, 0 updated, 0 unchanged   1 raw entry, 2 beliefs   4 links   1 ref that is not in this store one sum
stemma: note:n: names raw:ID1, which is not here
stemma: line 3: raw:1: occurs twice with different content; the first one counts
read 3 memories into thrice.db: 1 added, 0 updated, 1 unchanged
  3 raw entries
  1 refused: named twice in this source, with different content
"first"

# A stream with mostly the same content is the same source; other content is another source.
$ . ./f; (ref raw:1 a; ref raw:2 b; ref raw:3 c) | stemma import jsonl - --agent ash --store s.db | head -1; (ref raw:1 a; ref raw:2 b; ref raw:3 changed) | stemma import jsonl - --agent ash --store s.db | head -1; (ref raw:0 new; ref raw:1 clash) | stemma import jsonl - --agent ash --store s.db; sum=$(md5sum <s.db); (ref raw:9 new; ref raw:1 changed) | stemma import jsonl - --agent ash --store s.db --dry-run --read-only; [ "$sum" = "$(md5sum <s.db)" ] && echo untouched; ref raw:9 new | stemma import jsonl - --agent ash --store s.db --read-only
> python3 -c "
> for n in range(1, 5): print('{\"ref\":\"raw:%d\",\"text\":\"%s\"}' % (n, 'x' * ((65 if n % 2 == 0 else 1) << 20)))" | stemma import jsonl - --agent ash --store long.db
read 3 memories into s.db: 3 added, 0 updated, 0 unchanged
read 3 memories into s.db: 0 added, 1 updated, 2 unchanged
stemma: line 2: raw:1: is here from another origin with other content; refused
read 2 memories into s.db: 1 added, 0 updated, 0 unchanged
  2 raw entries
  1 refused: another origin wrote it with different content
stemma: line 2: raw:1: is here from another origin with other content; would be refused
would import 2 memories into s.db: 1 added, 0 updated, 0 unchanged
  2 raw entries
  1 refused: another origin wrote it with different content
untouched
stemma: import changes the store, but --read-only was given. Omit --read-only to change the store.
stemma: line 2: is longer than 64 MiB; skipped
stemma: line 4: is longer than 64 MiB; skipped
read 2 memories into long.db: 2 added, 0 updated, 0 unchanged
  2 raw entries
  2 not understood
[1]

# A chain is recognised by its content, however it is written, and by its agent; one undo takes back one import, and undone memories are not imported again.
$ cat >c <<'END'
> export STEMMA_STORE=$PWD/c.db
> rm -f c.db*
> step() { echo "{\"step_number\":$1,\"question\":\"$2\",\"context_used\":[],\"intermediate_answer\":\"$3\",\"confidence_score\":0.5,\"reasoning_trace\":\"t\",\"execution_time\":0.5,\"source_attributions\":[{\"document_id\":\"d\",\"relevance_score\":0.5}]}"; }
> chain() { echo "{\"original_question\":\"$1\",\"final_answer\":\"f\",\"reasoning_steps\":[$2]}"; }
> cot() { cat >"$1"; stemma import cot "$1" --agent ${2:-ash} $3 2>&1 | grep -E '^read|stemma:|understood'; }
> one=$(chain "one?" "$(step 1 a x),$(step 2 b y)"); two=$(chain "two?" "$(step 1 c z)")
> END
> . ./c; echo "[$one,$two]" | cot a.json; n=$(stemma log --json | wc -l); echo "[$one,$two]" | cot a.json; printf '%s\n%s\n' "$two" "$one" | cot a.json; echo "[ $one ]" | cot copy.json; [ $n = $(stemma log --json | wc -l) ] && echo nothing was written; echo "[$one,$two,$(chain "three?")]" | cot a.json; echo "$one" | cot bo.json bo; echo "$(chain "four?")$(chain "four?")" | cot twice.json; stemma list chain | wc -l; stemma fsck
read 5 memories into DIR/c.db: 5 added, 0 updated, 0 unchanged
read 5 memories into DIR/c.db: 0 added, 0 updated, 5 unchanged
read 5 memories into DIR/c.db: 0 added, 0 updated, 5 unchanged
read 3 memories into DIR/c.db: 0 added, 0 updated, 3 unchanged
nothing was written
read 6 memories into DIR/c.db: 1 added, 0 updated, 5 unchanged
read 3 memories into DIR/c.db: 3 added, 0 updated, 0 unchanged
read 2 memories into DIR/c.db: 1 added, 0 updated, 1 unchanged
5
11 events, 11 memories and 15 links checked: all is well
$ . ./c; echo "[$one,$two]" | cot a.json; stemma log --json | jq -r .correlation | sort -u | wc -l; stemma undo $(stemma log --json | wc -l) | head -1; stemma list all | wc -l; echo "[$one,$two]" | cot a.json; echo "[$one,$two]" | cot a.json ash --replace; stemma list chain | grep -c 'finished'; mv a.json b.json; stemma import cot b.json --agent ash | grep -c ' 5 unchanged'; echo "$two" | cot was.json; mv was.json is.json; stemma import cot is.json --agent ash 2>&1 | grep -oE 'taken for|read.*'; stemma fsck
read 5 memories into DIR/c.db: 5 added, 0 updated, 0 unchanged
1
── undone ─ 6
stemma: nothing matched
0
read 5 memories into DIR/c.db: 0 added, 0 updated, 5 unchanged
read 5 memories into DIR/c.db: 5 added, 0 updated, 0 unchanged
2
stemma: recognised as DIR/a.json, moved
1
read 2 memories into DIR/c.db: 0 added, 0 updated, 2 unchanged
read 2 memories into DIR/c.db: 0 added, 0 updated, 2 unchanged
18 events, 6 memories and 9 links checked: all is well

# Invalid text is repaired, too deep values are refused, large files go in slices, and a file is checked before a store is created.
$ . ./c; deep() { python3 -c "print('{\"original_question\":\"deep\",\"final_answer\":\"a\",\"reasoning_steps\":[],\"more\":' + '[' * $1 + ']' * $1 + '}')"; }; (printf '%s\n' "$(chain $'q \xff?' "$(step 1 'a\u0000b' '\ud800x')")"; deep 101; deep 100000; echo "$one") | cot odd.json; stemma list chain --json | jq -c .text; stemma list step --json | jq -c .text; stemma fsck
stemma: chain 2 (line 2): more cannot be kept: JSON nested deeper than 100 levels at byte 101
stemma: chain 3 (line 3): JSON nested deeper than 128 levels at byte 203. Nest it less, or give it as a string.
read 5 memories into DIR/c.db: 5 added, 0 updated, 0 unchanged
  2 not understood
"one?"
"q �?"
"b"
"a"
"a�b"
6 events, 6 memories and 9 links checked: all is well
$ . ./c; for i in $(seq 300); do chain "q $i" "{\"step_number\":1,\"question\":\"a\",\"context_used\":[\"id:d$((i % 7)) x\"]}"; done >many; cot m.json <many; cot m.json <many; stemma list document | wc -l; stemma list chain | wc -l; for t in "$one" "7 $one" "[{},$one]" "" "[]" 7 '{"a":1} {"b":2}' "some words" '{"ref":"raw:a","text":"b"}'; do rm -f c.db*; echo "$t" >look; stemma import cot look --agent ash 2>&1 | tail -1 | cut -c1-110; ls c.db 2>/dev/null; done
read 600 memories into DIR/c.db: 600 added, 0 updated, 0 unchanged
read 600 memories into DIR/c.db: 0 added, 0 updated, 600 unchanged
7
300
  6 links
c.db
  1 not understood
c.db
  1 not understood
c.db
stemma: there is nothing in look. Give chains of thought as JSON objects with original_question, final_answer
read 0 memories into DIR/c.db: 0 added, 0 updated, 0 unchanged
c.db
  1 not understood
  2 not understood
  2 not understood
stemma: look is a file of memories in JSON Lines. Run stemma import jsonl on it.
[2]

# A named pipe, which could be waited for forever, is no file; a pipe of the shell is.
$ mkfifo fifo; printf '{"ref":"attribution:a","text":"x","detail":{"source_type":"w","retrieval_timestamp":1690000000001}}\n' | stemma import jsonl - --store fifo.db >/dev/null
> for c in "import kernle" "import jsonl" "import cot" "seed" "check attribution:a" "import kernle --follow"; do timeout 20 stemma $c fifo --store fifo.db; echo $?; done
> stemma import jsonl <(printf '{"ref":"raw:a","text":"x"}\n') --store fifo.db >/dev/null; stemma list raw --store fifo.db
stemma: fifo is not a regular file. Give the path of a file.
3
stemma: fifo is not a regular file. Give the path of a file.
3
stemma: fifo is not a regular file. Give the path of a file.
3
stemma: fifo is not a regular file. Give the path of a file.
3
stemma: fifo is not a regular file. Give the path of a file.
3
stemma: fifo is not a regular file. Give the path of a file.
3
●  raw:a  1.00  –  direct AGE  x

# A source type that is no text is not called missing.
$ for t in 7 null '""' '"  "'; do echo '{"ref":"attribution:a","text":"x","detail":{"source_type":'"$t"',"retrieval_timestamp":1690000000001}}' | stemma import jsonl - --store typed.db 2>&1 | grep stemma: ; done
stemma: line 1: attribution:a: source_type is not a text. Give the field source_type, such as web_scrape.
stemma: line 1: attribution:a: source_type is missing. Give the field source_type, such as web_scrape.
stemma: line 1: attribution:a: source_type is empty. Give the field source_type, such as web_scrape.
[1]
