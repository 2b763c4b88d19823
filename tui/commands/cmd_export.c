/* stemma export: to standard output, a file that appears once it is whole, or a device. */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "store/import/import.h"
#include "tui/cli/destination.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

static const struct option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .type = OPTION_TEXT,
     .argument = "FILE",
     .about = "write to FILE, which is replaced once all is written and never a database; - is "
              "standard output"},
    OPT_AS_OF,
    OPTION_END,
};

/* Where the lines go. */
struct sink {
    struct output *out; /* standard output; NULL: `file` */
    FILE *file;
    const char *path; /* of `file` */
    struct progress progress;
    struct error why; /* it could not be written */
};

/* From errno; returns -1. */
static int cannot_write(const char *path, struct error *e)
{
    return error_set(e, ERROR_STORE, "Make room there, or write elsewhere.",
                     "%s cannot be written: %s", path, strerror(errno));
}

static int write_line(void *arg, const char *line, size_t len)
{
    struct sink *sink = arg;
    if (!sink->out)
        return fwrite(line, 1, len, sink->file) == len ? 0 : cannot_write(sink->path, &sink->why);
    strbuf_add(&sink->out->text, line, len);
    return output_row(sink->out, &sink->why) || sink->out->closed ? -1 : 0;
}

static int tick(void *arg, int64_t done, int64_t total)
{
    struct sink *sink = arg;
    return progress_tick(&sink->progress, done, total);
}

static int export_to(struct sink *sink, struct reader *r, struct error *e)
{
    progress_begin(&sink->progress, "export");
    int result = export_jsonl(r, write_line, sink, tick, e);
    progress_end(&sink->progress);
    if (result && sink->why.code != ERROR_NONE)
        *e = sink->why;
    return result;
}

/* Whose the file was and what others may do with it stays; a new one is for its owner alone. */
static void keep_mode(int fd, const struct destination *d)
{
    if (!d->exists)
        return;
    /* Only root can give a file away; where it cannot be done, it is the writer's own. */
    if (fchown(fd, d->st.st_uid, d->st.st_gid))
        errno = 0;
    fchmod(fd, d->st.st_mode & 0777);
}

/* Beside the file under another name, then in its place: it is never there by half. */
static int export_file(struct reader *r, const struct destination *d, struct error *e)
{
    struct strbuf beside = STRBUF_INIT;
    const char *path = d->path.buf;
    struct sink sink = {.path = path};
    strbuf_addf(&beside, "%s.XXXXXX", path);
    int fd = mkstemp(beside.buf), result = -1;
    sink.file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!sink.file) {
        cannot_write(path, e);
    } else {
        keep_mode(fd, d);
        result = export_to(&sink, r, e);
        if ((fflush(sink.file) || fsync(fd)) && !result)
            result = cannot_write(path, e);
        if (fclose(sink.file) && !result)
            result = cannot_write(path, e);
        if (!result && rename(beside.buf, path))
            result = cannot_write(path, e);
        if (result)
            unlink(beside.buf);
    }
    strbuf_release(&beside);
    return result;
}

static int export_standard(struct output *out, struct reader *r, struct error *e)
{
    struct sink sink = {.out = out};
    if (destination_check_open(STDOUT_FILENO, store_path(reader_store(r)), e))
        return -1;
    int result = export_to(&sink, r, e);
    return out->closed ? 0 : result;
}

/* /dev/stdout, a pipe or a device is written as it is. */
static int export_special(struct reader *r, const char *path, struct error *e)
{
    struct sink sink = {.file = fopen(path, "we"), .path = path};
    if (!sink.file)
        return cannot_write(path, e);
    int result = export_to(&sink, r, e);
    if (fclose(sink.file) && !result)
        result = cannot_write(path, e);
    return result;
}

static int export_path(struct reader *r, const char *path, struct error *e)
{
    struct destination d;
    int result = destination_find(&d, path, store_path(reader_store(r)), e);
    if (!result && d.exists && !S_ISREG(d.st.st_mode))
        result = export_special(r, path, e);
    else if (!result)
        result = export_file(r, &d, e);
    strbuf_release(&d.path);
    return result;
}

static int read_export(struct invocation *i, struct reader *r, struct error *e)
{
    const char *path = option_text(i, "output");
    bool standard = !path || strcmp(path, "-") == 0;
    return standard ? export_standard(&i->out, r, e) : export_path(r, path, e);
}

const struct command cmd_export = {
    .name = "export",
    .words = "",
    .about = "write all memories, a line of JSON each",
    .details = "Sorted by ref, in the form that `stemma import jsonl` reads: importing it into an "
               "empty store and exporting again gives the same bytes.",
    .options = options,
    .read = read_export,
};
