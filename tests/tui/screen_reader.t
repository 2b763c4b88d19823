# What a screen reader speaks: words for signs, rows from left to right, no lines and drawings.
demo
set screen_reader: yes

== frames
view speech-beliefs 1j
view speech-memory 1<Enter>
view speech-lineage 1f
view speech-inbox 8
view speech-chain 6<Enter>l
view speech-live 9
view speech-retrievals :retrievals<Enter>
view speech-menu 1C
view speech-edit 1e

== no view has signs or lines, and the cursor of the terminal is on the line where the person is
every 1 | 1<Enter> | 1f | 1r | 1b | 1w | 1I | 1* | 3 | 5 | 6 | 6<Enter> | 6<Enter>ll | 6<Enter><Tab> | 7<Enter> | 8 | 9 | 0 | ! | @ | ? | :ret | \ag | 1C | 1F | 1o | 1e | 1i | :retrievals<Enter>l | :namespaces<Enter> | :trust<Enter> | :keystones<Enter> | :diff @1 now<Enter> | :sessions<Enter> | :permissions ash<Enter> | 1~ | 6j^:strategies<Enter> | 1<Space>j<Space>
> {}
! ─
! │
! ┌
! ●
! ◐
! ○
! ↺
! ✓
! ⚑
! ≠
! █
! ▇
! ━
! ›
! ├
! ★
!  >  

== a row has the word of each sign
> 1<Space>
  selected supported ~> supported
on Retries beyond
off selected
+ k
on selected supported

== what is announced is one line
> 1:watch label:unsupported after:2026-01-01 confidence:<0.7 agent:ash -tag:something -tag:else<Enter>
times 1 watch

== a drawing is refused, and the outline says how deep a line is
> 1f,
  drawings are left out
  level 1
> :draw-as<Enter>lr<Enter>1f
  level 1

== a popup covers what is below it
> 1C
off flags
times 1 approve  marks it

== text that has such signs keeps them
{"ref":"belief:signs","text":"● is a sign, and ── is a line > of text","created_at":1794990000000}
> 1/● is<Enter>
on ● is a sign, and ── is a line > of text

== without UTF-8 no other byte is sent
set ascii: yes
> 1
! …

== the head of a group in the inbox has no sign between its words
join s3 codex robin
write s3 robin {"ref":"belief:7ea00001-1","text":"Claire prefers tea","confidence":0.5}
> 8
line robin
! ·
  ; robin ; codex
