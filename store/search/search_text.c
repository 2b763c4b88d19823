#include "store/search/search_text.h"

#include <string.h>
#include "store/db/column.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"

void search_parts_of(struct memory *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    *out = (struct memory){.text = column_utf8(a, stmt, column)};
    out->tags = column_strings(a, stmt, column + 1, &out->tag_count);
    out->context = column_utf8(a, stmt, column + 2);
    out->source = column_utf8(a, stmt, column + 3);
    out->source_entity = column_utf8(a, stmt, column + 4);
    out->detail = column_utf8(a, stmt, column + 5);
}

void search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    struct memory m;
    search_parts_of(&m, a, stmt, column);
    memory_search_text(&m, out);
}

/* ---- as the caller sees it ---- */

struct seeing {
    struct reader *r;
    struct arena *arena;
    const char *key, *shown; /* of an entry, whose key is shown otherwise; else NULL */
    bool to_match, same;
};

/* What is seen in the place of a text. */
static void take(struct seeing *s, const char **text, const char *seen)
{
    if (seen == *text)
        return;
    char *bare = seen && s->to_match ? arena_strdup(s->arena, seen) : NULL;
    if (bare)
        guard_blank_marks(bare);
    s->same = false;
    *text = s->to_match ? bare : seen;
}

static void see(struct seeing *s, const char **text)
{
    const char *seen = *text;
    if (!seen || !*seen)
        return;
    bool is_key = s->shown && strcmp(seen, s->key) == 0;
    take(s, text, is_key ? s->shown : guard_text(s->r, s->arena, seen, strlen(seen)));
}

static int see_detail(struct seeing *s, int64_t node, const char **detail, struct error *e)
{
    struct strbuf shown = STRBUF_INIT;
    const char *seen = *detail;
    if (!seen || strlen(seen) <= 2) /* {} */
        return 0;
    if (entry_hide_detail(s->r, s->arena, node, &seen, e))
        return -1;
    if (s->shown && seen) {
        guard_add_shown(&shown, seen, strlen(seen), s->key, s->shown);
        seen = arena_strndup(s->arena, shown.buf, shown.len);
        strbuf_release(&shown);
    }
    if (seen && guard_rules_of(s->r))
        seen = guard_json(s->r, s->arena, seen, strlen(seen));
    take(s, detail, seen);
    return 0;
}

/* Its kind, which stands in the place of the name of an entry, is none of its words. */
static void see_kind(struct seeing *s, const char **text)
{
    char *blank = arena_strdup(s->arena, *text);
    if (blank)
        memset(blank, ' ', strlen(blank));
    *text = blank;
}

static int see_parts(struct memory *m, struct seeing *s, int64_t node, struct error *e)
{
    struct reader *r = s->r;
    struct arena *a = s->arena;
    if ((guard_hides(r) || reader_masked(r)) && guard_key(r, a, node, &s->key, &s->shown, e))
        return -1;
    const struct memory whole = *m;
    if (guard_names_of_row(r, a, node, m, e))
        return -1;
    s->same = m->text == whole.text && m->detail == whole.detail && m->source == whole.source &&
              m->source_entity == whole.source_entity;
    if (s->to_match && m->text != whole.text)
        see_kind(s, &m->text);
    if (see_detail(s, node, &m->detail, e))
        return -1;
    if (guard_rules_of(r)) {
        const char **const texts[] = {&m->text, &m->context, &m->source, &m->source_entity};
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
            see(s, texts[i]);
        for (size_t i = 0; i < m->tag_count; i++)
            see(s, &m->tags[i]);
    }
    return 0;
}

int search_parts_seen(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                      struct error *e)
{
    struct seeing s = {.r = r, .arena = a, .same = true};
    return see_parts(m, &s, node, e);
}

int search_parts_matched(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                         bool *same, struct error *e)
{
    struct seeing s = {.r = r, .arena = a, .to_match = true, .same = true};
    size_t *masked = &reader_guard_known(r)->masked, before = *masked;
    int result = see_parts(m, &s, node, e);
    *masked = before;
    *same = s.same;
    return result;
}
