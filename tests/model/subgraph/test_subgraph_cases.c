/* Subgraphs of small lineages, each described in a line: the memories in view around a focus,
 * and the effect of expansions. */
#include "tests/support/synthetic.h"
#include "tests/support/test.h"

#define DERIVED    (1u << STROKE_DERIVED)
#define EVIDENCE   (1u << STROKE_EVIDENCE)
#define SUPERSEDES (1u << STROKE_SUPERSEDES)

/* A lineage, a request, and the result. */
struct drawn {
    struct synthetic s;
    struct subgraph_request w;
    struct strbuf text;
};

static void begin(struct drawn *d)
{
    *d = (struct drawn){SYNTHETIC_INIT, SUBGRAPH_REQUEST_INIT, STRBUF_INIT};
}

static void end(struct drawn *d)
{
    subgraph_request_release(&d->w);
    synthetic_release(&d->s);
    strbuf_release(&d->text);
}

/* "b1" is a belief of that name, "r4" a raw, "e3" an episode. A greater number is later. */
static uint32_t node(struct drawn *d, const char *name)
{
    char id[40];
    enum kind kind = *name == 'b' ? KIND_BELIEF : *name == 'r' ? KIND_RAW : KIND_EPISODE;
    snprintf(id, sizeof(id), "%s:%s", kind_name(kind), name);
    for (uint32_t i = 0; i < d->s.nodes; i++)
        if (strcmp(d->s.memory[i].id, id) == 0)
            return i;
    return synthetic_add(&d->s, id, kind, STATUS_ACTIVE, strtol(name + 1, NULL, 10));
}

static int64_t row(struct drawn *d, const char *name)
{
    uint32_t n = node(d, name);
    return d->s.row[n];
}

static void rests_by(struct drawn *d, const char *from, const char *to, unsigned strokes)
{
    uint32_t a = node(d, from), b = node(d, to);
    synthetic_link(&d->s, a, b, strokes);
}

static void base(struct drawn *d, const char *from, const char *to)
{
    rests_by(d, from, to, DERIVED);
}

/* Bases `from` on `count` memories of a kind, numbered from 1. */
static void rests_on_many(struct drawn *d, const char *from, char kind, unsigned count)
{
    char name[20];
    for (unsigned i = 1; i <= count; i++) {
        snprintf(name, sizeof(name), "%c%u", kind, i);
        base(d, from, name);
    }
}

static void write_one(struct strbuf *out, const struct synthetic *s, const struct subgraph_node *n)
{
    static const char *const types[] = {"", "?", "+", "*", ":"};
    const char *name = strchr(s->memory[synthetic_node(s, n->row)].id, ':') + 1;
    strbuf_addf(out, "%s", out->len ? " " : "");
    if (n->hidden[DESCENDANTS])
        strbuf_addf(out, "<%zu", n->hidden[DESCENDANTS]);
    strbuf_addstr(out, types[n->type]);
    if (n->total > 1)
        strbuf_addf(out, "%zu", n->total);
    strbuf_addf(out, "%s%s", n->total > 1 ? kind_name(n->kind) : name, n->loop ? "@" : "");
    if (n->hidden[ANCESTORS])
        strbuf_addf(out, ">%zu", n->hidden[ANCESTORS]);
}

/* The expected view, such as "b1 +34raw <3r4": a memory, the rest of a kind, and a memory with
 * three hidden dependents. Equivalent nodes are marked *, chains :. */
static void expect(struct drawn *d, const char *text)
{
    struct subgraph subgraph;
    struct error e = {0};
    struct subgraph_source source = synthetic_source(&d->s);
    if (subgraph_make(&subgraph, &d->w, &source, &e))
        fail_msg("%s", e.what);
    strbuf_clear(&d->text);
    for (uint32_t i = 0; i < subgraph.nodes; i++)
        write_one(&d->text, &d->s, &subgraph.node[i]);
    if (subgraph.partial)
        strbuf_addstr(&d->text, " ...");
    subgraph_release(&subgraph);
    assert_string_equal(d->text.buf, text);
}

static void expansion(struct drawn *d, const char *name, enum direction side, int kind,
                      size_t count)
{
    subgraph_expand(&d->w, (struct expansion){row(d, name), side, kind, count});
}

/* ---- groups ---- */

static void make_chain(struct drawn *d, unsigned length)
{
    char name[20], next[20];
    begin(d);
    for (unsigned i = length - 1; i > 0; i--) {
        snprintf(name, sizeof(name), "b%u", i);
        snprintf(next, sizeof(next), "b%u", i - 1);
        uint32_t from = i == length - 1 ? node(d, name) : d->s.nodes - 1;
        uint32_t to = synthetic_add(&d->s, "", KIND_BELIEF, STATUS_SUPERSEDED, i - 1);
        char id[40];
        snprintf(id, sizeof(id), "belief:%s", next);
        d->s.memory[to].id = arena_strdup(&d->s.arena, id);
        synthetic_link(&d->s, from, to, SUPERSEDES | DERIVED);
    }
    d->w.focus = 1;
}

TEST(test_a_chain_is_one_node)
{
    struct drawn d;
    make_chain(&d, 1000);
    d.w.budget = 5;
    expect(&d, "b999 :998belief b0");
    d.w.gather = false;
    expect(&d, "b999 b998 b997 b996 b995>1 ...");
    d.w.gather = true;
    int64_t apart[] = {2, 3, 500};
    subgraph_ungroup(&d.w, apart, 3);
    expect(&d, "b999 b998 b997 :496belief b500 :499belief b0");
    d.w.depth = 6;
    d.w.apart_count = 0;
    expect(&d, "b999 :5belief b993>1 ...");
    end(&d);
    make_chain(&d, 4);
    expect(&d, "b3 b2 b1 b0");
    end(&d);
    make_chain(&d, 5);
    expect(&d, "b4 :3belief b0");
    /* Another memory is based on one of them. */
    base(&d, "b9", "b2");
    expect(&d, "b4 <1:3belief b0");
    subgraph_ungroup(&d.w, (int64_t[]){row(&d, "b3")}, 1);
    expect(&d, "b4 b3 <1b2 b1 b0");
    expansion(&d, "b2", DESCENDANTS, -1, 1);
    expect(&d, "b4 b3 b2 b1 b0 b9");
    end(&d);
}

TEST(test_branches_are_no_chain)
{
    struct drawn d;
    make_chain(&d, 5);
    rests_by(&d, "b3", "b2", EVIDENCE);
    expect(&d, "b4 b3 b2 b1 b0");
    end(&d);
    /* One of them has another antecedent, which is hidden. */
    make_chain(&d, 6);
    rests_by(&d, "b2", "r1", EVIDENCE);
    d.w.budget = 5;
    expect(&d, "b5 b4 b3 b2>1 b1>1 ...");
    end(&d);
    /* Live members each have their own content. */
    make_chain(&d, 7);
    for (uint32_t i = 0; i < d.s.nodes; i++)
        d.s.memory[i].status = STATUS_ACTIVE;
    expect(&d, "b6 b5 b4 b3 b2 b1 b0");
    end(&d);
    make_chain(&d, 8);
    for (uint32_t i = 0; i < d.s.nodes; i++)
        d.s.memory[i].status = STATUS_ACTIVE;
    expect(&d, "b7 :6belief b0");
    end(&d);
    /* One replaces two. */
    make_chain(&d, 6);
    rests_by(&d, "b3", "b9", SUPERSEDES | DERIVED);
    expect(&d, "b5 b4 b3 b9 b2 b1 b0");
    end(&d);
}

TEST(test_equivalent_memories_are_one_node)
{
    struct drawn d;
    begin(&d);
    d.w.focus = row(&d, "b9");
    base(&d, "b9", "b1");
    base(&d, "b9", "b2");
    rests_on_many(&d, "b1", 'r', 4);
    rests_on_many(&d, "b2", 'r', 4);
    expect(&d, "b9 b2 b1 *4raw");
    subgraph_ungroup(&d.w, (int64_t[]){row(&d, "r4")}, 1);
    expect(&d, "b9 b2 b1 r4 *3raw");
    subgraph_ungroup(&d.w, (int64_t[]){row(&d, "r1")}, 1);
    expect(&d, "b9 b2 b1 r4 r3 r2 r1");
    d.w.apart_count = 0;
    base(&d, "b3", "r2");
    expect(&d, "b9 b2 b1 <1*4raw");
    base(&d, "b1", "r5");
    expect(&d, "b9 b2 b1 r5 <1*4raw");
    /* With another stroke a memory is different; the others share too few neighbours. */
    rests_by(&d, "b2", "r1", EVIDENCE);
    expect(&d, "b9 b2 b1 r5 r4 r3 <1r2 r1");
    /* With fewer shared neighbours, more members are needed. */
    base(&d, "b9", "b0");
    rests_on_many(&d, "b0", 'r', 4);
    expect(&d, "b9 b2 b1 b0 r5 <1*3raw r1");
    d.s.memory[node(&d, "r3")].status = STATUS_MISSING;
    expect(&d, "b9 b2 b1 b0 r5 r4 ?r3 <1r2 r1");
    end(&d);
}

/* Memories on different sides of a shared neighbour are not equivalent. */
TEST(test_different_memories_stay_apart)
{
    struct drawn d;
    begin(&d);
    d.w.focus = row(&d, "b9");
    rests_on_many(&d, "b9", 'e', 3);
    base(&d, "e2", "b1");
    base(&d, "e3", "b1");
    base(&d, "b1", "e1");
    base(&d, "b9", "e4");
    base(&d, "e4", "b1");
    expect(&d, "b9 e4 e3 e2 e1 b1");
    end(&d);
}

/* Neighbours of a single memory are shown as themselves, unless there are many. The first ones
 * of a fan always are. */
TEST(test_equivalents_below_one)
{
    struct drawn d;
    begin(&d);
    d.w.focus = row(&d, "b1");
    d.w.fan = 0;
    rests_on_many(&d, "b1", 'r', 7);
    expect(&d, "b1 r7 r6 r5 r4 r3 r2 r1");
    rests_on_many(&d, "b1", 'r', 8);
    expect(&d, "b1 *8raw");
    for (char name[] = "r1"; name[1] <= '8'; name[1]++)
        base(&d, name, "e1");
    expect(&d, "b1 *8raw e1");
    d.w.fan = 7;
    expect(&d, "b1 r8 r7 r6 r5 r4 r3 <2e1 +2raw ...");
    end(&d);
}

/* Stronger strokes come first, whatever the time; guessed ones come last. */
TEST(test_strong_links_come_first)
{
    struct drawn d;
    begin(&d);
    d.w.focus = row(&d, "b1");
    rests_by(&d, "b1", "r9", 1u << STROKE_GUESSED);
    rests_by(&d, "b1", "r8", EVIDENCE);
    rests_by(&d, "b1", "r3", DERIVED);
    rests_by(&d, "b1", "r4", DERIVED | 1u << STROKE_GUESSED);
    rests_by(&d, "b1", "r2", 1u << STROKE_ALL);
    rests_by(&d, "b1", "r7", 1u << STROKE_REINFORCED);
    rests_by(&d, "b1", "b0", SUPERSEDES);
    expect(&d, "b1 b0 r2 r4 r3 r7 r8 r9");
    d.w.budget = 5;
    expect(&d, "b1>3 b0 r2 r4 r3 ...");
    end(&d);
}

TEST(test_requests_are_copied)
{
    struct subgraph_request a = SUBGRAPH_REQUEST_INIT, b;
    subgraph_expand(&a, (struct expansion){7, ANCESTORS, -1, 3});
    subgraph_ungroup(&a, (int64_t[]){4, 5}, 2);
    subgraph_request_copy(&b, &a);
    a.expansion[0].row = 1;
    a.apart[1] = 1;
    assert_int_equal(b.expansion[0].row, 7);
    assert_int_equal(b.apart[1], 5);
    subgraph_expand(&b, (struct expansion){8, ANCESTORS, -1, 3});
    assert_int_equal(b.count, 2);
    assert_int_equal(a.count, 1);
    subgraph_request_release(&a);
    subgraph_request_release(&b);
    subgraph_request_copy(&b, &a);
    assert_null(b.expansion);
}
