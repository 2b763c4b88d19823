#include "tui/render/document_print.h"

#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "tui/render/brief.h"
#include "tui/render/portrait.h"
#include "tui/render/source_lines.h"

#define HASH_SHOWN 12 /* digits of it, as git shows its own */
#define DAY        10 /* characters of a time, as far as its day */
#define MINUTE     16
#define DAY_MS     86400000

struct printing {
    struct output *out;
    struct reader *r;
    const struct document_told *told;
    struct arena arena;
};

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* "3 steps of 2 chains, 2 citations" */
static void print_counts(struct output *out, const struct document_counts *c)
{
    const char *plus = c->bounded ? "+" : "";
    struct strbuf used = STRBUF_INIT;
    strbuf_addf(&used, "%lld%s step%s of %lld%s chain%s, %lld%s citation%s", (long long)c->steps,
                plus, plural(c->steps), (long long)c->chains, plus, plural(c->chains),
                (long long)c->citations, plus, plural(c->citations));
    if (c->others)
        strbuf_addf(&used, ", %lld%s other%s", (long long)c->others, plus, plural(c->others));
    portrait_field(out, "used by", used.buf);
    portrait_fieldf(out, "carries", "%lld%s belief%s", (long long)c->beliefs, plus,
                    plural(c->beliefs));
    out->text.failed |= used.failed;
    strbuf_release(&used);
}

/* "● grounded, active"; of a dead one "× forgotten" */
static void print_state(struct output *out, const struct document_facts *f)
{
    struct strbuf lead = STRBUF_INIT, rest = STRBUF_INIT;
    bool dead = f->label.label == LABEL_GONE;
    strbuf_addf(&lead, "%s %s", mark_of_label(f->label.label, out->ascii),
                dead ? status_name(f->memory.status) : label_name(f->label.label));
    if (!dead)
        strbuf_addf(&rest, ", %s", status_name(f->memory.status));
    strbuf_addf(&out->text, "%-13s", "state");
    output_led(out, STYLE_OF_LABEL(f->label.label), lead.buf, rest.buf, 13);
    out->text.failed |= lead.failed || rest.failed;
    strbuf_release(&lead);
    strbuf_release(&rest);
}

static void print_head(struct printing *p)
{
    const struct document_facts *f = p->told->facts;
    struct output *out = p->out;
    output_ref(out, STYLE_STRONG, f->memory.ref);
    strbuf_addch(&out->text, '\n');
    output_quote(out, f->memory.text ? f->memory.text : "", 0);
    strbuf_addch(&out->text, '\n');
    print_state(out, f);
    portrait_field(out, "uri", f->uri);
    print_counts(out, &p->told->reach->counts);
}

static void print_more(struct output *out, bool more)
{
    if (more)
        strbuf_addstr(&out->text, "  and more: --limit says how many are shown\n");
}

/* ---- uses ---- */

/* "step 3  chunk 14  page 2" */
static const char *place_of(struct printing *p, const struct document_use *u)
{
    struct strbuf place = STRBUF_INIT;
    if (u->step_number > 0)
        strbuf_addf(&place, "step %lld  ", (long long)u->step_number);
    if (u->use.chunk >= 0)
        strbuf_addf(&place, "chunk %lld  ", (long long)u->use.chunk);
    if (u->use.page > 0)
        strbuf_addf(&place, "page %lld  ", (long long)u->use.page);
    if (place.len > 1)
        strbuf_cut(&place, place.len - 2);
    const char *made = place.failed ? NULL : arena_strdup(&p->arena, place.buf);
    strbuf_release(&place);
    return made ? made : "";
}

static struct source_line line_of(struct printing *p, const struct document_use *u)
{
    return (struct source_line){.relevance = u->use.relevance,
                                .origin = u->use.score,
                                .title = u->text ? u->text : "",
                                .id = short_ref(p->r, &p->arena, u->ref),
                                .note = place_of(p, u),
                                .warning = u->status != STATUS_ACTIVE ? status_name(u->status)
                                           : u->changed               ? "changed since"
                                           : u->guessed               ? "guessed"
                                                                      : ""};
}

/* Those of a chain stand together, under its name. */
static void print_chain(struct printing *p, const struct fact_row *chain)
{
    if (chain->row.node == 0) {
        strbuf_addstr(&p->out->text, "  of no chain\n");
        return;
    }
    struct brief b = {.row = chain->row,
                      .ref = short_ref(p->r, &p->arena, chain->row.ref),
                      .label = chain->label.label};
    strbuf_addstr(&p->out->text, "  ");
    brief_print(p->out, &b, p->told->facts->memory.agent_id, 2, NULL);
}

static void print_use(struct printing *p, const struct source_columns *columns,
                      const struct document_use *u)
{
    struct source_line line = line_of(p, u);
    source_line_print(p->out, columns, &line);
    if (p->told->excerpts && u->use.excerpt && *u->use.excerpt)
        output_quote(p->out, u->use.excerpt, columns->indent + 2);
}

static void print_uses(struct printing *p, const char *title, const struct document_uses *u,
                       bool by_chain)
{
    const struct document_facts *f = p->told->facts;
    struct source_widths widest = {0};
    struct source_columns columns = {.indent = by_chain ? 4 : 2};
    if (u->count == 0)
        return;
    for (size_t i = 0; i < u->count; i++) {
        struct source_line line = line_of(p, &u->use[i]);
        source_widths_take(&widest, p->out, &line);
    }
    source_columns_fit(&columns, p->out, &widest);
    portrait_heading(p->out, title, "");
    for (size_t i = 0; i < u->count; i++) {
        size_t at = by_chain ? f->by_chain[i] : i;
        if (by_chain && (i == 0 || f->chain_of[at] != f->chain_of[f->by_chain[i - 1]]))
            print_chain(p, &f->chain[f->chain_of[at]]);
        print_use(p, &columns, &u->use[at]);
        for (size_t k = 0; k < u->use[at].further_count; k++) {
            struct document_use further = document_use_further(&u->use[at], k);
            further.text = "and another passage";
            print_use(p, &columns, &further);
        }
    }
    print_more(p->out, u->more);
}

/* ---- versions, retrievals, beliefs ---- */

/* "2026-11-14 20:10": so many characters of it as are worth showing */
static void add_moment(struct strbuf *out, int64_t at, int length)
{
    char iso[32];
    clock_format_iso(iso, sizeof(iso), at);
    iso[10] = ' ';
    strbuf_addf(out, "%.*s", length, iso);
}

/* "chunk 14  cf8c4cd01f64  latest         1 use   2026-11-14" */
static void print_version(struct printing *p, const struct document_version *v)
{
    struct strbuf line = STRBUF_INIT;
    if (v->chunk >= 0)
        strbuf_addf(&line, "chunk %-4lld  ", (long long)v->chunk);
    strbuf_addf(&line, "%.*s  %-13s  %zu use%-2s  ", HASH_SHOWN, v->hash,
                v->latest ? "latest" : "changed since", v->uses, plural((int64_t)v->uses));
    add_moment(&line, v->first_at, DAY);
    if (v->last_at / DAY_MS != v->first_at / DAY_MS) {
        strbuf_addstr(&line, p->out->ascii ? " - " : " – ");
        add_moment(&line, v->last_at, DAY);
    }
    strbuf_addstr(&p->out->text, "  ");
    output_flow(p->out, line.buf, 4);
    p->out->text.failed |= line.failed;
    strbuf_release(&line);
}

static void print_versions(struct printing *p)
{
    const struct document_facts *f = p->told->facts;
    if (f->version_count == 0)
        return;
    portrait_heading(p->out, "versions", "");
    for (size_t i = 0; i < f->version_count; i++)
        print_version(p, &f->version[i]);
    print_more(p->out, f->version_more);
}

/* "● attribution:82fefe1c  The supervisor's drain, as of version 2.4.  git_show  2026-11-14 20:10" */
static void print_retrieval(struct printing *p, size_t i)
{
    const struct document_facts *f = p->told->facts;
    const struct fact_row *row = &f->retrieval_row[i];
    struct strbuf note = STRBUF_INIT;
    if (f->retrieval_type[i])
        strbuf_addf(&note, "%s  ", f->retrieval_type[i]);
    add_moment(&note, f->retrieval_at[i], MINUTE);
    strbuf_addstr(&note, f->retrieval[i].recorded ? "" : "  matched");
    struct brief b = {.row = row->row,
                      .ref = short_ref(p->r, &p->arena, row->row.ref),
                      .label = row->label.label};
    strbuf_addstr(&p->out->text, "  ");
    brief_print(p->out, &b, NULL, 2, note.buf);
    p->out->text.failed |= note.failed;
    strbuf_release(&note);
}

static void print_retrievals(struct printing *p)
{
    const struct document_facts *f = p->told->facts;
    if (f->retrieval_count == 0)
        return;
    portrait_heading(p->out, "retrieved", "");
    for (size_t i = 0; i < f->retrieval_count; i++)
        print_retrieval(p, i);
    print_more(p->out, f->retrieval_more);
}

static void print_beliefs(struct printing *p)
{
    const struct document_reach *d = p->told->reach;
    if (d->belief_count == 0)
        return;
    portrait_heading(p->out, "beliefs that rest on it", "");
    for (size_t i = 0; i < d->belief_count; i++) {
        struct brief b = {.row = d->belief[i].row,
                          .ref = short_ref(p->r, &p->arena, d->belief[i].row.ref),
                          .label = d->belief[i].label.label};
        strbuf_addstr(&p->out->text, "  ");
        brief_print(p->out, &b, p->told->facts->memory.agent_id, 2, NULL);
    }
    print_more(p->out, d->belief_more);
}

void document_print(struct output *out, struct reader *r, const struct document_told *d)
{
    struct printing p = {.out = out, .r = r, .told = d, .arena = ARENA_INIT};
    print_head(&p);
    print_uses(&p, "used in reasoning", &d->facts->steps, true);
    print_uses(&p, "cited", &d->reach->citations, false);
    print_uses(&p, "used otherwise", &d->reach->others, false);
    print_versions(&p);
    print_retrievals(&p);
    print_beliefs(&p);
    arena_release(&p.arena);
}
