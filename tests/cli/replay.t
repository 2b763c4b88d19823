# Keys of a file, played in the explorer: `stemma replay`.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db TMPDIR=$PWD; rm -rf s.db* .local stemma-*
> stemma import jsonl - >/dev/null 2>&1 <<'MEMORIES'
> {"ref":"raw:log","agent_id":"ash","text":"the log of the day","created_at":1790000000000}
> {"ref":"belief:old","agent_id":"ash","text":"Deploy on Monday.","created_at":1790000000000,"confidence":0.5,"derived_from":["raw:log"]}
> {"ref":"belief:new","agent_id":"ash","text":"Never deploy on Friday.","created_at":1790000001000,"confidence":0.7}
> MEMORIES
> END

# The last frame, of a copy: the store stays as it is, and nothing is left behind.
$ . ./f; printf '%s\n' '# keys' 'size 60x8' 'clock 1795000000000' '> 1j' '+ d<Enter>' >k; stemma replay k; stemma list beliefs | cat; ls -d stemma-* 2>/dev/null
 stemma › all agents › beliefs               2 · recorded ↓
 sign conf  flags  text
   –  0.70         Never deploy on Friday.
 > ×~ 0.00         retracted · Deploy on Monday.


 belief:old retracted · u undoes it                     2/2
 f based on r used by w what if e edit       q quit  ? help
-- cursor 2,4
–  belief:new  0.70    –  direct AGE  Never deploy on Friday.
●  belief:old  0.50  1/1  direct AGE  Deploy on Monday.
[2]

# Each frame, and as JSON.
$ . ./f; printf '%s\n' 'size 60x8' 'clock 1795000000000' '> 1j<Down>' '+ <wait:1200><paste:a b␊><click:3,3><C-l>' >k; stemma replay k --frames | grep '^=='; stemma replay k --frames --json | jq -r '[.line, .key, (.frame | split("\n") | length)] | @csv'
== line 3: 1
== line 3: j
== line 3: <Down>
== line 4: <paste:a b␊>
== line 4: <click:3,3>
== line 4: <C-l>
3,"1",10
3,"j",10
3,"<Down>",10
4,"<paste:a b␊>",10
4,"<click:3,3>",10
4,"<C-l>",10

# What the screen has to show: what is not so is named, with its line.
$ . ./f; printf '%s\n' 'size 60x8' '> 1' '  Deploy on' '! Friday' 'on Never' 'times 2 deploy' '  Never deploy ~> Deploy on' '+ q' '+ j' '+ k' >k; stemma replay k >/dev/null
stemma: k line 4: `! Friday`: that is in
stemma: k line 6: `times 2 deploy`: it is there 1 times
stemma: k line 9: the explorer had ended before that
[1]

# --write: on the store itself.
$ . ./f; printf '%s\n' '> 1jx<Enter>d<Enter>' >k; stemma replay k --write >/dev/null; stemma list beliefs --status retracted --json | jq -r '.memories[]?.ref // .ref'
belief:old

# A setting, an event, and where the person was.
$ . ./f; printf '%s\n' 'size 60x8' 'clock 1795000000000' 'set ascii: yes' 'set keys: {quit: [z], zoom: []}' 'places view: raw␊' '> ' '  raw entries' '+ z' '+' 'ended' >k; stemma replay k | head -2
 stemma > all agents > raw entries           1 . recorded v
 sign flags   age  text

# Files that cannot be played: the line is named.
$ . ./f; for l in 'size x' 'set asci: yes' 'what is this' '> 1<Foo>' '> 1<paste:x' '>1' '# nothing'; do printf '%s\n' 'size 60x8' "$l" >k; stemma replay k; echo "$?"; done; stemma replay none; stemma replay; printf '> 1\n' >k; STEMMA_STORE=none.db stemma replay k; printf 'story\n> 1\n' >k; stemma replay k --write
stemma: k line 2: x is no size. Write it as in `size 120x36`.
3
stemma: k line 2: the settings line 1: there is no setting 'asci'; did you mean 'ascii'? Correct that line or remove it; `stemma help config` shows every setting.
3
stemma: k line 2: replay does not know `what is this`. `> KEYS` begins the keys; `stemma help replay` lists what may be before.
3
stemma: k line 2: there is no key `<Foo>`. Write keys as in j, <C-d>, <Enter>, <PgDn>, <click:3,4>.
3
stemma: k line 2: `<paste:x` has no `>` at its end. Write <lt> for the key `<`.
3
stemma: k line 2: `>` is not followed by a blank. Write `> KEYS`.
3
stemma: k has no keys. A line `> KEYS` has them.
3
stemma: there is no file none. Check the path.
stemma: 'replay' needs FILE. Usage: `stemma replay FILE [--frames] [--watch] [--write]`.
stemma: there is no store at none.db. Name one with --store.
stemma: the keys were recorded in the demo. Omit --write.
[2]
