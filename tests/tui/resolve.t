# `:resolve` weighs two memories that contradict each other, and replaces one; `:stale` lists what should be looked at.
size 120x24
person sean
{"ref":"raw:page-1","agent_id":"ash","text":"a page","created_at":1794990000000}
{"ref":"belief:teaa1111-5","agent_id":"ash","text":"Tea is better","created_at":1794990000000,"relations":[{"type":"contradicts","to":"belief:cofe1111-6","at":1794990000000,"reason":"asked twice"}]}
{"ref":"belief:cofe1111-6","agent_id":"ash","text":"Coffee it is","created_at":1794990000000,"derived_from":["raw:page-1"]}
{"ref":"note:gone1111-7","agent_id":"ash","text":"Once there","created_at":1794990000000,"marks":[{"mark":"removed_at_source","at":1794990000000}]}

== from the conflicts; again: the other one is replaced, after a preview
> :conflicts<Enter>:resolve<Enter><C-g>
  --keep belief:cofe1111
  it is newer
  ways out
+ :resolve<Enter>
  would be replaced
  + replaces belief:teaa1111
+ <Enter><C-g>
row belief:teaa1111-5
  "status":"superseded"
row belief:cofe1111-6
  "type":"supersedes"

== two selected memories, or a ref
> :beliefs<Enter><Space><Space>:resolve<Enter><C-g>
  --keep belief:cofe1111
> :notes<Enter>:resolve belief:teaa1111<Enter><C-g>
  --keep note:gone1111
> :notes<Enter>:resolve<Enter><C-g>
  nothing is known to contradict

== what is stale
> :stale<Enter><C-g>
  its source no longer has it
  Once there
