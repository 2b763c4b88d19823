# What a person expects: the cursor after Esc, what counts count, what keys apply to, what a click does. The first list of
# the demo store has 21 beliefs.
demo

== Esc clears a filter, and the cursor is where it was; a confirmed filter leaves it on its match
every jjjj\nothing at all<Enter><Esc> | jjjj\nothing at all<Esc> | jjjj\deploy<Esc>
> {}
   5/21
every jjjj\deploy<Enter><Esc> | jjjj\deploy<Enter>k<Esc> | jjjj\deploy<Enter><Enter>q<Esc>
> {}
!  5/21

== the number of matches is shown
> /the
  16 matches
! complete
> /nothing at all
  no match
> /canary
  no match
> :belief:8<Tab>
  belief:8 is too short
> :belief:8<Enter>
  at least 4 characters
> :belief:8a27<Tab>
  :belief:8a2770de-67d0-450f-a29b-b158f6e6f3da
> :
  Tab complete

== positions count memories
> !
  | 1/10\n|
> !G
  | 10/10\n|
> 3Gr
! 1/13

== a what-if lists all dependents
> 3GwG<C-u>
  would lose an ancestor only 
> 3Gw
  raw:19ea6cb7 what if
> <Space><Space><Space>w
  3 selected memories what if

== keys apply to the memory that is shown
> jjjjjjjj<Enter>f
  belief:8a2770de based on
> jjjjjjjj<Enter>w
  belief:8a2770de what if
> jjjjjjjj<Enter>j
  on belief:e745a454
> jjjjjjjj<Enter>jf
  belief:e745a454 based on

== every view has a bar and breadcrumbs
every 40x24 | 80x24 | 120x24 | 160x24
every  | <Enter> | f | r | w | ! | ?<Esc> | 0
> {}
  |  ? help\n|
   stemma › 
every 40x24 | 80x24 | 120x24 | 160x24
> o
! ? help
  Enter choose

== without room for a frame, a menu shows only its lines
every 20x2 | 20x4 | 20x7 | 40x3 | 60x5 | 80x2 | 80x6
> o
   > n  recorded
  order
every 20x2 | 20x4 | 20x7 | 40x3 | 60x5 | 80x2 | 80x6
> o<Down>
   > c  created
every 20x2 | 20x4 | 20x7 | 40x3 | 60x5 | 80x2 | 80x6
> o<Down><Down>
   > u  updated

== parts that a small terminal drops come back in a large one
> o<Down><Down><Down><size:20x6>
   > f  
> o<Down><Down><Down><size:20x6><size:80x24>
     n  recorded

== numbers are dropped for the name that they belong to
every 20x24 | 25x24 | 35x24 | 50x24 | 65x24 | 90x24 | 120x24
> :namespaces<Enter>
  agent.claire
  namespace
every 20x24 | 25x24 | 35x24 | 50x24 | 65x24 | 90x24 | 120x24
> :permissions<Enter>
  agent.claire
size 40x24
> :namespaces<Enter>
  1  agent.claire
> :permissions<Enter>
  denied denied denied deploy

== clicks choose
# The key bar is in the last of 24 rows, a menu above it.
> <click:3,24>
  based on 1 
> <Enter><click:67,24>
   1/21
> o<click:8,6>
  by updated
> o<click:60,3>
    ? help
> :orde<click:8,20>
  newest first
> <click:8,2>
  by confidence
> <click:8,2><click:8,2>
  reversed
size 120x24
> 1jj<Enter><click:27,1>
   3/21

== moving ends following
> G
   21/21
> Gk
   20/21
> <C-f>j
   2/21
! following
