# Who used a document, its versions, where it was retrieved, what is based on it.
$ stemma document document:worker-supervisor
document:worker-supervisor
│ Worker supervisor, drain and registry

 document     worker-supervisor
 state        ● supported · version 2
 uri          git:main:worker/supervisor.c
 quality      cited 2 times, used by 3 steps
 agent        ash
 created      2026-10-31 10:17:43Z (AGE)

── used in chains ─ 3 steps · 2 chains
   chain:3589b33b  How much does one canary show before the fleet follows? AGE
     ● 2   Can it be taken out again without losing messages?  .88 chunk 14 AGE
           "drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too."
   chain:c6120492  How can ledger_entries get a column without stopping the queue? AGE
     ● 3   Then what was waited for?  .83 chunk 14 AGE
           "drain() returns once the queue is empty. A worker started with --detach is not in the registry and keeps its connection until its lease of 600 s ends." changed since
     ● 6   Must the detached workers be drained first?  .87 chunk 14 AGE
           "drain() returns once the queue is empty. A worker started with --detach is not in the registry and keeps its connection until its lease of 600 s ends." changed since
           and a different passage  .68 chunk 15
           "supervisor_list(detached=True) gives the workers that drain() does not see; supervisor_stop(id, wait=True) ends one after its current message."

── cited ─ 2 citations
   ● citation:e7c8a187  drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too.  0.88 drain() AGE
   ● citation:d519e0ac  drain() returns once the queue is empty. A worker started with --detach is not in the registry and keeps its connection until its lease of 600 s ends.  0.87 rank 3 AGE

── beliefs based on it ─ 2 beliefs
   ● belief:8b05ee06  With a lock_timeout of two seconds a migration fails instead of the queue. 2 of 2 valid 0.80 AGE
   ● belief:8a800c80  A column is added without a default; its values are filled in afterwards, in small batches. 1 of 1 valid 0.85 AGE

── versions ─ 3 versions of 2 passages
   chunk 14    b5605f2ce8af  earlier  2 uses first AGE last AGE
   chunk 14    33e606f28a13  current  1 use first AGE last AGE
   chunk 15    180a86a71782  current  1 use first AGE last AGE

── retrieved ─ 2
   ● attribution:82fefe1c  git_show        git:main:worker/supervisor.c recorded AGE
   ● attribution:c3154e21  git_show        git:main:worker/supervisor.c recorded AGE
$ COLUMNS=80 stemma document document:worker-supervisor --excerpts
document:worker-supervisor
│ Worker supervisor, drain and registry

 document     worker-supervisor
 state        ● supported · version 2
 uri          git:main:worker/supervisor.c
 quality      cited 2 times, used by 3 steps
 agent        ash
 created      2026-10-31 10:17:43Z (AGE)

── used in chains ─ 3 steps · 2 chains
   chain:3589b33b  How much does one canary show before the fleet follow… AGE
     ●   2 Can it be taken out again without losing messa…  .88  chunk 14 AGE
           "drain() returns once the queue is empty and every worker in the
           registry has let go. Since 2.4 a worker started with --detach is in
           the registry too."
   chain:c6120492  How can ledger_entries get a column without stopping … AGE
     ●   3 Then what was waited for?                        .83  chunk 14 AGE
           "drain() returns once the queue is empty. A worker     changed since
           started with --detach is not in the registry and
           keeps its connection until its lease of 600 s ends."
     ●   6 Must the detached workers be drained first?      .87  chunk 14 AGE
           "drain() returns once the queue is empty. A worker     changed since
           started with --detach is not in the registry and
           keeps its connection until its lease of 600 s ends."
           and a different passage                          .68  chunk 15
           "supervisor_list(detached=True) gives the workers that drain() does
           not see; supervisor_stop(id, wait=True) ends one after its current
           message."

── cited ─ 2 citations
   ● citation:e7c8a187  drain() returns once the queue is…  0.88  drain() AGE
   ● citation:d519e0ac  drain() returns once the queue is…  0.87  rank 3 AGE

── beliefs based on it ─ 2 beliefs
   ● belief:8b05ee06  With a lock_timeout of two seconds a migrati…  0.80 AGE
   ● belief:8a800c80  A column is added without a default; its val…  0.85 AGE

── versions ─ 3 versions of 2 passages
   chunk 14    b5605f2ce8af  earlier  2 uses            first AGE  last AGE
   chunk 14    33e606f28a13  current  1 use             first AGE  last AGE
   chunk 15    180a86a71782  current  1 use             first AGE  last AGE

── retrieved ─ 2
   ● attribution:82fefe1c  git_show        git:main:worker/… recorded AGE
   ● attribution:c3154e21  git_show        git:main:worker/… recorded AGE
$ stemma document document:worker-supervisor --json --excerpts | jq -c '[.ref,.label,.counts,.more],.steps[0],(.versions|map(.latest)),.retrievals[0].source_type,(.beliefs|length)'
["document:worker-supervisor","supported",{"steps":3,"chains":2,"citations":2,"others":0,"beliefs":2,"bounded":false},[]]
{"ref":"step:df90f357-260f-4461-b981-48d2b05fcc99","chain":"chain:3589b33b-13d1-4f34-a5f3-878d95b5c2ee","step_number":2,"text":"Can it be taken out again without losing messages?","relevance":0.88,"score":"measured","rank":1,"chunk":14,"title":"Worker supervisor, drain and registry","excerpt":"drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too.","version_hash":"33e606f28a138c859d9b7eb7b6f53906e42ca9d4ecc06e089305dccb66a11997","changed_since":false,"recorded":true,"status":"active","at":1794643521000}
[false,true,true]
"git_show"
2

# Omitted rows are reported; counts are complete.
$ stemma document document:worker-supervisor --limit 1
document:worker-supervisor
│ Worker supervisor, drain and registry

 document     worker-supervisor
 state        ● supported · version 2
 uri          git:main:worker/supervisor.c
 quality      cited 2 times, used by 3 steps
 agent        ash
 created      2026-10-31 10:17:43Z (AGE)

── used in chains ─ 3 steps · 2 chains
   chain:3589b33b  How much does one canary show before the fleet follows? AGE
     ● 2   Can it be taken out again without losing messages?  .88 chunk 14 AGE
           "drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too."
   2 more; --limit sets how many are shown

── cited ─ 2 citations
   ● citation:e7c8a187  drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too.  0.88 drain() AGE
   1 more; --limit sets how many are shown

── beliefs based on it ─ 2 beliefs
   ● belief:8b05ee06  With a lock_timeout of two seconds a migration fails instead of the queue. 2 of 2 valid 0.80 AGE
   1 more; --limit sets how many are shown

── versions ─ 1+ version of 1+ passage
   chunk 14    33e606f28a13  current  1 use first AGE last AGE
   there are more; --limit sets how many are shown

── retrieved ─ 1+
   ● attribution:82fefe1c  git_show        git:main:worker/supervisor.c recorded AGE
   there are more; --limit sets how many are shown
$ stemma document document:worker-supervisor --limit 1 --json | jq -c .more
["steps","citations","versions","retrievals","beliefs"]

# Refs that are no document; a document that is only named has users, too.
$ stemma import jsonl - --store named.db <<<'{"ref":"belief:b","text":"b","derived_from":["document:never"]}'
stemma: belief:b: names document:never, which is not here
read 1 memory into named.db: 1 added, 0 updated, 0 unchanged
  1 belief
  1 link
  1 ref that is not in this store
$ stemma document belief:b --store named.db
stemma: belief:b is a memory of kind belief, not a document. `stemma list document` lists the documents; `stemma show` shows any memory.
[2]
$ stemma document document:nothing --store named.db
stemma: no memory is called document:nothing. Search for it, or list its kind.
[1]
$ stemma document document:never --store named.db
document:never
 named by others, but not written here yet

 document     never
 state        × missing
 quality      cited 0 times, used by 0 steps, missing

── used in chains
   no step of a chain used it

── other uses ─ 0 uses
   ○ belief:b      b AGE

── beliefs based on it ─ 1 belief
   ○ belief:b      b 0 of 1 valid 0.00 AGE

── versions
   no use recorded its passage

── retrieved
   no retrieval of it was logged
$ stemma document document:never --limit 0 --store named.db
stemma: --limit takes a whole number from 1 to 1000000, not '0'. `stemma document --help` explains it.
[2]

# Before the passage changed.
$ cat >then.jsonl <<'END'
> {"ref":"document:d","text":"D"}
> {"ref":"step:1","text":"first","justifications":[{"role":"source","antecedents":[{"ref":"document:d","relevance":0.9,"chunk":1,"version_hash":"aa"}]}]}
> END
> stemma import jsonl then.jsonl --store then.db >/dev/null
> stemma import jsonl - --store then.db <<<'{"ref":"step:2","text":"second","justifications":[{"role":"source","antecedents":[{"ref":"document:d","relevance":0.9,"chunk":1,"version_hash":"bb"}]}]}' >/dev/null
> stemma document document:d --store then.db
document:d
│ D

 document     d
 state        ● supported
 quality      cited 0 times, used by 2 steps
 agent        sean
 created      NOW (AGE)

── used in chains ─ 2 steps · 0 chains
   not part of a chain
     ●     first ?.90 chunk 1 AGE
 changed since
     ●     second ?.90 chunk 1 AGE

── beliefs based on it
   no belief is based on it

── versions ─ 2 versions of 1 passage
   chunk 1     aa            earlier  1 use first AGE last AGE
   chunk 1     bb            current  1 use first AGE last AGE

── retrieved
   no retrieval of it was logged
$ stemma document document:d --as-of @2 --store then.db
stemma: as of NOW (event 2)
document:d
│ D

 document     d
 state        ● supported
 quality      cited 0 times, used by 1 step
 agent        sean
 created      NOW (AGE)

── used in chains ─ 1 step · 0 chains
   not part of a chain
     ●     first ?.90 chunk 1 AGE

── beliefs based on it
   no belief is based on it

── versions ─ 1 version of 1 passage
   chunk 1     aa            current  1 use first AGE last AGE

── retrieved
   no retrieval of it was logged

# The log of retrievals in groups.
$ stemma retrievals
database_query       5  2026-10-12  ▅···········▅█·········▅  2026-11-14
git_show             3  2026-10-25  █·····█················█  2026-11-14
web_scrape          10  2026-10-12  ▆···········▆█······▃··▃  2026-11-14
tavily_search        7  2023-03-15  ▂······················█  2026-11-14
internal_reasoning   2  2026-10-17  █······················█  2026-10-31
user_input           2  2026-10-30  █······················█  2026-10-31
$ stemma retrievals --by agent
ash              19  2026-10-12  ▄··▁·····▁···█·········▄  2026-11-14
claire            8  2026-10-30  █······················▄  2026-11-09
my-ai-agent-001   2  2023-03-15  █······················█  2026-10-10
$ stemma retrievals --by uri --agent claire
https://www.postgresql.org/docs/16/ddl-partitioning.html  1  2026-11-09  █·······················  2026-11-09
postgres partition existing table attach  1  2026-11-09  █·······················  2026-11-09
https://drafts.example/idempotency-key    1  2026-10-30  █·······················  2026-10-30
idempotency key http header draft         1  2026-10-30  █·······················  2026-10-30
https://queue.example/docs/delivery       1  2026-10-30  █·······················  2026-10-30
sql:payments_log/outage                   1  2026-10-30  █·······················  2026-10-30
phone                                     1  2026-10-30  █·······················  2026-10-30
https://queue.example/blog/exactly-once   1  suspect
$ stemma retrievals --json | jq -s -c '[(map(.count)|add), (map(.timeline|length)|unique), (map(.timeline|add)|add)]'
[29,[24],28]
$ stemma retrievals --json --limit 2 | tail -1
{"more":4}
$ stemma retrievals --by uri --agent ash --json | grep -c '"group":null,'
1
$ stemma retrievals --agent bob
stemma: nothing matched: there is no agent 'bob'. There are ash, claire, my-ai-agent-001.
[1]
$ stemma retrievals --store named.db
stemma: no retrieval was logged
[1]
$ stemma retrievals --by colour
stemma: --by does not take 'colour'. It takes type, uri, agent.
[2]

# Every line fits; without UTF-8 all is ASCII.
$ for w in 40 60 80 120 200; do
> for c in 'document document:worker-supervisor --excerpts' 'document document:incident-report-payments-queue' retrievals 'retrievals --by uri'; do
>   [ $(COLUMNS=$w stemma --color never $c | wc -L) -le $((w < 49 ? 49 : w)) ] || echo "$w $c"
> done; done
$ export LC_ALL=de_DE.ISO-8859-1; (stemma document document:worker-supervisor --excerpts; stemma retrievals) | LC_ALL=C grep -c '[^ -~]'
> stemma retrievals | tail -1
bash: line 1: warning: setlocale: LC_ALL: cannot change locale (de_DE.ISO-8859-1): No such file or directory
0
user_input           2  2026-10-30  9......................9  2026-10-31

# A field that takes text takes digits as text: a hash may have no letter, and an author no name.
$ r=$(stemma add attribution t --field source_type=42 --field retrieval_timestamp=1796000002000 --field full_content_hash=$(printf '%064d' 7) --store digits.db); stemma edit $r --field content_summary=true --field source_uri=7 --store digits.db; stemma edit $r --field full_content_hash=12 --store digits.db; stemma edit $r --field source_uri= --store digits.db; stemma show $(stemma add document d --field author=1984 --field year=1984 --store digits.db) --json --store digits.db | jq -c .detail
── edited ─ 1
     attribution:ID1  t 1.00 AGE
       content summary  + true
       source uri       + 7
stemma: full_content_hash is not 64 hex digits. Give the SHA-256 of the content, or leave it out.
── edited ─ 1
     attribution:ID1  t 1.00 AGE
       source uri       - 7
{"author":"1984","year":1984}
