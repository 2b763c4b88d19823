# Queries in lists, facets of a list, and saved views.
size 100x24
clock 1700000000000
person
{"ref":"belief:b1","agent_id":"ash","text":"retry twice","tags":["queue"],"confidence":0.5,"created_at":1000}
{"ref":"belief:b2","agent_id":"ash","text":"retry once","tags":["disk","queue"],"confidence":0.9,"created_at":2000}
{"ref":"note:n1","agent_id":"claire","text":"retry later","created_at":3000}

== a list by a query
> :list confidence:<lt>0.7 kind:belief<Enter>
  everything › confidence:<0.7 kind:belief
  1 of 3
  retry twice
> 0\retry -"retry once" kind:belief,note<Enter>
  2 of 3
  retry twice
> 0\/re.ry (once|later)$/<Enter>
  2 of 3
> 0\/re(ry/<Enter>
  the pattern 're(ry' is wrong

== a quote that is not closed is an error where it begins
> 0\"at most<Enter>
  the quote that begins here is not closed
+ "<Enter><C-g>
  everything › ""at most""
> 0\agent:"a<Enter>
  the quote that begins here is not closed

== facets count the values of a list; Enter filters it
> 0:facets tag<Enter>
  facets of tag
  2   50.0%
  queue
+ <Enter>
  everything › tag:queue
  2 of 3
> 0Ft
  facets of tag
> 0Fo
  facets of source
> 0\kind:belief<Enter>:facets agent<Enter>
  1 value
  ash
> 0:facets<Enter>
  the values of
> Sretry<Enter>:facets tag<Enter>
  facets are of lists of a kind

== a view is saved with its filter, and opened by its name
> 0\kind:belief confidence:<lt>0.7<Enter>:save weak<Enter>
  saved: :weak opens everything kind:belief confidence:<0.7
> 1:wea
  everything kind:belief confidence:<0.7
> 1:weak<Enter>
  everything › kind:belief confidence:<0.7
  1 of 3
> @\only:changes<Enter>:save written<Enter>1:views<Enter>
  weak ~> written
+ <Down><Enter>
  audit › only:changes
> 0:save beliefs<Enter>
  is the name of an action
> 0:save two words<Enter>
  give a name without blanks
> 0:unsave weak<Enter>:weak<Enter>
  no action is named "weak"
> 0:unsave weak<Enter>
  no view is saved as 'weak'

== a search takes a query, and shows where a word is
{"ref":"note:far","agent_id":"ash","text":"a long text that begins with other things, of which there are quite a few, and only then comes to the zebra"}
> Szebra<Enter>
  …
  zebra
> Sretry kind:note<Enter>
  search "retry kind:note"
  retry later
! retry twice
> Sretry lable:x <Enter>
  there is no field 'lable'
> Sretry kind:no<Tab><Enter>
  search "retry kind:note

== the : line finds actions by other words, by nearly their names, and says when nothing matches
every delete | retrct
> 1:{}
  retract
> 1:mrge
  merge
> 1:cnsldt
  consolidate
> 1:undelete
  restore
> 1<Enter>:sort
  order ~> not here: it works in
> 1:zzzz
  no match
