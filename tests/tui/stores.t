# Several stores: another one is opened, and the header says which one is shown.
size 100x24
clock 1700000000000
person sean
{"ref":"belief:a","text":"queues are full","confidence":0.5}
{"ref":"belief:b","text":"retries are safe","confidence":0.6}
other test.db {"ref":"belief:t","text":"only in the test store","confidence":0.5}

== another store is shown under its own name
> 1j:open ~/test.db<Enter>
  | test › all agents › beliefs|
  only in the test store
! queues are full
> :open ~/test.db<Enter>:open ~/test.db<Enter>
  ~/test.db is open

== a store that cannot be opened leaves the one that is shown
> 1:open ~/none.db<Enter>
  there is no store at
  queues are full
> 1:open /etc/passwd<Enter>
  queues are full
! | passwd ›|

== one comes back to the row, the filter and the order that one left
places
> 1\retries<Enter>:order confidence<Enter>:open ~/test.db<Enter>
  only in the test store
! retries
+ :open<Enter><Down><Enter><C-g>
  | stemma › all agents › beliefs|
  › "retries"
on retries are safe
  confidence ↓

== what was selected, undone or disbelieved in one store is not so in another
> 1<Space>~:open ~/test.db<Enter><C-g>
! disbelieved
! selected
> 1d<Enter>:open ~/test.db<Enter>u
  sean has no change to undo

== an alert belongs to the store that it was watched in
> :watch label:unsourced<Enter>
{"ref":"belief:c","text":"caches are warm","confidence":0.5}
+ <C-g>
  1 alert
+ :open ~/test.db<Enter><C-g>
! 1 alert

== the configuration names stores and colours them, and they are offered with the last ones
config "stores: {test: {path: ~/test.db, colour: red}, lost: {path: ~/lost.db}}"
> :open<Enter>
  Down and Enter choose a store
> :open<Enter>
  test ~> home/test.db
  lost ~> home/lost.db missing
+ <Down><Enter><C-g>
  | test  › all agents › beliefs|
  only in the test store
+ :open<Enter>
  test ~> home/test.db open
  scene.db
# What was typed is what is opened, even if it begins the path of another one.
> :open ~/test.d<Enter>
  there is no store at
> :open lost<Enter>
  there is no store at

== a name stands in the header where there is room for nothing else
config "stores: {production-of-the-north: {path: ~/test.db, colour: red}}"
size 40x10
> :open ~/test.db<Enter><Enter>
  production

== a source of another program is imported, and followed
env PATH=/usr/bin:/bin
> :!echo '{"type":"entity","name":"John","entityType":"person","observations":["Sings"]}' >~/memory.jsonl<Enter>:open ~/memory.jsonl<Enter>
  | memory.jsonl › all agents|
  Sings
  working copy of memory.jsonl
+ :open<Enter>
  scene.db
+ <Down><Enter><C-g>
  queues are full
! working copy
> :open ~/memory.jsonl<Enter>
  memory.jsonl stays as it is (:apply writes to it)
