#!/usr/bin/env python3
"""The audit as anybody can check it with the libraries of another language: the canonical text of each row of the journal
and of the call log, the chain of hashes, and with a key file their HMACs. `$STEMMA` is the program."""
import hashlib, hmac, json, os, sqlite3, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
import harness
from harness import test

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="audit-", dir=os.environ.get("STEMMA_TEST_DIR"))
ENV = dict(os.environ, HOME=SCRATCH, XDG_STATE_HOME=SCRATCH, XDG_CONFIG_HOME=SCRATCH + "/config", LC_ALL="C.UTF-8")
KEY = b"test-secret"
STORE = f"{SCRATCH}/audit.db"
TEXTS = ["plain", "Zoë 🎉 / \\ \"quoted\"", "tab\tand line\nbreak", "\u2028 \u200f \ufeff", "日本語", "'; DROP TABLE event; --"]


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def chain(prev, text):
    return hashlib.sha256((prev or b"") + text).digest()


def vectors():
    expected = ["f15907a34465f05e9b410aa81afdf7b5762c5db33ddb0ca359414ada73c95e75",
                "455814c4c2e6bc42e39ee889384927f3464ce4c8b1b67df28219a7294e19250d",
                "cd5ab9c855f25ec7b6c10cd8a2322318d0e2ac5fd3d2a1910dc78fd1c9a53b1c"]
    prev = None
    for i, wanted in enumerate(expected):
        prev = chain(prev, canonical({"msg": f"event-{i}", "idx": i}))
        assert prev.hex() == wanted
    first = chain(None, canonical({"idx": 0, "msg": "event-0"}))
    assert hmac.new(KEY, first, "sha256").hexdigest() == "c0e66d71b017a984b50548dda5eec422ece60250cef1c5e25442c082c80edaf5"


def run(*words, text=None):
    p = subprocess.run([STEMMA, *words, "--store", STORE], env=ENV, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode in (0, 1), (words, p.returncode, p.stderr)
    return p.stdout


def call(number, tool, arguments):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}) + "\n"


def write():
    os.makedirs(ENV["XDG_CONFIG_HOME"] + "/stemma")
    with open(SCRATCH + "/key", "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as f:
        f.write(KEY + b"\n")
    with open(ENV["XDG_CONFIG_HOME"] + "/stemma/config.yaml", "w") as f:
        f.write(f"hmac_key: {SCRATCH}/key\nactor: \"Zoë 🎉\"\n")
    for text in TEXTS:
        run("add", "note", text)
    lines = "".join(call(i, "memory_note", {"content": text}) for i, text in enumerate(TEXTS))
    lines += "".join(call(10 + i, "memory_get", {"ref": f"note:{i}"}) for i in range(20)) + call(40, "memory_protect", {"ref": "note:x"})
    run("mcp", "--agent", "a \"gent\" é", text=lines.encode())
    assert b"" == subprocess.run([STEMMA, "fsck", "--store", STORE], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stderr


def check_table(table, key):
    db = sqlite3.connect(f"file:{STORE}?mode=ro", uri=True)
    prev, rows = None, db.execute(f"SELECT {key}, canonical, hash, hmac FROM {table} ORDER BY {key}").fetchall()
    assert len(rows) >= 2, rows
    for number, (id_, text, digest, mac) in enumerate(rows, 1):
        said = json.loads(text)
        assert id_ == number and said["seq" if table == "event" else "id"] == number
        assert canonical(said) == text.encode() and text.isascii()
        assert all(isinstance(v, (str, int)) for v in said.values())
        prev = chain(prev, text.encode())
        assert prev == digest
        assert hmac.new(KEY, prev, "sha256").digest() == mac
        for content in TEXTS:
            assert json.dumps(content)[1:-1] not in text, "content stands in what is hashed"
    db.close()
    return rows


test("the vectors of the specification", vectors)
test("writing by a person and by an agent, and fsck", write)
test("the journal is such a chain", lambda: check_table("event", "seq"))
test("the call log is such a chain", lambda: check_table("call", "id"))
sys.exit(harness.failed)
