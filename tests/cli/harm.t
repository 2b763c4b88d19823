# Operations that remove support, lower confidence or repair origins: they do what they preview, and undo restores everything.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db*
> put() { jq -c '{text: ("says " + .ref), agent_id: "ash"} + .' | stemma import jsonl - >/dev/null 2>&1; }
> events() { sqlite3 s.db 'SELECT max(seq) FROM event'; }
> plain() { jq -c 'del(.done, .changes[].event) | walk(if type == "object" then del(.at) else . end)' $1; }
> # Shown and done, which must be the same; then each change and what follows.
> must() { n=$(events); stemma "$@" --dry-run --json >shown; [ $n = $(events) ] || echo a preview wrote; stemma "$@" --yes --json >done; diff <(plain shown) <(plain done)
>     plain done | jq -r '(.changes[] | "\(.operation) \(.ref): \(.before | tojson) → \(.after | tojson)"), "falls \(.loses_all_support), weakened \(.weakened | tojson), descends \(.descends)", (.left[], .remarks[] | tostring)'; }
> no() { n=$(events); stemma "$@" >out 2>&1; echo "[$?] $(grep -o '^stemma: .*' out | head -1)"; [ $n = $(events) ] || echo it wrote; }
> by() { echo "actor: $1" >$1.yaml; stemma "${@:2}" --config $1.yaml; }
> e() { by $1 edit $2 --text "$3" >/dev/null; }; u() { by $1 $2 2>&1 | grep -E 'text  |stemma:'; }
> lineage() { put <<LINES
> {"ref":"raw:one"}
> {"ref":"raw:two"}
> {"ref":"raw:three"}
> {"ref":"belief:a","derived_from":["raw:one"]}
> {"ref":"belief:b","derived_from":["raw:one","raw:two"]}
> {"ref":"belief:c","derived_from":["belief:a","raw:two"],"derivation":"all"}
> {"ref":"belief:d","derived_from":["raw:one"],"status":"retracted"}
> {"ref":"belief:e","derived_from":["belief:b"]}
> {"ref":"belief:f","derived_from":["raw:three"]}
> {"ref":"belief:kept","protected":true,"derived_from":["raw:one"]}
> LINES
> }
> END

# Forgetting flags direct dependents and keeps the skeleton; locked memories are not forgotten; what follows needs no question.
$ . ./f; lineage; must forget raw:one --reason "made up"; stemma show raw:one --json | jq -c '[.status, .text]'; stemma show belief:a --json | jq -c '[.status, (.justifications|length)]'; no forget raw:one --yes; no forget raw:two belief:kept --yes; no forget raw:never --yes; stemma fsck
forget raw:one: {"status":"active"} → {"status":"forgotten"}
mark belief:a: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
mark belief:c: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
mark belief:kept: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
mark belief:b: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
falls ["belief:a","belief:c","belief:kept"], weakened [{"ref":"belief:b","before":2,"after":1}], descends 2
["forgotten","says raw:one"]
["active",1]
[0]
[4] stemma: belief:kept is locked. Unlock it first.
[1] stemma: no memory is called raw:never. Search for it, or list its kind.
15 events, 10 memories and 9 links checked: all is well
$ . ./f; lineage; must forget raw:one raw:two raw:three raw:one belief:d; stemma log --json | jq -r .correlation | uniq -c | tail -1 | grep -o '^ *[0-9]*'
forget raw:one: {"status":"active"} → {"status":"forgotten"}
forget raw:two: {"status":"active"} → {"status":"forgotten"}
forget raw:three: {"status":"active"} → {"status":"forgotten"}
forget belief:d: {"status":"retracted"} → {"status":"forgotten"}
mark belief:a: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
mark belief:b: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one and others that were forgotten"}]}
mark belief:c: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:two and others that were forgotten"}]}
mark belief:e: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one and others that were forgotten"}]}
mark belief:f: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:three, which was forgotten"}]}
mark belief:kept: {"marks":null} → {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]}
falls ["belief:a","belief:b","belief:c","belief:e","belief:f","belief:kept"], weakened [], descends 0
     10

# Restoring takes back the flags that forgetting set: those of one memory with it, those of several with the last of them. Other flags stay.
$ . ./f; lineage; stemma flag for_review belief:a --reason "by hand" >/dev/null; stemma forget raw:one raw:two --yes >/dev/null; flags() { stemma export | jq -r 'select(.marks) | "\(.ref) \(.marks[] | .reason)"' | sort; }; flags; must restore raw:one --reason "it was right"; flags; stemma restore raw:two >/dev/null; flags; stemma undo >/dev/null; flags | wc -l; stemma fsck
belief:a based on raw:one, which was forgotten
belief:a by hand
belief:b based on raw:one and others that were forgotten
belief:c based on raw:two and others that were forgotten
belief:e based on raw:one and others that were forgotten
belief:kept based on raw:one, which was forgotten
restore raw:one: {"status":"forgotten"} → {"status":"active"}
unmark belief:a: {"marks":[{"mark":"for_review","actor":"sean","reason":"by hand"},{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]} → {"marks":[{"mark":"for_review","actor":"sean","reason":"by hand"}]}
unmark belief:kept: {"marks":[{"mark":"for_review","actor":"sean","reason":"based on raw:one, which was forgotten"}]} → {"marks":null}
falls [], weakened [], descends 0
belief:a by hand
belief:b based on raw:one and others that were forgotten
belief:c based on raw:two and others that were forgotten
belief:e based on raw:one and others that were forgotten
belief:a by hand
4
29 events, 10 memories and 9 links checked: all is well

# Capping lowers dependents to what their sources allow; nothing rises; circles and ended memories are named and left alone.
$ . ./f; put <<'END'
> {"ref":"note:n","confidence":0.6}
> {"ref":"belief:r","confidence":0.55}
> {"ref":"belief:a","confidence":0.8,"derived_from":["belief:r"]}
> {"ref":"belief:b","confidence":0.9,"derived_from":["belief:r","note:n"]}
> {"ref":"belief:c","confidence":0.7,"derived_from":["belief:a","note:n"],"derivation":"all"}
> {"ref":"belief:d","confidence":0.5,"derived_from":["belief:a"]}
> {"ref":"belief:e","confidence":0.9,"derived_from":["belief:a","belief:f"]}
> {"ref":"belief:f","confidence":0.9,"derived_from":["belief:e"]}
> {"ref":"belief:x","status":"retracted","derived_from":["belief:r"]}
> {"ref":"belief:g","confidence":0.9,"derived_from":["belief:x"]}
> {"ref":"belief:self","confidence":0.9,"derived_from":["belief:self","belief:r"]}
> END
> must propagate belief:r --reason "it was hearsay"; must propagate belief:r; no propagate belief:r belief:a --yes; no propagate belief:nobody --yes
propagate belief:a: {"confidence":0.8,"history":null} → {"confidence":0.55,"history":[{"old":0.8,"new":0.55,"reason":"propagated from belief:r; it was hearsay"}]}
propagate belief:b: {"confidence":0.9,"history":null} → {"confidence":0.6,"history":[{"old":0.9,"new":0.6,"reason":"propagated from belief:r: note:n bears no more; it was hearsay"}]}
propagate belief:c: {"confidence":0.7,"history":null} → {"confidence":0.55,"history":[{"old":0.7,"new":0.55,"reason":"propagated from belief:r: belief:a bears no more; it was hearsay"}]}
falls [], weakened [], descends 0
belief:x is retracted
belief:self is on a circle of support
belief:f is on a circle of support
belief:e is on a circle of support
belief:g has no valid justification
falls [], weakened [], descends 0
belief:x is retracted
belief:self is on a circle of support
belief:f is on a circle of support
belief:e is on a circle of support
belief:g has no valid justification
[2] stemma: 'cap-confidence' does not know what to do with 'belief:a'. Usage: `stemma cap-confidence REF`.
[1] stemma: no memory is called belief:nobody. Search for it, or list its kind.

# Repairing origins adds what seeds and raw entries became, where nothing else is known; it makes no circle, and one undo restores it.
$ . ./f; put <<'END'
> {"ref":"belief:by-context","context":"kernle_seed","source_type":"unknown"}
> {"ref":"belief:by-annotation","annotations":["kernle:seed-beliefs"]}
> {"ref":"belief:by-version","context":"kernle_seed_v1.0.0"}
> {"ref":"belief:by-source","annotations":["context:kernle_seed_v1.0.0"]}
> {"ref":"belief:seedling","context":"kernle_seedling","annotations":["context:kernle_seedling"]}
> {"ref":"belief:by-words","source_type":"unknown"}
> {"ref":"belief:inferred","source_type":"inference"}
> {"ref":"belief:fixed","source_type":"seed","annotations":["kernle:seed-beliefs"],"context":"x"}
> {"ref":"note:no-belief","context":"kernle_seed"}
> {"ref":"raw:one","processed_into":["episode:e","belief:both"]}
> {"ref":"raw:two","processed_into":["belief:both","belief:named","note:never"]}
> {"ref":"raw:dead","status":"deleted","processed_into":["episode:e"]}
> {"ref":"episode:e"}
> {"ref":"belief:both","derived_from":["episode:e"],"context":"kernle_seed"}
> {"ref":"belief:named","derived_from":["raw:two"]}
> {"ref":"note:n"}
> {"ref":"raw:on-it","derived_from":["note:n"],"processed_into":["note:n","raw:on-it"]}
> {"ref":"raw:a","processed_into":["raw:b"]}
> {"ref":"raw:b","processed_into":["raw:a"]}
> END
> printf '  says belief:by-words\nsays belief:inferred\n\nnobody\n' >seeds; must fix-provenance --seeds seeds; must fix-provenance --seeds seeds; stemma undo | head -1; stemma show belief:by-context --json | jq -r .source_type; stemma fsck
fix-provenance belief:by-context: {"source_type":"unknown","annotations":null} → {"source_type":"seed","annotations":["kernle:seed-beliefs"]}
fix-provenance belief:by-annotation: {"source_type":"direct_experience"} → {"source_type":"seed"}
fix-provenance belief:by-version: {"source_type":"direct_experience","annotations":null} → {"source_type":"seed","annotations":["kernle:seed-beliefs"]}
fix-provenance belief:by-source: {"source_type":"direct_experience","annotations":["context:kernle_seed_v1.0.0"]} → {"source_type":"seed","annotations":["context:kernle_seed_v1.0.0","kernle:seed-beliefs"]}
fix-provenance belief:by-words: {"source_type":"unknown","annotations":null} → {"source_type":"seed","annotations":["kernle:seed-beliefs"]}
fix-provenance episode:e: {"justifications":null} → {"justifications":[{"role":"derived_from","reading":"any","recorded":"migrated","antecedents":[{"ref":"raw:one"}]}]}
fix-provenance belief:both: {"source_type":"direct_experience","annotations":null,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","antecedents":[{"ref":"episode:e"}]}]} → {"source_type":"seed","annotations":["kernle:seed-beliefs"],"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","antecedents":[{"ref":"episode:e"}]},{"role":"derived_from","reading":"any","recorded":"migrated","antecedents":[{"ref":"raw:one"},{"ref":"raw:two"}]}]}
fix-provenance raw:a: {"justifications":null} → {"justifications":[{"role":"derived_from","reading":"any","recorded":"migrated","antecedents":[{"ref":"raw:b"}]}]}
falls [], weakened [], descends 0
belief:inferred says what a seed says, and that it comes from elsewhere
note:n cannot be derived from a raw entry that is based on it
raw:on-it cannot be derived from a raw entry that is based on it
raw:b cannot be derived from a raw entry that is based on it
falls [], weakened [], descends 0
belief:inferred says what a seed says, and that it comes from elsewhere
note:n cannot be derived from a raw entry that is based on it
raw:on-it cannot be derived from a raw entry that is based on it
raw:b cannot be derived from a raw entry that is based on it
── undone ─ 8
unknown
35 events, 19 memories and 13 links checked: all is well

# Each person undoes their own changes, in order, and redoes them; a new change ends redo; each change is one more version.
$ . ./f; lineage; for t in first second third; do e ann belief:a $t; done; u ann undo; u ann undo; u ann redo; u ann redo; u ann redo; for i in 1 2 3 4; do u ann undo; done; stemma show belief:a --json | jq .version
       text               third → second
       text               second → first
       text               first → second
       text               second → third
stemma: ann has no change to redo. Redo works only directly after an undo.
       text               third → second
       text               second → first
       text               first → says belief:a
stemma: ann has no change to undo. Undo an event by its number, which `stemma history REF` shows; in the explorer u undoes the one under the cursor of I or @.
11
$ . ./f; lineage; e ann belief:a first; u ann undo; e ann belief:b other; u ann redo; u ann undo; u ann undo; u ann redo; e bob belief:a "by bob"; u ann undo; u bob undo; u bob undo; stemma fsck
       text               first → says belief:a
stemma: ann has no change to redo. Redo works only directly after an undo.
       text               other → says belief:b
stemma: ann has no change to undo. Undo an event by its number, which `stemma history REF` shows; in the explorer u undoes the one under the cursor of I or @.
       text               says belief:b → other
       text               other → says belief:b
       text               by bob → says belief:a
stemma: bob has no change to undo. Undo an event by its number, which `stemma history REF` shows; in the explorer u undoes the one under the cursor of I or @.
18 events, 10 memories and 9 links checked: all is well

# Any number of a batch undoes all of it, or nothing.
$ . ./f; lineage; by ann protect belief:a belief:b raw:two >/dev/null; n=$(events); p() { for r in belief:a belief:b raw:two; do stemma show $r --json | jq -c '.protected // false'; done | tr '\n' ' '; echo; }; by ann undo --json | jq -c '[.changes[].ref]'; p; by ann redo >/dev/null; p; by ann undo $((n - 1)) >/dev/null; p; by ann retract belief:a belief:b --yes >/dev/null; n=$(events); by bob restore belief:b >/dev/null; by bob forget belief:b --yes >/dev/null; no undo $n; stemma show belief:a --json | jq -r .status
["raw:two","belief:b","belief:a"]
false false false
true true true
false false false
[4] stemma: event 24: belief:b: status was changed again since then. See its history, then edit it by hand.
retracted

# Undo of an addition leaves a stub, and redo restores it; a changed memory stays.
$ . ./f; lineage; r=$(stemma add belief "a zyxwvut word" --from raw:two); n=$(events); on=$(stemma add note "on it" --from $r); before=$(stemma export | grep zyxwvut | jq -c 'del(.version, .updated_at)'); by ann undo $n --yes | tail -9 | grep -v '^ *$'; stemma show $on --json | jq -r .label; no search zyxwvut; no verify $r; stemma fsck; by ann redo >/dev/null; [ "$before" = "$(stemma export | grep zyxwvut | jq -c 'del(.version, .updated_at)')" ] && echo as it was; stemma search zyxwvut | wc -l; r=$(stemma add belief again); m=$(events); stemma reinforce $r >/dev/null; no undo $m; stemma undo >/dev/null; stemma undo $m | head -1; stemma fsck
── undone ─ 1
     belief:ID1  a zyxwvut word undone 0.80 AGE
   the memory is removed; redo brings it back
── lost all support ─ 1 · no other support
   ○ note:ID2    on it 0.00 AGE
unsupported
[1] stemma: no memory has all of these words: zyxwvut
[1] stemma: belief:ID1 was undone: only its ref is left. Undo that to have it again.
13 events, 11 memories and 10 links checked: all is well
as it was
1
[4] stemma: event 15: belief:ID3 was changed since it was added: confidence. See its history, then edit it by hand.
── undone ─ 1
18 events, 12 memories and 11 links checked: all is well

# A source has one rating of each actor, besides its scores; only sources are rated; faithful takes yes or no.
$ . ./f; put <<'END'
> {"ref":"document:d"}
> {"ref":"step:none"}
> {"ref":"step:before"}
> {"ref":"step:s","justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:d","relevance":0.4,"score":"measured"},{"ref":"document:two words","relevance":0.3},{"ref":"document:sha256-aaaa1"},{"ref":"document:sha256-aaaa2"}]},{"role":"step","antecedents":["step:before"]}]}
> END
> marks() { stemma show step:s --json | jq -c '[.marks[]? | [.actor, .value, .reason]]'; }; rate() { by $1 mark rating step:s --value "$2" ${3:+--reason "$3"} | head -1; }; off() { by $1 mark rating step:s --remove --value "$2" 2>&1 | head -1; }
> rate sean "document:d relevant"; rate sean "document:two words irrelevant" "says nothing"; rate ann "d irrelevant"; rate sean "document:d irrelevant" "read it again"; rate sean "d irrelevant"; marks; stemma show step:s --json | jq -c '.justifications[0].antecedents[0]'
> for v in "document:other relevant" "step:before relevant" "document:d" "document:d perhaps" "document:sha256-aaaa relevant" "d0 relevant" "before irrelevant" " relevant" d; do no mark rating step:s --value "$v"; done; no mark rating step:none --value "document:d relevant"; no mark faithful step:s; no mark faithful step:s --value maybe
> off sean "d0"; off sean "two words"; off sean document:d; marks; off sean "document:two words"; off sean "document:d irrelevant"; marks; rate sean 0.9; rate sean 0.8; marks; by sean mark rating step:s --remove | head -1; marks; by sean mark faithful step:s --value yes --reason "read it" >/dev/null; by sean mark faithful step:s --value no >/dev/null; by ann mark faithful step:s --value yes >/dev/null; marks
── flagged ─ 1
── flagged ─ 1
── flagged ─ 1
── flagged ─ 1
── nothing was flagged
[["sean","document:two words irrelevant","says nothing"],["ann","document:d irrelevant",null],["sean","document:d irrelevant","read it again"]]
{"ref":"document:d","relevance":0.4,"score":"measured"}
[2] stemma: document:other is not a source of step:s. stemma show step:s lists what it is based on.
[2] stemma: step:before is not a source of step:s. stemma show step:s lists what it is based on.
[2] stemma: a source is rated relevant or irrelevant. Write one of them after its ref.
[2] stemma: a source is rated relevant or irrelevant. Write one of them after its ref.
[2] stemma: document:sha256-aaaa is not a source of step:s. stemma show step:s lists what it is based on.
[2] stemma: d0 is not a source of step:s. Give the ref of one that it is based on.
[2] stemma: before is not a source of step:s. Give the ref of one that it is based on.
[2] stemma:  is not a source of step:s. Give the ref of one that it is based on.
[2] stemma: a source is rated relevant or irrelevant. Write one of them after its ref.
[2] stemma: document:d is not a source of step:none. stemma show step:none lists what it is based on.
[2] stemma: no value says whether it is faithful to its sources. Give its value: yes or no.
[2] stemma: no value says whether it is faithful to its sources. Give its value: yes or no.
stemma: d0 is not a source of step:s. Give the ref of one that it is based on.
── unflagged ─ 1
── unflagged ─ 1
[["ann","document:d irrelevant",null]]
stemma: there was nothing to remove
── unflagged ─ 1
[]
── flagged ─ 1
── flagged ─ 1
[["sean","0.8",null]]
── unflagged ─ 1
[]
[["sean","no",null],["ann","yes",null]]

# A retraction that was undone and redone, or restored and that undone, still says who made it, when and why.
$ e=$(stemma add episode e --store again.db) b=$(stemma add belief b --from $e --store again.db); { stemma retract $e --yes --reason "the log says otherwise" --store again.db; stemma undo --yes --store again.db; stemma redo --yes --store again.db; } >/dev/null; for r in $e $b; do stemma show $r --store again.db | grep 'by sean:'; done; { stemma restore $e --yes --store again.db; stemma undo --yes --store again.db; } >/dev/null; stemma show $e --store again.db | grep 'by sean:'
 retracted    NOW (AGE) by sean: the log says otherwise
          retracted NOW (AGE) by sean: the log says otherwise
 retracted    NOW (AGE) by sean: the log says otherwise
