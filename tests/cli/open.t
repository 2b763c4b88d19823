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
