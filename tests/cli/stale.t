# What should be looked at again, and which of two memories that contradict each other to keep.
$ echo 'export STEMMA_STORE=$PWD/s.db' >f; cat >in.jsonl <<'END'
> {"ref":"document:guide","agent_id":"ash","text":"The guide","created_at":1700000000000,"detail":{"document_id":"guide"}}
> {"ref":"step:first","agent_id":"ash","text":"Read the guide","created_at":1700000000000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","chunk":1,"version_hash":"aa"}]}]}
> {"ref":"step:later","agent_id":"ash","text":"Read it again","created_at":1700000100000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","chunk":1,"version_hash":"bb"}]}]}
> {"ref":"step:other","agent_id":"ash","text":"Read another part","created_at":1700000000000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","chunk":2,"version_hash":"cc"}]}]}
> {"ref":"step:start","agent_id":"ash","text":"Read its start","created_at":1700000000000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","excerpt":"Dear reader","version_hash":"dd"}]}]}
> {"ref":"step:again","agent_id":"ash","text":"Read its start again","created_at":1700000000000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","excerpt":"Dear reader","version_hash":"ee"}]}]}
> {"ref":"step:end","agent_id":"ash","text":"Read its end","created_at":1700000000000,"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","excerpt":"Thank you","version_hash":"ff"}]}]}
> {"ref":"belief:rests","agent_id":"ash","text":"It says so","derived_from":["step:first"]}
> {"ref":"belief:too","agent_id":"ash","text":"It says so, too","derived_from":["step:first"]}
> {"ref":"attribution:good","agent_id":"ash","text":"A page","source_type":"observation","detail":{"source_type":"web_scrape","retrieval_timestamp":1700000000000,"full_content_hash":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","full_content_json":"abc"}}
> {"ref":"attribution:bad","agent_id":"ash","text":"A changed page","source_type":"observation","detail":{"source_type":"web_scrape","retrieval_timestamp":1700000000000,"full_content_hash":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","full_content_json":"abd"}}
> {"ref":"note:page","agent_id":"ash","text":"The page says it","derived_from":["attribution:bad"],"source_type":"inference"}
> {"ref":"note:gone","agent_id":"ash","text":"Not there any more","marks":[{"mark":"removed_at_source","at":1700000000000}]}
> {"ref":"belief:old","agent_id":"ash","text":"Old","created_at":1700000000000}
> {"ref":"belief:told","agent_id":"ash","text":"Old and approved","created_at":1700000000000}
> {"ref":"belief:kept","agent_id":"ash","text":"Old and confirmed","created_at":1700000000000}
> {"ref":"note:old","agent_id":"ash","text":"An old note","created_at":1700000000000}
> {"ref":"raw:seen","agent_id":"ash","text":"Seen"}
> END
$ . ./f; stemma import jsonl in.jsonl >/dev/null; stemma approve belief:told >/dev/null; stemma reinforce belief:kept --evidence raw:seen >/dev/null; stemma stale --json | sed 's/[0-9]* days/N days/'
{"ref":"step:first","reason":"its document has changed","loses":2,"dependants":2}
{"ref":"attribution:bad","reason":"its content has another hash","loses":1,"dependants":1}
{"ref":"step:start","reason":"its document has changed","loses":0,"dependants":0}
{"ref":"note:gone","reason":"its source no longer has it","loses":0,"dependants":0}
{"ref":"belief:old","reason":"not confirmed for N days","loses":0,"dependants":0}
$ . ./f; stemma stale | sed 's/[0-9]* days/N days/'; stemma stale --limit 2 --json | wc -l; stemma stale belief:old belief:kept --json | sed 's/[0-9]* days/N days/'; stemma stale belief:kept
── stale ─ 5
     memory           because                       lose  used by  text
   ● step:first       its document has changed      2     2        Read the guide
   ● attribution:bad  its content has another hash  1     1        A changed page
   ● step:start       its document has changed      0     0        Read its start
   – note:gone        its source no longer has it   0     0        Not there any more
   – belief:old       not confirmed for N days   0     0        Old
3
{"ref":"belief:old","reason":"not confirmed for N days","loses":0,"dependants":0}
── stale ─ 0
   nothing is stale
[1]
# What confirmed it does not stand any more.
$ . ./f; stemma retract raw:seen --yes >/dev/null; stemma stale belief:kept --json | sed 's/[0-9]* days/N days/'; stemma undo >/dev/null; stemma stale belief:kept --json
{"ref":"belief:kept","reason":"not confirmed for N days","loses":0,"dependants":0}
[1]
# The days are configured by kind; 0: never.
$ . ./f; printf 'stale: {belief: 0, note: 30}\n' >c.yaml; stemma stale --json --config c.yaml | sed 's/[0-9]* days/N days/'; printf 'stale: {beliefs: 3}\n' >c.yaml; stemma stale --config c.yaml; printf 'stale: {belief: -3}\n' >c.yaml; stemma stale --config c.yaml
{"ref":"step:first","reason":"its document has changed","loses":2,"dependants":2}
{"ref":"attribution:bad","reason":"its content has another hash","loses":1,"dependants":1}
{"ref":"step:start","reason":"its document has changed","loses":0,"dependants":0}
{"ref":"note:gone","reason":"its source no longer has it","loses":0,"dependants":0}
{"ref":"note:old","reason":"not confirmed for N days","loses":0,"dependants":0}
stemma: c.yaml line 1: there is no kind that gets stale 'beliefs'; did you mean 'belief'? Correct that line or remove it; `stemma help config` shows every setting.
stemma: c.yaml line 1: 'belief' takes a whole number from 0 to 36500, not '-3'. Correct that line or remove it; `stemma help config` shows every setting.
[3]
# As of a time before the guide was read again.
$ . ./f; stemma stale --as-of @2 --json
stemma: as of NOW (event 2)
[1]

# Of two memories that contradict each other.
$ echo 'export STEMMA_STORE=$PWD/r.db' >f; cat >in.jsonl <<'END'
> {"ref":"raw:one","agent_id":"ash","text":"Seen once"}
> {"ref":"raw:two","agent_id":"ash","text":"Seen twice"}
> {"ref":"attribution:page","agent_id":"ash","text":"A page","source_type":"observation","detail":{"source_type":"web_scrape","retrieval_timestamp":1700000000000}}
> {"ref":"belief:firm","agent_id":"ash","text":"Retries hide errors","created_at":1700000000000,"derived_from":["raw:one","raw:two"]}
> {"ref":"belief:loud","agent_id":"ash","text":"Retries are safe","created_at":1700000100000,"derived_from":["attribution:page"],"relations":[{"type":"contradicts","to":"belief:firm"}]}
> {"ref":"note:rests","agent_id":"ash","text":"So retry","derived_from":["belief:loud"]}
> {"ref":"belief:it's","agent_id":"ash","text":"Retries are safe at night","created_at":1700000100000,"relations":[{"type":"contradicts","to":"belief:loud"}]}
> END
$ . ./f; stemma import jsonl in.jsonl >/dev/null; stemma resolve belief:loud belief:firm
 preferred    stemma resolve belief:firm belief:loud --keep belief:firm --yes

── because ─ 2
   independent derivations: 2 against 1
   although the other one is newer

── ways out ─ 4
     memory            way      lose support  text
   ● belief:loud       replace  0             Retries are safe
   ● belief:firm       replace  0             Retries hide errors
   ● belief:loud       retract  1             Retries are safe
   ● belief:firm       retract  0             Retries hide errors

── sources that cannot all be right ─ 2
 set 1
   ● raw:one           Seen once
   ● attribution:page  A page
 set 2
   ● raw:two           Seen twice
   ● attribution:page  A page
$ . ./f; stemma resolve belief:loud belief:firm --json; stemma resolve belief:firm --json | head -c 100
{"command":"stemma resolve belief:firm belief:loud --keep belief:firm --yes","keep":"belief:firm","replace":"belief:loud","reasons":["independent derivations: 2 against 1","although the other one is newer"],"ways":[{"ref":"belief:loud","way":"replace","by":"belief:firm","loses":0,"lost":[],"command":"stemma resolve belief:firm belief:loud --keep belief:firm --yes"},{"ref":"belief:firm","way":"replace","by":"belief:loud","loses":0,"lost":[],"command":"stemma resolve belief:loud belief:firm --keep belief:loud --yes"},{"ref":"belief:loud","way":"retract","loses":1,"lost":["note:rests"],"command":"stemma retract belief:loud"},{"ref":"belief:firm","way":"retract","loses":0,"lost":[],"command":"stemma retract belief:firm"}],"impossible":[["raw:one","attribution:page"],["raw:two","attribution:page"]]}
{"command":"stemma resolve belief:firm belief:loud --keep belief:firm --yes","keep":"belief:firm","r
$ . ./f; stemma conflicts belief:firm --json
{"pair":["belief:loud","belief:firm"],"recorded":true,"impossible":["raw:one","attribution:page"]}
# A word of a command line is quoted if it is not plain.
$ . ./f; stemma resolve belief:loud "belief:it's" --json | head -c 120
{"command":"stemma resolve 'belief:it'\\''s' belief:loud --keep 'belief:it'\\''s' --yes","keep":"belief:it's","replace":
# What a person approved comes first. Nothing is changed without --yes.
$ . ./f; stemma approve belief:loud >/dev/null; stemma resolve belief:firm belief:loud --json | head -c 300; echo; stemma resolve belief:firm belief:loud --keep belief:firm --dry-run; stemma show belief:loud --json | grep -o '"status":"[a-z]*"'
{"command":"stemma resolve belief:loud belief:firm --keep belief:loud --yes","keep":"belief:loud","replace":"belief:firm","reasons":["a person approved it","although it has fewer independent derivations: 1 against 2","it is newer"],"ways":[{"ref":"belief:firm","way":"replace","by":"belief:loud","los
── would be replaced ─ 1
     belief:loud   Retries are safe replaced 0.80 AGE
       status             active → replaced

── would follow ─ 1 · changed as well, and undone with it
     belief:firm   Retries hide errors replaced 0.80 AGE
       relations        + replaces belief:loud
Nothing was changed.
"status":"active"
$ . ./f; stemma resolve belief:firm belief:loud --keep belief:firm --yes --reason "I counted"; stemma show belief:loud --json | grep -o '"status":"[a-z]*"'; stemma show note:rests --json | grep -o '"label":"[a-z]*"'; stemma conflicts belief:firm >/dev/null; echo $?; stemma resolve belief:firm belief:loud; stemma undo; stemma show belief:loud --json | grep -o '"status":"[a-z]*"'
── replaced ─ 1
     belief:loud   Retries are safe replaced 0.80 AGE
       status             active → replaced

── followed ─ 1 · changed as well, and undone with it
     belief:firm   Retries hide errors replaced 0.80 AGE
       relations        + replaces belief:loud: I counted
"status":"superseded"
"label":"supported"
1
stemma: belief:loud is replaced: there is nothing to resolve. Name two memories that are active.
── undone ─ 2
     belief:firm   Retries hide errors 0.80 AGE
       relations        - replaces belief:loud: I counted
     belief:loud   Retries are safe 0.80 AGE
       status             replaced → active
"status":"active"
$ . ./f; stemma resolve raw:one; stemma resolve raw:one raw:one; stemma resolve raw:one raw:two belief:firm; stemma resolve belief:firm belief:loud --keep raw:one --yes; stemma resolve; stemma resolve belief:nobody
stemma: nothing is known to contradict this memory. Name the other memory as well.
stemma: a memory does not contradict itself. Name two different memories.
stemma: resolve takes two memories, and 3 are given. Run it once for each pair.
stemma: --keep names neither of the two memories. Name one of the two.
stemma: 'resolve' needs REF. Usage: `stemma resolve REF [REF]`.
stemma: no memory is called belief:nobody. Search for it, or list its kind.
[1]
# The class of a memory: what comes from a page has no authority.
$ . ./f; for m in belief:firm belief:loud note:rests attribution:page raw:one; do stemma show $m --json | grep -o '"trust".*'; done; stemma why belief:loud --json | head -c 80
"trust":1,"class":"own","independent":2}
"trust":0.6,"class":"web","independent":1}
"trust":0.6,"class":"web","independent":1}
"trust":0.6,"class":"web"}
"trust":1,"class":"own"}
{"ref":"belief:loud","supports":1,"independent":1,"hangs_on":["attribution:page"
