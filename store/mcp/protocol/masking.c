/* Personal data is masked before an answer is sent. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/mcp/protocol/masking.h"
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "store/record/entry_row.h"
#include "model/json/json_scan.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/connection_internal.h"

#define PATH_MOST 8 /* members on the way to one */

static const struct field *find_field(const struct field *fields, struct json_slice name)
{
    for (; fields && fields->name; fields++)
        if (strlen(fields->name) == name.len && memcmp(fields->name, name.ptr, name.len) == 0)
            return fields;
    return NULL;
}

static const struct field *field_at(const struct field *fields, const struct pii_place *place)
{
    struct json_slice names[PATH_MOST];
    const struct field *f = NULL;
    int count = pii_place_names(place, names, PATH_MOST);
    if (count > PATH_MOST)
        return NULL;
    for (int i = 0; i < count; i++) {
        f = find_field(i ? f->fields : fields, names[i]);
        if (!f)
            return NULL;
    }
    return f;
}

/* Both kinds are encrypted, which makes them at least as long as this, and written in the URL-safe base 64. */
#define CURSOR_LEAST 22

static bool is_cursor(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t len = strlen(text);
    return len >= CURSOR_LEAST && strspn(text, digits) == len;
}

static bool is_time(const char *text)
{
    char again[32];
    int64_t ms;
    if (clock_parse_iso(text, &ms))
        return false;
    clock_format_iso(again, sizeof(again), ms);
    return strcmp(again, text) == 0;
}

static bool is_choice(const struct field *f, const char *text)
{
    for (int i = 0; f->choice && f->choice(i); i++)
        if (strcmp(f->choice(i), text) == 0)
            return true;
    return false;
}

/*
 * Is it something that stemma itself writes into a tool's answer: a cursor, a time, the shown key of an entry, a
 * word of a choice, the caller's own name? Only if the table of the answer has that at this place, and the text has
 * the exact form: what an agent or a document gave stands at no such place, whatever it looks like. `fields` are the
 * answer's, NULL: none; `self` is the caller's name, NULL: none that it knows.
 */
static bool own_form_at(const struct field *fields, const struct pii_place *place, const char *self,
                        const char *text)
{
    int64_t shown;
    const struct field *f = place ? field_at(fields, place) : NULL;
    return f && ((f->flags & FIELD_CURSOR && is_cursor(text)) ||
                 (f->flags & FIELD_TIME && is_time(text)) ||
                 (f->flags & FIELD_SHOWN_KEY && entry_shown_read(text, &shown)) ||
                 (f->flags & FIELD_SELF && self && strcmp(self, text) == 0) || is_choice(f, text));
}

/* ---- what an error says and quotes, masked ---- */

/* So much of an argument is known for its beginning. */
#define QUOTED_LEAST 6

/* The longest beginning of `s` that stands in the text: its bytes, and where. */
static size_t find_beginning(const char *text, const char *s, size_t len, size_t *where)
{
    size_t longest = 0;
    for (size_t i = 0; text[i]; i++) {
        size_t n = 0;
        while (n < len && text[i + n] && text[i + n] == s[n])
            n++;
        if (n > longest) {
            longest = n;
            *where = i;
        }
    }
    return longest;
}

/* Puts it in the place of a text of that size, cut where it is longer. */
static void put_fixed(struct strbuf *made, char *text, size_t size)
{
    size_t len = made->len < size ? made->len : utf8_fit(made->buf, made->len, size - 1);
    memcpy(text, made->buf, len);
    text[len] = '\0';
    strbuf_release(made);
}

/* What an error quotes of an argument may be cut, as half an address: it is masked as a whole, and then cut. */
static void mask_quoted(const struct pii *p, const char *s, size_t len, char *text, size_t size)
{
    size_t where = 0;
    struct strbuf masked = STRBUF_INIT, changed = STRBUF_INIT;
    if (len < QUOTED_LEAST || !pii_in_string(p, s, len))
        return;
    size_t quoted = find_beginning(text, s, len, &where);
    if (quoted < QUOTED_LEAST)
        return;
    pii_mask_string(p, s, len, &masked, NULL);
    size_t kept = quoted == len ? masked.len : utf8_fit(masked.buf, masked.len, quoted);
    strbuf_add(&changed, text, where);
    strbuf_add(&changed, masked.buf, kept);
    strbuf_addstr(&changed, text + where + quoted);
    put_fixed(&changed, text, size);
    strbuf_release(&masked);
}

/* What an error quotes, perhaps cut, of the JSON that was given, masked as it was given: in its place, in a text
 * that has so much room. What else there is in it stays. */
static void mask_quotes(const struct pii *p, struct json_slice given, char *text, size_t size)
{
    const char *at = given.ptr, *end = at ? at + given.len : NULL;
    while (at && at < end) {
        const char *start = at++;
        if (*start != '"')
            continue;
        at = json_skip_string(start, end);
        char *s = xmalloc((size_t)(at - start));
        mask_quoted(p, s, json_unescape(s, start + 1, (size_t)(at - start) - 2), text, size);
        free(s);
    }
}

/* An error that is masked, and the arguments that it may quote. */
struct said {
    struct error *error;
    struct json_slice given;
};

/* Text in a place of its own, whose size masking may pass: then it is cut. */
static void mask_fixed(const struct said *s, const struct pii *p, char *text, size_t size)
{
    struct strbuf masked = STRBUF_INIT;
    mask_quotes(p, s->given, text, size);
    if (pii_mask_string(p, text, strlen(text), &masked, NULL))
        put_fixed(&masked, text, size);
    else
        strbuf_release(&masked);
}

/* Where what is quoted from `at` on ends: what stands between two quotes may join them to one, as a colon does. */
static size_t quote_end(const struct error *e, size_t at, size_t len)
{
    while (at < len && (error_quotes(e, at) || (at + 1 < len && error_quotes(e, at + 1))))
        at++;
    return at;
}

/*
 * Patterns of a configuration look at what is quoted alone: one that finds much would leave nothing of what stemma says
 * itself. The built-in rules find nothing in that, and look at all of it.
 */
static void mask_quoted_alone(const struct said *s, const struct pii *p)
{
    struct error *e = s->error;
    struct strbuf all = STRBUF_INIT;
    char quote[sizeof(e->what)];
    size_t len = strlen(e->what);
    for (size_t at = 0, end; at < len; at = end) {
        end = at;
        while (end < len && !error_quotes(e, end))
            end++;
        strbuf_add(&all, e->what + at, end - at);
        at = end;
        end = quote_end(e, at, len);
        memcpy(quote, e->what + at, end - at);
        quote[end - at] = '\0';
        mask_fixed(s, p, quote, sizeof(quote));
        strbuf_addstr(&all, quote);
    }
    put_fixed(&all, e->what, sizeof(e->what));
    mask_fixed(s, pii_built_in(), e->what, sizeof(e->what));
}

bool mask_error(const struct pii *p, struct json_slice given, struct error *e)
{
    const struct error was = *e;
    const struct said s = {e, given};
    bool own = pii_has_patterns(p);
    if (own)
        mask_quoted_alone(&s, p);
    else
        mask_fixed(&s, p, e->what, sizeof(e->what));
    mask_fixed(&s, own && !e->todo_quotes ? pii_built_in() : p, e->todo, sizeof(e->todo));
    return strcmp(was.what, e->what) != 0 || strcmp(was.todo, e->todo) != 0;
}

/* ---- masking ---- */

/* Which of the memory tools is called; -1: none of them. */
static int memory_tool_of(const struct mcp_call *call)
{
    return call->tool ? memory_tool_from_name(call->tool->name) : -1;
}

/* The matcher for the answer of that memory tool, or of another call (-1); NULL: it leaves as it is. */
static const struct pii *matcher_of(const struct mcp_call *call, int tool)
{
    const struct guard_rules *rules = call->guard.rules;
    if (!rules)
        return NULL;
    const struct permissions *p = guard_permissions(rules);
    bool of_namespace = tool >= 0 && call->namespace_;
    if (of_namespace && (tool == MEMORY_TOOL_GET || tool == MEMORY_TOOL_LIST))
        return permission_policy(p, call->namespace_)->pii == PII_OFF ? NULL : guard_pii(rules);
    return p->mask || tool >= 0 || call->met_entry ? guard_pii(rules) : NULL;
}

static const struct pii *matcher(const struct mcp_call *call)
{
    return matcher_of(call, memory_tool_of(call));
}

static bool is_object(const char *json, size_t len)
{
    struct json_slice value = json_trim(json, len);
    return value.len > 0 && value.ptr[0] == '{';
}

/* By whom an answer is looked through, whom it names memories for, and what stands where in it. */
struct masker {
    const struct pii *p;
    struct reader *reader;      /* NULL: there is none to name memories */
    const struct field *fields; /* NULL: nothing of it is known to be stemma's own */
    const char *self;           /* by which name the caller goes; NULL: by none that it gave */
};

/* A string that is the ref of a memory is shown as such: what is masked in it would name nothing. What is shown so
 * already stays. */
static bool show_ref(struct reader *r, const char *text, struct strbuf *out)
{
    char shown[GUARD_SHOWN_SIZE];
    struct ref ref;
    if (ref_parse(text, &ref) != REF_MEMORY)
        return false;
    if (guard_ref_show(r, ref, shown))
        ref.id = shown;
    else if (!guard_is_shown(r, ref.id))
        return false;
    ref_add(out, ref);
    return true;
}

static bool show(void *arg, const struct pii_place *place, const char *text, size_t len,
                 struct strbuf *out)
{
    const struct masker *k = arg;
    char copy[REF_ID_MAX + 40];
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (strlen(copy) < len)
        return false;
    if (k->reader && show_ref(k->reader, copy, out))
        return true;
    bool is_own = own_form_at(k->fields, place, k->self, copy) ||
                  (k->reader && guard_is_shown(k->reader, copy));
    if (is_own)
        strbuf_add(out, copy, len);
    return is_own;
}

static bool mask_json(const struct masker *k, const char *json, size_t len, struct strbuf *out)
{
    struct masker asked = *k;
    return pii_mask_json_names(k->p, &(struct pii_names){show, &asked}, json, len, out, NULL);
}

/* Members without their braces are masked as an object, and stay one where `whole`. */
static bool mask_members(const struct masker *k, const char *json, size_t len, bool whole,
                         struct strbuf *out)
{
    struct pii_seen none = {0};
    struct strbuf braced = STRBUF_INIT;
    bool bare = !is_object(json, len);
    if (bare) {
        strbuf_addch(&braced, '{');
        strbuf_add(&braced, json, len);
        strbuf_addch(&braced, '}');
        json = braced.buf;
        len = braced.len;
    }
    bool found = pii_in_json(k->p, json, len, &none);
    if (found) {
        size_t before = out->len;
        found = mask_json(k, json, len, out);
        if (bare && !whole) {
            strbuf_cut(out, out->len - 1);
            memmove(out->buf + before, out->buf + before + 1, out->len - before - 1);
            strbuf_cut(out, out->len - 1);
        }
    }
    strbuf_release(&braced);
    return found;
}

static void mask_result(struct mcp_call *call, const struct masker *k)
{
    struct strbuf masked = STRBUF_INIT, *result = &call->result;
    struct masker of_pieces = *k;
    of_pieces.p = pii_built_in();
    if (result->len == 0)
        return;
    bool whole = is_object(result->buf, result->len), found = false;
    if (!whole)
        found =
            mask_members(call->in_pieces ? &of_pieces : k, result->buf, result->len, true, &masked);
    else if (guard_finds_in_json(call->guard.rules, result->buf, result->len))
        found = mask_json(k, result->buf, result->len, &masked);
    call->has_marks |= found;
    if (found) {
        strbuf_release(result);
        *result = masked;
    } else {
        strbuf_release(&masked);
    }
}

static const char *mask_part(struct mcp_call *call, const struct masker *k, const char *json)
{
    struct strbuf masked = STRBUF_INIT;
    bool found = json && mask_members(k, json, strlen(json), false, &masked);
    call->has_marks |= found;
    if (found)
        json = arena_strndup(&call->arena, masked.buf, masked.len);
    strbuf_release(&masked);
    return json;
}

static void mask_events(struct mcp_call *call, const struct masker *k)
{
    struct masker of_events = *k;
    of_events.fields = call->tool ? call->tool->event : NULL;
    for (size_t i = 0; i < call->event_count; i++)
        call->events[i] = mask_part(call, &of_events, call->events[i]);
}

bool call_mask_text(const struct mcp_call *call, const char *text, struct strbuf *out)
{
    const struct pii *p = matcher(call);
    if (p)
        return pii_mask_string(p, text, strlen(text), out, NULL);
    strbuf_addstr(out, text);
    return false;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool call_mask_uri(const struct mcp_call *call, const char *uri, struct strbuf *out)
{
    return mask_uri(matcher(call), uri, out);
}

bool mask_uri(const struct pii *p, const char *uri, struct strbuf *out)
{
    struct strbuf plain = STRBUF_INIT;
    for (const char *at = uri; p && *at; at++) {
        int high = *at == '%' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
        strbuf_addch(&plain, low >= 0 ? (char)(high << 4 | low) : *at);
        at += low >= 0 ? 2 : 0;
    }
    bool found = p && pii_in_string(p, plain.buf, plain.len);
    if (found)
        pii_mask_string(p, plain.buf, plain.len, out, NULL);
    else
        strbuf_addstr(out, uri);
    strbuf_release(&plain);
    return found;
}

void call_mask_event(const struct mcp_call *call, struct strbuf *event)
{
    struct masker k = {.p = matcher(call), .fields = call->tool ? call->tool->event : NULL};
    struct strbuf masked = STRBUF_INIT;
    if (k.p && event->len > 0 && mask_members(&k, event->buf, event->len, true, &masked)) {
        strbuf_release(event);
        *event = masked;
    } else {
        strbuf_release(&masked);
    }
}

static const char *mask_warning(struct mcp_call *call, const struct pii *p)
{
    struct strbuf masked = STRBUF_INIT;
    const char *text = call->warning;
    if (text && pii_mask_string(p, text, strlen(text), &masked, NULL))
        text = arena_strndup(&call->arena, masked.buf, masked.len);
    strbuf_release(&masked);
    return text;
}

static void mask_all(struct mcp_call *call, const struct masker *k)
{
    if (call->error.code == ERROR_NONE) {
        mask_result(call, k);
        mask_events(call, k);
        call->warning = mask_warning(call, k->p);
    } else {
        struct masker of_details = *k;
        of_details.fields = NULL;
        call->has_marks |= mask_error(k->p, call->arguments, &call->error);
        call->details = mask_part(call, &of_details, call->details);
    }
}

/* What a writer carried out is masked in the loop, by the reader of that. */
static void mask_with(struct mcp_call *call, const struct pii *p, struct reader *r)
{
    struct reader *names = r ? r : call->request->host->reader;
    struct masker k = {.p = p,
                       .reader = names,
                       .fields = call->tool ? call->tool->answer : NULL,
                       .self = call->guard.bound ? call->guard.agent : NULL};
    if (!r && names)
        reader_guard(names, &call->guard);
    mask_all(call, &k);
    if (!r && names)
        reader_guard(names, NULL);
}

void call_note_guard(struct mcp_call *call, const struct reader *r)
{
    call->met_entry |= guard_met_entry(r);
    call->has_marks |= guard_masked(r) > 0;
}

static int64_t marks_in(const char *text)
{
    return text ? guard_count_marks(text, strlen(text)) : 0;
}

static void count_marks(struct mcp_call *call)
{
    const struct error *e = &call->error;
    call->has_marks = false;
    call->redactions = e->code == ERROR_NONE
                           ? guard_count_marks(call->result.buf, call->result.len)
                           : marks_in(e->what) + marks_in(e->todo) + marks_in(call->details);
}

/* How long it took is said of the memory tools, and of other calls where something was masked: said of each, a time
 * that differs from call to call would make each a row of the log. */
void call_mask(struct mcp_call *call, struct reader *r)
{
    int tool = memory_tool_of(call);
    const struct pii *p = call->is_masked ? NULL : matcher_of(call, tool);
    call->is_masked = true;
    if (!p && !call->has_marks)
        return;
    int64_t began = monotonic_us();
    if (p)
        mask_with(call, p, r);
    if (call->has_marks)
        count_marks(call);
    if (tool >= 0 || call->redactions > 0)
        call->spans.pii_us += monotonic_us() - began;
}
