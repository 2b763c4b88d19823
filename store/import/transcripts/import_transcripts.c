/* The import of transcripts and memory files, whatever program wrote them. */
#include <stdio.h>
#include <sys/stat.h>
#include "store/import/transcripts/transcripts.h"

#define MUCH (20 << 20) /* bytes of transcripts: 0.5 s of reading */

const char *transcript_agent(const struct transcripts *t)
{
    return t->options->agent ? t->options->agent : t->dialect->agent;
}

static int take_all(struct transcripts *t, const struct folder *folder, struct import_run *run,
                    struct error *e)
{
    if (t->dialect->take_memories(t, folder, run, e))
        return -1;
    for (size_t i = 0; i < t->count; i++)
        if (transcript_take(t, &t->file[i], run, e) ||
            import_run_progress(run, t->done, t->total, e))
            return -1;
    return 0;
}

/* Reading many transcripts takes seconds: what the memory files say is there before. */
static int take_early(struct transcripts *t, const struct folder *folder, struct import_run *run,
                      struct error *e)
{
    t->is_early = true;
    int failed = t->dialect->take_memories(t, folder, run, e) || import_run_again(run, e);
    t->is_early = false;
    return failed ? -1 : 0;
}

static void report(void *arg, const char *line)
{
    const struct import_options *options = arg;
    if (options->report)
        options->report(options->arg, line);
}

/* A single transcript is a folder with one file. */
static int list(struct folder *f, const char *path, const struct import_options *options,
                struct error *e)
{
    struct stat st;
    f->report = report;
    f->arg = (void *)options;
    if (stat(path, &st) || S_ISDIR(st.st_mode))
        return folder_read(f, path, TRANSCRIPT_DEPTH, e);
    return folder_read_file(f, path, e);
}

/* Most lines become no memory: says how many were read. */
static void add_remark(const struct transcripts *t)
{
    size_t files = 0, lines = 0;
    for (size_t i = 0; i < t->count; i++) {
        files += t->file[i].is_changed;
        lines += t->file[i].is_changed ? t->file[i].count - t->file[i].fresh : 0;
    }
    if (files)
        snprintf(t->summary->remarks, sizeof(t->summary->remarks),
                 "%zu new line%s in %zu transcript%s", lines, lines == 1 ? "" : "s", files,
                 files == 1 ? "" : "s");
}

int transcripts_import(const struct import_format *format, struct store *s, const char *path,
                       const struct import_options *options, struct import_summary *summary,
                       struct error *e)
{
    AUTO(folder) folder = {.entry = NULL};
    AUTO(transcripts)
    t = {.format = format->name,
         .dialect = format->transcripts,
         .store = s,
         .options = options,
         .summary = summary,
         .json = STRBUF_INIT};
    struct import_run *run = NULL;
    int result = list(&folder, path, options, e) || transcripts_find(&t, &folder, e) ? -1 : 0;
    bool is_much = t.dialect->memories_first && t.total > MUCH && !options->dry_run;
    if (result == 0 && is_much)
        result = (run = import_run_open(s, format, path, options, summary, e))
                     ? take_early(&t, &folder, run, e)
                     : -1;
    if (result == 0)
        result = transcripts_read(&t, e) || windows_find(&t, e) ? -1 : 0;
    if (result == 0 && !run)
        result = (run = import_run_open(s, format, path, options, summary, e)) ? 0 : -1;
    if (result == 0)
        result = take_all(&t, &folder, run, e);
    if (result == 0 && folder.is_file && !t.count && !summary->read)
        transcript_report(&t, path, 0, true, "names no session, and is no memory file");
    summary->not_understood += (int64_t)folder.unread; /* what lies there is not gone */
    if (run)
        result = import_run_close(run, result != 0, e) || result ? -1 : 0;
    if (result == 0)
        add_remark(&t);
    if (result == 0 && !options->dry_run)
        result = transcripts_save(&t, e);
    return result;
}
