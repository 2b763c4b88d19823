#include "tui/explorer/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "store/db/thread.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/app.h"

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
