#include "tui/explorer/form_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>
#include "model/base/alloc.h"
#include "tui/explorer/app.h"
#include "tui/term/signals.h"

/* ---- writing ---- */

/* May it stand in a block, line by line as it is? */
static bool is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f)
            return false;
    /* Line breaks of YAML that are none to people, a byte order mark, what directs text. */
    struct strbuf quoted = STRBUF_INIT;
    json_add_string(&quoted, text);
    bool plain = !strstr(quoted.buf, "\\u") && !strstr(text, "\u2028") && !strstr(text, "\u2029") &&
                 !strstr(text, "\ufeff");
    strbuf_release(&quoted);
    return plain;
}

static void add_quoted(struct strbuf *out, const char *text)
{
    struct strbuf quoted = STRBUF_INIT;
    json_add_string(&quoted, text);
    for (const char *c = quoted.buf; *c; c++) {
        /* The three that YAML reads otherwise than JSON does. */
        if (!strncmp(c, "\u2028", 3) || !strncmp(c, "\u2029", 3) || !strncmp(c, "\ufeff", 3)) {
            strbuf_addstr(out, !strncmp(c, "\ufeff", 3)   ? "\\uFEFF"
                               : !strncmp(c, "\u2028", 3) ? "\\u2028"
                                                          : "\\u2029");
            c += 2;
        } else {
            strbuf_addch(out, *c);
        }
    }
    strbuf_release(&quoted);
}

/* Line by line, set off by two blanks. Where line feeds end the text the block ends with them, and what
 * follows must stand right behind it. */
static void add_block(struct strbuf *out, const char *text)
{
    size_t len = strlen(text);
    strbuf_addstr(out, text[len - 1] == '\n' ? "|2+\n" : "|2-\n");
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        strbuf_addstr(out, length ? "  " : "");
        strbuf_add(out, line, length);
        strbuf_addstr(out, line[length] ? "\n" : "");
        line += length + (line[length] != '\0');
    }
}

static void add_list(struct strbuf *out, const char *text)
{
    struct arena arena = ARENA_INIT;
    size_t count;
    const char **parts = value_parts(&arena, text, &count);
    if (count == 0)
        strbuf_addstr(out, "[]");
    for (size_t i = 0; i < count; i++) {
        strbuf_addstr(out, "\n  - ");
        add_quoted(out, parts[i]);
    }
    arena_release(&arena);
}

static void add_value(struct strbuf *out, const struct form_field *field)
{
    const char *value = form_value(field);
    bool text = field->type == VALUE_TEXT || field->type == VALUE_JSON;
    if (field->type == VALUE_TEXTS || field->type == VALUE_REFS)
        add_list(out, value);
    else if (text && strchr(value, '\n') && is_plain(value))
        add_block(out, value);
    else if (text && *value)
        add_quoted(out, value);
    else
        strbuf_addstr(out, value);
}

static void add_comment(struct strbuf *out, const struct form_field *field)
{
    strbuf_addf(out, "# %s", field->help);
    for (size_t i = 0; field->choices && field->choices[i]; i++)
        strbuf_addf(out, "%s%s", i ? ", " : *field->help ? ": " : "", field->choices[i]);
    strbuf_addstr(out, "\n");
}

void form_file_write(const struct form *f, struct strbuf *out)
{
    strbuf_addstr(out, "# ");
    json_add_inside(out, f->title);
    strbuf_addstr(out, "\n# Save and leave the editor to fill in the form; an empty file changes "
                       "nothing. What is left out stays as it is.\n\n");
    for (size_t i = 0; i < f->count; i++) {
        add_comment(out, &f->field[i]);
        strbuf_addf(out, "%s: ", f->field[i].name);
        add_value(out, &f->field[i]);
        if (out->buf[out->len - 1] != '\n')
            strbuf_addstr(out, "\n\n");
    }
}

/* ---- reading ---- */

struct file_reading {
    struct form *f;
    yaml_parser_t parser;
    yaml_event_t event;
    struct arena arena;
    const char **value; /* [f->count] NULL: the file leaves it out */
    struct error *e;
};

static int wrong(struct file_reading *r, const char *what)
{
    return error_set(r->e, ERROR_INVALID, "", "line %zu: %s", r->event.start_mark.line + 1, what);
}

static int next(struct file_reading *r)
{
    const yaml_parser_t *p = &r->parser;
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    return error_set(r->e, ERROR_INVALID, "", "line %zu: %s",
                     (p->problem_mark.line ? p->problem_mark.line : p->context_mark.line) + 1,
                     p->problem ? p->problem : "this is no YAML");
}

static const char *scalar(struct file_reading *r)
{
    const char *text = (const char *)r->event.data.scalar.value;
    size_t len = r->event.data.scalar.length;
    if (memchr(text, '\0', len))
        return NULL;
    return arena_strndup(&r->arena, text, len);
}

static int read_list(struct file_reading *r, const char **value)
{
    const char **parts = NULL;
    size_t count = 0, alloc = 0;
    struct strbuf joined = STRBUF_INIT;
    int failed = 0;
    while (!failed && !(failed = next(r)) && r->event.type != YAML_SEQUENCE_END_EVENT) {
        const char *part = r->event.type == YAML_SCALAR_EVENT ? scalar(r) : NULL;
        if (!part)
            failed = wrong(r, "a list here is of texts");
        if (failed)
            break;
        array_grow((void **)&parts, &alloc, count, sizeof(*parts));
        parts[count++] = part;
    }
    if (!failed)
        value_join(&joined, parts, count);
    *value = arena_strdup(&r->arena, joined.buf);
    strbuf_release(&joined);
    free(parts);
    return failed;
}

static bool takes_list(const struct form_field *field)
{
    return field->type == VALUE_TEXTS || field->type == VALUE_REFS;
}

/* The name is at hand; its value follows. */
static int read_field(struct file_reading *r)
{
    const char *name = scalar(r);
    struct form_field *field = name ? form_find(r->f, name) : NULL;
    if (!field)
        return error_set(r->e, ERROR_INVALID, "The names are those that were there.",
                         "line %zu: there is no field %.60s here", r->event.start_mark.line + 1,
                         name ? name : "of that name");
    const char **value = &r->value[field - r->f->field];
    if (*value)
        return wrong(r, "this field stands there twice");
    if (next(r))
        return -1;
    if (r->event.type == YAML_SEQUENCE_START_EVENT && takes_list(field))
        return read_list(r, value);
    if (r->event.type != YAML_SCALAR_EVENT)
        return wrong(r,
                     takes_list(field) ? "this is neither a text nor a list" : "this is no text");
    *value = scalar(r);
    return *value ? 0 : wrong(r, "a text here has no NUL in it");
}

static int read_fields(struct file_reading *r)
{
    do {
        if (next(r))
            return -1;
    } while (r->event.type == YAML_STREAM_START_EVENT ||
             r->event.type == YAML_DOCUMENT_START_EVENT);
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return wrong(r, "fields are written as `name: value`");
    for (;;) {
        if (next(r))
            return -1;
        if (r->event.type == YAML_MAPPING_END_EVENT)
            return 0;
        if (r->event.type != YAML_SCALAR_EVENT)
            return wrong(r, "this is no name of a field");
        if (read_field(r))
            return -1;
    }
}

static int check_choices(struct file_reading *r)
{
    for (size_t i = 0; i < r->f->count; i++) {
        const struct form_field *field = &r->f->field[i];
        bool found = !field->only || !r->value[i] || !*r->value[i];
        for (size_t k = 0; !found && field->choices[k]; k++)
            found = !strcmp(field->choices[k], r->value[i]);
        if (!found)
            return error_set(r->e, ERROR_INVALID, "", "%s cannot be %.60s", field->name,
                             r->value[i]);
    }
    return 0;
}

int form_file_read(struct form *f, const char *text, size_t len, struct error *e)
{
    struct file_reading r = {.f = f, .arena = ARENA_INIT, .e = e};
    r.value = arena_array(&r.arena, f->count + 1, sizeof(*r.value));
    if (!yaml_parser_initialize(&r.parser))
        alloc_fail();
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
    int failed = read_fields(&r) || check_choices(&r) ? -1 : 0;
    for (size_t i = 0; !failed && i < f->count; i++)
        if (r.value[i])
            form_set_value(&f->field[i], r.value[i]);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    arena_release(&r.arena);
    return failed;
}

/* ---- the editor ---- */

static bool is_empty(const struct strbuf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (!strchr(" \t\r\n", text->buf[i]) || !text->buf[i])
            return false;
    return true;
}

static void keep_left(struct form *f, struct strbuf *text)
{
    free(f->left);
    f->left = strbuf_detach(text, NULL);
}

void form_edit_outside(struct app *x, struct form *f)
{
    struct strbuf text = STRBUF_INIT, before = STRBUF_INIT;
    struct error e = {0};
    form_file_write(f, &before);
    strbuf_addstr(&text, f->left ? f->left : before.buf);
    int failed = editor_run(x, "memory.yaml", &text, &e);
    bool same = !strcmp(text.buf, before.buf);
    if (!failed && !same && !is_empty(&text))
        failed = form_file_read(f, text.buf, text.len, &e);
    if (failed && !same) {
        keep_left(f, &text);
        error_prefix(&e, "F4 opens it again");
        app_fail(x, &e);
    } else if (failed) {
        app_fail(x, &e);
    } else {
        free(f->left);
        f->left = NULL;
        app_say(x, same              ? "the editor changed nothing"
                   : is_empty(&text) ? "the file was emptied: nothing was changed"
                                     : "filled in; Enter saves it");
    }
    strbuf_release(&text);
    strbuf_release(&before);
}

#define TEXT_MOST (64u * 1024 * 1024) /* more than that is no text that was typed */

extern char **environ;

/* ---- the file ---- */

struct edited_file {
    char directory[300], path[400];
};

static const char *base_directory(void)
{
    static const char *const names[] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *base = getenv(names[i]);
        if (base && *base == '/' && strlen(base) < 200 && access(base, W_OK | X_OK) == 0)
            return base;
    }
    return "/tmp";
}

static int make_place(struct edited_file *p, const char *name, struct error *e)
{
    snprintf(p->directory, sizeof(p->directory), "%s/stemma-edit-XXXXXX", base_directory());
    if (!mkdtemp(p->directory))
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory that can be written.",
                         "no directory can be made for what is edited: %s", strerror(errno));
    snprintf(p->path, sizeof(p->path), "%s/%s", p->directory, name);
    return 0;
}

/* Editors leave copies beside the file. */
static void remove_place(const struct edited_file *p)
{
    DIR *dir = opendir(p->directory);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(p->directory);
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

static bool ends_with_line(const struct strbuf *text)
{
    return text->len > 0 && text->buf[text->len - 1] == '\n';
}

static int write_text(const struct edited_file *p, const struct strbuf *text, struct error *e)
{
    int fd = open(p->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool failed = fd < 0 || !write_all(fd, text->buf, text->len) ||
                  (!ends_with_line(text) && !write_all(fd, "\n", 1));
    int why = errno;
    if (fd >= 0 && close(fd) && !failed) {
        failed = true;
        why = errno;
    }
    if (failed)
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory with room.",
                         "the text cannot be written for the editor: %s", strerror(why));
    return 0;
}

/* The text stays where there is no file to read. */
static int read_text(const struct edited_file *p, struct strbuf *text, struct error *e)
{
    struct strbuf got = STRBUF_INIT;
    char block[16384];
    ssize_t n = 0;
    bool line = ends_with_line(text);
    int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (fd >= 0 && got.len <= TEXT_MOST &&
           ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0)
            strbuf_add(&got, block, (size_t)n);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0 || n < 0 || got.len > TEXT_MOST) {
        strbuf_release(&got);
        return error_set(e, ERROR_STORE, "", "what the editor left cannot be read: %s",
                         fd < 0 || n < 0 ? strerror(why) : "it is too long");
    }
    if (!line && ends_with_line(&got))
        strbuf_cut(&got, got.len - 1);
    strbuf_release(text);
    *text = got;
    return 0;
}

/* ---- the editor ---- */

static const char *editor_name(void)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *editor = getenv(names[i]);
        if (editor && *editor)
            return editor;
    }
    return "vi";
}

/* The name may hold arguments, so a shell takes it apart; the path is never seen by it. */
static int spawn(struct app *x, const char *path, pid_t *pid)
{
    struct strbuf command = STRBUF_INIT;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    strbuf_addf(&command, "%s \"$1\"", editor_name());
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"},          command.buf,
                    (char[]){"sh"}, (char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_init(&actions);
    if (x->ui.screen.fd < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &x->ui.wait_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    strbuf_release(&command);
    return failed;
}

/* What asks the explorer to end asks the editor too; the rest is the editor's business. */
static void pass_signals(struct app *x, pid_t pid)
{
    struct pollfd ready = {.fd = signals_fd(), .events = POLLIN};
    ppoll(&ready, 1, NULL, &x->ui.wait_mask);
    if (signals_take() & SIGNAL_BIT_END && app_is_ended(x))
        kill(pid, x->ui.ended_by);
}

/*
 * The editor is stopped, by its person's C-z, and the explorer with it. False: the explorer is to end, and waits no
 * more for the editor, which would be stopped again as it gives back a terminal that is another's by now.
 */
static bool stop_with(struct app *x, pid_t pid)
{
    if (!app_is_ended(x))
        suspend_now(SIGSTOP);
    bool ended = app_is_ended(x);
    if (ended)
        kill(pid, x->ui.ended_by);
    kill(pid, SIGCONT);
    return !ended;
}

static int wait_for(struct app *x, pid_t pid)
{
    int status = 0;
    for (;;) {
        bool seen = x->ui.screen.fd >= 0;
        pid_t got = waitpid(pid, &status, seen ? WNOHANG | WUNTRACED : 0);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == pid && (!WIFSTOPPED(status) || !stop_with(x, pid)))
            return status;
        if (got != pid && seen)
            pass_signals(x, pid);
    }
}

static int judge(int status, struct error *e)
{
    static const char todo[] = "Set EDITOR to the one that you use.";
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status) || code > 128)
        return error_set(e, ERROR_STORE, "", "the editor was ended by signal %d",
                         WIFSIGNALED(status) ? WTERMSIG(status) : code - 128);
    if (code == 127)
        return error_set(e, ERROR_STORE, todo, "there is no editor `%.100s`", editor_name());
    if (code)
        return error_set(e, ERROR_STORE, "", "the editor failed (exit status %d)", code);
    return 0;
}

static int edit(struct app *x, const struct edited_file *p, struct error *e)
{
    pid_t pid;
    screen_leave(&x->ui.screen);
    int failed = spawn(x, p->path, &pid);
    int status = failed ? -1 : wait_for(x, pid);
    screen_repaint(&x->ui.screen);
    if (failed)
        return error_set(e, ERROR_STORE, "", "no editor can be started: %s", strerror(failed));
    return judge(status, e);
}

/* An editor that failed changes nothing. What it left may be half of a text: it stays where it is, and that is said. */
static bool keeps_what_it_left(const struct edited_file *p, const struct strbuf *text,
                               struct error *e)
{
    struct strbuf left = STRBUF_INIT;
    struct error ignored;
    strbuf_add(&left, text->buf, text->len);
    bool other = !read_text(p, &left, &ignored) && strcmp(left.buf, text->buf) != 0;
    if (other) {
        snprintf(e->todo, sizeof(e->todo), "What it left is in %.200s.", p->path);
        e->todo_quotes = true;
    }
    strbuf_release(&left);
    return other;
}

int editor_run(struct app *x, const char *name, struct strbuf *text, struct error *e)
{
    struct edited_file file = {"", ""};
    bool kept = false;
    if (make_place(&file, name, e))
        return -1;
    int result = write_text(&file, text, e);
    if (!result && edit(x, &file, e)) {
        kept = keeps_what_it_left(&file, text, e);
        result = -1;
    } else if (!result) {
        result = read_text(&file, text, e);
    }
    if (!kept)
        remove_place(&file);
    return result;
}
