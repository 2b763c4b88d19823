# The `:` line and the help.
size 80x24
person
demo

== help runs the selected action
> ?/health<Enter>
  problems
> ?/exact-times<Enter>
  times as dates
> ?<Esc>
  beliefs

== goto
> :belief:8a27<Enter>
  Never skip staging
> :goto 8a2770de<Enter>
  Never skip staging
> :belief:ffffffff<Enter>
  belief:ffffffff
> :5<Enter>
  5/21
> :search staging<Enter>
  staging
> :agent claire<Enter>
  stemma › claire
> :order text<Enter>
  by text
> :order zzz<Enter>
  there is no order "zzz": recorded
> :search-store 1<Enter><C-c>8[
! reading…
> :theme mono<Enter>
  the theme is mono
> :theme nowhere<Enter>
  no theme

== show takes a ref
# The typed ref is opened, not the memory under the cursor; Tab completes it.
> :show belief:8a27<Enter>
  Never skip staging
> :show 8a2770de<Enter>
  Never skip staging
> :show 8a27<Tab>
  :show belief:8a2770de-
> :show belief:8a27<Tab><Enter>
  Never skip staging
> :show belief:ffffffff<Enter>
  no memory is called belief:ffffffff
  stemma › all agents › beliefs
> :show 5<Enter>
  5 is too short
> :show 8a2770df<Enter>
  no memory is called 8a2770df
> :show<Enter>
  1 of 21

== a needless word is an error
# An action refuses words that it does not use.
> :health belief:8a27<Enter>
  health takes no argument: "belief:8a27"
  stemma › all agents › beliefs
> :down <Enter>
  2/

== a guess is not run
# Enter runs what is typed by its name, an old one, or a beginning that no other has, and a row that was chosen.
> :delete<Enter>
  no action is named "delete"
  :delete
  | forget |
  | purge |
> :delete<Down><Enter>
  would be
> :delete belief:8a27<Enter>
  no action is named "delete"
> :expo<Enter><Esc>
! no action is named
> :retr<Enter>
  no action is named "retr"
> :aprove<Enter>
  no action is named "aprove": Down and Enter run one of these
  approve
> :zzzz<Enter>j
  2/21
> :zzzz<Enter>
  no action is named "zzzz"
! Did you mean
> :hea<Enter>
  problems
> :ord text<Enter>
  by text
> :carries<Enter>
  used by

== a space stands for the hyphen of a name
> :what if<Enter>
  what if
> :used b<Enter>
  used by
> :used by belief:8a27<Enter>
  used by
> ?/what if
on what-if
> :hist
  | history |

== help finds a key
# A key that several actions have is said with where each of them is.
> ?/d
  1 action
on retract
> ?/a
on approve
> ?/K
  in sessions: ends the session
! in a drawing
> ?/+
on shows ten more memories
> ?/<C-u>h
on folds, walks or scrolls
> ?/*
  selected
> ?/○
  1 sign
! Enter run it

== the first view is left by quitting
> <Esc>
  q quit  ? help
> <Enter>
  q back  ? help
> 8
  q back  ? help

== q goes back to the first view before it quits, and shows all lines again
every ! | 8 | 9 | 0 | 2 | 7 | 8!49
> {}q
  all agents › beliefs
  q quit  ? help
every ! | 8 | 9
> {}qq
+
ended
every +q | 9<Esc> | 8+q<Esc> | @q
> {}
  all agents › beliefs  
  q quit  ? help

== health takes the place of a root view
> 8!
  all agents › health
! inbox › health
> 8![
  all agents › inbox
> !<Enter>!
! › belief
> !!
  you are in this view

== a list by trust shows it
> ow
  by trust
  trust↓ support ~> 0.90
! conf  support
> owow
  by trust, reversed
> owowg
  ○   0.00 ~> –   1.00 ~> ●   0.60

== the legend of a drawing has numbers
size 120x36
> f
  1 derived
  ● 2 supported
  r 1 raw entry
  ◐ weakened

== what applies here comes first
> ?
  most used here ~> .db ──
  most used here ~> open ~> based-on
> :
  1 of ~> open ~> based-on
! page-down

== help begins with what can be done here, and the views by number
> ?
  retract ~> ── views
  1         beliefs ~> 9         live ~> 0         everything
! compares chains
! group
> ?/lock
  :lock
> ?/take back
  or in a list of events
> ?/told by
  texts of all memories
> ?/connect
  its MCP client
> ?/claude
  stemma mcp install claude
> ?/claire
  S searches memories
> ?/quota
  shared memory
> ?/cost
  calls, errors, times, bytes
> ?/last week
  as it was at a time
  between two times
> ?/in full
  calls, errors, times, bytes
  with every field
> ?/trust
  its weakest source

== an action that help runs shows its changes first
> ?/approve<Enter>
  approve belief:
  nothing has changed yet
> ?/approve<Enter>y
  approved
> a
! nothing has changed yet

== the signs of a chain are explained
> 6jj<Enter>?/rated
  .88+

== a menu and a message that do not fit
> C
  more ↓ ─┘
> C<PgDn><PgDn><PgDn>
! more ↓
> :asof<Enter>
  :asof
  give a time, such as 2 days ago

== a page says how many lines follow below; a list with headings counts its rows
> ?
  more ↓
+ <End>
! more ↓
  missing: named by others
+ <Home>
  most used here
> <Enter>
  more ↓ · 1 of 21
+ G
! more ↓
> !
  more ↓ · 10 problems
  1/10
> w
  2/2
  1 change
> :based-on drive:26c745cb<Enter>
  19 of 23 on screen
> :based-on drive:26c745cb<Enter>L
  …

== the name of a document is not shortened below
size 120x36
> 6jj<Enter>jj<Enter>jjj
  on document:incident-report-payments-queue

== 80 columns keep what matters in a change
> 1
  d retract
> :what-if raw:19ea6cb7<Enter>G
  belief:2919dcd3 ~> for review

== the key bar says what Enter does
> :
  Enter run
> /
  Enter search
> \
  Enter filter
> ;a
  Enter do it

== help and the menu name the command that does the same, and copy it
size 120x36
> ?/why
  stemma why belief:
+ <C-y>
  copied stemma why belief:
> 1?y
  copied stemma show belief:
  y copy the command
> C
  C-y copy the command
  stemma approve belief:
+ d
  do it: retract
> ?/bookmark<C-y>
  no command of stemma does that
> 3 jjC<C-y>
  copied stemma approve raw:
{"ref":"note:it's; reboot","text":"Hostile"}
> :goto note:it's<Enter>C
  stemma approve 'note:it'\''s; reboot'

== q and Esc close the help, as in less; / filters it, and Esc shows all again
> ?
  most used here
  Enter run / filter
  q back  ? help
+ q
  › beliefs
! most used here
> ?<Esc>
! most used here
> ??
! most used here
> ?/quit
on quits stemma
+ <Esc>
  most used here
+ /zzz
  no action or sign has that
+ <Esc><Esc>
! most used here
# Enter without a filter runs the line under the cursor.
> ?j<Enter>
  based on
