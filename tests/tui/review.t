# The review queue.
size 120x24
{"ref":"raw:54c5507f-1","agent_id":"ash","text":"The migration held a lock","created_at":1794990000000}
{"ref":"belief:7d10e6a2-2","agent_id":"ash","text":"Never skip staging before a deploy","created_at":1794990000000,"derived_from":["raw:54c5507f-1"],"marks":[{"mark":"for_review","at":1794995000000,"actor":"sean","reason":"after the incident"}]}
{"ref":"note:99c64f62-3","agent_id":"claire","text":"Canary first","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794999000000,"actor":"ash","value":"contradicted"},{"mark":"rating","at":1794999000000,"value":"2"}]}
{"ref":"goal:aaaa1111-4","agent_id":"ash","text":"Ship","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794991000000,"actor":"ash"},{"mark":"for_review","at":1794997000000,"actor":"claire","reason":"twice"}]}
{"ref":"note:gone-5","agent_id":"ash","text":"gone","status":"forgotten","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794999900000}]}

== frames
view review 8
view review-reviewed 8j;x

== reviewing
# One memory, or all selected ones as one change, which one undo takes back.
> 8
  3 to review
> 8j;xfine<Enter><C-g>
  2 to review
> 8
  2 to review
> :audit operation:mark<Enter>
  +reviewed, -for_review, -for_review (fine)
> u<C-g>
+ 8
  3 to review
> 8  ;xok<Enter><C-g>
  1 to review
> 8u<C-g>
  3 to review
> A1<Esc>8
  to review
> :agent claire<Enter>8
  1 to review
> 8:agent claire<Enter>
  1 to review
> 8;x<Esc>
  3 to review
> 8;xone<Enter><C-g>
+ ;:mark-as for_review<Enter>again<Enter><C-g>
  to review

== changes of others
# A new memory of an agent appears, and the cursor stays on its own.
> 8jj
by agent:claire mark raw:54c5507f-1 mark=for_review | reason=it is old
+ <C-g>
  4 to review
  it is old
on Never skip staging

== an agents approval
# An agent's approval does not replace a person's.
by agent:ash mark note:99c64f62-3 mark=reviewed
size 80x24
> 8
  3 to review

== the list is filtered by text, by who asked and why
> 8\canary<Enter>
  1 to review
  Canary first
! Never skip staging
> 8\after the incident<Enter>
  1 to review
  Never skip staging
> 8\claire<Enter>
  2 to review
+ <Esc>
  3 to review

== a reason names memories by their short refs
{"ref":"raw:0a4f62c1-1111-4222-8333-444455556666","agent_id":"ash","text":"heard"}
by ash mark goal:aaaa1111-4 mark=for_review | reason=see raw:0a4f62c1-1111-4222-8333-444455556666 again
> 8
  see raw:0a4f62c1 again
> @
  (see raw:0a4f62c1 again)

== 80 columns have all keys of a review
size 80x24
> 8
  a approve  e edit  d retract  x reviewed  C change

== q goes back from a view that was opened by its number
every {} | 8 | 9 | !
> {}q
  › beliefs 
  q quit
