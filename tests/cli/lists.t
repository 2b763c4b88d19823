# The pages of a list add up to the whole, without forgotten memories.
$ stemma list all --json | jq -r .ref >whole; wc -l <whole; c=; while :; do stemma list all --json --limit 7 ${c:+--cursor $c} >page; jq -r '.ref // empty' page; c=$(jq -r '.next // empty' page); [ "$c" ] || break; done | diff whole -
170
$ stemma list all --cursor nonsense
stemma: the cursor is damaged or belongs to another list. Ask for the first page again, without a cursor.
[2]

# Filters,
$ for f in "--status all" "--status forgotten" "--status superseded" "--status replaced" "--label circular" "--label weakened" "--agent ash" "--agent claire" "--agent my-ai-agent-001" "--source-type consolidation" "--label supported --limit 1"; do echo "$f $(stemma list all --json $f | grep -c '"ref"')"; done
--status all 171
--status forgotten 1
--status superseded 4
--status replaced 4
--label circular 2
--label weakened 2
--agent ash 119
--agent claire 49
--agent my-ai-agent-001 2
--source-type consolidation 1
--label supported --limit 1 1
$ stemma list all --json --flag for_review --status all --limit 1 | jq -r ".marks[]?.mark"; for f in "" "--label weakened" "--label supported" "--agent ash" "--status retracted" "--limit 1"; do echo "$f $(stemma list all --json --flag for_review $f | grep -c '"ref"')"; done; stemma list all --flag unheard
for_review
 1
stemma: nothing matched
--label weakened 0
--label supported 1
stemma: nothing matched
--agent ash 0
stemma: nothing matched
--status retracted 0
--limit 1 1
stemma: nothing matched
[1]
$ stemma list all --agent nobdy; stemma list agent:ahs; stemma search agent:ahs retry; stemma list all --source-type inferrence
stemma: nothing matched: there is no agent 'nobdy'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'ahs'. Did you mean ash?
stemma: nothing matched: there is no agent 'ahs'. Did you mean ash?
stemma: nothing matched: there is no source type 'inferrence'. Did you mean inference?
[1]

# and orders.
$ stemma list beliefs --json --order confidence | jq .effective | sort -nrc && stemma list beliefs --json --order text | jq -r .ref >up; stemma list beliefs --json --order text --reverse | jq -r .ref | tac | diff - up
$ stemma list beliefs --limit 3 --order confidence 2>&1 | sed "s/cursor .*/cursor C/"
stemma: there are more beyond --limit
●  belief:c2992c46  0.93  10/10  ≠     consolidation  ash AGE  Retries are always safe on the new queue.
●  belief:8a2770de  0.89    3/3  ⊘     inference      ash AGE  Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run.
●  belief:c4cc4c36  0.87    2/2        inference      claire AGE  A payment may be tried again only under the same idempotency key.
$ COLUMNS=60 stemma list all --limit 5 2>&1 | sed "s/cursor .*/cursor C/"
stemma: there are more beyond --limit
●  entry:deploy.w AGE  deploy.window:payments
×  entry:f4164e9d AGE  [expired] notes
×  entry:98e8a5d0 AGE  [expired] lock:payments
×  entry:fb3e52a6 AGE  [expired] canary
×  entry:074714b3 AGE  [expired] step

# A short ref finds its memory.
$ stemma show belief:3218 --json | jq -c '.label, .ref'
"supported"
"belief:3218131c-8727-4566-972f-a187bdbbaea9"

# A trace shows each memory once, the history of its confidence, circles, and where it is cut.
$ stemma show chain:e928fb0a --trace
chain:e928fb0a-da83-4639-98a3-c435d34a47ad
│ Why did the deploy stop the payments queue?

 created      2026-10-30 23:08:40Z (AGE)
 state        ● supported
 changed      never
 agent        ash
 confidence   0.863
 trust        0.60, limited by document:migration-0147, external
 class        external
 source       inference
 tags         incident

── related
   has part         ● step:b405c458    What changed in that deploy? 0.92 AGE
   has part         ● step:60d71f4b    Which lock did it take, and who waited for it? 0.88 AGE
   has part         ● step:f7c48969    Why did old workers keep writing during the migration? 0.79 AGE

── based on ─ 1 of 1 valid
● chain:e928fb0a  Why did the deploy stop the payments queue?  0.863
├─ ● step:b405c458  What changed in that deploy?  all of 3  step  0.92
│  ├─ ● document:migratio  Migration 0147: ledger_entries gets a settled_at  source  1.00  trust 0.60
│  └─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  source  1.00  trust 0.60
├─ ● step:60d71f4b  Which lock did it take, and who waited for it?  all of 3  step  0.88
│  ├─ ● document:postgres-16-e  PostgreSQL 16, Explicit Locking  source  1.00  trust 0.60
│  └─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  ↑ above  source
└─ ● step:f7c48969  Why did old workers keep writing during the migration?  all of 3  step  0.79
   ├─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  ↑ above  source
   ├─ ● document:postgres-16-e  PostgreSQL 16, Explicit Locking  ↑ above  source
   └─ ● step:60d71f4b  Which lock did it take, and who waited for it?  ↑ above  step
$ stemma show belief:3218 --trace
belief:3218131c-8727-4566-972f-a187bdbbaea9
│ Run migrations before the workers restart.

 created      2026-10-18 01:04:40Z (AGE)
 state        ● supported · locked · reviewed · version 5
 changed      2026-10-31 00:04:40Z (AGE)
 agent        ash
 confidence   0.821 · 0.81 → 0.82 (reinforced)
 trust        0.70, told by agent: agent:claire
 class        agent
 source       told by agent: agent:claire (Claire told me)
 tags         migration, deploy

── confidence ─ ▆▆▇▇  0.821 stored · 0.821 effective
   0.821  +0.008  2026-10-31 00:04:40Z the analysis comes to the same  chain:e928fb0a
   0.813  +0.100  2026-10-29 02:04:40Z verified: I read the report and the diff of the migration
   0.713  +0.013  2026-10-27 04:04:40Z the outage was this, the other way round  episode:65f767ba

── based on ─ 3 of 3 valid · 3 independent
● belief:3218131c  Run migrations before the workers restart.  0.821  trust 0.70
├─ – note:1eb9a34f  Claire: run the migrations first and restart the workers after. The other way round they read a schema that is not there yet.  0.80  trust 0.70
│     context:told by Claire
├─ ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes  evidence  0.90
│  └─ ● raw:47735e51  14:02:11 payments-queue depth 8 412 and rising · 14:02:40 worker heartbeat lost (3 of 12) · 14:07:31 lock timeout on table ledger_entries · 14:43:05 depth back to 0  1.00
└─ ● chain:e928fb0a  Why did the deploy stop the payments queue?  reinforcement  0.863
   ├─ ● step:b405c458  What changed in that deploy?  all of 3  step  0.92
   │  ├─ ● document:migratio  Migration 0147: ledger_entries gets a settled_at  source  1.00  trust 0.60
   │  └─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  source  1.00  trust 0.60
   ├─ ● step:60d71f4b  Which lock did it take, and who waited for it?  all of 3  step  0.88
   │  ├─ ● document:postgres-16-e  PostgreSQL 16, Explicit Locking  source  1.00  trust 0.60
   │  └─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  ↑ above  source
   └─ ● step:f7c48969  Why did old workers keep writing during the migration?  all of 3  step  0.79
      ├─ ● document:incident  Incident report: the payments queue, 41 minutes  of claire  ↑ above  source
      ├─ ● document:postgres-16-e  PostgreSQL 16, Explicit Locking  ↑ above  source
      └─ ● step:60d71f4b  Which lock did it take, and who waited for it?  ↑ above  step
$ stemma show belief:ce930f73 --trace | head -8
belief:ce930f73-fdca-4c14-8a15-02fd1bc87204
│ Mistakes are information, not identity.

 created      2026-10-06 23:04:40Z (AGE)
 state        – unsourced
 changed      never
 agent        ash
 confidence   0.800 · seed → 0.80
$ stemma show belief:87cfa577 --trace
belief:87cfa577-6bdc-49b0-afd0-b5d7e8d21b72
│ The hit rate is high because the cache is warm.

 created      2026-11-09 00:04:40Z (AGE)
 state        ↺ circular
 changed      never
 agent        claire
 confidence   0.000 effective, 0.600 stored
 source       inference (inferred from the dashboard)
 tags         cache

── confidence ─ 0.600 stored · 0.000 effective
   0.000  circular

── based on ─ 0 of 1 valid
↺ belief:87cfa577  The hit rate is high because the cache is warm.  0.00
└─ ↺ belief:f71aadb8  The cache is warm because its hit rate is high.  0.00
   └─ ↺ belief:87cfa577  The hit rate is high because the cache is warm.  ↺ circle
↺ circle: belief:f71aadb8 → belief:87cfa577 → belief:f71aadb8
$ stemma show goal:80c2 --trace --depth 1; stemma show goal:80c2 --trace --depth 1 --json | jq .cut
goal:80c2f31b-31a9-471c-8f75-6d984ca740ac
│ No deploy without a staging run this quarter

 created      2026-11-03 00:04:40Z (AGE)
 state        ● supported
 changed      never
 agent        ash
 confidence   0.800
 trust        0.90, told by human: human:sean
 source       told by human: human:sean (agreed with Sean)
 tags         staging

── based on ─ 1 of 1 valid
● goal:80c2f31b  No deploy without a staging run this quarter  0.80  trust 0.90
├─ ● belief:8a2770de  Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run.  +7 deeper  all of 2  0.885  trust 0.90
└─ ● value:a7a5c395  Care before speed.  +9 deeper  all of 2  0.90  trust 0.90
+16 deeper: omit --depth to see all
16
$ stemma show raw:47735e51 --trace
raw:47735e51-a83a-4973-9451-533dcceff2f5
│ 14:02:11 payments-queue depth 8 412 and rising · 14:02:40 worker heartbeat lost (3 of 12) · 14:07:31 lock timeout on table ledger_entries · 14:43:05 depth back to 0

 created      2026-10-27 01:04:40Z (AGE)
 state        ● supported
 changed      never
 agent        ash
 confidence   1.000
 source       direct (alert channel)
 tags         incident

── related
   promoted to      ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes 0.90 AGE

── used by
● raw:47735e51  14:02:11 payments-queue depth 8 412 and rising · 14:02:40 worker heartbeat lost (3 of 12) · 14:07:31 lock timeout on table ledger_entries · 14:43:05 depth back to 0  1.00
├─ ● episode:65f767ba  Skipped staging on a deploy; the payments queue stopped for 41 minutes  0.90
│  ├─ ● belief:3218131c  Run migrations before the workers restart.  evidence  0.821  trust 0.70
│  │  │  context:told by Claire
│  │  └─ ● value:a7a5c395  Care before speed.  0.90  trust 0.90
│  │     ├─ ● goal:80c2f31b  No deploy without a staging run this quarter  all of 2  0.80  trust 0.90
│  │     └─ ◐ drive:26c745cb  Keep the people on call asleep  0.80
│  ├─ ● belief:e745a454  Every deploy goes through staging, except a change of configuration that Claire has read.  replaced  evidence  0.80  trust 0.90
│  │  └─ ● belief:8a2770de  Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run.  0.885  trust 0.90
│  │     ├─ ● value:a7a5c395  Care before speed.  ↑ above
│  │     ├─ ● goal:80c2f31b  No deploy without a staging run this quarter  ↑ above  all of 2
│  │     └─ ● episode:c3ff2b17  First canary release 🐤: one worker, ten minutes of watching, then the fleet 🚀👩🚀  0.90
│  ├─ ● note:e178d716  Old workers keep reading the old columns for up to ten minutes after a deploy.  of claire  0.80
│  │  └─ ● belief:b81d1f6b  A migration must leave a schema that the old workers can still read.  of claire  0.84  trust 0.90
│  ├─ ● note:be6cd0e5  A rollback starts the old code on the new schema; nothing turns the schema back.  0.80
│  │  └─ ● belief:b81d1f6b  A migration must leave a schema that the old workers can still read.  of claire  ↑ above
│  ├─ ● belief:8a2770de  Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run.  ↑ above  evidence
│  └─ ● value:a7a5c395  Care before speed.  ↑ above  evidence
└─ ● belief:8fc21b98  Retries beyond three hide the first error.  of claire  0.751  trust 0.90
$ stemma show raw:79d086c7 --reverse
raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473
 named by others, but not written here yet

── used by
× raw:79d086c7    missing
└─ ○ belief:e5e2487d  The staging cluster loses a node every Tuesday.  0.00
   └─ ◐ drive:26c745cb  Keep the people on call asleep  auto-linked  0.80

# A search finds whole words first, in any script, and is paged.
$ stemma search staging deploy --json | jq -r .ref >all; stemma search 'staging deploy' --json --limit 1 >page; (jq -r '.ref // empty' page; stemma search 'staging deploy' --json --cursor $(jq -r '.next // empty' page) | jq -r .ref) | diff all - && wc -l <all
6
$ stemma search ステー --kind belief
●  belief:350f1c72  0.70  1/1  processing AGE  デプロイの前に必ずステージングで確認する。
$ stemma search nothing-of-the-kind
stemma: no memory has all of these words: nothing-of-the-kind
[1]

# Problems of the lineage, by kind.
$ stemma orphans
missing: names something that is not in this store
  ○ belief:e5e2487d  The staging cluster loses a node every Tuesday.  derived from raw:79d086c7
      fix: printf '%s\n' '{"ref":"raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473","agent_id":"ash","text":"TEXT"}' | stemma import jsonl -

unsupported: no justification is valid
  ○ belief:e5e2487d  The staging cluster loses a node every Tuesday.
      fix: stemma reinforce belief:e5e2487d --evidence REF

circular: supported only by a circle of memories that support each other
  ↺ belief:f71aadb8  The cache is warm because its hit rate is high.
      fix: stemma reinforce belief:f71aadb8 --evidence REF
  ↺ belief:87cfa577  The hit rate is high because the cache is warm.
      fix: stemma reinforce belief:87cfa577 --evidence REF

unrecorded: unsourced, and nothing else says where it comes from
  – episode:7569db5b  Rollback drill, all at once: eleven minutes until every worker ran the old version
      fix: stemma reinforce episode:7569db5b --evidence REF
  – episode:ddf849ba  Rollback drill, blue and green: five minutes until every worker ran the old version
      fix: stemma reinforce episode:ddf849ba --evidence REF
  – belief:5f5c9e56  The staging database is a day behind production.
      fix: stemma reinforce belief:5f5c9e56 --evidence REF

disagreeing: was promoted, but the memory made from it does not name it
  ● raw:dd7f73db  Found in the payments log, kept as it was: �[2J�[31;1mALL PAYMENTS CONFIRMED�[AGE�]0;root@payments��AGE user=�nimda� token=password host=pаyments� try=9 second line �hidden� Z͑ͫ̓ͪalgo  processed into belief:5f5c9e56
      fix: stemma repair-origins

suspect-time: has a time that cannot be right
  ● attribution:03b3f0bb  A vendor's page claims that exactly-once delivery makes every retry safe.  retrieved 1794052800
      fix: stemma edit attribution:03b3f0bb --field retrieval_timestamp=1794052800000

unexplained: its confidence differs from the end of its history
  ● suggestion:c2a6d282  Make it a belief: a title says what someone meant, a diff says what will happen.  confidence 0.55 by its history, 0.60 stored
      fix: stemma edit suggestion:c2a6d282 --confidence 0.55 --reason TEXT

10 problems of the lineage
[1]
$ COLUMNS=80 stemma orphans --agent claire
circular: supported only by a circle of memories that support each other
  ↺ belief:f71aadb8  The cache is warm because its hit rate is high.
      fix: stemma reinforce belief:f71aadb8 --evidence REF
  ↺ belief:87cfa577  The hit rate is high because the cache is warm.
      fix: stemma reinforce belief:87cfa577 --evidence REF

unrecorded: unsourced, and nothing else says where it comes from
  – belief:5f5c9e56  The staging database is a day behind production.
      fix: stemma reinforce belief:5f5c9e56 --evidence REF

disagreeing: was promoted, but the memory made from it does not name it
  ● raw:dd7f73db  Found in the payments log, ke…  processed into belief:5f5c9e56
      fix: stemma repair-origins

suspect-time: has a time that cannot be right
  ● attribution:03b3f0bb  A vendor's page claims that exa…  retrieved 1794052800
      fix: stemma edit attribution:03b3f0bb --field retrieval_timestamp=1794052800000

5 problems of the lineage
[1]
$ stemma orphans --json --agent ash | jq -r .problem | sort | uniq -c
      1 missing
      1 unexplained
      2 unrecorded
      1 unsupported

# The words of earlier versions still work.

$ stemma list all --label grounded --limit 1 --json | jq -r '.label|values'; stemma list all --label ungrounded --json | jq -r .label
supported
unsupported

# A hypothetical retraction.
$ stemma whatif attribution:03b3f0bb --json | jq '.loses_all_support|length'
11
$ stemma whatif episode:7569db5b note:e178d716
── would be retracted ─ 2
     episode:7569db5b  Rollback drill, all at once: eleven minutes until every worker ran the old version 0.00 AGE
       status             active → retracted
     note:e178d716     Old workers keep reading the old columns for up to ten minutes after a deploy. 0.00 AGE
       status             active → retracted

── would lose all support ─ 1 · no other support
   ○ belief:3d3fd14b   Blue-green halves the time of a rollback of a stateless service. 0.00 AGE

── would be weakened ─ 2 · keep some of their justifications
   ◐ belief:b81d1f6b   A migration must leave a schema that the old workers can still read. 2 → 1 valid 0.84 AGE
   ◐ episode:c3ff2b17  First canary release 🐤: one worker, ten minutes of watching, then the fleet 🚀👩🚀 2 → 1 valid 0.90 AGE
Nothing was written.

# The log, oldest first, filtered; an invalid time is an error.
$ stemma log --limit 2; stemma log --limit 2 --json | jq -c 'keys_unsorted'
stemma: there are older events beyond --limit
#170      NOW  ash (agent)          import              entry:f4164e9d  notes
#171      NOW  claire (agent)       import              entry:deploy.w  deploy.window:payments
["seq","at","actor","class","agent","origin","session","operation","ref","before","after","reason","correlation","via"]
["seq","at","actor","class","agent","origin","session","operation","ref","before","after","reason","correlation","via"]
["next"]
$ for f in "--actor sean" "--actor Sean" "--kind note" "--kind belief" "--operation x" "--ref belief:3218" "--ref 3218131c" "--since 2020-01-01" "--since tomorrow" "--until 2020-01-01" "--until now" "--limit 2" "--limit 900" "--correlation x"; do echo "$f $(stemma log $f 2>/dev/null | wc -l)"; done
--actor sean 2
--actor Sean 0
--kind note 13
--kind belief 21
--operation x 0
--ref belief:3218 1
--ref 3218131c 1
--since 2020-01-01 171
--since tomorrow 0
--until 2020-01-01 0
--until AGE 171
--limit 2 2
--limit 900 171
--correlation x 0
$ for f in "--since whenever" "--until 2026-13-01" "--session 99" "--session zz" "--ref note:nothere" "--kind nothing" "--limit -1" "--limit 0" "--cursor x" "--cursor 1.2.3.4" "--cursor=" "--cursor -1" "--cursor 99999999999999999999" "--cursor 1 --follow" "--as-of now --follow"; do stemma log $f; echo $?; done
stemma: after: 'whenever' is not a time. Give a date, ISO 8601, "last week" or "2 days ago".
2
stemma: before: '2026-13-01' is not a time. Give a date, ISO 8601, "last week" or "2 days ago".
2
stemma: there is no session 99. stemma sessions --all lists them.
1
stemma: there is no session zz. stemma sessions --all lists them.
1
stemma: no memory is called note:nothere. Search for it, or list its kind.
1
stemma: --kind does not take 'nothing'. It takes raw, episode, belief, note, value, goal, drive, relationship, suggestion, attribution, document, chain, step, citation, entry.
2
stemma: --limit takes a whole number, at least 1, not '-1'. `stemma log --help` explains it.
2
stemma: --limit takes a whole number, at least 1, not '0'. `stemma log --help` explains it.
2
stemma: 'x' is not a cursor of this log. Use the cursor that a `stemma log` with the same options printed last.
2
stemma: '1.2.3.4' is not a cursor of this log. Use the cursor that a `stemma log` with the same options printed last.
2
stemma: '' is not a cursor of this log. Use the cursor that a `stemma log` with the same options printed last.
2
stemma: '-1' is not a cursor of this log. Use the cursor that a `stemma log` with the same options printed last.
2
stemma: '99999999999999999999' is not a cursor of this log. Use the cursor that a `stemma log` with the same options printed last.
2
stemma: --cursor shows older events, --follow new ones. Omit one of them.
2
stemma: --as-of shows the past, --follow new events. Omit one of them.
2
$ stemma log --limit 3 >/dev/null; stemma log --follow --until 2020-01-01; echo $?; stemma log --follow --until now --limit 2 | wc -l
stemma: there are older events beyond --limit
stemma: nothing matched
1
2

# Without agents there is nothing to count.
$ stemma sessions; stemma sessions --all
stemma: no session is recorded here; `stemma log` lists what was changed
stemma: no session is recorded here; `stemma log` lists what was changed
[1]
$ stemma metrics; stemma metrics --json | jq -c '.log.calls, .totals'; stemma metrics --prometheus | head -2; stemma metrics x
All processes that have served the store: 0 sessions (0 AGE), 0 calls, 0 failed; p50 -, p99 -
[]
{"sessions":0,"living":0,"calls":0,"failures":0,"latency":{"count":0,"p50_us":0,"p90_us":0,"p99_us":0}}
# HELP memory_tool_requests_total Calls of tools, by namespace and outcome; cancelled: their client gave them up.
# TYPE memory_tool_requests_total counter
stemma: 'metrics' does not know what to do with 'x'. Usage: `stemma metrics`.
[2]

# --json and an export escape what a terminal would not show; and an import of it gives the same text.
$ stemma add raw $'a\u200bb\u200cc\u200dd\u00ade\ufff9f\u202eg\u2060h\u034fi\u3164j' --store invisible.db >/dev/null; stemma list raw --store invisible.db --json | grep -o '"text":"[^"]*"'; stemma export --store invisible.db >e.jsonl; grep -o '"text":"[^"]*"' e.jsonl; jq -c '.text | explode' e.jsonl
> stemma import jsonl e.jsonl --store again.db >/dev/null; stemma export --store again.db | cmp - e.jsonl && stemma list raw --store again.db --json | jq -c '.text | explode'
> stemma import jsonl - --store again.db <<<'{"ref":"attribution:a","text":"x","detail":{"source_type":"w\u200bx","retrieval_timestamp":1690000000001,"k\u200d":["\u00ad"]}}' >/dev/null; stemma export --store again.db | sed -n '/attribution/s/.*"detail":\([^}]*}\).*/\1/p'
"text":"a\u200bb\u200cc\u200dd\u00ade\ufff9f\u202eg\u2060h\u034fi\u3164j"
"text":"a\u200bb\u200cc\u200dd\u00ade\ufff9f\u202eg\u2060h\u034fi\u3164j"
[97,8203,98,8204,99,8205,100,173,101,65529,102,8238,103,8288,104,847,105,12644,106]
[97,8203,98,8204,99,8205,100,173,101,65529,102,8238,103,8288,104,847,105,12644,106]
{"source_type":"w\u200bx","retrieval_timestamp":1690000000001,"k\u200d":["\u00ad"]}

# Logged retrievals by their time, others by their creation; a suspect time is marked in any list and in show.
$ export STEMMA_STORE=$PWD/retrieved.db; stemma import jsonl - >/dev/null <<'END'
> {"ref":"attribution:b","text":"second","created_at":1790000000009,"detail":{"source_type":"web","retrieval_timestamp":1690000000002}}
> {"ref":"attribution:c","text":"third","created_at":1790000000001,"detail":{"source_type":"db","retrieval_timestamp":1690000000003}}
> {"ref":"attribution:a","text":"first","created_at":1790000000005,"detail":{"source_type":"web","retrieval_timestamp":1690000000001}}
> {"ref":"attribution:s","text":"seconds","created_at":1790000000004,"detail":{"source_type":"web","retrieval_timestamp":1690000000}}
> {"ref":"attribution:r","text":"wrong","created_at":1790000000004,"status":"retracted","detail":{"source_type":"web","retrieval_timestamp":1690000000}}
> {"ref":"note:n","text":"noted","created_at":1690000000002}
> END
> stemma list attributions --order retrieved; stemma list all --order retrieved --reverse --json | jq -r .ref | tr '\n' ' '; c=$(stemma list all --order retrieved --limit 2 --json | jq -r '.next // empty'); stemma list all --order retrieved --cursor $c --json | jq -r '.ref' | tr '\n' ' '; stemma show attribution:s | tail -1 | sed 's/ ([0-9]*y)//'; stemma list all --order retrieved --as-of now --json 2>/dev/null | jq -r .ref | head -1
●  attribution:c  1.00  –  db AGE  third
●  attribution:b  1.00  –  web AGE  second
●  attribution:a  1.00  –  web AGE  first
×  attribution:r  0.00  –  web AGE  [retracted] [suspect time] wrong
●  attribution:s  1.00  –  web AGE  [suspect time] seconds
attribution:s attribution:r attribution:a attribution:b note:n attribution:c attribution:b attribution:a attribution:r attribution:s    retrieved           1690000000  2023-07-22 04:26:40Z, read as seconds
attribution:c

# A future time keeps to its column, and a list by trust has a heading.
$ export STEMMA_STORE=$PWD/future.db; day=86400000; now=$(($(date +%s) * 1000 + 60000)); for d in 3 20 330 1500; do echo "{\"ref\":\"raw:d$d\",\"text\":\"t\",\"created_at\":$((now + d * day))}"; done | stemma import jsonl - >/dev/null; stemma list raw | grep -o 'direct.*'; stemma list raw --order trust | head -2 | sed 's/ *+4y/ +4y/'
direct   +AGE  t
direct  +AGE  t
direct   +AGE  t
direct   +AGE  t
sign  ref        trust  support  source   age  text
●     raw:d1500   1.00        –  direct +AGE  t

# What has expired by the wall clock is expired in lists, JSON, search, trace and export, before anything swept it; nothing is written by reading.
$ export STEMMA_STORE=$PWD/over.db; stemma add entry short --field namespace=session.a --field value=1 --field expires_at=1s >/dev/null; stemma add entry long --field namespace=session.a --field value=1 --field expires_at=1d >/dev/null; python3 -c 'import time; time.sleep(1.1)'; sha256sum over.db >sum
> stemma list entries | awk '{print $NF, /expired/}'; stemma list entries --status expired --json | jq -c '[.text, .status, .detail.value]'; stemma list entries --status active --json | jq -r .text; stemma search short --json | jq -r .status; stemma show entry:$(stemma list entry --status expired --json | jq -r .ref | cut -d: -f2) --trace --json | jq -r '.nodes[0].status'; stemma export | jq -c '[.text, .status, .detail.value]' | sort; sha256sum -c sum; stemma fsck; unset STEMMA_STORE
long 0
short 1
["short","expired",null]
long
expired
expired
["long","active",1]
["short","expired",null]
over.db: OK
2 events, 2 memories and 0 links checked: all is well

# A query selects: fields, words, phrases, patterns, and a minus.
$ for q in "label:circular,weakened" "agent:claire kind:belief confidence:<0.7" "tag:cache" "flag:for_review" "flag:none kind:belief" "uses:>5" "roots:2+ kind:belief" "told:claire" "source:consol" "created:2026-11-09 -kind:step" "\"never skip staging\"" "/retr(y|ies)/ -safe kind:belief" "status:forgotten" "memory:belief:87"; do echo "$q: $(stemma list --json -- $q | grep -c '"ref"')"; done
label:circular,weakened: 4
agent:claire kind:belief confidence:<0.7: 2
tag:cache: 2
flag:for_review: 1
flag:none kind:belief: 17
uses:>5: 4
roots:2+ kind:belief: 6
told:claire: 2
source:consol: 1
created:2026-11-09 -kind:step: 9
"never skip staging": 1
/retr(y|ies)/ -safe kind:belief: 3
status:forgotten: 1
memory:belief:87: 1
# A source: a class, a part of a type, of an address, of a name.
$ stemma demo --store sourced.db >/dev/null </dev/null; for q in web web_scrape tavily queue.example/blog https: external person own "web -source:scrape"; do echo "$q: $(stemma list all --json --limit 500 --store sourced.db -- source:$q | jq -r .ref | cut -d: -f1 | sort | uniq -c | xargs)"; done
web: 18 attribution
web_scrape: 11 attribution
tavily: 7 attribution
queue.example/blog: 1 attribution
https:: 11 attribution 13 document
external: 18 citation 27 document 11 note
person: 2 attribution 1 belief 1 goal 4 raw
own: 10 attribution 19 belief 6 chain 1 drive 14 entry 5 episode 3 note 2 raw 1 relationship 26 step 1 suggestion 1 value
web -source:scrape: 7 attribution
$ stemma list beliefs agent:ash label:weakened
◐  belief:2919dcd3  0.66  1/2  told by human  ash AGE  Friday deploys need a second pair of eyes.
$ stemma list foo:bar; stemma search deploy:payments x:y; stemma log foo:bar; stemma review foo:bar; stemma list '"foo:bar"'
stemma: nothing matched
  foo:bar
  ^^^
stemma: there is no field 'foo', so this is a text to look for. The fields are kind, agent, label, status, confidence, tag, source, told, claims, flag, roots, uses, after, before, created, updated, memory.
stemma: no memory has all of these words: deploy:payments x:y
  deploy:payments x:y
  ^^^^^^
stemma: there is no field 'deploy', so this is a text to look for. The fields are kind, agent, label, status, confidence, tag, source, told, claims, flag, roots, uses, after, before, created, updated, memory.
stemma: nothing matched
  foo:bar
  ^^^
stemma: there is no field 'foo', so this is a text to look for. The fields are kind, agent, after, before, memory, operation, session, correlation, only.
stemma: nothing waits that matches
  foo:bar
  ^^^
stemma: there is no field 'foo', so this is a text to look for. The fields are kind, agent, label, status, confidence, tag, source, told, claims, flag, roots, uses, after, before, created, updated, memory.
stemma: nothing matched
[1]
$ stemma list lable:circular; stemma list label:circuler; stemma list label:pending; stemma list 'x /a(b/'; stemma list confidence:high
  lable:circular
  ^^^^^
stemma: there is no field 'lable'. Did you mean label:? Put it in quotes to look for the text.
  label:circuler
        ^^^^^^^^
stemma: there is no label 'circuler'. Did you mean label:circular?
  label:pending
        ^^^^^^^
stemma: there is no label 'pending'. Did you mean status:pending?
  x /a(b/
    ^^^^^
stemma: the pattern 'a(b' is wrong: missing closing parenthesis. Put text that is no regular expression in quotes.
  confidence:high
             ^^^^
stemma: confidence: 'high' is not a number. Give a number, <0.7, >=0.7 or 0.3..0.7.
[2]
$ c=; while :; do stemma list agent:ash kind:note confidence:\<0.8 --json --limit 3 ${c:+--cursor $c} >page; jq -r '.ref // empty' page; c=$(jq -r '.next // empty' page); [ "$c" ] || break; done >pages; stemma list agent:ash kind:note confidence:\<0.8 --json | jq -r .ref | diff - pages && wc -l <pages
6
