#!/usr/bin/env python3
"""What a recorded day of an agent costs in bytes may not grow beyond its limits (tests/support/agent_day.py), and what
`stemma sessions` says of it is what was sent. `$STEMMA` is the program."""
import json, os, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../..")
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import agent_day, harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or ROOT + "/stemma")
SCRATCH = tempfile.mkdtemp(prefix="day-", dir=os.environ.get("STEMMA_TEST_DIR"))
ENV = {"PATH": os.environ["PATH"], "HOME": SCRATCH, "LC_ALL": "C.UTF-8", "LOGNAME": "sean"}
STORE = SCRATCH + "/day.db"


def run(*argv):
    return subprocess.run([STEMMA, *argv, "--store", STORE], env=ENV, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE).stdout


def prepare():
    os.makedirs(SCRATCH + "/.config/stemma")
    with open(SCRATCH + "/.config/stemma/config.yaml", "w") as f:
        f.write("share: yes\n")
    run("import", "jsonl", ROOT + "/tests/data/demo.jsonl")


def bytes_of_a_day_stay_within_their_limits():
    with agent_day.Server(STEMMA, "mcp", "--store", STORE, "--agent", "ash", env=ENV) as server:
        listed = server.ask("tools/list")[1]
        calls = list(agent_day.replay(server))
    sums = agent_day.summed(calls)
    assert sums["day"][0] == 40, sums
    assert [c.tool for c in calls if c.failed] == ["memory_get"], [c for c in calls if c.failed]
    found = {"tools/list": listed, **{what: sums[what][2] for what in sums if what != "day"}}
    assert set(found) == set(agent_day.LIMITS)
    over = {what: (count, agent_day.LIMITS[what]) for what, count in found.items() if count > agent_day.LIMITS[what]}
    assert not over, f"bytes answered and their limit: {over}"
    sent = json.loads(run("sessions", "1", "--json"))["sent"]
    tools = {t["tool"]: t for t in sent["tools"]}
    assert tools["tools/list"]["bytes"] == listed
    assert sent["answers"] == 42 and sent["failures"] == 1, sent
    assert sent["bytes"] == listed + tools["initialize"]["bytes"] + sums["day"][2], (sent, sums)
    assert sent["full_bytes"] >= sent["bytes"]
    run("fsck")


prepare()
sys.exit(harness.run(bytes_of_a_day_stay_within_their_limits))
