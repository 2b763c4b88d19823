# A wrong command line gives one line that says what is wrong and what would be right, and no other output.
$ while IFS= read -r line; do eval "stemma $line" 2>err >out; s=$?; echo "[$s] $(cat err)"; [ -s out ] && cat out; done <<'END'
> lst
> list all --limt 3
> list all --limit
> list all --limit --json
> list all --agent --jsn
> list --agent -- all
> export --store -o x
> sessions --end --store x
> sessions --end --store=x
> sessions --end --json
> sessions --make-read-only --all
> --config --json list all
> list all --limit -1
> list all --limit 0
> list all --limit 3x
> list all --limit 1e3
> list all --order creatd
> list all --order zzz
> list all -n 3
> list all --sort age
> list all --json=yes
> list beleif
> list all more
> show
> fsck x
> add belief x --all
> show x --trace --reverse
> show x --conversation --trace
> show x --depth 3
> add belief x --confidence 1.5
> add belief x --confidence nan
> search ' '
> search $'\u3000' $'\u00a0'
> import kernel x
> --color sometimes list all
> help lst
> list all --store ''
> fsck -x
> $'a\033[31mb'
> mark reviewed
> edit
> process raw:79d086c7
> process raw:79d086c7 --as value
> consolidate belief:8a800c80
> revise episode:52a8b0c0
> edit belief:8a800c80 --tag a --no-tags
> reinforce belief:8a800c80 --evidence a --evidence b
> mark reviewed belief:8a800c80 --remove --value x
> undo x
> seed /dev/null
> frobnicate
> delete belief:8a800c80
> END
[2] stemma: there is no command 'lst'. Did you mean `stemma list`?
[2] stemma: 'list' has no option --limt. Did you mean --limit?
[2] stemma: --limit needs a value. `stemma list --help` explains it.
[2] stemma: --limit needs a value. `stemma list --help` explains it.
[2] stemma: --agent needs a value. `stemma list --help` explains it.
[2] stemma: --agent needs a value. `stemma list --help` explains it.
[2] stemma: --store needs a value. `stemma export --help` explains it.
[2] stemma: --end needs a value. `stemma sessions --help` explains it.
[2] stemma: --end needs a value. `stemma sessions --help` explains it.
[2] stemma: --end needs a value. `stemma sessions --help` explains it.
[2] stemma: --make-read-only needs a value. `stemma sessions --help` explains it.
[2] stemma: --config needs a value. `stemma list --help` explains it.
[2] stemma: --limit takes a whole number, at least 1, not '-1'. `stemma list --help` explains it.
[2] stemma: --limit takes a whole number, at least 1, not '0'. `stemma list --help` explains it.
[2] stemma: --limit takes a whole number, at least 1, not '3x'. `stemma list --help` explains it.
[2] stemma: --limit takes a whole number, at least 1, not '1e3'. `stemma list --help` explains it.
[2] stemma: --order does not take 'creatd'. Did you mean created? It takes recorded, created, updated, confidence, text, trust, retrieved, keystones.
[2] stemma: --order does not take 'zzz'. It takes recorded, created, updated, confidence, text, trust, retrieved, keystones.
[2] stemma: 'list' has no option -n. Did you mean --limit N?
[2] stemma: 'list' has no option --sort. Did you mean --order O? It takes recorded, created, updated, confidence, text, trust, retrieved, keystones.
[2] stemma: --json takes no value. Write only --json.
[2] stemma: there is no kind of memory 'beleif'. Did you mean belief?
[0]
●  step:14d60715         0.88  2/2  inference    claire AGE  Does the broker deliver a message twice?
●  step:46266c43         0.91  2/2  inference    claire AGE  What did nine tries do on the day of the outage?
●  attribution:0a52f6e1  1.00    –  observation  claire AGE  Payments with more than one try between 14:02 and 14:43.
[2] stemma: 'show' needs REF. Usage: `stemma show REF`.
[2] stemma: 'fsck' does not know what to do with 'x'. Usage: `stemma fsck`.
[2] stemma: --all needs --from. Give --from as well, or omit --all.
[2] stemma: --trace and --reverse are two directions. Give one of them.
[2] stemma: --conversation and --trace are two pages. Give one of them.
[2] stemma: --depth needs --trace or --reverse. Give --trace or --reverse as well.
[2] stemma: --confidence takes a number from 0 to 1, not '1.5'. `stemma add --help` explains it.
[2] stemma: --confidence takes a number from 0 to 1, not 'nan'. `stemma add --help` explains it.
[2] stemma: there is nothing to search for. Give at least one word.
[2] stemma: there is nothing to search for. Give at least one word.
[2] stemma: 'kernel' is not an import format. Did you mean kernle?
[2] stemma: --color does not take 'sometimes'. It takes auto, always, never.
[2] stemma: there is no help for 'lst'. Did you mean `stemma help list`?
[2] stemma: the path of the store is empty. Write --store PATH.
[2] stemma: 'fsck' has no option -x. `stemma fsck --help` lists its options.
[2] stemma: there is no command 'a?[31mb'. `stemma help` lists the commands; a store is given by a path with a '/'.
[2] stemma: 'flag' needs REF. Usage: `stemma flag FLAG REF…`.
[2] stemma: 'edit' needs REF. Usage: `stemma edit REF`.
[2] stemma: 'promote' needs --as KIND. `--help` explains it.
[2] stemma: --as does not take 'value'. It takes episode, belief, note.
[2] stemma: 'consolidate' needs --from REF…. `--help` explains it.
[2] stemma: revise needs what the episode confirms or contradicts. Give --confirms REF, --contradicts REF, or both.
[2] stemma: --no-tags removes all tags, but --tag adds some. Omit one of them.
[2] stemma: --evidence takes one value, but 2 are given. Run it once for each.
[2] stemma: --remove removes all flags of that name, whatever their value. Omit --value.
[2] stemma: 'x' is not the number of an event. `stemma log` and `stemma history REF` show the numbers.
[3] stemma: /dev/null has no statement. Write one statement a line.
[2] stemma: there is no command 'frobnicate'. `stemma help` lists the commands; a store is given by a path with a '/'.
[2] stemma: there is no command 'delete'. `stemma retract` marks as wrong, `stemma forget` hides, `stemma purge` erases.
[1]

# Options may be anywhere, and `--` ends them.
$ stemma list beliefs --limit 2 --json >one; stemma --limit=2 --json list beliefs | diff one - && stemma list --json --limit 2 -- beliefs | diff one - && wc -l <one
3
$ stemma list -- --json
stemma: nothing matched
[1]

# Only an argument with the form of an option is one, also after =.
$ for v in '--no such agent' --Ash - -a -o; do stemma list all --agent "$v"; done; stemma list all --agent=--json
stemma: nothing matched: there is no agent '--no such agent'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent '--Ash'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent '-'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent '-a'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent '-o'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent '--json'. There are ash, claire, my-ai-agent-001.
[1]
$ stemma list all --agent -h
stemma: --agent needs a value. `stemma list --help` explains it.
[2]

# A word that is no command finds the commands that speak of it: how to connect an agent.
$ for w in connect claude cursor agent; do echo "-- $w"; stemma help $w | grep -e mcp -e speak; done; stemma help mcp | grep '"args"'; stemma help nosuch
-- connect
These commands speak of it; `stemma help COMMAND` explains one:
  stemma mcp [install claude|claude-desktop|cursor|codex|vscode]
-- claude
These commands speak of it; `stemma help COMMAND` explains one:
  stemma mcp [install claude|claude-desktop|cursor|codex|vscode]
-- cursor
These commands speak of it; `stemma help COMMAND` explains one:
  stemma mcp [install claude|claude-desktop|cursor|codex|vscode]
-- agent
These commands speak of it; `stemma help COMMAND` explains one:
  stemma mcp [install claude|claude-desktop|cursor|codex|vscode]
  "args": ["mcp", "--store", "/home/me/agent/memory.db", "--agent", "claude"]}}}
stemma: there is no help for 'nosuch'. `stemma help` lists the commands.
[2]

# The help of each command names it and its options; an unknown command is an error.
$ for c in $(stemma help | sed -n 's/^  stemma \([a-z-]\{2,\}\).*/\1/p'); do stemma $c --help | grep -q "^Usage: stemma $c" || echo $c; stemma $c --help | grep -c -- '--store PATH'; done | sort | uniq -c
     68 1
$ stemma help list | head -3; stemma help config | tail -1
stemma list - list memories, last recorded first

Usage: stemma list [KIND|all] [QUERY] [options]
share: no
$ stemma process --help
stemma promote - promote a raw entry to an episode, a belief or a note

Usage: stemma promote REF… --as KIND [options]

Prints the ref of the new memory: it is derived from the raw entry, has the source cli-promote and
the tag promoted, and the raw entry names it.

--json: {operation, done, changes: [{ref, operation, event, version, reason, before, after}],
loses_all_support, weakened, descends, left, remarks}; before and after are what differs.

Examples:
  stemma promote raw:24bc8f6c --as note

Options:
  --as KIND               what it becomes: episode, belief or note
  --text TEXT             what that says, in place of the words of the raw entry; - is standard
                          input
  --reason TEXT           why; it is kept in the history
  --dry-run               show what would change, and change nothing

Options of every command:
  --store PATH            the store to use
  --config FILE           the configuration to use
  --read-only             change nothing
  --json                  write JSON
  --color WHEN            colours: auto, always or never
  -h, --help              show this help

# A file that is missing, unreadable or unwritable has its own error, and nothing is created.
$ for c in "list all" "show raw:x" "search x" orphans "whatif raw:x" export fsck; do stemma $c --store missing.db; echo $?; done; ls missing.db*
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
stemma: there is no store at missing.db. Check the path; `stemma` alone lists the stores on this machine.
3
ls: cannot access 'missing.db*': No such file or directory
[2]
$ stemma list all --store /proc/version; stemma list all --config /nonexistent
stemma: /proc/version holds no store yet. Add a memory to it, or give another path.
stemma: there is no file /nonexistent. Give the path of a configuration, or omit --config.
[3]
$ stemma list all >/dev/full; echo $?; stemma export >/dev/full; stemma help >/dev/full; stemma export -o /dev/full
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
3
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
stemma: cannot write /dev/full: No space left on device. Make room there, or write to another place.
[3]
$ stemma list all >&-; echo $?; stemma fsck | tail -1
stemma: cannot write to standard output: Bad file descriptor. Write to another place.
3
171 events, 171 memories and 238 links checked: all is well
$ (stemma export; echo $? >status) | true; cat status
0

# No line of a list exceeds the terminal, except a command that can be copied.
$ for w in 60 80 132; do for c in "list all" "list beliefs" orphans "whatif episode:65f767ba" "search staging" "log --limit 20" "sessions --all" namespaces permissions retrievals; do
>   [ $(COLUMNS=$w stemma --color always $c 2>/dev/null | grep -v ' fix: ' | sed 's/\x1b\[[0-9;]*m//g' | wc -L) -le $w ] || echo "$w $c"
> done; done

# Colours are used only where wanted, and hidden characters of a name are visible.
$ stemma list beliefs | grep -c $'\033'; stemma list beliefs --color=always | grep -c $'\033\\[32m'; NO_COLOR=1 stemma list beliefs --color auto | grep -c $'\033'
0
15
0
[1]
$ stemma permissions --agent $'a\033[31mb' | head -1 | od -c | head -2
0000000   a 357 277 275   [   3   1   m   b  \n
0000012

# ASCII replaces signs without UTF-8: a named character set is respected, an unnamed one is taken as UTF-8.
$ echo 'ascii: yes' >ascii.yaml; stemma list all --config ascii.yaml --store story.db >a; LC_ALL=C grep -c '[^ -~]' a; cut -c1-2 a | sort -u | tr -d '\n'; echo
0
- C S U W x
$ stemma show belief:87cfa577 --trace --config ascii.yaml --store story.db | tail -5
-- based on - 0 of 1 valid
C belief:87cfa577  The hit rate is high because the cache is warm.  0.00
`- C belief:f71aadb8  The cache is warm because its hit rate is high.  0.00
   `- C belief:87cfa577  The hit rate is high because the cache is warm.  circle
C circle: belief:f71aadb8 -> belief:87cfa577 -> belief:f71aadb8
$ LC_ALL=de_DE.ISO-8859-1 stemma list all | grep belief:3218131c; LC_ALL=C stemma list all | grep belief:3218131c; LC_ALL=de_DE.ISO-8859-1 stemma help list | LC_ALL=C grep -c '[^ -~]'
S  belief:3218131c          0.82    3/3  L     told by agent  ash AGE  Run migrations before the workers restart.
●  belief:3218131c          0.82    3/3  ⊘     told by agent  ash AGE  Run migrations before the workers restart.
0
[1]

# Without a terminal the explorer says what to do instead.
$ stemma story.db
stemma: the explorer needs a terminal to draw on. `stemma list all --store story.db` lists what is in it.
[2]
$ stemma ./nowhere.db
stemma: there is no store at ./nowhere.db. Check the path; `stemma` alone lists the stores on this machine.
[3]
$ stemma demo
stemma: the explorer needs a terminal to draw on. `stemma list all --store DIR/.local/state/stemma/demo.db` lists what is in it.
[2]
$ stemma demo --live --read-only
stemma: --live needs a store that agents can write to. Omit --live or --read-only.
[2]
$ echo 'listen: no' >deaf.yaml; stemma demo --live --config deaf.yaml
stemma: the configuration says `listen: no`, so agents cannot connect. Omit --live, or set `listen: yes`.
[2]
$ stemma demo --store own/tale.db; stemma list belief --store own/tale.db | wc -l
made own/tale.db; `stemma own/tale.db` opens it in a terminal
21
$ stat -c %i own/tale.db >before; stemma demo --store own/tale.db; stat -c %i own/tale.db | diff before -
stemma: own/tale.db exists, but the demo needs a new store. Name a new file, or omit --store.
$ (flock -n 9; stemma demo) 9<.local/state/stemma
stemma: another demo is running: this demo has a store of its own, removed when it ends
stemma: the explorer needs a terminal to draw on. Run it in a terminal.
[2]
$ stemma demo --store ''
stemma: the path of the store is empty. Write --store PATH.
[2]

# Without a store it says what it found.
$ rm .config/stemma/config.yaml; stemma --color never
There is no store at DIR/.local/share/stemma/memory.db yet.

Found on this machine:
  ./story.db  a stemma store, 170 memories, changed AGE ago

Next:
  stemma ./story.db       explore it
  stemma demo             look around in an example store
  stemma add note "..."   start your own store
  stemma help             all commands
$ stemma --json | sed 's/"changed_at":1[0-9]\{12\}/"changed_at":MS/'
{"store":"DIR/.local/share/stemma/memory.db","found":[{"path":"./story.db","kind":"stemma","holds":"170 memories","changed_at":MS}],"more":0,"unexamined":0}
$ mkdir many; cd many; seq 502 | xargs -I N touch N.db; stemma --color never | head -4; stemma --json; cd ..; rm -r many
There is no store at DIR/.local/share/stemma/memory.db yet.

No other store was found on this machine either.
  and 2 more files *.db, not looked at
{"store":"DIR/.local/share/stemma/memory.db","found":[],"more":0,"unexamined":2}
