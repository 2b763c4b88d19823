/* stemma serve: the listener alone, in the foreground. */
#include "cmd.h"

#include "../model/json.h"
#include "opening.h"
#include "serving.h"

/* Who is told, and whether that can be done. */
struct telling {
    struct output *out;
    struct mcp_server *server; /* NULL: not yet */
    struct error failed;       /* ERROR_NONE: the path was written */
};

/* Whoever started it reads the path from standard output, so it is there at once. */
static int print_path(struct output *out, const char *path, struct error *e)
{
    if (out->json) {
        struct json_object o = json_begin(&out->text, '{');
        json_key(&o, "socket");
        json_add_string(&out->text, path);
        json_end(&o);
    } else {
        strbuf_addstr(&out->text, path);
    }
    strbuf_addch(&out->text, '\n');
    return output_flush(out, e);
}

static void tell(void *arg, enum server_news news, const char *path, int64_t pid)
{
    struct telling *t = arg;
    if (news == SERVER_LISTENS) {
        if (print_path(t->out, path, &t->failed) && t->server)
            mcp_server_stop(t->server);
    } else if (news == SERVER_WAITS && pid > 0) {
        output_note("process %lld listens at %s already; waiting for it to end", (long long)pid,
                    path);
    } else if (news == SERVER_WAITS) {
        output_note("another process listens at %s already; waiting for it to end", path);
    }
}

static int serve(struct invocation *i, struct store *s, struct error *e)
{
    struct telling t = {.out = &i->out};
    struct mcp_server_options options = {.tell = tell, .arg = &t};
    struct mcp_server *v = t.server =
        mcp_server_new(s, stemma_service(i->config.destructive_tools), &options, e);
    int result = v && mcp_server_listen(v, e) == 0 ? serving_run(v, e) : -1;
    mcp_server_free(v);
    if (result || t.failed.code == ERROR_NONE)
        return result;
    *e = t.failed;
    return -1;
}

static int run_serve(struct invocation *i, struct error *e)
{
    serving_prepare();
    struct store *s = opening_served_store(i, e);
    int result = s ? serve(i, s, e) : -1;
    store_close(s);
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
        "serve`, it "
        "says so and takes over when that ends. Ctrl-C ends it.\n\n"
        "An agent's client needs no listener: it starts `stemma mcp` (see `stemma mcp --help`, and "
        "\"Let agents write into it\" in the README). One that is to use the socket starts `socat "
        "STDIO UNIX-CONNECT:PATH` instead. It has no --agent and no --task then: what it writes is "
        "filed under the agent_id of the call, else under the client's name.",
    .run = run_serve,
};
