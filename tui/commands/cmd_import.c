/* stemma import: from other formats. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/formats/formats.h"
#include "store/import/import.h"
#include "store/import/tables/tables.h"
#include "tui/commands/commands.h"
#include "tui/cli/files.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/text/match.h"

/*
 * stemma import: problems of the source are reported line by line on standard error, so that standard output has only
 * the summary.
 */

static const struct option_spec options[] = {
    OPT_TEXT("agent", "A", "whose memories; what it means for a format stands below"),
    OPT_TEXT("map", "FILE", "read a database of SQLite as FILE describes it; docs/formats/map.md"),
    OPT_FLAG("follow", "keep importing whenever the source changes, until Ctrl-C"),
    OPT_FLAG("replace", "use the source's content if another origin wrote the same ref"),
    OPT_FLAG("copy", "keep whole texts of transcripts, not only their beginnings"),
    OPT_FLAG("dry-run", "show what would be imported, and write nothing"),
    OPT_TEXT("report", "FILE", "also write what is said of lines and files to FILE"),
    OPTION_END,
};

#define AGAIN_MS 1000 /* ms to wait before the source is read again after a failure */

/* One import. */
struct task {
    struct invocation *i;
    const struct import_format *format;
    struct import_format map; /* with --map: the format that the file describes */
    struct arena arena;       /* of the map */
    bool is_named;            /* the format is given, by its name or by --map */
    const char *path;
    const char
        *store; /* what is written, or would be; NULL for nothing, since the source is empty */
    struct opened opened;
    struct import_options options;
    struct progress progress;
    struct destination to;  /* of --report; its path is empty without it */
    struct strbuf reported; /* the lines for it */
};

/* Erases the progress line before it reports. */
static void report(void *arg, const char *line)
{
    struct task *t = arg;
    progress_end(&t->progress);
    output_note("%s", line);
    if (t->to.path.len)
        strbuf_addf(&t->reported, "%s\n", line);
}

static int write_lines(void *arg, FILE *file, struct error *e)
{
    const struct task *t = arg;
    (void)e; /* fclose reports the error */
    fwrite(t->reported.buf, 1, t->reported.len, file);
    return 0;
}

/* The source is only read: nothing that is written may lie in its folder. A store at the default place may. */
static int check_outside(const struct task *t, const char *path, struct error *e)
{
    if (!path || !path_is_within(path, t->path))
        return 0;
    return error_set(e, ERROR_REFUSED, "Give a path outside it.",
                     "%s is in the folder of the source, which is only read", path);
}

/* A report must not replace what it is about. */
static int find_report(struct task *t, const char *store, struct error *e)
{
    const char *path = option_text(t->i, "report");
    struct stat source;
    if (!path)
        return 0;
    if (destination_find(&t->to, path, store, e))
        return -1;
    if (t->to.exists && stat(t->path, &source) == 0 && source.st_ino == t->to.st.st_ino &&
        source.st_dev == t->to.st.st_dev)
        return error_set(e, ERROR_REFUSED, "Give another file.", "%s is the source", path);
    return 0;
}

static int tick(void *arg, int64_t done, int64_t total)
{
    struct task *t = arg;
    return progress_tick(&t->progress, done, total);
}

/* ---- the summary ---- */

static void write_json(struct output *out, const struct import_summary *s, const char *store,
                       bool dry_run)
{
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {
        {"read", s->read},
        {"added", s->added},
        {"updated", s->updated},
        {"unchanged", s->unchanged},
        {"gone", s->unlisted},
        {"conflicts", s->conflicts},
        {"refused", s->refused},
        {"repeated", s->repeated},
        {"taken", s->taken},
        {"links", s->links},
        {"not_understood", s->not_understood},
        {"unresolved", s->unresolved},
    };
    struct json_object o = json_begin(&out->text, '{');
    for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
        json_pair_int(&o, counts[n].name, counts[n].count);
    }
    struct json_object kinds = json_open(&o, "kinds", '{');
    for (int k = 0; k < KIND_COUNT; k++) {
        if (s->by_kind[k] == 0)
            continue;
        json_pair_int(&kinds, kind_name((enum kind)k), s->by_kind[k]);
    }
    json_end(&kinds);
    json_pair(&o, "other_tables", s->other_tables);
    json_pair(&o, "source_version", s->source_version);
    json_pair(&o, "remarks", s->remarks);
    json_pair_if(&o, "store", store);
    json_pair_bool(&o, "dry_run", dry_run);
    json_end_line(&o);
}

static void print_kinds(struct output *out, const struct import_summary *s)
{
    const char *comma = "  ";
    for (int k = 0; k < KIND_COUNT; k++) {
        if (s->by_kind[k] == 0)
            continue;
        strbuf_addf(&out->text, "%s%lld %s", comma, (long long)s->by_kind[k],
                    kind_words((enum kind)k, s->by_kind[k] == 1));
        comma = ", ";
    }
    if (*comma == ',')
        strbuf_addch(&out->text, '\n');
}

/* Prints a count with its singular or plural text, unless it is 0. */
static void print_count(struct output *out, int64_t count, const char *one, const char *more)
{
    if (count)
        strbuf_addf(&out->text, "  %lld %s\n", (long long)count, count == 1 ? one : more);
}

static void print_line(struct output *out, const char *heading, const char *text)
{
    if (!*text)
        return;
    strbuf_addf(&out->text, "  %s", heading);
    output_text(out, STYLE_TEXT, text);
    strbuf_addch(&out->text, '\n');
}

static void print_summary(struct output *out, const struct import_summary *s, const char *store,
                          bool dry_run)
{
    strbuf_addf(&out->text, "%s%lld %s", dry_run ? "would import " : "read ", (long long)s->read,
                s->read == 1 ? "memory" : "memories");
    if (store) {
        strbuf_addstr(&out->text, " into ");
        output_text(out, STYLE_TEXT, store);
    }
    strbuf_addf(&out->text, ": %lld added, %lld updated, %lld unchanged\n", (long long)s->added,
                (long long)s->updated, (long long)s->unchanged);
    print_kinds(out, s);
    print_count(out, s->links, "link", "links");
    print_count(out, s->unresolved, "ref that is not in this store",
                "refs that are not in this store");
    print_count(out, s->unlisted, "no longer in the source; kept here",
                "no longer in the source; kept here");
    print_count(out, s->conflicts, "changed there and here: this store's content stays",
                "changed there and here: this store's content stays");
    print_count(out, s->refused, "refused: another origin wrote it with different content",
                "refused: another origin wrote them with different content");
    print_count(out, s->repeated, "refused: named twice in this source, with different content",
                "refused: named twice in this source, with different content");
    print_count(out, s->taken, "refused: another one has its key or its number",
                "refused: others have their keys or numbers");
    print_count(out, s->not_understood, "not understood", "not understood");
    print_line(out, "schema ", s->source_version);
    print_line(out, "", s->remarks);
    print_line(out, "not imported: ", s->other_tables);
}

/* ---- importing ---- */

/* An interrupted import keeps the slices that were committed; the next run continues from there. */
static int import_once(struct task *t, struct import_summary *s, struct error *e)
{
    *s = (struct import_summary){0};
    progress_begin(&t->progress, "import");
    t->progress.is_bytes = !t->format->counts_memories;
    strbuf_clear(&t->reported);
    int result = import_source_run(t->format, t->opened.store, t->path, &t->options, s, e);
    progress_end(&t->progress);
    struct error unwritten;
    if (t->to.path.len && destination_write(&t->to, write_lines, t, result ? &unwritten : e))
        return -1;
    if (result && e->code == ERROR_INTERRUPTED)
        return error_set(e, ERROR_INTERRUPTED, "Run it again to continue.",
                         "the import was interrupted; what was imported stays");
    return result;
}

static void tell(struct task *t, const struct import_summary *s)
{
    if (t->i->out.json)
        write_json(&t->i->out, s, t->store, t->options.dry_run);
    else
        print_summary(&t->i->out, s, t->store, t->options.dry_run);
}

/* Waits for a change of the source, or after a failure at most one second. Returns false to end. */
static bool wait_for_change(struct import_watch *w, bool failed)
{
    while (!stop_wanted()) {
        struct pollfd fd = {.fd = import_watch_fd(w), .events = POLLIN};
        int ready = stop_poll(&fd, 1, failed ? AGAIN_MS : import_watch_timeout(w));
        if (ready < 0 && errno != EINTR)
            return false;
        bool changed = import_watch_changed(w) != 0;
        if (!stop_wanted() && (changed || (failed && ready == 0)))
            return true;
    }
    return false;
}

/* Tries again after failures: the source may be missing, locked or incomplete. Reports each reason once. */
static int follow(struct task *t, struct import_watch *w, struct error *e)
{
    struct import_summary s;
    struct error reported = {0};
    bool failed = false;
    while (!t->i->out.closed && wait_for_change(w, failed)) {
        failed = import_once(t, &s, e) != 0;
        if (failed && e->code == ERROR_INTERRUPTED)
            return 0; /* Ctrl-C ends --follow normally */
        if (failed && strcmp(reported.what, e->what) != 0)
            output_note("%s; trying again", e->what);
        reported = failed ? *e : (struct error){0};
        if (failed || s.added + s.updated + s.newly_unlisted + s.conflicts + s.refused +
                              s.repeated + s.taken ==
                          0)
            continue;
        tell(t, &s);
        if (output_flush(&t->i->out, e))
            return -1;
    }
    return 0;
}

/* Starts the watch before the first import, so that no change is missed. */
static int import_and_follow(struct task *t, struct error *e)
{
    struct import_summary s;
    struct import_watch *w = import_watch_open(t->path, e);
    int result = w ? import_once(t, &s, e) : -1;
    if (result == 0) {
        tell(t, &s);
        result = output_flush(&t->i->out, e) || follow(t, w, e) ? -1 : 0;
    }
    import_watch_close(w);
    return result;
}

/* Following standard input means reading it to its end. */
static int follow_stream(struct task *t, struct error *e)
{
    struct import_summary s;
    if (import_once(t, &s, e) && e->code != ERROR_INTERRUPTED)
        return -1;
    tell(t, &s);
    return 0;
}

/* A file of JSON without even an empty list is most likely a mistake. */
static int nothing_there(const struct task *t, struct error *e)
{
    char hint[200];
    snprintf(hint, sizeof(hint), "Give %s.", t->format->title);
    return error_set(e, ERROR_STORE, hint, "there is nothing in %s",
                     strcmp(t->path, "-") == 0 ? "standard input" : t->path);
}

/* Imports once, and again on changes with --follow. */
static int import(struct task *t, struct error *e)
{
    struct import_summary s;
    if (option_given(t->i, "follow"))
        return strcmp(t->path, "-") == 0 ? follow_stream(t, e) : import_and_follow(t, e);
    if (import_once(t, &s, e))
        return -1;
    if (s.empty)
        return nothing_there(t, e);
    tell(t, &s);
    return s.refused || s.repeated || s.taken ? 4 : s.not_understood ? 1 : 0;
}

/* Returns 1 if the source has memories, 0 if it has none, -1 with `e`. */
static int check(const struct task *t, struct error *e)
{
    struct import_summary found;
    int gives = import_source_check(t->format, t->path, t->options.agent, &found, e);
    if (!t->is_named)
        opening_note_format(t->path, t->format, &found);
    return gives;
}

/*
 * An empty source and a dry run do not create a store: they use a temporary one. With --follow the store is created,
 * because memories may come later.
 */
static int open_store(struct task *t, struct scratch *scratch, struct error *e)
{
    bool named;
    const char *path = opening_path(t->i, &named, e);
    int gives = path ? check(t, e) : -1;
    if (gives < 0 || check_outside(t, named ? path : NULL, e) ||
        check_outside(t, option_text(t->i, "report"), e))
        return -1;
    bool create = !t->options.dry_run && (gives || option_given(t->i, "follow"));
    t->store = path;
    if (!create && strcmp(store_recognise(path), "none") == 0) {
        if (scratch_make(scratch, e))
            return -1;
        t->store = t->options.dry_run ? path : NULL;
        path = scratch->store;
        create = true;
    }
    return opening_open(t->i, path, create, &t->opened, e);
}

/* Sets the map, the format that is named, or the one that the source is of. */
static int choose_format(struct task *t, struct error *e)
{
    const char *map = option_text(t->i, "map");
    bool named = t->i->word_count == 2;
    if (map && named)
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--map takes the place of the format %.40s", t->i->words[0]);
    t->is_named = map || named;
    if (map) {
        t->format = &t->map;
        return table_map_read(&t->map, &t->arena, map, e);
    }
    t->format = named ? format_find(t->i->words[0], e) : format_find_source(&t->path, &t->arena, e);
    return t->format ? 0 : -1;
}

/* The agent of --agent. Without it, and unless the format names one, the person is whose memories have no agent. */
static const char *choose_agent(const struct task *t, const char *person)
{
    const char *agent = option_text(t->i, "agent");
    if (agent && utf8_is_blank(agent) && !t->format->agent_is_filter)
        return ""; /* a name without visible characters counts as none */
    return agent ? agent : import_agent_of(t->format, person);
}

static int import_as_asked(struct task *t, struct error *e)
{
    struct invocation *i = t->i;
    struct scratch scratch = SCRATCH_INIT;
    if (option_given(i, "follow") && option_given(i, "dry-run"))
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--dry-run writes nothing, so there is nothing to --follow");
    struct actor person = opening_person(i);
    t->options = (struct import_options){
        .agent = choose_agent(t, person.name),
        .replace = option_given(i, "replace"),
        .dry_run = option_given(i, "dry-run"),
        .copy = option_given(i, "copy"),
        .actor = person.name,
        .report = report,
        .progress = tick,
        .arg = t,
    };
    int result = open_store(t, &scratch, e) || find_report(t, store_path(t->opened.store), e)
                     ? -1
                     : import(t, e);
    opening_close(&t->opened);
    scratch_remove(&scratch);
    return result;
}

static int run_import(struct invocation *i, struct error *e)
{
    struct task t = {.i = i,
                     .path = i->words[i->word_count - 1],
                     .to = {.path = STRBUF_INIT},
                     .reported = STRBUF_INIT};
    int result = choose_format(&t, e) ? -1 : import_as_asked(&t, e);
    strbuf_release(&t.to.path);
    strbuf_release(&t.reported);
    arena_release(&t.arena);
    return result;
}

static void add_formats(struct strbuf *out)
{
    size_t count;
    const struct import_format *const *all = formats_all(&count);
    for (size_t i = 0; i < count; i++) {
        const char *about = all[i]->about;
        strbuf_addf(out, "\n\n%s: %s.%s%s%s --agent A: %s.", all[i]->name, all[i]->title,
                    about ? " " : "", about ? about : "", about ? "." : "", all[i]->agent);
    }
}

const struct command cmd_import = {
    .name = "import",
    .words = "[FORMAT] PATH",
    .about = "import what another program wrote, in one of these formats",
    .examples = "stemma import ~/.claude\n"
                "stemma import kernle ~/.kernle/memories.db --follow\n"
                "stemma import cot chains.json --agent ash",
    .details =
        "Without FORMAT, the format is recognised by the content of PATH. The source is never "
        "changed. Importing it again imports what changed there since; what was changed here as "
        "well stays, and is reported. A chain that is already here is not added again.",
    .add_details = add_formats,
    .options = options,
    .run = run_import,
};
