# A chain shows what each step used. The origins of scores differ in sign and bar.
$ stemma chain chain:c6120492
chain:c6120492-5d96-4f35-804d-2ad5efc60ff0
│ How can ledger_entries get a column without stopping the queue?

── answer
│ Drain the detached workers by hand; add the column without a default under a lock_timeout of two seconds, trying again; fill it in in batches; then the default, then NOT NULL by a validated check.

 state        finished, 10 steps, 17 documents
 strategy     decomposition
 confidence   0.849
 agent        ash
 time         10 s
 tokens       45,135 tokens (prompt 41,260, completion 3,875)
 created      2026-10-31 11:08:25Z (AGE)

── step 1 ─ confidence 0.94 · 0.9 s
 question     Which lock does adding a column take, and for how long?
 answer       ACCESS EXCLUSIVE, but only for an instant once it is granted.
 trace        The manual names the lock; what the statement does while it holds it decides how long.
   #1 ━━━━━━━╸  .96★  PostgreSQL 16, ALTER TABLE                        postgres-16-alter-table         chunk 3
   #2 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking    chunk 14
   #3 ━━━━━━    .74   Migration 0147: ledger_entries gets a settled_at  migration-0147                  chunk 0

── step 2 ─ confidence 0.83 · 1.4 s
 question     Was the table rewritten on the day of the outage?
 answer       No. AGE() is stable, so its value was stored once; the table had the same size before and after.
 trace        The analysis of the outage took a rewrite for granted. The release notes of version 11 speak against it, and the sizes confirm that.
 given        the answer of step 1
 judged       supported by its sources, import of sean: checked the sizes myself
   #1 ━━━━━━━╸  .93★  PostgreSQL 16, ALTER TABLE                        postgres-16-alter-table         chunk 7
   #2 ━━━━━━━   .88   PostgreSQL 11, release notes                      postgres-11-release-notes       chunk 2
       rated relevant by import of sean: this is what the first analysis missed
   #3 ━━━━━╸    .71   ledger_entries: size and writes                   ledger-entries-statistics       chunk 0
   #4 ━━━━━     .62   Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 5

── step 3 ─ confidence 0.90 · 1.1 s
 question     Then what was waited for?
 answer       The lock stood in line behind three detached workers, and everybody else stood in line behind the lock.
 given        the answer of step 2
   #1 ━━━━━━━   .89   Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 7
   #2 ━━━━━━╸   .83   Worker supervisor, drain and registry             worker-supervisor               chunk 14  changed since
   #3 ╍╍╍╍╍╍╍  ~.80   Sean, on the phone                                context_doc_2
       rated relevant by import of sean: I said that, and it is so
   #4 ━━━╸      .45   Dashboard: payments-queue                         payments-queue-dashboard        chunk 1
       rated irrelevant by import of sean: says how busy it was, not who waited

── step 4 ─ confidence 0.78 · 0.6 s
 question     How long may a statement wait before the queue notices?
 answer       Under six seconds at the peak. Two leave room for a second try.
   #1 ━━━━━━╸   .81   Dashboard: payments-queue                         payments-queue-dashboard        chunk 1
   #2 ━━━━━━    .77   Capacity plan Q4.xlsx                             capacity-plan-q4                chunk 0
   #3 ━━━━╸     .58   Runbook: deploying the payments service           deploy-runbook                  chunk 4

── step 5 ─ confidence 0.72 · 1.3 s
 question     Does a lock_timeout with retries get through on a busy table?
 answer       Yes; within seven tries in the worst case that anybody reports.
 trace        Two reports from others and no measurement of our own: to be rehearsed.
 given        the answers of steps 3 and 4
   #1 ━━━━━━╸   .79   Migrations that give up politely                  lock-timeout-and-retries        chunk 2
   #2 ━━━━━━    .74   PostgreSQL 16, client connection defaults         postgres-16-client-settings     chunk 4
   #3 ━━━━╸     .55★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking    chunk 14
   #4 ────     =.50   From a mailing list                               doc_3
 used by      ● belief:8b05ee06   With a lock_timeout of two seconds a migration fails instead of the queue. 0.80 AGE

── step 6 ─ confidence 0.86 · 0.5 s
 question     Must the detached workers be drained first?
 answer       Yes, by hand: the drain does not see them.
 given        the answer of step 3
   #1 ━━━━━━━   .87   Worker supervisor, drain and registry             worker-supervisor               chunk 14  changed since
   #3 ━━━━━━    .73   Runbook: deploying the payments service           deploy-runbook                  chunk 5
   #2 ━━━━━╸    .68   Worker supervisor, drain and registry             worker-supervisor               chunk 15

── step 7 ─ confidence 0.81 · 0.7 s
 question     How are the old rows filled in?
 answer       By primary key, 5 000 to a transaction, pausing as long as each took.
   #1 ━━━━━━╸   .84   Wiki: backfilling in batches                      wiki-backfilling                chunk 0
   #2 ━━━━━━╸   .80   Wiki: backfilling in batches                      wiki-backfilling                chunk 1
   #4 ┈┈┈┈┈┈   ?.70   Review of pull request 31                         review-pull-request-31          chunk 0
       rated irrelevant by import of sean: nothing in it on filling in; the model only says so
   #3 ━━━━━     .60   ledger_entries: size and writes                   ledger-entries-statistics       chunk 0
 used by      ● belief:8a800c80   A column is added without a default; its values are filled in afterwards, in small batches. 0.85 AGE

── step 8 ─ confidence 0.88 · 0.6 s
 question     What must the old code be able to read meanwhile?
 answer       Both shapes for ten minutes; only the export job cared, and it is mended.
   #1 ━━━━━━╸   .82   Review of pull request 31                         review-pull-request-31          chunk 1
   #2 ━━━━━╸    .71   Runbook: deploying the payments service           deploy-runbook                  chunk 2
   #3 ━━━━━     .64   Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 9

── step 9 ─ confidence 0.84 · 0.8 s
 question     When can the column become NOT NULL?
 answer       When a check that was added NOT VALID has been validated; then nothing is scanned under the lock.
 given        the answers of steps 1 and 7
   #1 ━━━━━━━╸  .92★  PostgreSQL 16, ALTER TABLE                        postgres-16-alter-table         chunk 9
   #2 ┈┈┈┈┈┈   ?.66   Migrations that give up politely                  lock-timeout-and-retries        chunk 5

── step 10 ─ confidence 0.93 · 2.2 s
 question     Does a rehearsal show what we expect?
 answer       Yes: three tries, eleven milliseconds, and the queue never above 640.
 trace        Ran 0148 on last night's copy with the traffic of a Tuesday replayed.
 given        the answers of steps 5, 6, 7 and 9
 judged       supported by its sources, import of sean: I was there
   #1 ━━━━━━━━  .97★  Rehearsal of migration 0148, log                  rehearsal-0148                  chunk 0
   #2 ━━━━━━━   .85★  Rehearsal of migration 0148, log                  rehearsal-0148                  chunk 1
   #3 ┈┈┈┈     ?.52   Dashboard: payments-queue                         payments-queue-dashboard        chunk 3
 used by      ● belief:8a800c80   A column is added without a default; its values are filled in afterwards, in small batches. 0.85 AGE
 used by      ● belief:8b05ee06   With a lock_timeout of two seconds a migration fails instead of the queue. 0.80 AGE

── sources by relevance ─ 17 documents, 3 primary ★
   ━━━━━━━━  .97★  Rehearsal of migration 0148, log                  rehearsal-0148                  1 step
   ━━━━━━━╸  .96★  PostgreSQL 16, ALTER TABLE                        postgres-16-alter-table         3 steps
   ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking    2 steps
   ━━━━━━━   .89   Incident report: the payments queue, 41 minutes   incident-report-payments-queue  3 steps
   ━━━━━━━   .88   PostgreSQL 11, release notes                      postgres-11-release-notes       1 step
   ━━━━━━━   .87   Worker supervisor, drain and registry             worker-supervisor               2 steps  changed since
   ━━━━━━╸   .84   Wiki: backfilling in batches                      wiki-backfilling                1 step
   ━━━━━━╸   .82   Review of pull request 31                         review-pull-request-31          2 steps
   ━━━━━━╸   .81   Dashboard: payments-queue                         payments-queue-dashboard        3 steps
   ╍╍╍╍╍╍╍  ~.80   Sean, on the phone                                context_doc_2                   1 step
   ━━━━━━╸   .79   Migrations that give up politely                  lock-timeout-and-retries        2 steps
   ━━━━━━    .77   Capacity plan Q4.xlsx                             capacity-plan-q4                1 step
   ━━━━━━    .74   Migration 0147: ledger_entries gets a settled_at  migration-0147                  1 step
   ━━━━━━    .74   PostgreSQL 16, client connection defaults         postgres-16-client-settings     1 step
   ━━━━━━    .73   Runbook: deploying the payments service           deploy-runbook                  3 steps
   ━━━━━╸    .71   ledger_entries: size and writes                   ledger-entries-statistics       2 steps
   ────     =.50   From a mailing list                               doc_3                           1 step

 scores: measured plain, ~ heuristic, = default, ? asserted

── time and tokens ─ 10 s · 45,135 tokens
   step 1    ━━                         0.9 s
   step 2      ━━━                      1.4 s
   step 3         ━━━                   1.1 s
   step 4           ━━━                 0.6 s
   step 5             ━━━━              1.3 s
   step 6                ━━             0.5 s
   step 7                 ━━            0.7 s
   step 8                  ━━━          0.6 s
   step 9                    ━━━        0.8 s
   step 10                    ━━━━━━━   2.2 s
$ COLUMNS=80 stemma chain chain:c6120492 | head -40
chain:c6120492-5d96-4f35-804d-2ad5efc60ff0
│ How can ledger_entries get a column without stopping the queue?

── answer
│ Drain the detached workers by hand; add the column without a default under a
│ lock_timeout of two seconds, trying again; fill it in in batches; then the
│ default, then NOT NULL by a validated check.

 state        finished, 10 steps, 17 documents
 strategy     decomposition
 confidence   0.849
 agent        ash
 time         10 s
 tokens       45,135 tokens (prompt 41,260, completion 3,875)
 created      2026-10-31 11:08:25Z (AGE)

── step 1 ─ confidence 0.94 · 0.9 s
 question     Which lock does adding a column take, and for how long?
 answer       ACCESS EXCLUSIVE, but only for an instant once it is granted.
 trace        The manual names the lock; what the statement does while it holds
              it decides how long.
   #1 ━━━━━━━╸  .96★  PostgreSQL 16, ALTER TABLE         chunk 3
   #2 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking    chunk 14
   #3 ━━━━━━    .74   Migration 0147: ledger_entries g…  chunk 0

── step 2 ─ confidence 0.83 · 1.4 s
 question     Was the table rewritten on the day of the outage?
 answer       No. AGE() is stable, so its value was stored once; the table had
              the same size before and after.
 trace        The analysis of the outage took a rewrite for granted. The release
              notes of version 11 speak against it, and the sizes confirm that.
 given        the answer of step 1
 judged       supported by its sources, import of sean: checked the sizes myself
   #1 ━━━━━━━╸  .93★  PostgreSQL 16, ALTER TABLE         chunk 7
   #2 ━━━━━━━   .88   PostgreSQL 11, release notes       chunk 2
       rated relevant by import of sean: this is what the first analysis missed
   #3 ━━━━━╸    .71   ledger_entries: size and writes    chunk 0
   #4 ━━━━━     .62   Incident report: the payments qu…  chunk 5

── step 3 ─ confidence 0.90 · 1.1 s
$ stemma chain step:60d71f4b
chain:e928fb0a-da83-4639-98a3-c435d34a47ad
│ Why did the deploy stop the payments queue?

── answer
│ The migration held a lock while detached workers still wrote. A staging run would have shown it.

 state        finished, 3 steps, 3 documents
 strategy     step_by_step
 confidence   0.863
 agent        ash
 time         2.8 s
 created      2026-10-30 23:08:40Z (AGE)

── step 1 ─ confidence 0.92 · 0.8 s
 question     What changed in that deploy?
 answer       A column with a default that is not constant, on the busiest table, under a title that said configuration.
   #1 ━━━━━━━╸  .95★  Migration 0147: ledger_entries gets a settled_at  migration-0147                  chunk 0
   #2 ━━━━━━    .72★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 2

── > step 2 ─ confidence 0.88 · 1.1 s
 question     Which lock did it take, and who waited for it?
 answer       ACCESS EXCLUSIVE on ledger_entries for the whole rewrite; every worker waited for it.
 judged       not supported by its sources, import of sean: its sources name the lock, but none of them says that the table was rewritten
   #1 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking    chunk 14
   #2 ━━━━━━╸   .84★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 5

── step 3 ─ confidence 0.79 · 0.9 s
 question     Why did old workers keep writing during the migration?
 answer       The drain ignores workers that were started detached; they wrote until their lease ended.
 given        the answer of step 2
   #1 ━━━━━━╸   .83★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue  chunk 7
   #2 ╍╍╍╍╍    ~.60★  PostgreSQL 16, Explicit Locking                   context_doc_1
 used by      ● belief:9048e049   Workers that were started detached must be drained by hand before a migration. 0.76 AGE

── sources by relevance ─ 3 documents, 3 primary ★
   ━━━━━━━╸  .95★  Migration 0147: ledger_entries gets a settled_at  migration-0147                  1 step
   ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking    2 steps
   ━━━━━━╸   .84★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue  3 steps

 scores: measured plain, ~ heuristic, = default, ? asserted

── time and tokens ─ 2.8 s
   step 1    ━━━━━━━                    0.8 s
   step 2          ━━━━━━━━━━           1.1 s
   step 3                   ━━━━━━━━━   0.9 s
$ stemma chain 60d71f4b | grep -c '^── > step 2'
1
$ stemma chain chain:3589b33b | grep -c 'changed since'
0
[1]
$ stemma chain chain:3589b33b --json | jq -c 'keys, (.steps|length), .question'
["agent_id","created_at","final_answer","original_question","reasoning_steps","reasoning_strategy","ref","search","source_summary","state","total_confidence","total_execution_time"]
0
null

# An abandoned chain says so; a list says how far each chain is.
$ stemma chain $(stemma search 'partitions make' --kind chain --json | head -1 | jq -r .ref)
chain:34b91c2a-948d-4a87-92ca-559a5f0f2d76
│ Would partitions make the next migration of ledger_entries shorter?

 state        abandoned, 3 steps, 4 documents
 strategy     step_by_step
 confidence   0.757, the mean of its steps so far
 agent        claire
 created      2026-11-09 09:04:40Z (AGE)

── step 1 ─ confidence 0.90 · 0.5 s
 question     Can a table that is there be partitioned?
 answer       Not as it stands; it can become the first partition of a new one.
   #1 ━━━━━━━╸  .93★  PostgreSQL 16, table partitioning  postgres-16-partitioning      chunk 2

── step 2 ─ confidence 0.77 · 0.7 s
 question     Which locks does that take?
 answer       A strict one on the partition only; the others go on.
 given        the answer of step 1
   #1 ━━━━━━━   .88★  PostgreSQL 16, table partitioning  postgres-16-partitioning      chunk 5
   #2 ━━━━━     .63   PostgreSQL 16, Explicit Locking    postgres-16-explicit-locking  chunk 14

── step 3 ─ confidence 0.60 · 0.4 s
 question     How much of the table is still read?
 answer       The last forty days, as far as I can see.
   #1 ━━━━━╸    .69   ledger_entries: size and writes    ledger-entries-statistics     chunk 1
   #2 ━━╸       .31   Capacity plan Q4.xlsx              capacity-plan-q4              chunk 0

── sources by relevance ─ 4 documents, 1 primary ★
   ━━━━━━━╸  .93★  PostgreSQL 16, table partitioning  postgres-16-partitioning      2 steps
   ━━━━━╸    .69   ledger_entries: size and writes    ledger-entries-statistics     1 step
   ━━━━━     .63   PostgreSQL 16, Explicit Locking    postgres-16-explicit-locking  1 step
   ━━╸       .31   Capacity plan Q4.xlsx              capacity-plan-q4              1 step

── time and tokens ─ 1.6 s
   step 1    ━━━━━━━━                   0.5 s
   step 2           ━━━━━━━━━━━         0.7 s
   step 3                     ━━━━━━━   0.4 s
$ stemma list chain
●  chain:3589b33b  0.83  1/1  finished, 3 steps   ash AGE  How much does one canary show before the fleet follows?
–  chain:34b91c2a  0.76    –  abandoned, 3 steps  claire AGE  Would partitions make the next migration of ledger_entries shorter?
●  chain:c6120492  0.85  1/1  finished, 10 steps  ash AGE  How can ledger_entries get a column without stopping the queue?
●  chain:0c682f79  0.86  1/1  finished, 4 steps   claire AGE  How often may the consumer try a payment again?
●  chain:e928fb0a  0.86  1/1  finished, 3 steps   ash AGE  Why did the deploy stop the payments queue?
●  chain:20a1a079  0.83  1/1  finished, 3 steps   ash AGE  How often may the consumer try a payment again?
$ COLUMNS=80 stemma list chain
●  chain:3589b33b  finished, 3 steps   ash AGE  How much does one canary s…
–  chain:34b91c2a  abandoned, 3 steps  claire AGE  Would partitions make the …
●  chain:c6120492  finished, 10 steps  ash AGE  How can ledger_entries get…
●  chain:0c682f79  finished, 4 steps   claire AGE  How often may the consumer…
●  chain:e928fb0a  finished, 3 steps   ash AGE  Why did the deploy stop th…
●  chain:20a1a079  finished, 3 steps   ash AGE  How often may the consumer…
$ stemma list step | head -3; stemma list citation | head -3; stemma list document | head -3
●  step:bf0f7a74  0.74  2/2  step 3   ash AGE  What does it not show?
●  step:df90f357  0.85  3/3  step 2   ash AGE  Can it be taken out again without losing messages?
●  step:6a9615d3  0.90  2/2  step 1   ash AGE  How much traffic does one worker see?
●  citation:d722afe1  0.81  1/1  page 3, What a canary cannot show  ash AGE  What shows only at the peak does not show on a canary at three in the morning.
●  citation:e7c8a187  0.88  1/1  drain()               ash AGE  drain() returns once the queue is empty and every worker in the registry has let go. Since 2.4 a worker started with --detach is in the registry too.
●  citation:445d95e2  0.92  1/1  page 1                ash AGE  One worker of twelve takes a twelfth of the messages: 17 a second at noon, ten thousand in ten minutes.
●  document:slow-que        1.00  1/1  1 use            ash AGE  Slow query log, production
●  document:canary-n        1.00  1/1  4 uses           ash AGE  Canary releases, notes from the platform team
●  document:postgres-16-p   1.00  1/1  2 uses           claire AGE  PostgreSQL 16, table partitioning

# The same question names the other answer.
$ stemma chain chain:0c682f79 | sed -n '/the same question/,$p'
── the same question
   chain:20a1a079  0.83  finished, 3 steps  decomposition
│ Nine times, doubling the wait. The broker delivers each message once, so a retry cannot pay twice.

# Each source occurs once, with its steps.
$ stemma sources chain:c6120492
chain:c6120492-5d96-4f35-804d-2ad5efc60ff0
│ How can ledger_entries get a column without stopping the queue?

── sources ─ 17 documents, 3 primary ★
   #1 ━━━━━━━━  .97★  Rehearsal of migration 0148, log                  rehearsal-0148
   #1 ━━━━━━━╸  .96★  PostgreSQL 16, ALTER TABLE                        postgres-16-alter-table
   #2 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking
      ━━━━━━━   .89   Incident report: the payments queue, 41 minutes   incident-report-payments-queue
      ━━━━━━━   .88   PostgreSQL 11, release notes                      postgres-11-release-notes
      ━━━━━━━   .87   Worker supervisor, drain and registry             worker-supervisor
      ━━━━━━╸   .84   Wiki: backfilling in batches                      wiki-backfilling
      ━━━━━━╸   .82   Review of pull request 31                         review-pull-request-31
      ━━━━━━╸   .81   Dashboard: payments-queue                         payments-queue-dashboard
      ╍╍╍╍╍╍╍  ~.80   Sean, on the phone                                context_doc_2
      ━━━━━━╸   .79   Migrations that give up politely                  lock-timeout-and-retries
      ━━━━━━    .77   Capacity plan Q4.xlsx                             capacity-plan-q4
      ━━━━━━    .74   Migration 0147: ledger_entries gets a settled_at  migration-0147
      ━━━━━━    .74   PostgreSQL 16, client connection defaults         postgres-16-client-settings
      ━━━━━━    .73   Runbook: deploying the payments service           deploy-runbook
      ━━━━━╸    .71   ledger_entries: size and writes                   ledger-entries-statistics
      ────     =.50   From a mailing list                               doc_3

 scores: measured plain, ~ heuristic, = default, ? asserted

── by step
  step 1    3 postgres-16-alter-table, postgres-16-explicit-locking, migration-0147
  step 2    4 postgres-16-alter-table, postgres-11-release-notes, ledger-entries-statistics, incident-report-payments-queue
  step 3    4 incident-report-payments-queue, worker-supervisor, context_doc_2, payments-queue-dashboard
  step 4    3 payments-queue-dashboard, capacity-plan-q4, deploy-runbook
  step 5    4 lock-timeout-and-retries, postgres-16-client-settings, postgres-16-explicit-locking, doc_3
  step 6    3 worker-supervisor, worker-supervisor, deploy-runbook
  step 7    4 wiki-backfilling, wiki-backfilling, ledger-entries-statistics, review-pull-request-31
  step 8    3 review-pull-request-31, deploy-runbook, incident-report-payments-queue
  step 9    2 postgres-16-alter-table, lock-timeout-and-retries
  step 10   3 rehearsal-0148, rehearsal-0148, payments-queue-dashboard
$ stemma sources step:60d71f4b
chain:e928fb0a-da83-4639-98a3-c435d34a47ad
│ Why did the deploy stop the payments queue?

── sources ─ 4 documents, 3 primary ★
   #1 ━━━━━━━╸  .95★  Migration 0147: ledger_entries gets a settled_at  migration-0147
   #1 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking
   #2 ━━━━━━╸   .84★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue
      ╍╍╍╍╍    ~.60   PostgreSQL 16, Explicit Locking                   context_doc_1

 scores: measured plain, ~ heuristic, = default, ? asserted

── by step
  step 1    2 migration-0147, incident-report-payments-queue
> step 2    2 postgres-16-explicit-locking, incident-report-payments-queue
  step 3    2 incident-report-payments-queue, context_doc_1
$ stemma sources chain:e928fb0a --excerpts
chain:e928fb0a-da83-4639-98a3-c435d34a47ad
│ Why did the deploy stop the payments queue?

── sources ─ 4 documents, 3 primary ★
   #1 ━━━━━━━╸  .95★  Migration 0147: ledger_entries gets a settled_at  migration-0147
│ ALTER TABLE ledger_entries ADD COLUMN settled_at timestamptz NOT NULL DEFAULT AGE();
   #1 ━━━━━━━╸  .91★  PostgreSQL 16, Explicit Locking                   postgres-16-explicit-locking
│ ACCESS EXCLUSIVE conflicts with locks of all modes.
   #2 ━━━━━━╸   .84★  Incident report: the payments queue, 41 minutes   incident-report-payments-queue
│ Nine workers waited; three lost their lease.
      ╍╍╍╍╍    ~.60   PostgreSQL 16, Explicit Locking                   context_doc_1
│ Lock held until the end of the transaction.

 scores: measured plain, ~ heuristic, = default, ? asserted

── by step
  step 1    2 migration-0147, incident-report-payments-queue
  step 2    2 postgres-16-explicit-locking, incident-report-payments-queue
  step 3    2 incident-report-payments-queue, context_doc_1
$ stemma sources chain:c6120492 --json | jq -c '.total_sources, .primary_sources[0], .all_sources[1], .sources_by_step[5]'
17
{"document_id":"rehearsal-0148","title":"Rehearsal of migration 0148, log","relevance":0.97,"rank":1}
{"document_id":"postgres-16-alter-table","title":"PostgreSQL 16, ALTER TABLE","relevance":0.96}
null

# Citations of a message by rank, without earlier ones.
$ stemma cite release-0148; stemma cite m-3; stemma cite m-3 --format=plain | tail -1
(Rehearsal of migration 0148, log, page 2, Timings)
(PostgreSQL 16, ALTER TABLE, Notes)
(Worker supervisor, drain and registry, document)
(Capacity plan Q4.xlsx, Sheet 'Queue', Cell B15)
(Runbook: deploying the payments service, page 4)
(Rehearsal of migration 0148, log, page 2, Timings)
(PostgreSQL 16, ALTER TABLE, Notes)
(Worker supervisor, drain and registry, document)
(Capacity plan Q4.xlsx, Sheet 'Queue', Cell B15)
(Runbook: deploying the payments service, page 4)
(Runbook: deploying the payments service, page 4)
$ stemma cite m-9
(Payments log, the day of the outage, document)
(Broker guide: delivery guarantees, page 12, Delivery)
(The Idempotency-Key header, draft, 2.1 Syntax)
(Incident report: the payments queue, 41 minutes, page 5)
$ stemma cite retry-policy
(Broker guide: delivery guarantees, page 11, Delivery)
(Timeouts, retries and jitter, Jitter)
(Payments log, the day of the outage, document)
(Broker guide: delivery guarantees, page 12, Delivery)
(The Idempotency-Key header, draft, 2.1 Syntax)
(Incident report: the payments queue, 41 minutes, page 5)
$ stemma cite m-3 --json | jq -c '.[0]? // .'
{"citations":[{"ref":"citation:9ab3fd32-dfa2-4d85-956a-86649d9fdd0d","documentId":"rehearsal-0148","documentName":"Rehearsal of migration 0148, log","location":{"page":2,"section":"Timings"},"snippet":"03:00:02 try 1 lock_timeout · 03:00:05 try 2 lock_timeout · 03:00:08 try 3 ok, 11 ms · depth of the queue never above 640","relevanceScore":0.97,"retrievedAt":"2026-10-31T11:07:25.100Z","score_origin":"measured","formatted":"(Rehearsal of migration 0148, log, page 2, Timings)","conversationId":"release-0148","messageId":"m-3","document":"document:rehearsal-0148","citedAt":1793445565140},{"ref":"citation:32881bcb-dd2b-42b8-b30e-fef01ec59dca","documentId":"postgres-16-alter-table","documentName":"PostgreSQL 16, ALTER TABLE","location":{"section":"Notes"},"snippet":"When a column is added with ADD COLUMN and a non-volatile DEFAULT is specified, the default is evaluated at the time of the statement and the result stored in the table's metadata. Neither of these requires a rewrite of the table.","relevanceScore":0.93,"retrievedAt":"2026-10-31T11:07:25.100Z","score_origin":"measured","formatted":"(PostgreSQL 16, ALTER TABLE, Notes)","conversationId":"release-0148","messageId":"m-3","document":"document:postgres-16-alter-table","citedAt":1793445565180},{"ref":"citation:d519e0ac-51f6-44a1-b839-09bf4e29127f","documentId":"worker-supervisor","documentName":"Worker supervisor, drain and registry","snippet":"drain() returns once the queue is empty. A worker started with --detach is not in the registry and keeps its connection until its lease of 600 s ends.","relevanceScore":0.87,"retrievedAt":"2026-10-31T11:07:25.100Z","score_origin":"measured","formatted":"(Worker supervisor, drain and registry, document)","conversationId":"release-0148","messageId":"m-3","document":"document:worker-supervisor","citedAt":1793445565220},{"ref":"citation:42f9d4b1-8081-4bf5-91b4-d12cfdb04e06","documentId":"capacity-plan-q4","documentName":"Capacity plan Q4.xlsx","location":{"section":"Sheet 'Queue', Cell B15"},"snippet":"Queue, B15: seconds until the pager at peak = 5 000 / 840 = 5.95. B16: at noon = 23.8.","relevanceScore":0.77,"retrievedAt":"2026-10-31T11:07:25.100Z","score_origin":"measured","formatted":"(Capacity plan Q4.xlsx, Sheet 'Queue', Cell B15)","conversationId":"release-0148","messageId":"m-3","document":"document:capacity-plan-q4","citedAt":1793445565260},{"ref":"citation:1bae2294-646c-47d4-b3a3-0d43ee3056d4","documentId":"deploy-runbook","documentName":"Runbook: deploying the payments service","location":{"page":4},"snippet":"5. Drain the workers: `workers drain --wait`. Detached ones are listed by `workers list --detached` and are stopped one by one.","relevanceScore":0.73,"retrievedAt":"2026-10-31T11:07:25.100Z","score_origin":"measured","formatted":"(Runbook: deploying the payments service, page 4)","conversationId":"release-0148","messageId":"m-3","document":"document:deploy-runbook","citedAt":1793445565300}],"total":5,"uncertainty":"none"}
$ stemma cite citation:41d4b816 --json
{"citations":[{"ref":"citation:41d4b816-d91a-4116-af13-3f8b061c5a8b","documentId":"incident-report-payments-queue","documentName":"Incident report: the payments queue, 41 minutes","location":{"page":3,"section":"Timeline"},"snippet":"Nine workers waited; three lost their lease.","relevanceScore":0.84,"score_origin":"measured","formatted":"(Incident report: the payments queue, 41 minutes, page 3, Timeline)","conversationId":"review-0147","messageId":"m-12","document":"document:incident-report-payments-queue","citedAt":1793408680000}],"total":1,"uncertainty":"none"}
$ stemma cite chain:c6120492 | head -3; stemma cite step:60d71f4b
(Rehearsal of migration 0148, log, document)
(PostgreSQL 16, ALTER TABLE, document)
(PostgreSQL 16, Explicit Locking, document)
(PostgreSQL 16, Explicit Locking, Table-Level Locks)
(Incident report: the payments queue, 41 minutes, document)
$ stemma cite step:60d71f4b --json | jq -c .
{"citations":[{"documentId":"postgres-16-explicit-locking","documentName":"PostgreSQL 16, Explicit Locking","location":{"section":"Table-Level Locks"},"snippet":"ACCESS EXCLUSIVE conflicts with locks of all modes.","relevanceScore":0.91,"score_origin":"measured","formatted":"(PostgreSQL 16, Explicit Locking, Table-Level Locks)","document":"document:postgres-16-explicit-locking"},{"documentId":"incident-report-payments-queue","documentName":"Incident report: the payments queue, 41 minutes","snippet":"Nine workers waited; three lost their lease.","relevanceScore":0.84,"score_origin":"measured","formatted":"(Incident report: the payments queue, 41 minutes, document)","document":"document:incident-report-payments-queue"}],"total":2,"uncertainty":"none"}
$ stemma cite document:broker-guide-delivery; stemma cite document:slow-query-log; stemma cite document:slow-query-log --json
(Broker guide: delivery guarantees, page 11, Delivery)
(Broker guide: delivery guarantees, page 12, Delivery)
stemma: no response cites it yet
(Slow query log, production, document)
stemma: no response cites it yet
{"citations":[{"documentId":"slow-query-log","documentName":"Slow query log, production","relevanceScore":null,"formatted":"(Slow query log, production, document)","document":"document:slow-query-log"}],"total":1,"uncertainty":"high"}

# A conversation id comes before an id prefix.
$ cat >named.jsonl <<'END'
> {"ref":"document:talk-1234","text":"Another"}
> {"ref":"document:d","text":"Paper"}
> {"ref":"citation:one","text":"s","detail":{"document_id":"d","conversation_id":"talk","message_id":"chat:1","page_number":7},"justifications":[{"role":"citation","antecedents":[{"ref":"document:d","relevance":0.9}]}]}
> END
> stemma import jsonl named.jsonl --store named.db >/dev/null
> stemma cite talk --store named.db; stemma cite chat:1 --store named.db; stemma cite talk- --store named.db
(Unknown source, document)
(Unknown source, document)
stemma: no response cites it yet
(Another, document)
$ stemma purge citation:one --yes --store named.db >/dev/null; stemma cite citation:one --store named.db
stemma: citation:one was purged: nothing of its text is left. `stemma history` shows when, and by whom.
[1]

# Refs that are no chain are reported.
$ cat >odd.jsonl <<'END'
> {"ref":"belief:b","text":"b","derived_from":["chain:never"]}
> {"ref":"step:alone","text":"s","detail":{"step_number":1}}
> {"ref":"chain:aaaa1","text":"1"}
> {"ref":"chain:aaaa2","text":"2"}
> END
> stemma import jsonl odd.jsonl --store odd.db >/dev/null
> for c in chain sources cite; do for r in belief:b step:alone chain:never chain:aaaa nothing; do echo "$c $r"; stemma $c $r --store odd.db; done; done
stemma: belief:b: names chain:never, which is not here
chain belief:b
stemma: belief:b is a memory of kind belief, not a chain or step. `stemma list chain` lists the chains; `stemma show` shows any memory.
chain step:alone
stemma: the step step:alone is not part of a chain. `stemma show` shows what it is based on.
chain chain:never
stemma: chain:never is named by others, but was not written here yet. `stemma show --reverse` shows who names it.
chain chain:aaaa
stemma: chain:aaaa may be any of 2 memories. Say which: chain:aaaa1, chain:aaaa2.
chain nothing
stemma: no memory is called nothing. Search for it.
sources belief:b
stemma: belief:b is a memory of kind belief, not a chain or step. `stemma list chain` lists the chains; `stemma show` shows any memory.
sources step:alone
stemma: the step step:alone is not part of a chain. `stemma show` shows what it is based on.
sources chain:never
stemma: chain:never is named by others, but was not written here yet. `stemma show --reverse` shows who names it.
sources chain:aaaa
stemma: chain:aaaa may be any of 2 memories. Say which: chain:aaaa1, chain:aaaa2.
sources nothing
stemma: no memory is called nothing. Search for it.
cite belief:b
stemma: belief:b is a memory of kind belief, not a citation, chain, step or document. `stemma show` shows what it is based on.
cite step:alone
stemma: the step step:alone is not part of a chain. `stemma show` shows what it is based on.
cite chain:never
stemma: chain:never is named by others, but was not written here yet. `stemma show --reverse` shows who names it.
cite chain:aaaa
stemma: chain:aaaa may be any of 2 memories. Say which: chain:aaaa1, chain:aaaa2.
cite nothing
stemma: there is no memory, conversation or message nothing. `stemma list citation` and `stemma list chain` list them.
[1]
$ stemma chain chain:aaaa1 --store odd.db; stemma sources chain:aaaa1 --json --store odd.db; stemma cite chain:aaaa1 --store odd.db
chain:aaaa1
│ 1

 state        abandoned, 0 steps, 0 documents
 agent        sean
 created      NOW (AGE)
{"total_sources":0,"primary_sources":[],"all_sources":[],"step_breakdown":{}}
stemma: chain:aaaa1 has no sources to cite
[1]
$ stemma chain chain:aaaa1 chain:aaaa2 --store odd.db; stemma cite chain:aaaa1 --format=apa --store odd.db
stemma: 'chain' does not know what to do with 'chain:aaaa2'. Usage: `stemma chain ID`.
stemma: --format does not take 'apa'. It takes plain, numbered, author-year, footnote, markdown, bibtex, csl-json, json.
[2]

# Reading changes nothing, and a chain is read as of a time.
$ sum() { stemma log --json | sha256sum; }; before=$(sum); stemma chain chain:c6120492 >/dev/null; stemma sources chain:c6120492 >/dev/null
> stemma cite m-3 --read-only >/dev/null; [ "$before" = "$(sum)" ] && echo same
same
$ cat >then.jsonl <<'END'
> {"ref":"chain:c","text":"why?"}
> {"ref":"step:1","text":"first","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:c"}]}
> END
> stemma import jsonl then.jsonl --store then.db >/dev/null
> stemma import jsonl - --store then.db <<<'{"ref":"step:2","text":"second","detail":{"step_number":2},"relations":[{"type":"part_of","to":"chain:c"}]}' >/dev/null
> stemma chain chain:c --store then.db | grep -c second; stemma chain chain:c --as-of @2 --store then.db | grep -c second
> stemma chain step:2 --as-of @2 --store then.db
1
stemma: as of NOW (event 2)
0
stemma: as of NOW (event 2)
stemma: step:2 did not exist yet. `stemma history` shows when it was added.
[1]

# Citations in a text, with their positions.
$ printf 'Revenue rose (Q3_Report.pdf, page 12). It will, as they say (Smith, Jones.pdf, Section 4).\n' | stemma cite --in -
[1]
$ printf '€ (source: A, p.1)' | stemma cite --in - --json
{"cited":[{"at":2,"length":16,"name":"A","page":1,"formatted":"(A, page 1)"}],"total":1}
$ printf nothing | stemma cite --in -
[1]
$ printf '\377\n' | stemma cite --in -
stemma: - is not a text file. Give a text file in UTF-8.
[3]
$ stemma cite m-1 --in -
stemma: --in searches a text file, but m-1 is in the store. Give one of them.
[2]
$ stemma cite
stemma: nothing to cite was given. `stemma list citation` lists them; --in FILE searches a text.
[2]

# Text of others never looks like a line of the program, at any width.
$ cat >forged.jsonl <<'END'
> {"ref":"chain:c","agent_id":"a\nstate        finished, 9 steps","text":"q\nstate        finished, 9 steps\n   9  1.00    1.0 s  Forged?","detail":{"final_answer":"f\n   9  1.00    1.0 s  Forged?","strategy":"s\nstate   finished"}}
> {"ref":"step:s","text":"q\n   9  1.00    1.0 s  Forged?","detail":{"step_number":1,"answer":"x\n   9  1.00    1.0 s  Forged?"},"relations":[{"type":"part_of","to":"chain:c"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:d","relevance":0.9,"excerpt":"e\n   9  1.00    1.0 s  Forged?","label":"l\n   9  Forged?"}]}]}
> {"ref":"document:d","text":"d\n   9  1.00    1.0 s  Forged?"}
> END
> stemma import jsonl forged.jsonl --store forged.db >/dev/null
> stemma chain chain:c --store forged.db; stemma sources chain:c --excerpts --store forged.db; stemma cite chain:c --store forged.db
chain:c
│ q
│ state        finished, 9 steps
│    9  1.00    1.0 s  Forged?

── answer
│ f
│    9  1.00    1.0 s  Forged?

 state        finished, 1 step, 1 document
 strategy     s
              state   finished
 confidence   0.800
 agent        a�state        finished, 9 steps
 created      NOW (AGE)

── step 1 ─ confidence 0.80
 question     q
                 9  1.00    1.0 s  Forged?
   ┈┈┈┈┈┈┈  ?.90★  d    9  1.00    1.0 s  Forged?  l�   9  Forged?

── sources by relevance ─ 1 document, 1 primary ★
   ┈┈┈┈┈┈┈  ?.90★  d    9  1.00    1.0 s  Forged?  l�   9  Forged?  1 step

 scores: measured plain, ~ heuristic, = default, ? asserted
chain:c
│ q
│ state        finished, 9 steps
│    9  1.00    1.0 s  Forged?

── sources ─ 1 document, 1 primary ★
   ┈┈┈┈┈┈┈  ?.90★  l�   9  Forged?
│ e
│    9  1.00    1.0 s  Forged?

 scores: measured plain, ~ heuristic, = default, ? asserted

── by step
  step 1    1 l
                 9  Forged?
(d    9  1.00    1.0 s  Forged?, document)

# Odd values are shown as what they are.
$ cat >values.jsonl <<'END'
> {"ref":"chain:c","text":"","detail":{"final_answer":7,"total_time":null}}
> {"ref":"step:none","text":"none","relations":[{"type":"part_of","to":"chain:c"}]}
> {"ref":"step:big","text":"big","detail":{"step_number":9223372036854775807,"confidence":"high"},"relations":[{"type":"part_of","to":"chain:c"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:other"}]}]}
> END
> stemma import jsonl values.jsonl --store values.db >/dev/null
> stemma chain chain:c --store values.db; COLUMNS=20 stemma chain chain:c --store values.db >/dev/null; stemma chain chain:c --json --store values.db | jq -c .state
stemma: step:big: names document:other, which is not here
chain:c

 state        abandoned, 2 steps, 1 document
 confidence   0.800, the mean of its steps so far
 agent        sean
 created      NOW (AGE)

── step 9223372036854775807 ─ confidence 0.00 · unsupported
 question     big
   ────     =.50★  other    missing

── step ─ confidence 0.80
 question     none

── sources by relevance ─ 1 document, 1 primary ★
   ────     =.50★  other  1 step  missing

 scores: measured plain, ~ heuristic, = default, ? asserted
"abandoned"

# Every line fits; without UTF-8 all is ASCII; without colours there are none.
$ for w in 40 60 80 120 200; do
> for c in 'chain chain:c6120492' 'chain chain:3589b33b' 'sources chain:c6120492 --excerpts' 'list chain'; do
>   [ $(COLUMNS=$w stemma --color never $c | wc -L) -le $((w < 49 ? 49 : w)) ] || echo "$w $c"
> done; done
$ (stemma chain chain:c6120492; stemma sources chain:c6120492) | grep -c $'\033'; stemma --color always chain chain:c6120492 | grep -c $'\033'
0
124
$ export LC_ALL=de_DE.ISO-8859-1; (stemma chain chain:c6120492; stemma sources chain:c6120492) | LC_ALL=C grep -c '[^ -~]'
bash: line 1: warning: setlocale: LC_ALL: cannot change locale (de_DE.ISO-8859-1): No such file or directory
0
[1]

# A rating with two words is of the step, even if a source's id begins like the first; a rating of a source takes one of two words.
$ echo '{"original_question":"q","reasoning_steps":[{"step_number":1,"question":"a","intermediate_answer":"b","source_attributions":[{"document_id":"article"}]}],"final_answer":"z"}' >c.json; stemma import cot c.json --store r.db >/dev/null; step=$(stemma export --store r.db | grep -o 'step:[0-9a-f-]*' | head -1); for v in "a lie" "article good" "document:article good" "article relevant"; do stemma mark rating $step --value "$v" --store r.db 2>&1 | grep -E '[+] rating|stemma:'; done
       flags            + rating = a lie by sean
       flags            + rating = article good by sean
stemma: a source is rated relevant or irrelevant. Write one of them after its ref.
       flags            + rating = document:article relevant by sean

# A step or chain without a stated confidence has none in a list and on its page, as in its chain; an unfinished chain has the mean of its steps in every list.
$ for k in steps chains all; do stemma list $k --store r.db | grep '^.  \(step\|chain\)'; done; stemma show $(stemma list steps --json --store r.db | jq -r .ref) --store r.db | grep '^ confidence\|part of'; stemma show chain:34b91c2a | grep '^ confidence'; for k in chains all; do stemma list $k | grep chain:34b91c2a; done
●  step:ID1  –  1/1  step 1 AGE  a
●  chain:ID2  –  1/1  finished, 1 step AGE  q
●  chain:ID2       –  1/1  inference AGE  q
●  step:ID1        –  1/1  inference AGE  a
 confidence   not stated
   part of          ● chain:ID2    q AGE
 confidence   0.757, the mean of its steps so far
–  chain:34b91c2a  0.76    –  abandoned, 3 steps  claire AGE  Would partitions make the next migration of ledger_entries shorter?
–  chain:34b91c2a           0.76      –        inference      claire AGE  Would partitions make the next migration of ledger_entries shorter?

# A passage that no logged content has is a warning, not a dim remark.
$ stemma responses --color always | grep -c $'\033\[33mno logged content of the document has this passage'
1
