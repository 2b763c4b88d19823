# Other programs that get what is here.
size 80x24
clock 1700000000000
person
{"ref":"belief:a","text":"queues are full","confidence":0.5}
{"ref":"belief:b","text":"retries are safe","confidence":0.6}
{"ref":"note:page","text":"as the page says","source":"https://example.org/a?b=$(id)&c='"}
{"ref":"note:shell","text":"come in","source":"ssh://-oProxyCommand=evil/"}
{"ref":"note:two","text":"https://example.org/one\nhttps://example.org/two"}

== a command gets a line of JSON for each memory
> 1|grep -q '"ref":"belief:b".*safe'<Enter>
  1 memory went to grep
> 1j|grep -q safe<Enter>
  grep -q safe failed (exit status 1)
> 1<Space><Space>|test $(wc -l) = 2<Enter>
  2 memories went to test $(wc -l) = 2
> 1|<Enter>
  give a command of the shell
> 1|(<Enter>
  ( failed (exit status 2)
> 2:pipe cat<Enter>
  there is no memory here

== a command is run, with the store that is shown
> 1:!test -f "$STEMMA_STORE"<Enter>
  test -f "$STEMMA_STORE" is done
> 1:!exit 3<Enter>
  exit 3 failed (exit status 3)
> 1:run true<Enter>
  true is done
> 1:!<Enter>
  give a command of the shell
> 1|test -f "$STEMMA_STORE"<Enter>
  1 memory went to

== only URIs of the web and of files are opened
> 4/come in<Enter>O
  only http, https and file are opened, not ssh://-oProxyCommand=evil/
> 1O
  this memory has no URI
> 4/example<Enter>O
  https://example.org/one
  https://example.org/two
env PATH=/nowhere
> 4/as the page<Enter>O
  xdg-open cannot be run
