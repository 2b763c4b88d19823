# Lists: sorted by any column, with the columns that a person chose.
size 120x36
{"ref":"belief:aaaa1111-1","agent_id":"ash","text":"Retries are safe","confidence":0.9,"source_type":"inference","created_at":1794990000000}
{"ref":"belief:bbbb2222-2","agent_id":"claire","text":"デプロイの前に必ずステージングで確認する","confidence":0.4,"source_type":"direct_experience","created_at":1794991000000,"derived_from":["belief:aaaa1111-1"]}
{"ref":"belief:cccc3333-3","agent_id":"担当者の名前はとても長い","text":"Canary first","confidence":0.7,"source_type":"inference","created_at":1794992000000}
{"ref":"note:dddd4444-4","agent_id":"ash","text":"A note of ash","confidence":0.5,"created_at":1794993000000}

== the header names each column, the sign's included, and shows the one that sorts
every 80x24 | 120x36
> 1
  sign conf  ~> text
! conf↓
every 80x24 | 120x36
> 1>>
  sign conf↓ ~> text
  0.90 ~> 0.70 ~> 0.40
every 80x24 | 120x36
> 1<lt>
  text↑
  Canary ~> Retries ~> デプロイ

== frames
view list-columns 1:columns default<Enter>:columns agent 26<Enter>:columns memory<Enter><lt><lt><C-g>

== the sort column goes left and right, over all that are shown
> 1>
  sign↓conf
+ >
  conf↓
+ >
  history↓
+ >
  support↓
+ <lt>
  history↓
+ <lt><lt><lt>
  sign↓
> 1><lt>
  there is no column further to the left
> 1<lt>>
  there is no column further to the right
> 1<lt><lt><lt>
  agent↑
  Retries ~> デプロイ ~> Canary
+ :order reverse<Enter>
  agent↓
  Canary ~> デプロイ ~> Retries
> 1:order agent<Enter>:order reverse<Enter>
  by agent, reversed
> 0:order kind<Enter>
  kind↑
  belief ~> note
> 1:order source<Enter>
  source↑
  direct ~> inference
> :beliefs<Enter>:order zzz<Enter>
  there is no order "zzz": recorded

== a click on a header sorts, a second one reverses
> 1<click:8,2>
  conf↓
+ <click:8,2>
  conf↑
  0.40 ~> 0.70 ~> 0.90
+ <click:2,2>
  sign↓

== what a list is sorted by is kept, in the lists that have the column
places
> 1:order support<Enter>:order support<Enter>
  support↑
>
  support↑
  デプロイ ~> Canary
+ 7
  recorded ↓

== a list that has an order of its own says so
> 8>
  not by sign: the inbox is in the order of risk, by session
> @>
  not by sign: a log is read in the order of time, newest first
> Sfirst<Enter>>
  not by sign: a search shows whole words first, then the newest
> 1.>
  sort-right works in a list

== more rows than the worker sorts by what they show
for 1 10001 {"ref":"raw:{05i}-0","text":"Row {i}","created_at":1794990000000}
> 3:order source<Enter>
  10001 memories are too many to sort by source, which no index has: \ filters them to 10000 or fewer
! source↑
> 3:order source<Enter>\"Row 77"<Enter>
  source↑

== lists of other things are sorted by their columns
join s1 codex claire
join s2 claude-code ash
write s2 ash {"ref":"raw:eeee5555-5","text":"x"}
flush
> :sessions<Enter>:order agent<Enter>
  agent↑
  ash ~> claire
+ :order agent<Enter>
  agent↓
  claire ~> ash
> :trust<Enter>>
  memories↓
> 1Fa>
  memories↓ ~> value

== columns are hidden, shown and made wider
every 80x24 | 120x36
> 1:columns default<Enter>:columns<Enter>j<Space><Enter>
! conf
  sign ~> text
> 1:columns default<Enter>
  conf
> 1:columns agent 26<Enter>
  担当者の名前はとても長い ~> Canary
+ :columns agent 8<Enter>
  担当者…
+ :columns agent<Enter>
! 担当者
+ :columns memory<Enter>
  memory ~> belief:cccc3333
> 1:columns sign<Enter>
  sign is always shown
> 1:columns zzz<Enter>
  this list has no column "zzz"; :columns shows them
> 1:columns conf 999<Enter>
  a column is 1 to 200 wide

== the columns are as they were at the next start, in each list
> 1:columns memory<Enter>:columns agent 26<Enter>
  memory
> 1
  memory ~> 担当者の名前はとても長い
+ 4
! memory
+ :sessions<Enter>:columns client 40<Enter>:columns calls<Enter>
! calls
> :sessions<Enter>
! calls

== a column is moved, and stays there
every 80x24 | 120x36
> 1:columns default<Enter>:columns<Enter>jLL<Enter>
  support  conf
> 1
  support  conf
# So are those of the other lists, but not of a log.
> :trust<Enter>:columns default<Enter>:columns<Enter>jH<Enter>
  confirmed  memories  contradicted
> :trust<Enter>><Space>:columns confirmed<Enter><C-g>
! confirmed  memories
  confirmed ↓
> @:columns<Enter>jL
  the columns of this list keep their places
! H L move

== the picker
every 80x24 | 120x36
> 1:columns<Enter>jjj
  > ~> [x]
  Space show or hide
  [x] sign ~> always shown
