/* stemma fsck: findings as they come, then a summary; as JSON one object a line. */
#include "tui/cli/cmd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/fsck/fsck.h"
#include "tui/render/brief.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

struct check {
    struct output *out;
    struct progress progress;
    struct error output_error;
};

static const char *const faults[] = {
    [FSCK_DATABASE] = "database",
    [FSCK_EVENT_ALTERED] = "event-altered",
    [FSCK_CHAIN_BROKEN] = "chain-broken",
    [FSCK_TAIL_CUT] = "tail-cut",
    [FSCK_ROW_ALTERED] = "row-altered",
    [FSCK_ROW_UNRECORDED] = "row-unrecorded",
    [FSCK_LINK_BROKEN] = "link-broken",
    [FSCK_HEAD] = "head",
    [FSCK_IMPORT] = "import",
    [FSCK_SEARCH] = "search",
    [FSCK_CALL_ALTERED] = "call-altered",
    [FSCK_CALLS_BROKEN] = "calls-broken",
    [FSCK_CALLS_CUT] = "calls-cut",
    [FSCK_SESSION] = "session",
};

static void write_finding(struct output *out, const struct fsck_finding *f)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "fault", faults[f->fault]);
    if (f->seq) {
        json_pair_int(&o, "seq", f->seq);
    }
    if (f->ref.id) {
        json_key(&o, "ref");
        exchange_add_ref(&out->text, f->ref);
    }
    json_pair(&o, "what", f->what);
    json_pair(&o, "todo", f->todo);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

static void print_finding(struct output *out, const struct fsck_finding *f)
{
    output_printf(out, STYLE_ERROR, "%s", faults[f->fault]);
    strbuf_addstr(&out->text, ": ");
    output_text(out, STYLE_TEXT, f->what);
    strbuf_addstr(&out->text, ". ");
    output_text(out, STYLE_DIM, f->todo);
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
        {"events", s->events},         {"memories", s->memories}, {"links", s->links},
        {"calls", s->calls},           {"findings", s->findings}, {"nameless_entries", s->nameless},
        {"hidden_entries", s->hidden}, {"signed", s->hmacs},
    };
    struct json_object o = json_begin(&out->text, '{');
    for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
        json_pair_int(&o, counts[n].name, counts[n].count);
    }
    json_pair_bool(&o, "signatures_checked", s->hmacs_checked);
    json_pair_bool(&o, "head", s->head_found);
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

/* What the signatures are worth here; a store without any, and without a key, has nothing to say. */
static void print_signatures(struct output *out, const struct fsck_summary *s)
{
    if (s->hmacs && !s->hmacs_checked)
        strbuf_addf(&out->text,
                    "%lld events are signed (HMAC), and their signatures were not checked: no key "
                    "is configured (hmac_key).\n",
                    (long long)s->hmacs);
    else if (s->hmacs_checked && s->hmacs < s->events)
        strbuf_addf(
            &out->text,
            "%lld of %lld events carry no signature (HMAC), so the key says nothing of them.\n",
            (long long)(s->events - s->hmacs), (long long)s->events);
    else if (s->hmacs_checked && s->hmacs)
        strbuf_addf(&out->text, "The signatures (HMAC) of %lld events were checked.\n",
                    (long long)s->hmacs);
}

/* What no list of a namespace shows, though nothing is wrong with the store. */
static void print_unlisted(struct output *out, const struct fsck_summary *s)
{
    static const char todo[] = "stemma list entry shows them, stemma edit REF --field";
    if (s->nameless)
        strbuf_addf(
            &out->text,
            "%lld entr%s in no namespace, where no agent looks: %s namespace=NAME names one.\n",
            (long long)s->nameless, s->nameless == 1 ? "y is" : "ies are", todo);
    if (s->hidden)
        strbuf_addf(&out->text,
                    "%lld entr%s a key that a later one has, which is found in place of it: %s "
                    "key=KEY gives another.\n",
                    (long long)s->hidden, s->hidden == 1 ? "y has" : "ies have", todo);
}

static void print_summary(struct output *out, const struct fsck_summary *s)
{
    strbuf_addf(&out->text, "%lld events, %lld memories%s %lld links", (long long)s->events,
                (long long)s->memories, s->calls ? "," : " and", (long long)s->links);
    if (s->calls)
        strbuf_addf(&out->text, " and %lld rows of the log of calls", (long long)s->calls);
    strbuf_addstr(&out->text, " checked: ");
    if (s->findings)
        output_printf(out, STYLE_ERROR, "%lld %s", (long long)s->findings,
                      s->findings == 1 ? "fault" : "faults");
    else
        output_printf(out, STYLE_GROUNDED, "all is well");
    strbuf_addch(&out->text, '\n');
    if (!s->head_found && !s->head_broken)
        strbuf_addstr(&out->text, "There is no head file, so a cut tail would not show.\n");
    print_unlisted(out, s);
    print_signatures(out, s);
}

/* To run what is running is no advice. */
static void forget_fsck(struct error *e)
{
    if (strstr(e->todo, "stemma fsck"))
        snprintf(e->todo, sizeof(e->todo), "Restore a backup.");
}

static int cannot_open(struct invocation *i, struct error *e)
{
    struct error ignored;
    const char *path = opening_path(i, NULL, &ignored);
    if (e->code == ERROR_STORE && path && access(path, R_OK) == 0 &&
        strcmp(store_recognise(path), "other") == 0)
        store_name_damaged(path, e);
    forget_fsck(e);
    return -1;
}

/* Beside the answer, not in it: what is checked is the store as it is then. */
static int rebuild(struct invocation *i, struct opened *o, struct error *e)
{
    struct check check = {.out = &i->out};
    int64_t count;
    progress_begin(&check.progress, "rebuilding the search index");
    int result = store_rebuild_search(o->store, tick, &check, &count, e);
    progress_end(&check.progress);
    if (result)
        return -1;
    output_note("the search index was made anew from %lld memories", (long long)count);
    return 0;
}

static int run_fsck(struct invocation *i, struct error *e)
{
    struct opened o;
    struct check check = {.out = &i->out};
    struct fsck_summary summary = {0};
    if (opening_open(i, NULL, false, &o, e))
        return cannot_open(i, e);
    int result = option_given(i, "rebuild-search") ? rebuild(i, &o, e) : 0;
    if (!result) {
        progress_begin(&check.progress, "fsck");
        result = store_fsck(o.reader, each_finding, tick, &check, &summary, e);
        progress_end(&check.progress);
    }
    if (!result && i->out.json)
        write_summary(&i->out, &summary);
    else if (!result)
        print_summary(&i->out, &summary);
    else
        forget_fsck(e);
    opening_close(&o);
    return result ? -1 : summary.findings > 0;
}

static const struct option_spec options[] = {
    OPT_FLAG("rebuild-search", "make the search index anew from the memories first, then check"),
    OPTION_END,
};

const struct command cmd_fsck = {
    .name = "fsck",
    .words = "",
    .about = "check the database, the journal, each memory and the search index",
    .details = "The log of what sessions asked is checked like the journal. Tells an altered "
               "event, an altered row and a cut tail apart, and what each leaves to do. It changes "
               "nothing, unless --rebuild-search asks for it: what the search finds is then made "
               "anew from what the memories say. The exit status is 0 where all is well, 1 where "
               "anything was found, 3 where it cannot be checked.",
    .options = options,
    .run = run_fsck,
};
