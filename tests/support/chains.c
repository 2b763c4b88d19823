#include "tests/support/chains.h"

#include <math.h>
#include <stdio.h>
#include "model/base/strbuf.h"
#include "store/reasoning/cite.h"
#include "store/reasoning/reasoning.h"
#include "tests/support/scratch.h"

struct making {
    struct session *session;
    struct actor actor;
    const char *text, *strategy;
    int64_t chain;
    const struct made_step *step;
    int64_t row;
    struct json_slice sources;
    const char *message;
};

static struct making making_of(struct session *session, const char *agent)
{
    return (struct making){
        .session = session,
        .actor = {.class = ACTOR_AGENT, .name = agent, .agent = agent, .origin = "mcp"}};
}

static void make(struct store *s, int (*run)(struct txn *, void *, struct error *),
                 struct making *m)
{
    struct error e = {0};
    if (store_run(s, run, m, &e))
        fail_msg("%s %s", e.what, e.hint);
}

static int admit(struct txn *t, struct making *m, struct error *e)
{
    return m->session ? session_admit(t, m->session, &m->actor.session, e) : 0;
}

static int run_begin(struct txn *t, void *arg, struct error *e)
{
    struct making *m = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct added added;
    struct chain_start start = {m->text, strlen(m->text), m->actor.agent, m->strategy, NULL};
    int failed = admit(t, m, e) || chain_begin(t, &m->actor, &start, &arena, &added, e);
    m->row = failed ? 0 : added.node;
    return failed ? -1 : 0;
}

int64_t chains_begin(struct store *s, struct session *session, const char *agent,
                     const char *question, const char *strategy)
{
    struct making m = making_of(session, agent);
    m.text = question;
    m.strategy = strategy;
    make(s, run_begin, &m);
    return m.row;
}

/* ---- a step ---- */

static void add_string(struct strbuf *out, const char *name, const char *text)
{
    strbuf_addf(out, ",\"%s\":", name);
    strbuf_addch(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            strbuf_addch(out, '\\');
        strbuf_addch(out, *text);
    }
    strbuf_addch(out, '"');
}

static void add_source(struct strbuf *out, const struct made_source *s, bool results)
{
    strbuf_addf(out, "%s{\"x\":0", out->len > 1 ? "," : "");
    if (s->id)
        add_string(out, "document_id", s->id);
    if (s->title)
        add_string(out, results ? "title" : "document_title", s->title);
    if (s->content)
        add_string(out, results ? "content" : "excerpt", s->content);
    if (s->score == s->score)
        strbuf_addf(out, ",\"%s\":%.4f", results ? "score" : "relevance_score", s->score);
    if (s->chunk >= 0)
        strbuf_addf(out, ",\"chunk_index\":%d", s->chunk);
    if (!results && s->origin)
        add_string(out, "score_origin", s->origin);
    strbuf_addch(out, '}');
}

/* Are they results, with no other origin given? Otherwise they are attributions. */
static bool are_results(const struct made_step *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->source[i].origin)
            return false;
    return true;
}

static int run_step(struct txn *t, void *arg, struct error *e)
{
    struct making *m = arg;
    const struct made_step *s = m->step;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF sources = STRBUF_INIT;
    struct step_added added;
    const char *contexts[32];
    size_t contexts_count = 0;
    bool results = are_results(s);
    strbuf_addch(&sources, '[');
    for (size_t i = 0; i < s->count; i++)
        add_source(&sources, &s->source[i], results);
    strbuf_addch(&sources, ']');
    while (s->context && s->context[contexts_count] && contexts_count < 32) {
        contexts[contexts_count] = s->context[contexts_count];
        contexts_count++;
    }
    struct step_given given = {.number = s->number,
                               .question = s->question,
                               .question_len = strlen(s->question),
                               .answer = s->answer,
                               .answer_len = s->answer ? strlen(s->answer) : 0,
                               .trace = s->trace,
                               .trace_len = s->trace ? strlen(s->trace) : 0,
                               .confidence = s->confidence,
                               .execution_time = s->seconds,
                               .contexts = contexts,
                               .context_count = contexts_count};
    struct json_slice slice = {sources.buf, sources.len};
    if (s->count)
        *(results ? &given.results : &given.attributions) = slice;
    int failed =
        admit(t, m, e) || chain_add_step(t, &m->actor, m->chain, &given, &arena, &added, e);
    m->row = failed ? 0 : added.step.node;
    return failed ? -1 : 0;
}

int64_t chains_step(struct store *s, struct session *session, const char *agent, int64_t chain,
                    const struct made_step *step)
{
    struct making m = making_of(session, agent);
    m.chain = chain;
    m.step = step;
    make(s, run_step, &m);
    return m.row;
}

/* ---- finishing ---- */

static int run_finish(struct txn *t, void *arg, struct error *e)
{
    struct making *m = arg;
    AUTO_ARENA arena = ARENA_INIT;
    int failed = admit(t, m, e) || chain_finish(t, &m->actor, m->chain, m->text, strlen(m->text),
                                                NAN, NAN, &arena, e);
    return failed ? -1 : 0;
}

void chains_finish(struct store *s, struct session *session, const char *agent, int64_t chain,
                   const char *answer)
{
    struct making m = making_of(session, agent);
    m.chain = chain;
    m.text = answer;
    make(s, run_finish, &m);
}

/* ---- the deploy ---- */

static const struct made_source changed[] = {
    {"incident-0203", "Incident report, 3 February",
     "14:02 migration 0147 begins. 14:05 the queue stops. 14:43 rolled back.", .95, NULL, 1},
    {"git:4f1c9e2", "Migration 0147, as merged", "ALTER TABLE payments ADD COLUMN settled_at", .72,
     NULL, 0},
    {"deploy.log", NULL, "release 2026-02-03.1 promoted to production", .41, NULL, 88},
};
static const struct made_source lock[] = {
    {"git:4f1c9e2", "Migration 0147, as merged", "takes ACCESS EXCLUSIVE on payments", .91, NULL,
     3},
    {"pg16-locking", "Postgres manual, explicit locking",
     "ACCESS EXCLUSIVE conflicts with locks of all modes. It guarantees that the holder is the "
     "only "
     "transaction accessing the table in any way.",
     .84, NULL, 7},
};
static const struct made_source workers[] = {
    {"incident-0203", "Incident report, 3 February",
     "Workers of the old release went on taking payments until 14:15.", .80, "measured", 2},
    {"pg16-locking", "Postgres manual, explicit locking",
     "A waiting writer is served once the lock is released.", .77, "measured", 9},
    {"supervisor.c", "Worker supervisor, drain logic",
     "drain() returns once the queue is empty, but a worker started with --detach is not in the "
     "registry and keeps its connection until its lease of 600 s ends.",
     .83, "measured", 14},
    {"chat-0204", "Chat with Claire, 4 February",
     "claire: the detached ones never hear of a drain, I told you in autumn", .60, "heuristic", -1},
};
static const struct made_source staging[] = {
    {"incident-0203", "Incident report, 3 February", "The change had not been run on staging.", .66,
     "measured", 4},
    {"git:4f1c9e2", "Migration 0147, as merged", "Tested on an empty database.", .70, "measured",
     5},
    {"staging-data", "Staging data set, 2026-01", "412,000 payments, two workers", .58, "measured",
     -1},
    {"policy-deploy", "Deploy policy", "Every migration is run on staging first.", .50, "default",
     -1},
    {"memory-of-model", "What the model recalls", "Staging runs usually show lock waits.", .90,
     "asserted", -1},
    {"git:4f1c9e2", "Migration 0147, as merged", "No lock_timeout is set.", .64, "measured", 6},
};
#define SOURCES(list) list, sizeof(list) / sizeof(list[0])

static const char *const given_answers[] = {
    "Workers that were started detached are not drained; they wrote until their lease ended.",
    NULL};

static const struct made_step deploy_steps[] = {
    {1, "What changed on 3 February?", "Migration 0147 went out with release 2026-02-03.1.",
     "Look for what was deployed that day, then for what it changed.", .92, .8, SOURCES(changed),
     NULL},
    {2, "Which lock was taken?",
     "ACCESS EXCLUSIVE on payments, for as long as the table is rewritten.", NULL, .88, 1.1,
     SOURCES(lock), NULL},
    {3, "Why did workers keep writing?",
     "Workers that were started detached are not drained; they wrote until their lease ended.",
     "The drain ends with an empty queue. Who is not in the registry does not hear of it.", .79, .9,
     SOURCES(workers), NULL},
    {4, "Would staging have shown it?",
     "Yes: two workers on staging would have waited for the lock within a minute.", NULL, .74, 1.4,
     SOURCES(staging), given_answers},
};

int64_t chains_deploy(struct store *s, struct session *session)
{
    int64_t chain =
        chains_begin(s, session, "ash", "Why did the deploy of 3 February stop the payments queue?",
                     "decomposition");
    for (size_t i = 0; i < sizeof(deploy_steps) / sizeof(deploy_steps[0]); i++)
        chains_step(s, session, "ash", chain, &deploy_steps[i]);
    chains_finish(s, session, "ash", chain,
                  "The migration held a lock while old workers still wrote. A staging run would "
                  "have shown it.");
    return chain;
}

/* ---- memories around the deploy ---- */

static int run_cite(struct txn *t, void *arg, struct error *e)
{
    struct making *m = arg;
    AUTO_ARENA arena = ARENA_INIT;
    struct cite_result result;
    struct cited_response given = {"incident-review", m->message, m->actor.agent, m->sources, NULL};
    int failed = admit(t, m, e) || cite_sources(t, &m->actor, &given, &arena, &result, e);
    return failed ? -1 : 0;
}

static void cite(struct store *s, struct session *session, const char *sources)
{
    struct making m = making_of(session, "ash");
    m.message = "m1";
    m.sources = (struct json_slice){sources, strlen(sources)};
    make(s, run_cite, &m);
}

void chains_around_deploy(struct store *s, struct session *session, int64_t chain)
{
    /* The same passages with other texts: the sources of the deploy have changed since. */
    static const struct made_source later[] = {
        {"supervisor.c", "Worker supervisor, drain logic",
         "drain() waits for detached workers as well, at most 600 s.", .88, NULL, 14},
        {"incident-0203", "Incident report, 3 February",
         "14:01 migration 0147 begins. 14:05 the queue stops. 14:43 rolled back.", .61, NULL, 1},
    };
    static const struct made_step step = {1,
                                          "Do detached workers hear of a drain now?",
                                          "Yes, since the supervisor waits for them.",
                                          NULL,
                                          .9,
                                          .4,
                                          SOURCES(later),
                                          NULL};
    static const struct made_source same[] = {
        {"supervisor.c", "Worker supervisor, drain logic",
         "drain() returns once the queue is empty, but a worker started with --detach is not in "
         "the "
         "registry and keeps its connection until its lease of 600 s ends.",
         .79, NULL, 14}};
    static const struct made_step before = {
        1, "How does drain() end?", "Once the queue is empty.", NULL, .8, .3, SOURCES(same), NULL};
    int64_t other = chains_begin(s, session, "claire", "How does the supervisor drain?", NULL);
    chains_step(s, session, "claire", other, &before);
    chains_finish(s, session, "claire", other, "When its queue is empty.");
    other = chains_begin(s, session, "claire", "Is the drain fixed?", NULL);
    chains_step(s, session, "claire", other, &step);
    cite(s, session,
         "[{\"documentId\":\"supervisor.c\",\"documentName\":\"Worker supervisor\",\"location\":{"
         "\"section\":\"Drain\"},\"snippet\":\"drain() returns once the queue is empty\","
         "\"relevanceScore\":0.9}]");
    scratch_put(s, "{\"ref\":\"belief:7d10e6a2-0000-4000-8000-000000000001\",\"agent_id\":\"ash\","
                   "\"text\":\"Detached workers must be drained too\",\"created_at\":1700000000000,"
                   "\"derived_from\":[\"document:supervisor.c\"]}");
}

/* ---- a large one ---- */

int64_t chains_large(struct store *s, struct session *session, int steps, int documents)
{
    int64_t chain = chains_begin(
        s, session, "ash", "Which of the services that changed this quarter can be rolled back?",
        "breadth first");
    for (int i = 0; i < steps; i++) {
        struct made_source sources[6];
        char ids[6][32], titles[6][64], contents[6][64], question[96], answer[96];
        int count = 2 + (i * 7) % 5;
        for (int k = 0; k < count; k++) {
            int document = k == 0 ? i % 3 : (i * 37 + k * k * 11 + k) % documents;
            snprintf(ids[k], sizeof(ids[k]), "service-%04d", document);
            snprintf(titles[k], sizeof(titles[k]), "Release notes of service %d", document);
            snprintf(contents[k], sizeof(contents[k]), "Passage %d of service %d", i, document);
            sources[k] = (struct made_source){
                ids[k], titles[k], contents[k], (double)(30 + (document * 31 + i * 7) % 70) / 100,
                NULL,   i};
        }
        snprintf(question, sizeof(question), "Can the services of batch %d be rolled back?", i + 1);
        snprintf(answer, sizeof(answer), "All but %d of batch %d can.", i % 4, i + 1);
        struct made_step step = {
            i + 1,   question, answer,        NULL, (double)(50 + i * 13 % 50) / 100,
            0.1 * i, sources,  (size_t)count, NULL};
        chains_step(s, session, "ash", chain, &step);
    }
    chains_finish(s, session, "ash", chain,
                  "Most of them; eleven keep data that cannot be undone.");
    return chain;
}
