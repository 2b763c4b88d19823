/* stemma fsck: findings as they come, then a summary; as JSON one object a line. */
#include "cmd.h"

#include <string.h>
#include "../model/json.h"
#include "../store/journal.h"
#include "brief.h"
#include "opening.h"
#include "progress.h"

struct check {
    struct output *out;
    struct progress progress;
    struct error output_error;
};

static const char *const faults[] = {
    [FSCK_DATABASE] = "database",         [FSCK_EVENT_ALTERED] = "event-altered",
    [FSCK_CHAIN_BROKEN] = "chain-broken", [FSCK_TAIL_CUT] = "tail-cut",
    [FSCK_ROW_ALTERED] = "row-altered",   [FSCK_ROW_UNRECORDED] = "row-unrecorded",
};

static void write_finding(struct output *out, const struct fsck_finding *f)
{
    struct json_object o = json_begin(&out->text, '{');
    json_key(&o, "fault");
    json_add_string(&out->text, faults[f->fault]);
    if (f->seq) {
        json_key(&o, "seq");
        json_add_int(&out->text, f->seq);
    }
    if (f->ref.id) {
        json_key(&o, "ref");
        json_add_ref(&out->text, f->ref);
    }
    json_key(&o, "what");
    json_add_string(&out->text, f->what);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

static void print_finding(struct output *out, const struct fsck_finding *f)
{
    output_printf(out, TONE_BAD, "%s", faults[f->fault]);
    strbuf_addstr(&out->text, ": ");
    if (f->seq)
        strbuf_addf(&out->text, "event %lld: ", (long long)f->seq);
    if (f->ref.id) {
        output_ref(out, TONE_PLAIN, f->ref);
        strbuf_addstr(&out->text, ": ");
    }
    output_text(out, TONE_PLAIN, f->what);
    strbuf_addch(&out->text, '\n');
}

static void each_finding(void *arg, const struct fsck_finding *finding)
{
    struct check *c = arg;
    progress_end(&c->progress);
    if (c->out->json)
        write_finding(c->out, finding);
    else
        print_finding(c->out, finding);
    output_row(c->out, &c->output_error); /* a failure shows again when all is flushed */
}

static int tick(void *arg, int64_t done, int64_t total)
{
    struct check *c = arg;
    return progress_tick(&c->progress, done, total);
}

static void write_summary(struct output *out, const struct fsck_summary *s)
{
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {
        {"events", s->events},
        {"memories", s->memories},
        {"links", s->links},
        {"findings", s->findings},
    };
    struct json_object o = json_begin(&out->text, '{');
    for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
        json_key(&o, counts[n].name);
        json_add_int(&out->text, counts[n].count);
    }
    json_key(&o, "head");
    strbuf_addstr(&out->text, s->head_found ? "true" : "false");
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

static void print_summary(struct output *out, const struct fsck_summary *s)
{
    strbuf_addf(&out->text,
                "%lld events, %lld memories and %lld links checked: ", (long long)s->events,
                (long long)s->memories, (long long)s->links);
    if (s->findings)
        output_printf(out, TONE_BAD, "%lld %s", (long long)s->findings,
                      s->findings == 1 ? "fault" : "faults");
    else
        output_printf(out, TONE_GOOD, "all is well");
    strbuf_addstr(&out->text, s->head_found
                                  ? "\n"
                                  : "\nThere is no head file, so a cut tail would not show.\n");
}

static int run_fsck(struct invocation *i, struct error *e)
{
    struct opened o;
    struct check check = {.out = &i->out};
    struct fsck_summary summary = {0};
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    progress_begin(&check.progress, "fsck");
    int result = store_fsck(o.reader, each_finding, tick, &check, &summary, e);
    progress_end(&check.progress);
    if (!result && i->out.json)
        write_summary(&i->out, &summary);
    else if (!result)
        print_summary(&i->out, &summary);
    opening_close(&o);
    return result ? -1 : summary.findings > 0;
}

const struct command cmd_fsck = {
    .name = "fsck",
    .words = "",
    .about = "check the database, the journal's chain and each memory against it",
    .details = "Tells an altered event, an altered row and a cut tail apart. The exit status is 1 "
               "where anything was found.",
    .run = run_fsck,
};
