#!/usr/bin/env python3
"""stemma metrics asks the process that listens at the store's socket. A nonsensical answer is refused or counts as nothing."""
import os, socket, subprocess, sys, tempfile, threading

STEMMA = os.path.abspath(os.environ.get("STEMMA") or "stemma")
HUGE = str(2**63 - 1)
NONE = ["", '{"calls":[{"calls":1e400}]}', "x", "[]", '"calls"', "{}", '{"calls":[]', "null", '{"calls":"\x1b[31m"}']
ODD = ['{"calls":5}',
       '{"calls":[5,null,{},{"tool_name":5},{"tool_name":""},{"method":"x","ended":7,"denied":[],"latency":{"p50_us":"9:9"}}],'
       '"namespaces":{"a":1}}',
       '{"calls":[{"tool_name":"t","calls":-%s,"ended":{"success":%s,"cancelled":%s,"CONFLICT":2.5},"denied":{"A":%s,"B":%s}}],'
       '"process":%s,"started_at":-%s,"sessions":%s}' % ((HUGE,) * 8),
       '{"calls":[{"method":"\\u001b[31mred\\u202e"}],"namespaces":[{"namespace":"..","tool_name":"\\u0007"}],"http":"x"}',
       '{"calls":[],"http":{"\\u001b[0m":3,"200":%s,"500":%s}}' % (HUGE, HUGE)]


def ask(store, env, path, head, body, *options):
    """Runs the command against a socket with that answer."""
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def answer():
        peer, _ = listener.accept()
        peer.recv(65536)
        peer.sendall((head + "\r\n\r\n" + body).encode())
        peer.close()
    thread = threading.Thread(target=answer)
    thread.start()
    p = subprocess.run([STEMMA, "metrics", "--store", store, *options], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    thread.join()
    listener.close()
    return p


def main():
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "LC_ALL": "C.UTF-8"}
        store = home + "/s.db"
        subprocess.run([STEMMA, "add", "note", "one", "--store", store], env=env, check=True, stdout=subprocess.DEVNULL)
        served = subprocess.Popen([STEMMA, "serve", "--store", store], env=env, stdout=subprocess.PIPE, text=True)
        path = served.stdout.readline().strip()
        good = subprocess.run([STEMMA, "metrics", "--store", store], env=env, capture_output=True)
        assert b"which listens" in good.stdout, good
        served.terminate()
        served.wait()
        for body in NONE:
            p = ask(store, env, path, "HTTP/1.1 200 OK", body)
            assert p.returncode == 0 and b"its answer has no metrics" in p.stderr, (body, p)
            assert b"which listens" not in p.stdout, (body, p)
        for body in ODD:
            for options in ([], ["--json"]):
                p = ask(store, env, path, "HTTP/1.1 200 OK", body, *options)
                assert p.returncode == 0 and not p.stderr, (body, p)
                assert not any(byte < 32 and byte != 10 or byte == 127 for byte in p.stdout), (body, p)
                assert b"\xe2\x80\xae" not in p.stdout, (body, p)
        for body in ("# HELP x\x1b[31m", "HELP", "# HELP \x7f"):
            p = ask(store, env, path, "HTTP/1.1 200 OK", body, "--prometheus")
            assert p.returncode == 0 and b"its answer has no metrics" in p.stderr and b"\x1b" not in p.stdout, (body, p)
        p = ask(store, env, path, "HTTP/1.1 200 OK", "# HELP x said\nx 1\n", "--prometheus")
        assert p.stdout == b"# HELP x said\nx 1\n", p
        p = ask(store, env, path, "HTTP/1.1 503 No", '{"calls":[]}')
        assert b"another version" in p.stderr, p
    print("[       OK ] nonsense at the socket")


main()
