/* Opens a store for the explorer that runs already (`:open`): what `stemma PATH` opens, without a word on the terminal,
 * which the explorer has. */
#include "tui/commands/open_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/thread.h"
#include "store/formats/formats.h"
#include "store/open.h"
#include "tui/cli/opening.h"
#include "tui/text/text.h"

const char *store_title(struct arena *arena, const char *path)
{
    const char *ours = opening_data_directory(arena), *name = strrchr(path, '/');
    if (ours && !strcmp(path, arena_format(arena, "%s/memory.db", ours)))
        return NULL;
    name = name ? name + 1 : path;
    name += *name == '.' && name[1];
    return arena_strndup(arena, name, strlen(name) - (text_ends_with(name, ".db") ? 3 : 0));
}

const char *open_kept(struct arena *arena, char *text)
{
    const char *kept = text ? arena_strdup(arena, text) : NULL;
    free(text);
    return kept;
}

/* Sets what the explorer needs to know of the open store; `origin` is what opens it again. */
static void describe(struct opened_store *out, const char *origin, const char *notice)
{
    struct explorer_options *o = &out->options;
    const char *path = store_path(out->store);
    o->name = store_title(&out->arena, origin);
    o->origin = arena_strdup(&out->arena, origin);
    o->visit = open_kept(&out->arena, explorer_visit_path(path));
    o->place = open_kept(&out->arena, explorer_place_path(path));
    o->inbox_first = true;
    o->notice = *notice ? arena_strdup(&out->arena, notice)
                        : arena_format(&out->arena, "this is %s", origin);
}

/* The explorer shows it after that many ms: what is not imported then is imported while it is open (stores.c). */
#define OPEN_WITHIN_MS 700

struct import_begin {
    int64_t until;
    bool goes_on;
};

static int tick(void *arg, int64_t done, int64_t total)
{
    struct import_begin *b = arg;
    (void)done;
    (void)total;
    b->goes_on = monotonic_ms() >= b->until;
    return b->goes_on;
}

static void pass_over(void *arg, const char *line)
{
    (void)arg;
    (void)line; /* the notice counts them */
}

static int import_begins(const struct store_opener *opener, const struct import_format *format,
                         struct store *s, const char *path, struct strbuf *notice, struct error *e)
{
    struct import_begin begin = {.until = monotonic_ms() + OPEN_WITHIN_MS};
    struct import_summary summary = {0};
    struct import_options import = {.agent = import_agent_of(format, opener->person),
                                    .actor = opener->person,
                                    .report = pass_over,
                                    .progress = tick,
                                    .arg = &begin};
    int failed = import_source_run(format, s, path, &import, &summary, e);
    bool more = failed && e->code == ERROR_INTERRUPTED && begin.goes_on;
    long long left = summary.not_understood + summary.refused + summary.repeated + summary.taken;
    strbuf_addf(notice, "%s stays as it is%s; working copy: %s (%lld added, %lld updated%s)",
                strrchr(path, '/') + 1, format->write_back ? " (:apply writes to it)" : "",
                store_path(s), (long long)summary.added, (long long)summary.updated,
                more ? ", more is coming" : "");
    if (left > 0)
        strbuf_addf(notice, "; %lld not imported (`stemma import` lists them)", left);
    return failed && !more ? -1 : 0;
}

static int open_source(const struct store_opener *opener, const char *path,
                       struct opened_store *out, struct strbuf *notice, struct error *e)
{
    const struct import_format *format = format_find_source(&path, &out->arena, e);
    struct import_summary found;
    if (!format)
        return -1;
    char *real = realpath(path, NULL);
    if (!real)
        return error_set(e, ERROR_STORE, "Check the path.", "cannot find %s: %s", path,
                         strerror(errno));
    path = open_kept(&out->arena, real);
    const char *copy = opening_working_copy(&out->arena, path);
    if (!copy)
        return error_set(e, ERROR_STORE, "Set HOME.", "there is no place for its working copy");
    if (opened_store_has(out, copy))
        return error_set(e, ERROR_REFUSED, "Open that.", "its working copy, %s, is open", copy);
    if ((access(copy, F_OK) != 0 && import_source_check(format, path, NULL, &found, e) < 0) ||
        !(out->store = opening_quiet(opener->config, copy, opener->read_only, true, notice, e)))
        return -1;
    if (store_is_read_only(out->store)) {
        strbuf_addf(notice, "%sthe source was not imported again", notice->len ? "; " : "");
    } else {
        out->options.format = format;
        out->options.follow = path;
        if (import_begins(opener, format, out->store, path, notice, e))
            return -1;
    }
    describe(out, path, notice->buf);
    return 0;
}

static int open_ours(const struct store_opener *opener, const char *path, struct opened_store *out,
                     struct strbuf *notice, struct error *e)
{
    out->store = opening_quiet(opener->config, path, opener->read_only, false, notice, e);
    struct reader *reads = out->store ? reader_open(out->store, e) : NULL;
    if (!reads)
        return -1;
    reader_close(reads);
    describe(out, store_path(out->store), notice->buf);
    return 0;
}

int open_for_explorer(void *arg, const char *path, struct opened_store *out, struct error *e)
{
    const struct store_opener *opener = arg;
    AUTO_STRBUF notice = STRBUF_INIT;
    const char *kind = store_recognise(path);
    bool ours = strcmp(kind, "stemma") == 0 || strcmp(kind, "none") == 0;
    if (!(ours ? open_ours : open_source)(opener, path, out, &notice, e))
        return 0;
    store_close(out->store);
    out->store = NULL;
    return -1;
}
