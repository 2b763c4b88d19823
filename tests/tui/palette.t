# The `:` line and the help.
size 80x24
person
demo

== help runs what is chosen
> ?health<Enter>
  problems
> ?exact-times<Enter>
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

== open names a memory
# A ref that is given is what is opened, not what the cursor is on; Tab makes it whole.
> :open belief:8a27<Enter>
  Never skip staging
> :open 8a2770de<Enter>
  Never skip staging
> :open 8a27<Tab>
  :open belief:8a2770de-
> :open belief:8a27<Tab><Enter>
  Never skip staging
> :open belief:ffffffff<Enter>
  no memory is called belief:ffffffff
  stemma › all agents › beliefs
> :open 5<Enter>
  5 is too short
> :open 8a2770df<Enter>
  no memory is called 8a2770df
> :open<Enter>
  1 of 21

== a word too many
# What an action has no use for is not passed over.
> :health belief:8a27<Enter>
  health takes no word: "belief:8a27"
  stemma › all agents › beliefs
> :down <Enter>
  2/
