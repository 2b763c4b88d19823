#!/usr/bin/env python3
"""`stemma mcp` and `stemma serve` give up what they do not need, in every thread, and still do all they are for: writes,
long reads, HTTP, sockets and tokens of agents, a configuration that changes, a listener that takes over. `$STEMMA` is the program."""
import ctypes, glob, json, os, shutil, socket, subprocess, sys, tempfile, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../support"))
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="confined-", dir=os.environ.get("STEMMA_TEST_DIR"))
HOME = os.path.join(SCRATCH, "home")
CONFIG = os.path.join(HOME, ".config/stemma/config.yaml")
# What looks for leaks is not confined.
ENV = {"HOME": HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "detect_leaks=0"}
STORE = os.path.join(SCRATCH, "store/memory.db")


def configure(text):
    os.makedirs(os.path.dirname(CONFIG), exist_ok=True)
    with open(CONFIG + ".new", "w") as f:
        f.write(text)
    os.rename(CONFIG + ".new", CONFIG)


class Server:
    def __init__(self, *words):
        self.err = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([STEMMA, *words, "--store", STORE], env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.err, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(60) == 0

    def line(self):
        return self.process.stdout.readline().strip()

    def said(self):
        self.err.seek(0)
        return self.err.read()

    def confinement(self):
        """The words of /proc about each thread: seccomp filters, and whether it can gain privileges."""
        status = [open(path).read() for path in glob.glob(f"/proc/{self.process.pid}/task/*/status")]
        return {(s.split("Seccomp:\t")[1][0], s.split("NoNewPrivs:\t")[1][0]) for s in status}


def ask(write, read, *calls):
    """Sends calls of tools as lines, and returns their results."""
    messages = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    messages += [{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
                 for n, (name, arguments) in enumerate(calls, 1)]
    for m in messages:
        write(json.dumps(m) + "\n")
    answers = [json.loads(read()) for m in messages if "id" in m]
    assert all("result" in a and not a["result"].get("isError") for a in answers), answers
    return [a["result"].get("structuredContent") for a in answers]


def over_socket(path, *calls):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        f = s.makefile("rw")
        return ask(lambda t: (f.write(t), f.flush()), f.readline, *calls)


ADD = ("memory_add", {"kind": "raw", "text": "the pump was loud"})
SEARCH = ("memory_search", {"query": "pump"})


def wait_until(condition):
    until = time.time() + 10
    while not condition() and time.time() < until:
        time.sleep(0.02)
    assert condition()


def serve_does_its_work_confined():
    token = os.path.join(HOME, "tokens/ash.token")
    os.makedirs(os.path.dirname(token))
    os.makedirs(os.path.join(SCRATCH, "sockets"))
    agents = f"agents:\n  ash:\n    token_file: {token}\n  claire:\n    socket: {SCRATCH}/sockets/claire.sock\n"
    configure("share: yes\n" + agents)
    with Server("serve", "--http", "0") as s:
        path, url, own = s.line(), s.line(), s.line()
        over_socket(path, ADD, SEARCH)
        over_socket(f"{SCRATCH}/sockets/claire.sock", ADD)
        for file in (own, token):
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}).encode()
            request = urllib.request.Request(url, body, {"Authorization": "Bearer " + open(file).read().strip(),
                                             "Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
            assert b"serverInfo" in urllib.request.urlopen(request).read()
        assert s.confinement() == {("2", "1")}, s.confinement()
        assert s.said() == "", s.said()
        # A configuration that is replaced is read; one that leads to a file elsewhere is not.
        configure("share: yes\ntheme: other\n" + agents)
        over_socket(path, SEARCH)
        wait_until(lambda: "theme" in s.said())
        elsewhere = os.path.join(SCRATCH, "elsewhere.yaml")
        shutil.copy(CONFIG, elsewhere)
        os.remove(CONFIG)
        os.symlink(elsewhere, CONFIG)
        over_socket(path, SEARCH)
        wait_until(lambda: "Permission denied" in s.said())
        # A socket that was removed is made again; one that another process held is taken over.
        os.remove(path)
        wait_until(lambda: os.path.exists(path))
        os.remove(CONFIG)
        configure("share: yes\n")
        with Server("serve") as other:
            wait_until(lambda: "waiting" in other.said())
            s.process.terminate()
            assert s.process.wait(60) == 0
            assert other.line() == path
            over_socket(path, ADD, SEARCH)
            assert other.confinement() == {("2", "1")}
    whole()


def mcp_does_its_work_confined():
    configure("share: no\n")
    with Server("mcp", "--agent", "ash") as s:
        def write(text):
            s.process.stdin.write(text)
            s.process.stdin.flush()
        ask(write, s.line, ADD, SEARCH, ("memory_list", {"kind": "raw"}))
        assert s.confinement() == {("2", "1")}, s.confinement()
        assert s.said() == "", s.said()
        s.process.stdin.close()
        assert s.process.wait(60) == 0
    whole()


def a_store_that_cannot_be_written_is_served_confined():
    configure("share: yes\n")
    with Server("mcp", "--read-only") as s:
        def write(text):
            s.process.stdin.write(text)
            s.process.stdin.flush()
        ask(write, s.line, SEARCH)
        assert s.confinement() == {("2", "1")}
        s.process.stdin.close()
        assert s.process.wait(60) == 0


def whole():
    p = subprocess.run([STEMMA, "fsck", "--store", STORE], env=ENV, capture_output=True, text=True)
    assert p.returncode == 0, p.stdout + p.stderr
    assert os.listdir(os.path.dirname(STORE)) == ["memory.db"], os.listdir(os.path.dirname(STORE))


def can_confine():
    """Neither a kernel without Landlock (system call 444 asks for its version) nor ThreadSanitizer, nor FLAVOUR=posix."""
    program = open(STEMMA, "rb").read()
    return (ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1 and b"__tsan_" not in program
            and b"Landlock refused" in program)


if __name__ == "__main__":
    os.makedirs(os.path.dirname(STORE))
    configure("share: yes\n")
    subprocess.run([STEMMA, "add", "raw", "one", "--store", STORE], env=ENV, check=True, stdout=subprocess.DEVNULL)
    if not can_confine():
        print("not confined here, so not tested")
        sys.exit(0)
    sys.exit(harness.run(serve_does_its_work_confined, mcp_does_its_work_confined, a_store_that_cannot_be_written_is_served_confined))
