# The memories of a list as a file, in the formats of `stemma export`.
size 120x24
person
{"ref":"belief:a","agent_id":"ash","text":"queues are full","confidence":0.5}
{"ref":"belief:b","agent_id":"claire","text":"retries are safe","confidence":0.6}
{"ref":"belief:c","agent_id":"ash","text":"a retry is cheap","confidence":0.7}
{"ref":"note:d","agent_id":"ash","text":"retries of ash","confidence":0.7}
{"ref":"note:e","agent_id":"ash","text":"retracted here","status":"retracted"}

== exactly the rows that the list shows
> 1:export ~/all.csv<Enter>
  wrote 3 memories as csv to ~> all.csv
> 1:pipe test $(grep -c ^belief ~/all.csv) = 3 && ! grep -q note: ~/all.csv<Enter>
  1 memory went to
> 0\retr kind:belief<Enter>:export ~/some.jsonl<Enter>
  wrote 2 memories as jsonl to
> 0:pipe grep -q belief:b ~/some.jsonl && test $(wc -l <lt>~/some.jsonl) = 2<Enter>
  1 memory went to
> 4--:export ~/living.jsonl<Enter>
  there is nothing to export
> 4-:export ~/living.jsonl<Enter>
  wrote 1 memory as jsonl

== in the order of the list, with its labels
> 1:order text<Enter>:export ~/sorted.csv<Enter>
  wrote 3 memories as csv
> 1:pipe test "$(cut -d, -f1 ~/sorted.csv | tail -n 3 | tr -d '\n')" = belief:cbelief:abelief:b<Enter>
  1 memory went to
> 1:pipe tail -n 1 ~/sorted.csv | tr -d '\r' | grep -q ',unsourced$'<Enter>
  1 memory went to
> 1:order text<Enter>:order text<Enter>:export ~/back.jsonl<Enter>
  wrote 3 memories as jsonl
> 1:pipe head -n 1 ~/back.jsonl | grep -q 'belief:b.*"label":"unsourced"'<Enter>
  1 memory went to

== only the selected rows, if the list has any
> 1<Space><Space>:export ~/two jsonl<Enter>
  wrote 2 selected memories as jsonl to
> 1:pipe grep -q belief:c ~/two && grep -q belief:b ~/two && test $(wc -l <lt>~/two) = 2<Enter>
  1 memory went to
> 1<Space>4:export ~/notes csv<Enter>
  wrote 2 memories as csv

== each format, and what of the memories it has no room for
every prov-json | server-memory | markdown | dot | mermaid | kernle
> 1:export ~/x-{} {}<Enter>
  wrote 3 memories as
size 200x24
> 1:export ~/y server-memory<Enter>
  to ~> left out: 3 ~> confidences

== an existing file is replaced only if the person says so
> 1:export ~/f csv<Enter>
  wrote 3
> 1<Space>:export ~/f csv<Enter>
  that file exists
  overwrite ~> its content is lost
+ n
! that file exists
> 1:pipe test $(grep -c ^belief ~/f) = 3<Enter>
  1 memory went to
> 1<Space>:export ~/f csv<Enter>y
  wrote 1 selected memory as csv
> 1:pipe test $(grep -c ^belief ~/f) = 1<Enter>
  1 memory went to
> 1:export ~/f markdown<Enter>
  f is a file; this export is a folder
> 1:export ~/f kernle<Enter>
  f exists already

== errors
> 1:export<Enter>
  give a file, and a format of `stemma export`: export FILE csv
> 1:export csv<Enter>
  give a file
> 1:export /nowhere/at/all.csv<Enter>
  cannot write /nowhere/at/all.csv
> 1:export /dev/null<Enter>
  /dev/null is not a file
> :sessions<Enter>:export ~/s csv<Enter>
  the lines here are no memories
> 1\zzz<Enter>:export ~/s csv<Enter>
  there is nothing to export
> 1.:export ~/s csv<Enter>
  export works in a list
