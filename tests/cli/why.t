# Why a memory is believed. Ten notes that echo one page are one derivation.
$ stemma why belief:c2992c46
 ● belief:c2992c46       Retries are always safe on the new queue. 0.93 AGE
 10 of 10 justifications are valid, 1 independent derivation: it hangs on
   ● attribution:03b3f0bb  A vendor's page claims that exactly-once delivery makes every retry safe.
 class        web

── why ─ 10
     memory                as            by      when  text
 derivations 1 to 10 · strength 0.600
   ● attribution:03b3f0bb  derived from  claire AGE    A vendor's page claims that exactly-once delivery makes every retry safe.
   and any of
   ● note:de49283b         derived from  ash AGE    With exactly-once delivery a retry cannot pay twice.
   ● note:d28724c5         derived from  claire AGE    The new queue takes care of duplicates by itself.
   ● note:55c72f6c         derived from  ash AGE    Retries cost nothing on the new queue.
   ● note:616e9f93         derived from  claire AGE    Idempotency keys are no longer needed, going by the vendor.
   ● note:3499ec1f         derived from  ash AGE    Duplicates are the queue's problem now.
   ● note:752de1d8         derived from  ash AGE    The consumer may crash at any point and be retried.
   ● note:4f42e7b2         derived from  claire AGE    Exactly-once holds across restarts of the broker.
   ● note:3f36e0a7         derived from  ash AGE    We can raise the retry limit without a risk.
   ● note:91c47d27         derived from  claire AGE    Payments are safe to retry in a loop.
   ● note:5f3486e0         derived from  ash AGE    No one has seen a duplicate since the page was published.

── contradicts ─ 1
   ● belief:8fc21b98       Retries beyond three hide the first error.
$ stemma why belief:c2992c46 --json | jq -c '{supports, independent, hangs_on, derivations: (.derivations | length), contradicted_by}'
{"supports":10,"independent":1,"hangs_on":["attribution:03b3f0bb-c746-4151-8c78-e8debe974f24"],"derivations":10,"contradicted_by":["belief:8fc21b98-eede-48a7-ba70-ee19ef41b843"]}

# A source is its own reason, and what has no support says so.
$ stemma why attribution:03b3f0bb; stemma list belief --label unsupported --json | jq -r .ref | head -1 | xargs stemma why | head -2
 ● attribution:03b3f0bb  A vendor's page claims that exactly-once delivery makes every retry safe. 1.00 AGE
 It is based on nothing else.
 class        web

── why ─ 1
     memory                by      when  text
 derivation 1
   ● attribution:03b3f0bb  claire AGE    A vendor's page claims that exactly-once delivery makes every retry safe.
 ○ belief:e5e2487d  The staging cluster loses a node every Tuesday. 0.00 AGE
 Its only justification is not valid.

# Two derivations from different sources, and one that needs two sources.
$ echo 'export STEMMA_STORE=$PWD/why.db' >w; cat >in.jsonl <<'END'
> {"ref":"raw:a","text":"one log","created_at":1700000000000}
> {"ref":"raw:b","text":"another log","created_at":1700000000000}
> {"ref":"belief:any","text":"either is enough","derived_from":["raw:a","raw:b"],"derivation":"any","created_at":1700000000000}
> {"ref":"belief:all","text":"both are needed","derived_from":["raw:a","raw:b"],"derivation":"all","created_at":1700000000000}
> END
$ . ./w; stemma import jsonl in.jsonl >/dev/null; stemma why belief:any; stemma why belief:all; stemma roots belief:any | head -2
 ● belief:any  either is enough 0.80 AGE
 2 of 2 justifications are valid, 2 independent derivations: no single source takes its support away.
 class        own

── why ─ 2
     memory      as            by    when  text
 derivation 1 · strength 1.000
   ● raw:a       derived from  sean AGE    one log
 derivation 2 · strength 1.000
   ● raw:b       derived from  sean AGE    another log
 ● belief:all  both are needed 0.80 AGE
 1 of 1 justification is valid, 1 independent derivation: it needs each of
   ● raw:a       one log
   ● raw:b       another log
 class        own

── why ─ 1
     memory      as            by    when  text
 derivation 1 · strength 1.000
   ● raw:a       derived from  sean AGE    one log
   ● raw:b       derived from  sean AGE    another log
 ● belief:any  either is enough 0.80 AGE
 2 of 2 justifications are valid, 2 independent derivations.

# Folds over the same graph: how many derivations, their oldest root, the strongest and its weakest link.
$ . ./w; stemma roots belief:any --json; stemma roots belief:all --json | jq -c '[.ways, .oldest]'; stemma confidence belief:all --json | jq -c '[.low, .best, .weakest]'
{"ref":"belief:any","supports":2,"independent":2,"proven":true,"ways":2,"oldest":1700000000000,"roots":["raw:a","raw:b"],"derivations":[["raw:a"],["raw:b"]]}
[1,1700000000000]
[1,1,1]
# The JSON of a memory tells how many derivations are independent; of a list it is told where it costs nothing.
$ . ./w; stemma show belief:any --json | jq -c '.independent'; stemma list belief --json | jq -c '[.ref, .independent]'; stemma list belief --roots 2+ --json | jq -c '[.ref, .independent_at_least]'
2
["belief:all",1]
["belief:any",null]
["belief:any",2]
# Lists by how many others lose all support without a memory.
$ . ./w; stemma list all --order keystones; stemma list all --order keystones --json | jq -c '[.ref, .loses]'; stemma list all --order keystones --reverse --limit 1 --json | jq -r '.ref // empty'
sign  ref         loses  support  source   age  text
●     raw:b           1        –  direct AGE  another log
●     raw:a           1        –  direct AGE  one log
●     belief:all      0      1/1  direct AGE  both are needed
●     belief:any      0      2/2  direct AGE  either is enough
["raw:b",1]
["raw:a",1]
["belief:all",0]
["belief:any",0]
belief:any

# A retraction may raise the lower bound: justifications that shared the retracted source count one by one. The page says so.
$ cat >shared.jsonl <<'END'
> {"ref":"raw:r1-0000","text":"shared","confidence":0.5}
> {"ref":"raw:x1-0000","text":"one","confidence":0.9}
> {"ref":"raw:x2-0000","text":"two","confidence":0.9}
> {"ref":"note:n1-0000","text":"n1","derived_from":["raw:r1-0000","raw:x1-0000"],"derivation":"any"}
> {"ref":"note:n2-0000","text":"n2","derived_from":["raw:r1-0000","raw:x2-0000"],"derivation":"any"}
> {"ref":"belief:b-0000","text":"b","derived_from":["note:n1-0000","note:n2-0000"],"derivation":"any"}
> END
> export STEMMA_STORE=$PWD/shared.db; stemma import jsonl shared.jsonl >/dev/null; stemma confidence belief:b-0000 | grep -e '^ low' -e tightened; stemma retract raw:r1-0000 --yes >/dev/null; stemma confidence belief:b-0000 | grep -e '^ low' -e tightened; stemma retract raw:x1-0000 raw:x2-0000 --yes >/dev/null; stemma confidence belief:b-0000 | grep -e '^ low' -e tightened
 low          0.950
 low =        1 - (1 - 0.5) * (1 - 0.9)
 low          0.990
 low =        1 - (1 - 0.9) * (1 - 0.9)
 Bound tightened: justifications that shared a source count one by one since it was retracted; as one group low would be 0.900.
 low          0.000
 low =        0

# What an event changed, and what of that differs between two times.
$ export STEMMA_STORE=$PWD/shared.db; stemma effects @7; for when in '@1' '@6 now' '@7 now' '@1 @5' 'never' '@7 @1'; do echo "$when"; eval stemma effects @7 $when | grep -v '^│' | tail -n +3; done; stemma effects seven
│ @7

── whose label it changed ─ 3
     memory        from       to        text
   × raw:r1-0000   supported  ended     shared
   ○ note:n1-0000  supported  weakened  n1
   ○ note:n2-0000  supported  weakened  n2
@1
     memory        from       to           text
   × raw:r1-0000   supported  ended        shared
   ○ note:n1-0000             unsupported  n1
   ○ note:n2-0000             unsupported  n2
@6 AGE
     memory        from       to           text
   × raw:r1-0000   supported  ended        shared
   ○ note:n1-0000  supported  unsupported  n1
   ○ note:n2-0000  supported  unsupported  n2
@7 AGE
     memory        from      to           text
   ○ note:n1-0000  weakened  unsupported  n1
   ○ note:n2-0000  weakened  unsupported  n2
@1 @5
     memory        to         text
   ○ note:n1-0000  supported  n1
   ○ note:n2-0000  supported  n2

 The event is not between the two times.
never
stemma: 'never' is not a time. Give a date, ISO 8601, how long ago (2 days ago), yesterday, last week, or an event (@123).
@7 @1
stemma: @7 @7 @1 names no event, or its times are not in order. Give one such as @137, and two more to compare what was before and after them: @137 @120 @150.
stemma: seven names no event, or its times are not in order. Give one such as @137, and two more to compare what was before and after them: @137 @120 @150.
[3]

# Why not: of a text, quoted or not, or of a memory; the nearest source that fell or is missing, and the event.
$ cat >not.jsonl <<'END'
> {"ref":"belief:lost-0000","text":"it is based on what nobody has","derived_from":["raw:nowhere-0000"]}
> {"ref":"raw:leaf-0000","text":"a leaf"}
> {"ref":"note:twig-0000","text":"a twig","derived_from":["raw:leaf-0000"]}
> {"ref":"belief:bird-0000","text":"the bird sits","derived_from":["note:twig-0000"]}
> END
> export STEMMA_STORE=$PWD/not.db; stemma import jsonl not.jsonl >/dev/null; stemma retract raw:leaf-0000 --yes >/dev/null
> for said in "the bird sits" "belief:lost-0000 --json" "bird-0000 --json" "nobody said so"; do stemma why-not $said; done | sed "s/on $(date -u +%F)/on NOW/"
stemma: belief:lost-0000: names raw:nowhere-0000, which is not here
│ the bird sits
   ○ belief:bird-0000  the bird sits
 why not      unsupported: what its source is based on was retracted on NOW by sean
 event        5

── the nearest source that ended or is missing ─ 1
   × raw:leaf-0000     a leaf
{"text":"belief:lost-0000","ref":"belief:lost-0000","cause":"unsupported: its source is missing","fallen":["raw:nowhere-0000"],"others":[]}
{"text":"bird-0000","ref":"belief:bird-0000","cause":"unsupported: what its source is based on was retracted on NOW by sean","event":5,"fallen":["raw:leaf-0000"],"others":[]}
│ nobody said so
   ○ belief:lost-0000  it is based on what nobody has
 why not      unsupported: its source is missing

── the nearest source that ended or is missing ─ 1
   × raw:nowhere-0000  not in this store

# A source has no roots; what nobody ever said is not found.
$ . ./w; stemma roots raw:a | tail -2; stemma why-not zebras exist
── roots ─ 0
   it has none
│ zebras exist
 why not      no memory says this: it was never recorded, or purged
[1]
