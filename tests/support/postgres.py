"""A PostgreSQL server of a test's or the bench's own: a new cluster in a directory, with a Unix socket there. It does not run
as root."""
import contextlib, glob, os, pwd, shutil, subprocess

PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin/"), default="")


def user():
    """Who runs it if this process is root."""
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise KeyError("no user for the server")


class Server:
    def __init__(self, root):
        """`root` is an empty directory that others may pass through. The superuser is `postgres`, and local users are trusted."""
        self.root, self.data, self.log = root, root + "/data", root + "/log"
        self.user = None if os.getuid() else user()
        if self.user:
            os.chown(root, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")

    def run(self, name, *argv):
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        p = subprocess.run([PROGRAMS + name, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           cwd="/", **who)
        assert p.returncode == 0, (name, argv, p.stdout)
        return p.stdout

    def start(self, settings=""):
        self.run("pg_ctl", "-D", self.data, "-o", f"-c listen_addresses= -k {self.root} {settings}", "-l", self.log, "-w", "-s", "start")

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-s", "stop")

    def remove(self):
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    def sql(self, sql, database="postgres"):
        return self.run("psql", "-Xqat", "-v", "ON_ERROR_STOP=1", "-h", self.root, "-U", "postgres", "-d", database, "-c", sql)
