# A write-ahead log with a damaged frame: what valid frames after it held is named, not dropped without a word.
$ cat >log.py <<'END'
> """log.py make: five commits in the log of s.db. log.py hit FRAME BYTE: changes that byte of a frame in t.db-wal (0: of its header)."""
> import os, sqlite3, struct, subprocess, sys
> def add(text):
>     subprocess.run(["stemma", "add", "raw", text, "--store", "s.db"], check=True, stdout=subprocess.DEVNULL)
> def copy(*names):
>     subprocess.run(["cp", *names], check=True)  # closing the store in this process would drop SQLite's locks
> if sys.argv[1] == "make":
>     add("zero")
>     c = sqlite3.connect("s.db")  # while it is open, the log stays
>     c.execute("SELECT count(*) FROM event").fetchall()
>     for text in ("one", "two", "three", "four " + "long " * 2000, "five"):
>         add(text)
>     copy("s.db-wal", "good-wal"), copy("s.db", "good.db")
>     c.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
>     add("six")  # overwrites the first frames of the log
>     copy("s.db-wal", "again.db-wal"), copy("s.db", "again.db")
> else:
>     page = struct.unpack(">I", open("good-wal", "rb").read(12)[8:])[0]
>     for name in ("t.db", "t.db-wal", "t.db-shm"):
>         if os.path.exists(name): os.remove(name)
>     copy("good.db", "t.db")
>     log = bytearray(open("good-wal", "rb").read())
>     frame, byte = map(int, sys.argv[2:])
>     ends = [n for n in range(len(log) // (page + 24)) if struct.unpack(">I", log[32 + n * (page + 24) + 4:][:4])[0]]
>     # A frame is named by its commit: 1 to 5 is its first one; 6 is the last of all.
>     first = [n + 1 for n in [-1] + ends[:-1]] + ends[-1:]
>     at = 0 if frame == 0 else 32 + first[frame - 1] * (page + 24)
>     log[at + byte] ^= 0x40
>     open("t.db-wal", "wb").write(log)
> END
> cat >try <<'END'
> python3 log.py hit $1 $2
> stemma fsck --store t.db 2>/dev/null | sed -E 's/frame [0-9]+/frame N/; s/[0-9]+ valid frames/N valid frames/' | grep -v "first seen"
> exit ${PIPESTATUS[0]}
> END
> python3 log.py make; python3 log.py hit 3 500; stemma list raw --store t.db 2>&1 | sed -E 's/frame [0-9]+/frame N/; s/[0-9]+ valid frames/N valid frames/'
> bash try 3 500; echo "status $?"; stemma fsck --store t.db --json 2>/dev/null | jq -c '[.fault, .seq, .ref, .findings]'; ls t.db-wal
stemma: frame N of DIR/t.db-wal is damaged, and N valid frames of 3 commits after it are lost, with events 4 to 6. Copy the store and its -wal before anything is written, then compare a backup.
●  raw:ID1  1.00  –  direct AGE  two
●  raw:ID2  1.00  –  direct AGE  one
●  raw:ID3  1.00  –  direct AGE  zero
log-damaged: frame N of DIR/t.db-wal is damaged, and N valid frames of 3 commits after it are lost, with events 4 to 6. Copy the store and its -wal before anything is written, then compare a backup.
log-damaged: event 4 is lost: add of sean on raw:ID4. Look in a backup for it, or do it again.
log-damaged: event 5 is lost: add of sean on raw:ID5. Look in a backup for it, or do it again.
log-damaged: event 6 is lost: add of sean on raw:ID6. Look in a backup for it, or do it again.
3 events, 3 memories and 0 links checked: 4 faults
status 1
["log-damaged",null,null,null]
["log-damaged",4,"raw:ID4",null]
["log-damaged",5,"raw:ID5",null]
["log-damaged",6,"raw:ID6",null]
[null,null,null,4]
t.db-wal

# The damage may be in a checksum, in the salts, and in the header of the log. One commit may be an interrupted write.
# What is said on standard error when it is opened, and what fsck says, is the same.
$ for at in "3 16" "4 9" "0 17"; do bash try $at; done; bash try 0 10 | head -1; bash try 5 500; stemma fsck --store t.db 2>&1 >/dev/null | sed -E 's/frame [0-9]+/frame N/; s/[0-9]+ valid frames/N valid frames/'
log-damaged: frame N of DIR/t.db-wal is damaged, and N valid frames of 3 commits after it are lost, with events 4 to 6. Copy the store and its -wal before anything is written, then compare a backup.
log-damaged: event 4 is lost: add of sean on raw:ID4. Look in a backup for it, or do it again.
log-damaged: event 5 is lost: add of sean on raw:ID5. Look in a backup for it, or do it again.
log-damaged: event 6 is lost: add of sean on raw:ID6. Look in a backup for it, or do it again.
3 events, 3 memories and 0 links checked: 4 faults
log-damaged: frame N of DIR/t.db-wal is damaged, and N valid frames of 2 commits after it are lost, with events 5 to 6. Copy the store and its -wal before anything is written, then compare a backup.
log-damaged: event 5 is lost: add of sean on raw:ID5. Look in a backup for it, or do it again.
log-damaged: event 6 is lost: add of sean on raw:ID6. Look in a backup for it, or do it again.
4 events, 4 memories and 0 links checked: 3 faults
log-damaged: the header of DIR/t.db-wal is damaged, and N valid frames of 5 commits after it are lost, with events 2 to 6. Copy the store and its -wal before anything is written, then compare a backup.
log-damaged: event 2 is lost: add of sean on raw:ID2. Look in a backup for it, or do it again.
log-damaged: event 3 is lost: add of sean on raw:ID1. Look in a backup for it, or do it again.
log-damaged: event 4 is lost: add of sean on raw:ID4. Look in a backup for it, or do it again.
log-damaged: event 5 is lost: add of sean on raw:ID5. Look in a backup for it, or do it again.
log-damaged: event 6 is lost: add of sean on raw:ID6. Look in a backup for it, or do it again.
1 event, 1 memory and 0 links checked: 6 faults
log-damaged: the header of DIR/t.db-wal is damaged, and N valid frames of 5 commits after it are lost, with events 2 to 6. Copy the store and its -wal before anything is written, then compare a backup.
log-damaged: frame N of DIR/t.db-wal is damaged, and N valid frames of 1 commit after it are lost, with event 6. It may be a write that a power failure interrupted. The next write removes it: copy the store and its -wal before that if you want to look.
log-damaged: event 6 is lost: add of sean on raw:ID6. Look in a backup for it, or do it again.
5 events, 5 memories and 0 links checked: 2 faults
stemma: frame N of DIR/t.db-wal is damaged, and N valid frames of 1 commit after it are lost, with event 6. It may be a write that a power failure interrupted. The next write removes it: copy the store and its -wal before that if you want to look.

# Behind a damaged last frame there is nothing, and frames of an earlier round of the log do not count.
$ test $(stat -c %s again.db-wal) -ge $(stat -c %s good-wal) && bash try 6 500; stemma fsck --store again.db
5 events, 5 memories and 0 links checked: all is well
7 events, 7 memories and 0 links checked: all is well
It is first seen here: what was cut from its journal before would not be noticed.

# What is written then removes the log, and says so.
$ python3 log.py hit 3 500; stemma add raw more --store t.db 2>&1 | grep -c "is damaged"; ls t.db-wal; stemma list raw --store t.db
1
ls: cannot access 't.db-wal': No such file or directory
●  raw:ID7  1.00  –  direct AGE  more
●  raw:ID1  1.00  –  direct AGE  two
●  raw:ID2  1.00  –  direct AGE  one
●  raw:ID3  1.00  –  direct AGE  zero
