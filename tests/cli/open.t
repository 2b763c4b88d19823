# The content of a file decides whether it opens.
$ cat >f <<'END'
> try() { stemma list all --store "$1" 2>&1 | head -1; }
> END
> . ./f; try nothing; : >empty; try empty; echo "this is no database, but it is long enough to be one .........." >words; try words; printf '\n {"ref":"raw:a","text":"t"}\n{' >lines; try lines; printf '{"text":"t"}\n{"ref":"raw:a"}' >other; try other; printf 'SQLite format 3\0 and then garbage' >garbage; try garbage; try .; cp $DATA/kernle-demo.db kernle; try kernle
stemma: there is no store at nothing. Check the path; `stemma` alone lists the stores on this machine.
stemma: DIR/empty holds no store yet. Add a memory to it, or give another path.
stemma: cannot open DIR/words: it is not a database. Check the path.
stemma: cannot open DIR/lines: it is not a database. Check the path.
stemma: cannot open DIR/other: it is not a database. Check the path.
stemma: cannot open DIR/garbage: it is not a database. Check the path.
stemma: . is not a file. Give the path of a file.
stemma: DIR/kernle is a store of Kernle. Run stemma import kernle on it.

# A truncated file is refused wherever it ends; a newer version is read but not written.
$ . ./f; stemma add raw here --store whole.db >/dev/null; python3 - <<'END'
> import subprocess
> whole, said = open("whole.db", "rb").read(), set()
> for cut in range(1, len(whole), len(whole) // 23):
>     with open("cut.db", "wb") as f: f.write(whole[:cut])
>     p = subprocess.run(["stemma", "list", "all", "--store", "cut.db"], capture_output=True, text=True)
>     said.add((p.returncode, "here" in p.stdout, p.stderr != ""))
> print(said)
> END
> cp whole.db newer.db; python3 -c "import sqlite3; c = sqlite3.connect('newer.db'); c.executescript('PRAGMA user_version = 99; ALTER TABLE memory ADD COLUMN later TEXT')"; stemma list all --store newer.db 2>&1 | sed 's/DIR//'; stemma add raw x --store newer.db 2>&1 | tail -1
{(3, False, True)}
stemma: DIR/newer.db was written by a newer stemma and is open for reading only. Use the newest stemma to change it.
●  raw:ID1  1.00  –  direct AGE  here
stemma: DIR/newer.db was written by a newer stemma and is open for reading only. Use the newest stemma to change it.

# A store of the version before has an index that is no longer used. It is removed.
$ . ./f; stemma add raw here --store seven.db >/dev/null; python3 -c "import sqlite3; c = sqlite3.connect('seven.db'); c.executescript('ALTER TABLE mark DROP COLUMN by_agent; ALTER TABLE history DROP COLUMN before; ALTER TABLE history DROP COLUMN after; DROP TABLE source_file; DROP TABLE source_line; DROP TABLE source_touch; PRAGMA user_version = 7; ALTER TABLE lookup RENAME TO found_by; DROP TABLE head_place; DROP TABLE usage; DROP TABLE failure; CREATE INDEX call_lines ON call(id)')"; stemma add raw more --store seven.db >/dev/null; python3 -c "import sqlite3; c = sqlite3.connect('seven.db'); print(c.execute('SELECT count(*) FROM sqlite_schema WHERE name = \'call_lines\'').fetchone())"; stemma fsck --store seven.db
(0,)
2 events, 2 memories and 0 links checked: all is well

# Odd names, relative paths and keys.
$ mkdir d; cd d; stemma add raw a --store 'odd # name? 100%.db' >/dev/null; cd ..; stemma add raw b --store 'd/odd # name? 100%.db' >/dev/null; stemma list all --store "$PWD/d/../d/odd # name? 100%.db" | wc -l; ls d
2
odd # name? 100%.db
$ k() { printf "hmac_key: $PWD/key\nactor: sean\n" >k.yaml; stemma add raw a --store keyed.db --config k.yaml 2>&1 | tail -1 | sed 's/raw:.*/added/'; }; k; echo secret >key; chmod 644 key; k; echo >key; chmod 600 key; k; ls keyed.db 2>&1 | tail -1; echo test-secret >key; k; stemma fsck --store keyed.db --config k.yaml
stemma: cannot read the key file DIR/key: No such file or directory. Check the configuration.
stemma: others may read the key file DIR/key. Run chmod 600 on it.
stemma: DIR/key is not a key file. It should hold 1 to 4096 bytes.
ls: cannot access 'keyed.db': No such file or directory
added
1 event, 1 memory and 0 links checked: all is well
Signatures (HMAC) checked: 1.

# The explorer imports lines without an agent as `import` does: they belong to the person who opens them.
$ cat >explore.py <<'END'
> import fcntl, os, pty, struct, sys, termios
> child, screen = pty.fork()
> if child == 0:
>     fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
>     os.execvpe("stemma", ["stemma", *sys.argv[1:]], dict(os.environ, TERM="xterm"))
> shown = b""
> try:
>     while block := os.read(screen, 65536):
>         shown += block
>         if b" added, " in shown: os.write(screen, b"q")
> except OSError:  # the terminal is closed
>     pass
> os.waitpid(child, 0)
> END
> echo '{"ref":"note:mine","text":"of nobody"}' >mine.jsonl; timeout 60 python3 explore.py mine.jsonl --store w.db; stemma export --store w.db | jq -c '[.ref, .agent_id]'; stemma import jsonl mine.jsonl --store w.db | head -1
["note:mine","sean"]
read 1 memory into w.db: 0 added, 0 updated, 1 unchanged
# A database of one's own is opened as a map describes it. The first line has its version, and what no SELECT reads.
$ sqlite3 own.db "CREATE TABLE notes(id, body); INSERT INTO notes VALUES (1, 'milk'); CREATE TABLE versions(n); INSERT INTO versions VALUES (7); CREATE TABLE other(x); INSERT INTO other VALUES (1)"; printf "name: own\nversion: SELECT max(n) FROM versions\nignored: [versions]\nselects:\n  - table: notes\n    sql: SELECT 'note:' || id AS ref, body AS text FROM notes\n" >own.yaml
> stemma own.db --map own.yaml 2>&1 | sed 's/own-[0-9a-f]*/own-HASH/'; timeout 60 python3 explore.py own.db --map own.yaml --store own.s; stemma export --store own.s | jq -c '[.ref, .text, .agent_id]'; stemma own.db --map none.yaml; stemma own.db; stemma --map own.yaml </dev/null
stemma: own.db is a database with a table of the map (16 KiB; schema 7; not imported: other 1)
stemma: the explorer needs a terminal to draw on. `stemma import --map own.yaml DIR/own.db --store DIR/.local/share/stemma/own-HASH.db` imports it.
["note:1","milk","own"]
stemma: cannot read none.yaml: No such file or directory. Check the path.
stemma: own.db is in no format that stemma knows. --map FILE reads any database; docs/formats/map.md says how.
stemma: --map needs the path of a database. `stemma PATH --map FILE` opens it.
[2]
# A rollout of Codex that is compressed is recognised by its content, also in a folder of nothing else.
$ mkdir rolls; printf '{"timestamp":"2026-08-29T10:00:00Z","type":"session_meta","payload":{"id":"00000001-0000-4000-8000-000000000000","cwd":"/w"}}\n' | zstd -q >rolls/rollout-2026-08-29T10-00-00-00000001-0000-4000-8000-000000000000.jsonl.zst; cp rolls/*.zst packed; for from in rolls rolls/*.zst packed; do stemma import $from --store $(basename $from).s | tail -1; done; printf '(\265/\375 and more' >damaged; stemma damaged
stemma: rolls is what Codex keeps: memories and rollouts (1 file, 113 bytes)
  1 new line in 1 transcript
stemma: rolls/rollout-2026-08-29T10-00-00-00000001-0000-4000-8000-000000000000.jsonl.zst is what Codex keeps: memories and rollouts (113 bytes)
  1 new line in 1 transcript
stemma: packed is what Codex keeps: memories and rollouts (113 bytes)
  1 new line in 1 transcript
stemma: damaged is in no format that stemma knows. `stemma help import` names the formats that it reads.
[3]
# Without a path the stores are listed, and one is chosen by its number; a wrong one asks again, three times. Words are not broken.
$ cat >choose.py <<'END'
> import fcntl, os, pty, struct, sys, termios, time
> child, screen = pty.fork()
> if child == 0:
>     fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
>     os.execvpe("stemma", ["stemma"], dict(os.environ, TERM="dumb", NO_COLOR="1"))
> shown, answers = b"", sys.argv[1:]
> try:
>     while block := os.read(screen, 65536):
>         shown += block
>         if answers and shown.endswith(b"[1] "):
>             os.write(screen, answers.pop(0).encode() + b"\n")
> except OSError:  # the terminal is closed
>     pass
> print(shown.decode().replace("\r\n", "\n"), end="")
> print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
> END
> mkdir -p h/.letta/agents/agent-with-a-long-name/memory/system h/basic-memory/notes; export HOME=$PWD/h STEMMA_STORE=; g() { git -C h/.letta/agents/*/memory -c user.name=a -c user.email=a@x "$@" >/dev/null; }; g init -q .; printf -- '---\ndescription: d\n---\nx\n' >h/.letta/agents/agent-with-a-long-name/memory/system/a.md; printf -- '---\ntitle: d\n---\nx\n' >h/basic-memory/notes/a.md; touch -d '3 days ago' h/basic-memory/notes/a.md; mkdir w; cd w; python3 ../choose.py 7 x 0 | sed 's/ ago//'; python3 ../choose.py 3 2 | grep -c '^stemma: .*/basic-memory is markdown\|changed 3d ago$'
  1  DIR/h/.letta/agents/agent-with-a-long-name/memory
      MemFS, the memory of an agent of Letta in a git repository, 1 file, 25
      bytes, changed AGE
  2  DIR/h/basic-memory
      markdown, such as basic-memory writes, 1 file, 19 bytes, changed AGE
Open which one? [1] 7
There is no such number in the list. Open which one? [1] x
There is no such number in the list. Open which one? [1] 0
stemma: there is no such store in the list. Give its number, or `stemma PATH`.
2
2

# The name of a working copy has letters and digits of the source's name, and at most 40 bytes of it.
$ for name in "$(printf 'a"\033[31m b\xc3\xa9-\xff_%030dx' 1)" ёлка; do mkdir -p "s/$name"; printf -- '---\nname: a\n---\nx\n' >"s/$name/x.md"; XDG_DATA_HOME=/d stemma "s/$name" 2>&1 | sed -n 's,.*/d/stemma/\(.*\)-[0-9a-f]*[.]db.*,\1,p'; done
a___31m_bé-__00000000000000000000000000
ёлка
