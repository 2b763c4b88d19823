#!/usr/bin/env python3
"""A program that copies the write-ahead log, as Litestream does: it holds a read transaction, and copies the frames that were
added. Whatever stemma writes meanwhile, and however often it checkpoints, no frame that it has not copied is overwritten, and
what it copied is a whole store. `$STEMMA` is the program."""
import json, os, shutil, sqlite3, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="replicator-", dir=os.environ.get("STEMMA_TEST_DIR"))
STORE = os.path.join(SCRATCH, "memory.db")
ENV = {"HOME": SCRATCH, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
HEADER = 32  # bytes of the log before its frames; the salts are in it


def run(*words, store=STORE, given=None, status=0):
    p = subprocess.run([STEMMA, *words, "--store", store], env=ENV, input=given, capture_output=True, text=True)
    assert p.returncode == status, (words, p.returncode, p.stdout, p.stderr)
    return p.stdout


def write(number, count, length):
    """Imports memories: a load of so many bytes is enough for stemma to checkpoint while it writes."""
    lines = "".join(json.dumps({"ref": f"raw:{number}-{n}", "agent_id": "ash", "text": f"{n} " * (length // 5), "created_at": 1}) + "\n"
                    for n in range(count))
    run("import", "jsonl", "-", given=lines)


class Replicator:
    """Its copies: the store's file as it began, and the log since."""

    def __init__(self):
        self.db = sqlite3.connect(STORE, isolation_level=None)
        self.db.execute("PRAGMA wal_autocheckpoint = 0")
        # Litestream's own tables. The write makes sure that the log has a frame, so that the lock below is one of the log.
        self.db.execute("CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        self.db.execute("CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)")
        self.hold()
        subprocess.run(["cp", STORE, STORE + ".copy"], check=True)  # in another process: closing the file here would end our locks
        self.log = b""
        self.copy()

    def hold(self):
        self.db.execute("INSERT INTO _litestream_seq VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1")
        self.db.execute("BEGIN")
        self.db.execute("SELECT count(*) FROM _litestream_seq").fetchone()

    def copy(self):
        log = open(STORE + "-wal", "rb").read()
        assert log[:HEADER] == self.log[:HEADER] or not self.log, "the log began anew: its salts changed"
        assert log.startswith(self.log), "a frame of the log was overwritten"
        grew = len(log) - len(self.log)
        self.log = log
        return grew

    def restore(self, to):
        shutil.copy(STORE + ".copy", to)
        with open(to + "-wal", "wb") as f:
            f.write(self.log)
        with sqlite3.connect(to) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()


def no_frame_is_lost_while_it_reads():
    write(0, 10, 100)
    r = Replicator()
    for number, count, length in ((1, 10, 100), (2, 4000, 6000), (3, 10, 100), (4, 4000, 6000)):
        write(number, count, length)
        run("edit", "raw:0-1", "--text", f"edited {number}")
        assert r.copy() > count * length, "the log has what was written"
        run("fsck")
    run("list", "raw")
    restored = os.path.join(SCRATCH, "restored.db")
    r.restore(restored)
    assert run("export", "jsonl", store=restored) == run("export", "jsonl")
    run("fsck", store=restored)
    r.db.close()


def a_purge_says_that_the_log_still_has_it():
    r = Replicator()
    run("edit", "raw:0-2", "--text", "the-secret-word")
    p = subprocess.run([STEMMA, "purge", "raw:0-2", "--yes", "--store", STORE], env=ENV, capture_output=True, text=True)
    assert p.returncode and "its bytes may still stand in the store's files" in p.stderr, (p.returncode, p.stderr)
    r.copy()
    r.db.execute("COMMIT")
    r.db.close()
    run("purge", "raw:0-2", "--yes", status=0)
    for name in os.listdir(SCRATCH):
        if name in ("memory.db", "memory.db-wal"):
            assert b"the-secret-word" not in open(os.path.join(SCRATCH, name), "rb").read(), name


if __name__ == "__main__":
    sys.exit(harness.run(no_frame_is_lost_while_it_reads, a_purge_says_that_the_log_still_has_it))
