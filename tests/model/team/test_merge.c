/*
 * The merge rules, tried on all orders of up to four changes that three machines make without
 * knowing of each other's.
 */
#include "model/team/merge.h"
#include "tests/support/test.h"

#define MACHINES 3
#define MOST     4

enum what {
    SET_TEXT,
    SET_CONTEXT,
    REINFORCE,
    RETRACT,
    LOCK,
    PURGE,
    WHATS
};

struct op {
    enum what what;
    bool by_person;
    int machine;
};

/* One made change: its memory before and after, as its machine saw them. */
struct made {
    struct op op;
    const struct memory *was, *mine;
    bool holds;
    size_t place; /* in the order */
};

struct world {
    struct arena arena;
    const struct memory *base;
    struct made made[MOST];
    size_t count;
    size_t order[MOST]; /* in which the journal got them */
    const struct memory *end;
};

static const char *const words[MOST] = {"one", "two", "three", "four"};

/* What the change makes of a memory; NULL if its machine would not allow it. */
static const struct memory *apply(struct world *w, const struct memory *m, struct op op, size_t n)
{
    struct memory *after = arena_alloc(&w->arena, sizeof(*after));
    *after = *m;
    after->version++;
    after->updated_at = 10 + (int64_t)n;
    if (m->status == STATUS_PURGED || (m->is_protected && !op.by_person) ||
        (m->status == STATUS_RETRACTED && op.what != PURGE))
        return NULL;
    switch (op.what) {
    case SET_TEXT:
        after->text = words[n];
        return after;
    case SET_CONTEXT:
        after->context = words[n];
        return after;
    case REINFORCE:
        after->confidence = 0.5 + 0.1 * (double)(n + 1);
        return after;
    case RETRACT:
        after->status = STATUS_RETRACTED;
        return after;
    case LOCK:
        after->is_protected = true;
        return m->is_protected ? NULL : after;
    default:
        after->status = STATUS_PURGED;
        after->text = "";
        after->context = NULL;
        return after;
    }
}

/* Each machine makes its changes one after another. False if one cannot be made. */
static bool make(struct world *w, const struct op *ops, size_t count)
{
    const struct memory *seen[MACHINES];
    for (int i = 0; i < MACHINES; i++)
        seen[i] = w->base;
    w->count = count;
    for (size_t n = 0; n < count; n++) {
        const struct memory *was = seen[ops[n].machine], *mine = apply(w, was, ops[n], n);
        if (!mine)
            return false;
        w->made[n] = (struct made){.op = ops[n], .was = was, .mine = mine};
        seen[ops[n].machine] = mine;
    }
    return true;
}

/* The journal gets the changes of one machine after another, in this order of machines. */
static void run(struct world *w, const int *machines)
{
    const struct memory *now = w->base;
    size_t place = 0;
    for (int i = 0; i < MACHINES; i++)
        for (size_t n = 0; n < w->count; n++) {
            struct made *m = &w->made[n];
            struct error why = {0}, e;
            struct merge merge = {m->was, m->mine, now, m->op.by_person, false};
            if (m->op.machine != machines[i])
                continue;
            for (size_t k = 0; k < place; k++)
                merge.theirs_by_person |= w->made[w->order[k]].holds &&
                                          w->made[w->order[k]].op.by_person &&
                                          w->made[w->order[k]].op.machine != m->op.machine;
            const struct memory *merged;
            int holds = merge_change(&merged, &merge, &w->arena, &why, &e);
            assert_in_range(holds, 0, 1);
            m->holds = holds > 0;
            m->place = place;
            w->order[place++] = n;
            if (m->holds)
                now = merged;
            else
                assert_true(why.code == ERROR_CONFLICT && why.what[0]);
        }
    w->end = now;
}

/* ---- what holds at the end ---- */

static bool is_by(const struct made *m, enum what what, bool by_person)
{
    return m->op.what == what && m->op.by_person == by_person;
}

static bool any(const struct world *w, enum what what, bool held)
{
    for (size_t n = 0; n < w->count; n++)
        if (w->made[n].op.what == what && (!held || w->made[n].holds))
            return true;
    return false;
}

/* The value that the last change of a field that holds gave it. */
static const struct made *last_of(const struct world *w, enum what what)
{
    for (size_t i = w->count; i > 0; i--)
        if (w->made[w->order[i - 1]].op.what == what && w->made[w->order[i - 1]].holds)
            return &w->made[w->order[i - 1]];
    return NULL;
}

static void check_field(const struct world *w, enum what what, const char *value, const char *was)
{
    const struct made *last = last_of(w, what);
    if (!last)
        assert_true(value == was || (value && was && !strcmp(value, was)));
    else
        assert_string_equal(value, words[last - w->made]);
}

static void check(const struct world *w)
{
    bool purged = any(w, PURGE, false);
    assert_true(w->made[w->order[0]].holds); /* nobody was faster */
    if (purged) {                            /* a purge holds whatever others did */
        assert_int_equal(w->end->status, STATUS_PURGED);
        return;
    }
    check_field(w, SET_TEXT, w->end->text, w->base->text);
    check_field(w, SET_CONTEXT, w->end->context, w->base->context);
    assert_int_equal(w->end->status, any(w, RETRACT, true) ? STATUS_RETRACTED : STATUS_ACTIVE);
    for (size_t n = 0; n < w->count; n++) {
        const struct made *m = &w->made[n];
        bool first = true; /* of its field, or of what wins over it */
        for (size_t k = 0; k < w->count; k++) {
            const struct made *o = &w->made[k];
            if (k == n || o->op.machine == m->op.machine || o->place > m->place || !o->holds)
                continue;
            first &= o->op.what != m->op.what && o->op.what != RETRACT && o->op.what != LOCK;
        }
        /* Changes of different fields both hold. */
        if (first && m->op.what != RETRACT && !m->holds)
            fail_msg("a change of a field that nobody else changed was refused");
        /* A person's retraction is never refused but by another end. */
        if (is_by(m, RETRACT, true) && !m->holds)
            assert_true(any(w, RETRACT, true));
        /* An agent's change of a field never replaces a person's that it did not see. */
        if (m->holds && !m->op.by_person && m->op.what <= REINFORCE)
            for (size_t k = 0; k < w->count; k++)
                assert_false(w->made[k].holds && w->made[k].op.machine != m->op.machine &&
                             w->made[k].place < m->place && is_by(&w->made[k], m->op.what, true));
    }
}

/* ---- all of them ---- */

static size_t tried;

static void try_orders(struct world *w)
{
    static const int orders[][MACHINES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                           {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        run(w, orders[i]);
        check(w);
        tried++;
    }
}

static void try_all(size_t count, const enum what *whats, size_t what_count)
{
    size_t each = what_count * 2 * MACHINES, all = 1;
    for (size_t n = 0; n < count; n++)
        all *= each;
    for (size_t at = 0; at < all; at++) {
        AUTO_ARENA base = ARENA_INIT;
        struct world w = {.arena = ARENA_INIT};
        struct memory m;
        struct op ops[MOST];
        size_t rest = at;
        bool in_order = true; /* machines are alike: the first change is machine 0's, and so on */
        int next = 0;
        for (size_t n = 0; n < count; n++, rest /= each) {
            size_t one = rest % each;
            ops[n] = (struct op){whats[one % what_count], one / what_count % 2 == 1,
                                 (int)(one / what_count / 2)};
            in_order &= ops[n].machine <= next && !(ops[n].what == PURGE && !ops[n].by_person) &&
                        !(ops[n].what == LOCK && !ops[n].by_person);
            next += ops[n].machine == next;
        }
        if (!in_order)
            continue;
        memory_init(&m, (struct ref){KIND_BELIEF, "b"});
        m.agent_id = "ash";
        m.text = "base";
        m.source_type = "inference";
        m.created_at = m.updated_at = 1;
        m.version = 1;
        m.confidence = 0.5;
        w.base = &m;
        if (make(&w, ops, count))
            try_orders(&w);
        arena_release(&w.arena);
    }
}

TEST(test_up_to_three_changes)
{
    static const enum what all[] = {SET_TEXT, SET_CONTEXT, REINFORCE, RETRACT, LOCK, PURGE};
    for (size_t count = 1; count <= 3; count++)
        try_all(count, all, 6);
    assert_true(tried > 10000);
}

TEST(test_four_changes)
{
    static const enum what edits[] = {SET_TEXT, SET_CONTEXT, RETRACT};
    static const enum what ends[] = {SET_TEXT, RETRACT, PURGE};
    tried = 0;
    try_all(4, edits, 3);
    try_all(4, ends, 3);
    assert_true(tried > 50000);
}

/* ---- additions, and what a person overrules ---- */

static struct memory belief(const char *text)
{
    struct memory m;
    memory_init(&m, (struct ref){KIND_BELIEF, "b"});
    m.agent_id = "ash";
    m.text = text;
    m.source_type = "inference";
    m.created_at = m.updated_at = 1;
    m.version = 1;
    m.confidence = 0.5;
    return m;
}

TEST(test_additions)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error why, e;
    const struct memory *out;
    struct memory one = belief("one"), other = belief("other");
    assert_int_equal(merge_change(&out, &(struct merge){.mine = &one}, &arena, &why, &e), 1);
    assert_ptr_equal(out, &one);
    struct merge twice = {.mine = &one, .theirs = &other, .by_person = true};
    assert_int_equal(merge_change(&out, &twice, &arena, &why, &e), 0);
    assert_string_equal(why.what, "it was added meanwhile");
    struct merge gone = {.was = &one, .mine = &other};
    assert_int_equal(merge_change(&out, &gone, &arena, &why, &e), 0);
}

TEST(test_person_overrules_agent)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error why, e;
    const struct memory *out;
    struct memory was = belief("was"), mine = belief("a person's"), theirs = belief("an agent's");
    struct merge m = {&was, &mine, &theirs, true, false};
    theirs.context = "kept";
    theirs.version = 7;
    assert_int_equal(merge_change(&out, &m, &arena, &why, &e), 1);
    assert_string_equal(out->text, "a person's");
    assert_string_equal(out->context, "kept");
    assert_int_equal(out->version, 7);
    m.theirs_by_person = true;
    assert_int_equal(merge_change(&out, &m, &arena, &why, &e), 0);
    assert_non_null(strstr(why.what, "text"));
}

TEST(test_tags_of_both)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error why, e;
    const struct memory *out;
    const char *one[] = {"one"}, *two[] = {"two"};
    struct memory was = belief("same"), mine = was, theirs = was;
    mine.tags = one;
    theirs.tags = two;
    mine.tag_count = theirs.tag_count = 1;
    struct merge m = {&was, &mine, &theirs, false, false};
    assert_int_equal(merge_change(&out, &m, &arena, &why, &e), 1);
    assert_int_equal(out->tag_count, 2);
}
