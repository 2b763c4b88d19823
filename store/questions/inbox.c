/* The inbox: what waits for a person's decision, by risk. */
#include "store/questions/inbox.h"

#include <math.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/db.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/record/waiting.h"
#include "store/similar/similar.h"

int inbox_newest(struct reader *r, const char *agent, size_t most, struct inbox *out,
                 struct error *e)
{
    AUTO_FREE struct waiting *waiting = NULL;
    *out = (struct inbox){0};
    if (waiting_list(r, agent, most, &waiting, &out->count, e))
        return -1;
    out->item = xcalloc(out->count + 1, sizeof(*out->item));
    for (size_t i = 0; i < out->count; i++)
        out->item[i] = (struct inbox_item){.node = waiting[i].node, .session = waiting[i].session};
    return 0;
}

/* ---- risk ---- */

static int weight_of(enum label label)
{
    return label == LABEL_UNSUPPORTED || label == LABEL_CIRCULAR ? 4
           : label == LABEL_WEAKENED                             ? 2
                                                                 : 1;
}

static void weigh(struct inbox_item *item, const struct row_label *label)
{
    double effective = isnan(label->effective) ? 0 : label->effective;
    item->known = true;
    item->label = label->label;
    item->loses = label->loses;
    item->weight = weight_of(label->label);
    item->trust = label->has_trust ? label->trust : 1;
    item->effective = effective;
    item->risk = (1 + (double)item->loses) * item->weight * (1 - item->trust * effective);
    item->risk = round(item->risk * 1e6) / 1e6;
}

/* What it would lose needs the graph in any case, and with that the labels cost nothing. */
static int weigh_all(struct reader *r, struct inbox *inbox, const int64_t *rows, struct error *e)
{
    AUTO_FREE struct row_label *label = xcalloc(inbox->count + 1, sizeof(*label));
    const struct loaded *l = loaded_get(r, e);
    int failed = !l || support_of_rows(r, rows, inbox->count, label, e) ||
                 loses_fill(r, rows, inbox->count, label, e);
    loaded_release(l);
    if (failed)
        return -1;
    for (size_t i = 0; i < inbox->count; i++)
        weigh(&inbox->item[i], &label[i]);
    return 0;
}

void inbox_add_risk(const struct inbox_item *item, struct strbuf *out)
{
    strbuf_addf(out, "%.2f = (1 + %u lose support) × %d %s × (1 − trust %.2f × conf %.2f)",
                item->risk, item->loses, item->weight, label_name(item->label), item->trust,
                item->effective);
}

/* ---- order ---- */

/* The keys by which items are sorted: the risk of the session, of the group, and their own. */
struct place {
    struct inbox_item item;
    double session, group;
};

static int by_risk(const void *a, const void *b)
{
    const struct inbox_item *x = a, *y = b;
    return x->risk != y->risk ? COMPARE(y->risk, x->risk) : COMPARE(y->node, x->node);
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = COMPARE(y->session, x->session);
    order = order ? order : COMPARE(x->item.under, y->item.under);
    order = order ? order : COMPARE(y->group, x->group);
    order = order ? order : COMPARE(x->item.alike, y->item.alike);
    return order ? order : by_risk(&x->item, &y->item);
}

/* Items come riskiest first, so the first of a group or session has its risk. */
static void arrange(struct inbox *inbox, size_t groups)
{
    struct map sessions = MAP_INIT; /* the number of its first item, from 1 */
    AUTO_FREE struct place *place = xcalloc(inbox->count + 1, sizeof(*place));
    AUTO_FREE size_t *lead = xcalloc(groups + 1, sizeof(*lead)); /* the same of groups */
    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_item *item = &inbox->item[i];
        struct place *p = &place[i];
        if (item->alike && !lead[item->alike])
            lead[item->alike] = i + 1;
        const struct inbox_item *first = item->alike ? &inbox->item[lead[item->alike] - 1] : item;
        int64_t *begins = map_at(&sessions, first->session + 1);
        *begins = *begins ? *begins : (int64_t)i + 1;
        *p = (struct place){.item = *item, .group = first->risk};
        p->session = inbox->item[*begins - 1].risk;
        p->item.under = first->session;
    }
    SORT(place, inbox->count, by_place);
    for (size_t i = 0; i < inbox->count; i++)
        inbox->item[i] = place[i].item;
    map_release(&sessions);
}

/* Sets `alike` of the riskiest. Returns the number of groups, or -1. */
static int64_t group(struct reader *r, struct inbox *inbox, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct similar_sets sets = {0};
    AUTO(map) number = MAP_INIT;
    size_t count = inbox->count < INBOX_COMPARED ? inbox->count : INBOX_COMPARED;
    int64_t *rows = arena_array(&arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++)
        rows[i] = inbox->item[i].node;
    inbox->cut = inbox->count > count;
    if (similar_among(r, &arena, rows, count, &sets, e))
        return -1;
    for (size_t i = 0; i < sets.count; i++)
        for (size_t k = 0; k < sets.set[i].count; k++)
            *map_at(&number, sets.set[i].row[k]) = (int64_t)i + 1;
    for (size_t i = 0; i < count; i++) {
        const int64_t *found = map_find(&number, inbox->item[i].node);
        inbox->item[i].alike = found ? (uint32_t)*found : 0;
    }
    return (int64_t)sets.count;
}

static int rank(struct reader *r, const char *agent, struct inbox *out, struct error *e)
{
    if (inbox_newest(r, agent, INT64_MAX, out, e))
        return -1;
    AUTO_FREE int64_t *rows = xcalloc(out->count + 1, sizeof(*rows));
    for (size_t i = 0; i < out->count; i++)
        rows[i] = out->item[i].node;
    if (out->count == 0)
        return 0;
    if (weigh_all(r, out, rows, e))
        return -1;
    SORT(out->item, out->count, by_risk);
    int64_t groups = group(r, out, e);
    if (groups >= 0)
        arrange(out, (size_t)groups);
    return groups < 0 ? -1 : 0;
}

int inbox_read(struct reader *r, const char *agent, struct inbox *out, struct error *e)
{
    *out = (struct inbox){0};
    if (reader_begin(r, e))
        return -1;
    int result = reader_done(r, rank(r, agent, out, e));
    if (result) {
        free(out->item);
        *out = (struct inbox){0};
    }
    return result;
}

int inbox_add_session(struct reader *r, int64_t session, struct strbuf *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct query row = db_query(reader_db(r), e,
                                session > 0 ? "SELECT coalesce(agent, actor), client, task"
                                              " FROM session WHERE id = ?"
                                            : "SELECT name, NULL, NULL FROM agent WHERE id = -?",
                                "i", session);
    if (session > 0)
        strbuf_addf(out, "session %lld", (long long)session);
    bool found = db_next(&row);
    for (int i = 0; found && i < 3; i++) {
        const char *text = column_utf8(&arena, row.stmt, i);
        if (text)
            strbuf_addf(out, "%s%s", i || session > 0 ? " · " : "", text);
    }
    return db_end(&row);
}
