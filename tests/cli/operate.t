# Commands that change memories: what they preview, ask, refuse and do. raw:one supports belief:a, which supports belief:b;
# belief:c has another source as well.
$ cat >lines.jsonl <<'END'
> {"ref":"raw:one","text":"as it came","agent_id":"ash"}
> {"ref":"raw:two","text":"as it came, too","agent_id":"ash"}
> {"ref":"episode:met","text":"met Claire","agent_id":"ash","confidence":0.6}
> {"ref":"belief:a","text":"alone","agent_id":"ash","confidence":0.7,"derived_from":["raw:one"],"tags":["t","u"]}
> {"ref":"belief:b","text":"on top","agent_id":"ash","confidence":0.9,"derived_from":["belief:a"]}
> {"ref":"belief:c","text":"on two","agent_id":"ash","confidence":0.9,"derived_from":["raw:one","raw:two"]}
> END
> cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> [ -e base.db ] || stemma import jsonl lines.jsonl --store base.db >/dev/null; rm -f s.db* .local/state/stemma/heads/*; cp base.db s.db
> events() { sqlite3 s.db 'SELECT count(*) FROM event'; }
> is() { stemma show "$1" --json | grep -oE "\"$2\":(\"[^\"]*\"|\[[^]]*\]|\{[^}]*\}|[^,}]*)" | head -1; }
> no() { "$@" >out 2>&1; echo "[$?] $(grep -o '^stemma: .*' out | head -1)"; }
> END

# Commands that ask do nothing without --yes.
$ . ./f; stemma edit raw:one --confidence 0.5; before=$(events); for c in retract forget purge propagate; do no stemma $c raw:one; no stemma $c raw:one --dry-run; no stemma $c raw:one --dry-run --read-only; no stemma $c raw:one --yes --read-only; stemma $c raw:one --json | grep -o '"done":[a-z]*'; done; [ $before = $(events) ] && echo nothing was changed
── edited ─ 1
     raw:one       as it came 0.50 AGE
       confidence         1.000 → 0.500
       history          + 1.000 → 0.500
[4] stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
[0]
[0]
[4] stemma: retract changes the store, but --read-only was given. Omit --read-only to change the store.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
"done":false
[4] stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
[0]
[0]
[4] stemma: forget changes the store, but --read-only was given. Omit --read-only to change the store.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
"done":false
[4] stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
[0]
[0]
[4] stemma: purge changes the store, but --read-only was given. Omit --read-only to change the store.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
"done":false
[4] stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
[0]
[0]
[4] stemma: cap-confidence changes the store, but --read-only was given. Omit --read-only to change the store.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
"done":false
nothing was changed

# A preview lists what loses support, and the command does what it lists.
$ . ./f; stemma retract raw:one --dry-run; stemma retract raw:one belief:b --dry-run | grep -B1 because; list() { grep -oE '"(falls|weakened|descends|left|remarks)":(\[[^]]*\]|[0-9]*)' "$1"; }
> stemma retract raw:one belief:c --reason "wrong host" --dry-run --json >shown; stemma retract raw:one belief:c --reason "wrong host" --yes --json >done; list shown; diff <(list shown) <(list done) && is raw:one status && is belief:c status && is belief:a label; stemma retract raw:one --yes; stemma restore raw:one; is belief:a label
── would be retracted ─ 1
     raw:one       as it came 0.00 AGE
       status             active → retracted

── would lose all support ─ 2 · no other support
   those based directly on it are sent to review
   --dependants leave, review or retract chooses what happens
   ○ belief:a      alone 0.00 AGE
   ○ belief:b      on top 0.00 AGE

── would be weakened ─ 1 · keep some of their justifications
   ◐ belief:c      on two 2 → 1 valid 0.90 AGE

── would follow ─ 2 · changed as well, and undone with it
     belief:a      alone for review AGE
     belief:c      on two for review AGE

── notes
   not flagged, because only indirectly affected: 1 more
Nothing was changed.
   ○ belief:a      alone 0.00 AGE
       because of raw:one
--
   ◐ belief:c      on two 2 → 1 valid 0.90 AGE
       because of raw:one
"weakened":[]
"descends":0
"left":[]
"remarks":["not flagged, because only indirectly affected: 1 more"]
"status":"retracted"
"status":"retracted"
"label":"unsupported"
── nothing was retracted

── unchanged
   raw:one is retracted already
── restored ─ 1
     raw:one       as it came 1.00 AGE
       status             retracted → active

── followed ─ 1 · changed as well, and undone with it
     belief:a      alone unflagged 0.70 AGE
       flags            - for_review by sean: based on raw:one, which was retracted
"label":"supported"

# A retraction says what becomes of its dependants: left, sent to review where based directly on it (the default), or retracted too. Undo and restore take that back, and nothing else.
$ . ./f; state() { for r in raw:one belief:a belief:b belief:c; do stemma show $r --json | jq -c '[.ref, .status, .label, .effective, (.marks // [] | map(.reason))]'; done; }; stemma mark for_review belief:a --reason "a word of mine" >/dev/null
> for d in leave review retract; do echo "$d"; stemma retract raw:one --dependants $d --yes | grep -v "^ *$" | tail -2; state; stemma undo >/dev/null; state | grep -c active; state | grep -c retracted; done; no stemma retract raw:one --dependants hide --yes
> stemma retract raw:one --dependants retract --yes >/dev/null; stemma restore belief:b >/dev/null; stemma retract belief:b --yes --reason mine >/dev/null; stemma restore raw:one >/dev/null; state; stemma restore belief:b >/dev/null; stemma retract raw:one raw:two --yes >/dev/null; stemma restore raw:one >/dev/null; state | tail -1; stemma restore raw:two >/dev/null; state; stemma fsck
> echo '{"ref":"entry:e","text":"k","detail":{"namespace":"public.x","key":"k","value":1}}{"ref":"belief:on","text":"k","derived_from":["entry:e"]}' | sed "s/}}{/}}\n{/" | stemma import jsonl - >/dev/null; stemma retract entry:e --yes >/dev/null; stemma show belief:on --json | jq -c .marks[0].reason; stemma restore entry:e >/dev/null; stemma show belief:on --json | jq -c .marks
leave
── weakened ─ 1 · keep some of their justifications
   ◐ belief:c      on two 2 → 1 valid 0.90 AGE
["raw:one","retracted","ended",0,[]]
["belief:a","active","unsupported",0,["a word of mine"]]
["belief:b","active","unsupported",0,[]]
["belief:c","active","weakened",0.9,[]]
4
0
review
── notes
   not flagged, because only indirectly affected: 1 more
["raw:one","retracted","ended",0,[]]
["belief:a","active","unsupported",0,["a word of mine","based on raw:one, which was retracted"]]
["belief:b","active","unsupported",0,[]]
["belief:c","active","weakened",0.9,["based on raw:one, which was retracted"]]
4
0
retract
       status             active → retracted
     belief:c      on two for review AGE
["raw:one","retracted","ended",0,[]]
["belief:a","retracted","ended",0,["a word of mine"]]
["belief:b","retracted","ended",0,[]]
["belief:c","active","weakened",0.9,["based on raw:one, which was retracted"]]
4
0
[2] stemma: dependants cannot be treated by 'hide'. Say leave, review or retract.
["raw:one","active","supported",1,[]]
["belief:a","active","supported",0.7,["a word of mine"]]
["belief:b","retracted","ended",0,[]]
["belief:c","active","supported",0.9,[]]
["belief:c","active","weakened",0.9,["based on raw:one and others that were retracted"]]
["raw:one","active","supported",1,[]]
["belief:a","active","supported",0.7,["a word of mine"]]
["belief:b","active","supported",0.9,[]]
["belief:c","active","supported",0.9,[]]
41 events, 6 memories and 4 links checked: all is well
"based on entries that were retracted"
null

# Every kind can be added.
$ . ./f; for k in raw episode belief note value goal drive relationship chain step document citation attribution suggestion; do f=; [ $k != attribution ] || f="--field source_type=web --field retrieval_timestamp=now"; r=$(stemma add $k "what it says" --from raw:one $f --json | grep -o '"ref":"[^"]*"' | cut -d'"' -f4); is $r text; is $r justifications | grep -o raw:one; done | sort | uniq -c
     14 "text":"what it says"
     14 raw:one

# By 0.05/(1+0.1n)(0.99-c); a source becomes evidence once, whatever names it; evidence never weakens support; ended memories are no evidence.
$ . ./f; for e in episode:met met raw:two context:talk raw:later; do stemma reinforce belief:a --evidence $e 2>&1 | grep 'raw:later,\|not in this store'; is belief:a confidence; stemma show belief:a --json | jq -c '[.version, (.justifications|length), .history[-1].evidence_source]'; done; echo '{"ref":"belief:bare","text":"x"}' | stemma import jsonl - >/dev/null; stemma reinforce belief:bare --evidence raw:two >/dev/null; stemma show belief:bare --json | jq -c '[.justifications[] | [.role, (.antecedents|length)]]'; no stemma reinforce belief:a --evidence belief:a; stemma retract raw:two --yes >/dev/null; no stemma reinforce belief:b --evidence raw:two
"confidence":0.7131818181818181
[2,2,"episode:met"]
"confidence":0.7247159090909091
[3,2,"episode:met"]
"confidence":0.7349191433566433
[4,3,"raw:two"]
"confidence":0.744029173951049
[5,3,"context:talk"]
stemma: raw:later is not in this store yet; the link is kept as given
"confidence":0.752228201486014
[6,4,"raw:later"]
[["derived_from",0],["reinforcement",1]]
[2] stemma: belief:a is no evidence for itself. Name what confirms it.
[4] stemma: raw:two is retracted. Restore it, or name evidence that stands.

# Replacing keeps the sources as evidence; approving changes no confidence; each actor has one flag of each kind.
$ . ./f; stemma reinforce belief:a --evidence episode:met >/dev/null; r=$(stemma supersede belief:a "mostly alone" --reason "seen since"); stemma show $r --json | jq -c '[.tags, (.history|length), [.justifications[] | [.role, .antecedents[].ref]], [.relations[].type]]'; for i in 1 2 3 4; do stemma verify belief:b >/dev/null; is belief:b confidence; done; stemma mark rating belief:c --value 3 >/dev/null; stemma mark rating belief:c --value 3 | head -1; stemma mark rating belief:c --value 5 >/dev/null; stemma show belief:c --json | jq -c '[.marks[] | [.mark, .value]]'; no stemma mark $'esc\e' belief:c
[["t","u"],1,[["derived_from","belief:a"],["evidence","episode:met"]],["supersedes"]]
"confidence":0.9
"confidence":0.9
"confidence":0.9
"confidence":0.9
── nothing was flagged
[["rating","5"]]
[2] stemma: a flag is one word of at most 60 characters. Write the rest as its reason or its value.

# A raw entry is promoted to the named kind, once to each.
$ . ./f; r=$(stemma process raw:one --as belief --reason "worth keeping"); for k in source tags confidence text; do is $r $k; done; n=$(echo my own words | stemma process raw:one --as note --text -); is $n text; stemma show raw:one --json | grep -c "$n"; no stemma process raw:one; no stemma process raw:one raw:two --as note --text x; no stemma process belief:a --as note; no stemma process raw:one --as raw; no stemma process raw:none --as note
"source":"cli-promote"
"tags":["promoted"]
"confidence":0.7
"text":"as it came"
"text":"my own words"
1
[2] stemma: 'promote' needs --as KIND. `--help` explains it.
[2] stemma: 2 raw entries cannot have the same text. Promote them one by one, or leave the text out.
[2] stemma: belief:a is not a raw entry. Only a raw entry is promoted; replace or edit this one.
[2] stemma: --as does not take 'raw'. It takes episode, belief, note.
[1] stemma: no memory is called raw:none. Search for it, or list its kind.

# Evidence reinforces, and so does consolidating.
$ . ./f; stemma reinforce belief:a --evidence episode:met --reason again; is belief:a confidence; stemma consolidate belief:a --from raw:two episode:met --date 2026-02-01; is belief:a annotations; no stemma consolidate belief:a; no stemma consolidate belief:a --from raw:two --date 1.2.; no stemma reinforce belief:a --evidence raw:one --evidence raw:two
── reinforced ─ 1
     belief:a      alone 0.71 AGE
       confidence         0.700 → 0.713
       times reinforced + 1
       justifications   + evidence episode:met
       history          + 0.700 → 0.713 (again), by episode:met
"confidence":0.7131818181818181
── consolidated ─ 1
     belief:a      alone 0.72 AGE
       confidence         0.713 → 0.725
       annotations      + consolidation:2026-02-01
       times reinforced   1 → 2
       justifications   + reinforcement raw:two
       history          + 0.713 → 0.725 (Consolidated from raw:two, episode:met), by consolidation:2026-02-01
"annotations":["consolidation:2026-02-01"]
[2] stemma: 'consolidate' needs --from REF…. `--help` explains it.
[2] stemma: 1.2. is no date. Write it as 2026-02-01.
[2] stemma: --evidence takes one value, but 2 are given. Run it once for each.

# Words after an option belong to it; a command does all or nothing.
$ . ./f; stemma revise episode:met --confirms belief:a belief:b --contradicts belief:c; is belief:b history | grep -o episode:met; is belief:c marks | grep -o for_review; is episode:met relations | grep -o contradicts; before=$(events); no stemma revise episode:met --confirms belief:a belief:none; no stemma revise episode:met; no stemma revise --confirms episode:met belief:a; [ $before = $(events) ] && echo nothing was changed
── revised ─ 4
     belief:a      alone reinforced 0.71 AGE
       confidence         0.700 → 0.713
       times reinforced + 1
       justifications   + evidence episode:met
       history          + 0.700 → 0.713 (Confirmed by episode:met), by episode:met
     belief:b      on top reinforced 0.90 AGE
       confidence         0.900 → 0.904
       times reinforced + 1
       justifications   + evidence episode:met
       history          + 0.900 → 0.904 (Confirmed by episode:met), by episode:met
     belief:c      on two flagged 0.90 AGE
       flags            + for_review = episode:met by sean: Contradicted by episode:met
     episode:met   met Claire contradicts 0.60 AGE
       relations        + contradicts belief:c
episode:met
episode:met
for_review
contradicts
[1] stemma: no memory is called belief:none. Search for it, or list its kind.
[2] stemma: revise needs what the episode confirms or contradicts. Give --confirms REF, --contradicts REF, or both.
[2] stemma: 'revise' needs EPISODE. Usage: `stemma revise EPISODE --confirms REF… --contradicts REF…`.
nothing was changed

# A belief is replaced once.
$ . ./f; r=$(stemma supersede belief:a "not alone" --reason counted); is belief:a status; is $r source_type; is $r confidence; no stemma supersede belief:a again; no stemma supersede raw:one x
"status":"superseded"
"source_type":"inference"
"confidence":0.7
[4] stemma: belief:a is replaced already. Replace belief:ID1.
[2] stemma: raw:one is no belief, and only a belief is replaced. Edit it instead.

# An edit changes only the given fields.
$ . ./f; stemma edit belief:a --text "other words" --confidence 0.3 --tag x --field belief_type=opinion --field foundational=true --reason "a slip" --expected-version 1; for k in text confidence tags version detail; do is belief:a $k; done; stemma edit belief:a --field foundational= --no-tags; is belief:a detail; is belief:a tags
> no stemma edit belief:a; no stemma edit belief:a --tag x --no-tags; no stemma edit belief:a --field n; no stemma edit belief:a --confidence 1.5; no stemma edit belief:a --text " "; no stemma edit belief:none --text x; no stemma edit belief:a --field $'belief_type=\xff'; no stemma edit belief:a --text x --reason $'\xff'
── edited ─ 1
     belief:a      other words 0.30 AGE
       text               alone → other words
       confidence         0.700 → 0.300
       tags             - t
       tags             - u
       tags             + x
       belief type      + opinion
       foundational     + true
       history          + 0.700 → 0.300 (a slip)
"text":"other words"
"confidence":0.3
"tags":["x"]
"version":2
"detail":{"belief_type":"opinion","foundational":true}
── edited ─ 1
     belief:a      other words 0.30 AGE
       tags             - x
       foundational     - true
"detail":{"belief_type":"opinion"}
[2] stemma: nothing to change is given. Give a text, a confidence, tags, fields or sources.
[2] stemma: --no-tags removes all tags, but --tag adds some. Omit one of them.
[2] stemma: 'n' is not a field and its value. Write --field NAME=VALUE.
[2] stemma: --confidence takes a number from 0 to 1, not '1.5'. `stemma edit --help` explains it.
[2] stemma: the text is empty. Give a text.
[1] stemma: no memory is called belief:none. Search for it, or list its kind.
[2] stemma: a field is not valid UTF-8. Write it in UTF-8.
[2] stemma: the reason is not valid UTF-8. Write it in UTF-8.

# Persons cannot make entries that putMemory refuses.
$ . ./f; no stemma permissions --agent ""; no stemma add entry key; no stemma add entry key --field namespace=n; no stemma add entry "a key" --field namespace=n --field value=1; r=$(stemma add entry key --field namespace=n --field 'value={"a": 1}' --field "expires_at=in 3 days"); stemma add entry 1 --field namespace=n --field "value=plain words" --field key=1 --field expires_at=never >/dev/null
> before=$(events); stemma edit $r --field "expires_at=2099-02-01 10:00" --dry-run | grep -o '→ 2099.*'; deep=$(printf '[%.0s' {1..101}); wide=$(printf 'é%.0s' {1..200}); for v in value= "value={oops" 'value="' "value=$deep" expires_at=1000 expires_at=2020-01-01 "expires_at=2 days ago" namespace= "namespace=a b" "key=a b" "key=$wide"; do no stemma edit $r --field "$v"; done; no stemma edit $r --text foo; no stemma edit $r --field key=1; no stemma add entry 1 --field namespace=n --field value=1; [ $before = $(events) ] && echo nothing was changed
> stemma edit $r --field key=2 --field value=null --field expires_at= >/dev/null; is $r text; is $r detail
[2] stemma: --agent needs a name. Omit --agent for an agent that has no grants of its own.
[2] stemma: an entry is in a namespace, and this one is in none. Give the field namespace.
[2] stemma: an entry has a value, and this one has none. Give the field value as JSON; null says that there is nothing.
[2] stemma: the key of an entry cannot be "a key". Give letters, digits and _ . : / @ -, 200 bytes of them at most.
→ 2099-02-01 10:00:00
[2] stemma: the field value: there is no value. Give JSON; null for no value.
[2] stemma: the field value: not JSON: a missing key at byte 2. Fix the text there and try again.
[2] stemma: the field value: not JSON: unexpected end at byte 2. Fix the text there and try again.
[2] stemma: the field value: JSON nested deeper than 100 levels at byte 101. Nest it less, or give it as a string.
[2] stemma: the field expires_at: "1000" is not a time. Write it as AGE, AGE, in 3 days, 2026-02-01 10:00Z or never.
[2] stemma: expires_at is past: the value would be erased at once, for good. Give a time to come, or retract it.
[2] stemma: the field expires_at: "2 days ago" is not a time. Write it as AGE, AGE, in 3 days, 2026-02-01 10:00Z or never.
[2] stemma: an entry is in a namespace, and this one is in none. Give the field namespace.
[2] stemma: the namespace of an entry cannot be "a b". Give letters, digits, _ and -, with dots between parts, 100 bytes of them at most.
[2] stemma: the key of an entry cannot be "a b". Give letters, digits and _ . : / @ -, 200 bytes of them at most.
[2] stemma: the key of an entry cannot be "ééééééééééééééééééééééééééééé…. Give letters, digits and _ . : / @ -, 200 bytes of them at most.
[2] stemma: the text of an entry is its key. Leave the text out, or give the key as the text.
[4] stemma: the namespace n has a key 1 already: entry:ID2. Retract that one, or give one of them another key.
[4] stemma: the namespace n has a key 1 already: entry:ID2. Retract that one, or give one of them another key.
nothing was changed
"text":"2"
"detail":{"namespace":"n","value":null,"key":"2"}

# A stale edit is refused with both states.
$ . ./f; stemma edit belief:a --text theirs --confidence 0.2; stemma edit belief:a --text mine --expected-version 1; stemma edit belief:a --text mine --expected-version 1 --json | grep -oE '"error":"[A-Z]*"|"text":"[a-z]*"'; no stemma edit belief:a --text mine --expected-version 9; is belief:a text; stemma edit belief:a --text mine --expected-version 2
── edited ─ 1
     belief:a      theirs 0.20 AGE
       text               alone → theirs
       confidence         0.700 → 0.200
       history          + 0.700 → 0.200
From version 1 to 2, which is stored:
  text               alone → theirs
  confidence         0.700 → 0.200
  history          + 0.700 → 0.200
stemma: belief:a is at version 2, not 1. Read it again, then repeat the change.
stemma: belief:a is at version 2, not 1. Read it again, then repeat the change.
"error":"CONFLICT"
"text":"alone"
"text":"theirs"
[4] stemma: belief:a is at version 2, not 9. Read it again, then repeat the change.
"text":"theirs"
── edited ─ 1
     belief:a      mine 0.20 AGE
       text               theirs → mine

# An approval is of a text: an edit of the text ends it, an edit of a tag does not, and undo brings it back.
$ . ./f; stemma approve belief:a --reason "read the log" >/dev/null; stemma edit belief:a --tag seen --yes >/dev/null; is belief:a marks | grep -o '"approved"'; stemma edit belief:a --text "another" --dry-run; stemma edit belief:a --text "another" --yes >/dev/null; is belief:a marks; stemma show belief:a | grep approved; stemma undo --yes >/dev/null; is belief:a marks | grep -o '"approved"'; stemma show belief:a | grep approved
"approved"
── would be edited ─ 1
     belief:a      another 0.70 AGE
       text               alone → another
       flags            - approved by sean: read the log
Nothing was changed.
"approved"
 state        ● supported · approved · version 5
 approved     NOW (AGE) by sean: read the log
   approved       NOW sean  read the log

# Decisions are made and revoked.
$ . ./f; stemma verify belief:a belief:b --reason "read the log"; is belief:a confidence; is belief:b confidence; stemma protect belief:a; is belief:a protected; no stemma forget belief:a --yes; stemma unprotect belief:a; stemma forget belief:a --yes >/dev/null; is belief:a status; stemma restore belief:a; is belief:a status; stemma mark rating belief:a raw:two --value 4 --reason so; is raw:two marks | grep -oE '"(mark|value|reason)":"[^"]*"'; stemma mark rating belief:a --remove; no stemma mark rating belief:a --remove; no stemma mark rating belief:a --remove --dry-run; no stemma mark "two words" belief:a; no stemma mark rating belief:a --remove --value 4; no stemma verify; no stemma verify belief:a belief:none
── approved ─ 2
     belief:a      alone 0.70 AGE
       flags            + approved by sean: read the log
     belief:b      on top 0.90 AGE
       flags            + approved by sean: read the log
"confidence":0.7
"confidence":0.9
── locked ─ 1
     belief:a      alone 0.70 AGE
       locked             no → yes
"protected":true
[4] stemma: belief:a is locked. Unlock it first.
── unlocked ─ 1
     belief:a      alone 0.70 AGE
       locked             yes → no
       flags            - approved by sean: read the log
"status":"forgotten"
── restored ─ 1
     belief:a      alone 0.70 AGE
       status             forgotten → active

── followed ─ 1 · changed as well, and undone with it
     belief:b      on top unflagged 0.90 AGE
       flags            - for_review by sean: based on belief:a, which was forgotten
"status":"active"
── flagged ─ 2
     belief:a      alone 0.70 AGE
       flags            + rating = 4 by sean: so
     raw:two       as it came, too 1.00 AGE
       flags            + rating = 4 by sean: so
"mark":"rating"
"value":"4"
"reason":"so"
── unflagged ─ 1
     belief:a      alone 0.70 AGE
       flags            - rating = 4 by sean: so
[1] stemma: there was nothing to remove
[1] stemma: there was nothing to remove
[2] stemma: a flag is one word of at most 60 characters. Write the rest as its reason or its value.
[2] stemma: 4 is not a source of belief:a. Give the ref of one that it is based on.
[2] stemma: 'approve' needs REF. Usage: `stemma approve REF…`.
[1] stemma: no memory is called belief:none. Search for it, or list its kind.

# Several changes are one, all or none.
$ . ./f; stemma retract raw:one raw:two belief:b --yes >/dev/null; stemma log --operation retract --json | grep -o '"correlation":"[^"]*"' | uniq -c | grep -o '^ *3'; stemma protect belief:a >/dev/null; before=$(events); no stemma forget belief:c belief:a --yes; [ $before = $(events) ] && echo nothing was changed
      3
[4] stemma: belief:a is locked. Unlock it first.
nothing was changed

# A change is undone and redone by its number, whatever came after it.
$ . ./f; stemma edit belief:a --text edited --tag x >/dev/null; stemma undo --dry-run; is belief:a text; stemma undo; is belief:a text; is belief:a tags; stemma log --operation undo | grep -o 'undoes event [0-9]*'; no stemma undo 7; stemma redo; is belief:a text; no stemma redo; stemma mark rating belief:a --value 4 >/dev/null; stemma undo 7; is belief:a text; is belief:a marks | grep -o rating; no stemma undo first; no stemma undo 0; no stemma undo 99999
── would be undone ─ 1
     belief:a      alone 0.70 AGE
       text               edited → alone
       tags             - x
       tags             + t
       tags             + u
Nothing was changed.
"text":"edited"
── undone ─ 1
     belief:a      alone 0.70 AGE
       text               edited → alone
       tags             - x
       tags             + t
       tags             + u
"text":"alone"
"tags":["t","u"]
undoes event 7
[4] stemma: event 7 is already undone, by event 8. stemma history shows what happened to it.
── redone ─ 1
     belief:a      edited 0.70 AGE
       text               alone → edited
       tags             - t
       tags             - u
       tags             + x
"text":"edited"
[1] stemma: sean has no change to redo. Redo works only directly after an undo.
── undone ─ 1
     belief:a      alone 0.70 AGE
       text               edited → alone
       tags             - x
       tags             + t
       tags             + u
"text":"alone"
rating
[2] stemma: 'first' is not the number of an event. `stemma log` and `stemma history REF` show the numbers.
[2] stemma: '0' is not the number of an event. `stemma log` and `stemma history REF` show the numbers.
[1] stemma: there is no event 99999. `stemma log` lists the events.
$ . ./f; stemma retract raw:one belief:c --yes >/dev/null; stemma undo >/dev/null; is raw:one status; is belief:c status; stemma process raw:one --as note >/dev/null; stemma undo >/dev/null; no stemma list note
"status":"active"
"status":"active"
[1] stemma: nothing matched

# Several events at once: those of one memory are taken back from the newest to the oldest.
$ . ./f; stemma edit belief:a --text mine >/dev/null; stemma edit belief:a --text theirs >/dev/null; stemma undo 7 8 >/dev/null; is belief:a text; stemma redo >/dev/null; is belief:a text
"text":"alone"
"text":"theirs"

# A later change prevents undo.
$ . ./f; stemma edit belief:a --text mine >/dev/null; stemma edit belief:a --text theirs >/dev/null; stemma undo 7; echo $?; stemma undo 7 --json | grep -oE '"text":"[a-z]*"'; is belief:a text
Since event 7: belief:a
  text               mine → theirs
stemma: event 7: belief:a: text was changed again since then. See its history, then edit it by hand.
4
stemma: event 7: belief:a: text was changed again since then. See its history, then edit it by hand.
"text":"mine"
"text":"theirs"
"text":"theirs"

# A history shows each change.
$ . ./f; stemma reinforce belief:a --evidence episode:met --reason "it came again" >/dev/null; stemma edit belief:a --confidence 0.4 --tag t --tag new >/dev/null; r=$(stemma supersede belief:a "not alone" --reason counted); stemma history belief:a; stemma history $r | tail -3; stemma history belief:a --json | head -1 | grep -oE '"(operation|version|reason|changes)":("[^"]*"|\[[^]]*\]|[0-9]*)'; stemma history belief:a --json | wc -l; stemma history belief:a --limit 2 --json | wc -l; no stemma history belief:none
Statements that replaced each other, oldest first
>   belief:a  alone  replaced
    belief:ID3  not alone
Changes, newest first
NOW (AGE)  replace  sean  version 4  event 9
    why: counted
    status             active → replaced
NOW (AGE)  edit  sean  version 3  event 8
    confidence         0.713 → 0.400
    tags             - u
    tags             + new
    history          + 0.713 → 0.400
NOW (AGE)  reinforce  sean  version 2  event 7
    why: it came again
    confidence         0.700 → 0.713
    times reinforced + 1
    justifications   + evidence episode:met
    history          + 0.700 → 0.713 (it came again), by episode:met
NOW (AGE)  import  ash (agent)  version 1  event 4
    agent            + ash
    text             + alone
    created          + NOW
    confidence       + 0.700
    source type      + direct
    status           + active
    tags             + t
    tags             + u
    justifications   + derived from raw:one
    justifications   + evidence episode:met
    history          + 0.400 → 0.400 (replaces belief:a; counted)
    relations        + replaces belief:a: counted
"operation":"supersede"
"reason":"counted"
"version":4
"changes":[{"field":"status","before":"active","after":"superseded"}]
4
stemma: there are older changes: omit --limit to see all
2
[1] stemma: no memory is called belief:none. Search for it, or list its kind.

# A purged memory has no invented values.
$ . ./f; stemma edit belief:a --text older >/dev/null; stemma edit belief:c --confidence 0.4 >/dev/null; stemma mark for_review belief:c >/dev/null; stemma purge belief:c --yes >/dev/null; stemma history belief:c; stemma history belief:c --json | grep -o '"version":.*'; for n in 7 8; do stemma export --as-of @$n | grep -oE '"status":"purged","version":[0-9]*|for_review|"confidence":0.4' ; done; stemma diff @0 @9 2>/dev/null | grep -A1 belief:c; stemma diff @7 @10 | grep purged; stemma undo | tail -1; stemma redo >/dev/null; stemma undo | tail -1; is belief:a text
NOW (AGE)  purge  sean  version 4  event 10
    its earlier state is not kept
NOW (AGE)  flag  sean  version 3  event 9
    purged since: its earlier state is not kept
NOW (AGE)  edit  sean  version 2  event 8
    purged since: its earlier state is not kept
NOW (AGE)  import  ash (agent)  version 1  event 6
    purged since: its earlier state is not kept
"version":4,"changes":[]}
"version":3,"purged_by":10,"changes":[]}
"version":2,"purged_by":10,"changes":[]}
"version":1,"purged_by":10,"changes":[]}
stemma: as of NOW (event 7)
"status":"purged","version":1
stemma: as of NOW (event 8)
"confidence":0.4
"status":"purged","version":2
belief:c
  added by event 6: import by ash, NOW (AGE); 2 later events
stemma: from NOW (event 7), to NOW (event 10)
    purged: its earlier state is not kept
   skipped the purge of belief:c (event 10), which cannot be undone
   skipped the purge of belief:c (event 10), which cannot be undone
"text":"alone"

# Seeds are read from a file, and create a store.
$ . ./f; printf '\xef\xbb\xbf  Care before speed  \r\n\n{"statement":"Be \\"kind\\"","confidence":0.5,"tags":["values","x"]}\n' | stemma seed - --agent ash; stemma list belief --source-type seed --order text --json | grep -oE '"(text|confidence|agent_id|tags|source)":("([^"\\]|\\.)*"|\[[^]]*\]|[0-9.]*)'; before=$(events); for t in '' 'good\n{"statement":5}\n' '{"statement":"x","confidence":2}' '{"text":"x"}' '{"confidence":0.5}' 'a\n\n\xff\n' '{"statement":"a\\u0000b"}'; do printf "$t" >seeds; no stemma seed seeds; done; no stemma seed /nowhere/at/all; [ $before = $(events) ] && echo nothing was changed
belief:ID4
belief:ID5
"agent_id":"ash"
"text":"Be \"kind\""
"confidence":0.5
"source":"seed-initialization"
"tags":["values","x"]
"agent_id":"ash"
"text":"Care before speed"
"confidence":0.8
"source":"seed-initialization"
[3] stemma: seeds has no statement. Write one statement a line.
[3] stemma: seeds line 2: statement is not a string.
[3] stemma: seeds line 1: confidence is not a number from 0 to 1.
[3] stemma: seeds line 1: there is no member 'text'. The members are statement, confidence and tags.
[3] stemma: seeds line 1: it has no statement.
[3] stemma: seeds line 3: it is not valid UTF-8. Save it as UTF-8.
[3] stemma: seeds line 1: statement has a NUL character.
[3] stemma: cannot read /nowhere/at/all: No such file or directory. Check the path.
nothing was changed
$ printf 'one\ntwo\n' >statements; stemma --store made/by/seeding.db seed statements --dry-run; echo $?; stemma --store made/by/seeding.db seed statements >/dev/null; stemma --store made/by/seeding.db list belief --json | grep -o '"text":"[a-z]*"'
stemma: there is no store at made/by/seeding.db. Check the path; `stemma` alone lists the stores on this machine.
3
"text":"two"
"text":"one"

# A flag of one's own is new once: a misspelt one would be set without a word.
$ export STEMMA_STORE=$PWD/flags.db; echo '{"ref":"note:aaaaaaaa","text":"x"}' | stemma import jsonl - >/dev/null 2>&1; for f in reviewd reviewd reviewed; do stemma flag $f note:aaaaaaaa --reason "$f again" 2>&1 | grep -A3 notes; stemma flag $f note:aaaaaaaa --remove >/dev/null; stemma flag other note:aaaaaaaa 2>&1 | grep -c new; done; echo end
── notes
   reviewd is a new flag: did you mean reviewed?
1
── notes
   reviewd is a new flag: did you mean reviewed?
0
0
end

# What follows an operation is listed up to a number, and counted beyond it.
$ (echo '{"ref":"raw:root","text":"r"}'; for i in $(seq 504); do echo "{\"ref\":\"belief:b$i\",\"text\":\"b$i\",\"derived_from\":[\"raw:root\"]}"; done) | stemma import jsonl - --store many.db >/dev/null; export STEMMA_STORE=$PWD/many.db; stemma forget raw:root --yes >/dev/null; stemma restore raw:root --yes >out; wc -l <out; tail -1 out; stemma undo 2>/dev/null | tail -1 >/dev/null; stemma log --json | jq -r .operation | sort | uniq -c | sed 's/^ *//'
46
   and 484 more: 484 unflagged; --json lists them all
1 forget
505 import
504 mark
1 restore
505 undo
504 unmark

# A memory that is based on one that has ended is added, with a note.
$ . ./f; stemma retract raw:one --yes >/dev/null; stemma add belief new --from raw:one; stemma add belief new --from raw:two; stemma add belief new --from raw:one --json | jq -r .why
stemma: unsupported: based on raw:one, which was retracted
belief:ID6
belief:ID7
unsupported: based on raw:one, which was retracted

# A purge sends what is based on the memory to review. No undo takes that back; a person removes the flag.
$ . ./f; stemma purge raw:one --dry-run | grep -A3 'would follow'; stemma purge raw:one --yes >/dev/null; stemma list all --flag for_review; stemma undo; n=$(stemma log --json | jq .seq | tail -1); stemma undo $n; stemma flag for_review belief:a --remove | grep flags; stemma fsck
── would follow ─ 2 · changed as well
     belief:a      alone for review AGE
     belief:c      on two for review AGE

◐  belief:c  0.90  1/2  ⚑  direct AGE  on two
○  belief:a  0.00  0/1  ⚑  direct AGE  alone
stemma: event 7 is a purge, which cannot be undone. The erased content is not stored anywhere.
stemma: event 7 is a purge, which cannot be undone. The erased content is not stored anywhere.
       flags            - for_review by sean: based on raw:one, which was purged
10 events, 6 memories and 4 links checked: all is well
