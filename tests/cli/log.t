# Calls and changes in one log, by time, in pages; each line occurs once.
$ cat >merged.py <<'END'
> from live import *
> put({"ref": "note:aaaaaaaa", "text": "first \x1b[31mtext"}, {"ref": "belief:bbbbbbbb", "text": "second text"})
> run("edit", "note:aaaaaaaa", "--text", "third \x1b[31mtext", "--reason", "it was\nwrong"); put({"ref": "raw:cccccccc", "text": "fourth text"})
> print([(l["seq"], l["operation"], l["ref"], l["class"], l["reason"], l["session"], len(l["after"])) for l in log()[0]])
> print(run("log", "--color", "never"))
> a, b = Agent("--agent", "ash", name="cli", version="1.0").seated(), Agent(name="cursor", version="").seated()
> print(a.tool("memory_get", ref="note:aaaaaaaa"), a.tool("memory_get", ref="note:aaaaaaaa"), a.tool("memory_get", ref="note:none"), b.read())
> settle()
> lines = log("--calls")[0]
> print(lines == sorted(lines, key=lambda l: l["at"]), [(l["operation"], l["count"], l["outcome"], l["ref"], l["actor"], l["session"]) for l in lines[4:]])
> import re; print(re.sub(r"\d\.\d s", "N s", run("log", "--calls", "--limit", "3")))
> for o in "--actor ash", "--session 2", "--operation memory_list", "--kind note", "--ref note:aaaaaaaa", "--limit 2", "--limit 5", "--limit 1000000", "--until 2020-01-01":
>     print(o, len(log("--calls", *o.split())[0]))
> for o in [], ["--calls"]:
>     whole = pages(1000, *o)
>     print(len(whole), [pages(n, *o) == whole for n in (1, 2, 3, 6, 7, 8)])
> print(told("log", "--limit", "3"), told("log", "--limit", "3", "--cursor", "2"), len(log("--limit", "3", "--cursor", "2")[0]))
> print(len(log("--follow", "--until", "now")[0]), len(log("--follow", "--calls", "--until", "now", "--limit", "2")[0]))
> END
> python3 merged.py
[(1, 'import', 'note:ID1', 'person', None, None, 64), (2, 'import', 'belief:ID2', 'person', None, None, 64), (3, 'edit', 'note:ID1', 'person', 'it was\nwrong', None, 64), (4, 'import', 'raw:ID3', 'person', None, None, 64)]
#1        NOW  sean                 import              note:ID1  third �[31mtext
#2        NOW  sean                 import              belief:ID2  second text
#3        NOW  sean                 edit                note:ID1  (it was wrong)  third �[31mtext
#4        NOW  sean                 import              raw:ID3  fourth text

done done NOT_FOUND done
True [('memory_get', 2, 'OK', 'note:ID1', 'ash', 1), ('memory_get', 1, 'NOT_FOUND', None, 'ash', 1), ('memory_list', 1, 'OK', None, 'unnamed', 2)]
          NOW  ash (agent)          memory_get          note:ID1  2 times in N s
          NOW  ash (agent)          memory_get          NOT_FOUND
          NOW  ?cursor (agent)      memory_list

--actor ash 2
--session 2 1
--operation memory_list 1
--kind note 3
--ref note:ID1 3
--limit 2 2
--limit 5 5
--limit 1000000 7
--until 2020-01-01 0
4 [True, True, True, True, True, True]
7 [True, True, True, True, True, True]
stemma: there are older events beyond --limit  1
4 2

# Calls and changes of two processes in any order, over several blocks; the newest ones are as many as requested, even if few rows of calls match.
$ cat >long.py <<'END'
> from live import *
> put(*({"ref": f"note:n{i}", "text": "written"} for i in range(150)))
> a, b = Agent("--agent", "one"), Agent("--agent", "two")
> for i in range(150):
>     a.tool("memory_get", ref=f"note:n{i}"); b.tool("memory_get", ref=f"note:n{149 - i}")
>     if i % 3 == 0: a.write(); b.tool("memory_get", ref="note:none")
> for i in range(300): b.tool("putMemory", namespace="session.a", key=f"k{i}", value=i)
> settle()
> whole = pages(100000, "--calls")
> print(len(whole) > 800, [(len(p), all(l in p for l in whole)) == (len(whole), True) for p in (pages(n, "--calls") for n in (41, 97, 256))])
> print([len(log("--calls", "--limit", str(n))[0]) == min(n, len(whole)) for n in (1, 7, 200, 2000)])
> END
> rm -f s.db*; python3 long.py
True [True, True, True]
[True, True, True, True]

# A write of an entry tool is listed as its event; its refusal, and a search by the tool's name, as the call.
$ cat >entries.py <<'END'
> from live import *
> a = Agent("--agent", "ash")
> at = dict(namespace="session.a", key="k")
> print(a.tool("putMemory", value=1, **at), a.tool("putMemory", namespace="vault.x", key="k", value=1), a.tool("deleteMemory", **at)); settle()
> for o in [], ["--operation", "putMemory"], ["--operation", "deleteMemory"]:
>     print([(l["operation"], l["outcome"] if "outcome" in l else "-", l.get("namespace")) for l in log("--calls", *o)[0]])
> END
> rm -f s.db*; python3 entries.py
done PERMISSION_DENIED done
[('put', '-', None), ('putMemory', 'PERMISSION_DENIED', 'vault.x'), ('delete', '-', None)]
[('putMemory', 'OK', 'session.a'), ('putMemory', 'PERMISSION_DENIED', 'vault.x')]
[('deleteMemory', 'OK', 'session.a')]

# --follow prints what comes until it is stopped, nobody reads, or the store is gone; lines are as wide as the terminal is then.
$ cat >follow.py <<'END'
> from live import *
> import fcntl, pty, struct, termios
> put({"ref": "note:last", "text": "t"})
> a = Agent(name="cursor", version="1"); a.read(); settle()
> def follow(): return subprocess.Popen(["stemma", "log", "--follow", "--calls", "--json", "--limit", "1"], stdout=subprocess.PIPE, text=True)
> def heard(p, *fields):
>     line = json.loads(p.stdout.readline()); return [line[f] for f in fields]
> p = follow(); print(heard(p, "operation"))
> for i in range(20):
>     put({"ref": f"note:follow-{i}", "text": "t"}); assert heard(p, "ref") == [f"note:follow-{i}"]
>     if i % 5 == 0: a.tool("memory_protect", ref="note:last"); print(heard(p, "operation", "outcome"))
> p.send_signal(signal.SIGINT); print(repr(p.stdout.read()), p.wait())
> p = follow(); heard(p, "at"); p.stdout.close(); print(p.wait())
> pid, fd = pty.fork()
> if pid == 0: os.execvp("stemma", ["stemma", "log", "--follow", "--color", "never", "--limit", "1"])
> def until_line():
>     got = b""
>     while b"\r\n" not in got: got += os.read(fd, 65536)
>     return got.decode().split("\r\n")[0]
> until_line()
> for i, width in enumerate((100, 60, 140, 30)):
>     fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 10, width, 0, 0))
>     put({"ref": f"note:w{i}", "text": "0" * 200}); print(width, len(until_line()))
> os.kill(pid, signal.SIGINT); print(os.waitpid(pid, 0)[1])
> p = follow(); heard(p, "at"); os.unlink("s.db"); print(repr(p.stdout.read()), p.wait())
> END
> rm -f s.db*; python3 follow.py 2>/dev/null
['memory_list']
['memory_protect', 'PERMISSION_DENIED']
['memory_protect', 'PERMISSION_DENIED']
['memory_protect', 'PERMISSION_DENIED']
['memory_protect', 'PERMISSION_DENIED']
'' 0
0
100 100
60 60
140 140
30 30
0
'' 3

# What the guard did, for which agent, task and trace; and what sessions and metrics say of it.
$ cat >guarded.py <<'END'
> from live import *
> a = Agent(name="cli", version="1")
> meta = {"dev.stemma/agent_id": "rowan", "dev.stemma/task_id": "t 1", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
> own = dict(namespace="session.ops", key="k")
> print(a.tool("putMemory", meta, value="a@corp.example b@corp.example", **own), a.tool("getMemory", meta, **own), a.tool("getMemory", meta, namespace="team.ops", key="k")); settle()
> for l in log("--calls", "--actor", "?rowan")[0]: print([l.get(f) for f in "operation outcome actor via claimed namespace task traceparent redactions".split()], sorted(l.get("spans") or []))
> print(run("log", "--calls"))
> print(sessions("redactions", "namespaces"), [l for l in run("sessions", "1").splitlines() if l.startswith(" about")], '"team.ops"' in run("metrics", "--json"))
> END
> rm -f s.db*; python3 guarded.py
done done PERMISSION_DENIED
['put', None, 'unnamed', '?cli', 'rowan', None, None, None, None] []
['getMemory', 'OK', 'unnamed', '?cli', 'rowan', 'session.ops', 't 1', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 2] ['permission_us', 'pii_us', 'store_us']
['getMemory', 'PERMISSION_DENIED', 'unnamed', '?cli', 'rowan', 'team.ops', 't 1', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 0] ['permission_us', 'pii_us', 'store_us']
#1        NOW  ?rowan (agent)       put                 via ?cli  entry:ID4  k
          NOW  ?rowan (agent)       getMemory           via ?cli  entry:ID4  in session.ops  2 masked
          NOW  ?rowan (agent)       getMemory           via ?cli  PERMISSION_DENIED  in team.ops

[(2, [{'namespace': 'session.ops', 'calls': 2, 'errors': 0, 'redactions': 2}, {'namespace': 'team.ops', 'calls': 1, 'errors': 1, 'redactions': 0}])] [' about        session.ops: 2 calls, 0 failed, 2 masked', ' about        team.ops: 1 call, 1 failed, 0 masked'] True

# Hidden characters in a name are visible everywhere; a client without a name is shown as such.
$ cat >hidden.py <<'END'
> from live import *
> hidden, shown = "z\u200bqx", "z\ufffdqx"
> a = Agent("--agent", hidden, name=hidden).seated(); b = Agent("--agent", "ash", "--task", hidden, name="cursor")
> put({"ref": "belief:00000001", "text": "by an agent", "agent_id": hidden, "source_entity": hidden}, {"ref": "belief:00000002", "text": "by another", "agent_id": "ash"})
> a.write(); b.write(); settle()
> for c in "log", "sessions", "sessions 1", "list beliefs", "show belief:00000001", "history belief:00000001", f"permissions --agent {hidden}", "sessions --make-read-only 1":
>     said = run(*c.split()); print(c.replace(hidden, shown), shown in said, "zqx" in said)
> print(told("list", "beliefs", "--agent", "zqy\u00ad"))
> for name in "", " ", "\u200b", "\u3164":
>     c = Agent(name=name, version="2.1"); c.write("one", agent="sean"); settle()
>     print(" ".join(run("log", "--limit", "1").split()[3:-2]), "|", [" ".join(l.split()[1:4]) for l in run("sessions").splitlines()[1:2]]); c.end()
> END
> rm -f s.db*; python3 hidden.py
log True False
sessions True False
sessions 1 True False
list beliefs True False
show belief:00000001 True False
history belief:00000001 True False
permissions --agent z�qx True False
sessions --make-read-only 1 True False
stemma: nothing matched: there is no agent 'zqy�'. There are ash, z�qx.
?sean (agent) add via unnamed | ['unnamed client 2.1']
?sean (agent) add via unnamed | ['unnamed client 2.1']
?sean (agent) add via unnamed | ['unnamed client 2.1']
?sean (agent) add via unnamed | ['unnamed client 2.1']

# An agent cannot look like a person, however wide its name and however narrow the line.
$ cat >signed.py <<'END'
> from live import *
> put({"ref": "note:00000001", "text": "by a person"})
> a = Agent(name="evil  client", version="1")
> for who in "sean", "evil  client", "sean     add", "n" * 200, "利用": a.write("said", agent=who)
> settle(); print(run("log")); print([l["via"] for l in log()[0]])
> for columns in *range(20, 140, 9), 43, 44, 69, 70, 79, 80, 99, 100:
>     said = run("log", COLUMNS=str(columns))
>     assert widest(said) <= columns, said
>     # "2026-11-20 16:20:31Z", without its year, without its date
>     if columns >= 44: assert said.index("Z") == (29 if columns >= 100 else 24 if columns >= 80 else 18 if columns >= 70 else 8), said
>     assert said.count(" (agent)" if columns >= 100 else "A ") == 5, said
>     if 44 <= columns < 100: assert "Z  P sean  " in said, said
> END
> rm -f s.db*; python3 signed.py
#1        NOW  sean                 import              note:00000001  by a person
#2        NOW  ?sean (agent)        add                 via ?evil client  raw:ID5  said
#3        NOW  ?evil client (agent)  add                 raw:ID6  said
#4        NOW  ?sean add (agent)    add                 via ?evil client  raw:ID7  said
#5        NOW  ?nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn (agent)  add                 via ?evil client  raw:ID8  said
#6        NOW  ?利用 (agent)        add                 via ?evil client  raw:ID9  said

[None, '?evil  client', None, '?evil  client', '?evil  client', '?evil  client']

# Names are cut before what a person looks for: number, actor, state, count; a ref and words of its text, or the reason of a refusal.
$ cat >narrow.py <<'END'
> from live import *
> a = Agent("--agent", "an-agent-of-the-same-sort", name="a-client-with-a-name-of-its-own", version="1").seated(); b = Agent(name="bob", version="1").seated()
> for i in range(8): a.read()
> put({"ref": "belief:7d10e6a2-0000-4000-8000-000000000002", "text": "Canary first, then"})
> for i in range(4): a.tool("memory_protect", ref="belief:7d10e6a2-0000-4000-8000-000000000002")
> a.tool("memory_get", ref=7); a.tool("memory_get", ref="belief:7d10e6a2-0000-4000-8000-000000000002"); b.read(); settle()
> run("sessions", "--make-read-only", "2")
> for columns in range(1, 200, 13): assert widest(run("sessions", "--all", COLUMNS=str(columns))) <= max(columns, 3)
> assert widest(run("sessions", "1", COLUMNS="40")) <= 40
> for columns in *range(40, 140, 9), 55, 56, 79, 80:
>     said = run("sessions", COLUMNS=str(columns))
>     assert widest(said) <= columns, said
>     for part in " 1  a-clien", "  live  ", "  read-only  ", "  calls  errors", "     14       5", *(["…  "] if columns < 80 else []), *(["  agent  "] if columns >= 56 else []): assert part in said, (part, said)
> for columns in range(60, 140, 5):
>     said = run("log", "--calls", COLUMNS=str(columns))
>     assert widest(said) <= columns, said
>     at = [min(l.index(t) for l in said.splitlines() if t in l) for t in ("PERMISSION_DENIED", "INVALID_REQUEST", "belief:7d10e6a2  Canary fi")]
>     assert len(set(at)) == 1, (at, said)
> END
> rm -f s.db*; python3 narrow.py

# One session in full, and in pages.
$ cat >one.py <<'END'
> from live import *
> import re
> a = Agent("--agent", "ash", "--task", "tidy up", name="cli\x1b[2J\u202e", version="1.0").seated(); b = Agent(name="cursor", version="").seated(); a.read(); a.read(); a.tool("memory_get", ref="raw:none"); b.read(); settle()
> said = run("sessions", "1"); print("\n".join(l for l in said.splitlines() if not l.startswith((" began", " peer", " served", " session", " latency", " calls", " last", " sent")) and "answer" not in l))
> print([part in said for part in ("session      1, ", "calls        3, 1 failed, ", "latency", "uid")])
> print(sessions("client", "agent", "task", "calls", "errors", "lives", "read_only"), run("sessions", "--color", "never").count("\x1b"), run("sessions").count("\u202e"))
> print(run("sessions").splitlines()[0].split(), sessions("peer_uid")[0][0] == os.getuid())
> for o in ["--limit", "1"], ["--limit", "2"], ["--limit", "0"], ["99"], ["1", "--all"], ["1", "--end", "1"], ["--make-read-only", "1", "--read-only"]: print(o, run("sessions", *o)[:4].strip(), "|", re.sub("[0-9.]+ KB, ~[0-9.k]+", "N", told("sessions", *o)))
> lines = run("sessions", "--limit", "1", "--json").splitlines(); print(len(lines), json.loads(lines[0])["id"], lines[1], [json.loads(l)["id"] for l in run("sessions", "--limit", "1", "--json", "--cursor", "2").splitlines()])
> print(run("sessions", "--make-read-only", "2"), run("sessions", "--end", "2", "--end", "1")); settle()
> print(run("sessions", "--json")[:3], run("sessions", "--all").count("ended by "), len(sessions("id")), [(l["operation"], l["class"], l["ref"], l["session"], l["about_session"]) for l in log("--session", "2")[0]])
> print(run("log", "--session", "2"), run("fsck").count("all is well"))
> END
> rm -f s.db*; python3 one.py
 client       cli�[2J� 1.0
 state        live
 agent        ash
 protocol     2025-11-25
 task         tidy up
[True, True, True, True]
[('cursor', None, None, 1, 0, True, False), ('cli\x1b[2J\u202e', 'ash', 'tidy up', 3, 1, True, False)] 0 0
['id', 'client', 'agent', 'state', 'via', 'era', 'peer', 'started', 'seen', 'calls', 'errors', 'sent', 'tokens', 'in', 'full', 'mean', 'p50', 'p90', 'p99', 'task'] True
['--limit', '1'] id | stemma: there are more beyond --limit
['--limit', '2'] id | stemma: sent to these sessions: N tokens
['--limit', '0'] [2] | stemma: --limit takes a whole number, at least 1, not '0'. `stemma sessions --help` explains it.
['99'] [1] | stemma: there is no session 99. stemma sessions --all lists them.
['1', '--all'] [2] | stemma: --all cannot be combined with the ID of a session. Omit one of them.
['1', '--end', '1'] [2] | stemma: --end cannot be combined with the ID of a session. Omit one of them.
['--make-read-only', '1', '--read-only'] [4] | stemma: DIR/s.db is open for reading only. Open it without --read-only, and where you may write.
2 2 {"next":"2"} [1]
session 2 (?cursor) is read-only AGE
 session 2 (?cursor) was ended
session 1 (ash) was ended

[1] 2 2 [('read-only-session', 'person', None, None, 2), ('end-session', 'person', None, None, 2)]
#1        NOW  sean                 read-only-session   about session 2  ?cursor
#2        NOW  sean                 end-session         about session 2  ?cursor
 1

# --agent is another name of --actor.
$ export STEMMA_STORE=$PWD/agent.db; echo '{"ref":"note:aaaaaaaa","agent_id":"ash","text":"x"}' | stemma import jsonl - >/dev/null 2>&1; stemma log --json --agent nobody; echo $?; stemma log --json --agent "$(stemma log --json | jq -r .actor)" | jq -r .ref
stemma: nothing matched
1
note:ID1

# A damaged event hides what was before it and nothing else: the page, the trace and the rest of the history are readable.
$ export STEMMA_STORE=$PWD/patch.db; b=$(stemma add belief "one" --confidence 0.7); stemma edit $b --text two >/dev/null; stemma edit $b --confidence 0.8 >/dev/null; stemma edit $b --text three >/dev/null
> python3 -c 'import sqlite3; c = sqlite3.connect("patch.db"); c.execute("UPDATE event SET patch = ? WHERE seq = 2", ("{\"a\":1}\n{\"x\":\"\x1b[31m\"}",)); c.commit()'
> stemma show $b | head -8; stemma show $b --trace | tail -6; stemma history $b; stemma history $b --json | jq -c '[.seq, .version, .damaged_by, (.changes | map(.field))]'; stemma diff @2 @4; stemma diff @1 @4; stemma list all --as-of @1; stemma list all --as-of @2; stemma undo 2; stemma undo 4 | tail -4; unset STEMMA_STORE
belief:ID10
│ three

 created      NOW (AGE)
 state        – unsourced · version 4
 changed      NOW (AGE)
 agent        sean
 confidence   0.800
── confidence ─ ▆▇  0.800 stored · 0.800 effective
   0.800  +0.100  NOW sean       edited
   0.700          NOW sean       added

── based on
  nothing
NOW (AGE)  edit  sean  version 4  event 4
    text               two → three
NOW (AGE)  edit  sean  version 3  event 3
    confidence         0.700 → 0.800
    history          + 0.700 → 0.800
NOW (AGE)  edit  sean  version 2  event 2
    damaged: it does not say what was before it. Run stemma fsck
NOW (AGE)  add  sean  version 1  event 1
    not known: event 2 is damaged
[4,4,null,["text"]]
[3,3,null,["confidence","history"]]
[2,2,2,[]]
[1,1,2,[]]
stemma: from NOW (event 2), to NOW (event 4)
belief:ID10  three
  changed by event 4: edit by sean, NOW (AGE); 1 earlier event
    text               two → three
    confidence         0.700 → 0.800
    history          + 0.700 → 0.800
0 added, 1 changed, 0 removed
stemma: from NOW (event 1), to NOW (event 4)
stemma: event 2 does not say what was before it. Run stemma fsck on the store.
stemma: event 2 does not say what was before it. Run stemma fsck on the store.
stemma: as of NOW (event 2)
–  belief:ID10  0.70  –  direct AGE  two
stemma: event 2 does not say what was before it. Run stemma fsck on the store.
── undone ─ 1
     belief:ID10  two 0.80 AGE
       text               three → two
