# What waits for a person's decision: `stemma review` and `stemma merge`.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db TMPDIR=$PWD; rm -rf s.db* .local stemma-review-*
> # agent NAME, then lines "TOOL ARGUMENTS"
> agent() { python3 -c '
> import json, subprocess, sys
> p = subprocess.Popen(["stemma", "mcp", "--agent", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
> def ask(method, **params):
>     print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=p.stdin, flush=True)
>     while (m := json.loads(p.stdout.readline())).get("id") != 1: pass
>     return m["result"]
> ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
> for line in sys.stdin:
>     tool, _, args = line.strip().partition(" ")
>     r = ask("tools/call", name=tool, arguments=json.loads(args))
>     if r.get("isError"): print(r["content"][0]["text"])
> ' $1; }
> stemma import jsonl - >/dev/null 2>&1 <<'MEMORIES'
> {"ref":"raw:log","agent_id":"ash","text":"the log of the day","created_at":1}
> {"ref":"belief:old","agent_id":"ash","text":"Deploy on Monday.","created_at":2,"confidence":0.5,"derived_from":["raw:log"]}
> {"ref":"note:asked","agent_id":"ash","text":"Look at this","created_at":3,"marks":[{"mark":"for_review","at":4,"actor":"sean"}]}
> MEMORIES
> # what the person does in the editor: a script of sed
> review() { printf '%s\n' "$1" >edit.sed; shift; EDITOR="sed -i -f edit.sed" stemma review "$@" 2>&1 | sed -E "s/stemma-review-[A-Za-z0-9]*/FILE/; s/ [0-9]+[smhdwy]\$//; s/ now\$//"; }
> waits() { stemma review --json 2>/dev/null | jq -r '[.text, .risk, .loses, .weight, .trust, .effective, .label] | @csv'; }
> END

# What is imported waits only if it is flagged; what agents write or change waits; a person's decision ends that, and undo brings it back.
$ . ./f; waits; agent ash <<'END'
> memory_add {"kind":"belief","text":"Retry three times.","confidence":0.6}
> memory_reinforce {"ref":"belief:old"}
> cot_begin {"question":"Why?"}
> END
> waits; stemma approve belief:old >/dev/null; waits | wc -l; stemma undo >/dev/null; waits | wc -l; stemma lock note:asked >/dev/null; stemma edit belief:old --confidence 0.5 >/dev/null; waits; stemma fsck
"Look at this",0.2,0,1,1,0.8,"unsourced"
"Deploy on Monday.",0.477727,0,1,1,0.5222727272727272,"supported"
"Retry three times.",0.4,0,1,1,0.6,"unsourced"
"Look at this",0.2,0,1,1,0.8,"unsourced"
2
3
"Retry three times.",0.4,0,1,1,0.6,"unsourced"
10 events, 5 memories, 1 link and 1 row of the call log checked: all is well

# The riskiest first: what would lose all support counts, and what has lost it.
$ . ./f; agent ash <<'END'
> memory_add {"kind":"raw","text":"a page"}
> END
> raw=$(stemma list raw --json | jq -r 'select(.text == "a page").ref'); agent ash <<END
> memory_add {"kind":"belief","text":"one","derived_from":["$raw"]}
> memory_add {"kind":"note","text":"two","derived_from":["$raw"]}
> END
> waits; stemma retract $raw --yes >/dev/null; waits
"Look at this",0.2,0,1,1,0.8,"unsourced"
"two",0.2,0,1,1,0.8,"supported"
"one",0.2,0,1,1,0.8,"supported"
"a page",0,2,1,1,1,"supported"
"two",4,0,4,0,0,"unsupported"
"one",4,0,4,0,0,"unsupported"
"Look at this",0.2,0,1,1,0.8,"unsourced"

# What is saved is the desired state. The plan is shown first; without a terminal nothing is done unless --yes is given.
$ . ./f; printf '{"ref":"%s","agent_id":"ash","text":"%s","created_at":%d,"confidence":0.8,"marks":[{"mark":"for_review","at":9}]}\n' belief:a "Canary first." 5 belief:b "Two\\n\\n  lines." 6 note:c "wait # not a comment" 7 | stemma import jsonl - >/dev/null 2>&1; EDITOR=cat stemma review; review '/^wait.belief:a/s/wait/approve/;s/lines/rows/;/^wait.note:c/,+2d' ; ls | grep -c stemma-review; review '/^wait.belief:a/s/wait/approve/;s/lines/rows/;/^wait.note:c/,+2d' --yes | tail -1; ls | grep -c stemma-review; for r in belief:a belief:b note:c; do stemma show $r --json | jq -c '[.status, .text, (.marks // [] | map(.mark))]'; done; stemma undo >/dev/null; waits | wc -l
# 4 wait for your decision, the riskiest first. Write `approve` or `retract` in the place of
# `wait`. A changed text is an edit. A block that you delete is retracted. Lines that begin with #
# are left out. A file without blocks, or as it was, changes nothing.

# ash

wait note:c
    wait # not a comment
# risk 0.20 = (1 + 0 lose support) × 1 unsourced × (1 − trust 1.00 × conf 0.80), ash

wait belief:b
    Two

      lines.
# risk 0.20 = (1 + 0 lose support) × 1 unsourced × (1 − trust 1.00 × conf 0.80), ash

wait belief:a
    Canary first.
# risk 0.20 = (1 + 0 lose support) × 1 unsourced × (1 − trust 1.00 × conf 0.80), ash

wait note:asked
    Look at this
# risk 0.20 = (1 + 0 lose support) × 1 unsourced × (1 − trust 1.00 × conf 0.80), ash
Nothing was decided: all of them wait.
stemma: what you wrote is in DIR/FILE/review.txt
── would be retracted ─ 1
     note:c        wait # not a comment 0.00
       status             active → retracted
   no other memory is affected
── would be edited ─ 1
     belief:b      Two    rows. 0.80
       text             - Two
                        -
                        -   lines.
                        + Two
                        +
                        +   rows.
       flags            - for_review
── would be approved ─ 1
     belief:a      Canary first. 0.80
       flags            - for_review
       flags            + approved by sean
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
1
1 approved, 1 edited, 1 retracted; `stemma undo` takes it back
1
["active","Canary first.",["approved"]]
["active","Two\n\n  rows.",[]]
["retracted","wait # not a comment",["for_review"]]
6

# The file is removed with the copies of the editor, whatever ends the editor or the program, unless it has words of the person that were not taken.
$ . ./f; here() { ls -d stemma-review-*/* 2>/dev/null | sed 's/-review-[^/]*/-FILE/'; rm -rf stemma-review-*; }; review() { EDITOR="sh -c '$1' " stemma review 2>&1 | sed 's/-review-[^/]*/-FILE/'; here; }; review 'touch $0~'; review ': >$0'; review 'kill -9 $$'; EDITOR='kill -HUP $PPID; sleep 9; :' stemma review; here; EDITOR='kill -TERM $PPID; sleep 9; :' stemma review; here; EDITOR='kill -INT $PPID; :' stemma review; here; review 'sed -i s/^wait/approve/ $0; exit 1'
Nothing was decided: all of them wait.
The file has no blocks: nothing was changed.
Killed
stemma: the editor was ended by signal 9. Nothing was changed.
stemma: it was interrupted. Nothing was changed.
stemma: it was interrupted. Nothing was changed.
Nothing was decided: all of them wait.
stemma: what you wrote is in DIR/stemma-FILE/review.txt
stemma: the editor failed (exit status 1). Nothing was changed.
stemma-FILE/review.txt

# Nothing is decided without an editor, or by one that fails, an empty file or a file as it was.
$ . ./f; VISUAL= EDITOR= stemma review; EDITOR=false stemma review 2>&1 | sed 's/stemma-review-.*/FILE/'; review 1,99d; review s/nothing/else/; review 's/^wait/approve/' --dry-run | tail -1; stemma review nowhere; waits | wc -l
stemma: there is no terminal for an editor. Set EDITOR to your editor, or use --json.
stemma: the editor failed (exit status 1). Nothing was changed.
The file has no blocks: nothing was changed.
Nothing was decided: all of them wait.
Nothing was changed.
stemma: nothing waits that matches
1

# A line that is wrong is named, and the file stays.
$ . ./f; for s in 's/^wait/approv/' 's/note:asked/note:x/' '5s/^/x/' '/^wait/s/^/stray/' '/Look/d' '/Look/s/^....//' '$a wait note:asked' 's/^wait/retract/;s/Look/Read/' '1i\    words'; do review "$s" --yes; done; ls | grep -c stemma-review; waits | wc -l
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 7: "approv" is no decision. Write wait, approve or retract; indent a line of a text.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 7: "note:x" is none of the memories of this file. Leave each ref as it was.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 5: "x#" is no decision. Write wait, approve or retract; indent a line of a text.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 7: "straywait" is no decision. Write wait, approve or retract; indent a line of a text.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 7: the text of note:asked is gone. Write `retract`, or delete the whole block.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 8: "Look" is no decision. Write wait, approve or retract; indent a line of a text.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 10: note:asked is decided in line 7 already. Leave one of the blocks.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 7: note:asked is retracted and its text is changed. Write `wait` or `approve` before a changed text.
stemma: what you wrote is in DIR/FILE/review.txt
stemma: line 1: this text belongs to no block. Begin a block with `wait REF` before it.
9
1

# WORD and --agent limit it; --limit says what it leaves out.
$ . ./f; stemma add note "Look there" --agent bob >/dev/null; stemma flag for_review note:$(stemma list note --agent bob --json | jq -r 'select(.ref).ref' | cut -d: -f2) >/dev/null; stemma review --json look this | jq -r .text; stemma review --json --agent bob | jq -r .text; EDITOR=cat stemma review --limit 1 | grep -c '^wait'; EDITOR=cat stemma review --limit 1 | sed -n '4s/^# //p'; stemma review --json label:unsourced flag:for_review there | jq -r .text; stemma review label:none
Look at this
Look there
1
1 more wait: --limit N takes more of them.
Look there
  label:none
        ^^^^
stemma: there is no label 'none'. It is one of: supported, weakened, unsupported, circular, unsourced, ended.
[2]

# A merge keeps one memory, with the sources and tags of all; the others are replaced. One undo takes it back.
$ . ./f; printf '{"ref":"belief:%s","agent_id":"ash","text":"Deploy on Mondays.","created_at":9,"tags":["%s"],"derived_from":["%s"]}\n' x tag raw:log y other raw:page | stemma import jsonl - >/dev/null 2>&1; stemma merge belief:x belief:y belief:old --into belief:old --yes | sed -E 's/ [0-9.]+ [0-9]+[smhdwy]$//'; stemma show belief:old --json | jq -c '[.tags, [.justifications[].antecedents[].ref], [.relations[].to]]'; stemma show belief:x --json | jq -r .status; stemma undo >/dev/null; stemma show belief:old --json | jq -c '[.tags, .relations]'; stemma merge note:asked --into belief:old --yes; stemma merge belief:old --into belief:old --yes; stemma merge belief:x --into belief:none --yes; stemma merge belief:x --yes; stemma fsck | tail -1
── merged ─ 3
     belief:old    Deploy on Monday.
       tags             + tag
       tags             + other
       justifications   + derived from raw:page
       relations        + replaces belief:x
       relations        + replaces belief:y
     belief:x      Deploy on Mondays.
       status             active → replaced
     belief:y      Deploy on Mondays.
       status             active → replaced
[["tag","other"],["raw:log","raw:page"],["belief:x","belief:y"]]
superseded
[null,null]
stemma: note:asked and belief:old are of different kinds. Name memories of one kind.
stemma: nothing but belief:old itself is named. Name what is merged into it.
stemma: no memory is called belief:none. Search for it, or list its kind.
stemma: 'merge' needs --into REF. `--help` explains it.
11 events, 5 memories and 3 links checked: all is well

# A store of an earlier version: its first open finds what waits.
$ . ./f; agent ash <<'END'
> memory_add {"kind":"note","text":"written before"}
> END
> python3 -c "import sqlite3; c = sqlite3.connect('s.db'); c.executescript('DROP TABLE waiting; PRAGMA user_version = 15')"; waits; stemma list note --read-only >/dev/null; stemma add note new >/dev/null; waits | wc -l; stemma fsck | tail -1; python3 -c "import sqlite3; c = sqlite3.connect('s.db'); c.execute('DELETE FROM waiting'); c.commit()"; stemma fsck | head -2
"Look at this",0.2,0,1,1,0.8,"unsourced"
"written before",0.2,0,1,1,0.8,"unsourced"
2
5 events, 5 memories, 1 link and 1 row of the call log checked: all is well
row-altered: note:asked should wait for a decision and does not. Approve it, or flag it for_review: that decides anew.
row-altered: note:ID1 should wait for a decision and does not. Approve it, or flag it for_review: that decides anew.

# A block names what its memory is based on, and why a pending one waits.
$ . ./f; printf 'gate: {ash: {belief: yes}}\n' >gate.yaml; stemma --config gate.yaml mcp --agent ash >/dev/null 2>&1 <<'END'; EDITOR=cat stemma review belief | sed -n '/^wait/,$p' | sed 's/belief:[0-9a-f]*/belief:ID/'
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_add","arguments":{"kind":"belief","text":"Look twice.","derived_from":["note:asked","raw:log","raw:none"]}}}
> END
wait belief:ID
    Look twice.
# based on note:asked: Look at this
# based on raw:log: the log of the day
# based on raw:none, missing
# risk 1.00 = (1 + 0 lose support) × 1 pending × (1 − trust 0.00 × conf 0.00), pending: every belief does, ash
Nothing was decided: all of them wait.

# What a retraction does to what loses all support is chosen as for `stemma retract`.
$ . ./f; agent ash <<'END'
> memory_add {"kind":"raw","text":"a page"}
> END
> raw=$(stemma list raw --json | jq -r 'select(.text == "a page").ref'); agent ash <<END
> memory_add {"kind":"belief","text":"one","derived_from":["$raw"]}
> END
> stemma review page --dependants hide; review 's/^wait/retract/' page --dry-run | grep -A1 'they are\|those based'; review 's/^wait/retract/' page --dependants leave --yes | grep 'they are\|done\|takes'; stemma list all 'label:unsupported' --json | jq -c '[.text, .status, .marks]'; stemma undo >/dev/null; review 's/^wait/retract/' page --dependants retract --yes | tail -1; stemma list all status:retracted --json | jq -r .text | sort
stemma: --dependants does not take 'hide'. It takes leave, review, retract.
   those based directly on it are sent to review
   --dependants leave, review or retract chooses what happens
   they are left as they are
1 retracted; `stemma undo` takes it back
["one","active",null]
1 retracted; `stemma undo` takes it back
a page
one

# What is merged brings only the reasons that the other has not: the same sources in another role or order are none.
$ printf '{"ref":"raw:%s","text":"seen"}\n' a b c >joined.jsonl; cat >>joined.jsonl <<'END'
> {"ref":"belief:kept","text":"It holds.","justifications":[{"role":"evidence","antecedents":[{"ref":"raw:a"}]},{"role":"derived_from","antecedents":[{"ref":"raw:b"}]}]}
> {"ref":"belief:same","text":"It holds.","derived_from":["raw:b","raw:a"]}
> {"ref":"belief:more","text":"It holds.","derived_from":["belief:kept","raw:a","raw:c"]}
> {"ref":"belief:both","text":"It holds.","justifications":[{"role":"evidence","reading":"all","antecedents":[{"ref":"raw:b"},{"ref":"raw:a"}]}]}
> {"ref":"belief:together","text":"It holds.","justifications":[{"role":"derived_from","reading":"all","antecedents":[{"ref":"raw:a"},{"ref":"raw:b"}]}]}
> END
$ export STEMMA_STORE=$PWD/joined.db; stemma import jsonl joined.jsonl >/dev/null; for one in same more both together; do stemma merge belief:$one --into belief:kept --yes >/dev/null; stemma why belief:kept --json | jq -c "[\"$one\", .supports, .independent]"; done
["same",2,2]
["more",3,3]
["both",4,3]
["together",4,3]
