# On a terminal a list has a heading, and →1 where all justifications end in one source. In a pipe it has neither.
$ python3 -m terminal stemma list beliefs --limit 3 --agent ash; stemma list beliefs --limit 1 --agent ash 2>/dev/null
stemma: there are more beyond --limit
sign  ref              conf  flags   age  text
●     belief:c2992c46  0.93  ≠ AGE  Retries are always safe on the new qu…
●     belief:3d3fd14b  0.80 AGE  Blue-green halves the time of a rollb…
●     belief:8a2770de  0.89  ⊘ AGE  Never skip staging before a deploy. I…
●  belief:c2992c46  0.93  10/10  ≠  consolidation AGE  Retries are always safe on the new queue.
# The page and the trace of a memory say how much of its support stands, and that it comes from one source.
$ stemma show belief:c2992c46 | grep 'based on ─'; stemma show belief:c2992c46 --trace | grep 'based on ─'
── based on ─ 10 of 10 valid · 1 independent
── based on ─ 10 of 10 valid · 1 independent
$ for kind in documents chains attributions; do python3 -m terminal stemma list $kind --limit 1 | tail -2; done
sign  ref                conf  support  uses    age  text
●     document:slow-que  1.00      1/1  1 use AGE  Slow query log, production
sign  ref             conf  state               age  text
●     chain:3589b33b  0.83  finished, 3 steps AGE  How much does one canary s…
sign  ref                   conf  type            age  text
●     attribution:c1fe4847  1.00  tavily_search AGE  Summary of search result…

# What is longer than the terminal goes through the pager; what is not, JSON, and the lines of log --follow do not.
$ paged() { python3 -m terminal env TERM=xterm PAGER='sed s/^/:/' stemma "$@" | grep -c ^:; }; paged list --limit 40; paged list --limit 5; paged list --limit 40 --json; paged log --follow --until now; paged log --limit 30; STEMMA_PAGER=cat paged log --limit 30; STEMMA_PAGER=false paged log --limit 30
41
0
0
0
30
0
0
[1]

# After a change a terminal is told how to take it back. A purge cannot be taken back.
$ python3 -m terminal stemma lock belief:8fc21b98; python3 -m terminal stemma lock belief:8fc21b98; python3 -m terminal stemma lock belief:b3a8ff92 --json | grep -c "stemma undo"; stemma add note "a draft" >ref; python3 -m terminal y stemma purge $(cat ref) | tail -2
── locked ─ 1
     belief:8fc21b98  Retries beyond three hide the first error.     0.75 AGE
       locked             no → yes
stemma: `stemma undo 172` takes it back
── nothing was locked

── unchanged
   belief:8fc21b98-eede-48a7-ba70-ee19ef41b843 is locked already
0
── notes
   backups, exports and other copies stay as they are

# An undo that changes one memory is done at once; of several it is asked.
$ python3 -m terminal y stemma retract attribution:03b3f0bb | tail -3; python3 -m terminal n stemma undo | tail -4; python3 -m terminal y stemma undo | grep undone; python3 -m terminal stemma undo --yes | grep -c 'y/N'
── notes
   not flagged, because only indirectly affected: 1 more
stemma: `stemma undo 176` takes it back
     attribution:03b3f0bb  A vendor's page claims that exactly-onc…  1.00 AGE
       status             retracted → active
Shall it be undone? [y/N] n
stemma: nothing was changed.
── would be undone ─ 11
Shall it be undone? [y/N] y
── undone ─ 11
0
[1]

# Commands that fix a problem are not broken into lines.
$ python3 -m terminal stemma orphans | grep -c '^      fix: printf .*jsonl -$'
1

# --yes is in the help of commands that ask, and is accepted by the others.
$ for c in retract undo edit approve; do echo $c $(stemma $c --help | grep -c -- --yes); done; stemma approve belief:8a2770de --yes | head -1
retract 2
undo 1
edit 0
approve 0
── approved ─ 1

# A Kernle store and its working copy: the copy is named, and only the original is offered.
$ mkdir .kernle; cp $DATA/kernle-demo.db .kernle/memories.db; python3 -m terminal stemma list all --store .kernle/memories.db; stemma import kernle .kernle/memories.db --store .kernle/memories.stemma.db >/dev/null 2>&1; python3 -m terminal stemma list all --store .kernle/memories.db; export STEMMA_STORE=; rm .config/stemma/config.yaml; HOME=$PWD COLUMNS=40 stemma | sed '/^ *changed/d; s/, changed.*//'
stemma: DIR/.kernle/memories.db is a store of Kernle. Run stemma import kernle on it.
stemma: DIR/.kernle/memories.db is a store of Kernle. Its working copy is DIR/.kernle/memories.stemma.db: --store that.
There is no store at DIR/.local/share/stemma/memory.db yet.

Found on this machine:
  DIR/.kernle/memories.db
      a Kernle store, 7 beliefs, 3
      episodes, 2 notes, 5 raw entries,
  DIR/.kernle/memories.stemma.db
      the working copy of memories.db,
      20 memories
  ./story.db
      a stemma store, 170 memories,

Next:
  stemma DIR/.kernle/memories.db
      explore it
  stemma ./story.db       explore it
  stemma demo
      look around in an example store
  stemma add note "..."
      start your own store
  stemma help             all commands

# The demo begins with its tour once, and whenever it is asked for.
$ for words in demo demo "demo --tour"; do echo "$words: $(python3 -m terminal Q env TERM=xterm stemma $words | grep -ao 'tour [0-9]/[0-9]')"; done
demo: tour 1/5
demo:
demo --tour: tour 1/5
