# A folder of basic-memory: a file is a note with its permalink as id, an observation a belief derived from it, a relation
# support, a replacement or a relation with its type. Targets that are no note are missing.
$ mkdir -p bm/notes; cat >bm/notes/coffee.md <<'END'
> ---
> title: Coffee Brewing Methods
> type: note
> permalink: coffee-brewing-methods
> tags: [coffee, '#brewing']
> created: 2026-01-02T03:04:05Z
> modified: 2026-02-03
> status: active
> ---
> # Coffee Brewing Methods
> - [method] Pour over gives more clarity #brewing (tested in March)
> - [fact] Water at 205°F extracts best
> - [ ] buy beans #todo
> - relates_to [[Coffee Bean Origins]] (see there)
> - based_on [[Tea Brewing]] (by analogy)
> - "Learned from" [[tea-brewing]]
> - "pairs well with" [[Croissant]]
> - supersedes [[notes/old]]
> - contradicts [[OLD]] (in all)
> ## More
> Inline [[Tea Brewing]], [[tea brewing|again]], [[Coffee Brewing Methods]].
> END
> printf -- '---\ntitle: Tea Brewing\npermalink: tea-brewing\n---\nTea. See [coffee](../notes/coffee.md#x).\n' >bm/notes/tea.md; echo 'The old way.' >bm/notes/old.md; mkdir bm/.trash; echo no >bm/.trash/x.md
> export STEMMA_STORE=$PWD/bm.db; touch -d 2026-01-05T00:00:00Z bm/notes/*; stemma import bm; stemma list all --order text | cut -c1-90; stemma show note:coffee-brewing-methods | sed -n '/created/,$p'; stemma list beliefs --json | jq -c '[.text, .tags, .context, .confidence, .detail]' | sort; stemma fsck
stemma: bm is markdown, such as basic-memory writes (4 files, 733 bytes)
stemma: note:coffee-brewing-methods: names note:coffee-bean-origins, which is not here
stemma: note:coffee-brewing-methods: names note:croissant, which is not here
read 5 memories into DIR/bm.db: 5 added, 0 updated, 0 unchanged
  2 beliefs, 3 notes
  10 links
  2 refs that are not in this store
●  note:coffee-b    =0.80  2/2        external AGE  # Coffee Brewing Methods - [method
●  belief:ID1  =0.80  1/1        external AGE  Pour over gives more clarity #brew
–  note:tea-brew    =0.80    –        external AGE  Tea Brewing · Tea. See [coffee]
–  note:ID2    =0.80    –  ≠     external AGE  old · The old way.
●  belief:ID3  =0.80  1/1        external AGE  Water at 205°F extracts best
 created      2026-01-02 03:04:05Z (AGE)
 state        ● supported
 changed      2026-02-03 00:00:00Z (AGE)
 agent        basic-memory
 confidence   =0.800
 trust        0.60, external
 class        external
 source       external (notes/coffee.md)
 tags         coffee, brewing

── based on ─ 2 of 2 valid · 1 independent
   ● 1. – note:tea-brewing          Tea Brewing · Tea. See [coffee](../notes/coffee.md#x). derived =0.80 AGE
          based_on (by analogy)
   ● 2. – note:tea-brewing          Tea Brewing · Tea. See [coffee](../notes/coffee.md#x). derived =0.80 AGE
          Learned from

── used by ─ 2 memories · 2 with no other support
   ● belief:ID1           Pour over gives more clarity #brewing only this =0.80 AGE
   ● belief:ID3           Water at 205°F extracts best only this =0.80 AGE

── related
   links_to from    – note:tea-brewing          Tea Brewing · Tea. See [coffee](../notes/coffee.md#x). =0.80 AGE
   relates_to (see… × note:coffee-bean-origins  not in this store missing
   pairs well with  × note:croissant            not in this store missing
   replaces         – note:ID2             old · The old way. =0.80 AGE
   contradicts      – note:ID2             old · The old way. =0.80 AGE
   links_to         – note:tea-brewing          Tea Brewing · Tea. See [coffee](../notes/coffee.md#x). =0.80 AGE

── note
   title               Coffee Brewing Methods
   permalink           coffee-brewing-methods
   type                note
   status              active
   confidence default  true
["Pour over gives more clarity #brewing",["method","brewing"],"tested in March",0.8,{"confidence_default":true}]
["Water at 205°F extracts best",["fact"],null,0.8,{"confidence_default":true}]
5 events, 5 memories and 10 links checked: all is well

# Importing it again changes nothing. A file that changed is an event of its note, what it no longer says stays and is said.
$ export STEMMA_STORE=$PWD/bm.db; stemma import bm; sed -i 's/205°F/96°C/; s/^Inline.*/Milk spoils it./' bm/notes/coffee.md; touch -d 2026-01-06T00:00:00Z bm/notes/coffee.md; stemma import bm; stemma history note:coffee-brewing-methods; touch bm/notes/*; stemma import bm | head -1
stemma: bm is markdown, such as basic-memory writes (4 files, 733 bytes)
read 5 memories into DIR/bm.db: 0 added, 0 updated, 5 unchanged
  2 beliefs, 3 notes
  10 links
  2 refs that are not in this store
stemma: bm is markdown, such as basic-memory writes (4 files, 673 bytes)
stemma: belief:ID3 is no longer in the source; kept here
stemma: note:coffee-brewing-methods: names note:coffee-bean-origins, which is not here
stemma: note:coffee-brewing-methods: names note:croissant, which is not here
read 5 memories into DIR/bm.db: 1 added, 1 updated, 3 unchanged
  2 beliefs, 3 notes
  9 links
  2 refs that are not in this store
  1 no longer in the source; kept here
Statements that replaced each other, oldest first
    note:ID2  old · The old way.
>   note:coffee-b  # Coffee Brewing Methods - [method] Pour over gives more clarity #brewing (tested in March) - [fact] Water at 96°C extracts best - [ ] buy beans #todo - relates_to [[Coffee Bean Origins]] (see there) - based_on [[Tea Brewing]] (by analogy) - "Learned from" [[tea-brewing]] - "pairs well with" [[Croissant]] - supersedes [[notes/old]] - contradicts [[OLD]] (in all) ## More Milk spoils it.
Changes, newest first
NOW (AGE)  import  basic-memory (agent)  version 2  event 6
    text             - # Coffee Brewing Methods
                     - - [method] Pour over gives more clarity #brewing (tested in March)
                     - - [fact] Water at 205°F extracts best
                     - - [ ] buy beans #todo
                     - - relates_to [[Coffee Bean Origins]] (see there)
                     - … - supersedes [[notes/old]]
                     - - contradicts [[OLD]] (in all)
                     - ## More
                     - Inline [[Tea Brewing]], [[tea brewing|again]], [[Coffee Brewing Methods]].
                     + # Coffee Brewing Methods
                     + - [method] Pour over gives more clarity #brewing (tested in March)
                     + - [fact] Water at 96°C extracts best
                     + - [ ] buy beans #todo
                     + - relates_to [[Coffee Bean Origins]] (see there)
                     + … - supersedes [[notes/old]]
                     + - contradicts [[OLD]] (in all)
                     + ## More
                     + Milk spoils it.
    relations        - related to note:tea-brewing: links_to
NOW (AGE)  import  basic-memory (agent)  version 1  event 1
    agent            + basic-memory
    text             + # Coffee Brewing Methods
                     + - [method] Pour over gives more clarity #brewing (tested in March)
                     + - [fact] Water at 205°F extracts best
                     + - [ ] buy beans #todo
                     + - relates_to [[Coffee Bean Origins]] (see there)
                     + - based_on [[Tea Brewing]] (by analogy)
                     + - "Learned from" [[tea-brewing]]
                     + - "pairs well with" [[Croissant]]
                     + - supersedes [[notes/old]]
                     + - contradicts [[OLD]] (in all)
                     + ## More
                     + Inline [[Tea Brewing]], [[tea brewing|again]], [[Coffee Brewing Methods]].
    created          + 2026-01-02 03:04:05
    confidence       + 0.800
    source type      + external
    source           + notes/coffee.md
    status           + active
    tags             + coffee
    tags             + brewing
    confidence defa… + true
    frontmatter      + {"type":"note","status":"active"}
    permalink        + coffee-brewing-methods
    title            + Coffee Brewing Methods
    justifications   + derived from note:tea-brewing: based_on (by analogy)
    justifications   + derived from note:tea-brewing: Learned from
    relations        + related to note:coffee-bean-origins: relates_to (see there)
    relations        + related to note:croissant: pairs well with
    relations        + replaces note:ID2
    relations        + contradicts note:ID2: in all
    relations        + related to note:tea-brewing: links_to
stemma: bm is markdown, such as basic-memory writes (4 files, 673 bytes)
read 5 memories into DIR/bm.db: 0 added, 0 updated, 5 unchanged

# Any other folder, or file: its lists are no observations. A file with frontmatter is recognised; another needs the name.
$ mkdir -p plain/sub; printf -- '---\nname: a\n---\n- [idea] no belief #t\n- see [[B]], [c](sub/c.md), [[sub/c#part]]\n' >plain/a.md; echo 'B is here.' >plain/b.markdown; echo 'C [up](../a.md)' >plain/sub/c.md; echo text >plain/other.txt
> export STEMMA_STORE=$PWD/plain.db; stemma import plain --agent ash; stemma list all --order text --json | jq -c '[.text[:8], .agent_id, .source, .detail]'; stemma export | jq -c '[.text[:8], [.relations[]?.reason]]' | sort
> stemma import plain/a.md --dry-run --store no.db | head -2; stemma import plain/b.markdown --store no.db; stemma import markdown plain/b.markdown --dry-run --store no.db; mkdir empty; stemma import markdown empty --store no.db; ls no.db
stemma: plain is markdown, such as basic-memory writes (4 files, 113 bytes)
stemma: note:ID4: names note:b, which is not here
read 3 memories into DIR/plain.db: 3 added, 0 updated, 0 unchanged
  3 notes
  3 links
  1 ref that is not in this store
["- [idea]","ash","a.md",{"title":"a","frontmatter":{"name":"a"},"confidence_default":true}]
["B is her","ash","b.markdown",{"title":"b","confidence_default":true}]
["C [up](.","ash","sub/c.md",{"title":"c","confidence_default":true}]
["- [idea]",["links_to","links_to"]]
["B is her",[]]
["C [up](.",["links_to"]]
stemma: plain/a.md is markdown, such as basic-memory writes (81 bytes)
stemma: note:ID4: names note:b, which is not here
stemma: note:ID4: names note:sub/c-part, which is not here
stemma: note:ID4: names note:sub/c, which is not here
would import 1 memory into no.db: 1 added, 0 updated, 0 unchanged
  1 note
stemma: plain/b.markdown is in no format that stemma knows. `stemma help import` names the formats that it reads.
would import 1 memory into no.db: 1 added, 0 updated, 0 unchanged
  1 note
read 0 memories: 0 added, 0 updated, 0 unchanged
ls: cannot access 'no.db': No such file or directory
[2]

# The commits of a repository are history.
$ g() { git -C repo -c user.name=Ada -c user.email=ada@x.example "$@" >/dev/null; }
> mkdir -p repo/deep; g init -q .; echo one >repo/a.md; echo x >repo/deep/b.md; g add .; GIT_AUTHOR_DATE=2026-01-01T00:00:00Z g commit -m 'First notes'; echo two >>repo/a.md; GIT_AUTHOR_DATE=2026-01-02T00:00:00Z g commit -am 'More of a'; printf 'x' >"$(printf 'repo/c\nd.md')"; touch -d 2026-01-03T00:00:00Z repo/c*
> export STEMMA_STORE=$PWD/repo.db; stemma import repo; stemma export | jq -c '[.text, .created_at, [.history[]? | .at, .reason, .actor, .operation, .origin, .evidence_source[:7]]]' | sort
> stemma import markdown repo/deep --store deep.db --json | jq -c '.read, .remarks'; stemma export --store deep.db | jq -c '[.history[].reason]'; mkdir bin; ln -s $(which stemma) bin; PATH=$PWD/bin stemma import repo --store nogit.db | tail -1
stemma: repo is markdown, such as basic-memory writes (3 files, 11 bytes)
read 3 memories into DIR/repo.db: 3 added, 0 updated, 0 unchanged
  3 notes
["one\ntwo",1767225600000,[1767225600000,"First notes","Ada","commit","git","commit:",1767312000000,"More of a","Ada","commit","git","commit:"]]
["x",1767225600000,[1767225600000,"First notes","Ada","commit","git","commit:"]]
["x",1767398400000,[]]
1
""
["First notes"]
stemma: repo is markdown, such as basic-memory writes (3 files, 11 bytes)
  no history from its repository: git cannot be started

# A folder that was moved is recognised by its permalinks; without them its notes are others.
$ for f in known unknown; do mkdir $f; echo one >$f/a.md; done; printf -- '---\npermalink: one\n---\none\n' >known/a.md; for f in known unknown; do stemma import markdown $f --store moved.db; mv $f $f.d; stemma import markdown $f.d --store moved.db; done 2>&1 | grep -v '  '
read 1 memory into moved.db: 1 added, 0 updated, 0 unchanged
stemma: recognised as DIR/known, moved
read 1 memory into moved.db: 0 added, 0 updated, 1 unchanged
read 1 memory into moved.db: 1 added, 0 updated, 0 unchanged
read 1 memory into moved.db: 1 added, 0 updated, 0 unchanged

# Ctrl-C is heard while git is silent: the import ends, and git with it.
$ printf '#!/bin/sh\nexec sleep 60\n' >bin/git; chmod +x bin/git; PATH=$PWD/bin:$PATH timeout --foreground -k 8 -s INT 1 stemma import repo --store stopped.db; echo $?; rm bin/git
stemma: repo is markdown, such as basic-memory writes (3 files, 11 bytes)
stemma: the import was interrupted; what was imported stays. Run it again to continue.
124

# Of many commits the last 200 are history; the first says when the note was made.
$ git init -qb x many; for i in $(seq 201); do printf 'commit refs/heads/x\ncommitter A <a@x> %d +0000\ndata 4\nc%03d\nM 644 inline a.md\ndata 3\n%03d\n' $((1767225600+i)) $i $i; done | git -C many fast-import --quiet; git -C many reset -q --hard; stemma import many --store many.db | tail -1; stemma export --store many.db | jq -c '[.created_at, (.history | length), .history[0].reason, .history[-1].reason]'
stemma: many is markdown, such as basic-memory writes (1 file, 3 bytes)
  of a note with more than 200 commits, the last 200 are its history
[1767225601000,200,"c002","c201"]

# No program that a repository names runs: not to check a signature, and not to fetch an object that it lacks.
$ printf '#!/bin/sh\ntouch %s/harmed\nexit 1\n' "$PWD" >evil; chmod +x evil; cd repo; c=$(git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----' | git hash-object -t commit -w --stdin --literally); git update-ref HEAD $c; git config gpg.program $PWD/../evil; git config log.showSignature true
> git --no-pager log >/dev/null; ls ../harmed; rm ../harmed; stemma import . --store ../signed.db | tail -1; ls ../harmed
> git config core.repositoryFormatVersion 1; git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.url ext::$PWD/../evil; git config protocol.ext.allow always; t=$(git rev-parse HEAD^{tree}); rm -f .git/objects/${t::2}/${t:2}
> git --no-pager -c log.showSignature=false log --name-only >/dev/null 2>&1; ls ../harmed; rm ../harmed; stemma import . --store ../promised.db | tail -1; ls ../harmed
../harmed
stemma: . is markdown, such as basic-memory writes (3 files, 11 bytes)
  3 notes
ls: cannot access '../harmed': No such file or directory
../harmed
stemma: . is markdown, such as basic-memory writes (3 files, 11 bytes)
  no history from its repository: git log fails there
ls: cannot access '../harmed': No such file or directory
[2]

# MemFS: what is in system/ is in context, what is read only is locked, and the agent who commits is the agent.
$ g() { git -C memfs -c user.name="$1" -c user.email="$2" "${@:3}" >/dev/null; }
> mkdir -p memfs/system memfs/skills; printf -- '---\ndescription: who I am\nread_only: true\n---\nI am Ash. See [[skills/cook]] and [[system/human]].\n' >memfs/system/persona.md; printf -- '---\ndescription: how to cook\nlimit: 5\n---\nBoil.\n' >memfs/skills/cook.md; echo bare >memfs/notes.md
> g a b init -q .; g Ash agent-7@letta.com add .; GIT_AUTHOR_DATE=2026-01-01T00:00:00Z g Ash agent-7@letta.com commit -m 'Remember who I am'
> export STEMMA_STORE=$PWD/memfs.db; stemma import memfs; stemma list all --order text; stemma export | jq -c '[.text[:9], .agent_id, .protected, .detail, [.history[].actor], [.relations[]?.to | sub("[0-9a-f]{8}-.*"; "ID")]]' | sort
stemma: memfs is MemFS, the memory of an agent of Letta in a git repository (3 files, 151 bytes)
stemma: notes.md: has no description, which MemFS needs
stemma: note:ID5: names note:system/human, which is not here
read 3 memories into DIR/memfs.db: 3 added, 0 updated, 0 unchanged
  3 notes
  2 links
  1 ref that is not in this store
  1 not understood
–  note:ID6  =0.80  –        external AGE  cook · Boil.
–  note:ID5  =0.80  –  ⊘     external AGE  persona · I am Ash. See [[skills/cook]] and [[system/human]].
–  note:ID7  =0.80  –        external AGE  notes · bare
["Boil.","agent-7",null,{"title":"cook","in_context":false,"frontmatter":{"description":"how to cook","limit":"5"},"confidence_default":true},["Ash"],[]]
["I am Ash.","agent-7",true,{"title":"persona","in_context":true,"frontmatter":{"description":"who I am","read_only":"true"},"confidence_default":true},["Ash"],["note:ID","note:system/human"]]
["bare","agent-7",null,{"title":"notes","in_context":false,"confidence_default":true},["Ash"],[]]

# A folder above the memory of an agent is none; the hint names one.
$ mkdir -p letta/agents/agent-7; cp -r memfs letta/agents/agent-7/memory; stemma import letta --store letta.db; ls letta.db
stemma: letta is MemFS, the memory of an agent of Letta in a git repository (3 files, 151 bytes)
stemma: letta is above the memory of an agent. Give the folder of one, such as letta/agents/agent-7/memory.
ls: cannot access 'letta.db': No such file or directory
[2]

# Hostile files are reported by name, and the others are imported.
$ mkdir -p evil.d/loop; cd evil.d; ln -s .. loop/up; ln -s /etc/passwd link.md; truncate -s 100M big.md; printf 'bad \xff and \0 nul' >bytes.md; printf 'x' >"$(printf 'ctrl\033[31m\nname.md')"; mkfifo pipe.md; { echo ---; echo 'a0: &a0 [l,l,l,l,l,l,l,l,l]'; for i in 1 2 3 4 5 6 7 8 9; do p=$((i-1)); echo "a$i: &a$i [*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p,*a$p]"; done; echo ---; echo laughs; } >laughs.md; printf -- '---\na: [b\n---\nbroken\n' >broken.md; printf -- '---\ntitle: Rule: one\n---\nmended\n' >mended.md; printf -- '---\npermalink: "two words\\x01"\ntitle: "t"\ncreated: someday\nconfidence_default: false\n---\nodd\n' >odd.md; printf -- '---\npermalink: same\n---\none\n' >s1.md; printf -- '---\npermalink: same\n---\ntwo\n' >s2.md; cd ..
> export STEMMA_STORE=$PWD/evil.db; timeout 60 stemma import evil.d; stemma list all --order text --json | jq -c '[.text[:11], .source, .detail]'; stemma fsck
stemma: evil.d is markdown, such as basic-memory writes (9 files, 100 MiB)
stemma: DIR/evil.d/link.md: is a symbolic link, which is not followed
stemma: DIR/evil.d/loop/up: is a symbolic link, which is not followed
stemma: big.md: is longer than 64 MiB; left out
stemma: s2.md: has the permalink same of s1.md; its id is made of its path
stemma: broken.md: line 3 of its frontmatter: did not find expected ',' or ']'
stemma: bytes.md: bytes that are no text are shown as U+FFFD
stemma: laughs.md: line 6 of its frontmatter: aliases make it longer than 256 KiB
stemma: mended.md: line 2 of its frontmatter: mapping values are not allowed in this context; read with its values in quotes
stemma: odd.md: `created` is no time that can be read
read 8 memories into DIR/evil.db: 8 added, 0 updated, 0 unchanged
  8 notes
  7 not understood
["---\na0: &a0","laughs.md",{"title":"laughs","confidence_default":true}]
["---\na: [b\n-","broken.md",{"title":"broken","confidence_default":true}]
["bad � and �","bytes.md",{"title":"bytes","confidence_default":true,"original":"YmFkIP8gYW5kIAAgbnVs"}]
["mended","mended.md",{"title":"Rule: one","confidence_default":true}]
["odd","odd.md",{"title":"t","permalink":"two words\u0001","frontmatter":{"confidence_default":"false"},"confidence_default":true}]
["one","s1.md",{"title":"s1","permalink":"same","confidence_default":true}]
["two","s2.md",{"title":"s2","permalink":"same","confidence_default":true}]
["x","ctrl\u001b[AGE\nname.md",{"title":"ctrl\u001b[AGE\nname","confidence_default":true}]
8 events, 8 memories and 0 links checked: all is well

# Of two files with one permalink the second has an id of its own. A link to it finds the first, and no note is related to itself.
$ mkdir -p two/a two/b; printf -- '---\ntitle: First\npermalink: same\n---\none, see [[same]] and [[Second]]\n- [fact] it is one\n' >two/a/s1.md; printf -- '---\ntitle: Second\npermalink: same\n---\ntwo, see [[same]] and [[Second]]\n- [fact] it is two\n' >two/b/s2.md; printf 'three, see [[same]]\n' >two/three.md
> export STEMMA_STORE=$PWD/two.db; stemma import two; stemma import two 2>&1 | head -3; stemma export | jq -c '[.text[:11], (.ref == "note:same"), [.relations[]?.to == "note:same"]]' | sort
stemma: two is markdown, such as basic-memory writes (3 files, 199 bytes)
stemma: b/s2.md: has the permalink same of a/s1.md; its id is made of its path
read 5 memories into DIR/two.db: 5 added, 0 updated, 0 unchanged
  2 beliefs, 3 notes
  4 links
  1 not understood
stemma: two is markdown, such as basic-memory writes (3 files, 199 bytes)
stemma: b/s2.md: has the permalink same of a/s1.md; its id is made of its path
read 5 memories into DIR/two.db: 0 added, 0 updated, 5 unchanged
["it is one",false,[]]
["it is two",false,[]]
["one, see [[",true,[false]]
["three, see ",false,[true]]
["two, see [[",false,[]]

# Nothing that is written may lie in the folder of the source, also through a link.
$ cp -r two src; ln -s src link; : >keep; for to in src/a/s1.md link/new.txt src/sub/new src/../keep; do stemma import src --store out.db --report $to 2>&1 | tail -1; done; ls out.db; stemma import link --store src/in.db; STEMMA_STORE=link/in.db stemma import src --dry-run; ls src; cat keep | head -1
stemma: src/a/s1.md is in the folder of the source, which is only read. Give a path outside it.
stemma: link/new.txt is in the folder of the source, which is only read. Give a path outside it.
stemma: src/sub/new is in the folder of the source, which is only read. Give a path outside it.
  1 not understood
out.db
stemma: link is markdown, such as basic-memory writes (3 files, 199 bytes)
stemma: src/in.db is in the folder of the source, which is only read. Give a path outside it.
stemma: src is markdown, such as basic-memory writes (3 files, 199 bytes)
stemma: link/in.db is in the folder of the source, which is only read. Give a path outside it.
a
b
three.md
b/s2.md: has the permalink same of a/s1.md; its id is made of its path

# What is read to recognise a file may end within a line.
$ python3 -c 'text = "---\na: b\n"; print(text + "c" * (262144 - len(text) - 2) + "\n-", end="")' >head.md; stemma import head.md --store h.db | head -1
stemma: head.md is markdown, such as basic-memory writes (256 KiB)
read 1 memory into h.db: 1 added, 0 updated, 0 unchanged
