#include "tui/view/memory/kind_detail.h"

#include "model/reasoning/citation.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/reasoning/cite.h"
#include "store/reasoning/document.h"
#include "tui/text/member.h"

static void keep(char *out, size_t size, const char *text)
{
    size_t len = text ? utf8_fit(text, strlen(text), size - 1) : 0;
    if (len > 0)
        memcpy(out, text, len);
    out[len] = '\0';
}

static void keep_text(struct kind_detail *out, const char *text)
{
    keep(out->text, sizeof(out->text), text);
}

static int read_chain(struct reader *r, struct arena *arena, const struct memory *m,
                      struct kind_detail *out, struct error *e)
{
    struct chain_brief brief;
    if (chain_brief_read(r, arena, m->node, &brief, e))
        return -1;
    out->chain.state = brief.state;
    out->chain.steps = brief.steps;
    out->chain.sources = brief.sources;
    out->chain.confidence = brief.confidence;
    out->chain.time = brief.total_time;
    keep_text(out, brief.answer);
    return 0;
}

static int read_step(struct reader *r, struct arena *arena, const struct memory *m,
                     struct kind_detail *out, struct error *e)
{
    int64_t number = member_int(m, "step_number", 0);
    out->step.number = number > 0 ? number : 0;
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].role == ROLE_SOURCE)
            out->step.sources += m->justifications[i].count;
    keep_text(out, member_text(m, "intermediate_answer", arena));
    out->step.chain = chain_of_step(r, m->node, e);
    return out->step.chain < 0 ? -1 : 0;
}

static int read_document(struct reader *r, struct arena *arena, const struct memory *m,
                         struct kind_detail *out, struct error *e)
{
    struct document_brief brief;
    (void)arena;
    if (document_brief_read(r, m->node, USES_MOST, &brief, e))
        return -1;
    out->document.uses = brief.uses;
    out->document.bounded = brief.more;
    out->document.changed = brief.changed;
    return 0;
}

/* What the document is called here, where the citation does not say. */
static const char *title_of(struct reader *r, struct arena *arena, const struct memory *m)
{
    struct memory_row row;
    struct error e;
    if (m->justification_count == 0 || m->justifications[0].count == 0)
        return NULL;
    const struct antecedent *a = &m->justifications[0].antecedents[0];
    if (memory_row_read(r, arena, a->node, &row, &e) || !row.text || !*row.text)
        return a->ref.id;
    return row.text;
}

static int read_citation(struct reader *r, struct arena *arena, const struct memory *m,
                         struct kind_detail *out, struct error *e)
{
    struct citation c;
    struct strbuf place = STRBUF_INIT;
    if (citation_from_memory(m, arena, &c, e))
        return e->code == ERROR_MEMORY ? -1 : 0;
    const char *title = c.unnamed ? title_of(r, arena, m) : NULL;
    keep_text(out, title ? title : c.name);
    if (c.page > 0)
        strbuf_addf(&place, "page %lld", (long long)c.page);
    if (c.section && *c.section)
        strbuf_addf(&place, "%s%s", place.len ? ", " : "", c.section);
    keep(out->place, sizeof(out->place), place.buf);
    strbuf_release(&place);
    out->citation.relevance = c.relevance;
    out->citation.origin = c.origin;
    return 0;
}

static int read_attribution(struct reader *r, struct arena *arena, const struct memory *m,
                            struct kind_detail *out, struct error *e)
{
    (void)r;
    (void)e;
    out->attribution.at = member_int(m, "retrieval_timestamp", m->created_at);
    keep_text(out, member_text(m, "source_uri", arena));
    return 0;
}

int kind_detail_read(struct reader *r, struct arena *arena, const struct memory *m,
                     struct kind_detail *out, struct error *e)
{
    static int (*const readers[KIND_COUNT])(struct reader *, struct arena *, const struct memory *,
                                            struct kind_detail *, struct error *) = {
        [KIND_CHAIN] = read_chain,
        [KIND_STEP] = read_step,
        [KIND_DOCUMENT] = read_document,
        [KIND_CITATION] = read_citation,
        [KIND_ATTRIBUTION] = read_attribution,
    };
    *out = (struct kind_detail){0};
    if (!readers[m->ref.kind])
        return 0;
    if (readers[m->ref.kind](r, arena, m, out, e))
        return -1;
    out->known = true;
    return 0;
}
