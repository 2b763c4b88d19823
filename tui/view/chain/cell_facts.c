#include "tui/view/chain/cell_facts.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/reasoning/cite.h"
#include "tui/text/text.h"

#define TEXT_MOST 200 /* columns of another's text */

struct gathering {
    struct reader *r;
    struct cell_facts *f;
    int64_t chain; /* whose own steps are left out */
    struct error *e;
};

static void add(struct gathering *g, enum cell_fact_sort sort, int64_t node, const char *text,
                int64_t at, bool guessed)
{
    char *copy = arena_strdup(&g->f->arena, text);
    struct cell_fact *fact = g->f->of[sort].fact;
    if (!fact)
        fact = arena_array(&g->f->arena, CELL_FACTS_MOST, sizeof(*fact));
    g->f->of[sort].fact = fact;
    if (g->f->of[sort].count == CELL_FACTS_MOST)
        g->f->of[sort].more = true;
    else
        fact[g->f->of[sort].count++] = (struct cell_fact){node, copy, at, guessed};
}

/* "belief:7d10e6a2", as short as it may be. */
static void add_ref(struct gathering *g, struct ref ref, struct strbuf *out)
{
    size_t len = ref_short_length(g->r, ref);
    strbuf_addf(out, "%s:", kind_name(ref.kind));
    text_clean(out, ref.id, len, TEXT_EXACT);
}

/* The ref and the text of a row; false where it cannot be read. */
static bool describe(struct gathering *g, int64_t node, struct memory_row *row, struct strbuf *out)
{
    struct error e;
    if (memory_row_read(g->r, &g->f->arena, node, row, &e))
        return false;
    add_ref(g, row->ref, out);
    if (row->text && *row->text) {
        strbuf_addstr(out, "  ");
        text_fit(out, row->text, strlen(row->text), TEXT_MOST, 0);
    }
    return true;
}

static int gather_retrievals(struct gathering *g)
{
    struct document_retrieval *found;
    struct memory_row row;
    size_t count;
    bool more;
    if (document_retrievals(g->r, &g->f->arena, g->f->document, CELL_FACTS_MOST, &found, &count,
                            &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = STRBUF_INIT;
        if (describe(g, found[i].attribution, &row, &text))
            add(g, FACT_LOGGED, found[i].attribution, text.buf, row.created_at, !found[i].recorded);
        strbuf_release(&text);
    }
    g->f->of[FACT_LOGGED].more = g->f->of[FACT_LOGGED].more || more;
    return 0;
}

/* "chain:19ab44f0 step 1", and what it asked. */
static void add_use(struct gathering *g, const struct document_use *use)
{
    struct strbuf text = STRBUF_INIT;
    struct memory_row row;
    struct error e;
    if (use->chain && !memory_row_read(g->r, &g->f->arena, use->chain, &row, &e)) {
        add_ref(g, row.ref, &text);
        strbuf_addf(&text, " step %lld", (long long)use->step_number);
    } else {
        add_ref(g, use->ref, &text);
    }
    if (use->text && *use->text) {
        strbuf_addstr(&text, "  ");
        text_fit(&text, use->text, strlen(use->text), TEXT_MOST, 0);
    }
    add(g, FACT_USED, use->node, text.buf, use->created_at, use->guessed);
    strbuf_release(&text);
}

static int gather_uses(struct gathering *g, size_t own)
{
    struct document_use *found;
    size_t count;
    bool more;
    if (document_uses(g->r, &g->f->arena, g->f->document, KIND_BIT(KIND_STEP), INT64_MAX,
                      own + CELL_FACTS_MOST, &found, &count, &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (found[i].chain != g->chain || g->chain == 0)
            add_use(g, &found[i]);
    g->f->of[FACT_USED].more = g->f->of[FACT_USED].more || more;
    return 0;
}

static int gather_beliefs(struct gathering *g)
{
    int64_t *found;
    struct memory_row row;
    size_t count;
    bool more;
    if (document_beliefs(g->r, &g->f->arena, g->f->document, CELL_FACTS_MOST, &found, &count, &more,
                         g->e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = STRBUF_INIT;
        if (describe(g, found[i], &row, &text))
            add(g, FACT_BELIEVED, found[i], text.buf, row.created_at, false);
        strbuf_release(&text);
    }
    g->f->of[FACT_BELIEVED].more = g->f->of[FACT_BELIEVED].more || more;
    return 0;
}

/* "(Worker supervisor, Drain)"; ", superseded" behind one that another took the place of. */
static void add_citation(struct gathering *g, const struct document_use *use)
{
    struct strbuf text = STRBUF_INIT, clean = STRBUF_INIT;
    struct memory m;
    struct citation c;
    struct error e;
    if (!memory_read(g->r, &g->f->arena, use->node, &m, &e)) {
        citation_from_memory(&m, &g->f->arena, &c);
        citation_format(&text, c.name, c.page, c.section);
        text_fit(&clean, text.buf, text.len, TEXT_MOST, 0);
        if (use->status != STATUS_ACTIVE)
            strbuf_addf(&clean, ", %s", status_name(use->status));
        add(g, FACT_QUOTED, use->node, clean.buf, use->created_at, use->guessed);
    }
    strbuf_release(&text);
    strbuf_release(&clean);
}

static int gather_citations(struct gathering *g)
{
    struct document_use *found;
    size_t count;
    bool more;
    if (document_uses(g->r, &g->f->arena, g->f->document, KIND_BIT(KIND_CITATION), INT64_MAX,
                      CELL_FACTS_MOST, &found, &count, &more, g->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add_citation(g, &found[i]);
    g->f->of[FACT_QUOTED].more = g->f->of[FACT_QUOTED].more || more;
    return 0;
}

struct cell_facts *cell_facts_read(struct reader *r, int64_t document, int64_t chain, size_t own,
                                   struct error *e)
{
    struct cell_facts *f = xcalloc(1, sizeof(*f));
    struct gathering g = {r, f, chain, e};
    f->arena = (struct arena)ARENA_INIT;
    f->document = document;
    if (reader_begin(r, e)) {
        cell_facts_free(f);
        return NULL;
    }
    int failed =
        gather_retrievals(&g) || gather_uses(&g, own) || gather_beliefs(&g) || gather_citations(&g);
    reader_end(r);
    if (!failed)
        return f;
    cell_facts_free(f);
    return NULL;
}

void cell_facts_free(struct cell_facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}
