/* Reads, ranks and writes citations, and finds those in a text. */
#include "model/reasoning/citation.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <math.h>
#include <pcre2.h>
#include <strings.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/map.h"
#include "model/base/utf8.h"
#include "model/reasoning/source_reader.h"

/* ---- reading ---- */

#define NAMED 60 /* the most code points of a name in a reason */

enum {
    DOCUMENT_ID,
    DOCUMENT_NAME,
    LOCATION,
    SNIPPET,
    RELEVANCE_SCORE,
    RETRIEVED_AT,
    SCORE_ORIGIN,
    PAGE, /* of the location, given as a member of its own */
    SECTION,
    PARAGRAPH,
    MEMBERS
};
static const char *const names[MEMBERS] = {
    "documentId",  "documentName", "location", "snippet", "relevanceScore",
    "retrievedAt", "score_origin", "page",     "section", "paragraph",
};

static int read_document(struct source_reader *r, const struct json_slice *member, size_t index,
                         struct citation *c)
{
    if (source_text(r, member[DOCUMENT_ID], names[DOCUMENT_ID], &c->document_id) ||
        source_text(r, member[DOCUMENT_NAME], names[DOCUMENT_NAME], &c->name))
        return -1;
    c->unnamed = !c->name || !*c->name;
    if (c->unnamed)
        c->name = "Unknown source";
    if (c->document_id && *c->document_id)
        return 0;
    c->invented = true;
    c->document_id = source_invent(r->arena, "source-", index + 1);
    return 0;
}

/* Reads a whole number, or a text of one. null and "" leave *out unchanged. */
static int read_place(struct source_reader *r, struct json_slice value, const char *name,
                      int64_t *out)
{
    int64_t number;
    bool is_empty = value.len == 2 && *value.ptr == '"';
    if (source_is_none(value) || is_empty)
        return 0;
    if (!source_whole(r, value, &number) || number < 0)
        return source_wrong(r, name, "is no whole number from 0 on");
    *out = number;
    return 0;
}

/* A page, section or paragraph that is not in the location counts as if it were in it; one that is in both is
 * refused. */
static int read_location(struct source_reader *r, const struct json_slice *item, struct citation *c)
{
    static const char *const places[] = {"location.page", "location.section", "location.paragraph"};
    struct json_slice location = item[LOCATION], member[3] = {{NULL, 0}};
    bool given = !source_is_none(location);
    if (given && *location.ptr != '{')
        return source_wrong(r, names[LOCATION], "is not an object");
    if (given)
        source_members(location, &names[PAGE], 3, member);
    for (int i = 0; i < 3; i++) {
        if (source_is_none(item[PAGE + i]))
            continue;
        if (!source_is_none(member[i]))
            return source_wrong(r, names[PAGE + i], "is given twice, in the location, too");
        member[i] = item[PAGE + i];
    }
    if (read_place(r, member[0], places[0], &c->page) ||
        source_text(r, member[1], places[1], &c->section) ||
        read_place(r, member[2], places[2], &c->paragraph))
        return -1;
    if (c->section && !*c->section)
        c->section = NULL;
    return 0;
}

static int read_score(struct source_reader *r, const struct json_slice *member, struct citation *c)
{
    struct json_slice score = member[RELEVANCE_SCORE];
    if (source_origin(r, member[SCORE_ORIGIN], &c->origin))
        return -1;
    if (source_is_none(score)) {
        c->origin = SCORE_DEFAULT;
        return 0;
    }
    if (!source_is_number(score))
        return source_wrong(r, names[RELEVANCE_SCORE], "is not a number");
    return source_share(r, score, names[RELEVANCE_SCORE], &c->relevance);
}

static int read_time(struct source_reader *r, struct json_slice value, struct citation *c)
{
    const char *text = NULL;
    if (source_text(r, value, names[RETRIEVED_AT], &text))
        return -1;
    if (text && clock_parse_iso(text, &c->retrieved_at))
        return source_wrong(r, names[RETRIEVED_AT], "is not a time in ISO 8601");
    return 0;
}

static int read_members(struct source_reader *r, struct json_slice item, size_t index,
                        struct citation *c)
{
    struct json_slice member[MEMBERS] = {{NULL, 0}};
    if (*item.ptr != '{')
        return source_wrong(r, "it", "is not an object");
    source_members(item, names, MEMBERS, member);
    if (read_document(r, member, index, c) || read_location(r, member, c) ||
        source_text(r, member[SNIPPET], names[SNIPPET], &c->snippet) || read_score(r, member, c))
        return -1;
    return read_time(r, member[RETRIEVED_AT], c);
}

/* Notes the members of an object that are not among the names. `of` names the object. */
static void note_others(struct citation_list *out, struct arena *arena, struct json_slice object,
                        const char *const *known, int count, const char *of)
{
    for (struct json_each it = json_each(object); json_next(&it);) {
        int n = 0, shown = (int)utf8_fit(it.key.ptr, it.key.len, NAMED);
        while (n < count && !json_key_is(it.key, known[n]))
            n++;
        if (n == count)
            *ARENA_ADD(arena, out->ignored, out->ignored_count, out->ignored_alloc) =
                arena_format(arena, "%s.%.*s", of, shown, it.key.ptr);
    }
}

/* Notes the members that say nothing about a citation. */
static void note_ignored(struct citation_list *out, struct arena *arena, struct json_slice item,
                         size_t index)
{
    struct json_slice location = {NULL, 0};
    if (*item.ptr != '{')
        return;
    source_members(item, &names[LOCATION], 1, &location);
    note_others(out, arena, item, names, MEMBERS, arena_format(arena, "sources[%zu]", index));
    if (location.ptr && *location.ptr == '{')
        note_others(out, arena, location, &names[PAGE], 3,
                    arena_format(arena, "sources[%zu].%s", index, names[LOCATION]));
}

/* A made-up id that was also given gets a number appended: source-2-2. */
static void tell_apart(struct citation_list *list, struct arena *arena)
{
    AUTO(key_index) given = KEY_INDEX_INIT;
    for (size_t i = 0; i < list->count; i++)
        if (!list->citation[i].invented)
            key_index_add(&given, list->citation[i].document_id,
                          strlen(list->citation[i].document_id));
    for (size_t i = 0; i < list->count; i++) {
        struct citation *c = &list->citation[i];
        const char *id = c->document_id;
        for (size_t n = 2; c->invented && key_index_find(&given, id, strlen(id)) != ROW_NONE; n++)
            id = source_invent(arena, arena_format(arena, "%s-", c->document_id), n);
        c->document_id = id;
    }
}

void citations_read(struct citation_list *out, struct arena *arena, struct json_slice items,
                    int64_t now)
{
    struct error why;
    struct source_reader r = {arena, &why};
    size_t index = 0, total = source_count(items);
    *out = (struct citation_list){0};
    if (total == 0)
        return;
    out->citation = arena_array(arena, total, sizeof(*out->citation));
    out->refused = arena_array(arena, total, sizeof(*out->refused));
    for (struct json_each it = json_each(items); json_next(&it); index++) {
        struct citation c = {
            .paragraph = -1, .relevance = 0.5, .origin = SCORE_ASSERTED, .retrieved_at = now};
        note_ignored(out, arena, it.value, index);
        if (read_members(&r, it.value, index, &c)) {
            const char *of = c.name && !c.unnamed ? c.name : c.invented ? NULL : c.document_id;
            if (of)
                error_prefix(&why, "sources[%zu] (“%.*s”)", index, (int)utf8_prefix(of, NAMED), of);
            else
                error_prefix(&why, "sources[%zu]", index);
            source_refuse(&r, out->refused, &out->refused_count, index);
        } else {
            out->citation[out->count++] = c;
        }
    }
    tell_apart(out, arena);
}

/* ---- the best of each passage, and of all ---- */

/* A missing score is less than any other. */
static double score_of(const struct citation *c)
{
    return isnan(c->relevance) ? -INFINITY : c->relevance;
}

/* Equal relevances keep their order. */
static int by_relevance(const void *a, const void *b)
{
    const struct citation *x = *(const struct citation *const *)a,
                          *y = *(const struct citation *const *)b;
    double left = score_of(x), right = score_of(y);
    if (left != right)
        return left > right ? -1 : 1;
    return (x > y) - (x < y);
}

/* A made-up id never equals a given one, even if the text is the same. */
static size_t add_passage(struct key_index *passages, const struct citation *c, struct strbuf *key)
{
    strbuf_clear(key);
    strbuf_addf(key, "%d %lld %s", c->invented, (long long)(c->page > 0 ? c->page : 0),
                c->document_id);
    strbuf_addch(key, '\0');
    strbuf_addstr(key, c->section ? c->section : "");
    return key_index_add(passages, key->buf, key->len);
}

/* Keeps the best citation of each passage, in the place of the first. */
size_t citations_deduplicate(struct citation *out, const struct citation *in, size_t count)
{
    AUTO(key_index) passages = KEY_INDEX_INIT;
    AUTO_STRBUF key = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        size_t before = passages.count, at = add_passage(&passages, &in[i], &key);
        if (at == before || score_of(&in[i]) > score_of(&out[at]))
            out[at] = in[i];
    }
    return passages.count;
}

size_t citations_rank(struct citation *out, const struct citation *in, size_t count, size_t limit)
{
    size_t kept = count < limit ? count : limit;
    if (kept == 0)
        return 0;
    const struct citation **list = xcalloc(count, sizeof(*list));
    for (size_t i = 0; i < count; i++)
        list[i] = &in[i];
    SORT(list, count, by_relevance);
    for (size_t i = 0; i < kept; i++)
        out[i] = *list[i];
    free(list);
    return kept;
}

enum uncertainty citations_uncertainty(const struct citation *c, size_t count)
{
    double sum = 0;
    if (count == 0)
        return UNCERTAINTY_COMPLETE;
    for (size_t i = 0; i < count; i++)
        sum += c[i].relevance;
    double mean = sum / (double)count;
    return mean > 0.7   ? UNCERTAINTY_NONE
           : mean > 0.5 ? UNCERTAINTY_LOW
           : mean > 0.3 ? UNCERTAINTY_MEDIUM
                        : UNCERTAINTY_HIGH;
}

const char *uncertainty_name(enum uncertainty u)
{
    static const char *const words[] = {"none", "low", "medium", "high", "complete"};
    return words[u];
}

/* ---- writing ---- */

void citation_format(struct strbuf *out, const char *name, int64_t page, const char *section)
{
    bool has_section = section && *section;
    strbuf_addch(out, '(');
    strbuf_addstr(out, name);
    if (page > 0)
        strbuf_addf(out, ", page %lld", (long long)page);
    if (has_section || page <= 0)
        strbuf_addstr(out, ", ");
    if (has_section)
        strbuf_addstr(out, section);
    else if (page <= 0)
        strbuf_addstr(out, "document");
    strbuf_addch(out, ')');
}

static void pair_time(struct json_object *o, const char *key, int64_t ms)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), ms);
    json_pair(o, key, iso);
}

static void write_location(struct json_object *source, const struct citation *c)
{
    bool has_section = c->section && *c->section;
    if (c->page <= 0 && !has_section && c->paragraph < 0)
        return;
    json_key(source, "location");
    struct json_object o = json_begin(source->out, '{');
    if (c->page > 0)
        json_pair_int(&o, "page", c->page);
    if (has_section)
        json_pair(&o, "section", c->section);
    if (c->paragraph >= 0)
        json_pair_int(&o, "paragraph", c->paragraph);
    json_end(&o);
}

void citation_write_members(struct json_object *o, const struct citation *c)
{
    json_pair(o, "documentId", c->document_id);
    json_pair(o, "documentName", c->name);
    write_location(o, c);
    json_pair_if(o, "snippet", c->snippet);
    json_pair_double(o, "relevanceScore", c->relevance);
    if (c->retrieved_at != INT64_MIN)
        pair_time(o, "retrievedAt", c->retrieved_at);
    /* "asserted" is the default */
    if (c->origin != SCORE_NONE && c->origin != SCORE_ASSERTED)
        json_pair(o, "score_origin", score_name(c->origin));
}

void citation_write(struct strbuf *out, const struct citation *c)
{
    struct json_object o = json_begin(out, '{');
    citation_write_members(&o, c);
    json_end(&o);
}

static void end_event(struct json_object *o, const char *conversation, int64_t at)
{
    json_pair_if(o, "conversationId", conversation);
    pair_time(o, "timestamp", at);
    json_end(o);
}

void citation_added_event(struct strbuf *out, const struct citation *c, const char *conversation,
                          int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "source_added");
    json_key(&o, "source");
    citation_write(out, c);
    end_event(&o, conversation, at);
}

void citation_done_event(struct strbuf *out, const struct citation *c, size_t count,
                         const char *conversation, const char *message, int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "done");
    json_pair_if(&o, "messageId", message);
    json_key(&o, "sources");
    struct json_object sources = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&sources);
        citation_write(out, &c[i]);
    }
    json_end(&sources);
    end_event(&o, conversation, at);
}

/*
 * The parts of a citation in a text.
 *
 * Parts are separated by commas. The location is the last part that is a page ("p.12", "p12", "page
 * 12", "pp. 12-14"), "Section" and a title, a sheet in quotes, or a cell. The name is before it and
 * may contain commas. A section extends to the end; the text after a page is its section. A page
 * next to a section form one location, and so do a sheet and a cell.
 */

/* The text without white space around it. */
static struct json_slice trimmed(const char *s, size_t len)
{
    size_t at = utf8_space(s, len), end = at;
    for (size_t i = at; i < len;) {
        uint32_t c;
        int n = utf8_decode(s + i, len - i, &c);
        bool is_space = n > 0 && utf8_is_space(c);
        i += n ? (size_t)n : 1;
        if (!is_space)
            end = i;
    }
    return (struct json_slice){s + at, end - at};
}

/* The kind of a part: the number of the group of part_pattern that it matches. */
enum part_kind {
    PART_OTHER,
    PART_PAGE,  /* "p.12", "p12", "page 12" */
    PART_RANGE, /* "pp. 12–14" */
    PART_SECTION,
    PART_SHEET, /* in quotes */
    PART_BARE_SHEET,
    PART_CELL, /* "Cell B15", "cells $AB$3:C4" */
};
static const char part_pattern[] =
    "(?:pages?|pp?|pg)\\.?\\s*([0-9]{1,18})(\\s*[-\\x{2013}\\x{2014}]\\s*[0-9]{1,18})?\\z"
    "|(section\\s)|(sheet\\s+['\"\\x{2018}\\x{2019}\\x{201c}\\x{201d}])|(sheet\\s)"
    "|(cells?\\s+\\$?[a-z]++\\$?[0-9]++(?::\\$?[a-z]++\\$?[0-9]++)?\\z)";

struct part_reader {
    pcre2_code *code;
    pcre2_match_data *match;
};

static void part_reader_open(struct part_reader *r)
{
    int code;
    size_t place;
    r->code = pcre2_compile((PCRE2_SPTR)part_pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_CASELESS | PCRE2_ANCHORED | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF,
                            &code, &place, NULL);
    r->match = r->code ? pcre2_match_data_create_from_pattern(r->code, NULL) : NULL;
    if (!r->match)
        alloc_fail();
}

static void part_reader_close(struct part_reader *r)
{
    pcre2_match_data_free(r->match);
    pcre2_code_free(r->code);
}

/* The part before `end`, from the comma before it. Empty at the first part, which belongs to the
 * name. */
struct part {
    enum part_kind kind;
    struct json_slice text;
    const char *comma; /* the comma before it, or NULL */
    int64_t page;      /* the first page that it names */
};

static struct part part_before(const struct part_reader *r, const char *s, const char *end)
{
    const size_t *place = pcre2_get_ovector_pointer(r->match);
    const char *begin = end;
    while (begin > s && begin[-1] != ',')
        begin--;
    if (begin == s)
        return (struct part){.comma = NULL};
    struct part p = {.comma = begin - 1, .text = trimmed(begin, (size_t)(end - begin))};
    if (pcre2_match(r->code, (PCRE2_SPTR)p.text.ptr, p.text.len, 0, 0, r->match, NULL) < 0)
        return p;
    for (p.kind = PART_CELL; p.kind > PART_PAGE && place[2 * p.kind] == PCRE2_UNSET;)
        p.kind--;
    if (p.kind <= PART_RANGE)
        p.page = strtoll(p.text.ptr + place[2], NULL, 10);
    return p;
}

static bool is_page(const struct part *p)
{
    return p->kind == PART_PAGE || p->kind == PART_RANGE;
}

/* The part before `p` that belongs to it; its `comma` is NULL if there is none. The name of a
 * sheet may contain commas between its quotes. */
static struct part partner(const struct part_reader *r, const char *s, const struct part *p)
{
    struct part before = part_before(r, s, p->comma);
    bool sheet = before.kind == PART_BARE_SHEET;
    while (p->kind == PART_CELL && !sheet && before.comma && before.kind != PART_SHEET)
        before = part_before(r, s, before.comma);
    bool belongs = p->kind == PART_CELL ? sheet || before.kind == PART_SHEET
                   : is_page(p)         ? before.kind == PART_SECTION
                                        : is_page(&before);
    return belongs ? before : (struct part){.comma = NULL};
}

/*
 * Finds the location in the text between the colon and the last parenthesis: section and page (0 if
 * none). Returns the end of the name. O(len).
 */
static const char *find_location(const struct part_reader *r, const char *s, size_t len,
                                 struct json_slice *section, int64_t *page)
{
    const char *end = s + len, *after = end;
    struct part p = part_before(r, s, end);
    while (p.comma && (p.kind == PART_OTHER || p.kind == PART_BARE_SHEET)) {
        after = p.comma;
        p = part_before(r, s, after);
    }
    *section = (struct json_slice){end, 0};
    *page = 0;
    if (!p.comma)
        return end;
    struct part before = partner(r, s, &p);
    bool first = before.comma && before.kind != PART_PAGE; /* the section begins with it */
    struct json_slice rest = trimmed(after + (after < end), (size_t)(end - after - (after < end)));
    const char *from = first ? before.text.ptr : p.kind == PART_PAGE ? rest.ptr : p.text.ptr;
    *section = trimmed(from, (size_t)(end - from));
    if (first && p.kind == PART_PAGE && rest.len == 0)
        *section = before.text;
    *page = is_page(&p) ? p.page : before.page;
    return before.comma ? before.comma : p.comma;
}

/*
 * A citation extends from "(source:" to its closing parenthesis, or if there is none, to the first
 * closing parenthesis. It ends before the next one begins, so the text is scanned only once.
 */

#define OPENS     "(source:"
#define OPENS_LEN (sizeof(OPENS) - 1)

static size_t find_opening(const char *text, size_t len, size_t from)
{
    for (size_t i = from; i < len; i++) {
        const char *at = memchr(text + i, '(', len - i);
        if (!at)
            break;
        i = (size_t)(at - text);
        if (strncasecmp(at, OPENS, OPENS_LEN) == 0)
            return i;
    }
    return len;
}

/* The position of the citation's last parenthesis before `end`, or `end` if there is none. */
static size_t find_closing(const char *text, size_t from, size_t end)
{
    size_t level = 1, first = end;
    for (size_t i = from; i < end; i++) {
        if (text[i] == '(')
            level++;
        if (text[i] != ')')
            continue;
        if (--level == 0)
            return i;
        if (first == end)
            first = i;
    }
    return first;
}

/* Reads a citation into *out. Returns false if it has no name. */
static bool read_cited(struct arena *arena, const struct part_reader *parts, const char *s,
                       size_t len, struct cited *out)
{
    struct json_slice section;
    const char *name_end = find_location(parts, s, len, &section, &out->page);
    struct json_slice name = trimmed(s, (size_t)(name_end - s));
    if (name.len == 0)
        return false;
    out->name = utf8_repaired(arena, name.ptr, name.len);
    if (section.len)
        out->section = utf8_repaired(arena, section.ptr, section.len);
    return true;
}

/* Counts code points; each invalid byte counts as one. */
static size_t count_on(const char *text, size_t from, size_t to)
{
    size_t count = 0;
    while (from < to) {
        uint32_t c;
        int n = utf8_decode(text + from, to - from, &c);
        from += n ? (size_t)n : 1;
        count++;
    }
    return count;
}

void citations_in_text(const char *text, struct arena *arena, struct cited **out, size_t *count)
{
    struct part_reader parts;
    size_t len = strlen(text), counted = 0, points = 0, next, alloc = 0;
    *out = NULL;
    *count = 0;
    part_reader_open(&parts);
    for (size_t at = find_opening(text, len, 0); at < len; at = next) {
        struct cited c = {.page = 0};
        size_t inside = at + OPENS_LEN;
        next = find_opening(text, len, inside);
        size_t end = find_closing(text, inside, next);
        if (end >= next || !read_cited(arena, &parts, text + inside, end - inside, &c))
            continue;
        points += count_on(text, counted, at);
        c.at = points;
        c.len = count_on(text, at, end + 1);
        points += c.len;
        counted = end + 1;
        *ARENA_ADD(arena, *out, *count, alloc) = c;
    }
    part_reader_close(&parts);
}
