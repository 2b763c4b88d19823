# The trust of a memory is the minimum along its best support. It changes no confidence.
$ echo 'export STEMMA_STORE=$PWD/t.db' >f; cat >in.jsonl <<'END'
> {"ref":"raw:seen","agent_id":"ash","text":"seen"}
> {"ref":"note:told","agent_id":"ash","text":"claire says so","source_type":"told_by_agent","source_entity":"agent:claire","derived_from":["raw:seen"]}
> {"ref":"belief:one","agent_id":"ash","text":"from hearsay","source_type":"inference","derived_from":["note:told"],"confidence":0.95}
> {"ref":"belief:two","agent_id":"ash","text":"from either","source_type":"inference","derived_from":["note:told","raw:seen"],"confidence":0.85}
> {"ref":"belief:all","agent_id":"ash","text":"needs both","source_type":"consolidation","derived_from":["note:told","raw:seen"],"derivation":"all","confidence":0.5}
> {"ref":"note:zoe","agent_id":"ash","text":"zoe said","source_type":"told_by_human","source_entity":"human:zoe"}
> {"ref":"note:web","agent_id":"ash","text":"on a page","source_type":"external","confidence":0.9}
> {"ref":"note:old","agent_id":"ash","text":"an import","source_type":"folklore"}
> {"ref":"belief:fell","agent_id":"ash","text":"lost it","derived_from":["raw:never"]}
> END
$ . ./f; stemma import jsonl in.jsonl >/dev/null; stemma list all --order trust
stemma: belief:fell: names raw:never, which is not here
sign  ref          trust  support  source          age  text
●     raw:seen      1.00        –  direct AGE  seen
●     belief:two    0.90      2/2  inference AGE  from either
●     belief:all    0.70      1/1  consolidation AGE  needs both
●     belief:one    0.70      1/1  inference AGE  from hearsay
●     note:told     0.70      1/1  told by agent AGE  claire says so
–     note:zoe      0.90        –  told by human AGE  zoe said
–     note:web      0.60        –  external AGE  on a page
–     note:old      0.50        –  folklore AGE  an import
○     belief:fell   0.00      0/1  direct AGE  lost it
$ . ./f; stemma list all --told claire; stemma list notes --told agent:claire --order text; stemma list all --told human:zoe --label unsourced --limit 1; stemma list all --told zoe
●  note:told  0.80  1/1  told by agent AGE  claire says so
●  note:told  0.80  1/1  told by agent AGE  claire says so
–  note:zoe  0.80  –  told by human AGE  zoe said
stemma: nothing matched
[1]
$ . ./f; stemma list all --order trust --json --limit 3 | sed 's/^{"ref":"\([^"]*\)".*"label"/\1 "label"/; s/{"next".*/next/'; stemma list all --order trust --limit 3 --cursor "$(stemma list all --order trust --json --limit 3 | tail -1 | cut -d'"' -f4)" --json | sed 's/^{"ref":"\([^"]*\)".*"label"/\1 "label"/; s/{"next".*/next/'
raw:seen "label":"supported","effective":1,"trust":1}
belief:two "label":"supported","effective":0.85,"trust":0.9}
belief:all "label":"supported","effective":0.5,"trust":0.7,"independent":1}
next
belief:one "label":"supported","effective":0.95,"trust":0.7,"independent":1}
note:told "label":"supported","effective":0.8,"trust":0.7,"independent":1}
note:zoe "label":"unsourced","effective":0.8,"trust":0.9}
next
$ . ./f; stemma list beliefs --order trust --reverse
sign  ref          trust  support  source          age  text
○     belief:fell   0.00      0/1  direct AGE  lost it
●     belief:one    0.70      1/1  inference AGE  from hearsay
●     belief:all    0.70      1/1  consolidation AGE  needs both
●     belief:two    0.90      2/2  inference AGE  from either
$ . ./f; stemma show belief:one --trace | sed 's/20..-..-.. ..:..:..Z/NOW/'
belief:one
│ from hearsay

 created      NOW (AGE)
 state        ● supported
 changed      never
 agent        ash
 confidence   0.950
 trust        0.70, limited by note:told, told by agent: agent:claire
 class        agent
 source       inference

── based on ─ 1 of 1 valid
● belief:one  from hearsay  0.95
└─ ● note:told  claire says so  0.80  trust 0.70
   └─ ● raw:seen  seen  1.00
$ . ./f; stemma show belief:one --trace --json | grep -o '"ref":"[^"]*"\|"trust":[0-9.]*'
"ref":"belief:one"
"trust":0.7
"ref":"note:told"
"trust":0.7
"ref":"raw:seen"
"trust":1
$ . ./f; stemma show belief:one --json | grep -o '"label".*'; stemma show note:zoe | grep trust; stemma show raw:seen | grep -c trust
"label":"supported","effective":0.95,"trust":0.7,"class":"agent","independent":1}
 trust        0.90, told by human: human:zoe
0
[1]
# Who told it counts instead of what kind of source it is, and a cap is a line of its own in the arithmetic.
$ . ./f; printf 'trust: {cap: yes, source_types: {external: 0.25}, source_entities: {claire: 0.6, "human:zoe": 1}}\n' >c.yaml; stemma --config c.yaml list all --order confidence
●  raw:seen     1.00    –  direct AGE  seen
●  belief:two   0.85  2/2  inference AGE  from either
–  note:zoe     0.80    –  told by human AGE  zoe said
●  belief:one   0.60  1/1  inference AGE  from hearsay
●  note:told    0.60  1/1  told by agent AGE  claire says so
–  note:old     0.50    –  folklore AGE  an import
●  belief:all   0.50  1/1  consolidation AGE  needs both
–  note:web     0.25    –  external AGE  on a page
○  belief:fell  0.00  0/1  direct AGE  lost it
$ echo '{"original_question":"Q","final_answer":"A","reasoning_steps":[{"step_number":1,"question":"q","intermediate_answer":"a","confidence_score":0.9,"source_attributions":[{"document_id":"doc_1","relevance_score":0.9}]}]}' >chain.json; stemma import cot chain.json --store chain.db >/dev/null; stemma --config c.yaml list chains --store chain.db; stemma --config c.yaml list chains --store chain.db --json | jq -c '[.confidence, .effective]'
●  chain:ID1  0.25  1/1  finished, 1 step AGE  Q
[0.9,0.25]
$ . ./f; stemma --config c.yaml show belief:one --trace | sed -n '/^ confidence/,$p'
 confidence   0.600 effective, 0.950 stored
 trust        0.60, limited by note:told, told by agent: agent:claire
 class        agent
 source       inference

── confidence ─ 0.950 stored · 0.600 effective
   0.600  at most the trust: 0.60, limited by note:told, told by agent: agent:claire

── based on ─ 1 of 1 valid
● belief:one  from hearsay  0.60
└─ ● note:told  claire says so  0.60  trust 0.60
   └─ ● raw:seen  seen  1.00
$ . ./f; stemma --config c.yaml show belief:one --json | grep -o '"confidence":[0-9.]*\|"effective".*'; stemma show belief:one --json | grep -o '"effective".*'; stemma --config c.yaml show belief:two | grep "trust\|conf"; stemma --config c.yaml show note:zoe | grep -c trust
"confidence":0.95
"effective":0.6,"trust":0.6,"class":"agent","independent":1}
"effective":0.95,"trust":0.7,"class":"agent","independent":1}
 confidence   0.850
 trust        0.90, inference
0
[1]
$ . ./f; printf 'trust: {source_entities: {claire: 0.6}}\n' >d.yaml; stemma --config d.yaml show belief:one | grep "trust\|conf"
 confidence   0.950
 trust        0.60, limited by note:told, told by agent: agent:claire
# What became of what somebody told.
$ . ./f; for n in 1 2 3 4 5; do echo '{"ref":"note:c'$n'","text":"claire on '$n'","source_type":"told_by_agent","source_entity":"claire","confidence":0.5}'; done | stemma import jsonl - >/dev/null; stemma approve note:c1 >/dev/null; stemma reinforce note:c2 --evidence raw:seen >/dev/null; stemma retract note:c3 --yes >/dev/null; stemma flag poisoned note:c4 >/dev/null; stemma approve note:told >/dev/null; stemma trust --config c.yaml
memories  confirmed  contradicted  calibrated  trust  source
       6          3             2        0.57   0.60  claire
       1          0             0           -   1.00  human:zoe
$ . ./f; echo '{"ref":"note:no","text":"it is not so","relations":[{"type":"contradicts","to":"note:c1","at":1}]}' | stemma import jsonl - >/dev/null; stemma trust --json; stemma trust --json --config c.yaml | cut -d, -f1,5-; stemma trust --as-of @9 | wc -l
{"source_entity":"claire","memories":6,"confirmed":2,"contradicted":3,"trust":0.7,"calibrated":0.42857142857142855}
{"source_entity":"human:zoe","memories":1,"confirmed":0,"contradicted":0,"trust":0.9,"calibrated":null}
{"source_entity":"claire","trust":0.6,"calibrated":0.42857142857142855}
{"source_entity":"human:zoe","trust":1,"calibrated":null}
stemma: as of NOW (event 9)
3
$ . ./f; stemma restore note:c3 >/dev/null; stemma retract note:no --yes >/dev/null; stemma trust | grep claire; stemma trust belief:one
       6          3             1        0.67   0.70  claire
stemma: 'trust' does not know what to do with 'belief:one'. Usage: `stemma trust`.
[2]

# A page or document is a source as well. Two retrievals of one page count each memory once, and what documents are based on not at all.
$ cat >pages.jsonl <<'END'
> {"ref":"attribution:a","agent_id":"ash","text":"read","detail":{"source_type":"web_scrape","source_uri":"https://a.example/","retrieval_timestamp":1794990000000}}
> {"ref":"attribution:b","agent_id":"ash","text":"read again","detail":{"source_type":"web_scrape","source_uri":"https://a.example/","retrieval_timestamp":1794990000000}}
> {"ref":"document:d","agent_id":"ash","text":"a page","derived_from":["attribution:b"],"detail":{"document_id":"d","uri":"docs/d.md"}}
> {"ref":"note:one","agent_id":"ash","text":"one","source_type":"external","derived_from":["attribution:a","attribution:b"]}
> {"ref":"note:two","agent_id":"ash","text":"two","source_type":"inference","derived_from":["attribution:b"]}
> {"ref":"note:doc","agent_id":"ash","text":"doc","derived_from":["document:d"]}
> END
$ export STEMMA_STORE=$PWD/pages.db; stemma import jsonl pages.jsonl >/dev/null; stemma approve note:two >/dev/null; stemma trust; stemma retract note:one --yes >/dev/null; stemma trust --json; unset STEMMA_STORE
memories  confirmed  contradicted  calibrated  trust  source
       2          1             0        0.67   0.60  https://a.example/
       1          0             0           -   1.00  docs/d.md
{"source_uri":"https://a.example/","memories":2,"confirmed":1,"contradicted":1,"trust":0.6,"calibrated":0.5}
{"source_uri":"docs/d.md","memories":1,"confirmed":0,"contradicted":0,"trust":1,"calibrated":null}

# Evidence that was retracted or is no memory confirms nothing, and what was retracted contradicts nothing.
$ for b in a b c; do echo '{"ref":"belief:'$b'","agent_id":"ash","text":"'$b'","source_entity":"claire","confidence":0.7}'; done >told.jsonl; echo '{"ref":"episode:e","agent_id":"ash","text":"e"}' >>told.jsonl; export STEMMA_STORE=$PWD/told.db; stemma import jsonl told.jsonl >/dev/null; { stemma revise episode:e --confirms belief:a --contradicts belief:b --yes; stemma reinforce belief:c --evidence context:so --yes; } >/dev/null; stemma trust --json; stemma retract episode:e --yes >/dev/null; stemma trust --json; unset STEMMA_STORE
{"source_entity":"claire","memories":3,"confirmed":1,"contradicted":1,"trust":1,"calibrated":0.5}
{"source_entity":"claire","memories":3,"confirmed":0,"contradicted":0,"trust":1,"calibrated":null}

# Evidence that lost its own support confirms nothing, as it adds nothing to a confidence; once it is supported again, it does.
$ printf '%s\n' '{"ref":"belief:a","agent_id":"ash","text":"a","source_entity":"claire","confidence":0.7}' '{"ref":"raw:r","agent_id":"ash","text":"r"}' '{"ref":"episode:e","agent_id":"ash","text":"e","derived_from":["raw:r"]}' >lost.jsonl; export STEMMA_STORE=$PWD/lost.db; stemma import jsonl lost.jsonl >/dev/null; both() { stemma trust --json | jq -c .confirmed; stemma show belief:a --json | jq -c .effective; }
> stemma reinforce belief:a --evidence episode:e >/dev/null; both; stemma retract raw:r --yes >/dev/null; both; stemma undo --yes >/dev/null; both; unset STEMMA_STORE
1
0.7131818181818181
0
0.7
1
0.7131818181818181
