/* What is masked of a text, of JSON and of an answer, for whoever the reader reads. */
#include <string.h>
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/guard/guard_mask.h"
#include "store/guard/guard_rules.h"

const struct guard_rules *guard_rules_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules : reader_masked(r);
}

bool guard_met_entry(const struct reader *r)
{
    return reader_guarded(r) && reader_guard_known(r)->met;
}

size_t guard_masked(const struct reader *r)
{
    return reader_guard_known(r)->masked;
}

bool guard_masks(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? g->rules->permissions.mask || guard_met_entry(r) : reader_masked(r) != NULL;
}

bool guard_mask_json(const struct guard *g, const char *json, size_t len, struct strbuf *out,
                     struct pii_seen *seen)
{
    if (g && g->rules && g->rules->permissions.mask)
        return pii_mask_json(g->rules->pii, json, len, out, seen);
    strbuf_add(out, json, len);
    return false;
}

bool guard_finds(const struct guard_rules *g, const char *text, size_t len)
{
    return pii_in_string(g->pii, text, len);
}

bool guard_finds_in_json(const struct guard_rules *g, const char *json, size_t len)
{
    struct pii_seen none = {0, 0};
    return pii_in_json(g->pii, json, len, &none);
}

const char *guard_text(const struct reader *r, struct arena *arena, const char *text, size_t len)
{
    const struct guard_rules *rules = guard_rules_of(r);
    if (!guard_masks(r) || !guard_finds(rules, text, len))
        return text;
    struct strbuf out = STRBUF_INIT;
    pii_mask_string(rules->pii, text, len, &out, NULL);
    reader_guard_known(r)->masked++;
    const char *masked = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return masked;
}

void guard_add_clean(const struct reader *r, struct arena *arena, struct strbuf *out,
                     const char *text, size_t code_points)
{
    const char *seen = guard_text(r, arena, text, strlen(text));
    if (seen)
        clean_add(out, seen, code_points);
    else
        out->failed = true;
}

const char *guard_json(const struct reader *r, struct arena *arena, const char *json, size_t len)
{
    const struct guard_rules *rules = guard_rules_of(r);
    struct error not_json;
    if (!guard_masks(r))
        return json;
    if (json_check(json, len, JSON_DEPTH_LIMIT, &not_json))
        return guard_text(r, arena, json, len);
    if (!guard_finds_in_json(rules, json, len))
        return json;
    struct strbuf out = STRBUF_INIT;
    pii_mask_json(rules->pii, json, len, &out, NULL);
    reader_guard_known(r)->masked++;
    const char *masked = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return masked;
}

bool guard_masks_name(const struct reader *r, const char *name)
{
    const struct guard_rules *rules = guard_rules_of(r);
    return guard_masks(r) && name && guard_finds(rules, name, strlen(name));
}

/* ---- text in one line ---- */

void clean_add(struct strbuf *out, const char *s, size_t count)
{
    size_t len = strlen(s), at = 0, shown = 0;
    bool gap = false;
    while (at < len && shown < count) {
        uint32_t c;
        int n = utf8_decode(s + at, len - at, &c);
        bool space = n && (c == ' ' || utf8_is_control(c));
        bool plain = n && !space && !utf8_is_bidi(c);
        if (!space || !gap) {
            strbuf_add(out,
                       space   ? " "
                       : plain ? s + at
                               : "\xef\xbf\xbd",
                       space   ? 1
                       : plain ? (size_t)n
                               : 3);
            shown++;
        }
        gap = space;
        at += n ? (size_t)n : 1;
    }
    if (at < len)
        strbuf_addstr(out, "…");
}
