#!/usr/bin/env python3
"""stemma --record and :record in a terminal: what the file has, and that replay plays it, without a terminal and in one."""
import fcntl, os, pty, re, select, signal, stat, struct, subprocess, sys, tempfile, termios, time

ROOT = os.path.abspath(__file__ + "/../../../..")
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or ROOT + "/stemma")
END = b"\x1b[?2026l"


class Terminal:
    """The program in a terminal, in a home of its own."""

    def __init__(self, home, *argv, rows=36, columns=120):
        self.out = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            env = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
            os.execve(STEMMA, [STEMMA, *argv], env)

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            got = b""
        self.out += got
        return bool(got)

    def until(self, what, start=0):
        end = time.monotonic() + 60
        while what not in self.out[start:]:
            assert self.read(1) or time.monotonic() < end, (what, self.out[-2000:])
        return self

    def type(self, *keys):
        """Types each and waits for its frame."""
        for key in keys:
            start = len(self.out)
            os.write(self.fd, key)
            self.until(END, start)
            while self.read(0.15):
                pass
        return self

    def resize(self, rows, columns):
        start = len(self.out)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.until(END, start)
        while self.read(0.15):
            pass

    def finish(self, key=b"Q"):
        os.write(self.fd, key)
        while self.read(60):
            pass
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return status


def replay(home, *argv):
    p = subprocess.run([STEMMA, "replay", *argv], env={"HOME": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert not p.stderr, p.stderr
    return p.stdout


def keys_of(path):
    """The keys of a file, without pauses and breaks."""
    with open(path) as file:
        return re.sub(r"<wait:\d+>", "", "".join(line[2:].rstrip("\n") for line in file if line[:2] in ("> ", "+ ")))


def test_what_is_typed_is_recorded_and_plays_again():
    with tempfile.TemporaryDirectory(prefix="stemma-r-") as home:
        path = home + "/keys.t"
        t = Terminal(home, "demo", "--record", path).until(END)
        while t.read(0.5):
            pass
        t.type(b"1", b"j", b"\x1b[B", b"/", b"\x1b[200~sta>g\\\n\xe2\x90\x8a\x1b[201~", b"\r", b"\x1b[<0;10;6M\x1b[<0;10;6m")
        t.resize(30, 100)
        time.sleep(1.1)
        t.type(b"g", b"<", b"\x04", b"\x1b")
        assert t.finish() == 0
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        with open(path) as file:
            text = file.read()
        assert re.match(r"# Keys of stemma .*\nsize 120x36\nclock \d+\nstory\ntour\n> 1j<Down>", text), text
        assert "\n+ <wait:1" in text, text
        assert keys_of(path) == r"1j<Down>/<paste:sta\>g\\␊\␊><Enter><click:10,6><size:100x30>g<lt><C-d><Esc>Q", text
        frames = replay(home, path, "--frames")
        assert frames == replay(home, path, "--frames")
        assert re.findall(r"^== line \d+: (.*)$", frames, re.M)[-3:] == ["<C-d>", "<Esc>", "Q"], frames[-3000:]
        assert max(len(line) for line in replay(home, path).split("\n")) <= 100


def test_record_comes_after_what_it_is_to_show():
    with tempfile.TemporaryDirectory(prefix="stemma-r-") as home:
        store, path = home + "/s.db", home + "/keys.t"
        subprocess.run([STEMMA, "import", "jsonl", "-", "--store", store], env={"HOME": home, "PATH": os.environ["PATH"]},
                       input='{"ref":"belief:one","text":"The first."}\n{"ref":"belief:two","text":"The second."}\n',
                       text=True, capture_output=True, check=True)
        t = Terminal(home, store, rows=24, columns=80).until(b"The second")
        t.type(b"j", b" ", b":record ~/keys.t\r")
        assert keys_of(path) == "j<Space>:record ~/keys.t<Enter>", keys_of(path)
        t.type(b"k", b":record\r")
        assert t.finish() == 0
        assert keys_of(path) == "j<Space>:record ~/keys.t<Enter>k:record<Enter>"
        # Played again, the file exists already: the frame says so, and nothing is lost.
        assert "keys.t: File exists" in replay(home, path, "--store", store, "--frames")
        again = Terminal(home, store, "--record", path)
        assert os.WEXITSTATUS(again.finish()) == 3 and b"Name a new file" in again.out


def test_it_is_watched_and_goes_on():
    with tempfile.TemporaryDirectory(prefix="stemma-r-") as home:
        path = home + "/keys.t"
        with open(path, "w") as file:
            file.write("size 100x30\nclock 1795000000000\nstory\n> 1jj<Enter><size:20x5>\n")
        t = Terminal(home, "replay", path, "--watch").until(b"the keys of the file end here")
        assert t.type(b"q").finish() == 0
        t = Terminal(home, "replay", path, "--watch").until(END)
        os.kill(t.pid, signal.SIGTERM)
        while t.read(60):
            pass
        status = os.waitpid(t.pid, 0)[1]
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM
        assert b"\x1b[?1049l" in t.out


sys.exit(harness.run(test_what_is_typed_is_recorded_and_plays_again, test_record_comes_after_what_it_is_to_show,
                     test_it_is_watched_and_goes_on))
