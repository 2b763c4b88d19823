# Changing memories by keys: what a form asks and previews, what it does and reports. Typed text is never lost.
# Each scene begins with these memories.
size 110x30
clock 1700000000000
{"ref":"raw:log-of-the-day","created_at":1000,"text":"The log of the day"}
{"ref":"episode:the-outage","created_at":2000,"text":"The outage"}
{"ref":"belief:third-one","created_at":3000,"text":"Stands by itself"}
{"ref":"belief:both-of-them","created_at":4000,"text":"Rests on both","confidence":0.6,"derived_from":["raw:log-of-the-day"],"source_episodes":["episode:the-outage"]}
{"ref":"belief:log-alone","created_at":5000,"text":"Rests on the log alone","confidence":0.7,"tags":["log"],"derived_from":["raw:log-of-the-day"],"detail":{"belief_type":"fact"}}

== retract previews the loss of support
events
> 3d
  would be retracted
  active → retracted
  1 · no other support
  Rests on the log alone
  1 · keep some of their justifications
  2 → 1 valid
  nothing has changed yet: Enter on the first line does it, q cancels
> 3dj<Enter>
  created
> 3dq
> 3d<Esc>
> 3d1
> 3d<Esc>
events 0
> 3;dit was another day<Enter><Enter>
  retracted, 2 sent to review · u undoes it
row raw:log-of-the-day
  "status":"retracted"

== the preview of a retraction says that a memory is locked, and offers no other preview
by sean protect belief:third-one
> 1Gd
  would be retracted ~> belief:third-one ~> it is locked ~> active → retracted
  do it: retract belief:third-one
! what if
> 2d
  would be retracted
! it is locked
> 1G;dit was another day<Enter>
  1 · why: it was another day

== a retraction says what becomes of its dependants
events
> 3d
  those based directly on it are sent to review; Enter changes that
> 3djj<Enter>
  they are left as they are
! for review
> 3djj<Enter>g<Enter>
  retracted · u undoes it
events 1
row belief:log-alone
! for_review
> u
events 1
> 3djj<Enter><Enter>
  they are retracted too
> 3djj<Enter><Enter>g<Enter>
  retracted, 2 more changed with it
row belief:log-alone
  "status":"retracted"
row belief:both-of-them
  "reason":"based on raw:log-of-the-day, which was retracted"
> 3:restore<Enter>
  restored, 2 more changed with it
row belief:log-alone
  "status":"active"
row belief:both-of-them
! for_review
> 3d<Enter>
row belief:log-alone
  for_review
> u
row belief:log-alone
! for_review
> 1:retract belief:third-one<Enter>
! Enter changes that

== what-if leads to a retraction
events
> 3w
  raw:log-of-the-day what if
  would be retracted
  nothing has changed yet: Enter on the first line does it, q cancels
  do it: retract raw:log-of-the-day
> 3wq
events 0
> 3w;
  why?
> 3w;<Esc>
  cancelled
events 0
> 3w;it was another day<Enter>
  retracted, 2 sent to review · u undoes it
events 3
row raw:log-of-the-day
  "status":"retracted"

== a what-if of another store is asked again
> 3w;
{"ref":"belief:new-one","text":"Came meanwhile","derived_from":["raw:log-of-the-day"]}
+ it was another day<Enter>
  the store changed meanwhile
  retract raw:log-of-the-day?
  Came meanwhile
row raw:log-of-the-day
  "status":"active"

== retract lists who only descends
# Those that keep what holds them are named too.
{"ref":"belief:far-away","created_at":6000,"text":"Descends from both","derived_from":["belief:both-of-them"]}
> 3d
  1 · based on it, but keep their support
  Descends from both

== open again
> 1<Enter>:belief:log-alone<Enter>
  you are on this memory
> 1<Enter>:belief:log-alone<Enter>q
  3 · recorded

== a state names its flags
{"ref":"belief:poison","text":"Not to be believed","created_at":7000,"marks":[{"at":7001,"mark":"poisoned","actor":"sean"},{"at":7002,"mark":"poisoned","actor":"claire"},{"at":7003,"mark":"planted","actor":"sean"}]}
> 1:belief:poison<Enter>
  unsourced · poisoned · planted
> 1:belief:third-one<Enter>:verify<Enter>
> 1:belief:third-one<Enter>
  unsourced · approved · version 2

== a preview has the value of a rating, and its reason
{"ref":"belief:rated","text":"Rated","created_at":7000,"marks":[{"at":7001,"mark":"rating","actor":"sean","value":"0.9","reason":"seen twice"}]}
> 1
  rating by import of sean: 0.9: seen twice

== the event has the person as actor
events
> 1;:retract belief:third-one<Enter>it was another day<Enter><Enter>
events 1
event
  sean person explorer retract: it was another day

== a changed plan is confirmed again
> 3d
{"ref":"belief:new-one","text":"Came meanwhile","derived_from":["raw:log-of-the-day"]}
+ <Enter>
  the store changed meanwhile
  2 · no other support
  Came meanwhile
row raw:log-of-the-day
  "status":"active"
> 3d<Enter>
row raw:log-of-the-day
  "status":"retracted"

== purge asks for a word
events
> 1:purge<Enter><Enter><Enter>
> 1:purge<Enter><Enter>yes<Enter>
> 1:purge<Enter><Enter>purge<Esc>
events 0

== several retractions are one change
events
> 1  a
  2 approved · u undoes it
! selected
row belief:log-alone
  "approved"
row belief:both-of-them
  "approved"
> u
  |undid: approve of |
  and 1 more
row belief:log-alone
! approved
row belief:both-of-them
! approved
> <C-r>
  |redid: approve of |
row belief:both-of-them
  "approved"

== undo refuses a purge
size 200x30
> 2a
events
> 1:purge<Enter><Enter>purge<Enter>
events 1
> u
  |undid: approve of |
  |; skipped the purge of |
  , which cannot be undone
> u
  |sean has no change to undo, only the purge of |

== nothing to undo
> u
  has no change to undo
> <C-r>
  has no change to redo
> :undo x<Enter>
  is not the number of an event

== a refused undo says why
> 1e, and more<Enter>
by claire edit belief:log-alone text=As claire wrote it, 1
+ u
  |undo not done: event |
  text was changed again since then
row belief:log-alone
  As claire wrote it

== a ref names the memory
events
> 1:retract belief:third-one<Enter><Enter>
events 1
row belief:third-one
  "status":"retracted"
events 0
> 1:restore belief:third-one<Enter>
events 1
row belief:third-one
  "status":"active"
events 0
> 1:reinforce episode:the-outage<Enter>
events 1
row belief:log-alone
  "evidence_source":"episode:the-outage"
events 0
> 1:reinforce seen twice now<Enter>
events 1
row belief:log-alone
  seen twice now
events 0
> 1:mark-as poisoned<Enter>
  |flag belief:log-alone poisoned: why? |
+ <Enter>
events 1
row belief:log-alone
  "mark":"poisoned"
events 0
> 1:unmark poisoned<Enter>
events 1
row belief:log-alone
  "tags":["log"]
events 0
> 1:mark-as rating 4<Enter>
events 1
row belief:log-alone
  "value":"4"
events 0
> 1:protect<Enter>
events 1
row belief:log-alone
  "protected":true
events 0
> 1:unprotect<Enter>
events 1
row belief:log-alone
  "version"
events 0
> 3:process note The day in short<Enter>
events 2
row raw:log-of-the-day
  processed_into
events 0
> 1:supersede A better one<Enter>
events 2
row belief:log-alone
  "status":"superseded"
events 0
> 2:retract<Enter><Enter>
events 4
row episode:the-outage
  "status":"retracted"
events 0
> 2:forget<Enter><Enter>
events 1
row episode:the-outage
  "status":"forgotten"
row belief:log-alone
  "version"
! "protected":true
! "mark":"poisoned"

== the menu says why an operation is impossible
> 1C
  act on belief:log-alone
  only a raw entry can be promoted
  it is already active
  it is not locked
events
> 1CP
  only a raw entry can be promoted
events 0
> 1 C
  the 1 selected
> 1Ca<Enter>
events 1

== the menu has the keys of its actions, and no others
events
> 1C
  |a  approve |
  |B  reinforce |
  |x  reviewed |
  |J  flag |
! |s  replace |
! |p  purge |
  | replace |
  | purge |
events 0
> 1Cx<Enter>
events 1
row belief:log-alone
  "mark":"reviewed"

== one at a time
# What is for one at a time is never done to an unselected one while others are selected.
events
> 1  C<Down><Down><Down><Down><Enter>
  replace: this works on one memory at a time
> 1  CE
  edit-outside: this works on one memory at a time
events 0
> 1  C
  belief:third-one, by the 2 selected
> 1 C<Down><Down><Down><Down><Enter>
  replace belief:log-alone
> 1 e
  edit belief:log-alone
> 1 E
  the editor changed nothing

== a refusal names its memory
> 1;a
  |approve belief:log-alone: why? |
> 1  ;a
  |approve 2 selected memories: why? |
> 1;Jp
  |flag belief:log-alone poisoned: why? |
> 1B
  |reinforce belief:log-alone: by what? |
size 40x30
> 1;a
  | why? |

== a flag for review always asks why
events
> 1Jf
  |flag belief:log-alone for_review: why? |
> 1Jfcheck with Osaka<Esc>
  cancelled
events 0
> 1Jfcheck with Osaka<Enter>
events 1
row belief:log-alone
  "reason":"check with Osaka"
> 1Jr
events 1

== Esc ends the question of ;
events
> 1;
  the next decision or flag asks why (press ; again to cancel)
> 1;<Esc>
  nothing asks why
> 1;<Esc>a
! why?
events 1

== without a change there is no plan
# Nothing is previewed if nothing would change.
> 1:propagate<Enter>
  |there is nothing to change: |
! would be changed
> 1:fix-provenance<Enter>
  |there is nothing to change: |

== no undo during a preview
# While a preview is open, no key undoes another change.
> 1a3du
  answer this question first
row belief:log-alone
  "approved"
> 3d<C-r>
  answer this question first

== a long error is shown whole
# An error that is longer than the status line gets more rows, so that its hint is visible.
size 60x30
> 1:retract belief:one-that-was-never-here-and-has-a-name-of-some-length<Enter>
  Search for it, or list its kind.

== edit
> 1e, and the day<Tab><C-u>0.5<Tab>, day<Tab><Tab><C-n><Tab><Right><Tab>as told<Enter>
row belief:log-alone
  "text":"Rests on the log alone, and the day"
  "confidence":0.5
  "tags":["log","day"]
  "belief_type":"rule"
  "foundational":true
  "reason":"as told"

== a form shows where texts begin
# Only the field with the cursor is scrolled to it.
size 60x24
{"ref":"belief:long-one","created_at":9000,"text":"A beginning, a middle that goes on and on over the edge, and an end","derived_from":["raw:log-of-the-day"]}
> :edit belief:long-one<Enter>
  and an end
> :edit belief:long-one<Enter><Tab>
  |text           A beginning, a middle|

== edit the selected
# One form for all that are selected: what is left empty stays as it is.
> 1  e0.4<Tab><Tab><Tab>as agreed<Enter>
  2 edited
row belief:log-alone
  "confidence":0.4
  "tags":["log"]
row belief:both-of-them
  "confidence":0.4
  "reason":"as agreed"
> u
row belief:log-alone
  "confidence":0.7
row belief:both-of-them
  "confidence":0.6

== the result is shown
> 3Pn
  raw:log-of-the-day became note:
> 1:supersede Better<Enter>
  replaced belief:log-alone
> :seed Seeded<Enter><Enter>
  | seeded |
> jjjBepisode:the-o<Tab><Enter>
  reinforced
row belief:both-of-them
  "evidence_source":"episode:the-outage"

== own changes show during a pause
# Changes of others are held back during a pause; own changes are shown.
> 1pe, shown<Enter>
  Rests on the log alone, shown

== an error keeps the form open
events
> 1eX<Tab><C-u>two<Enter>
  "two" is not a number
  Rests on the log aloneX
> 1e<Tab><C-u>1.5<Enter>
  from 0 to 1
> 1e<Tab><C-u><Enter>
  give a confidence from 0 to 1
> 1e<Enter>
  nothing was changed
events 0

== an abandoned form is kept
# A form that was left can be resumed or dropped. Quitting with one asks first.
events
> 1e, begun<Esc>je
! begun
> 1e, begun<Esc>jke
  alone, begun
> 1e, begun<Esc>:unsaved<Enter>e
  alone, begun
> 1e, begun<Esc>Q
  some of what you typed is not saved
> 1e, begun<Esc>:unsaved<Enter>xe
! begun
# an untouched form closes at once
> 1e<Esc>Q
+
ended
events 0

== a paste is text
> 1e<C-u><paste:first␊q␉y<Esc>><Enter>
row belief:log-alone
  "text":"first q y<Esc>"
> 1e<C-u><paste:red␛[31m>!<Enter>
row belief:log-alone
  "text":"red[31m!"

== what is added on a retracted source says so
> 3d<Enter>
  retracted
> 3 :add note<Enter>From the log<Tab><C-n><C-n><Enter>
  unsupported: based on raw:log-of-the-day, which was retracted

== add
# The new memory is based on the selected ones.
events
> 3 :add note<Enter>From the log<Tab><C-n><C-n><Enter>
  added · u undoes it
events 1
row note:a0000000-1111-4111-8111-111100000000
  "text":"From the log"
  "note_type":"decision"
  raw:log-of-the-day
  "agent_id":"sean"
> :add entry limit<Enter>deploy<Tab><Tab>{"n": 3}<Tab>9026-02-01<Enter>
  added
events 1
row entry:a0000001-1111-4111-8111-111100000001
  "value":{"n":3}
  "expires_at":222668524800000
> uu
row entry:a0000001-1111-4111-8111-111100000001
! limit
> ib<Enter>
  give the text

== every kind has a form
events
> :add raw one of each<Enter><Enter>
events 1
events 0
> :add episode one of each<Enter><Enter>
events 1
events 0
> :add belief one of each<Enter><Enter>
events 1
events 0
> :add note one of each<Enter><Enter>
events 1
events 0
> :add value one of each<Enter><Enter>
events 1
events 0
> :add goal one of each<Enter><Enter>
events 1
events 0
> :add drive one of each<Enter><Enter>
events 1
events 0
> :add relationship one of each<Enter><Enter>
events 1
events 0
> :add suggestion one of each<Enter><Enter>
events 1
events 0
> :add attribution one of each<Enter><Tab>web<Enter>
events 1
events 0
> :add document one of each<Enter><Enter>
events 1
events 0
> :add chain one of each<Enter><Enter>
events 1
events 0
> :add step one of each<Enter><Enter>
events 1
events 0
> :add citation one of each<Enter><Enter>
events 1
events 0
> :add entry one<Enter>a<Tab><Tab>1<Enter>
events 1

== the form of an entry
# The form refuses what putMemory refuses, says why, and keeps the typed text.
{"ref":"entry:e","text":"k","detail":{"namespace":"n","key":"k","value":1}}
events
> :edit entry:e<Enter><C-u><Enter>
  there is no value
! u undoes it
> :edit entry:e<Enter><C-u>{oops<Enter>
  not JSON
! u undoes it
> :edit entry:e<Enter><Tab>2020-01-01<Enter>
  expires_at is past
! u undoes it
> :edit entry:e<Enter><Tab>soon<Enter>
  is not a time
! u undoes it
> :add entry k<Enter>n<Tab><Tab>2<Enter>
  has a key k already: entry:e
> :add entry<Enter>n<Enter>
  give its key
events 0
> :edit entry:e<Enter><C-u>null<Tab>in 3 days<Enter>
row entry:e
  "value":null,"expires_at":17
> :edit entry:e<Enter><Tab><C-u>never<Enter>
row entry:e
! expires_at

== a sweep has no person as actor
# stemma itself is the actor of a sweep.
{"ref":"entry:over","text":"over","detail":{"namespace":"n","value":1,"expires_at":1000}}
sweep
> @
  stemma itself
! an agent
> :entries<Enter>
  × expired
  expired · over
! ● supported ·
> :entries<Enter><Enter>
  1970-01-01 00:00:01, expired
! by stemma

== lists are limited to a namespace
{"ref":"entry:one","text":"one","detail":{"namespace":"zeta.x","key":"one","value":1}}
{"ref":"entry:two","text":"two","detail":{"namespace":"zeta.x","key":"two","value":"plum"}}
{"ref":"entry:three","text":"three","detail":{"namespace":"eta","key":"three","value":"a longer value"}}
> :namespaces<Enter>
  | eta| ~> | zeta.x|
> :namespaces<Enter>\zet<Enter>
  1 of 2 namespaces
! | eta|
> :namespaces<Enter>\nowhere<Enter>
  nothing matches the filter
> :namespaces<Enter>\zet<Enter><Esc>
  | eta|
> :namespaces<Enter>:order items<Enter>
  | zeta.x| ~> | eta|
> :namespaces<Enter>:order items<Enter>:order items<Enter>
  | eta| ~> | zeta.x|
  reversed
> :namespaces<Enter>ob
  | eta| ~> | zeta.x|
> :namespaces<Enter>:order size<Enter>
  there is no order "size": items, bytes
> :namespaces<Enter>R
! not apply
> :namespaces zeta.x<Enter>\plu<Enter>
  1 entry
! one
> :namespaces zeta.x<Enter>\nowhere<Enter>
  nothing matches the filter

== a match in a value scrolls into view
# A match in a value is scrolled to, though no cursor can be there.
{"ref":"entry:long","text":"long","detail":{"namespace":"eta","key":"long","value":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163,164,165,166,167,168,169,170,171,172,173,174,175,176,177,178,179,180,181,182,183,184,185,186,187,188,189,190,191,192,193,194,195,196,197,198,199,"needle-one",0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163,164,165,166,167,168,169,170,171,172,173,174,175,176,177,178,179,180,181,182,183,184,185,186,187,188,189,190,191,192,193,194,195,196,197,198,199,"needle-two"]}}
> :goto entry:long<Enter>
! needle
> :goto entry:long<Enter>/needle<Enter>
  needle-one
> :goto entry:long<Enter>/needle<Enter>n
  needle-two
  match 2 of 2
> :goto entry:long<Enter>/needle<Enter>nn
  needle-one
> :goto entry:long<Enter>/needle<Enter>nN
  needle-one
  match 1 of 2

== every kind is edited
{"ref":"raw:one-of-each","text":"one-of-each"}
> :edit raw:one-of-each<Enter><Tab><C-u>0.33<Enter>
row raw:one-of-each
  "confidence":0.33
{"ref":"episode:one-of-each","text":"one-of-each"}
> :edit episode:one-of-each<Enter><Tab><C-u>0.33<Enter>
row episode:one-of-each
  "confidence":0.33
{"ref":"belief:one-of-each","text":"one-of-each"}
> :edit belief:one-of-each<Enter><Tab><C-u>0.33<Enter>
row belief:one-of-each
  "confidence":0.33
{"ref":"note:one-of-each","text":"one-of-each"}
> :edit note:one-of-each<Enter><Tab><C-u>0.33<Enter>
row note:one-of-each
  "confidence":0.33
{"ref":"value:one-of-each","text":"one-of-each"}
> :edit value:one-of-each<Enter><Tab><C-u>0.33<Enter>
row value:one-of-each
  "confidence":0.33
{"ref":"goal:one-of-each","text":"one-of-each"}
> :edit goal:one-of-each<Enter><Tab><C-u>0.33<Enter>
row goal:one-of-each
  "confidence":0.33
{"ref":"drive:one-of-each","text":"one-of-each"}
> :edit drive:one-of-each<Enter><Tab><C-u>0.33<Enter>
row drive:one-of-each
  "confidence":0.33
{"ref":"relationship:one-of-each","text":"one-of-each"}
> :edit relationship:one-of-each<Enter><Tab><C-u>0.33<Enter>
row relationship:one-of-each
  "confidence":0.33
{"ref":"suggestion:one-of-each","text":"one-of-each"}
> :edit suggestion:one-of-each<Enter><Tab><C-u>0.33<Enter>
row suggestion:one-of-each
  "confidence":0.33
{"ref":"attribution:one-of-each","text":"one-of-each"}
> :edit attribution:one-of-each<Enter><Tab><C-u>0.33<Enter>
row attribution:one-of-each
  "confidence":0.33
{"ref":"document:one-of-each","text":"one-of-each"}
> :edit document:one-of-each<Enter><Tab><C-u>0.33<Enter>
row document:one-of-each
  "confidence":0.33
{"ref":"chain:one-of-each","text":"one-of-each"}
> :edit chain:one-of-each<Enter><Tab><C-u>0.33<Enter>
row chain:one-of-each
  "confidence":0.33
{"ref":"step:one-of-each","text":"one-of-each"}
> :edit step:one-of-each<Enter><Tab><C-u>0.33<Enter>
row step:one-of-each
  "confidence":0.33
{"ref":"citation:one-of-each","text":"one-of-each"}
> :edit citation:one-of-each<Enter><Tab><C-u>0.33<Enter>
row citation:one-of-each
  "confidence":0.33
{"ref":"entry:one-of-each","text":"one-of-each","detail":{"namespace":"a","key":"one-of-each","value":1}}
> :edit entry:one-of-each<Enter><C-u>33<Enter>
row entry:one-of-each
  "value":33

== revise from an episode
> 1 j 2:revise<Enter>
  belief:log-alone
  neither
> 1 j 2:revise<Enter><Right><Tab><Left><Enter>
row belief:log-alone
  "mark":"for_review"
row belief:third-one
  "times_reinforced":1
> 2:revise<Enter>belief:both-of-them<Enter>
row belief:both-of-them
  "times_reinforced":1
> 2:revise<Enter><Enter>
  nothing was changed

== consolidate and seed
> 3 1:consolidate<Enter><Tab><C-u>2026-02-01<Enter>
row belief:log-alone
  consolidation:2026-02-01
events
> :seed Mistakes are information<Enter><Enter>
events 1

== an own change makes the form stale
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 1
+ <Enter>
  meanwhile claire (person) edited belief:log-alone "As claire wrote it, 1"; nothing is saved yet
  As claire wrote it, 1 → Rests on the log alone, mine
  overwrite the stored version with your text
  keep the stored version
  edit your text again
row belief:log-alone
  As claire wrote it

== choices for a stale form
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 1
+ <Enter><Enter>
row belief:log-alone
  "text":"Rests on the log alone, mine"
> u
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 3
+ <Enter>j<Enter>
row belief:log-alone
  |"text":"As claire wrote it, |
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 5
+ <Enter>jj<Enter>, again<Enter>
row belief:log-alone
  mine, again"

== a retraction makes the form stale
> 1e, mine
by claire retract belief:log-alone
+ <Enter>
  meanwhile claire (person) retracted belief:log-alone
  Rests on the log alone, mine
> 1jj:belief:log-alone<Enter>e, mine
by claire purge belief:log-alone
+ <Enter>
  belief:log-alone was purged
+ g<Enter>
> 0:belief:third-one<Enter>q

== the memory of a stale form was purged
> 1e, mine
by claire purge belief:log-alone
+ <Enter>j<Enter>
  belief:log-alone has no text here to change
  Rests on the log alone, mine

== an undo is refused
by claire edit belief:log-alone text=As claire wrote it
> 1e<C-u>As sean wrote it<Enter>
row belief:log-alone
  As sean wrote it
size 80x30
> @ju
  text was changed again since then
  edit it by hand
> @juq
  audit
size 110x30
> @ju
  text was changed again since then. See its history, then edit it by hand
> @juq
  audit

== a difference without fields
# The memory is as before, and a line without a field says so.
by claire forget belief:log-alone
by claire restore belief:log-alone
> :diff @5 @7<Enter>
  1 memory
  changed and changed back
> :diff "@5" '@7'<Enter>
  changed and changed back
> :diff @5 @7<Enter>/changed back<Enter>
  1 match for

== a purged memory leaves the list
# A purged memory leaves the list and the counts, even under the cursor.
> 1j
by claire purge belief:log-alone
+ k
  2 · recorded
! Rests on the log alone
> 1:purge<Enter><Enter>purge<Enter>
  1 · recorded
  1/1
> 1:add belief new one<Enter><Enter>g
  2 · recorded
  new one
+ u
  1 · recorded
  1/1
> 1:add belief another<Enter><Enter>u9
  | missing|
! missing ·

== leaving a stale form keeps it
# Going back chooses nothing: the typed text is there the next time.
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 1
+ <Enter>q:unsaved<Enter>
  not saved: edit belief:log-alone

== choices after a purge
# A purged memory cannot be saved over. The form still says what can be done with the typed text.
> 1e, mine
by claire purge belief:log-alone
+ <Enter>
  was purged
! overwrite
  keep the stored version
  edit your text again

== the editor changes a text
editor printf 'One line\n\n  another: \033[31m # text\n' >"$1"
> 1E
  Enter saves it
> 1Eas it was said<Enter>
row belief:log-alone
  "text":"One line\n\n  another: \u001b[31m # text"
  "version":2

== editor changes nothing
events
editor touch "$1"
> 1E
  the editor changed nothing
editor : >"$1"
> 1E
  the text was empty
editor rm "$1"
> 1E
  cannot read the edited text
env EDITOR=/nowhere/editor
> 1E
  there is no editor
events 0

== a failed editor changes nothing
# The text may be incomplete: nothing changes, and the message names its file.
events
editor echo half of it >"$1"; exit 3
> <size:200x40>1E
  the editor failed (exit status 3)
  |The edited text is in |
editor echo half of it >"$1"; kill -9 $$
> <size:200x40>1E
  the editor was ended by signal 9
  |The edited text is in |
events 0

== the editor on each row
# Any row and any text comes back unchanged.
editor printf 'Said "so": # no comment\n\n\tand   more\n' >"$1"
> 1e<F4><Enter>
row belief:log-alone
  "text":"Said \"so\": # no comment\n\n\tand
editor echo 0.25 >"$1"
> 1e<Tab><F4><Enter>
row belief:log-alone
  "confidence":0.25
  "tags":["log"]

== any size
sizes 1a
sizes 1e
sizes ib
sizes 1J
sizes 3d<Enter>
sizes 1d
sizes 1 2:revise<Enter>
sizes 3:purge<Enter><Enter><Enter>
> 1e, mine
by claire edit belief:log-alone text=As claire wrote it, 1
+ <Enter><size:1x1><size:80x2><size:7x50><size:200x5>

== read only
events
read-only
> d
  the store is open read-only
> a
  the store is open read-only
> e
  the store is open read-only
> E
  the store is open read-only
> i
  the store is open read-only
> u
  the store is open read-only
> <C-r>
  the store is open read-only
> D
  the store is open read-only
> :retract<Enter>
  the store is open read-only
> :edit belief:log-alone<Enter>
  the store is open read-only
> :retract belief:log-alone<Enter>
  the store is open read-only
> :add note x<Enter>
  the store is open read-only
> :seed x<Enter>
  the store is open read-only
> :reinforce x<Enter>
  the store is open read-only
> a
  the store is open read-only
events 0

== an open range counts as selected
# Its lines look selected while it grows, and an action takes them all.
{"ref":"note:a","created_at":6000,"text":"first note"}
{"ref":"note:b","created_at":7000,"text":"second note"}
{"ref":"note:c","created_at":8000,"text":"third note"}
{"ref":"note:d","created_at":9000,"text":"fourth note"}
> :notes<Enter>v
  act on it, v selects it
> :notes<Enter>vj
line third note
  *
line fourth note
  *
line second note
! *
> :notes<Enter>vjd
  would be retracted ~> 2
> :notes<Enter>vj<Esc>
  the range was given up
line third note
! *
> :notes<Enter>vjd<Enter>
  2 retracted

== the preview shows the newest change of confidence first, and how much follows below
size 80x24
for 0 8 {"ref":"raw:r{i}","created_at":10,"text":"Raw {i}"}
{"ref":"belief:many","created_at":9000,"text":"Of many","derived_from":["raw:r0","raw:r1","raw:r2","raw:r3","raw:r4","raw:r5","raw:r6","raw:r7","raw:r8"]}
later 1000
by sean reinforce belief:log-alone reason=the first time that it was seen, in the log of the day of the outage
later 1000
by sean reinforce belief:log-alone reason=the second time, by somebody else
> 1
  more ↓ ──
> 1/alone<Enter>
  the second time ~> the first time

== undoing an addition says that the memory goes
> :belief:log-alone<Enter>Iu
  the memory will be removed; redo brings it back
> :belief:log-alone<Enter>Iu<Enter>
  missing: its addition was undone
! missing ·

== a flag of one's own
# A misspelt flag would be set without a word.
> 3:flag reviewd<Enter>
  reviewd is a new flag: did you mean reviewed?
> 3:flag reviewed<Enter>
! new flag

== every list filters
# A memory of a difference is shown with all its fields, a problem with its heading, an event of a history.
by claire edit belief:log-alone text=Quite new
by claire forget belief:both-of-them
> :diff @5 now<Enter>
  2 memories
> :diff @5 now<Enter>\forget<Enter>
  1 of 2 memories
! Quite new
> :diff @5 now<Enter>\quite<Enter>
  1 of 2 memories
  text
  claire
+ <Esc>
  2 memories
> !\by itself<Enter>
  3 problems
  unrecorded 1 
! Quite new
> !\created_at 3000<Enter>
  1 problem
! unrecorded
> 1\label:unsourced<Enter>
  1 of 2
  Stands by itself
> 1\label:supported quite<Enter>
  1 of 2
> 1\label:none<Enter>
  there is no label 'none'. It is one of: supported, weakened
> 1\status:gone<Enter>
  there is no status 'gone'. It is one of: active, replaced
> 1\colour:red<Enter>
  there is no field "colour:"; Tab lists the fields
> @\colour:red<Enter>
  there is no field "colour:"; Tab lists the fields
> 1\belief:nowhere<Enter>
  nothing matches the filter
> 1I\operation:edit<Enter>
  Quite new
! created

== lists hide retracted memories on request; the filter finds the word that a line shows
by claire retract belief:third-one
by claire forget belief:both-of-them
> 1
  retracted · Stands by itself
! Rests on both
! with removed
+ +
  with removed · 3
  forgotten · Rests on both
  with removed
+ +--
  without retracted · 1
! Stands by itself
+ --
  beliefs › new
+ +
  without retracted · 1
+ +
  2 · recorded
  forgotten and deleted ones are hidden
> 1\retracted<Enter>
  1 of 2
  Stands by itself
> 1\status:retracted<Enter>
  1 of 1
  Stands by itself
> 1\status:forgotten agent:claire<Enter>
  0 of 1
> 1\agent:ash status:active label:supported<Enter>
  1 of 1
> 8\status:active<Enter>
! there is no field

== ages in a past state count back from it
by claire edit belief:log-alone text=Then
later 864000000
> 1I
on 1w
> 1I:asof @6<Enter>
on now

== what was decided is written back into the source after it was shown
source {"type":"entity","name":"John","entityType":"person","observations":["Sings","Dances"]}
> :beliefs<Enter>d<Enter><C-g>:apply<Enter>
  apply
  1 change
  retracted by
  memory.jsonl:1 John
  Enter write it
! u undo
+ u
+ <Enter>
  applied
! Enter write it
  u undo it
event
  explorer apply: 1 change written to
+ R
  nothing to write: memory.jsonl says what was decided here

== in a working copy the message after a correction says how its source gets it
source {"type":"entity","name":"John","entityType":"person","observations":["Sings","Dances"]}
> :beliefs<Enter>d<Enter>
  retracted · u undoes it
! :apply
follow
> :beliefs<Enter>jd<Enter>
  retracted · u undoes it · :apply writes it to memory.jsonl
> :beliefs<Enter>Ga
  approved
! :apply

== what was written back is taken back in the same view, or by its name, after it was shown
source {"type":"entity","name":"John","entityType":"person","observations":["Sings","Dances"]}
> :beliefs<Enter>d<Enter><C-g>:apply<Enter><Enter>
  written, with a copy next to it; u, or :apply --undo, takes it back
> :apply --undo<Enter>q:apply<Enter>u
  nothing was written here; :apply --undo takes the last write back
> :apply --undo<Enter><Enter>
  undone
  memory.jsonl has again what was there before
> :apply --undo<Enter>
  nothing was written to
> :apply --redo<Enter>
  --redo is neither --undo nor --overwrite
> :apply<Enter>
+ <Enter>
  applied
+ u
  applied › undo of apply ~> - {"type" ~> + {"type" ~> "Dances" ~> undoes what was written
  Enter write it
+ <Enter>
  undone
event
  undo

== what changed in the source since it was decided about is left out, unless it is asked for
source {"type":"entity","name":"John","entityType":"person","observations":["Sings"]}
by sean edit note:fde6184e-c3ac-8f8b-9e33-70740b17932e tags=man
source {"type":"entity","name":"John","entityType":"human","observations":["Sings"]}
> :apply<Enter>
  0 changes, 1 left out
  left out: changed on both sides; :apply --overwrite writes it
  edited by sean ~> changed there ~> - human ~> + man ~> nothing else to write to memory.jsonl
! Enter write it
+ <Enter><C-g>:apply --overwrite<Enter>
  1 change ~> - "human" ~> + "man"
! left out
+ <Enter>
  applied

== a source is quarantined from what it reached, in rings; what that replaced comes back, and undo restores all of it
{"ref":"belief:on-top","created_at":6000,"text":"Rests on the one above","derived_from":["belief:log-alone"]}
{"ref":"belief:before","created_at":500,"text":"Was believed before","status":"superseded"}
{"ref":"belief:planted","created_at":7000,"text":"Replaced it","derived_from":["raw:log-of-the-day"],"relations":[{"type":"supersedes","to":"belief:before"}]}
events
> :raw:log-of-the-day<Enter>:taint<Enter>:quarantine<Enter>
  would be quarantined
  they are quarantined too
  ring 1: 1 step from it ~> Rests on the log alone ~> ring 2: 2 steps from it ~> Rests on the one above
  nothing has changed yet: Enter on the first line does it, q cancels
> :raw:log-of-the-day<Enter>:taint<Enter>:quarantine<Enter>G
  Was believed before ~> restored
> :raw:log-of-the-day<Enter>:taint<Enter>:quarantine<Enter>q
events 0
> :raw:log-of-the-day<Enter>:taint<Enter>:quarantine<Enter><Enter>
  raw:log-of-the-day quarantined, 5 more changed with it · u undoes it
  nothing is based on it alone
events 6
row belief:on-top
  "status":"quarantined"
row belief:before
  "status":"active"
> 1\status:quarantined<Enter>
  Rests on the one above
  Rests on the log alone
> :raw:log-of-the-day<Enter>:quarantine<Enter>
  it is no longer active
> :belief:third-one<Enter>:release<Enter>
  it is not quarantined
> u
row belief:on-top
  "status":"active"
row belief:before
  "status":"superseded"
> :raw:log-of-the-day<Enter>C
  quarantine ~> takes it and all that is based on it alone away from agents

== what waits is approved or rejected, and lists show what people decided
{"ref":"belief:waits-one","created_at":6000,"agent_id":"ash","text":"Waits","status":"pending","relations":[{"type":"supersedes","to":"belief:third-one"}]}
{"ref":"belief:waits-too","created_at":7000,"agent_id":"ash","text":"Waits, too","status":"pending","derived_from":["raw:log-of-the-day"]}
{"ref":"belief:against-it","created_at":8000,"text":"Says the opposite","protected":true,"relations":[{"type":"contradicts","to":"belief:log-alone"}]}
> 1\status:pending<Enter>
  ◌  0.00 ~> pending · Waits
> :belief:waits-one<Enter>a
row belief:waits-one
  "status":"active"
row belief:third-one
  "status":"superseded"
+ :undo<Enter>
row belief:waits-one
  "status":"pending"
row belief:third-one
  "status":"active"
> :belief:waits-too<Enter>d<Enter>
row belief:waits-too
  "status":"rejected"
+ :restore<Enter>
row belief:waits-too
  "status":"pending"
> :belief:waits-too<Enter>:forget<Enter>
  is pending: no other agent sees it
> 1
  ≠ ~> Rests on the log alone
  ⊘ ~> Says the opposite
set ascii: yes
> 1
  D ~> Rests on the log alone
  L ~> Says the opposite
