# Sessions: what a client says, what a person decides about it, and how it ends.
# Absent members are absent, blank ones are none, invalid or long ones are repaired and cut.
$ cat >said.py <<'END'
> from live import *
> a = Agent("--agent", "ash", "--task", "tidy up")
> print(a.write(), a.read(), a.ask("tools/call", name="memory_get", arguments={"ref": "raw:none"}))
> settle()
> about = "client client_version era transport actor agent task calls errors ended_by lives read_only".split()
> print(sessions(*about), sessions("process")[0][0] == a.p.pid, sessions("seen_at")[0] >= sessions("started_at")[0])
> a.end()
> print(sessions("lives", "ended_by", "calls"), sessions("lives", all=False))
> for client in ({"name": "cursor", "version": ""}, {"name": "\u200b ", "version": " "}, {"name": "a\ud83d\x1b[2J" + "x" * 300, "version": "1" * (1 << 20)}):
>     b = Agent(**client)
>     b.read(); b.end()
>     print([v if v is None or len(v) < 40 else (v[:8], len(v), v[-1]) for v in sessions("client", "client_version", "actor", "agent")[0]])
> print(run("fsck").split(" and ")[0])
> END
> python3 said.py
done done NOT_FOUND
[('claude-code', '2.1', '2025-11-25', 'stdio', 'ash', 'ash', 'tidy up', 3, 1, None, True, False)] True True
[(False, 'client', 3)] [1] stemma: nobody is connected; --all shows the sessions that ended
['cursor', None, 'unnamed', None]
[None, None, 'unnamed', None]
['a', ('11111111', 200, '…'), 'unnamed', None]
1 event, 1 memory, 0 links

# The latest are first, in pages; a number or the beginning of a uuid names one.
$ cat >found.py <<'END'
> from live import *
> agents = [Agent(name=f"client{n}", version="1") for n in range(3) if time.sleep(0.01) is None]
> for a in reversed(agents): a.read()
> settle()
> print(sessions("client"), run("sessions", "--limit", "1", "--json").count("client2"))
> by = {c: (i, u) for c, i, u in sessions("client", "id", "uuid")}
> for i, uuid in by.values():
>     print([json.loads(run("sessions", w, "--json"))["uuid"] == uuid for w in (str(i), uuid[:8], uuid[:8].upper())])
> for w in ("", "9", "abc", "zzzz", "-1", "99999999999999999999999", "%%%%", "gggggggg"): print(run("sessions", "--", w).strip())
> for a in agents: a.end()
> END
> rm -f s.db*; python3 found.py
[('client2',), ('client1',), ('client0',)] 2
[True, True, True]
[True, True, True]
[True, True, True]
[2] stemma: no session is named. Give its number, or the beginning of its uuid.
[1] stemma: there is no session 9. stemma sessions --all lists them.
[1] stemma: there is no session abc. stemma sessions --all lists them.
[1] stemma: there is no session zzzz. stemma sessions --all lists them.
[1] stemma: there is no session -1. stemma sessions --all lists them.
[1] stemma: there is no session 99999999999999999999999. stemma sessions --all lists them.
[1] stemma: there is no session %%%%. stemma sessions --all lists them.
[1] stemma: there is no session gggggggg. stemma sessions --all lists them.

# The next write obeys read-only and an end, whichever process decided; these are events without a memory; a killed session is lost.
$ cat >decided.py <<'END'
> from live import *
> a, b = Agent(name="one", version="1"), Agent(name="two", version="1")
> print(a.write(), b.write()); settle()
> by = dict(sessions("client", "id"))
> for word in ("--make-read-only", "--make-read-only", "--make-read-write", "--end", "--end", "--make-read-only"):
>     print(word, run("sessions", word, str(by["one"])).strip(), "|", a.write(), a.read(), b.write())
> print(run("sessions", "--end", "99").strip())
> for line in run("log", "--json").splitlines():
>     e = json.loads(line)
>     if "session" in e["operation"]: print([e[k] for k in ("operation", "actor", "class", "ref", "before", "after")])
> b.kill()
> print(sessions("client", "lives", "ended_by"), run("sessions", "--end", str(by["two"])).strip())
> c = Agent(name="three", version="1"); c.write(); settle()
> print(sessions("client", "lives"))
> a.end()
> # A store that is moved away serves those whom it served.
> for suffix in ("", "-wal", "-shm"): os.rename(STORE + suffix, STORE + ".away" + suffix)
> print(run("sessions", "--json", store=STORE + ".away").count("three"), run("add", "raw", "x")[:4], run("sessions").strip())
> for suffix in ("", "-wal", "-shm"): os.path.exists(STORE + suffix) and os.remove(STORE + suffix)
> for suffix in ("", "-wal", "-shm"): os.rename(STORE + ".away" + suffix, STORE + suffix)
> print(sessions("client", all=False)); c.end(); print(sessions("client", all=False), "all is well" in run("fsck"))
> END
> rm -f s.db*; python3 decided.py 2>&1 | sed 's/session [0-9][0-9]*/session N/'
done done
--make-read-only session N (?one) is read-only AGE | PERMISSION_DENIED done done
--make-read-only session N (?one) is read-only AGE | PERMISSION_DENIED done done
--make-read-write session N (?one) may write AGE | done done done
--end session N (?one) was ended | PERMISSION_DENIED PERMISSION_DENIED done
--end [4] stemma: session N has ended already. | PERMISSION_DENIED PERMISSION_DENIED done
--make-read-only [4] stemma: session N has ended already. | PERMISSION_DENIED PERMISSION_DENIED done
[1] stemma: there is no session N. stemma sessions --all lists them.
['read-only-session', 'sean', 'person', None, None, None]
['read-write-session', 'sean', 'person', None, None, None]
['end-session', 'sean', 'person', None, None, None]
[('two', False, 'lost'), ('one', False, 'sean')] [4] stemma: session N has ended already.
[('three', True), ('two', False), ('one', False)]
2 raw: [1] stemma: no session is recorded here; `stemma log` lists what was changed
[('three',)]
[1] stemma: nobody is connected; --all shows the sessions that ended True

# What a session was sent: bytes, estimated tokens, what full form would have cost, and by which tool. Totals hold however calls are grouped.
$ cat >sent.py <<'END'
> from live import *
> import re
> a, b = Agent("--agent", "ash"), Agent("--agent", "bo", name="codex", version="2")
> sizes = {}
> def ask(agent, tool, times=1, **arguments):
>     said = 0
>     for i in range(times): agent.p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}) + "\n")
>     agent.p.stdin.flush()
>     for _ in range(times): said += len(agent.p.stdout.readline().encode())
>     Agent.calls += times
>     sizes[agent, tool] = sizes.get((agent, tool), 0) + said
> ask(a, "memory_raw", blob="one")
> ask(a, "memory_list", 50)
> ask(a, "memory_get", ref="raw:none")
> ask(b, "memory_list", 2)
> a.ask("tools/list")
> a.end(); b.end(); settle()
> sent = dict(sessions("actor", "sent"))
> for agent, name in (a, "ash"), (b, "bo"):
>     tools = {t["tool"]: t for t in sent[name]["tools"]}
>     print(name, sorted(tools), [tools[t]["bytes"] == n for (who, t), n in sizes.items() if who is agent])
>     print(sum(t["bytes"] for t in tools.values()) == sent[name]["bytes"], sent[name]["tokens"] == sent[name]["bytes"] // 4, sent[name]["tokens_estimated"])
>     print({t: (u["answers"], u["failures"]) for t, u in sorted(tools.items())})
> # An answer that was shorter than its full form says so.
> with contextlib.closing(sqlite3.connect(STORE)) as db, db:
>     db.execute("UPDATE usage SET bytes = 4800, full_bytes = 260000 WHERE tool = 'memory_list' AND answers = 2")
>     db.execute("UPDATE usage SET bytes = 1000, full_bytes = 1000 WHERE tool = 'tools/list' OR tool = 'initialize'")
>     db.execute("DELETE FROM usage WHERE answers <> 2 AND tool LIKE 'memory%'")
> for line in run("sessions", "--all").split("\n")[:3]: print(re.sub(".*(errors|2025-11-25).*?( sent|[0-9.]+ K?B)", r"\2", line)[:23].rstrip())
> print(told("sessions", "--all"))
> print("\n".join(line for line in run("sessions", "2").split("\n") if " sent " in line or "~" in line))
> print("all is well" in run("fsck"))
> END
> rm -f s.db*; python3 sent.py
ash ['initialize', 'memory_get', 'memory_list', 'memory_raw', 'tools/list'] [True, True, True]
True True True
{'initialize': (1, 0), 'memory_get': (1, 1), 'memory_list': (50, 0), 'memory_raw': (1, 0), 'tools/list': (1, 0)}
bo ['initialize', 'memory_list'] [True]
True True True
{'initialize': (1, 0), 'memory_list': (2, 0)}
 sent  tokens  in full
5.8 KB   ~1.4k   ~65.2k
2.0 KB    ~500     ~500
stemma: sent to these sessions: 7.8 KB, ~1.9k tokens, in full form ~65.8k (with every field, as detail=full gives them)
 sent         5.8 KB, ~1.4k tokens, in full form ~65.2k (estimated: 4 bytes a token)
 by tool      memory_list: 2 answers, 4.8 KB, ~1.2k tokens, in full form ~65.0k
              initialize: 1 answer, 1.0 KB, ~250 tokens
True

# A store of version 10 has no counts: they begin with the next session, and its log stays sound.
$ cat >ten.py <<'END'
> from live import *
> a = Agent("--agent", "ash"); a.read(); a.tool("memory_get", ref="raw:none"); a.end(); settle()
> with contextlib.closing(sqlite3.connect(STORE)) as db, db:
>     db.executescript("DROP TABLE usage; DROP TABLE failure; ALTER TABLE mark DROP COLUMN by_agent; ALTER TABLE history DROP COLUMN before; ALTER TABLE history DROP COLUMN after; DROP TABLE source_file; DROP TABLE source_line; DROP TABLE source_touch; PRAGMA user_version = 10")
> print("all is well" in run("fsck"), sessions("calls", "errors", "sent"), [l.get("error") for l in log("--calls")[0]])
> before = open(STORE, "rb").read()
> print("--read-only", run("sessions", "--all", "--read-only").count("claude-code"), before == open(STORE, "rb").read())
> b = Agent("--agent", "ash"); b.read(); b.tool("memory_get", ref="raw:none"); b.end(); settle()
> print(rows("PRAGMA user_version"), [s and s["answers"] for s, in sessions("sent")], [l.get("arguments") for l in log("--calls")[0]])
> print(" - " in run("sessions", "--all").split("\n")[2], "sent" in run("sessions", "1"), "all is well" in run("fsck"))
> END
> rm -f s.db*; python3 ten.py
True [(2, 1, None)] [None, None]
--read-only 1 True
[(17,)] [3, None] [None, None, None, '{"ref":"raw:none"}']
True False True

# A failed call keeps what it was given and what the agent was told, masked as answers are; not the value of an entry, nor what was refused for personal data.
$ cat >failed.py <<'END'
> from live import *
> mail = "joe@" + "example.com"
> os.makedirs(os.path.expanduser("~/.config/stemma"), exist_ok=True)
> open(os.path.expanduser("~/.config/stemma/config.yaml"), "w").write("namespaces:\n  agent.ash: {pii: refuse}\n")
> a = Agent("--agent", "ash")
> for tool, arguments in (("memory_get", {"ref": "raw:none"}), ("memory_add", {"kind": "belief", "text": f"ask {mail}", "confidence": 7, "colour": "red"}),
>                         ("putMemory", {"namespace": "agent.bo", "key": "k", "value": {"a": "secretly"}}), ("putMemory", {"namespace": "agent.ash", "key": "k", "value": mail}),
>                         ("memory_ad", {"text": "unknown tool"}), ("memory_add", {"kind": "belief", "text": "x" * 5000 , "confidence": 7}),
>                         ("memory_add", {"kind": "belief", "text": "é" * 20000, "confidence": 7}),
>                         ("memory_get", {f"argument-{i:05}": mail for i in range(5000)})):
>     a.tool(tool, **arguments)
> a.ask("resources/read", uri="stemma://nothing", _meta={"progressToken": 1}); a.ask("no/method", text="unknown")
> a.end(); settle()
> for l in log("--calls")[0]: print(l["operation"], l["outcome"], *(s and (s if len(s) < 200 else f"{s[:60]} ({len(s.encode())}) {s[-25:]}") for s in (l["arguments"], l["error"])), sep="\n  ")
> content = open(STORE, "rb").read()
> print([word.encode() in content for word in (mail, "secretly", "unknown tool", "stemma://nothing")])
> b = Agent("--agent", "bo"); b.tool("putMemory", namespace="agent.bo", key="k", value="v", ttl_seconds=1); time.sleep(1.2); b.tool("putMemory", namespace="agent.bo", key="k2", value=1); b.end(); settle()
> print([(l["operation"], l["class"]) for l in log("--operation", "expire")[0]], rows("SELECT count(*) > 5 FROM failure")) # an expired value takes none of them away
> run("add", "raw", "gone"); run("purge", run("list", "raw", "--json").split('"')[3], "--yes")
> print([l.get("error") for l in log("--calls")[0]][:2], rows("SELECT count(*) FROM failure"), "all is well" in run("fsck"))
> END
> rm -f s.db*; python3 failed.py; rm -r .config
memory_get
  NOT_FOUND
  {"ref":"raw:none"}
  {"type":"error","error":{"code":"NOT_FOUND","message":"no memory is called raw:none","details":{"todo":"Search for it, or list its kind."}}}
memory_add
  INVALID_REQUEST
  {"kind":"belief","text":"ask [redacted-email]","confidence":7,"colour":"(5 bytes, not kept)"}
  {"type":"error","error":{"code":"INVALID_REQUEST","message":"confidence is out of range","details":{"todo":"Give a number from 0 to 1."}}}
putMemory
  PERMISSION_DENIED
  {"namespace":"agent.bo","key":"k","value":"(17 bytes, not kept)"}
  {"type":"error","error":{"code":"PERMISSION_DENIED","message":"Access denied to namespace 'agent.bo'","details":{"namespace":"agent.bo","operation":"write"}}}
putMemory
  PII_DETECTED
  None
  {"type":"error","error":{"code":"PII_DETECTED","message":"PII detected in memory operation","details":{"redacted_fields":["email"]}}}
unknown_tool
  INVALID_REQUEST
  {"text":"(14 bytes, not kept)"}
  {"code":-32602,"message":"no tool \"memory_ad\". The nearest is memory_add"}
memory_add
  INVALID_REQUEST
  {"kind":"belief","text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (4076) xxxxxxx… (986 more bytes)
  {"type":"error","error":{"code":"INVALID_REQUEST","message":"confidence is out of range","details":{"todo":"Give a number from 0 to 1."}}}
memory_add
  INVALID_REQUEST
  {"kind":"belief","text":"(120002 bytes, not kept)","confidence":7}
  {"type":"error","error":{"code":"INVALID_REQUEST","message":"confidence is out of range","details":{"todo":"Give a number from 0 to 1."}}}
memory_get
  INVALID_REQUEST
  {"argument-00000":"(17 bytes, not kept)","argument-00001":"( (4079) 0101… (185859 more bytes)
  {"type":"error","error":{"code":"INVALID_REQUEST","message":"there is no argument 'argument-00000'","details":{"todo":"Known are ref, detail, offset, length, part."}}}
resources/read
  NOT_FOUND
  {"uri":"stemma://nothing"}
  {"code":-32002,"message":"there is no resource stemma://nothing. See resources/templates/list.","data":{"uri":"stemma://nothing"}}
unknown_method
  INVALID_REQUEST
  {"text":"(9 bytes, not kept)"}
  {"code":-32601,"message":"no method \"no/method\""}
[False, False, False, True]
[('expire', 'stemma')] [(1,)]
[None, None] [(0,)] True
