# The permissions of an agent.
demo

== they open by name from any view
rules
every  | :namespaces<Enter> | :namespaces<Enter><Enter> | :permissions<Enter> | 9 | <Enter>
> {}:permissions claire<Enter>
  permissions › claire

== rates are shown in the row of a namespace, and in full in the preview
set rate_limits: {listMemory: {window_seconds: 60, window_calls: 2}, getContext: {per_second: 5, burst: 10}}
rules
every 80x24 | 120x36 | 200x50
> :permissions<Enter>
  listMemory 2 calls in
  getContext  session, agent, task; 10 at once, 5 a second; other
set preview: off
rules
> :permissions<Enter>
line deploy  
  personal data masked; listMemory 2 calls in 60 s

== the longest time to live is shown whole in the preview, since a cut one would be wrong
set tool_permissions: {putMemory: {allowed_namespaces: [session.*], operations: [write], max_ttl_seconds: 604799}}
rules
every 80x24 | 120x36 | 200x50
> :permissions<Enter>jjjjj
  604799 at
   write… 
! write 6
