#!/usr/bin/env python3
"""`stemma demo --live` in a terminal: its agents connect through the explorer's socket and write; a person can end their sessions;
they leave with the explorer. `$STEMMA` is the program. The test waits for output, never for time."""
import fcntl, json, os, pty, signal, struct, subprocess, sys, tempfile, termios, threading, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../support"))
sys.dont_write_bytecode = True
import harness
from harness import test

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="demo-live-", dir=os.environ.get("STEMMA_TEST_DIR"))
ENV = dict(os.environ, HOME=SCRATCH, XDG_STATE_HOME=SCRATCH, TERM="xterm-256color")
STORE = f"{SCRATCH}/stemma/demo.db"
WAIT = 120


def until(what, condition):
    end = time.monotonic() + WAIT
    while not (found := condition()):
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.5)  # each check starts the program
    return found


def ask(*words):
    p = subprocess.run([STEMMA, *words, "--json", "--store", STORE], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [json.loads(line) for line in p.stdout.splitlines()]


class Demo:
    """The explorer in a pseudo-terminal."""

    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
            os.execve(STEMMA, [STEMMA, "demo", "--live"], ENV)
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass

    def agents(self):
        """Both sessions, once both exist and have written."""
        return until("both agents", lambda: (s := [s for s in ask("sessions") if s["calls"] > 2]) and len(s) == 2 and s)


def gone(pid):
    """True if the process has ended, even if it is a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def agents_come(demo):
    sessions = {s["client"]: s for s in demo.agents()}
    assert set(sessions) == {"ash", "claire"}, sessions
    assert sessions["ash"]["era"] == "2025-11-25" and sessions["claire"]["era"] == "2026-07-28", sessions
    for s in sessions.values():
        assert s["transport"] == "socket" and s["process"] == demo.pid and s["peer_uid"] == os.getuid(), s
    until("writes of both", lambda: {"ash", "claire"} <= {e["actor"] for e in ask("log", "--operation", "add")
                                                          if e["origin"] == "mcp"})


def rests_on_entry(ref):
    """True if the belief is based on an entry of shared memory."""
    return any(a["ref"].startswith("entry:") for m in ask("show", ref) for j in m.get("justifications", [])
               for a in j["antecedents"])


def redactions():
    p = subprocess.run([STEMMA, "metrics", "--prometheus", "--store", STORE], env=ENV, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, text=True)
    return sum(float(line.rsplit(" ", 1)[1]) for line in p.stdout.splitlines()
               if line.startswith("memory_tool_pii_redactions_total{"))


def they_share_memory():
    until("what claire is refused", lambda: {"PERMISSION_DENIED", "PII_DETECTED", "QUOTA_EXCEEDED"} <= {
        c["outcome"] for c in ask("log", "--calls", "--operation", "putMemory") if c["actor"] == "claire"})
    until("personal data masked as it is read", lambda: redactions() > 0)
    until("a belief of ash that is based on an entry", lambda: any(
        rests_on_entry(e["ref"]) for e in ask("log", "--kind", "belief", "--operation", "add") if e["actor"] == "ash"))
    until("a lock of ash that expired", lambda: any(
        n["expired"] > 0 for n in ask("namespaces")
        if n["namespace"].startswith("session.") and n["namespace"] != "session.rollout"))


def one_is_sent_away(demo):
    ash = next(s for s in demo.agents() if s["client"] == "ash")
    subprocess.run([STEMMA, "sessions", "--end", str(ash["id"]), "--store", STORE], env=ENV, check=True, stdout=subprocess.DEVNULL)
    until("ash coming back as another session",
          lambda: any(s["client"] == "ash" and s["id"] != ash["id"] for s in ask("sessions")))


def they_leave(demo):
    pids = [s["peer_pid"] for s in ask("sessions")]
    assert pids
    os.write(demo.fd, b"Q")
    _, status = os.waitpid(demo.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, status
    assert all(map(gone, pids)), pids
    assert subprocess.run([STEMMA, "fsck", "--store", STORE], env=ENV, stdout=subprocess.DEVNULL).returncode == 0


def they_leave_when_it_is_killed():
    demo = Demo()
    pids = [s["peer_pid"] for s in demo.agents()]
    os.kill(demo.pid, signal.SIGKILL)
    os.waitpid(demo.pid, 0)
    until("the end of the agents", lambda: all(map(gone, pids)))


demo = Demo()
test("demo --live: two agents write through the explorer's socket, one of each era", agents_come, demo)
test("demo --live: they share memory, masked, and are refused other namespaces", they_share_memory)
test("demo --live: an agent whose session was ended returns in a new one", one_is_sent_away, demo)
test("demo --live: they leave when the explorer ends", they_leave, demo)
test("demo --live: they leave when the explorer is killed", they_leave_when_it_is_killed)
sys.exit(harness.failed)
