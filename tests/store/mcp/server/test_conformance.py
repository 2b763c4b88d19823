#!/usr/bin/env python3
"""The official conformance suite over HTTP, against the protocol engine with the suite's fixture tools
($CONFORMANCE_SERVER): each server scenario that a revision requires, except requests to the client (sampling,
elicitation, roots), which no tool of ours makes.

Then against `stemma serve --http` ($STEMMA) with each set of tools. Of the scenarios only those run there that need none of the
suite's own tools, resources and prompts (test_simple_text, test://static-text, …), which a memory server cannot have. The suite
has no option for a token, so a proxy adds it."""
import glob, http.client, http.server, json, os, re, shutil, subprocess, sys, tempfile, threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "clients"), os.path.join(HERE, "../../../support")]
sys.dont_write_bytecode = True
import harness, packages

SERVER = os.path.abspath(os.environ.get("CONFORMANCE_SERVER", "build/asan/tests/store/mcp/server/conformance_server"))
SCRATCH = tempfile.mkdtemp(prefix="conformance-", dir=os.environ.get("STEMMA_TEST_DIR"))
STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
STORY = os.path.join(HERE, "../../../../tests/data/demo.jsonl")
# Need none of the suite's fixtures; the rest of them does not depend on the set.
OWN = {"2025-11-25": {"server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list",
                      "server-sse-multiple-streams", "dns-rebinding-protection"},
       "2026-07-28": {"tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
                      "sep-2164-resource-not-found", "dns-rebinding-protection", "caching"}}
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

    def checks(self, revision, url, *which):
        """Returns the checks of each scenario that ran."""
        into = tempfile.mkdtemp(dir=SCRATCH)
        said = self.run("server", "--url", url, *(which or ("--requirements", revision)), "-o", into)
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


class Proxy(http.server.ThreadingHTTPServer):
    """Passes requests on with a token."""

    def __init__(self, port, token):
        super().__init__(("127.0.0.1", 0), Passing)
        self.port, self.token = port, token
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Passing(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        to = http.client.HTTPConnection("127.0.0.1", self.server.port)
        to.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() != "connection":
                to.putheader(name, value)
        to.putheader("Authorization", "Bearer " + self.server.token)
        to.endheaders(body or None)
        answer = to.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.end_headers()
        try:
            while part := answer.read1(65536):
                self.wfile.write(part)
                self.wfile.flush()
        except OSError:
            pass  # the suite closed a stream
        to.close()

    do_GET = do_DELETE = do_POST

    def log_message(self, *_):
        pass


def program(suite):
    """The program itself: all of OWN with the default set, and the list of tools of each other one."""
    path = os.path.join(SCRATCH, "program.db")
    env = dict(os.environ, HOME=SCRATCH)
    subprocess.run([STEMMA, "import", "jsonl", STORY, "--store", path], env=env, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    wrong = subprocess.run([STEMMA, "mcp", "--store", path, "--tools", "?"], env=env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    sets = wrong.stderr.decode().split("The sets are ")[1].strip(".\n").split(", ")
    serve = subprocess.Popen([STEMMA, "serve", "--http", "0", "--store", path], env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE)
    _, url, token = (serve.stdout.readline().decode().strip() for _ in range(3))
    proxy = Proxy(int(re.search(r":(\d+)/", url)[1]), open(token).read().strip())
    for revision, names in OWN.items():
        for of in sets:
            which = () if of == "memory" else ("--scenario", "tools-list", "--spec-version", revision)
            found, said = suite.checks(revision, f"http://localhost:{proxy.server_port}/mcp?tools={of}", *which)
            for name in sorted(names) if of == "memory" else ["tools-list"]:
                if name in found:
                    check(revision, f"{name}, stemma serve, tools={of}", found[name])
                else:
                    harness.report(False, f"{revision} {name}, tools={of}", f"it did not run\n{said[-2000:]}")
    proxy.shutdown()
    serve.terminate()
    harness.report(serve.wait(60) == 0, "stemma serve ends in good order", f"it ended with {serve.returncode}")


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
    program(suite)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    return harness.failed


sys.exit(main())
