/* stemma serve: the listener alone, in the foreground. */
#include "tui/cli/cmd.h"

#include "model/json/json.h"
#include "store/mcp/http/http.h"
#include "tui/config/config_rules.h"
#include "tui/cli/opening.h"
#include "tui/cli/serving.h"

static const struct option_spec serve_options[] = {
    OPT_INT("http", "PORT", 0, 65535,
            "answer over HTTP at this port of the loopback as well; 0: at a free one"),
    OPTION_END,
};

/* Who is told, and whether that can be done. */
struct telling {
    struct output *out;
    struct mcp_server *server; /* NULL: not yet */
    struct http_token token;
    int port;            /* of HTTP; 0: none */
    char path[108];      /* that was told last; "": none */
    struct error failed; /* ERROR_NONE: the path was written */
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
    json_end(&o);
    strbuf_addch(text, '\n');
}

/* Whoever started it reads from standard output where it listens, so it is there at once. */
static int print_places(struct telling *t, const char *path, struct error *e)
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
    t->port = 0; /* it is told once */
    return output_flush(t->out, e);
}

/* Where it listens again after its socket was removed is no news to whoever reads the places. */
static void tell_path(struct telling *t, const char *path)
{
    if (strcmp(t->path, path) == 0) {
        output_note("the socket was removed; it listens at %s again", path);
        return;
    }
    snprintf(t->path, sizeof(t->path), "%s", path);
    if (print_places(t, path, &t->failed) && t->server)
        mcp_server_stop(t->server);
}

static void tell_failure(struct telling *t, const char *path)
{
    struct error why;
    if (mcp_server_unlistened(t->server, &why))
        output_note("the socket %s was removed, and %s; it is tried again", path, why.what);
}

static void tell_log(struct telling *t)
{
    struct error why;
    if (mcp_server_unlogged(t->server, &why))
        output_note("calls are not logged: %s", why.what);
    else
        output_note("calls are logged again");
}

static void tell(void *arg, enum server_news news, const char *path, int64_t pid)
{
    struct telling *t = arg;
    if (news == SERVER_LISTENS || news == SERVER_CANNOT_LISTEN) {
        (news == SERVER_LISTENS ? tell_path : tell_failure)(t, path);
        return;
    }
    if (news == SERVER_UNLOGGED) {
        tell_log(t);
        return;
    }
    if (t->port && print_places(t, NULL, &t->failed) && t->server)
        mcp_server_stop(t->server);
    if (news == SERVER_WAITS && pid > 0) {
        output_note("process %lld listens at %s already; waiting for it to end", (long long)pid,
                    path);
    } else if (news == SERVER_WAITS) {
        output_note("another process listens at %s already; waiting for it to end", path);
    }
}

static int serve_http(struct telling *t, int port, struct store *s, struct error *e)
{
    if (http_token_find(&t->token, s, e))
        return -1;
    struct mcp_http_options options = {.port = port, .token = &t->token};
    if (mcp_server_http(t->server, &options, e))
        return -1;
    t->port = mcp_server_http_port(t->server);
    return 0;
}

static int serve(struct invocation *i, struct store *s, struct config_rules *rules, struct error *e)
{
    struct telling t = {.out = &i->out};
    struct mcp_server_options options = {.tell = tell,
                                         .arg = &t,
                                         .rules = config_rules_now,
                                         .rules_arg = rules,
                                         .http = &http_transport};
    struct mcp_server *v = t.server =
        mcp_server_new(s, stemma_service(i->config.destructive_tools), &options, e);
    int result = v ? 0 : -1;
    if (v && option_given(i, "http"))
        result = serve_http(&t, (int)option_number(i, "http", 0), s, e);
    if (result == 0)
        result = mcp_server_listen(v, e) == 0 ? serving_run(v, e) : -1;
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
    int result = s ? serve(i, s, rules, e) : -1;
    store_close(s);
    config_rules_close(rules);
    return result;
}

const struct command cmd_serve = {
    .name = "serve",
    .words = "",
    .about = "listen for agents on the store's socket until it is stopped",
    .details =
        "Prints the path of the socket first: in /run/user/UID/stemma or, where that cannot be, in "
        "/tmp/stemma-UID, by a name that every path to the same store leads to. It is for your own "
        "user alone. An open explorer listens by itself; where one does, or another `stemma "
        "serve`, it says so and takes over when that ends. Ctrl-C ends it.\n\n"
        "An agent's client needs no listener: it starts `stemma mcp` (see `stemma mcp --help`, and "
        "\"Let agents write into it\" in the README). One that is to use the socket starts `socat "
        "STDIO UNIX-CONNECT:PATH` instead. It has no --agent and no --task then: what it writes is "
        "filed under the agent_id of the call, else under the client's name.\n\n"
        "With --http it also prints a URL, for clients of \"Streamable HTTP\", and the file of the "
        "token that they must send (`Authorization: Bearer TOKEN`): your own user alone can read "
        "it. On the socket HTTP is spoken without it and without a token, by clients that can.",
    .options = serve_options,
    .run = run_serve,
};
