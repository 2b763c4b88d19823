/* Consolidate: reinforced by what was looked over together on a day, each of it evidence. */
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "store/ops/op_reinforce.h"

#define DATE_LENGTH 10

/* "consolidation:2026-02-01". */
static int name_source(struct plan *p, const char *date, const char **source, struct error *e)
{
    char today[64], text[64];
    int64_t ms;
    clock_format_iso(today, sizeof(today), p->now);
    if (date && (strlen(date) != DATE_LENGTH || clock_parse_iso(date, &ms)))
        return error_set(e, ERROR_INVALID, "Write it as 2026-02-01.", "%.40s is no date", date);
    snprintf(text, sizeof(text), "consolidation:%.*s", DATE_LENGTH, date ? date : today);
    *source = arena_strdup(p->arena, text);
    return 0;
}

/* "Consolidated from raw:…, raw:…" */
static const char *name_reason(struct plan *p, const char **whole, size_t count)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "Consolidated from ");
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i ? ", " : "", whole[i]);
    const char *reason = arena_strndup(p->arena, text.buf, text.len);
    strbuf_release(&text);
    return reason;
}

static int consolidate(struct plan *p, int64_t node, const struct request *q, const char *source,
                       const struct ref *by, const char *reason, struct error *e)
{
    struct memory *m = reinforce_one(p, node, "consolidate", reason, source, e);
    if (!m)
        return -1;
    plan_add_annotation(p, m, source);
    for (size_t i = 0; i < q->evidence_count; i++)
        if (evidence_add(p, m, by[i], NULL, e))
            return -1;
    return 0;
}

int op_consolidate(struct plan *p, const struct request *q, struct error *e)
{
    size_t count;
    const char *source = NULL;
    struct ref *by = arena_array(p->arena, q->evidence_count + 1, sizeof(*by));
    const char **whole = arena_array(p->arena, q->evidence_count + 1, sizeof(*whole));
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || name_source(p, q->date, &source, e))
        return -1;
    if (!q->evidence_count)
        return error_set(e, ERROR_INVALID,
                         "Name the raw entries or episodes that were looked over.",
                         "nothing is named that it was consolidated from");
    for (size_t i = 0; i < q->evidence_count; i++)
        if (evidence_find(p, q->evidence[i], &by[i], &whole[i], e))
            return -1;
    const char *reason = q->reason ? q->reason : name_reason(p, whole, q->evidence_count);
    for (size_t i = 0; i < count; i++)
        if (consolidate(p, rows[i], q, source, by, reason, e))
            return -1;
    p->named = p->count;
    return 0;
}
