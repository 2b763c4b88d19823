/* Compares the matrix of random chains with a list of their uses; also its orders, and the letters of its columns. */
#include <strings.h>
#include "tests/support/test.h"
#include "tui/render/chain_page.h"
#include "tui/view/chain/chain_matrix.h"
#include "tui/text/style.h"
#include "tests/support/random.h"

TEST(test_letters)
{
    static const struct {
        size_t document;
        const char *letter;
    } all[] = {{0, "A"},    {25, "Z"},    {26, "AA"},    {51, "AZ"},     {52, "BA"},
               {701, "ZZ"}, {702, "AAA"}, {1999, "BXX"}, {18277, "ZZZ"}, {18278, "AAAA"}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        char letter[16];
        matrix_letter(letter, all[i].document);
        assert_string_equal(letter, all[i].letter);
    }
    char letter[16];
    matrix_letter(letter, SIZE_MAX - 1); /* for any number */
    assert_true(strlen(letter) < sizeof(letter));
}

static double any_number(struct random *r)
{
    return random_chance(r, 15) ? NAN : (double)random_below(r, 11) / 10;
}

/* Up to 12 steps over up to 9 documents, some used several times by a step. */
static void make_chain(struct random *r, struct arena *arena, struct chain *c)
{
    *c = (struct chain){.step_count = random_below(r, 13), .document_count = random_below(r, 10)};
    c->step = arena_array(arena, c->step_count + 1, sizeof(*c->step));
    c->document = arena_array(arena, c->document_count + 1, sizeof(*c->document));
    for (size_t i = 0; i < c->document_count; i++)
        c->document[i] = (struct chain_document){
            .node = 100 + (int64_t)i,
            .id = random_text(r, arena, 2),
            .title = random_chance(r, 30) ? NULL : random_text(r, arena, 2),
        };
    for (size_t i = 0; i < c->step_count; i++) {
        struct chain_step *s = &c->step[i];
        *s = (struct chain_step){.node = 1 + (int64_t)i,
                                 .number = (int64_t)i + 1,
                                 .effective = any_number(r),
                                 .execution_time = any_number(r)};
        s->source_count = c->document_count ? random_below(r, 8) : 0;
        s->source = arena_array(arena, s->source_count + 1, sizeof(*s->source));
        bool used[10] = {false};
        for (size_t k = 0; k < s->source_count; k++) {
            size_t column = random_below(r, (uint32_t)c->document_count);
            s->source[k].column = column;
            s->source[k].source.relevance = any_number(r);
            s->source[k].source.origin = (enum score)(1 + random_below(r, 4));
            c->document[column].steps += !used[column];
            used[column] = true;
        }
    }
}

/* Checks every cell against the step's sources. */
static void check_cells(const struct matrix *m)
{
    for (size_t i = 0; i < m->chain->step_count; i++)
        for (size_t d = 0; d < m->chain->document_count; d++) {
            const struct chain_step *s = &m->chain->step[i];
            size_t uses = 0, best = SIZE_MAX, told;
            const struct chain_source *use = matrix_at(m, i, d, &told);
            for (size_t k = 0; k < s->source_count; k++) {
                double mine = s->source[k].source.relevance;
                if (s->source[k].column != d)
                    continue;
                uses++;
                if (best == SIZE_MAX || mine > s->source[best].source.relevance ||
                    (mine == mine && isnan(s->source[best].source.relevance)))
                    best = k;
            }
            assert_int_equal(told, uses);
            assert_ptr_equal(use, uses ? &s->source[best] : NULL);
            assert_true(m->most_uses >= uses);
        }
}

/* Each number occurs once. */
static void check_places(const size_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(at[i] < count);
        for (size_t k = 0; k < i; k++)
            assert_true(at[k] != at[i]);
    }
}

static double step_value(const struct chain *c, size_t step, enum step_order order)
{
    return order == STEPS_BY_CONFIDENCE ? -c->step[step].effective
           : order == STEPS_BY_TIME     ? -c->step[step].execution_time
                                        : (double)step;
}

/* Unknown values are last in either direction; equal ones keep the order of the chain. */
static void check_steps(const struct matrix *m, enum step_order order, bool reversed)
{
    for (size_t i = 0; i + 1 < m->chain->step_count; i++) {
        double a = step_value(m->chain, m->step[i], order);
        double b = step_value(m->chain, m->step[i + 1], order);
        if (isnan(a))
            assert_true(isnan(b));
        if (isnan(b) && !isnan(a))
            continue;
        if (a == b || isnan(a))
            assert_true(m->step[i] < m->step[i + 1]);
        else
            assert_true(reversed ? a > b : a < b);
    }
}

static const char *name_of(const struct chain_document *d)
{
    return d->title ? d->title : d->id;
}

static void check_documents(const struct matrix *m, enum document_order order, bool reversed)
{
    for (size_t i = 0; i + 1 < m->chain->document_count; i++) {
        size_t a = m->document[i], b = m->document[i + 1];
        const struct chain_document *x = &m->chain->document[a], *y = &m->chain->document[b];
        int by = order == DOCUMENTS_BY_TITLE   ? strcasecmp(name_of(x), name_of(y))
                 : order == DOCUMENTS_BY_STEPS ? (y->steps > x->steps) - (y->steps < x->steps)
                                               : 0;
        if (order == DOCUMENTS_BY_RELEVANCE)
            assert_true(reversed ? a > b : a < b);
        else if (by != 0)
            assert_true(reversed ? by > 0 : by < 0);
        else if (order != DOCUMENTS_BY_FIRST_USE)
            assert_true(a < b);
    }
}

TEST(test_random_chains)
{
    struct random r = {11};
    for (int round = 0; round < 400; round++) {
        AUTO_ARENA arena = ARENA_INIT;
        struct chain chain;
        struct matrix m;
        make_chain(&r, &arena, &chain);
        matrix_make(&m, &arena, &chain);
        for (int steps = 0; steps < STEP_ORDERS; steps++)
            for (int documents = 0; documents < DOCUMENT_ORDERS; documents++) {
                bool turned = random_chance(&r, 50), other = random_chance(&r, 50);
                matrix_order(&m, (enum step_order)steps, turned, (enum document_order)documents,
                             other);
                check_places(m.step, chain.step_count);
                check_places(m.document, chain.document_count);
                check_steps(&m, (enum step_order)steps, turned);
                check_documents(&m, (enum document_order)documents, other);
            }
        check_cells(&m);
    }
}

/* Different origins have different signs of equal width. */
TEST(test_scores)
{
    static const struct {
        double relevance;
        enum score origin;
        const char *text;
    } all[] = {{.95, SCORE_MEASURED, " .95"},  {.6, SCORE_HEURISTIC, "~.60"},
               {.5, SCORE_DEFAULT, "=.50"},    {.9, SCORE_ASSERTED, "?.90"},
               {1, SCORE_MEASURED, " 1.0"},    {0, SCORE_MEASURED, " .00"},
               {.999, SCORE_ASSERTED, "?1.0"}, {.125, SCORE_MEASURED, " .12"},
               {NAN, SCORE_NONE, "  - "},      {.7, SCORE_NONE, "?.70"}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        AUTO_STRBUF out = STRBUF_INIT;
        score_add(&out, all[i].relevance, all[i].origin);
        assert_string_equal(out.buf, all[i].text);
    }
    for (int a = SCORE_MEASURED; a <= SCORE_ASSERTED; a++)
        for (int b = SCORE_MEASURED; b < a; b++)
            for (int utf8 = 0; utf8 < 2; utf8++) {
                AUTO_STRBUF one = STRBUF_INIT, two = STRBUF_INIT;
                score_bar(&one, utf8, .5, (enum score)a, 10);
                score_bar(&two, utf8, .5, (enum score)b, 10);
                assert_string_not_equal(one.buf, two.buf);
            }
}
