/*
 * stemma mcp: an MCP server over standard input and output, a process of its own on the store. It
 * must do in an environment that is empty and a directory that is not its own.
 */
#include "store/mcp/http/http.h"
#include "tui/cli/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/utf8.h"
#include "tui/config/config_rules.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/cli/serving.h"

static const struct option_spec options[] = {
    OPT_TEXT("agent", "A",
             "whose memory it is, where a call does not say; the client's name, if left out"),
    OPT_TEXT("task", "T", "what the session is for"),
    OPTION_END,
};

/*
 * The client's ends of the streams under numbers that nothing else writes to; what some library
 * prints goes to standard error, and nothing else reads the client's words.
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
    return error_set(e, ERROR_STORE, "Close some files.", "the streams cannot be taken: %s",
                     strerror(saved));
}

static void tell(void *arg, enum server_news news, const char *path, int64_t pid)
{
    (void)arg;
    (void)path;
    (void)pid;
    if (news == SERVER_EXPELLED)
        output_note("a person ended this session; nothing more is served");
}

static int serve(struct invocation *i, struct store *s, int in, int out, struct error *e)
{
    struct config_rules *rules = config_rules_open(&i->config, e);
    if (!rules)
        return -1;
    const char *task = option_text(i, "task");
    struct mcp_server_options server = {.agent = option_text(i, "agent"),
                                        .task = utf8_is_blank(task) ? NULL : task,
                                        .tell = tell,
                                        .rules = config_rules_now,
                                        .rules_arg = rules,
                                        .http = &http_transport};
    struct mcp_server *v =
        mcp_server_new(s, stemma_service(i->config.destructive_tools), &server, e);
    if (v)
        mcp_server_attach(v, in, out);
    int result = v ? serving_run(v, e) : -1;
    mcp_server_free(v);
    config_rules_close(rules);
    return result;
}

/* Clients start it wherever they like: a path that does not say where is another store from elsewhere. */
static void note_relative(const struct invocation *i)
{
    const char *store = option_text(i, "store");
    char *real = store && *store != '/' ? realpath(store, NULL) : NULL;
    if (real)
        output_note("the store is %s; a client's configuration had better name it so", real);
    free(real);
}

static int run_mcp(struct invocation *i, struct error *e)
{
    int in, out;
    if (check_agent_name(option_text(i, "agent"), e))
        return -1;
    serving_prepare();
    if (take_streams(&in, &out, e))
        return -1;
    if (isatty(in))
        output_note("an MCP server: it waits for JSON-RPC here, a message a line; Ctrl-D ends it");
    struct store *s = opening_served_store(i, e);
    if (s)
        note_relative(i);
    int result = s ? serve(i, s, in, out, e) : -1;
    store_close(s);
    return result;
}

const struct command cmd_mcp = {
    .name = "mcp",
    .words = "",
    .about = "serve an agent over standard input and output (MCP)",
    .details = "For a client's configuration: the command it starts. Claude Desktop, Cursor and "
               "others read it in this form (the README has the file of each, and those of Claude "
               "Code, VS Code and Codex: \"Let agents write into it\"):\n\n"
               "{\"mcpServers\": {\"stemma\": {\n"
               "  \"command\": \"/usr/local/bin/stemma\",\n"
               "  \"args\": [\"mcp\", \"--store\", \"/home/me/agent/memory.db\", \"--agent\", "
               "\"claude\"]}}}\n\n"
               "--store is an absolute path there, since clients start it wherever they like and "
               "pass little of the environment; the store is made where there is none. --agent is "
               "whom memories are filed under and who signs for them where a call has no agent_id; "
               "--task is shown beside the session (`stemma sessions`, the explorer's live view) "
               "and says what it is for.\n\n"
               "An agent adds, reinforces, supersedes, revises, corrects and marks. To verify, "
               "retract, restore, forget and protect is a person's, unless the configuration says "
               "`destructive_tools: yes`; what a person decided an agent never changes.\n\n"
               "It needs no listener and uses no socket, and any number of them may be at work on "
               "one store at once. It ends with its client, or when a person ends the session.",
    .options = options,
    .run = run_mcp,
};
