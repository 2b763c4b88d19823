/* stemma replay: plays the keys of a file on a copy of a store, and prints what the screen shows then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "store/open.h"
#include "tui/cli/opening.h"
#include "tui/commands/commands.h"
#include "tui/cli/stop.h"
#include "tui/demo/demo.h"
#include "tui/loop/explorer.h"
#include "tui/explorer/script.h"

struct replay {
    struct invocation *i;
    struct script_file file;
    size_t at;              /* the next line */
    size_t keys;            /* the line whose keys are played */
    struct strbuf settings; /* of the file, as in config.yaml */
    struct explorer_options options;
    bool story;
    const char *visits, *places; /* texts of these files; NULL for none */
    struct scratch scratch;
    char *visit, *place, *frame;
    int failed; /* checks that failed */
};

/* The time of the file, which stands still, so that frames are the same each time; 0: the time of the system. */
static int64_t stands_at;

static int64_t stands(void)
{
    return stands_at;
}

static int refuse(const struct replay *r, struct error *e)
{
    struct error why = *e;
    return error_set(e, why.code, why.hint, "%s line %d: %s", r->file.path,
                     r->file.line[r->at].number, why.what);
}

/* ---- how it begins ---- */

/* Takes a line before the keys. Returns -1 and sets `e` if it is none. */
static int take_setting(struct replay *r, struct error *e)
{
    struct explorer_options *o = &r->options;
    const char *line = r->file.line[r->at].text, *rest;
    char end;
    if ((rest = script_rest(line, "size"))) {
        if (sscanf(rest, "%4dx%4d%c", &o->columns, &o->rows, &end) == 2 && o->rows > 0 &&
            o->columns > 0)
            return 0;
        return error_set(e, ERROR_INVALID, "Write it as in `size 120x36`.", "%s is no size", rest);
    }
    if ((rest = script_rest(line, "clock")) && *rest && !rest[strspn(rest, "0123456789")])
        stands_at = strtoll(rest, NULL, 10);
    else if ((rest = script_rest(line, "set")))
        return script_set(&r->settings, &r->i->config, rest, e);
    else if (script_rest(line, "story"))
        r->story = true;
    else if (script_rest(line, "tour"))
        o->tour = true;
    else if (script_rest(line, "inbox"))
        o->inbox_first = true;
    else if ((rest = script_rest(line, "as-of")))
        o->as_of = rest;
    else if ((rest = script_rest(line, "visits")))
        r->visits = rest;
    else if ((rest = script_rest(line, "places")))
        r->places = rest;
    else
        return error_set(e, ERROR_INVALID,
                         "`> KEYS` begins the keys; `stemma help replay` lists what may be before.",
                         "replay does not know `%.40s`", line);
    return 0;
}

/* Writes a text, in which ␊ is the end of a line, to a file next to the copy. */
static char *write_beside(struct replay *r, const char *name, const char *text)
{
    char *path = xformat("%s/%s", r->scratch.directory, name);
    FILE *out = text ? fopen(path, "we") : NULL;
    for (const char *at = text; out && *at; at++)
        if (!strncmp(at, "␊", strlen("␊")))
            fputc('\n', out), at += strlen("␊") - 1;
        else
            fputc(*at, out);
    if (out)
        fclose(out);
    return path;
}

static struct store *open_store(struct replay *r, struct error *e)
{
    struct invocation *i = r->i;
    struct store_options options = {
        .hmac_key = i->config.hmac_key,
        .runtime_dir = r->scratch.directory,
        .confidence = {i->config.decay, &i->config.trust, i->config.stale},
        .now = stands_at ? stands : NULL};
    bool write = option_given(i, "write");
    const char *path = r->story ? r->scratch.store : opening_path(i, NULL, e);
    if (!path)
        return NULL;
    if (r->story && write) {
        error_set(e, ERROR_USAGE, "Omit --write.", "the keys were recorded in the demo");
        return NULL;
    }
    if (!r->story && access(path, F_OK) != 0) {
        error_set(e, ERROR_STORE, "Name one with --store.", "there is no store at %s", path);
        return NULL;
    }
    if (r->story ? story_replay(path, stands_at ? stands_at : i->out.now, e)
                 : !write && store_copy(path, r->scratch.store, e))
        return NULL;
    return store_open(write ? path : r->scratch.store, &options, NULL, e);
}

/* ---- the keys ---- */

static bool is_keys(const struct script_line *l)
{
    return *l->text == '>' || script_rest(l->text, "+");
}

static void print_frame(struct replay *r, const char *key, const char *frame)
{
    struct strbuf *out = &r->i->out.text;
    int line = r->file.line[r->keys].number;
    if (r->i->out.json) {
        strbuf_addf(out, "{\"line\":%d,\"key\":", line);
        json_add_string(out, key);
        strbuf_addstr(out, ",\"frame\":");
        json_add_string(out, frame);
        strbuf_addstr(out, "}\n");
    } else {
        if (r->options.each_key)
            strbuf_addf(out, "== line %d: %s\n", line, key);
        strbuf_addstr(out, frame);
    }
}

/* Checks the lines after the keys, up to the next keys, and goes there. */
static void check_frame(struct replay *r, const char *frame)
{
    for (r->at++; r->at < r->file.count && !is_keys(&r->file.line[r->at]); r->at++) {
        struct error e;
        const struct script_line *l = &r->file.line[r->at];
        if (script_check(frame, l->text, &e) >= 0)
            continue;
        output_note("%s line %d: `%s`: %s", r->file.path, l->number, l->text, e.what);
        r->failed++;
    }
    if (r->at < r->file.count)
        r->keys = r->at;
}

/* The frame after some keys, which may be the last one. */
static void take_frame(void *arg, const char *name, const char *frame)
{
    struct replay *r = arg;
    if (!strncmp(name, "key ", 4)) {
        print_frame(r, name + 4, frame);
        return;
    }
    free(r->frame);
    r->frame = xstrdup(frame);
    check_frame(r, frame);
}

/* The keys from line r->at to the next start, with a shot before each "+" line. */
static int add_keys(struct replay *r, struct strbuf *keys, struct error *e)
{
    size_t first = r->at;
    for (; r->at < r->file.count; r->at++) {
        const char *line = r->file.line[r->at].text, *more = script_rest(line, "+");
        if (r->at > first && *line == '>')
            break;
        if (r->at > first && !more)
            continue;
        if (more)
            strbuf_addstr(keys, "<shot:part>");
        const char *part = more ? more : script_rest(line, ">");
        if (!part)
            return error_set(e, ERROR_INVALID, "Write `> KEYS`.", "`>` is not followed by a blank");
        if (script_check_keys(part, e))
            return -1;
        strbuf_addstr(keys, part);
    }
    r->at = first;
    return 0;
}

static int run_keys(struct replay *r, struct store *store, struct error *e)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    size_t first = r->at;
    if (add_keys(r, &keys, e))
        return refuse(r, e);
    r->options.script = keys.buf;
    r->keys = first;
    int result = explorer_run(store, &r->i->config, &r->options, e);
    r->i->ended_by = result > 0 ? result : 0;
    const struct script_line *l = &r->file.line[r->at];
    if (result == 0 && r->at < r->file.count && script_rest(l->text, "+")) {
        bool ended = r->at + 1 < r->file.count && script_rest(l[1].text, "ended");
        if (!ended)
            output_note("%s line %d: the explorer had ended before that", r->file.path, l->number);
        r->failed += !ended;
    }
    while (r->at < r->file.count && *r->file.line[r->at].text != '>')
        r->at++;
    return result < 0 ? -1 : 0;
}

static int play(struct replay *r, struct error *e)
{
    struct store *store = NULL;
    int result = 0;
    for (r->at = 0; r->at < r->file.count && *r->file.line[r->at].text != '>'; r->at++)
        if (take_setting(r, e))
            return refuse(r, e);
    if (r->at == r->file.count)
        return error_set(e, ERROR_INVALID, "A line `> KEYS` has them.", "%s has no keys",
                         r->file.path);
    r->visit = write_beside(r, "visit", r->visits);
    r->place = write_beside(r, "place", r->places);
    r->options.visit = r->visit;
    r->options.place = r->place;
    if (!(store = open_store(r, e)))
        return -1;
    stop_watch(NULL);
    while (!result && r->at < r->file.count && !r->i->ended_by)
        result = run_keys(r, store, e);
    store_close(store);
    if (!result && r->frame && !r->options.each_key && !r->options.watched)
        print_frame(r, "end", r->frame);
    return result ? -1 : r->failed > 0;
}

static int run_replay(struct invocation *i, struct error *e)
{
    struct replay r = {.i = i, .settings = STRBUF_INIT, .scratch = SCRATCH_INIT};
    r.options = (struct explorer_options){.rows = 24,
                                          .columns = 80,
                                          .no_colour = !i->out.color,
                                          .person = opening_person(i).name,
                                          .each_key = option_given(i, "frames"),
                                          .watched = option_given(i, "watch"),
                                          .frame = take_frame,
                                          .arg = &r};
    stands_at = 0;
    if (script_file_read(&r.file, i->words[0], e) || scratch_make(&r.scratch, e))
        return -1;
    int result = play(&r, e);
    if (r.visit) {
        unlink(r.visit);
        unlink(r.place);
    }
    scratch_remove(&r.scratch);
    script_file_release(&r.file);
    strbuf_release(&r.settings);
    free(r.visit);
    free(r.place);
    free(r.frame);
    return result;
}

static const struct option_spec options[] = {
    OPT_FLAG("frames", "print the frame after each key"),
    OPT_FLAG("watch", "play it on the terminal, with pauses; then the keys are yours"),
    OPT_FLAG("write", "play it on the store itself, not on a copy"),
    OPTION_END,
};

const struct command cmd_replay = {
    .name = "replay",
    .words = "FILE [--frames] [--watch] [--write]",
    .about = "play the keys of a file in the explorer, and print the last frame",
    .examples = "stemma replay keys.t\n"
                "stemma replay keys.t --frames --store ./memory.db\n"
                "stemma replay keys.t --watch",
    .details = "`stemma --record FILE`, and `:record FILE` in the explorer, write such a file. It "
               "has a line for each thing: the size of the terminal, the time, settings that are "
               "not the usual ones, and after `>` the keys, with pastes, clicks, sizes and pauses; "
               "a line that begins with `+` goes on. All that was typed is in it, also reasons and "
               "texts: read it before you send it. docs/explorer.md has the notation.\n\nThe keys "
               "act on a copy of the store, which is removed; --write takes the store itself. Keys "
               "that were recorded in the demo are played in a new demo. Below the keys may stand "
               "what the screen has to show: two blanks and a text, or `! TEXT` for what it must "
               "not. If something is not so, replay names the line and ends with 1.",
    .options = options,
    .run = run_replay,
};
