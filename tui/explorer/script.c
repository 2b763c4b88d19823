#include "tui/explorer/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/app.h"
#include "tui/term/input.h"

/* ---- writing ---- */

#define PAUSE_MS   1000 /* a longer one is recorded, and begins a line */
#define LINE_BYTES 100

/* Writes what was appended to `text` since `from`. A file that cannot be written is given up. */
static void write_on(struct app *x, size_t from)
{
    struct recording *r = &x->recording;
    size_t len = r->text.len - from;
    if (r->fd < 0 || write(r->fd, r->text.buf + from, len) == (ssize_t)len)
        return;
    ui_message(&x->ui, "%s cannot be written: keys are not recorded any more", r->path);
    recording_stop(r);
}

/* "NAME TEXT" for a small file of text, in one line. */
static void add_file(struct strbuf *out, const char *name, const char *path)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct file_state state;
    struct error e;
    if (!path || config_file_read(path, &text, &state, &e) != 0 || text.len == 0)
        return;
    strbuf_addf(out, "%s ", name);
    for (const char *at = text.buf; *at; at++)
        if (*at == '\n')
            strbuf_addstr(out, "␊");
        else
            strbuf_addch(out, *at);
    strbuf_addch(out, '\n');
}

void recording_begin(struct app *x)
{
    struct strbuf *out = &x->recording.text;
    const struct explorer_options *o = x->options;
    strbuf_addstr(out, "# Keys of stemma " STEMMA_VERSION "; `stemma replay FILE` plays them.\n");
    strbuf_addf(out, "size %dx%d\n", x->ui.screen.columns, x->ui.screen.rows);
    strbuf_addf(out, "clock %lld\n", (long long)store_now(x->data.store));
    config_add_changed(x->config, out);
    if (o->story)
        strbuf_addstr(out, "story\n");
    if (o->tour)
        strbuf_addstr(out, "tour\n");
    if (o->inbox_first)
        strbuf_addstr(out, "inbox\n");
    if (o->as_of)
        strbuf_addf(out, "as-of %s\n", o->as_of);
    add_file(out, "visits", o->visit);
    add_file(out, "places", o->place);
    strbuf_addstr(out, "> ");
    x->recording.line = out->len;
}

void recording_take(struct app *x, const struct input_event *event)
{
    struct recording *r = &x->recording;
    int64_t now = monotonic_ms(), pause = r->last && !x->ui.script ? now - r->last : 0;
    size_t from = r->text.len;
    if ((r->full && r->fd < 0) || event->key == KEY_SHOT || event->key == KEY_WAIT)
        return;
    bool blank = from > 0 && r->text.buf[from - 1] == ' '; /* no line ends with one */
    if (pause >= PAUSE_MS || (r->text.len - r->line > LINE_BYTES && !blank)) {
        strbuf_addstr(&r->text, "\n+ ");
        r->line = r->text.len;
    }
    if (pause >= PAUSE_MS)
        strbuf_addf(&r->text, "<wait:%lld>", (long long)pause);
    if (x->ui.rows_moved)
        strbuf_addstr(&r->text, "<ahead>");
    if (event->key == ' ' && !x->ui.modal)
        strbuf_addstr(&r->text, "<Space>");
    else
        input_add_script(&r->text, event, x->ui.input.paste);
    r->last = now;
    write_on(x, from);
    if (r->text.len > RECORDING_MAX) {
        r->full = true;
        strbuf_clear(&r->text);
        r->line = 0;
    }
}

int recording_start(struct recording *r, const char *path, struct error *e)
{
    if (r->full)
        return error_set(e, ERROR_INVALID, "`stemma --record FILE` records from the start.",
                         "more keys came than are kept: %d bytes of them", RECORDING_MAX);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || write(fd, r->text.buf, r->text.len) != (ssize_t)r->text.len) {
        error_set(e, ERROR_STORE, errno == EEXIST ? "Name a new file." : "",
                  "cannot write %.300s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    recording_stop(r);
    r->fd = fd;
    r->path = xstrdup(path);
    return 0;
}

void recording_stop(struct recording *r)
{
    if (r->fd >= 0 && write(r->fd, "\n", 1) >= 0)
        close(r->fd);
    r->fd = -1;
    free(r->path);
    r->path = NULL;
}

void recording_release(struct recording *r)
{
    recording_stop(r);
    strbuf_release(&r->text);
}

/* ---- reading ---- */

int script_file_read(struct script_file *f, const char *path, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct file_state state;
    *f = (struct script_file){.path = path};
    int result = config_file_read(path, &text, &state, e);
    if (result > 0)
        return error_set(e, ERROR_STORE, "Check the path.", "there is no file %.300s", path);
    if (result < 0)
        return -1;
    size_t most = 1;
    for (size_t i = 0; i < text.len; i++)
        most += text.buf[i] == '\n';
    f->text = text.buf ? strbuf_detach(&text, NULL) : xstrdup("");
    f->line = xcalloc(most, sizeof(*f->line));
    int number = 0;
    for (char *at = f->text; *at;) {
        size_t len = strcspn(at, "\n");
        char *next = at + len + (at[len] == '\n');
        at[len] = '\0';
        number++;
        if (*at && *at != '#')
            f->line[f->count++] = (struct script_line){at, number};
        at = next;
    }
    return 0;
}

void script_file_release(struct script_file *f)
{
    free(f->line);
    free(f->text);
    *f = (struct script_file){0};
}

const char *script_rest(const char *line, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(line, word, len) != 0 || (line[len] && line[len] != ' '))
        return NULL;
    return line + len + (line[len] == ' ');
}

int script_set(struct strbuf *all, struct config *config, const char *line, struct error *e)
{
    struct strbuf now = STRBUF_INIT;
    size_t name = strcspn(line, ":") + 1;
    for (const char *at = all->buf; all->len && *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, line, name) != 0)
            strbuf_add(&now, at, strcspn(at, "\n") + 1);
    strbuf_addf(&now, "%s\n", line);
    strbuf_release(all);
    *all = now;
    config_release(config);
    config_init(config);
    return config_parse(config, "the settings", all->buf, all->len, e);
}

int script_check_keys(const char *keys, struct error *e)
{
    return input_check_script(keys, e);
}

/* ---- checks ---- */

char *script_text(const char *text)
{
    size_t len = strlen(text);
    struct strbuf out = STRBUF_INIT;
    bool barred = len > 1 && *text == '|' && text[len - 1] == '|';
    for (size_t i = barred; i < len - barred; i++)
        if (barred && !strncmp(text + i, "\\n", 2))
            strbuf_addch(&out, '\n'), i++;
        else
            strbuf_addch(&out, text[i]);
    return strbuf_detach(&out, NULL);
}

/* Whether the frame has the texts between " ~> ", in this order. */
static bool holds(const char *frame, const char *text)
{
    for (const char *next = text; next && frame; text = next + 4) {
        next = strstr(text, " ~> ");
        AUTO_FREE char *part = xformat("%.*s", next ? (int)(next - text) : (int)strlen(text), text);
        AUTO_FREE char *wanted = script_text(part);
        frame = strstr(frame, wanted);
        frame = frame ? frame + strlen(wanted) : NULL;
        if (!next)
            break;
    }
    return frame != NULL;
}

char *script_cursor_line(const char *frame)
{
    const char *sign = strstr(frame, "\n >"), *at = sign ? sign + 1 : NULL;
    const char *end = strstr(frame, "\n-- cursor ");
    int column, row = 0;
    if (!at && end && sscanf(end, "\n-- cursor %d,%d", &column, &row) == 2) {
        at = frame;
        while (--row > 0)
            at += strcspn(at, "\n") + 1;
    }
    return at ? xformat("%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

static int times(const char *frame, const char *text)
{
    int count = 0;
    AUTO_FREE char *wanted = script_text(text);
    for (const char *at = frame; *wanted && (at = strstr(at, wanted)); at += strlen(wanted))
        count++;
    return count;
}

/* How many of "A | B | C" occur. */
static int count_of(const char *frame, const char *texts)
{
    int count = 0;
    for (const char *end; *texts; texts = *end ? end + 3 : end) {
        end = strstr(texts, " | ");
        end = end ? end : texts + strlen(texts);
        AUTO_FREE char *text = xformat("%.*s", (int)(end - texts), texts);
        count += strstr(frame, text) != NULL;
    }
    return count;
}

static int check_count(const char *frame, const char *line, struct error *e)
{
    int wanted = 0, at = 0;
    sscanf(line + strlen("times"), "%d %n", &wanted, &at);
    const char *rest = line + strlen("times") + at;
    int found = *line == 't' ? times(frame, rest) : count_of(frame, rest);
    return found == wanted ? 1 : error_set(e, ERROR_INVALID, "", "it is there %d times", found);
}

int script_check(const char *frame, const char *line, struct error *e)
{
    const char *rest;
    if (!strncmp(line, "  ", 2))
        return holds(frame, line + 2) ? 1 : error_set(e, ERROR_INVALID, "", "that is not in");
    if ((rest = script_rest(line, "!")))
        return !holds(frame, rest) ? 1 : error_set(e, ERROR_INVALID, "", "that is in");
    if (script_rest(line, "times") || script_rest(line, "count"))
        return check_count(frame, line, e);
    if (!(rest = script_rest(line, "on")) && !(rest = script_rest(line, "off")))
        return 0;
    AUTO_FREE char *at = script_cursor_line(frame);
    if (!at)
        return error_set(e, ERROR_INVALID, "", "there is no cursor");
    return holds(at, rest) == (line[1] == 'n')
               ? 1
               : error_set(e, ERROR_INVALID, "", "the cursor is on %s", at);
}
