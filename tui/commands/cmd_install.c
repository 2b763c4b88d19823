/* stemma mcp install: the clients and their files, and writing into them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/error.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/store.h"
#include "tui/cli/client_config.h"
#include "tui/cli/files.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/commands/commands.h"

#ifdef __APPLE__
#define APPLICATIONS NULL, "Library/Application Support"
#else
#define APPLICATIONS "XDG_CONFIG_HOME", ".config"
#endif

/* clang-format off */
static const struct client {
    const char *name, *title;
    const char *agent; /* what imports of its sessions are filed under, too */
    /* The file, in the directory that the variable names, else in `folder` of HOME. */
    const char *variable, *folder, *file;
    struct client_form form;
} clients[] = {
    {"claude", "Claude Code", "claude-code", "CLAUDE_CONFIG_DIR", "", ".claude.json",
     {.member = "mcpServers", .typed = true}},
    {"claude-desktop", "Claude Desktop", "claude-desktop", APPLICATIONS,
     "Claude/claude_desktop_config.json", {.member = "mcpServers"}},
    {"cursor", "Cursor", "cursor", NULL, ".cursor", "mcp.json", {.member = "mcpServers"}},
    {"codex", "Codex", "codex", "CODEX_HOME", ".codex", "config.toml",
     {.member = "mcp_servers", .toml = true}},
    {"vscode", "VS Code", "vscode", APPLICATIONS, "Code/User/mcp.json",
     {.member = "servers", .typed = true}},
};
/* clang-format on */
#define CLIENT_COUNT (sizeof(clients) / sizeof(clients[0]))

#define ARGS_MAX 16

struct install {
    struct invocation *i;
    const struct client *client;
    const char *agent;
    const char *path; /* as the client knows it; a link is followed when it is written */
    struct strbuf text;
    bool exists;
    const char *args[ARGS_MAX];
    struct client_server server;
    struct client_edit edit;
    struct strbuf copy; /* path of the copy; empty if none was made */
};

/* ---- what is written ---- */

static const struct client *find_client(const char *word, struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    struct suggestion near = SUGGESTION_INIT(word);
    for (size_t n = 0; n < CLIENT_COUNT; n++) {
        if (strcmp(word, clients[n].name) == 0)
            return &clients[n];
        suggest_consider(&near, clients[n].name);
        strbuf_addf(&hint, "%s%s", n ? ", " : "Write one of ", clients[n].name);
    }
    strbuf_addch(&hint, '.');
    if (!*word) {
        error_set(e, ERROR_USAGE, hint.buf, "'mcp install' needs the name of a client");
        return NULL;
    }
    if (near.name) {
        strbuf_clear(&hint);
        strbuf_addf(&hint, "Did you mean `stemma mcp install %s`?", near.name);
    }
    error_set(e, ERROR_USAGE, hint.buf, "no client is called '%.80s'", word);
    return NULL;
}

/* The path from the root on, in the arena. Links stay: what they name may change with an upgrade. */
static const char *absolute(struct arena *arena, const char *path)
{
    AUTO_STRBUF folder = STRBUF_INIT, whole = STRBUF_INIT;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (*path == '/')
        return path;
    strbuf_add(&folder, path, (size_t)(name - path));
    AUTO_FREE char *real = realpath(folder.len ? folder.buf : ".", NULL);
    strbuf_addf(&whole, "%s/%s", real ? real : "", name);
    return real ? arena_strdup(arena, whole.buf) : path;
}

/* Where this program is: as it was started, or where the shell found it in PATH. */
static const char *program_path(struct arena *arena, const char *started)
{
    const char *path = getenv("PATH");
    if (strchr(started, '/'))
        return absolute(arena, started);
    for (size_t len; path && *path; path += len + (path[len] == ':')) {
        AUTO_STRBUF file = STRBUF_INIT;
        struct stat st;
        len = strcspn(path, ":");
        strbuf_addf(&file, "%.*s/%s", len ? (int)len : 1, len ? path : ".", started);
        if (stat(file.buf, &st) == 0 && S_ISREG(st.st_mode) && access(file.buf, X_OK) == 0)
            return absolute(arena, arena_strdup(arena, file.buf));
    }
    return started;
}

static void add_option(struct install *x, const char *option, const char *value)
{
    x->args[x->server.arg_count++] = option;
    if (value)
        x->args[x->server.arg_count++] = value;
}

/* All values of --tools as one. */
static const char *tools_of(struct invocation *i)
{
    AUTO_STRBUF all = STRBUF_INIT;
    size_t count;
    const char **tools = option_list(i, "tools", &count);
    for (size_t n = 0; n < count; n++)
        strbuf_addf(&all, "%s%s", n ? "," : "", tools[n]);
    return count ? arena_strdup(&i->arena, all.buf) : NULL;
}

/* The command and its arguments, which must work in any directory and with an empty environment. */
static int find_server(struct install *x, struct error *e)
{
    struct invocation *i = x->i;
    const char *store = opening_path(i, NULL, e), *config = option_text(i, "config");
    const char *named = option_text(i, "agent"), *task = option_text(i, "task");
    const char *tools = tools_of(i);
    if (!store)
        return -1;
    if (strcmp(store_recognise(store), "kernle") == 0)
        return error_set(e, ERROR_INVALID,
                         "`stemma import kernle` makes a working copy: give that.",
                         "%s is a store of Kernle, which stemma does not write", store);
    x->agent = named ? named : x->client->agent;
    x->server.command = program_path(&i->arena, i->program);
    x->server.args = x->args;
    add_option(x, "mcp", NULL);
    add_option(x, "--store", absolute(&i->arena, store));
    add_option(x, "--agent", x->agent);
    if (task)
        add_option(x, "--task", task);
    if (tools)
        add_option(x, "--tools", tools);
    if (config)
        add_option(x, "--config", absolute(&i->arena, config));
    if (option_given(i, "read-only"))
        add_option(x, "--read-only", NULL);
    bool valid = utf8_valid(x->server.command, strlen(x->server.command));
    for (size_t n = 0; n < x->server.arg_count; n++)
        valid &= utf8_valid(x->args[n], strlen(x->args[n]));
    return valid ? 0
                 : error_set(e, ERROR_USAGE, "Rename the file.",
                             "a configuration cannot name a path that is not valid UTF-8");
}

/* The path of the client's file, in the arena. */
static const char *file_of(struct invocation *i, const struct client *c, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT;
    const char *folder = c->variable ? getenv(c->variable) : NULL, *home = getenv("HOME");
    if (folder && *folder == '/')
        strbuf_addf(&path, "%s/%s", folder, c->file);
    else if (home && *home == '/')
        strbuf_addf(&path, "%s/%s%s%s", home, c->folder, *c->folder ? "/" : "", c->file);
    if (path.len > 0)
        return arena_strdup(&i->arena, path.buf);
    error_set(e, ERROR_USAGE, "Set HOME.", "HOME is not set to look for the file of %s", c->title);
    return NULL;
}

static int read_file(const char *path, struct strbuf *text, bool *exists, struct error *e)
{
    struct stat st;
    strbuf_clear(text);
    *exists = lstat(path, &st) == 0;
    if (!*exists)
        return errno == ENOENT ? 0
                               : error_set(e, ERROR_STORE, "Make it readable.",
                                           "%s cannot be read: %s", path, strerror(errno));
    return typed_file(path, text, e);
}

/* ---- showing it ---- */

/* Each line of the text with a sign before it. The text is the person's. */
static void print_lines(struct output *out, enum style style, char sign, const char *text,
                        size_t len)
{
    for (const char *end = text + len; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t line = stop ? (size_t)(stop - text) : (size_t)(end - text);
        AUTO_STRBUF copy = STRBUF_INIT;
        strbuf_addf(&copy, "%c ", sign);
        strbuf_add(&copy, text, line);
        if (line > 0) {
            output_text(out, style, copy.buf);
            strbuf_addch(&out->text, '\n');
        }
        text += line + 1;
    }
}

static void print_edit(struct install *x)
{
    struct output *out = &x->i->out;
    if (out->json)
        return;
    output_text(out, STYLE_STRONG, x->path);
    strbuf_addstr(&out->text, x->exists ? "\n" : "  (new)\n");
    print_lines(out, STYLE_UNSUPPORTED, '-', x->text.buf + x->edit.at, x->edit.removed);
    print_lines(out, STYLE_SUPPORTED, '+', x->edit.text.buf, x->edit.text.len);
}

/* What a file that cannot be edited would get. */
static void print_alone(struct install *x)
{
    struct client_edit alone;
    struct error none;
    if (client_config_edit(&x->client->form, &x->server, "", 0, &alone, &none) == 0 &&
        !x->i->out.json) {
        output_printf(&x->i->out, STYLE_TEXT, "It would need this:\n");
        print_lines(&x->i->out, STYLE_SUPPORTED, '+', alone.text.buf, alone.text.len);
    }
    strbuf_release(&alone.text);
}

/* `status` is done, already or dry-run. */
static int print_status(struct install *x, const char *status)
{
    struct output *out = &x->i->out;
    if (!out->json) {
        if (strcmp(status, "already") == 0)
            output_printf(out, STYLE_TEXT, "%s has it already.\n", x->path);
        if (strcmp(status, "done") == 0)
            output_note("written; restart %s%s%s", x->client->title,
                        x->copy.len ? ". What it was is in " : "", x->copy.buf);
        return 0;
    }
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "client", x->client->name);
    json_pair(&o, "file", x->path);
    json_pair(&o, "agent", x->agent);
    json_pair(&o, "command", x->server.command);
    struct json_object args = json_open(&o, "args", '[');
    for (size_t n = 0; n < x->server.arg_count; n++) {
        json_item(&args);
        json_add_string(&out->text, x->args[n]);
    }
    json_end(&args);
    json_pair(&o, "status", status);
    json_pair_if(&o, "copy", x->copy.len ? x->copy.buf : NULL);
    json_end_line(&o);
    return 0;
}

/* ---- writing it ---- */

/* Keeps the text as FILE.bak, or .bak.2 and so on if there is one, which only this user may read. */
static int keep_copy(struct install *x, struct error *e)
{
    int fd = -1;
    for (int n = 1; fd < 0; n++) {
        strbuf_clear(&x->copy);
        strbuf_addf(&x->copy, n > 1 ? "%s.bak.%d" : "%s.bak", x->path, n);
        fd = open(x->copy.buf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    ssize_t wrote = fd >= 0 ? write(fd, x->text.buf, x->text.len) : -1;
    bool failed = fd < 0 || wrote != (ssize_t)x->text.len || fsync(fd);
    int saved = errno;
    if (fd >= 0)
        close(fd);
    if (!failed)
        return 0;
    if (fd >= 0)
        unlink(x->copy.buf);
    return error_set(e, ERROR_STORE, error_write_hint(saved), "cannot write %.200s: %s",
                     x->copy.buf, strerror(saved));
}

static int write_edited(void *arg, FILE *file, struct error *e)
{
    const struct install *x = arg;
    const struct client_edit *edit = &x->edit;
    size_t rest = edit->at + edit->removed;
    (void)e; /* the caller sees what the stream could not take */
    fwrite(x->text.buf, 1, edit->at, file);
    fwrite(edit->text.buf, 1, edit->text.len, file);
    fwrite(x->text.buf + rest, 1, x->text.len - rest, file);
    return 0;
}

/* Writes the file if it is still what was shown: a client writes to its own, too. */
static int write_file(struct install *x, struct error *e)
{
    AUTO_STRBUF now = STRBUF_INIT;
    struct destination d;
    bool exists;
    if (read_file(x->path, &now, &exists, e))
        return -1;
    if (now.len != x->text.len || memcmp(now.buf, x->text.buf, now.len) != 0)
        return error_set(e, ERROR_CONFLICT, "Try again.", "%s was changed meanwhile", x->path);
    if (!exists && store_make_folders(x->path, e))
        return -1;
    int result = destination_find(&d, x->path, "", e);
    if (result == 0 && exists)
        result = keep_copy(x, e);
    if (result == 0)
        result = destination_write(&d, write_edited, x, e);
    strbuf_release(&d.path);
    return result;
}

static int install(struct install *x, struct error *e)
{
    struct invocation *i = x->i;
    x->path = file_of(i, x->client, e);
    if (!x->path || find_server(x, e) || read_file(x->path, &x->text, &x->exists, e))
        return -1;
    if (client_config_edit(&x->client->form, &x->server, x->text.buf, x->text.len, &x->edit, e)) {
        print_alone(x);
        return error_prefix(e, "%s", x->path);
    }
    if (x->edit.text.len == 0)
        return print_status(x, "already");
    print_edit(x);
    if (option_given(i, "dry-run"))
        return print_status(x, "dry-run");
    if (!option_given(i, "yes") && operating_confirm(&i->out, "written", e))
        return -1;
    return write_file(x, e) ? -1 : print_status(x, "done");
}

int install_run(struct invocation *i, struct error *e)
{
    if (strcmp(i->words[0], "install") != 0)
        return error_set(e, ERROR_USAGE, "Usage: `stemma mcp install CLIENT`.",
                         "'mcp' does not know what to do with '%.80s'", i->words[0]);
    struct install x = {.i = i,
                        .client = find_client(i->word_count > 1 ? i->words[1] : "", e),
                        .text = STRBUF_INIT,
                        .edit = CLIENT_EDIT_INIT,
                        .copy = STRBUF_INIT};
    int result = x.client ? install(&x, e) : -1;
    strbuf_release(&x.text);
    strbuf_release(&x.edit.text);
    strbuf_release(&x.copy);
    return result;
}
