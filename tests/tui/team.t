# A store that is the replica of a team: the header, and what did not hold.
size 120x36
person sean
clock 1795000000000
{"ref":"belief:deploy","agent_id":"ash","text":"Deploy on Fridays","confidence":0.7,"created_at":1794990000000}
{"ref":"note:rota","agent_id":"ash","text":"Mia is on call","created_at":1794990000000}
team
offline
by sean edit belief:deploy text=Never deploy on a Friday
by sean edit note:rota text=Sean is on call
there mia edit belief:deploy text=Deploy on Mondays

== offline, the header says how much waits to be sent
> <C-g>
  offline, 2 to send
! team:

== online again, what did not hold is counted, and waits in the inbox with its reason and three values
online
> 8<C-g>
  team: ~> 0 behind ~> 1 disputed
! offline
  did not hold
on Deploy on Mondays
  Deploy on Fridays
  Never deploy on a Friday

== the frame
online
offline
by sean edit note:rota text=Nobody is on call
view team-disputed 8

== what did not hold because the memory had ended waits, too, with the three values; deciding about it settles it
online
offline
by sean edit belief:deploy text=Deploy when Sean is there
there mia retract belief:deploy
online
> 8<C-g>
  did not hold
  retracted
on belief:deploy
  Deploy on Mondays
  Deploy when Sean is there
+ x
  nothing waits for you
! disputed
