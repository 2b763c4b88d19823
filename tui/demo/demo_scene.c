#include "tui/demo/demo_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"

/* The text of a string member, as it is between its quotes: refs need no escapes. */
static bool keep_string(struct demo_telling *t, const char *name, const char *prefix,
                        struct json_slice value)
{
    struct strbuf text = STRBUF_INIT;
    if (value.len < 2 || value.ptr[0] != '"')
        return false;
    strbuf_addstr(&text, prefix);
    strbuf_add(&text, value.ptr + 1, value.len - 2);
    if (!text.failed)
        demo_text_bind(t, name, text.buf);
    strbuf_release(&text);
    return true;
}

static struct json_slice member(struct json_slice object, const char *name)
{
    return json_member(object.ptr, object.len, name);
}

/* One of a list, drawn; ptr NULL: there is none. */
static struct json_slice draw_one(struct demo_telling *t, struct json_slice list)
{
    unsigned count = 0;
    if (!list.ptr)
        return list;
    for (struct json_each it = json_each(list); json_next(&it);)
        count++;
    unsigned chosen = count ? demo_text_draw(t, 0, count - 1) : 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        if (chosen-- == 0)
            return it.value;
    return (struct json_slice){NULL, 0};
}

static void keep_any(struct demo_telling *t, const char *name, struct json_slice list)
{
    struct json_slice one = draw_one(t, list);
    if (one.ptr)
        keep_string(t, name, "", member(one, "ref"));
}

static void keep_source(struct demo_telling *t, const char *name, struct json_slice steps)
{
    struct json_slice step = draw_one(t, steps);
    struct json_slice source = step;
    if (step.ptr)
        source = draw_one(t, member(step, "source_attributions"));
    if (source.ptr && keep_string(t, name, "", member(step, "ref")))
        keep_string(t, "source", "", member(source, "ref"));
}

static void keep_answer(struct demo_telling *t, const struct demo_step *step,
                        struct json_slice result)
{
    if (!result.ptr)
        return;
    switch (step->from) {
    case KEEP_REF:
        keep_string(t, step->keep, "", member(result, "ref"));
        break;
    case KEEP_ATTRIBUTION:
        keep_string(t, step->keep, "attribution:", member(result, "attribution_id"));
        break;
    case KEEP_ANY:
        keep_any(t, step->keep, member(result, "memories"));
        break;
    case KEEP_SOURCE:
        keep_source(t, step->keep, member(result, "reasoning_steps"));
        break;
    case KEEP_NOTHING:
        break;
    }
}

static enum demo_answer make_call(struct demo_stage *stage, const struct demo_step *step,
                                  const char *arguments)
{
    struct json_slice result = {0};
    bool method = strchr(step->call, '/') || strcmp(step->call, "ping") == 0;
    enum demo_answer answer =
        method ? demo_client_request(&stage->client, step->call, arguments, &result)
               : demo_client_call(&stage->client, step->call, arguments, &result);
    if (answer == DEMO_DONE)
        keep_answer(&stage->telling, step, result);
    if (stage->told)
        stage->told(stage->arg, step, answer);
    return answer;
}

static enum demo_answer play_step(struct demo_stage *stage, const struct demo_step *step)
{
    struct demo_telling *t = &stage->telling;
    struct strbuf arguments = STRBUF_INIT;
    enum demo_answer answer = DEMO_DONE;
    unsigned pause = step->pause * 50 + demo_text_draw(t, 0, step->pause * 100);
    if (step->chance && demo_text_draw(t, 1, 100) > step->chance)
        return DEMO_DONE;
    if (demo_text_fill_json(t, step->arguments, &arguments) == 0) {
        if (!stage->hurried && !demo_client_pause(&stage->client, (int)pause))
            answer = DEMO_GONE;
        else
            answer = make_call(stage, step, arguments.buf);
    }
    strbuf_release(&arguments);
    return answer;
}

enum demo_answer demo_scene_play(struct demo_stage *stage, const struct demo_scene *scene)
{
    demo_text_begin(&stage->telling);
    for (const struct demo_step *step = scene->steps; step->call; step++)
        if (play_step(stage, step) == DEMO_GONE)
            return DEMO_GONE;
    return DEMO_DONE;
}

size_t demo_scene_next(const struct demo_agent *agent, size_t played, size_t last,
                       struct demo_telling *t)
{
    size_t next = played < agent->count ? played : last;
    while (agent->scenes[next].steps == agent->scenes[last].steps)
        next = demo_text_draw(t, 0, (unsigned)agent->count - 1);
    return next;
}

#define NESTED_MAX 6 /* words that hold marks that hold marks … */

void demo_text_begin(struct demo_telling *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->bound[i].text);
    t->count = 0;
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(struct demo_telling *t)
{
    t->seed ^= t->seed >> 12;
    t->seed ^= t->seed << 25;
    t->seed ^= t->seed >> 27;
    return t->seed * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned demo_text_draw(struct demo_telling *t, unsigned low, unsigned high)
{
    return low + (unsigned)((next_random(t) >> 33) % ((uint64_t)high - low + 1));
}

static const char *find_bound(const struct demo_telling *t, const char *name)
{
    for (size_t i = t->count; i > 0; i--)
        if (strcmp(t->bound[i - 1].name, name) == 0)
            return t->bound[i - 1].text;
    return NULL;
}

void demo_text_bind(struct demo_telling *t, const char *name, const char *text)
{
    if (t->count < DEMO_BOUND_MAX)
        t->bound[t->count++] = (struct demo_bound){name, xstrdup(text)};
}

/* ---- the marks ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_uuid(struct demo_telling *t, struct strbuf *out)
{
    uint64_t a = next_random(t), b = next_random(t);
    strbuf_addf(out, "%08x-%04x-4%03x-a%03x-%012llx", (unsigned)(a & 0xffffffff),
                (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48 & 0xfff), (unsigned)(b & 0xfff),
                (unsigned long long)(b >> 16));
}

/* What is not in a list of words: 1; 0: it is no such mark. */
static int fill_own(struct demo_telling *t, const char *name, struct strbuf *out)
{
    unsigned low, high;
    char iso[32];
    if (sscanf(name, "%u-%u", &low, &high) == 2 && low <= high)
        strbuf_addf(out, "%u", demo_text_draw(t, low, high));
    else if (strcmp(name, "now") == 0)
        json_add_int(out, now_ms());
    else if (strcmp(name, "uuid") == 0)
        add_uuid(t, out);
    else if (strcmp(name, "clock") == 0) {
        clock_format_iso(iso, sizeof(iso), now_ms());
        strbuf_add(out, iso + 11, 5);
    } else
        return 0;
    return 1;
}

/* "belief:ID" is stemma://belief/ID. */
static void add_uri(const char *ref, struct strbuf *out)
{
    size_t kind = strcspn(ref, ":");
    strbuf_addstr(out, "stemma://");
    strbuf_add(out, ref, kind);
    if (ref[kind])
        strbuf_addf(out, "/%s", ref + kind + 1);
}

static int fill(struct demo_telling *t, const char *template, int depth, struct strbuf *out);

static const char *draw_word(struct demo_telling *t, const struct demo_words *w)
{
    unsigned count = 0;
    while (w->choices[count])
        count++;
    return w->choices[demo_text_draw(t, 0, count - 1)];
}

static int fill_words(struct demo_telling *t, const char *name, int depth, struct strbuf *out)
{
    const struct demo_words *w = demo_words;
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    if (!w->name || depth >= NESTED_MAX)
        return -1;
    const char *kept = w->once ? find_bound(t, w->name) : NULL;
    if (kept) {
        strbuf_addstr(out, kept);
        return 0;
    }
    size_t from = out->len;
    if (fill(t, draw_word(t, w), depth + 1, out))
        return -1;
    if (w->once)
        demo_text_bind(t, w->name, out->buf + from);
    return 0;
}

static int fill_mark(struct demo_telling *t, const char *name, int depth, struct strbuf *out)
{
    const char *kept = find_bound(t, name + 1);
    if (name[0] == '$' && kept)
        strbuf_addstr(out, kept);
    else if (name[0] == '@' && kept)
        add_uri(kept, out);
    if (name[0] == '$' || name[0] == '@')
        return kept ? 0 : -1;
    return fill_own(t, name, out) ? 0 : fill_words(t, name, depth, out);
}

/* The name of the mark at `template`, and where it ends; NULL: there is none. */
static const char *read_mark(const char *template, char name[32])
{
    const char *end = template[0] == '<' ? strchr(template, '>') : NULL;
    if (!end || end - template > 31)
        return NULL;
    memcpy(name, template + 1, (size_t)(end - template - 1));
    name[end - template - 1] = '\0';
    return end;
}

/* Only what is compiled in nests, and no deeper than NESTED_MAX. */
static int fill(struct demo_telling *t, const char *template, int depth, struct strbuf *out)
{
    char name[32];
    for (const char *at = template; *at; at++) {
        const char *end = read_mark(at, name);
        if (!end)
            strbuf_addch(out, *at);
        else if (fill_mark(t, name, depth, out))
            return -1;
        else
            at = end;
    }
    return out->failed ? -1 : 0;
}

int demo_text_fill(struct demo_telling *t, const char *template, struct strbuf *out)
{
    return fill(t, template, 0, out);
}

int demo_text_fill_json(struct demo_telling *t, const char *template, struct strbuf *out)
{
    char name[32];
    int result = 0;
    struct strbuf text = STRBUF_INIT;
    for (const char *at = template; *at && result == 0; at++) {
        const char *end = read_mark(at, name);
        strbuf_clear(&text);
        if (!end) {
            strbuf_addch(out, (char)(*at == '\'' ? '"' : *at));
            continue;
        }
        result = fill_mark(t, name, 0, &text);
        json_add_inside(out, text.buf);
        at = end;
    }
    strbuf_release(&text);
    return result || out->failed ? -1 : 0;
}

/* The words of the live demo: a payments service, the two agents who ship it, and the people around. */

#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define ONCE(list, ...)                                                                            \
    {                                                                                              \
        list, true, WORDS(__VA_ARGS__)                                                             \
    }
#define EACH(list, ...)                                                                            \
    {                                                                                              \
        list, false, WORDS(__VA_ARGS__)                                                            \
    }

/* NOLINTBEGIN(bugprone-suspicious-missing-comma): sentences over two lines */
const struct demo_words demo_words[] = {
    /* what a scene is about */
    ONCE("service", "payments", "ledger", "checkout", "refunds", "settlement", "invoices",
         "payouts", "receipts", "fraud-check", "exchange-rates", "card-vault", "statements"),
    ONCE("version", "4.<11-39>.<0-9>", "5.<0-12>.<0-6>", "2026.<40-47>.<1-5>"),
    ONCE("count", "<3-24>"),
    ONCE("minutes", "<2-57>"),
    ONCE("percent", "<2-41>"),
    ONCE("ms", "<18-95>", "<110-940>"),
    ONCE("pr", "<214-961>"),
    ONCE("table", "ledger_entries", "payouts", "refund_requests", "idempotency_keys", "outbox",
         "settlements", "card_tokens", "exchange_rates"),
    ONCE("human", "sean", "noor", "mateus", "yuki", "ines"),
    ONCE("region", "eu-west", "eu-north", "us-east", "ap-south", "sa-east"),
    ONCE("suspect", "the connection pool", "a retry without backoff", "the new index on <table>",
         "a slow disk in <region>", "the nightly export", "DNS in <region>", "a clock that drifted",
         "the cache's cold start", "one oversized batch", "the rate limiter"),

    /* what happens */
    EACH("deploy-log",
         "<clock> <service> <version>: <count> of <count> workers ready after <minutes> s · error "
         "rate 0.<0-9>% · p99 <ms> ms",
         "<clock> rollout <service> <version> in <region>: canary healthy, <count> workers follow",
         "<clock> <service>: migration of <table> done in <minutes> s, <2-900> thousand rows, no "
         "lock held over <1-9> s",
         "<clock> staging run of <service> <version>: <210-990> checks, <0-2> flaky, queue depth "
         "back to <0-40>"),
    EACH("alert-log", "<clock> ALERT <service> p99 <ms> ms for <2-15> minutes in <region>",
         "<clock> ALERT <service> queue depth <1-9> <100-999> and rising, <count> workers",
         "<clock> ALERT <service> error rate <percent>% after <version>; first errors name <table>",
         "<clock> ALERT lock wait on <table> over <3-40> s, <2-9> sessions behind it"),
    EACH("measure-log",
         "<clock> looked again: p99 <ms> ms, <count> workers, <suspect> is busy <percent>% of the "
         "time",
         "<clock> traced forty requests: <percent>% of the time goes into <suspect>",
         "<clock> counted by hand: <2-80> duplicates in <table>, all from <region>",
         "<clock> turned off <suspect> for <minutes> s: queue depth fell by <percent>%"),
    EACH("chat", "<human>: is <service> <version> the one with the change to <table>?",
         "<human>: customers in <region> say <service> is slow, can you look?",
         "<human>: nice work on <service>. Write down what made it quick this time.",
         "<human>: please hold <service> until the statements are out at <10-18>:00.",
         "<human>: who reviewed PR <pr>? I want to read that discussion.",
         "<human>: if it happens again, page me rather than wait."),
    EACH("objective", "Ship <service> <version>", "Roll out PR <pr> to <service> in <region>",
         "Move <table> without stopping <service>", "Release <service> <version> before noon",
         "Bring <service> in <region> to <version>"),
    EACH("outcome", "<count> workers in <minutes> minutes; p99 stayed at <ms> ms",
         "Out in <minutes> minutes. One canary restarted, nobody else noticed",
         "Done; the queue was <percent>% longer for <2-9> minutes and then empty",
         "Finished <minutes> minutes early, since staging had the same <table>"),
    EACH("trouble-objective", "Find out why <service> slowed down in <region>",
         "Stop the errors of <service> <version>", "Clear the lock on <table>",
         "Understand the alert of <clock> on <service>"),
    EACH("trouble-outcome", "It was <suspect>; back to <ms> ms after <minutes> minutes",
         "Rolled back to the version before <version>; <suspect> is still not explained",
         "<suspect> had a part in it, but <percent>% of the slow requests never touch it",
         "Drained <count> workers by hand, then it cleared. The cause looks like <suspect>"),
    EACH("lesson", "measure before blaming <suspect>", "watch <table> for ten minutes, not two",
         "the canary in <region> sees it first", "read PR <pr> again before the next release",
         "warm the cache before the fleet follows", "say in the channel who holds the deploy"),

    /* what is concluded */
    EACH("finding", "<service> slows down when <suspect> and a deploy fall together.",
         "A release of <service> needs about <minutes> minutes when <table> is small.",
         "Above <percent>% load, <suspect> is what <service> waits for.",
         "<region> shows trouble in <service> before the other regions do.",
         "Migrations of <table> are safe while <service> runs fewer than <count> workers.",
         "A canary of <service> that lives ten minutes lives all day.",
         "Alerts on <table> after a deploy are about <suspect> more often than about the code."),
    EACH("doubt", "It may not be <suspect>: <service> was slow before <version> as well.",
         "Nobody has measured what <suspect> costs <service> in <region>.",
         "The numbers for <table> come from one day only.",
         "PR <pr> claims more than its <count> samples can show."),
    EACH("decision", "We keep <service> on <version> until <human> has seen the numbers.",
         "No change to <table> on a Friday; the next slot is Monday at <8-16>:00.",
         "<service> gets a canary in <region> first from now on.",
         "The limit for <suspect> stays where it is; we look again in a week.",
         "Whoever deploys <service> watches it for <minutes> minutes."),
    EACH("review", "Read PR <pr>: the claim about <suspect> rests on one episode. Wants a second.",
         "Checked against the log of <clock>: the <minutes> minutes are right, the cause is a "
         "guess.",
         "Agrees with what <region> showed last week; the number of workers was <count> there.",
         "Too strong as it stands. <percent>% is not always.",
         "Good: it says what it rests on, and I could walk back to the log line."),
    EACH("quote", "If you can't say what it rests on, say that you can't.",
         "The graph went down, so we stopped looking. That's how the last one began.",
         "I'd rather roll back twice than explain once.",
         "A number without a time is a rumour about <service>.",
         "Ask the agents what they'd need to see to change their mind about <suspect>."),
    EACH(
        "weighed", "<suspect> explains most of what <service> did this week, not all of it.",
        "Two ways to say the same: <service> is fine while <table> stays under <2-90> million "
        "rows.",
        "What Ash saw in <region> holds for <service> elsewhere too.",
        "The belief about <suspect> should be weighed down until someone repeats the measurement."),
    EACH("topic", "deploy", "migration", "queue", "retries", "staging", "rollback", "canary",
         "workers", "cache", "<service>", "<table>", "payments queue"),
    EACH("question", "<table> lock timeout postgresql", "how long does <service> warm up",
         "retry storm <region> connection pool", "safe migration large table online",
         "<suspect> latency", "queue backpressure worker lease"),
    EACH("answer-summary", "Four pages agree that <suspect> is a matter of configuration.",
         "Mostly vendors; one measured it and found <percent>% less.",
         "The manual says the lock is held for the whole statement.",
         "Two posts contradict each other on what happens above <count> workers."),
    EACH("page", "wiki://runbooks/<service>", "wiki://postmortems/<pr>",
         "repo://<service>/pull/<pr>", "dashboard://<service>/<region>",
         "doc://postgresql/16/explicit-locking"),
    EACH("page-summary", "The runbook of <service>: drain, migrate, restart, in this order.",
         "Panel of <region>: p99 <ms> ms, <count> workers, one gap of <minutes> minutes.",
         "The discussion of PR <pr>: <count> comments, the open one is about <table>.",
         "How locks on <table> queue behind an ALTER, with a table of which modes conflict."),

    /* how it is reasoned */
    ONCE("why", "Why did <service> slow down in <region> after <version>?",
         "Is it safe to move <table> while <service> runs?",
         "Did PR <pr> cause the errors of <service> in <region>?",
         "What does <service> wait for above <percent>% load?",
         "Why do <percent>% of the requests to <service> take over <ms> ms?"),
    EACH("ask-when", "When did it begin, and what changed then?",
         "Which requests are slow, and which are not?", "What did <service> do before <version>?",
         "How large is <table>, and who locks it?"),
    ONCE("when", "It began <minutes> minutes after <version> reached <region>.",
         "Only requests that touch <table> are slow: <percent>% of them.",
         "Before <version> p99 was <ms> ms; <region> was the first to leave that.",
         "<count> sessions wait for <table>, each for <3-40> s."),
    EACH("ask-cause", "Is it <suspect>?", "What do the slow ones have in common?",
         "Does PR <pr> touch what is slow?", "Would <service> be slow without <suspect>?"),
    EACH("ask-check", "Does that hold in the other regions?",
         "What would we see if it were not <suspect>?", "Has this happened before?"),
    EACH("checked", "Yes: the other regions show it <minutes> minutes later.",
         "No. In <region> <suspect> was idle, and <service> was slow all the same.",
         "Twice this month, each time with <count> workers.",
         "For <percent>% of it; the rest is not explained."),
    EACH("trace", "Laid the panel of <region> beside the log of <clock>",
         "Counted the requests by table, then by release",
         "Read PR <pr> from its end, and looked for <table>",
         "Took the runbook's order of steps and looked where it was left",
         "Compared the hour before <version> with the hour after"),
    EACH("conclusion", "<suspect>: it explains <percent>% of the slow requests in <region>.",
         "Not PR <pr>. <service> waits for <table>, and did before.",
         "Yes, while <service> runs fewer than <count> workers and <human> knows of it.",
         "Most likely <suspect>; a measurement in another region would settle it."),
    EACH("runbook-passage",
         "Drain <service> first: no new work, and wait until the queue is below <2-90>.",
         "If <table> is locked for longer than <3-40> s, stop. Do not retry by hand.",
         "Rollback of <service>: the version before, the same number of workers, then the cache.",
         "After a release watch <region> for <minutes> minutes. It shows trouble first."),
    EACH("panel-passage", "p99 <ms> ms, <count> workers, queue depth <2-900>",
         "error rate 0.<0-9>%, cpu <percent>%, one gap of <minutes> minutes",
         "lock waits on <table>: <2-90> in the last hour"),
    EACH("pr-passage", "<human>: this holds a lock on <table> for the whole batch, doesn't it?",
         "Measured on staging with <count> workers: p99 from <ms> ms to half of that.",
         "Splits the batch into <2-40> parts so that <suspect> is not hit at once."),
    EACH("yes-or-no", "yes", "yes", "no"),
    EACH("relevant-or-not", "relevant", "relevant", "relevant", "irrelevant"),
    {NULL, false, NULL},
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */
