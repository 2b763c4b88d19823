# The tour of the demo.
size 80x24
story
tour

== each step waits for the key that it names
>
  tour 1/5
on Retries are always safe
+ j
  tour 1/5
+ k<Enter>
  tour 2/5
+ *
  tour 3/5
+ j
on attribution:03b3f0bb
+ w
  tour 4/5 ~> q goes back
  would lose all support
+ qd
  tour 4/5 ~> Enter
+ <Enter>
  None of its 10 justifications
+ u
  tour 5/5
+ g
  10 of 10 justifications
+ 8
! tour 5/5
  inbox
  That was the tour

== Esc ends it, and does nothing else
> <Enter><Esc>
! tour 2/5
  belief:c2992c46 ~> stemma demo --tour
> <Enter><Esc><Esc>
  › beliefs 
on Retries are always safe

== a low screen has no room for it
every 80x15 | 39x24
>
! tour 1/5
