"""Brings the official MCP clients, and a node they run on, from the npm registry: pinned by the lock files beside
this one, kept under build/npm until those change.

The machine's npm is used as it is configured; it needs no particular node. The clients need node 22.19 or later, which
the registry has as a package.
"""
import fcntl, filecmp, hashlib, os, re, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "../../../../../build/npm")
NODE = (22, 19)
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


class Missing(Exception):
    """What could not be brought, and why."""


def locked(act):
    """One of the tests that run side by side at a time: the others find what it brought."""
    def one_at_a_time(*args):
        os.makedirs(KEPT, exist_ok=True)
        with open(os.path.join(KEPT, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return act(*args)
    return one_at_a_time


def install(source, into, *options):
    """Packages as the lock file in `source` pins them; nothing is done where they stand there already."""
    files = ("package.json", "package-lock.json")
    wanted = hashlib.sha256(b"".join(open(os.path.join(source, f), "rb").read() for f in files)).hexdigest()
    made = os.path.join(into, "made-from")
    if os.path.exists(made) and open(made).read() == wanted:
        return
    shutil.rmtree(into, ignore_errors=True)
    os.makedirs(into)
    for f in files:
        shutil.copy(os.path.join(source, f), into)
    # Tests run with a home of their own; the registry is the machine's.
    env = dict(os.environ, HOME=os.environ.get("TESTER_HOME", os.environ.get("HOME", "/")))
    try:
        p = subprocess.run(["npm", "ci", *QUIET, *options], cwd=into, env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        raise Missing("npm is not installed: run make deps-test")
    if p.returncode:
        raise Missing(f"npm ci failed in {into}:\n{p.stdout.decode(errors='replace')[-4000:]}")
    with open(made, "w") as f:
        f.write(wanted)


def own_node():
    """The machine's node where it is young enough."""
    node = shutil.which("node")
    if node:
        said = subprocess.run([node, "--version"], stdout=subprocess.PIPE).stdout.decode()
        version = re.match(r"v(\d+)\.(\d+)", said)
        if version and tuple(map(int, version.groups())) >= NODE:
            return node
    return None


@locked
def node():
    """A node that the clients run on."""
    found = own_node()
    if found:
        return found
    into = os.path.join(KEPT, "node")
    install(os.path.join(HERE, "node"), into)
    for arch in ("x64", "arm64"):
        path = os.path.join(into, f"node_modules/node-linux-{arch}/bin/node")
        if os.path.exists(path):
            return os.path.abspath(path)
    raise Missing(f"the registry has no node for this machine: install node {NODE[0]}.{NODE[1]} or later")


@locked
def clients():
    """The directory that the clients' packages stand in, with our programs next to them."""
    into = os.path.join(KEPT, "clients")
    install(HERE, into, "--omit=optional")
    for name in os.listdir(HERE):
        program = os.path.join(HERE, name)
        copy = os.path.join(into, name)
        if name.endswith(".mjs") and not (os.path.exists(copy) and filecmp.cmp(program, copy, shallow=False)):
            shutil.copy(program, copy + ".new")
            os.replace(copy + ".new", copy)  # another test may run the one that is there
    return os.path.abspath(into)
