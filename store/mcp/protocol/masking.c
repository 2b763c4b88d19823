#include "store/mcp/protocol/masking.h"

#include <string.h>
#include "model/json/json_scan.h"
#include "store/db/monotonic.h"
#include "store/mcp/protocol/own_forms.h"
#include "store/mcp/protocol/request.h"

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

/* A string that is the ref of a memory is shown as such: what is masked in it would name nothing. What is shown so already
 * stays. */
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
    bool found = !braced.failed && pii_in_json(k->p, json, len, &none);
    if (found) {
        size_t before = out->len;
        found = mask_json(k, json, len, out);
        if (bare && !whole && !out->failed) {
            strbuf_cut(out, out->len - 1);
            memmove(out->buf + before, out->buf + before + 1, out->len - before - 1);
            strbuf_cut(out, out->len - 1);
        }
    }
    out->failed |= braced.failed;
    strbuf_release(&braced);
    return found;
}

static void mask_result(struct mcp_call *call, const struct masker *k)
{
    struct strbuf masked = STRBUF_INIT, *result = &call->result;
    struct masker of_pieces = *k;
    of_pieces.p = pii_built_in();
    if (result->len == 0 || result->failed)
        return;
    bool whole = is_object(result->buf, result->len), found = false;
    if (!whole)
        found =
            mask_members(call->in_pieces ? &of_pieces : k, result->buf, result->len, true, &masked);
    else if (guard_finds_in_json(call->guard.rules, result->buf, result->len))
        found = mask_json(k, result->buf, result->len, &masked);
    call->has_marks |= found;
    if (found || masked.failed) {
        strbuf_release(result);
        *result = masked;
    } else {
        strbuf_release(&masked);
    }
}

/* What cannot be masked for want of memory is not sent. */
static const char *mask_part(struct mcp_call *call, const struct masker *k, const char *json)
{
    struct strbuf masked = STRBUF_INIT;
    bool found = json && mask_members(k, json, strlen(json), false, &masked);
    call->has_marks |= found;
    if (found || masked.failed)
        json = masked.failed ? NULL : arena_strndup(&call->arena, masked.buf, masked.len);
    strbuf_release(&masked);
    return json;
}

static void mask_events(struct mcp_call *call, const struct masker *k)
{
    struct masker of_events = *k;
    size_t kept = 0;
    of_events.fields = call->tool ? call->tool->event : NULL;
    for (size_t i = 0; i < call->event_count; i++)
        if ((call->events[kept] = mask_part(call, &of_events, call->events[i])))
            kept++;
    call->event_count = kept;
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
    bool found = p && !plain.failed && pii_in_string(p, plain.buf, plain.len);
    if (found)
        pii_mask_string(p, plain.buf, plain.len, out, NULL);
    else
        strbuf_addstr(out, uri);
    out->failed |= plain.failed;
    strbuf_release(&plain);
    return found;
}

void call_mask_event(const struct mcp_call *call, struct strbuf *event)
{
    const struct pii *p = matcher(call);
    struct strbuf masked = STRBUF_INIT;
    if (!p || event->len == 0)
        return;
    bool found =
        mask_members(&(struct masker){.p = p, .fields = call->tool ? call->tool->event : NULL},
                     event->buf, event->len, true, &masked);
    if (found || masked.failed) {
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
        text = masked.failed ? NULL : arena_strndup(&call->arena, masked.buf, masked.len);
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
    call->met_entry = guard_met_entry(r);
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
