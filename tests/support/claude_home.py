"""Writes a ~/.claude as Claude Code does, in which the cause of each memory file is known. The fields are those that its
transcripts document by example; nothing here is from a real one.

    home = ClaudeHome("/tmp/x/.claude"); s = home.session(); s.person("…"); s.write("feedback_a.md", "…"); s.end()"""
import json, os, random, sys, uuid

SLUG = "-w-loom"
BEGIN = 1782000000000  # ms: 2026-06-21


def iso(ms):
    import datetime
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + \
        "%03dZ" % (ms % 1000)


class ClaudeHome:
    def __init__(self, root, seed=1):
        self.root, self.random, self.clock = root, random.Random(seed), BEGIN
        self.project = os.path.join(root, "projects", SLUG)
        self.memory = os.path.join(self.project, "memory")
        os.makedirs(self.memory, exist_ok=True)

    def uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def now(self):
        self.clock += self.random.randrange(1000, 60000)
        return self.clock

    def session(self, old=False):
        return Session(self, old)

    def memory_file(self, name, text, type_="feedback", session=None, old=False, modified=None):
        modified = modified or self.clock
        if old:
            head = f"name: {name[:-3]}\ntype: {type_}\n" + (f"originSessionId: {session}\n" if session else "")
        else:
            head = (f"name: {name[:-3]}\ndescription: about {name[:-3]}\nmetadata:\n  node_type: memory\n  type: {type_}\n" +
                    (f"  originSessionId: {session}\n" if session else "") + f"  modified: {iso(modified)}\n")
        whole = f"---\n{head}---\n{text}\n"
        with open(os.path.join(self.memory, name), "w") as f:
            f.write(whole)
        return whole

    def index(self, lines):
        with open(os.path.join(self.memory, "MEMORY.md"), "w") as f:
            f.write("".join(line + "\n" for line in lines))


class Session:
    """A transcript. `old`: as before 2.1.20x, without origin and promptSource."""

    def __init__(self, home, old=False, agent_of=None):
        self.home, self.old, self.lines, self.parent, self.agent_of = home, old, [], None, agent_of
        self.id = agent_of.id if agent_of else home.uuid()
        self.agent = "%08x" % home.random.getrandbits(32) if agent_of else None
        self.message = 0

    def path(self):
        if self.agent_of:
            return os.path.join(self.home.project, self.id, "subagents", f"agent-{self.agent}.jsonl")
        return os.path.join(self.home.project, self.id + ".jsonl")

    def line(self, type_, parent="last", **more):
        u = self.home.uuid()
        d = {"parentUuid": self.parent if parent == "last" else parent, "isSidechain": self.agent is not None,
             "userType": "external", "cwd": "/w/loom", "sessionId": self.id, "version": "1.0.80" if self.old else "2.1.202",
             "gitBranch": "main", "type": type_}
        if self.agent:
            d["agentId"] = self.agent
        d.update(more)
        d.update({"uuid": u, "timestamp": iso(self.home.now())})
        self.lines.append(d)
        self.parent = u
        return u

    def person(self, text):
        more = {} if self.old or self.agent else {"origin": {"kind": "human"}, "promptSource": "typed"}
        content = text if self.home.random.random() < 0.5 else [{"type": "text", "text": text}]
        return self.line("user", message={"role": "user", "content": content}, **more)

    def notice(self, text):
        """What the program says where a person would."""
        if self.old:
            return self.line("user", message={"role": "user", "content": text}, isMeta=True)
        return self.line("user", message={"role": "user", "content": text}, origin={"kind": "task-notification"},
                         promptSource="system")

    def assistant(self, *blocks, new=True, parent="last"):
        self.message += new
        return self.line("assistant", parent=parent, message={
            "id": f"msg_{self.id[:8]}_{self.agent}_{self.message}", "role": "assistant", "model": "claude-x", "type": "message",
            "content": list(blocks), "stop_reason": None,
            "usage": {"input_tokens": 3, "output_tokens": 14, "cache_creation_input_tokens": 10,
                      "cache_read_input_tokens": 9631, "cache_creation": {"ephemeral_5m_input_tokens": 10},
                      "service_tier": "standard"}})

    def say(self, text):
        self.assistant({"type": "thinking", "thinking": "Let me think about " + text, "signature": "x" * 40})
        return self.assistant({"type": "text", "text": text}, new=False)

    def tool(self, name, input_, result, error=False, new=True):
        call = "toolu_%024x" % self.home.random.getrandbits(96)
        self.assistant({"type": "tool_use", "id": call, "name": name, "input": input_}, new=new)
        block = {"tool_use_id": call, "type": "tool_result", "content": result}
        if error:
            block["is_error"] = True
        return self.line("user", message={"role": "user", "content": [block]}, toolUseResult={"stdout": result})

    def file(self, name):
        return f"/home/u/.claude/projects/{SLUG}/memory/{name}"

    def write(self, name, whole, error=False):
        return self.tool("Write", {"file_path": self.file(name), "content": whole}, "File created", error)

    def edit(self, name, old, new):
        return self.tool("Edit", {"file_path": self.file(name), "old_string": old, "new_string": new}, "File edited")

    def agent_session(self):
        return Session(self.home, self.old, agent_of=self)

    def end(self, newline=True):
        os.makedirs(os.path.dirname(self.path()), exist_ok=True)
        with open(self.path(), "w") as f:
            f.write("\n".join(json.dumps(d, separators=(",", ":")) for d in self.lines) + ("\n" if newline else ""))
        os.utime(self.path(), (self.home.clock / 1000, self.home.clock / 1000))


def forty(root, seed=1):
    """Forty sessions that each write a memory. Returns {name: {"cause": uuid, "session": id, "evidence": [uuids]}}."""
    home, known = ClaudeHome(root, seed), {}
    for n in range(40):
        s, kind = home.session(old=n % 4 == 3), ["feedback", "user", "project", "reference"][n % 4]
        name = f"{kind}_{n:02d}.md"
        s.person(f"please look at part {n}")
        s.say(f"I look at part {n}.")
        for k in range(n % 3):
            s.tool("Read", {"file_path": f"/w/loom/src/{n}_{k}.c"}, "int main(void);\n" * (k + 1))
        s.say("Done with that.")
        if n % 5 == 1:  # a rewind: these words are on a branch that was left
            at = s.parent
            s.person(f"no, wrong branch {n}")
            s.say("I see.")
            s.parent = at
        cause = s.person(f"From now on always do thing {n}. Remember that.")
        evidence = []
        s.say(f"I will remember thing {n}.")
        for k in range(n % 4):
            evidence.append(s.tool(*[("Grep", {"pattern": "x", "path": "/w/loom"}, f"found {k}"),
                                     ("Bash", {"command": f"make {k}"}, "ok " * 300),
                                     ("WebFetch", {"url": f"https://example.org/{n}", "prompt": "p"}, f"page {n}")][k]))
        if n % 6 == 2:
            s.notice("<task-notification>a task ended</task-notification>")
        whole = home.memory_file(name, f"Do thing {n}. **Why:** told so.", kind, s.id, old=n % 8 == 7)
        if n % 7 == 3:
            evidence.append(s.write(name, "denied", error=True))
        s.write(name, whole)
        s.say("Saved.")
        s.person("thanks")
        s.end()
        known[name] = {"cause": cause, "session": s.id, "evidence": evidence, "text": f"thing {n}"}
    home.index([f"- [{name[:-3]}]({name}) — about it" for name in sorted(known)])
    return home, known


def large(root, size):
    """Transcripts of `size` bytes in sessions of some 5 MB: words, tool calls, and results that are files of code. One in four
    writes a memory."""
    home, n, done = ClaudeHome(root), 0, 0
    code = "".join(f"\tif (value[{i}] == \"{i * 7919 % 1000}\") {{\n\t\treturn fail(e, \"no such \\\"name\\\"\");\n\t}}\n" for i in range(400))
    while done < size:
        s = home.session()
        s.person(f"session {n}: please do the task")
        for k in range(400):
            s.say(f"Step {k}. " + "I look at what the code does before I change it. " * 12)
            at = home.random.randrange(len(code) - 8000)
            s.tool("Read", {"file_path": f"/w/loom/src/file_{k}.c"}, code[at:at + home.random.randrange(1000, 8000)])
            if k % 20 == 0:
                s.person(f"go on with part {k}")
        if n % 4 == 0:
            s.person(f"remember rule {n}")
            s.write(f"feedback_{n}.md", home.memory_file(f"feedback_{n}.md", f"Rule {n}.", session=s.id))
        s.end()
        done += os.path.getsize(s.path())
        n += 1


if __name__ == "__main__":
    _, causes = forty(sys.argv[1])
    json.dump(causes, sys.stdout, indent=1)
