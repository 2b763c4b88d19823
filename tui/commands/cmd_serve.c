/* stemma mcp and serve: an MCP server on standard input and output, and one on the store's socket and HTTP. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/mcp/http/http.h"
#include "store/mcp/tools/service.h"
#include "store/open.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/config/config_rules.h"

/* More than the server's own limit of clients. */
#define FILES_MAX       8192
#define FREE_MEMORY_MAX (256 << 10) /* bytes of free memory that the allocator keeps */

static _Atomic(struct mcp_server *) serving;
static volatile sig_atomic_t wanted; /* a signal came before there was a server to stop */

static void on_signal(int number)
{
    (void)number;
    struct mcp_server *v = atomic_load(&serving);
    wanted = 1;
    if (v)
        mcp_server_stop(v);
}

static void listen_to_signals(void)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t n = 0; n < sizeof(asking) / sizeof(asking[0]); n++)
        sigaction(asking[n], &action, NULL);
}

static void raise_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    rlim_t most = files.rlim_max < FILES_MAX ? files.rlim_max : FILES_MAX;
    if (files.rlim_cur < most) {
        files.rlim_cur = most;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/*
 * Returns the memory of large answers to the system when it is freed. By default glibc raises these limits to the
 * largest block freed, and each thread then keeps about as much. Use one heap for all threads, because threads of
 * long reads wait for the disk and SQLite more than for memory.
 */
static void limit_free_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, FREE_MEMORY_MAX);
    mallopt(M_TRIM_THRESHOLD, FREE_MEMORY_MAX);
    mallopt(M_ARENA_MAX, 1);
#endif
}

/*
 * Call this before serving. From then on SIGINT, SIGTERM and SIGHUP ask for an orderly end (the second one ends the
 * program as usual), and the process may use as many descriptors as the system allows, because each client needs one.
 */
static void serving_prepare(void)
{
    listen_to_signals();
    raise_limit();
    limit_free_memory();
}

/* Runs the server, confined where the system can, until it ends or a signal stops it. */
static int serving_run(struct mcp_server *v, const struct config *c, struct error *e)
{
    const char *why = mcp_server_confine(v, c->place);
    if (why)
        output_note("this process is not confined to its files: %s", why);
    atomic_store(&serving, v);
    if (wanted)
        mcp_server_stop(v);
    int result = mcp_server_run(v, e);
    atomic_store(&serving, NULL);
    return result;
}

/*
 * stemma mcp: an MCP server on standard input and output, in its own process. It must work with an empty environment
 * and in any directory.
 */

static const struct option_spec mcp_options[] = {
    OPT_TEXT("agent", "A", "the agent's name, which owns what it writes; default: unnamed"),
    OPT_TEXT("task", "T", "what the session is for"),
    OPT_LIST("tools", "SET,…", "the sets of tools to list: " TOOLSET_NAMES "; default: memory"),
    OPT_FLAG("dry-run", "with install: show what would be written, and write nothing"),
    OPT_FLAG("yes", "with install: write it without asking"),
    OPTION_END,
};

/*
 * Moves the client's streams to other descriptors, so that output of a library goes to standard error and nothing
 * else reads the client's input.
 */
static int take_streams(int *in, int *out, struct error *e)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    bool moved = null >= 0 && *in >= 0 && *out >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                 dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    int saved = errno;
    if (null >= 0)
        close(null);
    if (moved)
        return 0;
    return error_set(e, ERROR_STORE, "Close some files.",
                     "cannot use standard input and output: %s", strerror(saved));
}

static void tell(void *arg, enum server_event event, const char *path, int64_t pid)
{
    (void)arg;
    (void)path;
    (void)pid;
    if (event == SERVER_EXPELLED)
        output_note("a person ended this session; it gets no more answers");
}

static struct mcp_service service_of(struct invocation *i, const struct store *s)
{
    return stemma_service((struct mcp_offer){.sets = toolsets_of(i->config.toolsets),
                                             .opt_in = i->config.destructive_tools,
                                             .read_only = store_is_read_only(s),
                                             .strict = i->config.strict,
                                             .person = opening_person(i).name});
}

static int serve(struct invocation *i, struct store *s, unsigned sets, int in, int out,
                 struct error *e)
{
    struct mcp_service service = service_of(i, s);
    service.offer.sets = sets;
    struct config_rules *rules = config_rules_open(&i->config, e);
    if (!rules)
        return -1;
    const char *task = option_text(i, "task");
    struct mcp_server_options server = {.agent = option_text(i, "agent"),
                                        .task = utf8_is_blank(task) ? NULL : task,
                                        .on_event = tell,
                                        .rules = config_rules_now,
                                        .rules_arg = rules,
                                        .http = &http_transport};
    struct mcp_server *v = mcp_server_new(s, &service, &server, e);
    if (v)
        mcp_server_attach(v, in, out);
    int result = v ? serving_run(v, &i->config, e) : -1;
    mcp_server_free(v);
    config_rules_close(rules);
    return result;
}

/* Warns about a relative path: clients may start it in any directory, where it would be another store. */
static void note_relative(const struct invocation *i)
{
    const char *store = option_text(i, "store");
    AUTO_FREE char *real = store && *store != '/' ? realpath(store, NULL) : NULL;
    if (real)
        output_note("the store is %s; give this path in the client's configuration", real);
}

/* The sets of --tools, which may be given several times, in place of those of the configuration. */
static int take_tools(struct invocation *i, unsigned *sets, struct error *e)
{
    size_t count;
    const char **tools = option_list(i, "tools", &count);
    for (size_t n = 0; n < count; n++) {
        unsigned more;
        if (toolsets_read(tools[n], &more, e))
            return -1;
        *sets = more | (n ? *sets : 0);
    }
    return 0;
}

static int run_mcp(struct invocation *i, struct error *e)
{
    int in, out;
    const char *agent = option_text(i, "agent");
    unsigned sets = toolsets_of(i->config.toolsets);
    if (check_agent_name(agent, e) || take_tools(i, &sets, e))
        return -1;
    if (agent && strcmp(agent, AGENT_UNNAMED) == 0)
        return error_set(e, ERROR_USAGE, "Leave --agent out, or give another name.",
                         "%s is what all sessions without a name are called", agent);
    if (i->word_count)
        return install_run(i, e);
    serving_prepare();
    if (take_streams(&in, &out, e))
        return -1;
    if (isatty(in))
        output_note("this is an MCP server: it waits for JSON-RPC here, one message per line; "
                    "Ctrl-D ends it");
    struct store *s = opening_served_store(i, e);
    if (s)
        note_relative(i);
    int result = s ? serve(i, s, sets, in, out, e) : -1;
    store_close(s);
    return result;
}

const struct command cmd_mcp = {
    .name = "mcp",
    .words = INSTALL_WORDS,
    .about = "connect an agent: its MCP client, such as Claude, starts this",
    .examples = "stemma mcp install claude --store ~/agent/memory.db\n"
                "stemma mcp --store memory.db --agent ash",
    .details = INSTALL_DETAILS
    "\n\nOther clients read this or a similar form (docs/mcp.md):\n\n{\"mcpServers\": {\"stemma\": "
    "{\n  \"command\": \"/usr/local/bin/stemma\",\n  \"args\": [\"mcp\", \"--store\", "
    "\"/home/me/agent/memory.db\", \"--agent\", \"claude\"]}}}\n\nGive --store as an absolute "
    "path, since clients may start the command in any directory and pass little of the "
    "environment; the store is created if there is none. --agent grants the agent its name: what "
    "it writes is filed under it, and the permissions of that name apply. Without it the agent is "
    "one of the unnamed ones, which share what they write. An agent sees its own memories; `share: "
    "yes` in the configuration shows it those of others. --task is shown next to the session "
    "(`stemma sessions`, the explorer's live view) and says what the session is for. --tools lists "
    "further sets of tools, which cost the agent tokens; a tool that is not listed answers all the "
    "same (docs/mcp.md).\n\nAn agent can add, reinforce, replace, revise, correct and flag. Only a "
    "person can approve, retract, restore, forget and lock, unless the configuration says "
    "`destructive_tools: yes`; an agent never changes a person's decision.\n\nIt needs no listener "
    "and no socket, and any number of them can use one store at the same time. It ends with its "
    "client, or when a person ends the session.",
    .options = mcp_options,
    .run = run_mcp,
};

/* stemma serve: the listener in the foreground. */

static const struct option_spec serve_options[] = {
    OPT_INT("http", "PORT", 0, 65535,
            "also answer over HTTP at this port of the loopback; 0: at a free port"),
    OPTION_END,
};

/* The state of printing where the server listens. */
struct announcement {
    struct output *out;
    struct mcp_server *server; /* NULL until it is made */
    struct http_token token;
    int port;               /* port of HTTP to print; 0 if none or already printed */
    char path[SOCKET_PATH]; /* path printed last; "" if none */
    struct error failed;    /* why the path could not be written; ERROR_NONE if it was */
};

static void print_json(struct strbuf *text, const char *path, const char *url, const char *token)
{
    struct json_object o = json_begin(text, '{');
    if (path)
        json_pair(&o, "socket", path);
    if (url) {
        json_pair(&o, "url", url);
        json_pair(&o, "token_file", token);
    }
    json_end_line(&o);
}

/* Prints and flushes the places where it listens, because the program that started it waits for them. */
static int print_places(struct announcement *t, const char *path, struct error *e)
{
    char url[64];
    struct strbuf *text = &t->out->text;
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/mcp", t->port);
    if (t->out->json)
        print_json(text, path, t->port ? url : NULL, t->port ? t->token.path : NULL);
    else if (path)
        strbuf_addf(text, "%s\n", path);
    if (!t->out->json && t->port)
        strbuf_addf(text, "%s\n%s\n", url, t->token.path);
    t->port = 0; /* printed only once */
    return output_flush(t->out, e);
}

/* Prints the path, but on standard error if it only listens again at the same path. */
static void announce_path(struct announcement *t, const char *path)
{
    if (strcmp(t->path, path) == 0) {
        output_note("the socket was removed; it listens at %s again", path);
        return;
    }
    snprintf(t->path, sizeof(t->path), "%s", path);
    if (print_places(t, path, &t->failed) && t->server)
        mcp_server_stop(t->server);
}

static void tell_failure(struct announcement *t, const char *path)
{
    struct error why;
    if (mcp_server_listen_error(t->server, &why))
        output_note("the socket %s was removed, and %s; trying again", path, why.what);
}

static void tell_log(struct announcement *t)
{
    struct error why;
    if (mcp_server_log_error(t->server, &why))
        output_note("calls are not logged: %s", why.what);
    else
        output_note("calls are logged again");
}

static void on_server_event(void *arg, enum server_event event, const char *path, int64_t pid)
{
    struct announcement *t = arg;
    if (event == SERVER_LISTENS || event == SERVER_CANNOT_LISTEN) {
        (event == SERVER_LISTENS ? announce_path : tell_failure)(t, path);
        return;
    }
    if (event == SERVER_LOG_ERROR) {
        tell_log(t);
        return;
    }
    if (t->port && print_places(t, NULL, &t->failed) && t->server)
        mcp_server_stop(t->server);
    if (event == SERVER_WAITS && pid > 0) {
        output_note("process %lld listens at %s already; waiting for it to end", (long long)pid,
                    path);
    } else if (event == SERVER_WAITS) {
        output_note("another process listens at %s already; waiting for it to end", path);
    }
}

/* A confined process can make no file in the directory of a token. */
static void make_tokens(const struct permissions *p)
{
    struct http_token token;
    struct error later; /* it is tried again when a client comes */
    for (size_t i = 0; i < p->agent_count; i++)
        http_token_of(&token, &p->agents[i], &later);
}

static int serve_http(struct announcement *t, int port, struct store *s, struct error *e)
{
    if (http_token_find(&t->token, s, e))
        return -1;
    struct mcp_http_options options = {.port = port, .token = &t->token};
    if (mcp_server_http(t->server, &options, e))
        return -1;
    t->port = mcp_server_http_port(t->server);
    return 0;
}

static int serve_all(struct invocation *i, struct store *s, struct config_rules *rules,
                     struct error *e)
{
    struct announcement t = {.out = &i->out};
    struct mcp_server_options options = {.on_event = on_server_event,
                                         .arg = &t,
                                         .rules = config_rules_now,
                                         .rules_arg = rules,
                                         .http = &http_transport};
    struct mcp_service service = service_of(i, s);
    struct mcp_server *v = t.server = mcp_server_new(s, &service, &options, e);
    int result = v ? 0 : -1;
    http_prepare();
    if (v && option_given(i, "http")) {
        make_tokens(&i->config.permissions);
        result = serve_http(&t, (int)option_number(i, "http", 0), s, e);
    }
    if (result == 0)
        result = mcp_server_listen(v, e) == 0 ? serving_run(v, &i->config, e) : -1;
    mcp_server_free(v);
    if (result || t.failed.code == ERROR_NONE)
        return result;
    *e = t.failed;
    return -1;
}

static int run_serve(struct invocation *i, struct error *e)
{
    serving_prepare();
    struct config_rules *rules = config_rules_open(&i->config, e);
    struct store *s = rules ? opening_served_store(i, e) : NULL;
    int result = s ? serve_all(i, s, rules, e) : -1;
    store_close(s);
    config_rules_close(rules);
    return result;
}

const struct command cmd_serve = {
    .name = "serve",
    .words = "",
    .about = "listen for agents on the store's socket until it is stopped",
    .examples = "stemma serve --store memory.db",
    .details = "Prints the path of the socket first. It is in the first of these that only you may "
               "enter: /run/user/UID/stemma, /tmp/stemma-UID, ~/.local/state/stemma/run; or in "
               "runtime_dir, if the configuration sets it. Its name is the same for every path to "
               "the store. Only your user can use it. An open explorer also listens; if an "
               "explorer or another `stemma serve` already listens, this one waits and takes over "
               "when the other ends. Ctrl-C ends it.\n\nAn agent's client needs no listener: it "
               "starts `stemma mcp` (see `stemma mcp --help` and docs/mcp.md). To use the socket, "
               "a client starts `socat STDIO UNIX-CONNECT:PATH` instead. There is no --agent and "
               "no --task then: such a client is unnamed, unless the configuration ties its user "
               "or a socket of its own to an agent (docs/permissions.md).\n\nWith --http it also "
               "prints a URL, for clients of \"Streamable HTTP\", and the file of the token that "
               "they must send (`Authorization: Bearer TOKEN`); only your user can read it. The "
               "socket accepts HTTP as well, without --http and without a token.",
    .options = serve_options,
    .run = run_serve,
};
