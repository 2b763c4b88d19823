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
+ q
  tour 4/5 ~> d retracts the page
+ d
  tour 4/5 ~> Enter on the first line
on do it: retract attribution:03b3f0bb
+ <Enter>
  tour 4/5 ~> u takes it back
  None of its 10 justifications
+ u
  tour 5/5
+ g
  10 of 10 justifications
+ 8
! tour 5/5
  inbox
  That was the tour

== a key that is refused, or does something else, leads to no next step
> j<Enter>
! tour 2/5
  tour 1/5
> <Enter>*kw
  tour 3/5
> <Enter>*jwd
  tour 4/5 ~> q goes back
  retract works in
> <Enter>*jwqdu
  tour 4/5 ~> Enter on the first line
+ q
  tour 4/5 ~> d retracts the page
+ u<C-g>
  tour 4/5 ~> d retracts the page

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
