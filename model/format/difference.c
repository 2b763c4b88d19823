/* The difference between two states of a memory, in words, and between two texts, word by word. */
#include "model/format/difference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/format/memory_json_internal.h"

struct report {
    const struct memory *before, *after;
    struct arena *arena;
    struct difference *list;
    size_t count, alloc;
    struct strbuf text;
    difference_see *see; /* NULL if texts are not replaced */
    void *arg;
};

/* The strings must be in the arena or constants. */
static void add(struct report *r, const char *field, const char *before, const char *after)
{
    *ARENA_ADD(r->arena, r->list, r->count, r->alloc) = (struct difference){field, before, after};
}

/* Copies the text into the arena. */
static const char *keep(struct report *r, const char *text, size_t len)
{
    return arena_strndup(r->arena, text, len);
}

/* Moves r->text into the arena. */
static const char *keep_text(struct report *r)
{
    const char *copy = keep(r, r->text.buf, r->text.len);
    strbuf_clear(&r->text);
    return copy;
}

/* ---- fields ---- */

/* A text as it is, a word without quotes, other values as in the JSON of a memory. */
static const char *value_of(struct report *r, const struct field *f, const struct memory *m)
{
    if (f->type == FIELD_FLAG)
        return m->is_protected ? "true" : "false";
    if (f->type == FIELD_STATUS)
        return status_name(m->status);
    if (f->type == FIELD_TEXT) {
        const char *text = field_text(f, m);
        return text ? keep(r, text, strlen(text)) : NULL;
    }
    field_write_value(&r->text, f, m);
    return keep_text(r);
}

/* Leaves out defaults if only one of the memories exists. */
static void compare_field(struct report *r, const struct field *f)
{
    const struct memory *b = r->before, *a = r->after;
    if (b && a && field_equal(f, b, a))
        return;
    bool has_both = b && a;
    const char *was = b && (has_both || !field_is_absent(f, b)) ? value_of(r, f, b) : NULL;
    const char *is = a && (has_both || !field_is_absent(f, a)) ? value_of(r, f, a) : NULL;
    if (was || is)
        add(r, f->name, was, is);
}

/* ---- elements, in words ---- */

/* A text as the viewer may see it, to put into words. */
static const char *seen(struct report *r, const char *text)
{
    return r->see && text ? r->see(r->arg, text) : text;
}

static void describe_reason(struct report *r, const char *reason)
{
    if (reason && *reason)
        strbuf_addf(&r->text, ": %s", seen(r, reason));
}

static void describe_text(struct report *r, const void *item)
{
    strbuf_addstr(&r->text, *(const char *const *)item);
}

static void describe_justification(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct justification *j = item;
    strbuf_addf(out, "%s ", role_name(j->role));
    if (j->count > 1)
        strbuf_addf(out, "%s of ", reading_name(j->reading));
    if (j->count == 0)
        strbuf_addstr(out, "nothing");
    for (size_t i = 0; i < j->count; i++) {
        strbuf_addstr(out, i ? ", " : "");
        ref_add(out, j->antecedents[i].ref);
    }
    if (j->recorded != RECORDED)
        strbuf_addf(out, " (%s)", recorded_words(j->recorded));
    describe_reason(r, j->reason);
}

static void describe_relation(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct relation *relation = item;
    strbuf_addf(out, "%s ", role_name(relation->type));
    ref_add(out, relation->to);
    describe_reason(r, relation->reason);
}

static void describe_number(struct strbuf *out, double value)
{
    if (isnan(value))
        strbuf_addch(out, '?');
    else
        strbuf_addf(out, "%.3f", value);
}

static void describe_history(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct history_entry *h = item;
    if (h->operation)
        strbuf_addf(out, "%s ", h->operation);
    if (!isnan(h->old) || !isnan(h->new_) || !h->operation) {
        describe_number(out, h->old);
        strbuf_addstr(out, " \xe2\x86\x92 ");
        describe_number(out, h->new_);
    } else {
        strbuf_cut(out, out->len - 1);
    }
    if (h->reason && *h->reason)
        strbuf_addf(out, " (%s)", seen(r, h->reason));
    if (h->evidence_source)
        strbuf_addf(out, ", by %s", seen(r, h->evidence_source));
    if (h->actor)
        strbuf_addf(out, ", %s", seen(r, h->actor));
}

static void describe_flag(struct report *r, const void *item)
{
    struct strbuf *out = &r->text;
    const struct flag *m = item;
    strbuf_addstr(out, m->name);
    if (m->value)
        strbuf_addf(out, " = %s", seen(r, m->value));
    if (m->actor)
        strbuf_addf(out, " by %s%s", m->by_agent ? judge_title(JUDGE_AGENT) : "",
                    seen(r, m->actor));
    describe_reason(r, m->reason);
}

static void (*const describe[MEMBER_WRITTEN])(struct report *, const void *) = {
    [MEMBER_TAGS] = describe_text,
    [MEMBER_ANNOTATIONS] = describe_text,
    [MEMBER_JUSTIFICATIONS] = describe_justification,
    [MEMBER_HISTORY] = describe_history,
    [MEMBER_RELATIONS] = describe_relation,
    [MEMBER_FLAGS] = describe_flag,
};

static const char *item_in_words(struct report *r, const struct field *list, const struct memory *m,
                                 size_t i)
{
    void (*describe_item)(struct report *, const void *) = describe[list - memory_json_fields];
    if (describe_item)
        describe_item(r, items_at(list, m, i));
    return keep_text(r);
}

/* ---- the detail ---- */

static const char *member_value(struct report *r, struct json_slice member)
{
    struct json_each it = json_each(member);
    if (!json_next(&it))
        return NULL;
    if (it.value.len < 2 || *it.value.ptr != '"')
        return keep(r, it.value.ptr, it.value.len);
    char *text = arena_strndup(r->arena, it.value.ptr + 1, it.value.len - 2);
    size_t len = json_unescape(text, it.value.ptr + 1, it.value.len - 2);
    text[len] = '\0';
    /* A string with a NUL is shown as JSON. */
    return strlen(text) == len ? text : keep(r, it.value.ptr, it.value.len);
}

static const char *member_field(struct report *r, struct json_slice member)
{
    struct json_slice key = member_key(member);
    strbuf_addstr(&r->text, "detail.");
    strbuf_add(&r->text, key.ptr, key.len);
    return keep_text(r);
}

/* A member that only moved is not a difference. A removed and an added member of the same name
 * are one change. */
static void compare_members(struct report *r, const struct elements *b, const struct elements *a,
                            const struct unmatched *u)
{
    struct sorted was = elements_sort(b, u->removed, true), is = elements_sort(a, u->added, true);
    size_t i = 0, k = 0;
    while (i < was.count || k < is.count) {
        struct json_slice none = {NULL, 0};
        struct json_slice old = i < was.count ? elements_at(b, was.place[i]) : none;
        struct json_slice new = k < is.count ? elements_at(a, is.place[k]) : none;
        int order = !old.ptr ? 1 : !new.ptr ? -1 : slice_compare(member_key(old), member_key(new));
        i += order <= 0;
        k += order >= 0;
        if (order == 0 && slice_compare(old, new) == 0)
            continue;
        add(r, member_field(r, order <= 0 ? old : new), order <= 0 ? member_value(r, old) : NULL,
            order >= 0 ? member_value(r, new) : NULL);
    }
    free(was.place);
    free(is.place);
}

/* ---- lists ---- */

/* What an added event of another system wrote is a difference of its own. */
static void add_item(struct report *r, const struct field *list, size_t i, bool added)
{
    const struct memory *m = added ? r->after : r->before;
    const char *words = item_in_words(r, list, m, i);
    add(r, list->name, added ? NULL : words, added ? words : NULL);
    if (list != &memory_json_fields[MEMBER_HISTORY] || !added)
        return;
    if (m->history[i].before || m->history[i].after)
        add(r, "written", arena_strdup(r->arena, m->history[i].before),
            arena_strdup(r->arena, m->history[i].after));
}

static void compare_items(struct report *r, const struct field *list, const struct unmatched *u,
                          size_t before, size_t after)
{
    for (size_t i = 0; i < before; i++)
        if (u->removed[i])
            add_item(r, list, i, false);
    for (size_t i = 0; i < after; i++)
        if (u->added[i])
            add_item(r, list, i, true);
}

/* States of one history share unchanged data. If they share a list, they differ only in its
 * length. */
static bool compare_ends(struct report *r, const struct field *list)
{
    if (list->type == FIELD_DETAIL || !r->before || !r->after ||
        items_at(list, r->before, 0) != items_at(list, r->after, 0))
        return false;
    size_t b = items_count(list, r->before), a = items_count(list, r->after);
    for (size_t i = a; i < b; i++)
        add_item(r, list, i, false);
    for (size_t i = b; i < a; i++)
        add_item(r, list, i, true);
    return true;
}

static void compare_list(struct report *r, const struct field *list)
{
    if (compare_ends(r, list))
        return;
    AUTO(elements) b = ELEMENTS_INIT, a = ELEMENTS_INIT;
    struct unmatched u;
    if (r->before)
        elements_write(&b, list, r->before);
    if (r->after)
        elements_write(&a, list, r->after);
    elements_match(&u, &b, &a);
    if (list->type == FIELD_DETAIL)
        compare_members(r, &b, &a, &u);
    else
        compare_items(r, list, &u, b.count, a.count);
    unmatched_release(&u);
}

void memory_difference(const struct memory *before, const struct memory *after, struct arena *arena,
                       struct difference **out, size_t *count)
{
    memory_difference_seen(before, after, arena, NULL, NULL, out, count);
}

void memory_difference_seen(const struct memory *before, const struct memory *after,
                            struct arena *arena, difference_see *see, void *arg,
                            struct difference **out, size_t *count)
{
    struct report r = {.before = before,
                       .after = after,
                       .arena = arena,
                       .text = STRBUF_INIT,
                       .see = see,
                       .arg = arg};
    for (int i = MEMBER_AGENT_ID; i < MEMBER_WRITTEN && (before || after); i++) {
        const struct field *f = &memory_json_fields[i];
        if (f->type >= FIELD_DETAIL)
            compare_list(&r, f);
        else if (i != MEMBER_UPDATED_AT && i != MEMBER_VERSION)
            compare_field(&r, f);
    }
    *out = r.list;
    *count = r.count;
    strbuf_release(&r.text);
}

#define WIDE_SCRIPTS 0x2e80 /* most scripts from here on have no spaces between words */

/* ---- tokens ---- */

struct tokens {
    const char *text;
    size_t *from; /* [count + 1] where each token begins; the last is the end of the text */
    size_t count, alloc;
};

enum token_class {
    TOKEN_WORD,
    TOKEN_BLANK,
    TOKEN_SINGLE,
    TOKEN_JOINS /* belongs to the token before it */
};

static enum token_class class_of(uint32_t c)
{
    if (c == ' ' || c == '\t')
        return TOKEN_BLANK;
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '_'
                   ? TOKEN_WORD
                   : TOKEN_SINGLE;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
        return TOKEN_JOINS;
    default:
        return c < WIDE_SCRIPTS ? TOKEN_WORD : TOKEN_SINGLE;
    }
}

static void split(struct tokens *t, const char *text)
{
    size_t len = strlen(text);
    enum token_class last = TOKEN_SINGLE;
    *t = (struct tokens){.text = text};
    for (size_t i = 0; i < len;) {
        uint32_t c = 0;
        int n = utf8_decode(text + i, len - i, &c);
        enum token_class class = n > 0 ? class_of(c) : TOKEN_SINGLE;
        bool joins = i > 0 && (class == TOKEN_JOINS || (class == last && class != TOKEN_SINGLE));
        if (!joins) {
            *ARRAY_ADD(t->from, t->count, t->alloc) = i;
            last = class == TOKEN_JOINS ? TOKEN_SINGLE : class;
        }
        i += n > 0 ? (size_t)n : 1;
    }
    ARRAY_ROOM(t->from, t->count, t->alloc, 1);
    t->from[t->count] = len;
}

static bool same(const struct tokens *a, size_t i, const struct tokens *b, size_t k)
{
    size_t len = a->from[i + 1] - a->from[i];
    return len == b->from[k + 1] - b->from[k] &&
           !memcmp(a->text + a->from[i], b->text + b->from[k], len);
}

/* ---- the shortest edit script ---- */

/* Tokens [a, a + removed) of the first text became [b, b + added) of the second. */
struct change {
    size_t a, b, removed, added;
};

struct script {
    struct tokens a, b;
    size_t head, a_end, b_end; /* common beginning and end of the texts */
    int32_t **trace; /* [d] how far each diagonal of edit d reached, from -d to d in steps of 2 */
    size_t depth;
    struct change *change;
    size_t count, alloc;
};

/* Where diagonal k begins with edit d, given what edit d - 1 reached, or -1 if it leaves the
 * texts. *removed tells whether the edit removes a token; otherwise it adds one. */
static int32_t step(const struct script *s, size_t d, int32_t k, bool *removed)
{
    /* Diagonal k - 1 of the previous edit is at index (k - 1 + d - 1) / 2. */
    const int32_t *last = s->trace[d - 1];
    int32_t most = (int32_t)d, n = (int32_t)(s->a_end - s->head), m = (int32_t)(s->b_end - s->head);
    int32_t left = k > -most ? last[(k - 1 + most - 1) / 2] : -1;
    int32_t up = k < most ? last[(k + 1 + most - 1) / 2] : -1;
    left = left >= 0 && left < n ? left + 1 : -1;
    up = up >= 0 && up - k <= m ? up : -1;
    *removed = left > up;
    return left > up ? left : up;
}

/* How far diagonal k reaches with edit d. */
static int32_t furthest(const struct script *s, size_t d, int32_t k)
{
    bool removed;
    int32_t begin = d > 0 ? step(s, d, k, &removed) : 0;
    if (begin < 0)
        return -1;
    size_t x = s->head + (size_t)begin, y = s->head + (size_t)(begin - k);
    while (x < s->a_end && y < s->b_end && same(&s->a, x, &s->b, y))
        x++, y++;
    return (int32_t)(x - s->head);
}

/* Sets `depth` to the number of edits. Returns false if there are more than TEXT_EDITS_MOST. */
static bool find_script(struct script *s)
{
    size_t n = s->a_end - s->head, m = s->b_end - s->head;
    if (n > INT32_MAX / 2 || m > INT32_MAX / 2)
        return false;
    s->trace = xcalloc(TEXT_EDITS_MOST + 1, sizeof(*s->trace));
    for (size_t d = 0; d <= TEXT_EDITS_MOST; d++) {
        int32_t *row = xmalloc((d + 1) * sizeof(*row));
        s->trace[d] = row;
        s->depth = d;
        for (int32_t k = -(int32_t)d; k <= (int32_t)d; k += 2) {
            int32_t x = row[(k + (int32_t)d) / 2] = furthest(s, d, k);
            if (x == (int32_t)n && x - k == (int32_t)m)
                return true;
        }
    }
    return false;
}

static void add_change(struct script *s, struct change c)
{
    /* Changes come in reverse order. One that touches the last is merged with it. */
    if (s->count > 0) {
        struct change *last = &s->change[s->count - 1];
        if (c.a + c.removed == last->a && c.b + c.added == last->b) {
            *last = (struct change){c.a, c.b, c.removed + last->removed, c.added + last->added};
            return;
        }
    }
    *ARRAY_ADD(s->change, s->count, s->alloc) = c;
}

/* Follows the trace back and collects the changes. */
static void collect_changes(struct script *s)
{
    size_t x = s->a_end - s->head, y = s->b_end - s->head;
    for (size_t d = s->depth; d > 0; d--) {
        bool removed;
        int32_t k = (int32_t)x - (int32_t)y, begin = step(s, d, k, &removed);
        x = (size_t)(begin - removed);
        y = (size_t)(begin - k - !removed);
        struct change c = {s->head + x, s->head + y, removed, !removed};
        add_change(s, c);
    }
    for (size_t i = 0; i < s->count / 2; i++) {
        struct change c = s->change[i];
        s->change[i] = s->change[s->count - 1 - i];
        s->change[s->count - 1 - i] = c;
    }
}

/* ---- runs ---- */

static size_t bytes(const struct tokens *t, size_t from, size_t count)
{
    return t->from[from + count] - t->from[from];
}

static size_t size_of(const struct script *s, const struct change *c)
{
    size_t removed = bytes(&s->a, c->a, c->removed), added = bytes(&s->b, c->b, c->added);
    return removed > added ? removed : added;
}

/* Joins two changes if what is between them is shorter than either: it matches by chance. */
static void join_changes(struct script *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct change c = s->change[i];
        while (kept > 0) {
            const struct change *last = &s->change[kept - 1];
            size_t from = last->a + last->removed;
            size_t between = bytes(&s->a, from, c.a - from);
            if (between > size_of(s, last) || between > size_of(s, &c))
                break;
            c = (struct change){last->a, last->b, c.a + c.removed - last->a,
                                c.b + c.added - last->b};
            kept--;
        }
        s->change[kept++] = c;
    }
    s->count = kept;
}

struct runs {
    struct arena *arena;
    struct text_run *run;
    size_t count;
};

static void put(struct runs *r, enum text_run_kind kind, const struct tokens *t, size_t from,
                size_t count)
{
    if (count > 0)
        r->run[r->count++] =
            (struct text_run){kind, t->text + t->from[from], bytes(t, from, count)};
}

static void write_runs(const struct script *s, struct runs *r)
{
    size_t at = 0;
    r->run = arena_array(r->arena, 3 * s->count + 1, sizeof(*r->run));
    for (size_t i = 0; i < s->count; i++) {
        const struct change *c = &s->change[i];
        put(r, RUN_SAME, &s->a, at, c->a - at);
        put(r, RUN_REMOVED, &s->a, c->a, c->removed);
        put(r, RUN_ADDED, &s->b, c->b, c->added);
        at = c->a + c->removed;
    }
    put(r, RUN_SAME, &s->a, at, s->a.count - at);
}

static void find_changes(struct script *s)
{
    s->a_end = s->a.count;
    s->b_end = s->b.count;
    while (s->head < s->a_end && s->head < s->b_end && same(&s->a, s->head, &s->b, s->head))
        s->head++;
    while (s->a_end > s->head && s->b_end > s->head &&
           same(&s->a, s->a_end - 1, &s->b, s->b_end - 1))
        s->a_end--, s->b_end--;
    if (s->a_end == s->head && s->b_end == s->head)
        return;
    if (find_script(s)) {
        collect_changes(s);
        join_changes(s);
    } else {
        struct change all = {s->head, s->head, s->a_end - s->head, s->b_end - s->head};
        add_change(s, all);
    }
}

void text_difference(const char *before, const char *after, struct arena *arena,
                     struct text_run **out, size_t *count)
{
    struct script s = {.head = 0};
    struct runs r = {.arena = arena};
    split(&s.a, before);
    split(&s.b, after);
    find_changes(&s);
    write_runs(&s, &r);
    for (size_t d = 0; s.trace && d <= TEXT_EDITS_MOST; d++)
        free(s.trace[d]);
    FREE_ALL(s.trace, s.change, s.a.from, s.b.from);
    *out = r.run;
    *count = r.count;
}
