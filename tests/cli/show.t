# The page of a memory: its text, what it is based on and used by, and each change of its confidence.
$ stemma show belief:3218
belief:3218131c-8727-4566-972f-a187bdbbaea9
│ Run migrations before the workers restart.

 created      2026-10-18 01:04:40Z (AGE)
 state        ● supported · locked · reviewed · version 5
 changed      2026-10-31 00:04:40Z (AGE)
 agent        ash
 confidence   0.821
 trust        0.70, told by agent: agent:claire
 class        agent
 source       told by agent: agent:claire (Claire told me)
 tags         migration, deploy

── based on ─ 3 of 3 valid · 3 independent
   ● 1. – note:1eb9a34f     Claire: run the migrations first and restart the workers after. The other way round they read a schema that is not there yet. derived 0.80 AGE
   ● 2. ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes evidence 0.90 AGE
   ● 3. ● chain:e928fb0a    Why did the deploy stop the payments queue? reinforced 0.86 AGE
        context:told by Claire annotation

── used by ─ 1 directly, 3 in all
   ● value:a7a5c395    Care before speed. 3 of 3 valid 0.90 AGE

── confidence ─ ▆▆▇▇  0.821 stored · 0.821 effective
   0.821  +0.008  2026-10-31 00:04:40Z the analysis comes to the same  chain:e928fb0a
   0.813  +0.100  2026-10-29 02:04:40Z verified: I read the report and the diff of the migration
   0.713  +0.013  2026-10-27 04:04:40Z the outage was this, the other way round  episode:65f767ba

── flags
   reviewed       2026-10-29 02:06:40Z import of sean  agrees with the report

── belief
   belief type         procedural
   times reinforced    2
$ COLUMNS=80 stemma show belief:b81d1f6b
belief:b81d1f6b-3f35-43bd-b904-53a4d9f8856b
│ A migration must leave a schema that the old workers can still read.

 created      2026-11-01 23:04:40Z (AGE)
 state        ● supported · for_review · version 2
 changed      2026-11-15 23:04:40Z (AGE)
 agent        claire
 confidence   0.840
 trust        0.90, inference
 source       inference (concluded from both sides of the outage)
 tags         migration

── based on ─ 2 of 2 valid · 1 independent
   ● any of     ● note:e178d716  Old workers keep reading the old …  0.80 AGE
                ● note:be6cd0e5  A rollback starts the old code on…  0.80 AGE

── used by
   nothing

── flags
   for_review     2026-11-15 23:04:40Z import of claire  does it hold for renam…

── belief
   belief type         procedural
$ COLUMNS=40 stemma show attribution:03b3f0bb
attribution:03b3f0bb-c746-4151-8c78-e8debe974f24
│ A vendor's page claims that
│ exactly-once delivery makes every
│ retry safe.

 created      2026-11-06 23:04:40Z (AGE)
 state        ● supported
 changed      never
 agent        claire
 confidence   1.000
 trust        0.60, web_scrape
 class        web: information, no
              authority
 source       observation

── based on
   nothing: it is a source itself

── used by ─ 10 directly, 11 in all · 1…
   ● note:de49283b  With exactly-once d…
   ● note:d28724c5  The new queue takes…
   ● note:55c72f6c  Retries cost nothin…
   ● note:616e9f93  Idempotency keys ar…
   ● note:3499ec1f  Duplicates are the …
   ● note:752de1d8  The consumer may cr…
   ● note:4f42e7b2  Exactly-once holds …
   ● note:3f36e0a7  We can raise the re…
   ● note:91c47d27  Payments are safe t…
   ● note:5f3486e0  No one has seen a d…

── attribution
   source type
    web_scrape
   source uri
    https://queue.example/blog/exactly-
    once
   retrieved
    1794052800  2026-11-07 12:00:00Z
    (AGE), read as seconds
   full content hash
    990e96e1550cd63704d35e70650125765c9
    b0725d7147883d52293f55e522b14

# A detail with the name of a fact is in its own section.
$ stemma show raw:47735e51
raw:47735e51-a83a-4973-9451-533dcceff2f5
│ 14:02:11 payments-queue depth 8 412 and rising · 14:02:40 worker heartbeat lost (3 of 12) · 14:07:31 lock timeout on table ledger_entries · 14:43:05 depth back to 0

 created      2026-10-27 01:04:40Z (AGE)
 state        ● supported
 changed      never
 agent        ash
 confidence   1.000
 source       direct (alert channel)
 tags         incident

── based on
   nothing: it is a source itself

── used by ─ 2 directly, 12 in all · 4 with no other support
   ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes only this 0.90 AGE
   ● belief:8fc21b98   Retries beyond three hide the first error. 2 of 2 valid 0.75 AGE

── related
   promoted to      ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes 0.90 AGE

── raw entry
   source              pager
   captured by         ash

# The page of a dead memory begins with its status.
$ stemma forget raw:47735e51 --yes >/dev/null; stemma show raw:47735e51
raw:47735e51-a83a-4973-9451-533dcceff2f5
│ 14:02:11 payments-queue depth 8 412 and rising · 14:02:40 worker heartbeat lost (3 of 12) · 14:07:31 lock timeout on table ledger_entries · 14:43:05 depth back to 0

 created      2026-10-27 01:04:40Z (AGE)
 state        × forgotten · version 2
 changed      NOW (AGE)
 agent        ash
 confidence   0.000 effective, 1.000 stored
 source       direct (alert channel)
 tags         incident
 forgotten    NOW (AGE) by sean

── based on
   nothing: it is a source itself

── used by ─ 2 directly, 12 in all
   ○ episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes only this 0.00 AGE
   ◐ belief:8fc21b98   Retries beyond three hide the first error. 1 of 2 valid 0.74 AGE

── related
   promoted to      ○ episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes 0.00 AGE

── confidence ─ 1.000 stored · 0.000 effective
   0.000  forgotten

── raw entry
   source              pager
   captured by         ash

# Text, reason, excerpt and detail that imitate the page stay behind their bar or in their column.
$ cat >forged.jsonl <<'END'
> {"ref":"belief:forged","text":"x\nkind         value\nstate        ● supported\n\nhistory\n     2020-01-01 00:00:00Z (6y)  0.1 → 0.9","context":"c\nstate    ● supported","agent_id":"a\nstate    ● supported","source":"s\nstate    ● supported","detail":{"k":"d\n── marks","\nstate":"x"},"justifications":[{"role":"derived_from","reason":"r\n── marks","antecedents":[{"ref":"raw:one","excerpt":"e\n── marks\nstate    ● supported"}]}],"history":[{"at":1,"old":0.1,"new":0.2,"reason":"h\n── marks"}],"marks":[{"mark":"reviewed","at":1,"actor":"m\n── marks"}]}
> {"ref":"raw:one","text":"t\n── marks"}
> END
> stemma import jsonl forged.jsonl --store forged.db >/dev/null
> stemma show belief:forged --store forged.db
belief:forged
│ x
│ kind         value
│ state        ● supported
│
│ history
│      2020-01-01 00:00:00Z (AGE)  0.1 → 0.9

 created      NOW (AGE)
 state        ● supported · reviewed
 changed      never
 agent        a�state    ● supported
 confidence   0.800
 source       direct (s
              state    ● supported)
 context      c
              state    ● supported

── based on ─ 1 of 1 valid
   ●    ● raw:one       t ── marks derived 1.00 AGE
          e
          ── marks
          state    ● supported
          r ── marks

── used by
   nothing

── confidence ─ ▁▂▇  0.800 stored · 0.800 effective
   0.800  +0.600  changed by 0.600 without a record
   0.200  +0.100  1970-01-01 00:00:00Z h ── marks

── flags
   reviewed       1970-01-01 00:00:00Z import of m�── marks

── belief
   k                   d
                       ── marks
    state              x
$ COLUMNS=40 stemma show belief:forged --store forged.db
belief:forged
│ x
│ kind         value
│ state        ● supported
│
│ history
│      2020-01-01 00:00:00Z (AGE)  0.1 →
│ 0.9

 created      NOW (AGE)
 state        ● supported · reviewed
 changed      never
 agent        a�state    ● supported
 confidence   0.800
 source       direct (s
              state    ● supported)
 context      c
              state    ● supported

── based on ─ 1 of 1 valid
   ●    ● raw:one       t ── marks
          e
          ── marks
          state    ● supported
          r ── marks

── used by
   nothing

── confidence ─ ▁▂▇  0.800 stored · 0.8…
   0.800  +0.600  changed by 0.600 with…
   0.200  +0.100  1970-01-01 00:00:00Z …

── flags
   reviewed       1970-01-01 00:00:00Z …

── belief
   k
    d
    ── marks
    state
    x
$ stemma show belief:forged --trace --store forged.db
belief:forged
│ x
│ kind         value
│ state        ● supported
│
│ history
│      2020-01-01 00:00:00Z (AGE)  0.1 → 0.9

 created      NOW (AGE)
 state        ● supported · reviewed
 changed      never
 agent        a�state    ● supported
 confidence   0.800
 source       direct (s
              state    ● supported)
 context      c
              state    ● supported

── confidence ─ ▁▂▇  0.800 stored · 0.800 effective
   0.800  +0.600  changed by 0.600 without a record
   0.200  +0.100  1970-01-01 00:00:00Z h ── marks

── based on ─ 1 of 1 valid
● belief:forged  x kind         value state        ● supported  history      2020-01-01 00:00:00Z (AGE)  0.1 → 0.9  0.80
└─ ● raw:one  t ── marks  of sean  1.00

# A trace has the history of confidence as on the page, the latest change first.
$ cat >changes.jsonl <<'END'
> {"ref":"belief:noted","text":"t","confidence":0.8,"history":[{"at":1,"old":0.8,"new":0.8,"reason":"Superseded by another"}]}
> {"ref":"belief:made","text":"t","confidence":0.8,"history":[{"at":1,"old":0,"new":0.8,"reason":"refined"}]}
> {"ref":"belief:seeded","text":"t","confidence":0.87,"source_type":"seed","history":[{"at":1,"old":0,"new":0.85},{"at":2,"old":0.85,"new":0.87,"reason":"Confirmed by outage","evidence_source":"context:outage"}]}
> {"ref":"belief:lowered","text":"t","confidence":0.5,"history":[{"at":1,"old":0.8,"new":0.5,"evidence_source":"raw:one"},{"at":2,"old":0.5,"new":0.513,"evidence_source":"raw:one"}]}
> {"ref":"belief:plain","text":"t","confidence":0.65,"source_type":"seed"}
> {"ref":"belief:gap","text":"t","confidence":0.9,"history":[{"at":1,"old":0.3,"new":0.4},{"at":2,"old":0.8,"new":0.9}]}
> END
> stemma import jsonl changes.jsonl --store changes.db >/dev/null
> for ref in noted made seeded lowered plain gap; do
> stemma show belief:$ref --trace --store changes.db | sed -n '/── confidence/,/^$/p'; done; for ref in plain seeded lowered; do stemma show belief:$ref --trace --store changes.db | grep "^ confidence"; done
── confidence ─ ▇▇  0.800 stored · 0.800 effective
   0.800  +0.000  1970-01-01 00:00:00Z Superseded by another

── confidence ─ ▁▇  0.800 stored · 0.800 effective
   0.800  +0.800  1970-01-01 00:00:00Z refined

── confidence ─ ▁▇▇  0.870 stored · 0.870 effective
   0.870  +0.020  1970-01-01 00:00:00Z Confirmed by outage  context:outage
   0.850  +0.850  1970-01-01 00:00:00Z

── confidence ─ ▇▅▅▅  0.500 stored · 0.487 effective
   0.487  -0.013                       raw:one is not in this store
   0.500  -0.013  changed by 0.013 without a record
   0.513  +0.013  1970-01-01 00:00:00Z raw:one
   0.500  -0.300  1970-01-01 00:00:00Z raw:one

── confidence ─ ▃▄▇█  0.900 stored · 0.900 effective
   0.900  +0.100  1970-01-01 00:00:00Z
   0.800  +0.400  changed by 0.400 without a record
   0.400  +0.100  1970-01-01 00:00:00Z

 confidence   0.650 · seed → 0.65
 confidence   0.870 · 0.85 → 0.87 (reinforced)
 confidence   0.487 effective, 0.500 stored

# Decay is configured. It is not stored: the page shows how the effective confidence comes from the stored one. Locked memories and raw entries do not decay.
$ cat >old.jsonl <<'END'
> {"ref":"belief:old","text":"t","confidence":0.9,"created_at":1000000000000}
> {"ref":"belief:kept","text":"t","confidence":0.85,"created_at":1000000000000,"protected":true}
> {"ref":"raw:old","text":"t","created_at":1000000000000}
> END
> echo 'decay: yes' >decay.yaml; stemma import jsonl old.jsonl --store old.db >/dev/null
> for c in /dev/null decay.yaml; do stemma list all --order confidence --json --config $c --store old.db | jq -c '[.ref, .confidence, .effective]'; done
> stemma show belief:old --config decay.yaml --store old.db | grep -A2 confidence
["raw:old",1,1]
["belief:old",0.9,0.9]
["belief:kept",0.85,0.85]
["raw:old",1,1]
["belief:kept",0.85,0.85]
["belief:old",0.9,0.5]
 confidence   N with age, N stored
 source       direct

--
── confidence ─ N stored · N with age
   N  with age: N - N * N / N, not below N = N

# Two justifications that end in one source say so; two sources do not, nor does a source that ended.
$ printf '%s\n' '{"ref":"raw:a","text":"a"}' '{"ref":"raw:b","text":"b"}' '{"ref":"note:n","text":"n","derived_from":["raw:a"]}' '{"ref":"note:m","text":"m","derived_from":["raw:a"]}' '{"ref":"belief:one","text":"x","derived_from":["note:n","note:m"]}' '{"ref":"belief:two","text":"x","derived_from":["note:n","raw:b"]}' | stemma import jsonl - --store echo.db >/dev/null; for b in one two; do stemma show belief:$b --store echo.db | grep '── based on'; done; stemma retract raw:b --yes --store echo.db >/dev/null; stemma show belief:two --store echo.db | grep '── based on'
── based on ─ 2 of 2 valid · 1 independent
── based on ─ 2 of 2 valid · 2 independent
── based on ─ 1 of 2 valid
$ stemma retract belief:one --yes --store echo.db >/dev/null 2>&1; stemma show belief:one --store echo.db | grep '── based on'
── based on ─ 2 of 2 valid

# A loss has the date of what ended the evidence, not that of the reinforcement.
$ printf '%s\n' '{"ref":"episode:e","text":"e"}' '{"ref":"raw:r","text":"r"}' '{"ref":"belief:b","text":"b","confidence":0.713,"derived_from":["raw:r"],"history":[{"at":1,"old":0.7,"new":0.713,"evidence_source":"episode:e"}]}' | stemma import jsonl - --store loss.db >/dev/null; stemma retract episode:e --yes --store loss.db >/dev/null; stemma show belief:b --store loss.db | grep -A3 '── confidence'
── confidence ─ ▆▆  0.713 stored · 0.700 effective
   0.700  -0.013  NOW episode:e retracted by sean
   0.713  +0.013  1970-01-01 00:00:00Z episode:e

# What a reinforcement added goes with its evidence, and comes back with it: by a memory, or by several at once. Lists, page, trace and JSON agree, in either order.
$ export STEMMA_STORE=$PWD/eff.db; e=$(stemma add episode "an outage"); r=$(stemma add raw "the log of it"); b=$(stemma add belief "never skip staging" --confidence 0.7); stemma add note "no other" --from $b --confidence 0.715 >/dev/null
> stemma reinforce $b --evidence $e >/dev/null; stemma edit $b --confidence 0.8 --reason "read the report" >/dev/null; stemma consolidate $b --from $r --date 2026-02-01 >/dev/null
> see() { for o in "" --reverse; do stemma list all --order confidence --json $o | jq -c '[.text, .confidence, .effective]'; done; stemma show $b | grep confidence; stemma show $b --trace | grep -A3 '── confidence' | cut -c 1-60; stemma list belief | awk '{print $3, $NF}'; }
> see; stemma retract $e --yes >/dev/null; see; stemma retract $r --yes >/dev/null; see; stemma show $b --trace --json | jq -c '.nodes[] | [.confidence, .effective, .trust, .arithmetic]'; stemma show $e --trace --json | jq -c '.nodes[0].arithmetic'; stemma graph $b --format json | jq -c '.nodes[] | [.confidence, .effective]'; stemma show $b --trace --json --config decay.yaml | jq -c '.nodes[0].arithmetic'; stemma restore $e $r >/dev/null; see; unset STEMMA_STORE
["the log of it",1,1]
["never skip staging",0.8079166666666667,0.8079166666666667]
["an outage",0.8,0.8]
["no other",0.715,0.715]
["no other",0.715,0.715]
["an outage",0.8,0.8]
["never skip staging",0.8079166666666667,0.8079166666666667]
["the log of it",1,1]
 confidence   0.808
── confidence ─ ▆▆▇▇  0.808 stored · 0.808 effective
── confidence ─ ▆▆▇▇  0.808 stored · 0.808 ef
   0.808  +0.008  NOW sean       consolidat
   0.800  +0.087  NOW sean       edited
   0.713  +0.013  NOW sean       reinforced
0.81 staging
["the log of it",1,1]
["never skip staging",0.8079166666666667,0.795]
["no other",0.715,0.715]
["an outage",0.8,0]
["an outage",0.8,0]
["no other",0.715,0.715]
["never skip staging",0.8079166666666667,0.795]
["the log of it",1,1]
 confidence   0.795 effective, 0.808 stored
── confidence ─ ▆▆▇▇  0.808 stored · 0.795 effective
── confidence ─ ▆▆▇▇  0.808 stored · 0.795 ef
   0.795  -0.013  NOW episode:ID1 retr
   0.808  +0.008  NOW sean       consolidat
   0.800  +0.087  NOW sean       edited
0.80 staging
["never skip staging",0.8079166666666667,0.787]
["no other",0.715,0.715]
["the log of it",1,0]
["an outage",0.8,0]
["an outage",0.8,0]
["the log of it",1,0]
["no other",0.715,0.715]
["never skip staging",0.8079166666666667,0.787]
 confidence   0.787 effective, 0.808 stored
── confidence ─ ▆▆▇▇  0.808 stored · 0.787 effective
── confidence ─ ▆▆▇▇  0.808 stored · 0.787 ef
   0.787  -0.008                       consolidation:2026-02
   0.795  -0.013  NOW episode:ID1 retr
   0.808  +0.008  NOW sean       consolidat
0.79 staging
[0.8079166666666667,0.787,1,[{"value":0.8079166666666667,"reason":"stored"},{"value":0.795,"reason":"lost evidence","change":-0.013,"evidence_source":"episode:ID1"},{"value":0.787,"reason":"lost evidence","change":-0.008,"evidence_source":"consolidation:2026-02-01"}]]
[0.8,0,0,null]
[1,0,0,null]
[{"value":0.8,"reason":"stored"},{"value":0,"reason":"retracted"}]
[0.8079166666666667,0.787]
[1,0]
[0.8,0]
[{"value":0.8079166666666667,"reason":"stored"},{"value":0.795,"reason":"lost evidence","change":-0.013,"evidence_source":"episode:ID1"},{"value":0.787,"reason":"lost evidence","change":-0.008,"evidence_source":"consolidation:2026-02-01"}]
["the log of it",1,1]
["never skip staging",0.8079166666666667,0.8079166666666667]
["an outage",0.8,0.8]
["no other",0.715,0.715]
["no other",0.715,0.715]
["an outage",0.8,0.8]
["never skip staging",0.8079166666666667,0.8079166666666667]
["the log of it",1,1]
 confidence   0.808
── confidence ─ ▆▆▇▇  0.808 stored · 0.808 effective
── confidence ─ ▆▆▇▇  0.808 stored · 0.808 ef
   0.808  +0.008  NOW sean       consolidat
   0.800  +0.087  NOW sean       edited
   0.713  +0.013  NOW sean       reinforced
0.81 staging

# A deep chain takes a line for each memory, and the page says what it cuts.
$ for i in $(seq 0 4999); do echo "{\"ref\":\"belief:n$i\",\"text\":\"t$i\",\"derived_from\":[\"belief:n$((i + 1))\"]}"; done >chain.jsonl
> echo '{"ref":"belief:n5000","text":"end"}' >>chain.jsonl
> stemma import jsonl chain.jsonl --store chain.db >/dev/null
> stemma show belief:n0 --trace --store chain.db | wc -l; stemma show belief:n5000 --reverse --store chain.db | wc -l
> stemma show belief:n0 --trace --store chain.db | tail -1
5012
5012
… 5000 › – belief:n5000  end  0.80
$ stemma show belief:n0 --trace --depth 0 --store chain.db
belief:n0
│ t0

 created      NOW (AGE)
 state        ● supported
 changed      never
 agent        sean
 confidence   0.800
 source       direct

── based on ─ 1 of 1 valid
+5000 deeper: omit --depth to see all
$ stemma show belief:n0 --reverse --store chain.db
belief:n0
│ t0

 created      NOW (AGE)
 state        ● supported
 changed      never
 agent        sean
 confidence   0.800
 source       direct

── used by
  nothing

# The number of memories based on it, as far as they are counted.
$ (for i in $(seq 0 2099); do [ $i -lt 30 ] && on=raw:top || on=note:n0; echo "{\"ref\":\"note:n$i\",\"text\":\"t\",\"derived_from\":[\"$on\"]}"; done
> echo '{"ref":"raw:top","text":"t"}') | stemma import jsonl - --store wide.db >/dev/null
> stemma show raw:top --store wide.db | grep -A1 'used by'; stemma show note:n0 --store wide.db | grep 'used by'
> stemma show note:n1 --store wide.db | grep -A1 'used by'
> stemma show raw:top --reverse --json --store wide.db | grep -c 'note:n2099'
── used by ─ 30 directly, more than 2,000 in all
   ● note:n0       t only this 0.80 AGE
── used by ─ more than 2,000 memories
── used by
   nothing
1

# Every line fits any width, except a command that can be copied; a ref is never split.
$ for w in 40 60 80 132; do
> for c in 'show belief:3218' 'show belief:3218 --trace' 'show goal:80c2 --trace' 'show belief:b81d1f6b' 'show raw:47735e51' \
>     'show chain:e928fb0a' 'show attribution:03b3f0bb' orphans 'whatif episode:7569db5b note:e178d716'; do
>   [ $(COLUMNS=$w stemma --color never $c | grep -v " fix: " | wc -L) -le $((w < 49 ? 49 : w)) ] || echo "$w $c"
> done; done

# A missing memory.
$ stemma show belief:00000000
stemma: no memory is called belief:00000000. Search for it, or list its kind.
[1]
$ stemma show bel
stemma: no memory is called bel. Give at least 4 characters of an id, or all of it.
[1]
$ stemma show deploy.
stemma: deploy. may be any of 2 memories. Say which: entry:deploy.f, entry:deploy.w.
[2]
$ stemma show raw:79d086c7
raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473
 named by others, but not written here yet

── based on
   named by others, but not written here yet

── used by ─ 1 directly, 2 in all
   ○ belief:e5e2487d  The staging cluster loses a node every Tuesday. only this 0.00 AGE
[1]
$ stemma show raw:79d086c7 --json
stemma: raw:79d086c7 is named by others, but was not written here yet. `stemma show --reverse` shows who names it.
[1]

# A memory that does not live says who ended it, when and why, and so does its line under what is based on it.
$ export STEMMA_STORE=$PWD/dead.db; printf '%s\n' '{"ref":"raw:wrong","text":"a"}' '{"ref":"raw:old","text":"b"}' '{"ref":"raw:secret","text":"c"}' '{"ref":"raw:sound","text":"d"}' '{"ref":"belief:b","text":"on them","derived_from":["raw:wrong","raw:old","raw:secret","raw:sound"]}' | stemma import jsonl - >/dev/null; stemma retract raw:wrong --yes --reason "the log says otherwise" >/dev/null; stemma forget raw:old --yes >/dev/null; stemma purge raw:secret --yes --reason "a password" >/dev/null; for r in wrong old secret; do stemma show raw:$r | grep -E "^ (retracted|forgotten|purged) "; done; stemma show belief:b | sed -n '/── based on/,/^$/p'; stemma show belief:b --trace | sed -n '/── based on/,/^$/p'
 retracted    NOW (AGE) by sean: the log says otherwise
 forgotten    NOW (AGE) by sean
 purged       NOW (AGE) by sean: a password
── based on ─ 1 of 4 valid
   ● any of     × raw:wrong     a derived retracted
                  retracted NOW (AGE) by sean: the log says otherwise
                × raw:old       b derived forgotten
                  forgotten NOW (AGE) by sean
                × raw:secret derived purged
                  purged NOW (AGE) by sean: a password
                ● raw:sound     d derived 1.00 AGE

── based on ─ 1 of 4 valid
◐ belief:b  on them  0.80
├─ × raw:wrong  a  retracted  NOW (AGE) by sean: the log says otherwise
├─ × raw:old  b  forgotten  NOW (AGE) by sean
├─ × raw:secret    purged  NOW (AGE) by sean: a password
└─ ● raw:sound  d  1.00

# A deleted ancestor is shown as deleted.
$ export STEMMA_STORE=$PWD/deleted.db; printf '%s\n' '{"ref":"raw:gone","text":"a","status":"deleted"}' '{"ref":"belief:b","text":"on it","derived_from":["raw:gone"]}' | stemma import jsonl - >/dev/null; stemma show belief:b --trace | sed -n '/── based on/,$p'
── based on ─ 0 of 1 valid
○ belief:b  on it  0.00
└─ × raw:gone  a  deleted

# What is based on a memory is found whatever its kind, and however old.
$ (echo '{"ref":"raw:top","text":"t"}'; for k in raw episode belief note value goal drive relationship suggestion document chain step citation; do echo "{\"ref\":\"$k:child\",\"text\":\"t\",\"created_at\":1,\"derived_from\":[\"raw:top\"]}"; done; for i in $(seq 2000); do echo "{\"ref\":\"note:n$i\",\"text\":\"t\"}"; done) | stemma import jsonl - --store kinds.db >/dev/null; stemma show raw:top --reverse --json --store kinds.db | jq '[.. | .ref? // empty] | unique | length'
14

# Of a raw entry --trace shows what was made from it, as --reverse does, whatever it is based on itself.
$ printf '%s\n' '{"ref":"note:n","text":"n"}' '{"ref":"raw:made","text":"r","derived_from":["note:n"]}' '{"ref":"belief:b","text":"b","derived_from":["raw:made"]}' | stemma import jsonl - --store made.db >/dev/null; cmp <(stemma show raw:made --trace --store made.db) <(stemma show raw:made --reverse --store made.db) && echo the same
the same

# Tags that are damaged are shown as that, and columns that are cut keep a blank between them.
$ cat >terminal.py <<'END'
> import fcntl, os, pty, re, struct, sys, termios
> pid, fd = pty.fork()
> if pid == 0:
>     fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
>     os.execvpe(sys.argv[2], sys.argv[2:], dict(os.environ, TERM="xterm"))
> out = b""
> try:
>     while d := os.read(fd, 65536): out += d
> except OSError: pass
> print(re.sub(r"\x1b\[[0-9;]*m", "", out.decode()).replace("\r", ""), end="")
> END
> export STEMMA_STORE=$PWD/cut.db; printf '%s\n' '{"ref":"document:https://pumps.example/manual/2024","text":"Pumps manual"}' '{"ref":"document:https://pumps.example/manual/2023","text":"old"}' '{"ref":"belief:b","text":"b","tags":["a","b"],"derived_from":["document:https://pumps.example/manual/2024"]}' '{"ref":"step:s","text":"q","detail":{"step_number":1,"intermediate_answer":"a1"}}' | stemma import jsonl - >/dev/null
> python3 terminal.py 80 stemma show belief:b | grep -o 'document:.*manual'; python3 terminal.py 80 stemma retract document:https://pumps.example/manual/2024 --dry-run | grep -o 'document:.*manual'; python3 terminal.py 80 stemma history step:s | grep interm
> python3 -c "import sqlite3; c = sqlite3.connect('cut.db'); c.execute('UPDATE memory SET tags = \'[\"a\"\' WHERE tags IS NOT NULL'); c.commit()"; stemma show belief:b | grep tags
document:https://pumps.exa… Pumps manual
document:https://pumps.exa… Pumps manual
    intermediate an… + a1
 tags         damaged: ["a"

# The levels are those of the last changes, with what no record explains between them.
$ jq -nc '{ref:"belief:many",text:"t",confidence:0.9,history:([range(30)|{at:.,old:(./100),new:((.+1)/100)}]+[{at:40,old:0.9,new:0.9}])}' | stemma import jsonl - --store many.db >/dev/null; stemma show belief:many --store many.db | grep '── confidence'
── confidence ─ ▁▁▁▁▁▁▂▂▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃██  0.900 stored · 0.900 effective

# A relation may have a type that only its source knows, which its reason says.
$ printf '%s\n' '{"ref":"note:acme","text":"Acme"}' '{"ref":"note:john","text":"John","relations":[{"type":"related_to","to":"note:acme","reason":"works_at"},{"type":"related_to","to":"note:acme","reason":"owns"},{"type":"related_to","to":"note:acme"}]}' | stemma import jsonl - --store typed.db >/dev/null; stemma show note:john --store typed.db | grep note:acme; stemma show note:acme --store typed.db | grep note:john; stemma fsck --store typed.db | tail -1
   works_at         – note:acme     Acme 0.80 AGE
   owns             – note:acme     Acme 0.80 AGE
   related to       – note:acme     Acme 0.80 AGE
   works_at from    – note:john     John 0.80 AGE
   owns from        – note:john     John 0.80 AGE
   related to       – note:john     John 0.80 AGE
2 events, 2 memories and 3 links checked: all is well
