#!/usr/bin/env python3
"""The packages of packaging/build, of the program that is tested: each is installed into a clean root and used there."""
import glob, gzip, hashlib, json, os, re, shutil, subprocess, sys, tempfile, zipfile

ROOT = os.path.abspath(__file__ + "/../../..")
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or ROOT + "/stemma")
VERSION = re.search(r"^VERSION +:= (.*)", open(ROOT + "/Makefile").read(), re.M)[1]
REPOSITORY = "https://github.com/someone/stemma"
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}) + "\n"
# Without what the make that runs the tests says to others.
OWN_ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")}
TOOLS = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'


def run(*words, ok=(0,), **options):
    p = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    assert p.returncode in ok, (words, p.returncode, p.stdout)
    return p.stdout


def make(what, folder):
    """make WHAT of the program that is tested. Returns the folder of packages."""
    env = dict(OWN_ENVIRONMENT)
    env.update(HOME=folder, OUT=folder + "/out", DEBFULLNAME="The stemma authors", DEBEMAIL="authors@stemma.invalid",
               SOURCE_DATE_EPOCH="1800000000", npm_config_cache=folder + "/npm-cache", npm_config_update_notifier="false")
    run("make", "-s", "-C", ROOT, what, "PROGRAM=" + STEMMA, "REPOSITORY=" + REPOSITORY, env=env)
    return folder + "/out"


def serves(words, **options):
    """Whether an MCP client that starts these words is answered. Returns the names of the tools."""
    p = subprocess.run(words, input=INITIALIZE + TOOLS, stdout=subprocess.PIPE, text=True, timeout=60, **options)
    answers = [json.loads(line) for line in p.stdout.splitlines()]
    assert p.returncode == 0, p.returncode
    assert answers[0]["result"]["serverInfo"] == answers[0]["result"]["serverInfo"] | {
        "name": "stemma", "version": VERSION}, answers[0]
    return [tool["name"] for tool in answers[1]["result"]["tools"]]


def debian_package(folder):
    package, = glob.glob(make("deb", folder) + "/stemma_*.deb")
    # How the program of a test is compiled is not how the release is: test_hardened.py looks at that one.
    complaints = run("lintian", "--allow-root", "--fail-on", "none", "--suppress-tags", "hardening-no-pie,hardening-no-relro", package)
    assert not re.search("^[EW]:", complaints, re.M), complaints
    root = folder + "/root"
    for name in ("info", "updates", "triggers"):
        os.makedirs(root + "/var/lib/dpkg/" + name)
    open(root + "/var/lib/dpkg/status", "w").close()
    # A slim image of Debian excludes manual pages. What stemma depends on is in the root of this machine.
    dpkg = ["dpkg", "--root=" + root, "--force-depends", "--force-not-root", "--path-include=/usr/share/*"]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
    assert "libc6" in run("dpkg-deb", "-f", package, "Depends")
    run(*dpkg, "-i", package, env=env)
    program = root + "/usr/bin/stemma"
    assert run(program, "--version", env=env) == f"stemma {VERSION}\n"
    assert "memory_search" in serves([program, "mcp", "--store", folder + "/a.db"], env=env, stderr=subprocess.DEVNULL)
    for page, needed in (("man1/stemma.1", "stemma mcp [install"), ("man5/stemma-config.5", "tool_permissions:"),
                         ("man7/stemma-tutorial.7", "stemma demo")):
        path = f"{root}/usr/share/man/{page}.gz"
        assert needed in gzip.open(path, "rt").read(), page
        assert run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path, env=env).startswith("x T utf8"), page
    share = root + "/usr/share"
    completed = run("bash", "-c", f"source {share}/bash-completion/completions/stemma; COMP_LINE='stemma mcp install c'; COMP_POINT=20; "
                    f"_stemma {program}; echo ${{COMPREPLY[*]}}", env=env)
    assert completed == "claude claude-desktop cursor codex\n", completed
    assert all(os.path.getsize(share + path) for path in ("/zsh/vendor-completions/_stemma", "/fish/vendor_completions.d/stemma.fish"))
    run(*dpkg, "-r", "stemma", env=env)
    assert not os.path.exists(program) and not glob.glob(share + "/**/*stemma*", recursive=True)


def mcpb_bundle(folder):
    out = make("mcpb", folder)
    bundle, = glob.glob(out + "/stemma-*.mcpb")
    root = folder + "/installed"
    with zipfile.ZipFile(bundle) as archive:
        for entry in archive.infolist():
            os.chmod(archive.extract(entry, root), entry.external_attr >> 16)
    manifest = json.load(open(root + "/manifest.json"))
    assert manifest["version"] == VERSION and {"manifest_version", "name", "description", "author", "server"} <= manifest.keys()
    # As a client starts it, with the defaults of its settings.
    values = {"__dirname": root, "HOME": folder}
    values.update({"user_config." + name: setting["default"] for name, setting in manifest["user_config"].items()})

    def filled(text):
        while "${" in text:
            text = re.sub(r"\$\{([\w.]+)\}", lambda m: values[m[1]], text)
        return text
    config = manifest["server"]["mcp_config"]
    words = [filled(word) for word in [config["command"], *config["args"]]]
    assert words[0] == root + "/" + manifest["server"]["entry_point"]
    tools = serves(words, env={}, cwd="/", stderr=subprocess.DEVNULL)
    assert tools == [tool["name"] for tool in manifest["tools"]] and os.path.exists(folder + "/.local/share/stemma/memory.db")
    assert all(tool["description"] for tool in manifest["tools"])
    server = json.load(open(out + "/server.json"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]) and len(server["description"]) <= 100, server
    assert server["version"] == VERSION and server["name"] == "io.github.someone/stemma"
    in_registry, in_release = server["packages"]
    assert in_registry["identifier"] == "stemma" and in_registry["version"] == VERSION
    assert in_release["identifier"] == f"{REPOSITORY}/releases/download/v{VERSION}/{os.path.basename(bundle)}"
    assert in_release["fileSha256"] == hashlib.sha256(open(bundle, "rb").read()).hexdigest()


def npm_packages(folder):
    out = make("npm", folder)
    packages = sorted(glob.glob(out + "/stemma-*.tgz"))
    assert len(packages) == 2, packages
    prefix = folder + "/prefix"
    os.makedirs(prefix)
    env = {"PATH": os.environ["PATH"], "HOME": folder, "npm_config_cache": folder + "/npm-cache", "npm_config_update_notifier": "false",
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
    npm = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", prefix]
    run(*npm, *packages, env=env, cwd=prefix)
    program = prefix + "/node_modules/.bin/stemma"
    assert run(program, "--version", env=env) == f"stemma {VERSION}\n"
    assert "there is no store" in run(program, "list", "all", "--store", folder + "/none.db", env=env, ok=(3,))
    assert "memory_search" in serves([program, "mcp", "--store", folder + "/a.db"], env=env, stderr=subprocess.DEVNULL)
    # A signal goes on to the program, which ends in order.
    p = subprocess.Popen([program, "serve", "--store", folder + "/a.db"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True)
    socket = p.stdout.readline().strip()
    assert os.path.exists(socket), socket
    p.terminate()
    assert p.wait(60) == 0 and not os.path.exists(socket)
    # Without the package of this platform it says so.
    shutil.rmtree(glob.glob(prefix + "/node_modules/stemma-*")[0])
    assert "is missing" in run(program, "--version", env=env, ok=(1,))
    wrapper = json.load(open(prefix + "/node_modules/stemma/package.json"))
    assert wrapper["mcpName"] == "io.github.someone/stemma" and set(wrapper["optionalDependencies"].values()) == {VERSION}
    for name in wrapper["optionalDependencies"]:
        package = json.load(open(f"{ROOT}/npm/{name}/package.json"))
        assert package["name"] == name == f"stemma-{package['os'][0]}-{package['cpu'][0]}"


def what_is_installed(folder):
    """make install puts the program, its manual pages and completion under PREFIX."""
    run("make", "-s", "-C", ROOT, "install", "PROGRAM=" + STEMMA, "DESTDIR=" + folder + "/to", "PREFIX=/opt/s", env=OWN_ENVIRONMENT)
    found = {os.path.relpath(os.path.join(at, name), folder + "/to/opt/s") for at, _, names in os.walk(folder) for name in names}
    assert found == {"bin/stemma", "share/stemma/config.yaml", "share/doc/stemma/LICENSE", "share/man/man1/stemma.1", "share/man/man7/stemma-tutorial.7",
                     "share/man/man5/stemma-config.5", "share/bash-completion/completions/stemma",
                     "share/zsh/site-functions/_stemma", "share/fish/vendor_completions.d/stemma.fish"}, found


def main():
    for body, needs in ((debian_package, "dpkg-deb dpkg-shlibdeps lintian man strip"), (mcpb_bundle, "strip"), (npm_packages, "npm strip"),
                        (what_is_installed, "make")):
        missing = [name for name in needs.split() if not shutil.which(name)]
        if missing:
            print(f"[  SKIPPED ] {body.__name__}: {', '.join(missing)} not found; tests/deps test installs it", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="stemma-p-") as folder:
            harness.test(body.__name__, body, os.path.realpath(folder))
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())
