"""Installs the official MCP clients and a node to run them from the npm registry, as the lock files in this folder pin them.
They stay under build/npm until the lock files change.

The machine's npm is used as configured; any node will do for it. The clients need node 22.19 or later, which
the registry has as a package.
"""
import fcntl, filecmp, hashlib, os, re, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "../../../../../build/npm")
NODE = (22, 19)
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


class Missing(Exception):
    """A package could not be installed; the message says why."""


def locked(act):
    """Lets one process install at a time; the others find its result."""
    def one_at_a_time(*args):
        os.makedirs(KEPT, exist_ok=True)
        with open(os.path.join(KEPT, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return act(*args)
    return one_at_a_time


def install(source, into, *options):
    """Installs the packages that the lock file in `source` pins, unless they are there."""
    files = ("package.json", "package-lock.json")
    wanted = hashlib.sha256(b"".join(open(os.path.join(source, f), "rb").read() for f in files)).hexdigest()
    made = os.path.join(into, "made-from")
    if os.path.exists(made) and open(made).read() == wanted:
        return
    shutil.rmtree(into, ignore_errors=True)
    os.makedirs(into)
    for f in files:
        shutil.copy(os.path.join(source, f), into)
    # Tests have their own home, but npm needs the machine's configuration.
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
    """Returns the machine's node if it is new enough."""
    node = shutil.which("node")
    if node:
        said = subprocess.run([node, "--version"], stdout=subprocess.PIPE).stdout.decode()
        version = re.match(r"v(\d+)\.(\d+)", said)
        if version and tuple(map(int, version.groups())) >= NODE:
            return node
    return None


@locked
def node():
    """Returns a node that can run the clients."""
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
    """Returns the directory of the clients' packages, with our programs next to them."""
    into = os.path.join(KEPT, "clients")
    install(HERE, into, "--omit=optional")
    for name in os.listdir(HERE):
        program = os.path.join(HERE, name)
        copy = os.path.join(into, name)
        if name.endswith(".mjs") and not (os.path.exists(copy) and filecmp.cmp(program, copy, shallow=False)):
            shutil.copy(program, copy + ".new")
            os.replace(copy + ".new", copy)  # another test may be running the old one
    return os.path.abspath(into)
