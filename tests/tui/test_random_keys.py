#!/usr/bin/env python3
"""Random keys, mouse events, pastes and sizes do not end the explorer, while agents write, in each of three stores.

KEYS (1,000) are typed from SEED, which is printed, so that a failure can be repeated as far as threads allow. The program
ends with the exit status 0, or says what it did not save, prints no report of a sanitizer, and leaves stores without a
fault. Keys that run a command find none: PATH is empty.
"""
import fcntl, os, pty, random, select, signal, struct, subprocess, sys, tempfile, termios, time

ROOT = os.path.abspath(__file__ + "/../../..")
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or ROOT + "/stemma")
KEYS = int(os.environ.get("KEYS", 1000))
SEED = int(os.environ.get("SEED", 0)) or random.SystemRandom().randrange(1, 1 << 30)

CONTROL = [f"\x1b[{c}" for c in "ABCDHF"] + ["\x1b[5~", "\x1b[6~", "\x1b[Z", "\x1b", "\x7f", "\r", "\r", "\t"] + \
    [chr(c) for c in range(1, 27) if chr(c) not in "\x03\x1a\x1c"]
VIEWS = list("1234567890@!$&fbrswcICVJ?~.*^audmxe w") + [f":{name}\r" for name in (
    "activity", "keystones", "compare", "tools", "talk", "duplicates", "conflicts", "trust", "blame", "why", "namespaces",
    "permissions", "retrievals", "responses", "columns", "facets", "sessions", "similar", "stale", "taint", "forensics",
    "theme", "alerts", "inbox", "live", "health", "asof yesterday", "asof now", "watch kind:belief", "failed", "reload",
    "screen-reader", "mask", "pause", "open other.stemma", "open team.stemma", "disputed")] + [
    "\\kind:belief\r", "\\agent:ash\r", "\\\r", "/the\r", "Sretries\r"]
PRINTED = [chr(c) for c in range(32, 127) if chr(c) not in "QO|E"] + ["é", "界", "👩‍👩‍👧", "\u202e"]
PASTE = "\x1b[200~pasted\n\x1b[31m text \u202e\x1b[201~"
SIZES = [(24, 80), (36, 120), (50, 200), (10, 40), (5, 20), (1, 1), (200, 300)]


def key(dice):
    chance = dice.random()
    if chance < 0.05:
        button, row, column, end = dice.choice([0, 1, 2, 32, 64, 65]), dice.randint(1, 40), dice.randint(1, 130), dice.choice("Mm")
        return PASTE if chance < 0.01 else f"\x1b[<{button};{column};{row}{end}"
    return dice.choice(CONTROL if chance < 0.35 else VIEWS if chance < 0.65 else PRINTED)


class Explorer:
    """The program on the demo with its agents, in the directory of two other stores."""

    def __init__(self, place):
        self.out = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(place)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
            env = {"HOME": place, "PATH": "", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITOR": "true", "PAGER": "true",
                   **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}
            os.execve(STEMMA, [STEMMA, "demo", "--live"], env)
        self.read(10)

    def read(self, seconds):
        """Whether it wrote something. What it wrote last is kept."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        self.out = (self.out + got)[-100000:]
        return bool(got)

    def type(self, keys):
        _, writable, _ = select.select([], [self.fd], [], 10)
        assert writable, "it reads no keys"
        try:
            os.write(self.fd, keys.encode())
        except OSError:
            pass

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def status(self, wait=0.0):
        """How it ended; None: it did not."""
        end = time.monotonic() + wait
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0):
                    pass
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() >= end:
                return None
            self.read(0.1)


def check_end(e, status, typed):
    said = e.out.decode(errors="replace")
    unsaved = status > 0 and "was not saved: " in said  # who leaves is told of what failed
    assert status == 0 or unsaved, f"SEED={SEED}: ended with {status} after {typed!r}\n{said[-4000:]}"
    assert "Sanitizer" not in said and "runtime error" not in said, f"SEED={SEED}: {said[-4000:]}"


def stemma(place, *argv):
    env = {"HOME": place, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    p = subprocess.run([STEMMA, *argv], cwd=place, env=env, capture_output=True, text=True, timeout=300)
    assert p.returncode == 0, (argv, p.stdout, p.stderr)
    return p.stdout


def play(place):
    """Types KEYS keys; starts it again where they made it end. Returns how often it was started."""
    dice, e, started, typed, count = random.Random(SEED), Explorer(place), 1, [], 0
    while count < KEYS:
        keys = [key(dice) for _ in range(dice.choice([1, 1, 2, 5, 20]))]
        count += len(keys)
        typed = (typed + keys)[-60:]
        e.type("".join(keys))
        if dice.random() < 0.03:
            e.resize(*dice.choice(SIZES))
        e.read(0.02)
        status = e.status()
        if status is not None:
            check_end(e, status, typed)
            e, started, typed = Explorer(place), started + 1, []
    os.kill(e.pid, signal.SIGTERM)
    status = e.status(120)
    assert status is not None, f"SEED={SEED}: SIGTERM does not end it"
    assert status in (0, 128 + signal.SIGTERM, -signal.SIGTERM), f"SEED={SEED}: {status}"
    check_end(e, 0, typed)
    return started


def test_random_keys_end_nothing():
    with tempfile.TemporaryDirectory(prefix="stemma-keys-") as place:
        for name in ("other", "team"):
            stemma(place, "add", "note", f"The {name} store has a note", "--store", f"{name}.stemma")
        stemma(place, "push", "journal", "--store", "team.stemma")
        started = play(place)
        print(f"SEED={SEED}: {KEYS} keys, started {started} times")
        stores = [f"{folder}/{name}" for folder, _, names in os.walk(place) for name in names
                  if name.endswith(".stemma") or name == "demo.db"]
        assert len(stores) >= 3, stores
        for store in stores:
            stemma(place, "fsck", "--store", store)


sys.exit(harness.run(test_random_keys_end_nothing))
