# The live view and the sessions: activity, its actors, and a person's decisions about agents.
size 80x24
clock 1700000000000
person
# Two agents that write, conclude, search, and are refused.
join s1 claude-code ash
join s2 codex claire
write s1 ash {"ref":"raw:54c5507f-0000-4000-8000-000000000001","text":"The migration held a lock while old workers still wrote"}
later 2000
write s1 ash {"ref":"belief:7d10e6a2-0000-4000-8000-000000000002","text":"Canary first, then the fleet","derived_from":["raw:54c5507f-0000-4000-8000-000000000001"]}
later 3000
for 0 11 ask s2 memory_search at={i} sent=2100 full=26400
ask s2 memory_get at=20 of=raw:54c5507f-0000-4000-8000-000000000001 sent=640 full=1900
ask s2 memory_get at=21 of=raw:54c5507f-0000-4000-8000-000000000001 sent=640 full=1900
later 4000
ask s2 memory_supersede of=raw:54c5507f-0000-4000-8000-000000000001 sent=380 outcome=CONFLICT given={"ref":"raw:54c5507f","statement":"Canary"} told={"type":"error","error":{"code":"CONFLICT","message":"stale"}}
flush
later 1000
write s2 claire {"ref":"note:99c64f62-0000-4000-8000-000000000003","text":"デプロイの前に必ずステージングで確認する","derived_from":["belief:7d10e6a2-0000-4000-8000-000000000002","raw:54c5507f-0000-4000-8000-000000000001"]}
later 40000
flush

== frames
view live 9
view sessions 9<Tab>
view sessions-end 9<Tab>jK
view live-session 9<Tab>j<Enter>
view usage 9$
view failed-call 9\failed<Enter><Enter>

== rows, a filter and exact times
every 120x36 | 200x50
> 9jj
on memory_get ×2
  used by      2 memories · 2 with no other support
every 120x36 | 200x50
> 9\failed<Enter>
  · 1 event ·
on CONFLICT memory_supersede
every 120x36 | 200x50
> 9T
  2023-11-14 22:13:30

== a wide terminal shows the preview beside the activity, a narrower one below it
size 80x36
> 9
count 8  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 9  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 100x36
> 9
count 10  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 11  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 112x36
> 9
count 11  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
  | from |
> 9<Tab>
count 11  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 120x36
> 9
count 11  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 11  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 140x36
> 9
count 12  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 12  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 160x36
> 9
count 13  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 12  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 180x36
> 9
count 14  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 13  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 200x36
> 9
count 14  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 13  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 209x36
> 9
count 14  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 13  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 210x36
> 9
count 12  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
  │── note:99c64f62 ──
  | 2: belief:7d10e6a2, raw:54c5507f |
> 9<Tab>
count 12  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
size 240x36
> 9
count 12  from  |  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task
> 9<Tab>
count 12  client  |  agent  |  calls  |  errors  |  tokens  |  in full  |  p50  |  p99  |  idle  |  protocol  |  transport  |  peer uid:pid  |  task

== at 80 columns the reason of a refusal is whole, and the namespace is cut
ask s2 listMemory took=900 in=session.production.europe outcome=PERMISSION_DENIED
later 500
flush
ask s2 listMemory took=900 in=session.rollout outcome=PERMISSION_DENIED
later 500
flush
> 9
  |PERMISSION_DENIED listMemory in session|
ask s1 putMemory took=900 in=agent.claire outcome=QUOTA_EXCEEDED
later 500
flush
> 9
  |refused      QUOTA_EXCEEDED putMemory in agent.claire\n|

== calls to shared memory show the namespace, the masks and the reason of a refusal
ask s2 getMemory took=900 in=agent.oncall masked=2
later 500
flush
ask s2 getMemory took=900 in=agent.oncall masked=2
later 500
flush
ask s2 getMemory took=900 in=agent.oncall masked=2
later 500
flush
ask s2 getMemory took=900 in=agent.oncall masked=2
later 500
flush
ask s2 listMemory took=900 in=session.rollout
later 500
flush
ask s2 getMemory took=900 in=vault.payments outcome=PERMISSION_DENIED
later 500
flush
ask s1 putMemory took=900 in=public.runbook outcome=PERMISSION_DENIED
later 500
flush
ask s1 putMemory took=900 in=session.rollout outcome=PII_DETECTED
later 500
flush
ask s1 putMemory took=900 in=session.rollout outcome=QUOTA_EXCEEDED
later 500
flush
ask s1 listMemory took=900 in=session.rollout outcome=RATE_LIMITED
later 500
flush
ask s1 listMemory took=900 in=session.rollout outcome=RATE_LIMITED
later 500
flush
ask s1 listMemory took=900 in=session.rollout outcome=RATE_LIMITED
later 500
flush
ask s1 memory_get took=900 of=raw:54c5507f-0000-4000-8000-000000000001 masked=1
later 20500
flush
view live-shared 9
view live-shared-filter 9\rollout<Enter>jj
view audit-shared @jjjj

== writes of others move nothing under the cursor
size 80x20
> 9jj
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+ <C-g>
  5 new ↑ · 11 events
same line
+ g
! new ↑
on landed 4

== sessions that begin and end move nothing under the cursor
size 120x36
for 0 99 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
> 9jjjj<C-g>
join g0 goose moss
flush
+ <C-g>
  goose
same line
same place
join g1 goose moss
flush
+ <C-g>
  goose
same line
same place
join g2 goose moss
flush
+ <C-g>
  goose
same line
same place
end g0
flush
+ <C-g>
  goose
same line
same place
end g1
flush
+ <C-g>
  goose
same line
same place

== the view follows until a key moves the cursor
> 9
for 0 699 write s1 ash {"ref":"belief:more-{i}","text":"one of many {i}"}
+ <C-g>
on one of many 699
  following · 706 events
+ j
! following

== calls are sorted by time, even if they are logged late
size 80x50
> 9
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+ <C-g>
ask s1 memory_orphans at=-500
flush
+ <C-g>
  memory_lineage ~> memory_orphans

== paused
> 9p
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
# The only count is what came.
+ <C-g>
  paused, 5 new
! events ·
+ p
  11 events

== a pause and the past are of what was written: sessions are shown as of now, and say so
size 120x36
> 9<Tab>p
  | ash                    2 |
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>
  | ash                    3 |
  events paused
> 9p
  | ash                    3 |
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>
  | ash                    4 |
  paused, 1 new
> 9<Tab>:asof @1<Enter>
  | ash                    4 |
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>
  | ash                    5 |
  as of now
> 9:asof @1<Enter>
  | ash                    5 |
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>
  | ash                    6 |
  sessions as of now
> 9<Tab>p
ask s1 memory_lineage of=raw:54c5507f-0000-4000-8000-000000000001
flush
+ <C-g>p
  no longer paused
! paused,

== opened while paused
> p
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+ <C-g>9
  1/11
  paused, 0 new
+ p
  11 events

== every page can be reached, unread ones are searched, and the last line is marked only when it is known
for 0 1499 write s1 ash {"ref":"belief:more-{i}","text":"one of many {i}"}
> 9
  … events
  1/4
> 9G
on The migration held
  1,506 events
  1,506/1,506
> 9\migration<Enter>
  3 events
> 9/held a lock<Enter>
on CONFLICT
  1,502/
! following
> 9/held a lock<Enter>nn
  1,506/1,506
> 9/held a lock<Enter>nnn
  continued from the top
> 9/nowhere at all<Enter>
  no match here for "nowhere at all"; S searches all texts
> 9/nowhere at all
  no match
> 9:1200<Enter>
  1,200/
! reading on
> 9:5000<Enter>
  1,506/1,506
  there is no line 5000
# G ends following at once: later lines do not take the cursor back.
> 9G
for 0 4 write s1 ash {"ref":"belief:late-{i}","text":"landed {i}"}
+ <C-g>k
! following
! reading on
  1,510/1,511

== filter and search
> 9\landed 3<Enter>
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+ <C-g>
  | 1 event|
  landed 3
! landed 4
+ <Esc>
  11 events
> 9jjj/migration<Enter>
for 0 4 write s1 ash {"ref":"belief:again-{i}","text":"landed {i}"}
+ <C-g>n
  match 2 of 3

# Following lasts through every filter, until a person looks at a match.
== without the filter the cursor stays on a match that was looked at, else at its former place
for 0 1499 write s1 ash {"ref":"belief:more-{i}","text":"one of many {i}"}
every 9\failed<Enter><Esc> | 9:filter failed<Enter><Esc>
> {}
on CONFLICT
! following
  and no longer follows
> 9\"one of many 0"<Enter><Esc>
on one of many 0
! following
  and no longer follows
every 9\failed<Enter>\<C-u>goose<Enter><Esc> | 9\failed<Enter>\<C-u>nowhere at all<Enter><Esc> | 9\failed<Enter>\<C-u><Enter> | 9\many 1499<Enter><Esc> | 9\failed<Esc> | 9\nowhere at all<Enter><Esc>
> {}
on one of many 1499
  following
! and no longer follows
> 9\migration<Enter>j\<C-u>many 14<Enter><Esc>
on one of many 1499
! following
! and no longer follows
every 9jj\failed<Esc> | 9jj\nowhere at all<Enter><Esc> | @jj\many 13<Esc> | @:audit operation:add<Enter>jj<Esc>
> {}
on one of many 1497
! following
! and no longer follows
every 9jj\many 14<Down><Esc> | @\many 14<Enter>j<Esc>
> {}
on one of many 1498
! following
! and no longer follows
> 9jj\many 14<Enter>jjj<Esc>
on one of many 1496
! following
! and no longer follows
> @\failed<Enter><Esc>
on CONFLICT
! following
! and no longer follows
# What happens while it is sought lands above it, and a key ends the search for it.
> 9\failed<Enter><Esc>
for 0 4 write s1 ash {"ref":"belief:late-{i}","text":"landed {i}"}
+ <C-g>
on CONFLICT

== another filter keeps following, even without a match yet
> 9\failed<Enter>\<C-u>landed 3<Enter>
  following
for 0 4 write s1 ash {"ref":"belief:one-{i}","text":"landed {i}"}
+ <C-g>
  following
on landed
> 9\actor:ash<Enter>\<C-u>actor:gamma<Enter>\<C-u>kind:belief<Enter>
  following
for 0 4 write s1 ash {"ref":"belief:two-{i}","text":"landed {i}"}
+ <C-g>
  following
on landed
> 9\migration<Enter>\<C-u>only:changes<Enter>
  following
for 0 4 write s1 ash {"ref":"belief:three-{i}","text":"landed {i}"}
+ <C-g>
  following
on landed

== the rate counts by the time of a call, not by the time it is shown
> 9p
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+ <C-g>p
  11 events · 2/s
> 9p
for 0 699 write s1 ash {"ref":"belief:many-{i}","text":"one of many {i}"}
+
later 6000
+ p
line stemma ›
  711 events
! /s

== a pause hides all newer activity
> 9
for 0 4 write s1 ash {"ref":"belief:more-{i}","text":"landed {i}"}
+
  11 events · 2/s
+ p
  1/11
line stemma ›
  paused, 0 new
! /s

== the calls of one session, with those from before it was opened
size 140x40
join h hasty ash
for 1 200 ask h memory_list
flush
> 9<Tab>
on hasty
on |   40 |
  |/s on average, 40/s in the last 5 s\n|
later 5000
> 9<Tab>
on hasty
off |   40 |
  /s on average
> 9<Tab>?//s
  calls a second, over the last 5 seconds

== Enter opens the memory or session
> 9jj<Enter>
  54c5507f
> 9jjj<Enter>
  about no single memory
> 9<Tab><Tab>
  6 events
> 9<Tab>\claude<Enter>
  1 of 2 sessions
# Hidden columns are not searched.
> 9<Tab>\-4111-8111<Enter>
  0 of 2 sessions
> 9<Tab>\codex<Enter>
  1 of 2 sessions

== a session is made read-only, writable and ended; Enter alone decides nothing
size 120x36
> 9<Tab>W<Enter>
admits s2
> 9<Tab>Kr<C-g>
+
refuses s2
admits s1
  | ro |
> 9Kw
admits s2
> 9<Tab>jKe<C-g>
+
refuses s1
  2 sessions · 1 agent live
> 9
  session 1 (claude-code)
> 9<Tab>GK
  that session has ended
> 9\ash<Enter>K
  that session has ended

== the key bar shows the action for the session, which is named everywhere
join s3 claude-code ash
write s3 ash {"ref":"note:other-1","text":"by another"}
flush
every 80x24 | 120x36 | 140x40
> 9<Tab>
  |  3  claude-code 2.1 |
  |  1  claude-code 2.1 |
  |── session 3 |
size 140x40
> 9<Tab>K
  session 3 (claude-code 2.1), ash ~> gets no more answers ~> its writes are refused
+ r
  session 3 (claude-code 2.1) is read-only now
> 9<Tab>K
  let write
! are refused
> 9<Tab>jK
  are refused
! let write
> 9<Tab><Enter>
  sessions › session 3 (cl

== a decision is a person's event about a session
size 200x50
person ann
> 9<Tab>Kr<C-g>
+ <Tab>g
on |P you |
on session 2 (codex)
off codex ~> codex
> :audit operation:read-only-session<Enter>
  |\n actor     ann, a person, through explorer\n|
  |\n session   2: codex 2.1, uid |

== an absent session can be made writable before it returns
size 120x36
join s3 host bob transport=http era=2026-07-28
flush
> 9<Tab>\bob<Enter>Kr
refuses s3
end s3
flush
> 9<Tab>\bob<Enter>
  away; read-only when it comes back
> 9<Tab>\bob<Enter>K
  it may write when it is back
! gets no more answers
+ w
> 9<Tab>\bob<Enter>
! away; read only
> 9<Tab>\bob<Enter>K
  that session has ended

== undo skips decisions and undoes the last change of a memory
size 200x50
person ann
> :protect belief:7d10e6a2<Enter><C-g>9<Tab>jKe<C-g>
! u undo
+ u
  ended session 1, which cannot be undone
> 9
  lock
! undid

== as in the audit, undo takes the change under the cursor and asks
size 120x36
person ann
> :protect belief:7d10e6a2<Enter><C-g>
> 9\actor:claire only:changes<Enter>
  u undo 
> 9\actor:claire only:changes<Enter>u
  undo event 3, by claire
> 9\actor:claire only:changes<Enter>u<Enter><C-g>
+
> 9
  |undid |
# The last change of the person stays.
  |locked |
> 9\only:reads<Enter>u
  it changed nothing that can be undone
! u undo

== an agent with a person's name is distinguished
join e evilclient evil
write e sean {"ref":"belief:false-1","text":"Skip staging"}
person sean
> 9
  |  sean via …  added|
size 120x36
> 9Kr<C-g>
+
  P you                   made read-only
  |  sean via evilclient   added|
person claire
> 9
  P sean                  made read-only
> 9\person<Enter>
  | 1 event|

== a line shows the present text and says if the memory changed since
{"ref":"belief:7d10e6a2-0000-4000-8000-000000000002","text":"The fleet, then the canary"}
> 9
off ~
> 9jjjjj
on |~ |
on The fleet

== narrow lines keep some text; sessions get the rows that events leave
size 40x12
> 9
  Canary first
for 1 8 join m{i} "one of many" ash
flush
size 120x36
> 9
! Tab shows all
  claude-code 2.1
size 120x24
> 9
  Tab shows all

== a client at a port has no process, only an address
join p by-a-port transport=http peer=none
flush
size 200x50
> 9<Tab>\by-a-port<Enter>
  loopback
> 9<Tab>\by-a-port<Enter><Enter>
  loopback
! ?:?

# Each frame is searched for these.
== hostile names
join h0 "\e[2J\e]0;owned\x07" "\e[2J\e]0;owned\x07"
join h1 "a\nb\tc" "a\nb\tc"
join h2 "\xff\xfe broken" "\xff\xfe broken"
join h3 "\xe2\x80\xae txt.exe" "\xe2\x80\xae txt.exe"
join h4 "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81" "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
join h5 語語語 語語語
join h6 %s%n%s%n %s%n%s%n
join h7 "" ""
ask h0 "\e[2J\e]0;owned\x07" outcome=PERMISSION_DENIED
ask h0 "\e[2J\e]0;owned\x07" of=raw:54c5507f-0000-4000-8000-000000000001 outcome=INVALID_REQUEST
ask h1 "a\nb\tc"
ask h1 "a\nb\tc" of=raw:54c5507f-0000-4000-8000-000000000001
ask h2 "\xff\xfe broken" outcome=PERMISSION_DENIED
ask h2 "\xff\xfe broken" of=raw:54c5507f-0000-4000-8000-000000000001 outcome=INVALID_REQUEST
ask h3 "\xe2\x80\xae txt.exe"
ask h3 "\xe2\x80\xae txt.exe" of=raw:54c5507f-0000-4000-8000-000000000001
ask h4 "e\xcc\x81\xcc\x81\xcc\x81" outcome=PERMISSION_DENIED
ask h4 "e\xcc\x81\xcc\x81\xcc\x81" of=raw:54c5507f-0000-4000-8000-000000000001 outcome=INVALID_REQUEST
ask h5 語語語
ask h5 語語語 of=raw:54c5507f-0000-4000-8000-000000000001
ask h6 %s%n%s%n outcome=PERMISSION_DENIED
ask h6 %s%n%s%n of=raw:54c5507f-0000-4000-8000-000000000001 outcome=INVALID_REQUEST
ask h7 ""
ask h7 "" of=raw:54c5507f-0000-4000-8000-000000000001
flush
every 80x24 | 120x36 | 200x50
every 9 | 9<Tab> | 9<Tab>j<Enter> | 9<Tab>jjK | 9<Tab>jjjjj | 9<Tab>& | 9<Tab>j& | 9<Tab>jj& | 9<Tab>jjjj& | 9$
> {}
  -- cursor
set ascii: yes
every 80x24 | 120x36 | 200x50
every 9 | 9<Tab> | 9<Tab>j<Enter> | 9<Tab>jjK | 9<Tab>jjjjj | 9<Tab>& | 9<Tab>j& | 9<Tab>jj& | 9<Tab>jjjj& | 9$
> {}
  -- cursor

== permissions are offered for an agent without memories that was refused
join b cursor bob
ask b getMemory outcome=PERMISSION_DENIED
flush
> :permissions<Enter>A
  bob         was connected
> :permissions<Enter>A<Up><End><Enter>
  what bob may do
# The owner of the listed memories.
> A
! bob
join c cursor the-one-whose-name-takes-sixty-columns-and-more-than-there-are
flush
> :permissions<Enter>A
  the-one-whose-name
  |…  was connected  |

== masked names show who is connected and what each did
join m zqj@corp.example zqk@corp.example
write m zqk@corp.example {"ref":"note:a","text":"b"}
ask m memory_get of=raw:54c5507f-0000-4000-8000-000000000001
ask m memory_list outcome=PERMISSION_DENIED
flush
every 80x24 | 120x36 | 200x50
every 9 | 9<Tab> | 9<Tab>K | 9<Tab><Enter> | 9j | 9<Enter> | @ | @jj | :sessions<Enter> | 9<Tab>& | 9<Tab>$ | 9<Tab>:activity<Enter> | 1:activity<Enter>
> :mask<Enter>{}
! zqj
! zqk
> 9
  zqk

== the state of every quota
size 120x36
set namespaces: {"session.*": {max_items: 4, max_bytes: 100}, pool: {max_bytes: 1000}}
{"ref":"entry:e","text":"e","detail":{"namespace":"free","key":"e","value":1}}
{"ref":"entry:a","text":"a","detail":{"namespace":"session.build","key":"a","value":1}}
{"ref":"entry:b","text":"b","detail":{"namespace":"session.build","key":"b","value":2}}
{"ref":"entry:c","text":"c","detail":{"namespace":"session.build","key":"c","value":3}}
{"ref":"entry:d","text":"d","detail":{"namespace":"pool","key":"d","value":"0123456789"}}
> 9
  quotas
  session.build ~> 3/4 ~> ████░░ ~> 3 B/100 B
  pool ~> 12 B/1.0 KB
! free
{"ref":"entry:f","text":"f","detail":{"namespace":"session.build","key":"f","value":4}}
+ <C-l>
  4/4
set namespaces: {"session.*": {max_items: 4, max_bytes: 100}, pool: {max_bytes: 1000}, "task.*": {max_items: 7}, deploy: {max_items: 3}, "x.*": {pii: off}}
> 9
  session.build ~> 4/4
  pool ~> deploy ~> 0/3 ~> task.* ~> 0/7
! x.*
set namespaces: {"session.*": {max_items: 4, max_bytes: 100}, pool: {max_bytes: 1000}}
> 9
  namespace ~> entries ~> bytes of values ~> session.build
size 80x15
> 9
! quotas
# Without room for them, those that are nearly full are counted.
size 80x22
> 9
  events ~> 1 namespace nearly full: :namespaces
size 120x36
for 1 5 {"ref":"entry:x{i}","text":"x","detail":{"namespace":"session.x{i}","key":"x","value":1}}
> 9
  4 more; :namespaces shows all
