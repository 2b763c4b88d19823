#!/usr/bin/env python3
"""The official conformance suite over HTTP, against the protocol engine with the suite's fixture tools
($CONFORMANCE_SERVER): each server scenario that a revision requires, except requests to the client (sampling,
elicitation, roots), which no tool of ours makes."""
import glob, json, os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "clients"), os.path.join(HERE, "../../../support")]
sys.dont_write_bytecode = True
import harness, packages

SERVER = os.path.abspath(os.environ.get("CONFORMANCE_SERVER", "build/asan/tests/store/mcp/server/conformance_server"))
SCRATCH = tempfile.mkdtemp(prefix="conformance-", dir=os.environ.get("STEMMA_TEST_DIR"))
ASKS_THE_CLIENT = re.compile(r"sampling|elicitation|^input-required-result-")


class Suite:
    def __init__(self, node, directory):
        self.argv = [node, f"{directory}/node_modules/@modelcontextprotocol/conformance/dist/index.js"]

    def run(self, *words):
        p = subprocess.run([*self.argv, *words], cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, env=dict(os.environ, HOME=SCRATCH), timeout=300)
        return p.stdout.decode(errors="replace")

    def required(self, revision):
        """Returns the server scenarios in its list, which come before those for clients."""
        said = self.run("list", "--requirements", revision)
        part = said.split("Server scenarios", 1)[1].split("Client scenarios", 1)[0]
        return re.findall(r"^\s+- (\S+)$", part, re.M)

    def checks(self, revision, url):
        """Returns the checks of each scenario that ran."""
        into = os.path.join(SCRATCH, revision)
        said = self.run("server", "--url", url, "--requirements", revision, "-o", into)
        found = {}
        for path in glob.glob(f"{into}/server-*/checks.json"):
            name = re.sub(r"-\d{4}-\d\d-\d\dT[\d-]+Z$", "", os.path.basename(os.path.dirname(path)))[len("server-"):]
            found[name] = json.load(open(path))
        return found, said


def check(revision, name, checks):
    # The suite warns if it could not test something, or if a server ignores a recommendation.
    wrong = [f"{c['id']}: {c['status']}: {c.get('errorMessage', '')}" for c in checks if c["status"] in ("FAILURE", "WARNING")]
    passed = sum(c["status"] == "SUCCESS" for c in checks)
    harness.report(passed and not wrong, f"{revision} {name}: {passed} checks", "\n".join(wrong) or "it checked nothing")


def main():
    try:
        suite = Suite(packages.node(), packages.clients())
    except packages.Missing as e:
        harness.report(False, "the conformance suite can be installed", e)
        return 1
    server = subprocess.Popen([SERVER, os.path.join(SCRATCH, "store.db")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    url = server.stdout.readline().decode().strip().replace("127.0.0.1", "localhost")
    for revision, least in (("2025-11-25", 26), ("2026-07-28", 23)):
        required = [n for n in suite.required(revision) if not ASKS_THE_CLIENT.search(n)]
        found, said = suite.checks(revision, url)
        harness.report(len(required) >= least, f"{revision}: {len(required)} scenarios are required", f"not {least}")
        for name in required:
            if name in found:
                check(revision, name, found[name])
            else:
                harness.report(False, f"{revision} {name}", f"it did not run\n{said[-2000:]}")
    server.terminate()
    harness.report(server.wait(60) == 0, "the server ends in good order", f"it ended with {server.returncode}")
    shutil.rmtree(SCRATCH, ignore_errors=True)
    return harness.failed


sys.exit(main())
