# An export never overwrites the store, its files, or another database, whatever path names them.
$ stemma add raw kept --store v.db >/dev/null; mkdir d; ln v.db hard; ln -s v.db soft
> for t in v.db v.db-wal v.db-shm v.db-journal ./v.db-journal d/../v.db hard soft; do stemma export -o $t --store v.db; echo $?; done; ls v.db-*; stemma export -o v.db --store soft; rm hard soft; stemma fsck --store v.db; stemma list all --store v.db | grep -c kept
stemma: v.db is the store itself. Write to another file.
4
stemma: v.db-wal has the name of a database's log. Write to another file.
4
stemma: v.db-shm has the name of a database's log. Write to another file.
4
stemma: v.db-journal has the name of a database's log. Write to another file.
4
stemma: ./v.db-journal has the name of a database's log. Write to another file.
4
stemma: d/../v.db is the store itself. Write to another file.
4
stemma: hard is the store itself. Write to another file.
4
stemma: soft is the store itself. Write to another file.
4
ls: cannot access 'v.db-*': No such file or directory
stemma: v.db is the store itself. Write to another file.
1 event, 1 memory and 0 links checked: all is well
1
$ stemma export --store v.db >>v.db; echo $?; stemma fsck --store v.db
stemma: standard output is the store itself. Write to another file.
4
1 event, 1 memory and 0 links checked: all is well
$ stemma add raw own --store other.db >/dev/null; sha256sum other.db >sum; stemma export -o other.db; sha256sum -c sum
stemma: DIR/other.db is a database, and an export would destroy it. Write to another file.
other.db: OK
$ printf '\x37\x7f\x06\x82 and so on' >a.db-wal; printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 and so on' >a.db-journal; echo anything >b.db-wal; : >b.db; for t in a.db-wal a.db-journal b.db; do stemma export -o $t; echo $?; done
stemma: a.db-wal has the name of a database's log. Write to another file.
4
stemma: a.db-journal has the name of a database's log. Write to another file.
4
stemma: DIR/b.db is a database, and an export would destroy it. Write to another file.
4

# A full disk is reported, at the end and in between.
$ for n in $(seq 2000); do echo "{\"ref\":\"raw:$n\",\"text\":\"kept, and long enough\"}"; done | stemma import jsonl - --store many.db >/dev/null; for s in v.db many.db; do stemma export -o /dev/full --store $s; stemma export --store $s >/dev/full; done
stemma: cannot write /dev/full: No space left on device. Make room there, or write to another place.
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
stemma: cannot write /dev/full: No space left on device. Make room there, or write to another place.
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
[3]

# A limit of the size of a file is reported as a full disk, and nothing that was acknowledged is lost.
$ (ulimit -f 170; for n in 1 2 3; do stemma add raw "$(head -c 60000 /dev/zero | tr '\0' x)" --store limited.db 2>&1 | grep -o 'the disk is full.*\|^raw'; done; stemma export -o limited --store many.db); stemma fsck --store limited.db
raw
the disk is full. Free some room, then try again.
the disk is full. Free some room, then try again.
stemma: cannot write limited: File too large. Make room there, or write to another place.
1 event, 1 memory and 0 links checked: all is well

# A symbolic link is followed and a mode is kept; a new file is private; a dangling link is refused.
$ echo old >lines.jsonl; chmod 644 lines.jsonl; ln -s lines.jsonl link; stemma export -o link; stat -c '%F %a' link lines.jsonl; wc -l <lines.jsonl; stemma export -o fresh.jsonl; stat -c %a fresh.jsonl; for to in nothing.jsonl link; do rm link; ln -s $to link; stemma export -o link; done
symbolic link 777
regular file 644
171
600
stemma: cannot write link: No such file or directory. Write to another place.
stemma: cannot write link: Too many levels of symbolic links. Write to another place.
[3]
