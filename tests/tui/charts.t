# Charts: calls of each minute, confidence over time and in a list, changes of each day.
size 120x36
clock 1700000000000
person sean
{"ref":"raw:log","text":"the log of the day","agent_id":"ash"}
join s1 claude-code ash
join s2 codex claire
write s1 ash {"ref":"belief:a","text":"queues are full","confidence":0.4,"derived_from":["raw:log"]}
write s1 ash {"ref":"belief:b","text":"retries are safe","confidence":0.95,"derived_from":["raw:log"]}
later 172800000
write s2 claire {"ref":"belief:c","text":"disks are full","confidence":0.45,"derived_from":["raw:log"]}
flush

== the calls of each minute, and how long they took: of all sessions, and of one
for 1 40 ask s1 memory_search at={i}000 took=1{i}00
later 240000
for 1 9 ask s2 memory_list at={i}000 took=90000
later 60000
flush
view charts-live 9
view charts-session 9<Tab>G<Enter>
> 9
  calls a minute ~> 40 ┤ ~> 90ms ┤
  22:18
# Nothing of the other session.
> 9<Tab>G<Enter>
  39 ┤ ~> 14ms ┤
! 90ms
later 7200000
flush
> 9
  0 ┤
! 39 ┤
set ascii: yes
> 9
  calls a minute ~> 0 |

== a narrow terminal has a line of levels, a low one none
for 1 40 ask s1 memory_search at={i}000 took=1{i}00
later 60000
flush
size 80x24
> 9
  calls ~> 1 ~> p50 ~> ms ~> p99 ~> 14ms
! calls a minute
size 80x18
> 9
! p50

== confidence over time, with its values at the left and dates below
by ash edit belief:a confidence=0.7
later 432000000
by ash edit belief:a confidence=0.55
later 864000000
view charts-confidence 1\queues<Enter><Enter>G
> 1\queues<Enter><Enter>G
  0.70 ┤ ~> ╭ ~> ╮ ~> 0.40 ┤
  2023-11-14 ~> 2023-12-01
set ascii: yes
> 1\queues<Enter><Enter>G
  0.70 | ~> +- ~> 0.40 |
# Without a change there is nothing to draw.
> 1\retries<Enter><Enter>G
! 0.95 ┤

== a histogram of the confidence of a list, which its filter narrows
view charts-histogram 1:facets confidence<Enter>
> 1:facets confidence<Enter>
  facets of confidence ~> 10 values · highest first
  1   33.3%  ~> 0.9..1
  2   66.7%  ~> 0.4..<0.5
  0    0.0%  ~> 0.0..<0.1
> 1\queues<Enter>:facets confidence<Enter>
  1  100.0%  ~> 0.4..<0.5
> 1:facets confidence<Enter>jjjjj<Enter>
  confidence:0.4..<0.5
  2 of 3
! retries are safe

== the changes of each day: of the store, an agent, a session; Enter shows a day in the audit
view charts-activity 1:activity<Enter>
> 1:activity<Enter>
  4 changes on 2 days
  2023-11-16  Thu          1  ━━
  2023-11-14  Tue          3  ━━
  · 0  ░ 1+  ▒ 2+
> 1:activity claire<Enter>
  activity of claire
  1 change on 1 day
> 9<Tab>G:activity<Enter>
  activity of session 1
  2 changes on 1 day
> 1:activity<Enter>j<Enter>
  › audit
  3 events
  queues are full
! disks are full
size 80x14
> 1:activity<Enter>
  2023-11-16
! Wed
set ascii: yes
size 80x24
> 1:activity<Enter>
  . 0  - 1+  + 2+
