# A changed configuration is taken while the explorer runs.
size 100x24
clock 1700000000000
person sean
{"ref":"belief:a","text":"queues are full","confidence":0.5}
{"ref":"belief:b","text":"retries are safe","confidence":0.6}
config "order: recorded"

== all of it, and the message names what was taken
> 1
  recorded ↓
config "order: text\nkeys: {mouse: [F5]}\ntheme: light\npreview: off"
+ :reload<Enter>
  reloaded: theme, order, preview, keys
  text ↑
! nothing was recorded
> 1
config "order: confidence\nkeys: {pause: [F5]}"
+ <C-g><C-g><F5>
  paused
> 1
config "order: confidence"
+ <C-g>:reload<Enter>
  nothing has changed in

== what only the next start takes is named, and why
size 200x24
> 1
config "order: text\ndecay: yes\nhttp_port: 4711\nlisten: no\nmcp: {strict: yes}"
+ :reload<Enter>
  reloaded: order; only the next start takes listen, http_port, mcp.strict (agents are served by it)
  decay (the open store is read by it)

== an error names its line, and leaves all as it was
size 200x24
> 1
config "order: text\npreview: sideways"
+ :reload<Enter>
  config.yaml line 2: 'preview' takes
  stays in force
  recorded ↓
> 1
config "order: text\nkeys: {mouse: [j], quit: [j]}"
+ :reload<Enter>
  config.yaml line 2: the key j is bound to
  recorded ↓
> 1
config "order: text\nkeys: {retract: a}"
+ :reload<Enter>
  config.yaml line 2: the key a is bound to `retract` and, by default, to `approve`
  recorded ↓
> 1
config "order: text\ntheme: nowhere"
+ :reload<Enter>
  config.yaml line 2: there is no theme
  recorded ↓
> 1
config "order: text"
+ :reload<Enter>
  text ↑

== the store gets its name and colour
other test.db {"ref":"belief:t","text":"only in the test store","confidence":0.5}
> :open ~/test.db<Enter>
  | test › all agents|
config "stores: {production: {path: ~/test.db, colour: red}}"
+ :reload<Enter>
  reloaded: stores
  | production  › all agents|
