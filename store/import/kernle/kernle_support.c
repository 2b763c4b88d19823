#include "store/import/kernle/kernle_map.h"

#include "model/base/utf8.h"

/*
 * What a memory rests on, as Kernle says it in three places: derived_from (one `any` group),
 * source_episodes (a group for each), and the evidence of reinforcements. All that is
 * named is gathered in its order and sorted once, so that a list of a million refs costs no more
 * than its sort, and the same ref counts once.
 */
enum place {
    PLACE_DERIVED = 0,
    PLACE_EVIDENCE,
    PLACE_REINFORCEMENT
};

struct named {
    struct ref ref;
    enum place place;
    size_t order;
    const struct history_entry *entry; /* of a reinforcement */
    bool left_out;
};

struct support {
    struct kernle_mapping *map;
    struct named *named;
    size_t count;
    struct kernle_list annotations;
    enum recorded recorded; /* of the links: a marker says that they were guessed */
};

static void add_named(struct support *s, struct ref ref, enum place place,
                      const struct history_entry *entry)
{
    s->named[s->count] = (struct named){ref, place, s->count, entry, false};
    s->count++;
}

/* The markers that Kernle's own repairs leave among the refs; auto-linked is the stronger doubt. */
static void take_marker(struct support *s, const char *text)
{
    if (strcmp(text, "kernle:auto-linked") == 0)
        s->recorded = RECORDED_AUTO_LINKED;
    else if (strcmp(text, "kernle:pre-v0.9-migration") == 0 && s->recorded == RECORDED)
        s->recorded = RECORDED_MIGRATED;
}

/* `bare`: what a word without a kind names, or -1 where it names nothing. */
static void take_item(struct support *s, enum kernle_field field, const char *text, int bare,
                      enum place place)
{
    struct ref ref;
    switch (ref_parse(text, &ref)) {
    case REF_MEMORY:
        add_named(s, ref, place, NULL);
        return;
    case REF_ANNOTATION:
        take_marker(s, text);
        s->annotations.items[s->annotations.count++] = text;
        return;
    case REF_BARE:
        if (bare >= 0) {
            add_named(s, (struct ref){(enum kind)bare, text}, place, NULL);
            return;
        }
        break;
    case REF_BAD:
        break;
    }
    mapping_report(s->map, field, "names \"%.*s\", which is no ref; left out",
                   (int)utf8_prefix(text, 60), text);
    mapping_keep(s->map, field, KEEP_CELL);
}

static void take_list(struct support *s, enum kernle_field field, const struct kernle_list *list,
                      int bare, enum place place)
{
    for (size_t i = 0; i < list->count; i++)
        take_item(s, field, list->items[i], bare, place);
}

/* Evidence that did not speak for the memory is no support. */
static bool is_reinforcement(const struct history_entry *h, struct ref *ref)
{
    if (h->origin || !h->evidence_source || ref_parse(h->evidence_source, ref) != REF_MEMORY)
        return false;
    return isnan(h->old) || isnan(h->new_) || h->new_ >= h->old;
}

static int compare_named(const void *a, const void *b)
{
    const struct named *x = *(struct named *const *)a, *y = *(struct named *const *)b;
    int order = ref_compare(x->ref, y->ref);
    if (order == 0)
        order = (x->place > y->place) - (x->place < y->place);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/*
 * Of the same ref: the first in each place stands, and a reinforcement stands only where it says
 * something new: an episode that is no source episode yet, another memory that is no support yet.
 */
static void settle_same(struct named **same, size_t count)
{
    bool derived = false, evidence = false, reinforced = false;
    for (size_t i = 0; i < count; i++) {
        struct named *n = same[i];
        if (n->place == PLACE_DERIVED) {
            n->left_out = derived;
            derived = true;
        } else if (n->place == PLACE_EVIDENCE) {
            n->left_out = evidence;
            evidence = true;
        } else {
            bool known = evidence || (n->ref.kind != KIND_EPISODE && derived);
            n->left_out = known || reinforced;
            reinforced = true;
        }
    }
}

static void settle(struct support *s)
{
    struct named **sorted = mapping_alloc(s->map, s->count, sizeof(void *));
    if (!sorted)
        return;
    for (size_t i = 0; i < s->count; i++)
        sorted[i] = &s->named[i];
    qsort(sorted, s->count, sizeof(void *), compare_named);
    for (size_t i = 0, end; i < s->count; i = end) {
        for (end = i + 1; end < s->count && ref_equal(sorted[i]->ref, sorted[end]->ref); end++)
            ;
        settle_same(sorted + i, end - i);
    }
}

static size_t count_of(const struct support *s, enum place place)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += s->named[i].place == place && !s->named[i].left_out;
    return count;
}

static struct justification *add_group(struct support *s, enum role role)
{
    struct memory *m = s->map->m;
    struct justification *j = &m->justifications[m->justification_count++];
    *j = (struct justification){
        .role = role, .reading = READING_ANY, .recorded = s->recorded, .at = m->created_at};
    return j;
}

static void add_derived(struct support *s, struct antecedent *antecedents)
{
    struct justification *j = add_group(s, ROLE_DERIVED_FROM);
    j->antecedents = antecedents;
    for (size_t i = 0; i < s->count; i++)
        if (s->named[i].place == PLACE_DERIVED && !s->named[i].left_out)
            antecedents[j->count++].ref = s->named[i].ref;
}

static void add_single(struct support *s, const struct named *n, struct antecedent *antecedent)
{
    enum role role = n->place == PLACE_EVIDENCE || n->ref.kind == KIND_EPISODE ? ROLE_EVIDENCE
                                                                               : ROLE_REINFORCEMENT;
    struct justification *j = add_group(s, role);
    j->recorded = RECORDED;
    antecedent->ref = n->ref;
    j->antecedents = antecedent;
    j->count = 1;
    if (n->entry) {
        j->at = n->entry->at;
        j->reason = n->entry->reason;
    }
}

/* An empty justification: the memory stood by itself before it was reinforced. */
static void add_empty(struct support *s)
{
    struct justification *j = add_group(s, ROLE_DERIVED_FROM);
    j->reading = READING_ALL;
    j->recorded = RECORDED;
}

static void write_groups(struct support *s)
{
    size_t derived = count_of(s, PLACE_DERIVED), evidence = count_of(s, PLACE_EVIDENCE);
    size_t reinforcements = count_of(s, PLACE_REINFORCEMENT);
    size_t most = 2 + evidence + reinforcements, next = derived;
    struct memory *m = s->map->m;
    m->justifications = mapping_alloc(s->map, most, sizeof(*m->justifications));
    struct antecedent *antecedents =
        mapping_alloc(s->map, derived + evidence + reinforcements, sizeof(*antecedents));
    if (!m->justifications || !antecedents)
        return;
    if (derived == 0 && evidence == 0 && reinforcements > 0)
        add_empty(s);
    if (derived)
        add_derived(s, antecedents);
    for (enum place place = PLACE_EVIDENCE; place <= PLACE_REINFORCEMENT; place++)
        for (size_t i = 0; i < s->count; i++)
            if (s->named[i].place == place && !s->named[i].left_out)
                add_single(s, &s->named[i], &antecedents[next++]);
}

static void gather(struct support *s, const struct kernle_list lists[3])
{
    struct memory *m = s->map->m;
    take_list(s, FIELD_DERIVED_FROM, &lists[0], -1, PLACE_DERIVED);
    take_list(s, FIELD_SOURCE_RAWS, &lists[1], KIND_RAW, PLACE_DERIVED);
    take_list(s, FIELD_SOURCE_EPISODES, &lists[2], KIND_EPISODE, PLACE_EVIDENCE);
    struct ref ref;
    for (size_t i = 0; i < m->history_count; i++)
        if (is_reinforcement(&m->history[i], &ref))
            add_named(s, ref, PLACE_REINFORCEMENT, &m->history[i]);
}

void mapping_support(struct kernle_mapping *map)
{
    const struct kernle_list lists[3] = {mapping_list(map, FIELD_DERIVED_FROM),
                                         mapping_list(map, FIELD_SOURCE_RAWS),
                                         mapping_list(map, FIELD_SOURCE_EPISODES)};
    struct support s = {.map = map};
    size_t items = lists[0].count + lists[1].count + lists[2].count;
    s.named = mapping_alloc(map, items + map->m->history_count, sizeof(*s.named));
    s.annotations.items = mapping_alloc(map, items, sizeof(*s.annotations.items));
    if (!s.named || !s.annotations.items)
        return;
    gather(&s, lists);
    settle(&s);
    write_groups(&s);
    kernle_list_unique(map, &s.annotations);
    map->m->annotations = s.annotations.items;
    map->m->annotation_count = s.annotations.count;
}
