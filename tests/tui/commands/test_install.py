#!/usr/bin/env python3
"""stemma mcp install: what it writes into the configuration of a client, read by other parsers than its own, and that all else
in the file keeps every byte. The wording is in tests/cli/install.t."""
import json, os, pty, random, re, stat, subprocess, sys, tempfile, tomllib

ROOT = os.path.abspath(__file__ + "/../../../..")
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or ROOT + "/stemma")
CONFIG = ".config" if sys.platform != "darwin" else "Library/Application Support"
CLIENTS = {  # the file, the member with the servers, the agent, whether the entry has a type
    "claude": (".claude.json", "mcpServers", "claude-code", True),
    "claude-desktop": (CONFIG + "/Claude/claude_desktop_config.json", "mcpServers", "claude-desktop", False),
    "cursor": (".cursor/mcp.json", "mcpServers", "cursor", False),
    "codex": (".codex/config.toml", "mcp_servers", "codex", False),
    "vscode": (CONFIG + "/Code/User/mcp.json", "servers", "vscode", True),
}


class Home:
    """A home directory for one test."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stemma-i-")
        self.path = os.path.realpath(self.folder.name)
        self.env = {"HOME": self.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def file(self, client):
        return self.path + "/" + CLIENTS[client][0]

    def write(self, client, text):
        os.makedirs(os.path.dirname(self.file(client)), exist_ok=True)
        with open(self.file(client), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(self, client):
        with open(self.file(client), "rb") as file:
            return file.read()

    def run(self, client, *options, program=STEMMA, cwd="/"):
        return subprocess.run([program, "mcp", "install", client, *options], env=self.env, cwd=cwd, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60)

    def install(self, client, *options):
        """Installs it, and returns the configuration as a client reads it."""
        p = self.run(client, "--yes", *options)
        assert p.returncode == 0, p
        return parse(client, self.read(client))

    def files(self):
        """Each path below the home, and what it is."""
        return {os.path.join(folder, name)[len(self.path):] for folder, folders, names in os.walk(self.path) for name in folders + names}


def parse(client, text):
    text = text.decode(errors="surrogateescape")
    return tomllib.loads(text) if client == "codex" else json.loads(without_comments(text.removeprefix("\ufeff")))


def without_comments(text):
    """JSON with comments and commas before a bracket, as JSON."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])', re.S)
    return token.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)


def expected(home, client, *more):
    _, _, agent, typed = CLIENTS[client]
    args = ["mcp", "--store", home.path + "/.local/share/stemma/memory.db", "--agent", agent, *more]
    return {**({"type": "stdio"} if typed else {}), "command": STEMMA, "args": args}


def each_client_gets_its_file():
    for client, (_, member, _, _) in CLIENTS.items():
        with Home() as home:
            assert home.install(client) == {member: {"stemma": expected(home, client)}}, client
            assert stat.S_IMODE(os.stat(home.file(client)).st_mode) == 0o600
            assert not [path for path in home.files() if ".bak" in path]


def folders_may_be_named_by_the_environment():
    for client, variable, file in [("claude", "CLAUDE_CONFIG_DIR", ".claude.json"), ("codex", "CODEX_HOME", "config.toml"),
                                   ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json")]:
        with Home() as home:
            home.env[variable] = home.path + "/else where"
            assert home.run(client, "--yes").returncode == 0
            assert os.path.isfile(home.path + "/else where/" + file) or (variable[0] == "X" and sys.platform == "darwin")


def the_server_starts_as_a_client_starts_it():
    with Home() as home:
        entry = home.install("cursor")["mcpServers"]["stemma"]
        call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
        p = subprocess.run([entry["command"], *entry["args"]], env={}, cwd="/", input=json.dumps(call) + "\n", capture_output=True,
                           text=True, timeout=60)
        assert json.loads(p.stdout)["result"]["serverInfo"]["name"] == "stemma", p


def options_of_the_server_are_written():
    with Home() as home:
        entry = home.install("vscode", "--tools", "memory", "--tools", "reasoning", "--task", 'a "b" \\', "--read-only", "--agent",
                             "zoë", "--store", "~/a.db")["servers"]["stemma"]
        assert entry["args"] == ["mcp", "--store", home.path + "/a.db", "--agent", "zoë", "--task", 'a "b" \\', "--tools",
                                 "memory,reasoning", "--read-only"], entry
        entry = home.install("codex", "--task", 'a "b" \\ \x7f\x01')["mcp_servers"]["stemma"]
        assert entry["args"][-1] == 'a "b" \\ \x7f\x01', entry


def the_program_is_named_as_it_was_started():
    with Home() as home:
        os.makedirs(home.path + "/bin")
        os.symlink(STEMMA, home.path + "/bin/stemma")
        home.env["PATH"] = "/nowhere:" + home.path + "/bin"
        for program, cwd in [("stemma", "/"), ("./stemma", home.path + "/bin"), ("bin/stemma", home.path)]:
            # The shell looks for it in PATH.
            p = subprocess.run(["/bin/sh", "-c", program + " mcp install cursor --dry-run --json"], env=home.env, cwd=cwd,
                               capture_output=True, text=True)
            assert json.loads(p.stdout)["command"] == home.path + "/bin/stemma", (program, p)


JSON = [
    "", "\n", "{}", "{ }", "{\n}\n", '{"%s": {}}', '{\n  "%s": {}\n}\n', '{"%s":{"a":{"command":"x"}}}', '{"theme":"dark"}\n',
    '{\n\t"%s": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"theme": "dark"\n}\n',
    '{\n    "theme": "dark",\n    "projects": {"/x": {"%s": {"stemma": {"command": "y"}}}}\n}',
    '{"a": "\\ud83d", "b": 1e999, "c": "\\u0000", "d": [[], {}]}', '{\r\n  "%s": {\r\n  }\r\n}\r\n',
]
COMMENTED = [
    '// mine\n{\n  // first\n  "%s": { // more\n    "a": {"command": "x", /* "stemma": { */ "args": ["//", "/*",],},\n  },\n}\n',
    '\ufeff{ /* "%s": {} */\n "x": "a // b \\" // c", // {\n}', '{\n  "%s": {\n    // none yet\n  }\n}', '{\n // none\n}',
    '{"%s": {/* none */}}',
]
TOML = [
    "", "\n", "model = \"x\"", "model = \"x\"\n", "# [mcp_servers.stemma]\n", "a = '''\n[mcp_servers.stemma]\n'''\n",
    "[mcp_servers.other]\ncommand = \"y\"\nargs = [\n  \"[mcp_servers.stemma]\", # ]\n  '[',\n]\n[projects.\"/a.b\"]\ntrust = \"x\"\n",
    "[ mcp_servers . other ]\ncommand = \"\"\"\\\"\"\"\"\"\n\r\n[mcp_servers.stemma.env]\nA = \"1\"\n", "[mcp_servers]\n[x]\ny = [[1], [2]]\n",
    "[[list]]\na = {b = '#', c = [1, 2]}\n[[list]]\n",
]


def all_else_keeps_its_bytes():
    cases = [(client, text) for client in ("claude", "claude-desktop", "cursor", "vscode") for text in JSON + COMMENTED]
    for client, text in cases + [("codex", text) for text in TOML]:
        with Home() as home:
            member = CLIENTS[client][1]
            text = text.replace("%s", member)
            home.write(client, text)
            before = parse(client, text.encode()) if text.strip() else {}
            after, made = home.install(client), home.read(client)
            before.setdefault(member, {})
            before[member]["stemma"] = expected(home, client) | before[member].get("stemma", {})
            assert after == before, (client, text, made)
            # It is the text with one insertion: of what was there only white space between two brackets may go.
            old, start, end = text.encode(), 0, 0
            while start < len(old) and old[start] == made[start]:
                start += 1
            while end < len(old) - start and old[-1 - end] == made[-1 - end]:
                end += 1
            assert not old[start:len(old) - end].strip(), (client, text, made)
            with open(home.file(client) + ".bak", "rb") as file:
                assert file.read() == text.encode()


def again_changes_nothing_and_other_options_only_the_entry():
    for client, text in [("claude", '{\n  "mcpServers": {\n    "a": {}\n  },\n  "x": 1\n}\n'), ("cursor", '{"mcpServers":{}}'),
                         ("codex", "a = 1\n[b]\nc = 2\n")]:
        with Home() as home:
            home.write(client, text)
            home.install(client)
            once, files = home.read(client), home.files()
            assert "already" in home.run(client).stdout
            assert (home.read(client), home.files()) == (once, files)
            more = home.install(client, "--tools", "review")[CLIENTS[client][1]]["stemma"]
            assert more == expected(home, client, "--tools", "review")
            home.install(client)
            assert home.read(client) == once, client
            # An earlier copy is kept.
            copies = [open(home.file(client) + end).read() for end in (".bak", ".bak.2", ".bak.3")]
            assert copies[:2] == [text, once.decode()] and '"review"' in copies[2]


def settings_of_the_entry_stay():
    with Home() as home:
        home.write("cursor", '{"mcpServers": {"stemma": {"url": "http://x", "env": {"A": "1"}, "args": [], "alwaysAllow": [1.50]}}}')
        assert home.install("cursor")["mcpServers"]["stemma"] == expected(home, "cursor") | {"env": {"A": "1"}, "alwaysAllow": [1.5]}
        assert b"1.50" in home.read("cursor")
        home.write("codex", '[mcp_servers.stemma]\n# slow\nstartup_timeout_sec = 20\ncommand = "old"\n# none\nenv = {A = "1"}\n\n[x]\n')
        made = home.install("codex")
        assert made == {"mcp_servers": {"stemma": expected(home, "codex") | {"startup_timeout_sec": 20, "env": {"A": "1"}}}, "x": {}}
        assert b"# slow\n" in home.read("codex") and b"# none\n" in home.read("codex")


BROKEN = {
    "cursor": ["{", "[]", "1", '{"mcpServers": []}', '{"mcpServers": null}', '{"a": 1, "a": 2}', '{"a": 1 "b": 2}', '{"a\n": 1}', "{}}",
               '{"mcpServers": {}, "mcpServers": {}}', b'{"a": \x00}', "{/* }", '{"a', "[" * 5000, "// only a comment",
               '{"mcpServers": {"stemma": {"command": "x" /* mine */}}}'],
    "codex": ["[", "a", "a = [1", "a = '''", 'a = "x', "[a\n", "= 1\n", b"a = 1\x00", "mcp_servers = {}\n", "a = {\n",
              "[mcp_servers]\nstemma = {command = 'x'}\n", "mcp_servers.stemma.command = 'x'\n", "[[mcp_servers.stemma]]\n",
              "[mcp_servers.stemma]\n[mcp_servers.stemma]\n"],
}


def a_file_that_cannot_be_edited_safely_is_left_alone():
    for client, texts in BROKEN.items():
        for text in texts:
            with Home() as home:
                home.write(client, text)
                before, files = home.read(client), home.files()
                p = home.run(client, "--yes")
                assert p.returncode == 3 and p.stderr.count("\n") == 1 and home.file(client) in p.stderr, (text, p)
                assert "+ " in p.stdout and '"--agent", "' + client in p.stdout, (text, p)  # what to add by hand
                assert (home.read(client), home.files()) == (before, files), text


def what_is_no_file_is_left_alone():
    def directory(path): os.makedirs(path)
    def pipe(path): os.mkfifo(path)
    def dangling(path): os.symlink("/nowhere/at/all", path)
    def unreadable(path): os.close(os.open(path, os.O_CREAT, 0))
    for make in (directory, pipe, dangling) + ((unreadable,) if os.geteuid() else ()):
        with Home() as home:
            os.makedirs(home.path + "/.cursor")
            make(home.file("cursor"))
            files = home.files()
            p = home.run("cursor", "--yes")
            assert p.returncode in (3, 4) and home.file("cursor") in p.stderr and home.files() == files, (make, p)
    with Home() as home:
        open(home.path + "/.cursor", "w").close()  # its directory is a file
        p = home.run("cursor", "--yes")
        assert p.returncode == 3 and ".cursor" in p.stderr, p
    with Home() as home:
        del home.env["HOME"]
        p = home.run("cursor", "--yes", "--store", "/x")
        assert p.returncode == 2 and "HOME is not set" in p.stderr, p


def a_link_is_followed_and_the_mode_stays():
    with Home() as home:
        os.makedirs(home.path + "/dotfiles")
        os.makedirs(home.path + "/.cursor")
        with open(home.path + "/dotfiles/mcp.json", "w") as file:
            file.write("{}")
        os.chmod(home.path + "/dotfiles/mcp.json", 0o640)
        os.symlink("../dotfiles/mcp.json", home.file("cursor"))
        home.install("cursor")
        assert os.path.islink(home.file("cursor")) and stat.S_IMODE(os.stat(home.file("cursor")).st_mode) == 0o640
        assert home.files() == {"/dotfiles", "/dotfiles/mcp.json", "/.cursor", "/.cursor/mcp.json", "/.cursor/mcp.json.bak"}


def nothing_is_written_unasked():
    for options, status in [((), 4), (("--dry-run",), 0), (("--json",), 4), (("--dry-run", "--yes"), 0)]:
        with Home() as home:
            p = home.run("claude", *options)
            assert p.returncode == status and not home.files(), (options, p)


def answer(home, what, meanwhile=None):
    """Types the answer on a terminal. Returns what the terminal showed."""
    child, screen = pty.fork()
    if child == 0:
        os.execve(STEMMA, [STEMMA, "mcp", "install", "cursor"], home.env)
    shown = b""
    try:
        while block := os.read(screen, 65536):
            shown += block
            if what and b"[y/N]" in shown:
                if meanwhile:
                    meanwhile()
                os.write(screen, what + b"\n")
                what = b""
    except OSError:
        pass
    os.close(screen)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown


def the_answer_counts():
    with Home() as home:
        home.write("cursor", '{"x": "\x1b[31m", "mcpServers": {"stemma": {"command": "a\\u001b[31m\u202e"}}}'.replace("\x1b", "\\u001b"))
        before = home.read("cursor")
        status, shown = answer(home, b"n")
        assert status == 4 and home.read("cursor") == before, shown
        assert "\u202e" not in shown.decode(), shown  # what it shows is cleaned
        status, shown = answer(home, b"y", lambda: home.write("cursor", "{ }"))
        assert status == 4 and b"was changed meanwhile" in shown and home.read("cursor") == b"{ }", shown
        status, shown = answer(home, b"y")
        assert status == 0 and parse("cursor", home.read("cursor"))["mcpServers"]["stemma"] == expected(home, "cursor"), shown


def whatever_is_in_the_file():
    """Files with a few bytes changed: it writes what still parses, or nothing."""
    source = random.Random(28)
    pieces = ["{", "}", "[", "]", '"', "'", ",", "//", "/*", "*/", "#", "\n", "=", ".", "\\", "stemma", "mcp_servers", "\x01", '"""']
    for client, texts in (("cursor", JSON + COMMENTED), ("codex", TOML)):
        for _ in range(60):
            with Home() as home:
                text = source.choice(texts).replace("%s", CLIENTS[client][1])
                for _ in range(source.randint(1, 3)):
                    at = source.randint(0, len(text))
                    text = text[:at] + source.choice(pieces) + text[at + source.randint(0, 2):]
                home.write(client, text)
                before = home.read(client)
                p = home.run(client, "--yes")
                assert p.returncode in (0, 3), (text, p)
                if p.returncode:
                    assert home.read(client) == before, (text, p)
                    continue
                try:
                    given = parse(client, before) if before.strip() else {}
                except ValueError:
                    continue  # it was broken in a way that its edit does not touch
                made = parse(client, home.read(client))
                assert made[CLIENTS[client][1]].pop("stemma")["command"] == STEMMA, (text, p)
                given.setdefault(CLIENTS[client][1], {}).pop("stemma", None)
                assert made == given, (text, made)


if __name__ == "__main__":
    sys.exit(harness.run(
        each_client_gets_its_file, folders_may_be_named_by_the_environment, the_server_starts_as_a_client_starts_it,
        options_of_the_server_are_written, the_program_is_named_as_it_was_started, all_else_keeps_its_bytes,
        again_changes_nothing_and_other_options_only_the_entry, settings_of_the_entry_stay,
        a_file_that_cannot_be_edited_safely_is_left_alone, what_is_no_file_is_left_alone, a_link_is_followed_and_the_mode_stays,
        nothing_is_written_unasked, the_answer_counts, whatever_is_in_the_file))
