#!/usr/bin/env python3
"""Two machines of a team, each with a `stemma mcp` on its replica: what an agent is told, what each sees of the other, and that
such a server is not confined to its files. The team is a folder; `$STEMMA` is the program."""
import contextlib, json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="machines-", dir=os.environ.get("STEMMA_TEST_DIR"))
TEAM = os.path.join(SCRATCH, "team")
SEEN = 2  # seconds until the other machine has what one wrote


def path(machine):
    return os.path.join(SCRATCH, machine, "memory.db")


def env(machine):
    return {"HOME": os.path.join(SCRATCH, machine), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), "TSAN_OPTIONS": os.environ.get("TSAN_OPTIONS", "")}


def run(machine, *words):
    p = subprocess.run([STEMMA, *words, "--store", path(machine)], env=env(machine), capture_output=True, text=True)
    assert p.returncode == 0, (words, p.stdout, p.stderr)
    return p.stdout


class Server:
    """`stemma mcp` of a machine."""

    def __init__(self, machine, agent):
        self.err = tempfile.TemporaryFile("w+")
        self.p = subprocess.Popen([STEMMA, "mcp", "--agent", agent, "--store", path(machine)], env=env(machine), text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err)
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})

    def ask(self, method, **params):
        self.p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.p.stdin.flush()
        while (answer := json.loads(self.p.stdout.readline())).get("id") != 1:
            pass
        return answer["result"]

    def tool(self, name, **arguments):
        """Returns what was answered, and whether it is an error."""
        result = self.ask("tools/call", name=name, arguments=arguments)
        return json.loads(result["content"][0]["text"]), result.get("isError", False)

    def said(self):
        self.err.seek(0)
        return self.err.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.p.stdin.close()
        assert self.p.wait(60) == 0


def wait_until(condition, seconds=10):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    assert condition()


@contextlib.contextmanager
def two_servers():
    with Server("ash", "ash") as a, Server("birch", "ash") as b:
        yield a, b


def what_one_adds_the_other_sees():
    with two_servers() as (a, b):
        for writer, reader, word in ((a, b, "anchor"), (b, a, "bollard")):
            added, failed = writer.tool("memory_add", kind="raw", text=f"the {word} was loose")
            assert not failed, added
            wait_until(lambda: word in json.dumps(reader.tool("memory_search", query=word)[0]), SEEN)


def an_edit_of_what_others_changed_is_refused():
    """While the follower may not have applied it yet: the answer comes after the append."""
    with two_servers() as (a, b):
        for turn in range(20):
            ref = a.tool("memory_add", kind="raw", text=f"begun {turn}")[0]["ref"]
            wait_until(lambda: not b.tool("memory_get", ref=ref)[1], SEEN)
            version = b.tool("memory_get", ref=ref)[0]["version"]
            assert not a.tool("memory_update", ref=ref, text=f"of ash {turn}")[1]
            answer, failed = b.tool("memory_update", ref=ref, text=f"of birch {turn}", expected_version=version)
            assert failed and answer["error"]["code"] == "CONFLICT", answer
            assert "version" in answer["error"]["message"] or "changed" in answer["error"]["message"], answer
            assert b.tool("memory_get", ref=ref)[0]["text"] == f"of ash {turn}"
        run("ash", "fsck"), run("birch", "fsck")


def sessions_of_other_machines_are_listed():
    with two_servers() as (a, b):
        b.tool("memory_add", kind="raw", text="so that it has a row")

        def of_birch():
            rows = map(json.loads, run("ash", "sessions", "--json", "--all").splitlines())
            return [s for s in rows if s.get("machine") == "birch" and s["lives"]]
        wait_until(of_birch, 15)
        assert "on birch" in run("ash", "sessions")


def a_server_of_a_team_is_not_confined():
    with Server("ash", "ash") as s:
        assert "not confined to its files: its store is a team's, which it must reach" in s.said(), s.said()
        assert open(f"/proc/{s.p.pid}/status").read().split("Seccomp:\t")[1][0] == "0"


def offline_the_agent_goes_on():
    os.rename(TEAM, TEAM + ".away")
    with Server("ash", "ash") as a:
        assert not a.tool("memory_add", kind="raw", text="the windlass was stiff")[1]
        os.rename(TEAM + ".away", TEAM)
        with Server("birch", "ash") as b:
            wait_until(lambda: "windlass" in json.dumps(b.tool("memory_search", query="windlass")[0]), 20)


def main():
    for machine in ("ash", "birch"):
        os.makedirs(os.path.join(SCRATCH, machine))
    run("ash", "add", "note", "Begun", "--agent", "ash")
    run("ash", "team", "create", TEAM, "--name", "ash")
    run("birch", "team", "join", TEAM, "--name", "birch")
    return harness.run(what_one_adds_the_other_sees, an_edit_of_what_others_changed_is_refused,
                       sessions_of_other_machines_are_listed, a_server_of_a_team_is_not_confined, offline_the_agent_goes_on)


if __name__ == "__main__":
    sys.exit(main())
