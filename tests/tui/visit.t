# What is new since the last visit: its sign, and the filter `:new`.
clock 1700000000000
person sean
visit

== on the first visit nothing is new
{"ref":"belief:one","text":"belief one","created_at":1001000000}
{"ref":"belief:two","text":"belief two","created_at":1002000000}
{"ref":"belief:three","text":"belief three","created_at":1003000000}
> <C-g>
line belief two
  |   –  0.80|
+ :new<Enter>
  this is your first visit
  nothing has changed since you opened the store; Esc shows everything
! last visit

== new and changed memories are marked
{"ref":"belief:one","text":"belief one","created_at":1001000000}
{"ref":"belief:two","text":"belief two","created_at":1002000000}
{"ref":"belief:three","text":"belief three","created_at":1003000000}
> j
{"ref":"belief:four","text":"belief four","created_at":1004000000}
{"ref":"belief:one","text":"belief one, revised","created_at":1001000000}
> j:new<Enter>
  beliefs › new
! belief two
line belief four
  |   –+ |
> j:new<Enter>
! belief four
  nothing is new

== a confirmed filter is left with Esc
{"ref":"belief:one","text":"belief one","created_at":1001000000}
> j
{"ref":"belief:four","text":"belief four","created_at":1004000000}
> j:new<Enter><C-g>
! belief one
line belief four
  |–+ |
+ <Esc>
  all memories
  belief one
# The first look was a visit, too.
> <C-g>
line belief four
  |–  |

== a memory that was added since is new, however often it was changed, or named before
{"ref":"belief:one","text":"belief one","created_at":1001000000}
> j
{"ref":"belief:four","text":"belief four","created_at":1004000000}
{"ref":"belief:four","text":"belief four, revised"}
{"ref":"belief:far","text":"belief far","version":3}
{"ref":"belief:five","text":"belief five","derived_from":["belief:six"]}
> <C-g>
line belief four, revised
  |–+ |
> j
{"ref":"belief:six","text":"belief six","created_at":1006000000}
> <C-g>
line belief six
  |–+ |

== changes while watching are new, and so are those of a pause
{"ref":"belief:one","text":"belief one","created_at":1001000000}
> j
> :new<Enter>
{"ref":"belief:five","text":"belief five","created_at":1005000000}
+ <C-g>
! belief one
line belief five
  |–+ |
> p
{"ref":"belief:six","text":"belief six","created_at":1006000000}
+ <C-g>
> <C-g>
line belief six
  |–+ |

== in the live view
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> 9<Enter><Esc>9
line belief new
  |+|
line memory_search
  |+|
+ :new<Enter>
   › new
  belief new
  memory_search
! belief old
! memory_list
  5 events
+ <Esc>
!  › new
  belief old

== in the live view with a filter
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> 9-\memory_<Enter><C-g>
  live › "memory_" › new
   1 event
  memory_search
! belief new
! memory_list

== in the audit
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> @
line memory_search
  |+|
+ :new<Enter>
   › new
  5 events
! memory_list
+ <Esc>
!  › new
  memory_list

== in a history
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> :history belief:changed<Enter>
+ :new<Enter>
   › new
  1 change
+ <Esc>
!  › new
  2 changes

== in the inbox
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> 8
line belief new
  |+|
line belief changed
  |~|
+ :new<Enter>
   › new
  0 of 2
! belief old
+ <Esc>
!  › new
  0 of 3

== in the health view
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> !
line belief new
  |+|
+ :new<Enter>
   › new
  belief changed
! belief old
+ <Esc>
!  › new
  belief old

== in the namespaces
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> :namespaces<Enter>
line team.both
  |~|
+ :new<Enter>
   › new
  1 of 2 namespaces
! team.old
+ <Esc>
!  › new
  team.old

== in the entries
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> :namespaces<Enter><Enter>
line second
  |~|
line third
  |+|
+ :new<Enter>
   › new
  2 entries
! first
+ <Esc>
!  › new
  3 entries

== the setting applies to every view that opens, and an empty view says why it is empty
{"ref":"belief:old","agent_id":"ash","text":"belief old","derived_from":["raw:no-old"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:old-before","agent_id":"ash","text":"before","detail":{"namespace":"team.old","key":"before","value":1}}
{"ref":"entry:both-first","agent_id":"ash","text":"first","detail":{"namespace":"team.both","key":"first","value":1}}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":1}}
join s1 claude-code ash
ask s1 memory_list
flush
size 80x40
> j
later 5000
{"ref":"belief:new","agent_id":"ash","text":"belief new","derived_from":["raw:no-new"],"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"belief:changed","agent_id":"ash","text":"belief changed","derived_from":["raw:no-changed"],"confidence":0.4,"marks":[{"mark":"for_review","at":1700000000000,"actor":"sean"}]}
{"ref":"entry:both-second","agent_id":"ash","text":"second","detail":{"namespace":"team.both","key":"second","value":2}}
{"ref":"entry:both-third","agent_id":"ash","text":"third","detail":{"namespace":"team.both","key":"third","value":1}}
ask s1 memory_search
flush
> --8<C-g>
  inbox › new
  0 of 2
> 8-@9
  nothing is new since your last visit; Esc shows everything
+ 8
  nothing is new since your last visit; Esc shows everything
+ !
  no problem in what is new or changed; Esc shows everything
+ :namespaces<Enter><C-g>
  nothing is new since your last visit; Esc shows everything
> ?<Esc>:permissions<Enter>+
  more works in a drawing: f leads there

== sessions that began since are new, wherever they are listed
{"ref":"belief:old","text":"belief old"}
join s1 claude-code ash
ask s1 memory_list
flush
size 120x40
> j
later 5000
left
later 1000
join s2 goose moss
flush
> :sessions<Enter>
line goose
  |+|
line claude-code
! +
+ :new<Enter>
  1 of 2 sessions
  goose
! claude-code
+ <Esc>
   2 sessions
left
> :sessions<Enter>-<C-g>
  nothing is new since your last visit; Esc shows everything
