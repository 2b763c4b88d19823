# `:duplicates` and `:conflicts`: what says the same, and what contradicts each other.
size 120x24
person sean
{"ref":"raw:page-1","agent_id":"ash","text":"a page","created_at":1794990000000}
{"ref":"belief:30aa1111-1","agent_id":"ash","text":"The rate limit of the API is 30 requests per minute.","created_at":1794990000000}
{"ref":"belief:60aa1111-2","agent_id":"ash","text":"The rate limit of the API is 60 requests per minute","created_at":1794995000000}
{"ref":"note:99c64f62-3","agent_id":"ash","text":"Deploy on Fridays, after a review","created_at":1794990000000,"derived_from":["raw:page-1"]}
{"ref":"note:99c64f63-4","agent_id":"claire","text":"deploy on Fridays after a REVIEW!","created_at":1794991000000,"derived_from":["raw:page-1"]}
{"ref":"belief:teaa1111-5","agent_id":"ash","text":"Tea is better","created_at":1794990000000,"relations":[{"type":"contradicts","to":"belief:cofe1111-6","at":1794990000000,"reason":"asked twice"}]}
{"ref":"belief:cofe1111-6","agent_id":"ash","text":"Coffee it is","created_at":1794990000000}

== a group of duplicates, and its memories
> :duplicates<Enter>
on note:99c64f62
  similarity 1.000 · from a common source
  Deploy on Fridays, after a review
  deploy on Fridays after a REVIEW
+ j<Enter>
  note:99c64f63
> :duplicates<Enter>:duplicates<Enter>
  this is that answer

== conflicts: recorded ones come first
> :conflicts<Enter>
on belief:cofe1111-6
  recorded · asked twice
  candidate · number: 60 / 30
+ jj<Enter>
  belief:60aa1111

== retracting one settles the conflict
> :conflicts<Enter>jjd<Enter><C-g>
+ :conflicts<Enter>
  recorded
! candidate ·

== there is none
person sean
by ash forget note:99c64f62-3
> :duplicates<Enter>
  no two memories say the same
