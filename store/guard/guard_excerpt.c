/*
 * Excerpts: what was cut out of a text may begin or end within personal data, and half of it is found by nobody. Where
 * the memory that it quotes has the text, its place there says what the whole is. Where no text is kept, nobody knows that
 * there was more: it is masked as it stands, and what is cut here ends before such data (source_cut_excerpt).
 */
#include "store/guard/guard.h"

#include <string.h>
#include "model/memory/memory.h"
#include "model/base/utf8.h"
#include "store/guard/guard_mask.h"
#include "store/db/reader.h"

#define BESIDE 1024 /* bytes on each side of an edge: the longest that a pattern finds whole */

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask for less.", "memory ran out");
}

/* The nearest place before `at` where a character begins. */
static size_t character_at(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Is there personal data on both sides of that edge of the text? Spans are of the text. */
static bool crosses(const struct pii *pii, const char *text, size_t len, size_t edge,
                    struct pii_span *out)
{
    size_t from = character_at(text, edge > BESIDE ? edge - BESIDE : 0);
    size_t to = len - edge > BESIDE ? character_at(text, edge + BESIDE) : len;
    for (size_t at = 0; at < to - from && pii_find(pii, text + from, to - from, at, out);
         at = out->end) {
        if (from + out->start >= edge)
            return false;
        if (from + out->end > edge) {
            out->start += from;
            out->end += from;
            return true;
        }
        if (out->end <= at)
            return false;
    }
    return false;
}

static void add_mask(struct strbuf *out, const struct pii *pii, const char *text,
                     const struct pii_span *found)
{
    pii_mask_text(pii, text + found->start, found->end - found->start, out, NULL);
}

/* The first place counts where the text says it more than once. False: nothing of it is cut. */
static bool mask_edges(const struct pii *pii, const char *text, const char *excerpt,
                       struct strbuf *out)
{
    size_t len = strlen(text), quoted = strlen(excerpt), begin, end;
    const char *at = memmem(text, len, excerpt, quoted);
    struct pii_span first, last;
    if (!at || quoted == 0 || quoted == len)
        return false;
    begin = (size_t)(at - text);
    end = begin + quoted;
    bool before = begin > 0 && crosses(pii, text, len, begin, &first);
    bool behind = end < len && crosses(pii, text, len, end, &last);
    if (!before && !behind)
        return false;
    if (before) {
        add_mask(out, pii, text, &first);
        begin = first.end;
    }
    if (behind)
        end = last.start;
    if (begin < end)
        strbuf_add(out, text + begin, end - begin);
    if (behind && !(before && first.start == last.start))
        add_mask(out, pii, text, &last);
    return true;
}

static int read_text(struct reader *r, struct arena *arena, int64_t node, const char **text,
                     struct error *e)
{
    struct db *db = reader_db(r);
    sqlite3_stmt *stmt = db_prepare(db, "SELECT text FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(db, stmt, e, "i", node) : -1;
    *text = found > 0 ? db_text(arena, stmt, 0) : NULL;
    if (found > 0)
        sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}

int guard_excerpt(struct reader *r, struct arena *arena, int64_t quoted, const char **excerpt,
                  struct error *e)
{
    const struct guard_rules *rules = guard_rules_of(r);
    const char *text;
    struct strbuf out = STRBUF_INIT;
    if (!rules || !guard_masks(r) || !*excerpt || !**excerpt || quoted <= 0)
        return 0;
    if (read_text(r, arena, quoted, &text, e))
        return -1;
    bool cut = text && mask_edges(guard_pii(rules), text, *excerpt, &out);
    const char *made = cut && !out.failed ? arena_strndup(arena, out.buf, out.len) : NULL;
    strbuf_release(&out);
    if (!cut)
        return 0;
    reader_guard_known(r)->masked++;
    *excerpt = made;
    return made ? 0 : out_of_memory(e);
}

int guard_excerpts(struct reader *r, struct arena *arena, struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count && guard_rules_of(r); i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct antecedent *a = &m->justifications[i].antecedents[k];
            const char *excerpt = a->use ? a->use->excerpt : NULL;
            if (guard_excerpt(r, arena, a->node, &excerpt, e))
                return -1;
            if (!a->use || excerpt == a->use->excerpt)
                continue;
            struct use *use = arena_memdup(arena, a->use, sizeof(*use));
            if (!use)
                return out_of_memory(e);
            use->excerpt = excerpt;
            a->use = use;
        }
    return 0;
}
