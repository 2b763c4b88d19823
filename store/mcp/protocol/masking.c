/* Masks personal data in results, errors and events before they are sent. */
#include <string.h>
#include "model/base/alloc.h"
#include "store/mcp/protocol/masking.h"
#include "model/base/utf8.h"
#include "model/json/json_scan.h"
#include "store/db/thread.h"
#include "store/mcp/protocol/connection_internal.h"

static const struct field *find_field(const struct field *fields, struct json_slice name)
{
    for (; fields && fields->name; fields++)
        if (strlen(fields->name) == name.len && memcmp(fields->name, name.ptr, name.len) == 0)
            return fields;
    return NULL;
}

static const struct field *field_at(const struct field *fields, const struct pii_place *place)
{
    const struct field *f = NULL;
    for (int i = 0; i < place->depth; i++) {
        if (!place->names[i].ptr) /* an array */
            continue;
        f = find_field(f ? f->fields : fields, place->names[i]);
        if (!f)
            return NULL;
    }
    return f;
}

static bool is_choice(const struct field *f, const char *text)
{
    for (int i = 0; f->choice && f->choice(i); i++)
        if (strcmp(f->choice(i), text) == 0)
            return true;
    return false;
}

/*
 * True if stemma itself generated the value at that place of a tool's answer: a cursor, a time, an enumerated word or
 * the caller's own name. Values from agents and documents are at other places. `fields` describe the answer (NULL if
 * not known), `self` is the caller's name (NULL if not known).
 */
static bool is_own_word(const struct field *fields, const struct pii_place *place, const char *self,
                        const char *text)
{
    const struct field *f = place ? field_at(fields, place) : NULL;
    return f && (f->flags & FIELD_OWN || is_choice(f, text) ||
                 (f->flags & FIELD_SELF && self && strcmp(self, text) == 0));
}

/* ---- errors ---- */

/* A quote in an error must match at least this many bytes of an argument to be recognised. */
#define QUOTED_LEAST 6

/* Replaces a text of fixed size, cut if the new one is longer. Releases `made`. */
static void put_fixed(struct strbuf *made, char *text, size_t size)
{
    size_t len = made->len < size ? made->len : utf8_fit(made->buf, made->len, size - 1);
    memcpy(text, made->buf, len);
    text[len] = '\0';
    strbuf_release(made);
}

/* An error may quote a cut argument, such as half an address, which no pattern matches. So the argument is masked as
 * a whole and replaces the quote. */
static void mask_quoted(const struct pii *p, const char *s, size_t len, char *text, size_t size)
{
    struct strbuf changed = STRBUF_INIT;
    const char *where = NULL;
    size_t longest = QUOTED_LEAST - 1;
    if (!pii_in_string(p, s, len))
        return;
    for (const char *at = text; *at; at++) {
        size_t same = 0;
        while (same < len && at[same] && at[same] == s[same])
            same++;
        where = same > longest ? at : where;
        longest = same > longest ? same : longest;
    }
    if (!where)
        return;
    strbuf_add(&changed, text, (size_t)(where - text));
    pii_mask_string(p, s, len, &changed, NULL);
    strbuf_addstr(&changed, where + longest);
    put_fixed(&changed, text, size);
}

/* Masks all quotes of strings of `given` in `text`, a buffer of `size` bytes. Other text stays. */
static void mask_quotes(const struct pii *p, struct json_slice given, char *text, size_t size)
{
    const char *at = given.ptr, *end = at ? at + given.len : NULL;
    while (at && at < end) {
        const char *start = at++;
        if (*start != '"')
            continue;
        at = json_skip_string(start, end);
        AUTO_FREE char *s = xmalloc((size_t)(at - start));
        mask_quoted(p, s, json_unescape(s, start + 1, (size_t)(at - start) - 2), text, size);
    }
}

/* The error to mask, and the arguments that it may quote. */
struct masked_error {
    struct error *error;
    struct json_slice given;
};

/* Masks the text in a buffer of fixed size; the result is cut to fit. */
static void mask_fixed(const struct masked_error *s, const struct pii *p, char *text, size_t size)
{
    AUTO_STRBUF masked = STRBUF_INIT;
    mask_quotes(p, s->given, text, size);
    if (pii_mask_string(p, text, strlen(text), &masked, NULL))
        put_fixed(&masked, text, size);
}

/* Finds the end of the quote at `at`. Quotes that are separated by one character, such as a colon, count as one. */
static size_t quote_end(const struct error *e, size_t at, size_t len)
{
    while (at < len && (error_quotes(e, at) || (at + 1 < len && error_quotes(e, at + 1))))
        at++;
    return at;
}

/*
 * Patterns from the configuration apply only to quoted text: a broad one would erase stemma's own words. The built-in
 * rules find nothing in those and apply to the whole text.
 */
static void mask_quoted_alone(const struct masked_error *s, const struct pii *p)
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
    const struct masked_error s = {e, given};
    bool own = pii_has_patterns(p);
    if (own)
        mask_quoted_alone(&s, p);
    else
        mask_fixed(&s, p, e->what, sizeof(e->what));
    mask_fixed(&s, own && !e->hint_quotes ? pii_built_in() : p, e->hint, sizeof(e->hint));
    return strcmp(was.what, e->what) != 0 || strcmp(was.hint, e->hint) != 0;
}

/* ---- masking ---- */

/* Which memory tool is called; -1 if none. */
static int memory_tool_of(const struct mcp_call *call)
{
    return call->tool ? memory_tool_from_name(call->tool->name) : -1;
}

/* The matcher for the call's answer; NULL if nothing is masked. */
static const struct pii *matcher(const struct mcp_call *call)
{
    const struct guard_rules *rules = call->guard.rules;
    int tool = memory_tool_of(call);
    if (!rules)
        return NULL;
    const struct permissions *p = guard_permissions(rules);
    if (call->namespace_ && (tool == MEMORY_TOOL_GET || tool == MEMORY_TOOL_LIST))
        return permission_policy(p, call->namespace_)->pii == PII_OFF ? NULL : guard_pii(rules);
    return p->mask || tool >= 0 || call->met_entry ? guard_pii(rules) : NULL;
}

/* How an answer is masked. */
struct masker {
    const struct pii *p;
    struct reader *reader; /* to recognise names of memories; NULL if there is none */
    /* fields of the answer; NULL if no value is known to be stemma's own */
    const struct field *fields;
    const char *self; /* the caller's granted name */
};

/* Writes a string that is a memory's ref in the form that the caller sees; masking parts of it would make it useless.
 * A ref that was already rewritten stays. */
static bool show_ref(struct reader *r, const char *text, struct strbuf *out)
{
    char shown[GUARD_OPAQUE_SIZE];
    struct ref ref;
    if (ref_parse(text, &ref) != REF_MEMORY)
        return false;
    if (guard_opaque_id(r, ref, shown))
        ref.id = shown;
    else if (!guard_is_opaque(r, ref.id))
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
    bool is_own = is_own_word(k->fields, place, k->self, copy) ||
                  (k->reader && guard_is_opaque(k->reader, copy));
    if (is_own)
        strbuf_add(out, copy, len);
    return is_own;
}

/* Masks JSON in place. */
static bool mask_json(const struct masker *k, struct strbuf *json)
{
    struct masker asked = *k;
    struct strbuf masked = STRBUF_INIT;
    bool found = pii_mask_json_names(k->p, &(struct pii_names){show, &asked}, json->buf, json->len,
                                     &masked, NULL);
    if (found) {
        strbuf_release(json);
        *json = masked;
    }
    return found;
}

/* The same for JSON in the arena; NULL stays NULL. */
static const char *mask_in_arena(struct mcp_call *call, const struct masker *k, const char *json)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (json)
        strbuf_addstr(&text, json);
    bool found = mask_json(k, &text);
    call->has_masks |= found;
    if (found)
        json = arena_strndup(&call->arena, text.buf, text.len);
    return json;
}

bool call_mask_text(const struct mcp_call *call, const char *text, struct strbuf *out)
{
    const struct pii *p = matcher(call);
    if (p)
        return pii_mask_string(p, text, strlen(text), out, NULL);
    strbuf_addstr(out, text);
    return false;
}

void call_mask_event(const struct mcp_call *call, struct strbuf *event)
{
    struct masker k = {.p = matcher(call), .fields = call->tool ? call->tool->event : NULL};
    if (k.p)
        mask_json(&k, event);
}

void call_mask_arguments(const struct mcp_call *call, struct strbuf *arguments)
{
    struct masker k = {.p = matcher(call)};
    if (k.p)
        mask_json(&k, arguments);
}

static void mask_success(struct mcp_call *call, struct masker k)
{
    const struct pii *all = k.p;
    k.p = call->masked_in_parts ? pii_built_in() : all;
    call->has_masks |= mask_json(&k, &call->result);
    k.p = all;
    k.fields = call->tool ? call->tool->event : NULL;
    for (size_t i = 0; i < call->event_count; i++)
        call->events[i] = mask_in_arena(call, &k, call->events[i]);
    call->warning = guard_mask_text(call->guard.rules, &call->arena, call->warning);
}

static void mask_failure(struct mcp_call *call, struct masker k)
{
    k.fields = NULL;
    call->has_masks |= mask_error(k.p, call->arguments, &call->error);
    call->details = mask_in_arena(call, &k, call->details);
}

/* `r` is NULL for calls of the writer, which are masked in the loop with the loop's reader. */
static void mask_with(struct mcp_call *call, const struct pii *p, struct reader *r)
{
    struct reader *names = r ? r : call->request->host->reader;
    struct masker k = {.p = p,
                       .reader = names,
                       .fields = call->tool ? call->tool->answer : NULL,
                       .self = call->guard.agent};
    if (!r && names)
        reader_guard(names, &call->guard);
    (call->error.code == ERROR_NONE ? mask_success : mask_failure)(call, k);
    if (!r && names)
        reader_guard(names, NULL);
}

void call_note_guard(struct mcp_call *call, const struct reader *r)
{
    call->met_entry |= guard_has_read_entry(r);
    call->has_masks |= guard_masked(r) > 0;
}

static int64_t marks_in(const char *text)
{
    return text ? guard_count_placeholders(text, strlen(text)) : 0;
}

static void count_masks(struct mcp_call *call)
{
    const struct error *e = &call->error;
    call->has_masks = false;
    call->redactions = e->code == ERROR_NONE
                           ? guard_count_placeholders(call->result.buf, call->result.len)
                           : marks_in(e->what) + marks_in(e->hint) + marks_in(call->details);
}

/* The time is recorded only for memory tools and for calls in which something was masked. The call log merges
 * equal calls into one row; a time that differs from call to call would prevent that. */
void call_mask(struct mcp_call *call, struct reader *r)
{
    const struct pii *p = call->is_masked ? NULL : matcher(call);
    call->is_masked = true;
    if (!p && !call->has_masks)
        return;
    int64_t began = monotonic_us();
    if (p)
        mask_with(call, p, r);
    if (call->has_masks)
        count_masks(call);
    if (memory_tool_of(call) >= 0 || call->redactions > 0)
        call->spans.pii_us += monotonic_us() - began;
}
