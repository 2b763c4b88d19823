# Frames of drawn lineage from the demo story: each style, and what overlays it.
demo
== views
view graph-based-on :drive:26c745cb<Enter>f
view graph-used by 3Gr
view graph-both jjjjjjjjb
view graph-source 3Gf
view graph-circle jjjjf
view graph-echo jjf
view graph-edge jjjjjjjjb<Tab><Tab>
view graph-walked jjjjjjjjbjj<Space>
view graph-what-if jjjjjjjjbW
view graph-dots :drive:26c745cb<Enter>fZ
view graph-legend :drive:26c745cb<Enter>f_
view graph-search :drive:26c745cb<Enter>f/staging<Enter>n
view graph-lr jjjjjjjjb:draw-as lr<Enter>
view graph-lr-box jjjjjjjjb:draw-as lr-box<Enter>
view graph-tb jjjjjjjjb:draw-as tb<Enter>
view graph-tb-box jjjjjjjjb:draw-as tb-box<Enter>
view graph-draw-as jjjjjjjjb:draw-as<Enter>
view graph-yank jjjjjjjjby
view graph-zoom :drive:26c745cb<Enter>fz
view graph-outline jjjjjjjjb,

== narrow
size 79x24
# One column too few for a drawing, and the first width that is enough.
> :drive:26c745cb<Enter>f
frame graph-narrow
size 80x24
> :drive:26c745cb<Enter>f
frame graph-narrow

== the rest of a kind
# There is no room for all ten notes.
size 80x18
> jjf/⋯<Enter>
frame graph-group
+ <Enter>
frame graph-more

== ascii
size 80x24
set ascii: yes
> :drive:26c745cb<Enter>f
frame graph-ascii
> jjjjjjjjb:draw-as lr<Enter>
frame graph-ascii-lr
