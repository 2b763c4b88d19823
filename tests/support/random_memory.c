#include "tests/support/random_memory.h"

#include "model/json/json.h"

static const char *maybe(struct random *r, struct arena *arena)
{
    return random_chance(r, 60) ? random_text(r, arena, 6) : NULL;
}

static const char *named(struct random *r, struct arena *arena)
{
    const char *text = random_text(r, arena, 3);
    return *text ? text : "x";
}

static struct ref random_ref(struct random *r, struct arena *arena)
{
    return (struct ref){(enum kind)random_below(r, KIND_COUNT), named(r, arena)};
}

static int64_t random_time(struct random *r)
{
    return random_chance(r, 5) ? (int64_t)random_next(r)
                               : INT64_C(1700000000000) + random_below(r, 1000000000);
}

static double random_share(struct random *r)
{
    return random_chance(r, 20) ? (double)random_below(r, 2)
                                : (double)(random_next(r) >> 11) * 0x1p-53;
}

static void add_value(struct random *r, struct arena *arena, struct strbuf *out, int depth)
{
    static const char *const scalars[] = {
        "null", "true", "1.50", "-0", "\"\\u0000\\u202e\xe2\x80\xae\"", "12345678901234567890"};
    uint32_t sort = random_below(r, depth > 0 ? 6 : 4);
    if (sort < 2) {
        json_add_string(out, random_text(r, arena, 4));
    } else if (sort < 4) {
        strbuf_addstr(out, scalars[random_below(r, 6)]);
    } else {
        struct json_object o = json_begin(out, sort == 4 ? '[' : '{');
        for (uint32_t i = random_below(r, 4); i > 0; i--) {
            char key[32];
            snprintf(key, sizeof(key), "%s%u", i % 2 ? "k" : "\xc3\xa9\"", i);
            if (sort == 4)
                json_item(&o);
            else
                json_key(&o, key);
            add_value(r, arena, out, depth - 1);
        }
        json_end(&o);
    }
}

const char *random_detail(struct random *r, struct arena *arena)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    for (uint32_t i = random_below(r, 5); i > 0; i--) {
        char key[32];
        snprintf(key, sizeof(key), "key%u%s", i, i % 2 ? "" : "\xe2\x80\xae");
        json_key(&o, key);
        add_value(r, arena, &out, 3);
    }
    json_end(&o);
    return arena_strndup(arena, out.buf, out.len);
}

static int64_t random_place(struct random *r)
{
    return random_chance(r, 50) ? -1 : (int64_t)random_below(r, 100);
}

static const struct use *random_use(struct random *r, struct arena *arena)
{
    struct use *use = arena_alloc(arena, sizeof(*use));
    *use = (struct use)USE_NONE;
    if (random_chance(r, 50))
        use->relevance = random_share(r);
    use->score = (enum score)random_below(r, 5);
    use->excerpt = maybe(r, arena);
    use->chunk = random_place(r);
    use->rank = random_place(r);
    use->page = random_place(r);
    use->section = maybe(r, arena);
    use->version_hash = maybe(r, arena);
    use->label = maybe(r, arena);
    use->title = maybe(r, arena);
    return use;
}

static void fill_justification(struct random *r, struct arena *arena, struct justification *j)
{
    j->role = (enum role)random_below(r, ROLE_SUPPORT_COUNT);
    j->reading = (enum reading)random_below(r, 2);
    j->recorded = (enum recorded)random_below(r, 4);
    j->at = random_time(r);
    j->reason = maybe(r, arena);
    j->count = random_below(r, 5);
    j->antecedents = arena_array(arena, j->count, sizeof(*j->antecedents));
    for (size_t i = 0; i < j->count; i++) {
        struct antecedent *a = &j->antecedents[i];
        a->ref = random_ref(r, arena);
        for (size_t k = 0; k < i; k++)
            if (ref_equal(j->antecedents[k].ref, a->ref)) {
                j->count = i; /* a ref occurs once in a group */
                return;
            }
        a->use = random_chance(r, 40) ? random_use(r, arena) : NULL;
    }
}

static void fill_history(struct random *r, struct arena *arena, struct history_entry *h)
{
    *h = (struct history_entry){.at = random_time(r), .old = NAN, .new_ = NAN};
    if (random_chance(r, 70))
        h->old = random_share(r);
    if (random_chance(r, 70))
        h->new_ = random_share(r);
    h->reason = maybe(r, arena);
    h->evidence_source = maybe(r, arena);
    h->before = maybe(r, arena);
    h->after = maybe(r, arena);
    h->operation = maybe(r, arena);
    h->actor = maybe(r, arena);
    h->origin = maybe(r, arena);
}

static void fill_relation(struct random *r, struct arena *arena, struct relation *relation)
{
    relation->type =
        (enum role)(RELATION_SUPERSEDES + random_below(r, RELATION_END - RELATION_SUPERSEDES));
    relation->to = random_ref(r, arena);
    relation->at = random_time(r);
    relation->reason = maybe(r, arena);
}

static void fill_flag(struct random *r, struct arena *arena, struct flag *flag)
{
    flag->name = named(r, arena);
    flag->at = random_time(r);
    flag->actor = maybe(r, arena);
    flag->value = maybe(r, arena);
    flag->reason = maybe(r, arena);
    flag->by_agent = random_below(r, 2) == 1;
}

static const char **random_texts(struct random *r, struct arena *arena, size_t *count)
{
    *count = random_below(r, 4);
    const char **texts = arena_array(arena, *count, sizeof(*texts));
    for (size_t i = 0; i < *count; i++)
        texts[i] = random_text(r, arena, 3);
    return texts;
}

static void fill_lists(struct random *r, struct arena *arena, struct memory *m)
{
    m->justification_count = random_below(r, 4);
    m->justifications = arena_array(arena, m->justification_count, sizeof(*m->justifications));
    for (size_t i = 0; i < m->justification_count; i++)
        fill_justification(r, arena, &m->justifications[i]);
    m->history_count = random_below(r, 4);
    m->history = arena_array(arena, m->history_count, sizeof(*m->history));
    for (size_t i = 0; i < m->history_count; i++)
        fill_history(r, arena, &m->history[i]);
    m->relation_count = random_below(r, 4);
    m->relations = arena_array(arena, m->relation_count, sizeof(*m->relations));
    for (size_t i = 0; i < m->relation_count; i++)
        fill_relation(r, arena, &m->relations[i]);
    m->flag_count = random_below(r, 4);
    m->flags = arena_array(arena, m->flag_count, sizeof(*m->flags));
    for (size_t i = 0; i < m->flag_count; i++)
        fill_flag(r, arena, &m->flags[i]);
}

/* Any but missing. */
static enum status random_status(struct random *r)
{
    enum status status = (enum status)random_below(r, STATUS_COUNT);
    return status == STATUS_MISSING ? STATUS_ACTIVE : status;
}

void random_memory(struct random *r, struct arena *arena, struct memory *m)
{
    memory_init(m, random_ref(r, arena));
    m->agent_id = named(r, arena);
    m->text = random_text(r, arena, 30);
    m->created_at = random_time(r);
    m->updated_at = random_time(r);
    m->confidence = random_share(r);
    m->source_type = random_chance(r, 80)
                         ? source_type_name((enum source_type)random_below(r, SOURCE_TYPE_COUNT))
                         : named(r, arena);
    m->source = maybe(r, arena);
    m->source_entity = maybe(r, arena);
    m->status = random_status(r);
    m->is_protected = random_chance(r, 20);
    m->tags = random_texts(r, arena, &m->tag_count);
    m->context = maybe(r, arena);
    m->annotations = random_texts(r, arena, &m->annotation_count);
    m->version = 1 + random_below(r, 1000);
    m->detail = random_chance(r, 70) ? random_detail(r, arena) : NULL;
    fill_lists(r, arena, m);
}

/* Copies the list without some of its elements, with a hole at a random place. Returns the index
 * of the hole. */
static size_t edit_list(struct random *r, struct arena *arena, const void *list, size_t *count,
                        size_t size, void **out)
{
    char *edited = arena_array(arena, *count + 1, size);
    size_t kept = 0, place = random_below(r, (uint32_t)*count + 1), hole = 0;
    for (size_t i = 0; i <= *count; i++) {
        if (i == place)
            hole = kept++;
        if (i < *count && !random_chance(r, 30))
            memcpy(edited + size * kept++, (const char *)list + size * i, size);
    }
    *count = kept;
    *out = edited;
    return hole;
}

static void edit_lists(struct random *r, struct arena *arena, struct memory *m)
{
    void *list;
    size_t hole;
    if (random_chance(r, 40)) {
        hole = edit_list(r, arena, m->tags, &m->tag_count, sizeof(*m->tags), &list);
        m->tags = list;
        m->tags[hole] = random_text(r, arena, 3);
    }
    if (random_chance(r, 40)) {
        hole = edit_list(r, arena, m->justifications, &m->justification_count,
                         sizeof(*m->justifications), &list);
        m->justifications = list;
        fill_justification(r, arena, &m->justifications[hole]);
    }
    if (random_chance(r, 40)) {
        hole = edit_list(r, arena, m->history, &m->history_count, sizeof(*m->history), &list);
        m->history = list;
        fill_history(r, arena, &m->history[hole]);
    }
    if (random_chance(r, 40)) {
        hole = edit_list(r, arena, m->flags, &m->flag_count, sizeof(*m->flags), &list);
        m->flags = list;
        fill_flag(r, arena, &m->flags[hole]);
    }
}

void random_edit(struct random *r, struct arena *arena, struct memory *m)
{
    if (random_chance(r, 40))
        m->text = random_text(r, arena, 30);
    if (random_chance(r, 40))
        m->confidence = random_share(r);
    if (random_chance(r, 20))
        m->source = maybe(r, arena);
    if (random_chance(r, 20))
        m->status = random_status(r);
    if (random_chance(r, 20))
        m->is_protected = !m->is_protected;
    if (random_chance(r, 40))
        m->detail = random_chance(r, 80) ? random_detail(r, arena) : NULL;
    if (random_chance(r, 20))
        m->annotations = random_texts(r, arena, &m->annotation_count);
    if (random_chance(r, 80)) {
        m->version++;
        m->updated_at = random_time(r);
    }
    edit_lists(r, arena, m);
}
