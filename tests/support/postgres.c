#include "tests/support/postgres.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tests/support/test.h"

/* ---- the server ---- */

const char *postgres_programs(void)
{
    static char found[200];
    glob_t g;
    if (!found[0] && glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &g) == 0) {
        const char *newest = g.gl_pathv[g.gl_pathc - 1];
        snprintf(found, sizeof(found), "%.*s", (int)(strlen(newest) - strlen("initdb")), newest);
        globfree(&g);
    }
    return found;
}

/* PostgreSQL does not run as root. */
static const struct passwd *server_user(void)
{
    struct passwd *user = getuid() ? NULL : getpwnam("postgres");
    return getuid() ? NULL : user ? user : getpwnam("nobody");
}

/* Runs a program of the server, as the server's user. Returns its output, and *status. */
static char *run(const char *name, const char *const *arguments, int *status)
{
    const char *argv[24] = {name};
    AUTO_FREE char *path = xformat("%s%s", postgres_programs(), name);
    struct strbuf out = STRBUF_INIT;
    const struct passwd *user = server_user();
    int ends[2];
    char block[4096];
    for (size_t i = 0; i < 22 && arguments[i]; i++)
        argv[i + 1] = arguments[i];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_RDONLY);
        if (user && (setgroups(0, NULL) || setgid(user->pw_gid) || setuid(user->pw_uid)))
            _exit(126);
        dup2(null, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        if (chdir("/") == 0)
            execvp(path, (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], block, sizeof(block))) > 0;)
        strbuf_add(&out, block, (size_t)n);
    close(ends[0]);
    while (waitpid(child, status, 0) < 0)
        assert_int_equal(errno, EINTR);
    strbuf_grow(&out, 1);
    return strbuf_detach(&out, NULL);
}

static void must(const char *name, const char *const *arguments)
{
    int status;
    AUTO_FREE char *out = run(name, arguments, &status);
    if (status)
        fail_msg("%s ended with status %d; install postgresql: %s", name, status, out);
}
#define MUST(name, ...) must(name, (const char *const[]){__VA_ARGS__, NULL})

static void server_do(struct postgres_server *s, const char *action, const char *mode)
{
    AUTO_FREE char *data = xformat("%s/data", s->dir);
    AUTO_FREE char *log = xformat("%s/log", s->dir);
    /* A test ends processes, not machines: nothing needs to reach the disk. */
    AUTO_FREE char *options = xformat("-c listen_addresses= -c fsync=off -k %s", s->dir);
    MUST("pg_ctl", action, "-D", data, "-l", log, "-o", options, "-w", "-s", "-m", mode);
}

void postgres_start(struct postgres_server *s)
{
    const char *base = getenv("STEMMA_TEST_DIR");
    const struct passwd *user = server_user();
    snprintf(s->dir, sizeof(s->dir), "%.60s/pg-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(s->dir));
    if (user)
        assert_int_equal(chown(s->dir, user->pw_uid, user->pw_gid), 0);
    assert_int_equal(chmod(s->dir, 0755), 0);
    AUTO_FREE char *data = xformat("%s/data", s->dir);
    AUTO_FREE char *access = xformat("%s/pg_hba.conf", data);
    MUST("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C");
    FILE *f = fopen(access, "w");
    assert_non_null(f);
    fputs("local all guarded scram-sha-256\nlocal all all trust\n", f);
    fclose(f);
    server_do(s, "start", "fast");
}

void postgres_again(struct postgres_server *s)
{
    server_do(s, "start", "fast");
}

void postgres_crash(struct postgres_server *s)
{
    server_do(s, "stop", "immediate");
}

void postgres_stop(struct postgres_server *s)
{
    int status;
    server_do(s, "stop", "immediate");
    AUTO_FREE char *remove = xformat("rm -rf %s", s->dir);
    status = system(remove);
    assert_int_equal(status, 0);
}

static char *sql_by_psql(const struct postgres_server *s, const char *role, const char *database,
                         const char *sql, int *status)
{
    return run("psql",
               (const char *const[]){"-XqAt", "-v", "ON_ERROR_STOP=1", "-h", s->dir, "-U", role,
                                     "-d", database, "-c", sql, NULL},
               status);
}

char *postgres_sql(const struct postgres_server *s, const char *role, const char *database,
                   const char *sql)
{
    int status;
    return sql_by_psql(s, role, database, sql, &status);
}

void postgres_do(const struct postgres_server *s, const char *role, const char *database,
                 const char *sql)
{
    int status;
    AUTO_FREE char *out = sql_by_psql(s, role, database, sql, &status);
    if (status)
        fail_msg("%s: %s", sql, out);
}

void postgres_restore(struct postgres_server *s, const char *from, const char *to)
{
    AUTO_FREE char *dump = xformat("%s/dump", s->dir);
    MUST("pg_dump", "-h", s->dir, "-U", "postgres", "-f", dump, from);
    MUST("createdb", "-h", s->dir, "-U", "postgres", to);
    MUST("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", s->dir, "-U", "postgres", "-d", to, "-f",
         dump);
}

/* ---- the proxy ---- */

static void socket_address(struct sockaddr_un *a, const char *dir)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    assert_in_range(snprintf(a->sun_path, sizeof(a->sun_path), "%s/.s.PGSQL.5432", dir), 1,
                    sizeof(a->sun_path) - 1);
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            close(pair[i]);
        pair[i] = -1;
    }
}

static void open_pair(struct postgres_proxy *p)
{
    struct sockaddr_un a;
    int from = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC), i = 0;
    while (i < PROXY_PAIRS && p->pair[i][0] >= 0)
        i++;
    if (from < 0 || i == PROXY_PAIRS) {
        close(from);
        return;
    }
    p->pair[i][0] = from;
    p->pair[i][1] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socket_address(&a, p->to->dir);
    if (connect(p->pair[i][1], (struct sockaddr *)&a, sizeof(a)))
        close_pair(p->pair[i]);
}

/* Passes on what has come from one side. */
static void pass(struct postgres_proxy *p, int pair[2], int side)
{
    char block[65536];
    ssize_t n = read(pair[side], block, sizeof(block));
    char *listen = p->no_listen && n > 0 ? memmem(block, (size_t)n, "LISTEN", 6) : NULL;
    if (p->loses && side == 1)
        n = 0;
    if (listen)
        listen[5] = 'M';
    p->refused += listen || (p->loses && side == 1);
    for (ssize_t sent, at = 0; n > 0 && at < n; at += sent)
        if ((sent = send(pair[!side], block + at, (size_t)(n - at), MSG_NOSIGNAL)) < 0)
            n = 0;
    if (n <= 0)
        close_pair(pair);
}

static void *proxy_run(void *arg)
{
    struct postgres_proxy *p = arg;
    while (!p->ends) {
        struct pollfd fds[2 * PROXY_PAIRS + 1] = {{p->listener, POLLIN, 0}};
        for (int i = 0; i < 2 * PROXY_PAIRS; i++)
            fds[i + 1] = (struct pollfd){p->stalls ? -1 : p->pair[i / 2][i % 2], POLLIN, 0};
        poll(fds, 2 * PROXY_PAIRS + 1, 20);
        if (fds[0].revents)
            open_pair(p);
        for (int i = 0; i < 2 * PROXY_PAIRS; i++)
            if (p->cuts)
                close_pair(p->pair[i / 2]);
            else if (fds[i + 1].revents && !p->stalls && p->pair[i / 2][i % 2] >= 0)
                pass(p, p->pair[i / 2], i % 2);
    }
    return NULL;
}

void proxy_start(struct postgres_proxy *p, const struct postgres_server *to)
{
    struct sockaddr_un a;
    *p = (struct postgres_proxy){.to = to};
    memset(p->pair, -1, sizeof(p->pair));
    snprintf(p->dir, sizeof(p->dir), "%s-proxy", to->dir);
    assert_int_equal(mkdir(p->dir, 0755), 0);
    socket_address(&a, p->dir);
    p->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(p->listener, (struct sockaddr *)&a, sizeof(a)), 0);
    assert_int_equal(listen(p->listener, 16), 0);
    assert_int_equal(pthread_create(&p->thread, NULL, proxy_run, p), 0);
}

void proxy_stop(struct postgres_proxy *p)
{
    struct sockaddr_un a;
    p->ends = true;
    pthread_join(p->thread, NULL);
    close(p->listener);
    for (int i = 0; i < PROXY_PAIRS; i++)
        close_pair(p->pair[i]);
    socket_address(&a, p->dir);
    unlink(a.sun_path);
    rmdir(p->dir);
}
