/* stemma serve: the listener alone, in the foreground. */
#include "cmd.h"

#include "../model/json.h"
#include "opening.h"
#include "serving.h"

/* Whoever started it reads the path from standard output, so it is there at once. */
static void print_path(struct output *out, const char *path)
{
    struct error ignored; /* nobody needs it who cannot read it */
    if (out->json) {
        struct json_object o = json_begin(&out->text, '{');
        json_key(&o, "socket");
        json_add_string(&out->text, path);
        json_end(&o);
    } else {
        strbuf_addstr(&out->text, path);
    }
    strbuf_addch(&out->text, '\n');
    output_flush(out, &ignored);
}

static void tell(void *arg, enum server_news news, const char *path, int64_t pid)
{
    struct invocation *i = arg;
    if (news == SERVER_LISTENS)
        print_path(&i->out, path);
    else if (news == SERVER_WAITS && pid > 0)
        output_note("process %lld listens at %s already; waiting for it to end", (long long)pid,
                    path);
    else if (news == SERVER_WAITS)
        output_note("another process listens at %s already; waiting for it to end", path);
}

static int serve(struct invocation *i, struct store *s, struct error *e)
{
    struct mcp_server_options options = {.tell = tell, .arg = i};
    struct mcp_server *v = mcp_server_new(s, stemma_service(), &options, e);
    int result = v && mcp_server_listen(v, e) == 0 ? serving_run(v, e) : -1;
    mcp_server_free(v);
    return result;
}

static int run_serve(struct invocation *i, struct error *e)
{
    serving_prepare();
    struct store *s = opening_store(i, NULL, !option_given(i, "read-only"), e);
    int result = s ? serve(i, s, e) : -1;
    store_close(s);
    return result;
}

const struct command cmd_serve = {
    .name = "serve",
    .words = "",
    .about = "listen for agents on the store's socket until it is stopped",
    .details =
        "Prints the path of the socket first. An open explorer listens by itself; where one does, "
        "or another `stemma serve`, it says so and takes over when that ends. An agent's client "
        "needs no listener: it starts `stemma mcp`.",
    .run = run_serve,
};
