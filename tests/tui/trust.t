# Whom to trust less: `:trust`, and lists by trust.
size 80x24
person sean
{"ref":"note:c1","agent_id":"ash","text":"one","source_type":"told_by_agent","source_entity":"agent:claire"}
{"ref":"note:c2","agent_id":"ash","text":"two","source_type":"external","source_entity":"claire"}
{"ref":"note:z","agent_id":"ash","text":"three","source_type":"told_by_human","source_entity":"human:zoe"}
{"ref":"raw:r","agent_id":"ash","text":"four"}
{"ref":"note:own","agent_id":"ash","text":"five","source_type":"inference","derived_from":["raw:r"]}
{"ref":"attribution:page","agent_id":"ash","text":"a page","detail":{"source_type":"web_scrape","source_uri":"https://queue.example/","retrieval_timestamp":1794990000000}}
{"ref":"note:read","agent_id":"ash","text":"seven","source_type":"external","derived_from":["attribution:page"]}
{"ref":"note:self","agent_id":"ash","text":"six","source_type":"direct_experience"}

== whom to trust less comes first, with the weight that counts
by ash retract note:c2
> :trust<Enter>
on 2          0             1        0.33   0.60  claire
  1          0             0           -   0.90  human:zoe
  calibrated below trust: trust it less
! (confirmed + 1)
+ <Enter>
  told by claire
  two ~> one
! three
> :trust<Enter>:trust<Enter>
  you are in this view

== a page that memories are based on is a source too
> :trust<Enter><Down>
  claire ~> https://queue.example/ ~> zoe
on 1          0             0           -   0.60  https://queue.example/
+ w
  attribution:page what if
  would lose all support ~> note:read
> :trust<Enter>w
  there is no memory here
> :trust<Enter><Down><Enter>
  a page ~> note:read

== unsourced memories come last in a list by trust
> 4:order trust<Enter>
  ●   0.90 ~> five ~> –   1.00 ~> six ~> –   0.90 ~> three

== the columns are explained where nobody is trusted too much
> :trust<Enter>
  calibrated = (confirmed + 1) / (confirmed + contradicted + 2)
! trust it less

== the filter takes told: and flag:
by ash mark note:z mark=poisoned
> 0\told:claire<Enter>
  one ~> two
! three
> 0\told:human:zoe<Enter>
  three
! five
> 0\flag:poison<Enter>
  three
! four
> 0\flag:poisoned agent:bob<Enter>
  nothing matches the filter
> 0\tolt:claire<Enter>
  there is no field 'tolt'. Did you mean told:?

== a label without its field is named where nothing matches
> 0\unsupported<Enter>
  did you mean label:unsupported?
> 0\○<Enter>
  did you mean label:unsupported?
> 0\one replaced<Enter>
  did you mean status:
> 0\one unsupporte<Enter>
  nothing matches the filter; Esc clears it

== the filter is a query: a mistake is shown where it is, Enter keeps the prompt, Tab completes
> 0\conf<Tab>high<Enter>
  confidence: 'high' is not a number
  Esc cancel
+ <BS><BS><BS><BS><lt>0.1<Enter>
  everything › confidence:<0.1
> 0\kind:no<Tab>co
  confidence:
