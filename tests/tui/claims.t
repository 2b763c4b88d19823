# Names that agents without a granted one gave themselves.
size 80x24
{"ref":"belief:aaaa1111-1","agent_id":"unnamed","text":"said by a stranger","created_at":1794990000000,"detail":{"claimed_agent":"claire"}}
{"ref":"belief:bbbb1111-2","agent_id":"unnamed","text":"said by nobody","created_at":1794980000000}
{"ref":"belief:cccc1111-3","agent_id":"claire","text":"said by claire","created_at":1794970000000}
{"ref":"belief:dddd1111-4","agent_id":"unnamed","text":"said at length","created_at":1794960000000,"detail":{"claimed_agent":"claire, whom you know well and trust"}}

== the preview says what is claimed where the list has no room for it
> 1
+ /stranger<Enter>
  claims       to be claire
+ /nobody<Enter>
! claims

== a wide list has the sign in front, where a long name is not cut off
size 200x50
> 1
  ?claire 
  ?claire, …
