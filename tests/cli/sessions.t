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
> rm -f s.db*; python3 decided.py 2>&1 | sed 's/session [0-9]*/session N/'
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
2 raw: [1] stemma: nobody is connected; --all shows the sessions that ended
[('three',)]
[1] stemma: nobody is connected; --all shows the sessions that ended True
