# The `:` line and the help: what is typed there.
demo
size 80x24

== what is chosen in the help is run
> ?health<Enter>
  problems
> ?exact-times<Enter>
  times as dates
> ?<Esc>
  beliefs
