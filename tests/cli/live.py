"""Connected agents for transcripts: their Python scripts begin with `from live import *`."""
import contextlib, json, os, signal, sqlite3, subprocess, sys, time, unicodedata

STORE = os.environ["STEMMA_STORE"] = os.getcwd() + "/s.db"


def run(*argv, store=STORE, given=None, **env):
    p = subprocess.run(["stemma", argv[0], "--store", store, *argv[1:]], capture_output=True, text=True, input=given, env=dict(os.environ, **env))
    return p.stdout if p.returncode == 0 else f"[{p.returncode}] {p.stderr}"


def told(*argv):
    """Returns standard error."""
    return subprocess.run(["stemma", argv[0], "--store", STORE, *argv[1:]], capture_output=True, text=True).stderr.strip()


def put(*lines):
    run("import", "jsonl", "-", given="".join(json.dumps(line) + "\n" for line in lines))


def rows(sql, *values):
    """Asks the store itself: a wait need not start the program again and again."""
    with contextlib.closing(sqlite3.connect(f"file:{STORE}?mode=ro", uri=True)) as db:
        return db.execute(sql, values).fetchall()


class Agent:
    calls = 0  # of all agents

    def __init__(self, *options, **client):
        self.p = subprocess.Popen(["stemma", "mcp", "--store", STORE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client or {"name": "claude-code", "version": "2.1"})

    def ask(self, method, times=1, **params):
        """Returns the answer; the last one if `times` requests are sent at once."""
        Agent.calls += times * (method == "tools/call")
        time.sleep(0.002)  # lines with the same time have no order
        try:
            self.p.stdin.write((json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n") * times)
            self.p.stdin.flush()
            for _ in range(times):
                while (m := json.loads(self.p.stdout.readline())).get("id") != 1:
                    pass
        except (BrokenPipeError, ValueError):
            return "PERMISSION_DENIED"  # the server closes it a moment later
        r = m.get("result") or m
        return json.loads(r["content"][0]["text"])["error"]["code"] if r.get("isError") else "done" if "content" in r else \
            str(r.get("error", {}).get("message", ""))

    def tool(self, name, meta={}, times=1, **arguments):
        return self.ask("tools/call", times, name=name, arguments=arguments, _meta=meta)

    def seated(self):
        """Waits until its session has a row."""
        while not rows("SELECT 1 FROM session WHERE process = ?", self.p.pid):
            time.sleep(0.01)
        return self

    def write(self, text="x", **meta):
        return self.tool("memory_raw", {"dev.stemma/agent_id": meta["agent"]} if meta else {}, blob=text)

    def read(self):
        return self.tool("memory_list")

    def end(self):
        self.p.communicate()

    def kill(self):
        self.p.kill()
        self.p.wait()


def sessions(*fields, all=True):
    """Returns these fields of each session, the last first."""
    said = run("sessions", "--json", *(["--all"] if all else []))
    return [tuple(s[f] for f in fields) for s in map(json.loads, said.splitlines())] if said[:1] == "{" else said.strip()


def log(*options):
    """Returns the lines of the log as objects, and whether there are more."""
    lines = [json.loads(line) for line in run("log", "--json", *options).splitlines() if line[:1] == "{"]
    return lines[:-1] if lines and "next" in lines[-1] else lines, lines[-1]["next"] if lines and "next" in lines[-1] else None


def pages(limit, *options):
    """The whole log, read from the newest page to the oldest."""
    whole, cursor = [], []
    while True:
        page, cursor = log(*options, "--limit", str(limit), *cursor)
        assert 0 < len(page) <= limit
        whole = page + whole
        if not cursor:
            return whole
        cursor = ["--cursor", cursor]


def widest(said):
    return max(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in said.split("\n"))


def settle():
    """Waits until all calls are in the log, which is written a moment later."""
    end = time.monotonic() + 5
    while (rows("SELECT sum(calls) FROM session")[0][0] or 0) < Agent.calls and time.monotonic() < end:
        time.sleep(0.01)
