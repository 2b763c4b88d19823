#include "tui/render/aspect.h"

#include "model/base/strbuf.h"
#include "tui/render/kind_brief.h"
#include "tui/text/member.h"

bool kinds_have_aspects(unsigned kinds)
{
    const unsigned have = KIND_BIT(KIND_CHAIN) | KIND_BIT(KIND_STEP) | KIND_BIT(KIND_DOCUMENT) |
                          KIND_BIT(KIND_CITATION) | KIND_BIT(KIND_ATTRIBUTION);
    return kinds && (kinds & ~have) == 0;
}

static void add_chain(struct strbuf *out, const struct kind_detail *d)
{
    strbuf_addf(out, "%s, %zu step%s", chain_state_name(d->chain.state), d->chain.steps,
                d->chain.steps == 1 ? "" : "s");
}

static void add_document(struct strbuf *out, const struct kind_detail *d)
{
    strbuf_addf(out, "%zu%s use%s%s", d->document.uses, d->document.bounded ? "+" : "",
                d->document.uses == 1 ? "" : "s", d->document.changed ? ", changed" : "");
}

static void add_aspect(struct strbuf *out, const struct memory *m, const struct kind_detail *d,
                       struct arena *arena)
{
    const char *type;
    switch (m->ref.kind) {
    case KIND_CHAIN:
        add_chain(out, d);
        break;
    case KIND_STEP:
        if (d->step.number > 0)
            strbuf_addf(out, "step %lld", (long long)d->step.number);
        break;
    case KIND_DOCUMENT:
        add_document(out, d);
        break;
    case KIND_CITATION:
        strbuf_addstr(out, d->place);
        break;
    default:
        type = member_text(m, "source_type", arena);
        strbuf_addstr(out, type ? type : "");
    }
}

const char *aspect_read(struct reader *r, struct arena *arena, int64_t node, struct error *e)
{
    struct memory m;
    struct kind_detail d;
    struct strbuf text = STRBUF_INIT;
    if (memory_read(r, arena, node, &m, e) || kind_detail_read(r, arena, &m, &d, e))
        return NULL;
    if (d.known)
        add_aspect(&text, &m, &d, arena);
    const char *made = text.failed ? NULL : arena_strdup(arena, text.buf);
    strbuf_release(&text);
    if (!made)
        error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                  "there is no memory for the list");
    return made;
}
