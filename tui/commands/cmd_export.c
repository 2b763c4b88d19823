/* stemma export: the memories in the format of another program. */
#include <string.h>
#include <unistd.h>
#include "model/base/error.h"
#include "model/json/json.h"
#include "store/export/export.h"
#include "store/query/ref.h"
#include "tui/cli/files.h"
#include "tui/cli/words.h"
#include "tui/cli/stop.h"
#include "tui/commands/commands.h"

static const char *format_choice(int i)
{
    const struct export_format *format = export_format((size_t)i);
    return format ? format->name : NULL;
}

static const struct option_spec options[] = {
    OPT_CHOICE("format", "FORMAT", format_choice, "the format, in place of the word:"),
    {.name = "output",
     .letter = 'o',
     .type = OPTION_TEXT,
     .argument = "PATH",
     .about = "write to PATH. A file is replaced when everything is written, and must not be a "
              "database; a folder must be new or empty, a database new; - is standard output"},
    OPT_AS_OF,
    OPTION_END,
};

/* One export. */
struct job {
    struct query_terms terms;
    struct invocation *i;
    struct reader *reader;
    struct export_request request;
    struct export_result result;
    FILE *file; /* NULL for standard output */
    struct progress progress;
    struct error why; /* why standard output could not be written */
};

static int write_bytes(void *arg, const char *bytes, size_t len)
{
    struct job *job = arg;
    struct output *out = &job->i->out;
    if (job->file)
        return fwrite(bytes, 1, len, job->file) == len ? 0 : -1;
    strbuf_add(&out->text, bytes, len);
    return output_row(out, &job->why) || out->closed ? -1 : 0;
}

static int tick(void *arg, int64_t done, int64_t total)
{
    struct job *job = arg;
    return progress_tick(&job->progress, done, total);
}

/* ---- what is written, and where ---- */

static int run(void *arg, FILE *file, struct error *e)
{
    struct job *job = arg;
    job->file = file;
    progress_begin(&job->progress, "export");
    int result = export_run(job->reader, &job->request, &job->result, e);
    progress_end(&job->progress);
    if (result && job->why.code != ERROR_NONE)
        *e = job->why;
    return result && file && ferror(file) ? 0 : result; /* fclose reports the error */
}

static int to_standard(struct job *job, struct error *e)
{
    if (job->request.format->target != EXPORT_STREAM)
        return error_set(e, ERROR_USAGE, "Name it with -o PATH.",
                         "%s is not written to standard output", job->request.format->name);
    if (destination_check_open(STDOUT_FILENO, store_path(reader_store(job->reader)), e))
        return -1;
    int result = run(job, NULL, e);
    return job->i->out.closed ? 0 : result;
}

static int to_path(struct job *job, const char *path, struct error *e)
{
    struct destination d;
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    int result = destination_find(&d, arena_strndup(&job->i->arena, path, len),
                                  store_path(reader_store(job->reader)), e);
    job->request.path = d.path.buf;
    if (!result)
        result = job->request.format->target == EXPORT_STREAM ? destination_write(&d, run, job, e)
                                                              : run(job, NULL, e);
    strbuf_release(&d.path);
    return result;
}

/* ---- what was left out ---- */

/* On standard error, or as JSON on standard output if that does not have the export. */
static void tell(struct job *job, bool standard)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (job->i->out.json && !standard) {
        struct json_object o = json_begin(&job->i->out.text, '{');
        json_pair_int(&o, "exported", job->result.exported);
        export_left_out_json(&o, &job->result);
        json_pair(&o, "note", job->result.note);
        json_end_line(&o);
        return;
    }
    export_left_out_add(&line, &job->result);
    if (line.len)
        output_note("%s", line.buf);
    if (*job->result.note)
        output_note("%s", job->result.note);
}

/* ---- the command ---- */

static int no_format(const char *word, struct error *e)
{
    char hint[256];
    AUTO_STRBUF all = STRBUF_INIT;
    struct suggestion near = SUGGESTION_INIT(word);
    for (int n = 0; format_choice(n); n++) {
        suggest_consider(&near, format_choice(n));
        strbuf_addf(&all, "%s%s", n ? ", " : "", format_choice(n));
    }
    snprintf(hint, sizeof(hint), near.name ? "Did you mean %s?" : "Formats: %s.",
             near.name ? near.name : all.buf);
    return error_set(e, ERROR_USAGE, hint, "'%.80s' is neither a format nor a memory", word);
}

/* Whether the words from `first` on are a query: one of its terms is more than a word. */
static bool is_query(const struct query_terms *terms)
{
    for (size_t n = 0; n < terms->count; n++)
        if (terms->term[n].field != QUERY_TEXT || strchr(terms->term[n].text, ' '))
            return true;
    return false;
}

/* Words that are no query: one that names a format is the format, another one a memory. */
static int read_words(struct job *job, struct error *e)
{
    struct invocation *i = job->i;
    size_t first = i->word_count && export_format_find(i->words[0]) && !option_given(i, "format");
    if (query_words_read(i, joined_words(i, first), QUERY_MEMORIES, &job->terms, e))
        return -1;
    if (is_query(&job->terms)) {
        job->request.format = first ? export_format_find(i->words[0])
                                    : export_format((size_t)option_choice(i, "format", 0));
        job->request.terms = &job->terms;
        return 0;
    }
    const struct export_format *format = export_format((size_t)option_choice(i, "format", 0));
    bool named = option_given(i, "format");
    for (size_t w = 0; w < i->word_count; w++) {
        const struct export_format *word = named ? NULL : export_format_find(i->words[w]);
        if (word) {
            format = word;
            named = true;
            continue;
        }
        if (job->request.row)
            return error_set(e, ERROR_USAGE, "Usage: stemma export [FORMAT] [REF|QUERY].",
                             "'%.80s' is one memory too many", i->words[w]);
        job->request.row = ref_resolve(job->reader, i->words[w], e);
        if (job->request.row < 0)
            return named || strchr(i->words[w], ':') ? -1 : no_format(i->words[w], e);
    }
    job->request.format = format;
    return 0;
}

static int read_export(struct invocation *i, struct reader *r, struct error *e)
{
    const char *path = option_text(i, "output");
    bool standard = !path || strcmp(path, "-") == 0;
    struct job job = {.i = i, .reader = r};
    job.request = (struct export_request){.write = write_bytes, .progress = tick, .arg = &job};
    if (read_words(&job, e) || (standard ? to_standard(&job, e) : to_path(&job, path, e)))
        return -1;
    tell(&job, standard);
    return 0;
}

static void add_formats(struct strbuf *out)
{
    for (size_t n = 0; export_format(n); n++)
        strbuf_addf(out, "\n\n%s: %s.", export_format(n)->name, export_format(n)->about);
}

const struct command cmd_export = {
    .name = "export",
    .words = "[FORMAT] [REF|QUERY]",
    .about = "write memories in the format of another program",
    .examples = "stemma export -o memory.jsonl\n"
                "stemma export prov-json -o memory.json\n"
                "stemma export mermaid belief:8a2770de\n"
                "stemma export csv 'kind:belief confidence:>0.8'\n"
                "stemma export kernle -o memories.db",
    .details = "Without FORMAT, JSON lines: importing them into an empty store and exporting again "
               "gives the same bytes. With REF, only that memory, what it is based on and what is "
               "based on it; with QUERY, in which a term has a field (`stemma help query`), only "
               "what matches. All formats are sorted by ref. What a format has no room for is "
               "counted on standard error. The journal is in no export.",
    .add_details = add_formats,
    .options = options,
    .read = read_export,
};
