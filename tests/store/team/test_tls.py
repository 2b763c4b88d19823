#!/usr/bin/env python3
"""A team over TCP with TLS and a password: `sslmode=verify-full` accepts the server whose certificate is of the given authority
and for this host, and refuses any other, and the password is in no output, no file of stemma's and not in the server's log. An
authority and a server of this test's own. `$STEMMA` is the program."""
import os, shutil, socket, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../support"))
sys.dont_write_bytecode = True
import harness, postgres

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="tls-", dir=os.environ.get("STEMMA_TEST_DIR"))
os.chmod(SCRATCH, 0o711)
PASSWORD = "correct-horse-3141"
said = []  # all that stemma printed
server = port = None


def path(*names):
    return os.path.join(SCRATCH, *names)


def openssl(*argv):
    subprocess.run(["openssl", *argv], check=True, capture_output=True)


def make_certificates():
    """An authority that signed the server's certificate for localhost, and another one."""
    for name in ("authority", "other"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", path(name + ".key"), "-out", path(name + ".crt"))
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-keyout", path("server.key"),
            "-out", path("server.csr"))
    with open(path("names"), "w") as f:
        f.write("subjectAltName = DNS:localhost\n")
    openssl("x509", "-req", "-in", path("server.csr"), "-CA", path("authority.crt"), "-CAkey", path("authority.key"), "-CAcreateserial",
            "-days", "2", "-extfile", path("names"), "-out", path("server.crt"))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start_server():
    global server, port
    os.mkdir(path("pg"))
    os.chmod(path("pg"), 0o755)
    server, port = postgres.Server(path("pg")), free_port()
    for name in ("server.key", "server.crt"):
        shutil.copy(path(name), server.data)
        os.chmod(os.path.join(server.data, name), 0o600)
        if server.user:
            os.chown(os.path.join(server.data, name), server.user.pw_uid, server.user.pw_gid)
    with open(server.data + "/pg_hba.conf", "w") as f:
        f.write("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
    server.start(f"-p {port} -c listen_addresses=127.0.0.1 -c ssl=on -c fsync=off -c log_statement=all -c log_connections=on")
    server.run("psql", "-Xq", "-h", server.root, "-p", str(port), "-U", "postgres", "-c", "SET log_statement = 'none'",
               "-c", f"CREATE ROLE ash LOGIN PASSWORD '{PASSWORD}'", "-c", "CREATE DATABASE team OWNER ash")


def address(root="authority", host="localhost", mode="verify-full"):
    return f"host={host} port={port} dbname=team user=ash sslmode={mode} sslrootcert={path(root + '.crt')}"


def stemma(store, *words, status=0, **given):
    env = {"HOME": SCRATCH, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
           "PGPASSFILE": path("pgpass"), **given}
    p = subprocess.run([STEMMA, *words, "--store", path(store)], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    said.append(p.stdout + p.stderr)
    assert p.returncode == status, (words, p.returncode, p.stdout, p.stderr)
    return p.stdout + p.stderr


def the_right_authority_is_accepted():
    stemma("a.db", "add", "note", "Over TLS", "--agent", "ash")
    stemma("a.db", "team", "create", address(), "--name", "ash")
    stemma("b.db", "team", "join", address(), "--name", "birch")
    stemma("b.db", "add", "note", "And back", "--agent", "birch")
    stemma("a.db", "team", "status")
    assert "And back" in stemma("a.db", "list", "note")


def a_service_file_has_the_rest():
    with open(path("services"), "w") as f:
        f.write("[team]\n" + address().replace(" ", "\n") + "\n")
    stemma("c.db", "team", "join", "service=team", "--name", "cedar", PGSERVICEFILE=path("services"))
    assert "Over TLS" in stemma("c.db", "list", "note", PGSERVICEFILE=path("services"))


def refused(what, **how):
    out = stemma("refused.db", "team", "join", address(**how), "--name", "fir", status=4)
    assert what in out, out
    assert "sslrootcert" in out, out  # the hint says what to check
    assert not os.path.exists(path("refused.db"))


def another_authority_is_refused():
    refused("certificate verify failed", root="other")


def another_host_name_is_refused():
    refused('does not match host name "127.0.0.1"', host="127.0.0.1")
    stemma("d.db", "team", "join", address(host="127.0.0.1", mode="verify-ca"), "--name", "fir")  # which looks at no name


def a_missing_root_is_refused():
    refused("missing.crt", root="missing")


def a_server_without_tls_is_refused():
    """Whoever is in the middle cannot take TLS away."""
    server.stop()
    server.start(f"-p {port} -c listen_addresses=127.0.0.1 -c ssl=off -c fsync=off")
    refused("does not support SSL")
    server.stop()
    server.start(f"-p {port} -c listen_addresses=127.0.0.1 -c ssl=on -c fsync=off -c log_statement=all")


def a_wrong_password_is_refused():
    with open(path("wrong"), "w") as f:
        f.write("*:*:*:*:wrong-horse-2718\n")
    os.chmod(path("wrong"), 0o600)
    out = stemma("refused.db", "team", "join", address(), "--name", "fir", status=4, PGPASSFILE=path("wrong"))
    assert "password authentication failed" in out and "wrong-horse" not in out, out


def the_password_is_nowhere():
    assert "Over TLS" in "".join(said)
    assert PASSWORD not in "".join(said)
    looked = 0
    for folder, _, files in os.walk(SCRATCH):
        for name in files:
            file = os.path.join(folder, name)
            if name in ("pgpass", "wrong") or not os.path.isfile(file):
                continue
            looked += 1
            with open(file, "rb") as f:
                assert PASSWORD.encode() not in f.read(), file
    assert looked > 50  # the stores, stemma's state, the server's log and tables


def main():
    with open(path("pgpass"), "w") as f:
        f.write(f"localhost:*:team:ash:{PASSWORD}\n127.0.0.1:*:team:ash:{PASSWORD}\n")
    os.chmod(path("pgpass"), 0o600)
    make_certificates()
    start_server()
    try:
        return harness.run(the_right_authority_is_accepted, a_service_file_has_the_rest, another_authority_is_refused,
                           another_host_name_is_refused, a_missing_root_is_refused, a_server_without_tls_is_refused,
                           a_wrong_password_is_refused, the_password_is_nowhere)
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
