/*
 * Makes the store that the benches read: bench_generate COUNT PATH [SEED].
 *
 * COUNT memories with three times as many links, in the shape of an agent's days: what was captured
 * is made into episodes, episodes into beliefs and notes. Several agents, a long text now and then,
 * one in fifty superseded, some links to what was never written, some circles, and chains of beliefs
 * 5,000 deep. All of it passes through txn_put, so the journal, the index and the commitments are
 * those of any other store. The same COUNT and SEED give the same memories.
 */
#include <math.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/db/schema.h"
#include "store/txn/writer.h"

#define SLICE      5000 /* memories in a transaction */
#define DAY        200  /* memories that belong together */
#define CHAIN      5000 /* beliefs that each rest on the one before */
#define CHAIN_EACH 200000
#define FIRST_MS   INT64_C(1700000000000)
#define STEP_MS    60000
#define WORDS      6000

static uint64_t seed;

/* A number that depends on what it is asked for alone, so that any memory can be made by itself. */
static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t x = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The draws for one memory, one after the other. */
struct dice {
    uint64_t of, thrown;
};

static uint64_t draw(struct dice *d, uint64_t below)
{
    return hash(d->of, ++d->thrown) % below;
}

static bool chance(struct dice *d, unsigned percent)
{
    return draw(d, 100) < percent;
}

/* ---- what memory i is ---- */

static enum kind kind_of(uint64_t i)
{
    static const enum kind kinds[20] = {
        KIND_RAW,     KIND_RAW,    KIND_RAW,    KIND_RAW,     KIND_EPISODE, KIND_RAW,   KIND_RAW,
        KIND_BELIEF,  KIND_RAW,    KIND_NOTE,   KIND_EPISODE, KIND_RAW,     KIND_RAW,   KIND_BELIEF,
        KIND_EPISODE, KIND_BELIEF, KIND_BELIEF, KIND_NOTE,    KIND_EPISODE, KIND_BELIEF};
    uint64_t place = i % 20;
    if (place == 0 && hash(i, 0) % 4 == 0)
        return KIND_ATTRIBUTION;
    if (place == 19 && hash(i, 0) % 4 == 0)
        return hash(i, 1) % 2 ? KIND_GOAL : KIND_VALUE;
    return kinds[place];
}

static const char *id_of(struct arena *a, uint64_t i)
{
    char id[37];
    uint64_t x = hash(i, 1000), y = hash(i, 1001);
    snprintf(id, sizeof(id), "%08x-%04x-4%03x-a%03x-%012llx", (unsigned)x, (unsigned)(x >> 48),
             (unsigned)(x >> 32 & 0xfff), (unsigned)(y & 0xfff), (unsigned long long)(y >> 16));
    return arena_strdup(a, id);
}

static struct ref ref_of(struct arena *a, uint64_t i)
{
    return (struct ref){kind_of(i), id_of(a, i)};
}

/* ---- texts ---- */

static char words[WORDS][16];

static void make_words(void)
{
    static const char *const known[] = {"the",     "deploy", "staging", "before",   "migration",
                                        "agent",   "review", "never",   "rollback", "database",
                                        "because", "failed", "payment", "worker",   "queue"};
    for (size_t i = 0; i < WORDS; i++) {
        struct dice d = {i, 5000};
        size_t len = 0;
        for (uint64_t n = 1 + draw(&d, 4); n > 0; n--)
            len += (size_t)snprintf(words[i] + len, sizeof(words[i]) - len, "%c%c",
                                    "bcdfghklmnprstvw"[draw(&d, 16)], "aeiou"[draw(&d, 5)]);
        if (i < sizeof(known) / sizeof(*known))
            snprintf(words[i], sizeof(words[i]), "%s", known[i]);
    }
}

/* A few words are most of a text. */
static const char *any_word(struct dice *d)
{
    uint64_t most = draw(d, 3) ? 1 + draw(d, WORDS) : WORDS;
    return words[draw(d, most)];
}

static const char *text_of(struct arena *a, struct dice *d, uint64_t i, enum kind kind)
{
    struct strbuf sb = STRBUF_INIT;
    uint64_t count = 5 + draw(d, 20);
    if (kind == KIND_RAW && i % 500 == 0)
        count = 500 + draw(d, 3000);
    for (uint64_t n = 0; n < count; n++)
        strbuf_addf(&sb, "%s%s", n ? " " : "", any_word(d));
    sb.buf[0] = (char)(sb.buf[0] - ('a' - 'A'));
    if (i % 97 == 0)
        strbuf_addstr(&sb, " デプロイの前に確認する");
    if (i % 50000 == 77)
        strbuf_addstr(&sb, " zyxwvut"); /* the rare word that the bench looks for */
    strbuf_addch(&sb, '.');
    const char *text = arena_strdup(a, sb.buf);
    strbuf_release(&sb);
    return text;
}

/* ---- links ---- */

/* The last memory before `i` of that kind, `back` of them further; i itself where there is none. */
static uint64_t earlier(uint64_t i, enum kind kind, uint64_t back)
{
    for (uint64_t at = i; at > 0 && i - at < 4 * DAY; at--)
        if (kind_of(at - 1) == kind && back-- == 0)
            return at - 1;
    return i;
}

static struct ref missing_ref(struct arena *a, uint64_t i)
{
    return (struct ref){KIND_RAW, id_of(a, i + (UINT64_C(1) << 40))};
}

struct maker {
    struct memory *m;
    struct arena *arena;
    struct dice *dice;
    uint64_t i, count;
};

static struct justification *add_group(struct maker *k, enum role role, enum reading reading,
                                       size_t most)
{
    struct justification *j = &k->m->justifications[k->m->justification_count++];
    *j = (struct justification){.role = role, .reading = reading, .at = k->m->created_at};
    j->antecedents = arena_array(k->arena, most, sizeof(*j->antecedents));
    return j;
}

static void add_antecedent(struct justification *j, struct ref ref)
{
    for (size_t i = 0; i < j->count; i++)
        if (ref_equal(j->antecedents[i].ref, ref))
            return;
    j->antecedents[j->count++] = (struct antecedent){.ref = ref};
}

/* What the memory was made from: things of its own day, one or two at a time now and then missing. */
static void add_derivation(struct maker *k, enum kind from, uint64_t size)
{
    struct justification *j =
        add_group(k, ROLE_DERIVED_FROM, chance(k->dice, 10) ? READING_ALL : READING_ANY, size + 3);
    for (uint64_t n = 0; n < size; n++) {
        uint64_t at = earlier(k->i, from, n * 2 + draw(k->dice, 3));
        if (at != k->i)
            add_antecedent(j, ref_of(k->arena, at));
    }
    if (k->i % 200 == 13)
        add_antecedent(j, missing_ref(k->arena, k->i));
}

static void add_evidence(struct maker *k, uint64_t size)
{
    for (uint64_t n = 0; n < size; n++) {
        uint64_t at = earlier(k->i, KIND_EPISODE, 1 + n * 3 + draw(k->dice, 3));
        if (at != k->i)
            add_antecedent(add_group(k, ROLE_EVIDENCE, READING_ANY, 1), ref_of(k->arena, at));
    }
}

/* Beliefs rest on beliefs: along a chain, on one that they replace, one in a day or so on the one
 * before, and now and then two on each other. */
static void add_beliefs(struct maker *k)
{
    uint64_t chain = k->count < CHAIN_EACH ? k->count / 4 : 4 * CHAIN;
    uint64_t before = earlier(k->i, KIND_BELIEF, 0), next = k->i + 20;
    bool chained = k->i % CHAIN_EACH < chain, replaces = hash(before, 7) % 50 == 0;
    bool opens = k->i % 5000 == 3007 && next < k->count, closes = k->i % 5000 == 3027;
    if (before == k->i || !(chained || replaces || opens || closes || draw(k->dice, 16) == 0))
        return;
    struct justification *j = add_group(k, ROLE_DERIVED_FROM, READING_ANY, 3);
    add_antecedent(j, ref_of(k->arena, before));
    if (opens)
        add_antecedent(j, ref_of(k->arena, next));
    if (closes)
        add_antecedent(j, ref_of(k->arena, k->i - 20));
    if (replaces) {
        k->m->relations = arena_array(k->arena, 1, sizeof(*k->m->relations));
        k->m->relations[k->m->relation_count++] = (struct relation){
            .type = RELATION_SUPERSEDES, .to = ref_of(k->arena, before), .at = k->m->created_at};
    }
}

static void add_links(struct maker *k)
{
    k->m->justifications = arena_array(k->arena, 16, sizeof(*k->m->justifications));
    switch (k->m->ref.kind) {
    case KIND_EPISODE:
        add_derivation(k, KIND_RAW, 4 + draw(k->dice, 4));
        break;
    case KIND_BELIEF:
        add_derivation(k, draw(k->dice, 3) ? KIND_EPISODE : KIND_NOTE, 2 + draw(k->dice, 3));
        add_evidence(k, 2 + draw(k->dice, 3));
        add_beliefs(k);
        break;
    case KIND_NOTE:
    case KIND_GOAL:
    case KIND_VALUE:
        add_derivation(k, KIND_RAW, 4 + draw(k->dice, 3));
        break;
    default:
        break;
    }
}

/* ---- a memory ---- */

static const char *const agents[] = {"ash",    "ash",   "ash", "claire",
                                     "claire", "robin", "sam", "deploy-bot"};

/* It ends with the confidence that the memory has. */
static void make_history(struct memory *m, struct arena *a, struct dice *d)
{
    static const char *const reasons[] = {"seen in production", "confirmed again"};
    struct history_entry steps[2];
    m->history_count = 1 + draw(d, 2);
    for (size_t i = 0; i < m->history_count; i++) {
        double left = 0.011 * (double)(m->history_count - 1 - i);
        steps[i] =
            (struct history_entry){.at = m->created_at + (int64_t)(i + 1) * STEP_MS,
                                   .old = round((m->confidence - left - 0.013) * 1000) / 1000,
                                   .new_ = round((m->confidence - left) * 1000) / 1000,
                                   .reason = reasons[i]};
    }
    m->history = arena_memdup(a, steps, m->history_count * sizeof(*steps));
}

static void make_memory(struct memory *m, struct arena *a, uint64_t i, uint64_t count)
{
    static const char *const tags[] = {"deploy", "incident", "review"};
    struct dice d = {i, 2000};
    struct maker k = {m, a, &d, i, count};
    memory_init(m, ref_of(a, i));
    m->agent_id = agents[hash(i / DAY, 3) % 8];
    m->text = text_of(a, &d, i, m->ref.kind);
    m->created_at = FIRST_MS + (int64_t)i * STEP_MS + (int64_t)draw(&d, 100 * STEP_MS);
    m->updated_at = m->created_at + (int64_t)(chance(&d, 20) ? draw(&d, 9000 * STEP_MS) : 0);
    m->source = chance(&d, 30) ? "told by Claire over coffee" : NULL;
    m->source_type = source_type_name((enum source_type)draw(&d, SOURCE_TYPE_COUNT));
    if (!kind_spec(m->ref.kind)->is_source)
        m->confidence = (double)(30 + draw(&d, 70)) / 100;
    if (chance(&d, 25)) {
        m->tags = arena_memdup(a, tags, sizeof(tags));
        m->tag_count = 1 + draw(&d, 3);
    }
    if (m->ref.kind == KIND_BELIEF) {
        m->detail = "{\"belief_type\":\"fact\",\"times_reinforced\":1}";
        m->status = hash(i, 7) % 50 == 0 ? STATUS_SUPERSEDED : STATUS_ACTIVE;
        if (chance(&d, 20))
            make_history(m, a, &d);
    }
    add_links(&k);
}

/* ---- the store ---- */

struct slice {
    uint64_t first, end, count;
    int64_t links;
};

static int put_slice(struct txn *t, void *arg, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "bench", .origin = "command"};
    struct slice *s = arg;
    struct arena arena = ARENA_INIT;
    int result = 0;
    for (uint64_t i = s->first; i < s->end && result == 0; i++) {
        struct memory m;
        arena_clear(&arena);
        make_memory(&m, &arena, i, s->count);
        result = txn_put(t, &actor, "add", NULL, &m, NULL, e);
        for (size_t k = 0; k < m.justification_count; k++)
            s->links += (int64_t)m.justifications[k].count;
    }
    arena_release(&arena);
    return result;
}

static int drop_indexes(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    return schema_drop_indexes(txn_db(t), e);
}

static int make_indexes(struct txn *t, void *arg, struct error *e)
{
    (void)arg;
    return schema_create_indexes(txn_db(t), e);
}

static int fill(struct store *s, uint64_t count, int64_t *links, struct error *e)
{
    struct slice slice = {.count = count};
    if (store_run_alone(s, drop_indexes, NULL, e))
        return -1;
    for (; slice.first < count; slice.first = slice.end) {
        slice.end = slice.first + SLICE < count ? slice.first + SLICE : count;
        if (store_run(s, put_slice, &slice, e))
            return -1;
    }
    *links = slice.links;
    return store_run_alone(s, make_indexes, NULL, e);
}

int main(int argc, char **argv)
{
    struct error e = {0};
    int64_t links = 0;
    uint64_t count = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: bench_generate COUNT PATH [SEED]\n");
        return 2;
    }
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    make_words();
    struct store *s = store_open(argv[2], &(struct store_options){.create = true}, NULL, &e);
    if (!s || fill(s, count, &links, &e)) {
        fprintf(stderr, "%s: %s\n", argv[2], e.what);
        return 1;
    }
    store_close(s);
    /* What the last transaction left in the log is moved into the file, as a later writer would. */
    struct db *db = db_open(argv[2], DB_WRITE, &e);
    if (!db || db_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", &e)) {
        fprintf(stderr, "%s: %s\n", argv[2], e.what);
        return 1;
    }
    db_close(db);
    printf("%s: %llu memories, %lld links\n", argv[2], (unsigned long long)count, (long long)links);
    return 0;
}
