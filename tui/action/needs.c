/* Preconditions of actions, and the messages when they are not met. */
#include "tui/action/action.h"

#include "store/record/get.h"
#include "tui/explorer/app.h"

/* The current subject of actions. */
struct subject {
    const struct app *x;
    const struct view *v;
    int64_t here;                    /* the memory under the cursor, or of the view; 0 for none */
    const struct memory_row *cursor; /* its row, or NULL */
    size_t selected;                 /* number of selected memories */
    /* The single memory to act on; NULL for none, or for several, which are checked one by one. */
    const struct memory_row *one;
};

static bool has_status(const struct subject *s, unsigned statuses)
{
    return !s->one || (STATUS_BIT(s->one->status) & statuses);
}

static bool has_kind(const struct subject *s, enum kind kind)
{
    return !s->one || s->one->ref.kind == kind;
}

static bool holds(const struct subject *s, enum need need)
{
    switch (need) {
    case NEED_NO_QUESTION:
        return !(s->v->ops->has & HAS_QUESTION);
    case NEED_MEMORY:
        return s->here > 0;
    case NEED_SUBJECT:
        return s->selected > 0 || s->here > 0;
    case NEED_LINE:
        return !s->v->ops->at_large || s->v->cursor != LINE_NONE;
    case NEED_LINES:
    case NEED_DRAWING:
        return s->v->count > 0;
    case NEED_BEFORE:
        return s->x->nav.back_list.at > 0;
    case NEED_AFTER:
        return s->x->nav.back_list.at + 1 < s->x->nav.back_list.count;
    case NEED_PATTERN:
        return *s->v->search.pattern != '\0';
    case NEED_FEED:
        return s->x->data.feed != NULL;
    case NEED_PREVIEW:
        return s->v->ops->preview || s->v->ops->zooms;
    case NEED_SELECTION:
        return s->selected > 0 || s->x->ui.selection.range;
    case NEED_UNSAVED:
        return s->x->pending.count[PENDING_UNSAVED] > 0;
    case NEED_ONE:
        return s->selected <= 1;
    case NEED_KEPT:
        return has_status(s, ~STATUS_BIT(STATUS_PURGED));
    case NEED_WRITTEN:
        return has_status(s, ~STATUS_BIT(STATUS_MISSING));
    case NEED_UNLOCKED:
        return !s->one || !s->one->is_protected;
    case NEED_LOCKED:
        return !s->one || s->one->is_protected;
    case NEED_RAW:
        return has_kind(s, KIND_RAW);
    case NEED_BELIEF:
        return has_kind(s, KIND_BELIEF);
    case NEED_LIVING: /* what a pending one refuses, the operation says */
        return has_status(s, STATUSES_LIVING | STATUS_BIT(STATUS_PENDING));
    case NEED_INACTIVE:
        return has_status(s, ~(STATUSES_LIVING | STATUS_BIT(STATUS_PENDING)));
    case NEED_REMEMBERED:
        return has_status(s, STATUSES_LISTED);
    case NEED_CURRENT:
        return has_status(s, ~STATUS_BIT(STATUS_SUPERSEDED));
    case NEED_EPISODE:
        return s->cursor && s->cursor->ref.kind == KIND_EPISODE;
    case NEED_LIVING_HERE:
        return s->cursor && STATUS_LIVES(s->cursor->status);
    case NEED_QUARANTINED:
        return has_status(s, STATUS_BIT(STATUS_QUARANTINED));
    case NEED_END:
        break;
    }
    return true;
}

/* Messages in the order of enum need, which is the order of the checks. */
static const char *const need_messages[] = {
    "answer this question first: Enter on its first line does it, q cancels",
    "there is no memory here",
    "there is no memory here",
    "the cursor is on no other memory; j or Tab goes to one",
    "there is nothing here",
    "the drawing is not ready yet",
    "there is no previous view",
    "there is no next view",
    "nothing was searched for in this view; / starts a search",
    "changes to this store cannot be followed",
    "this view has no preview to zoom",
    "nothing is selected",
    "everything that you typed is saved",
    "this works on one memory at a time",
    "it was purged: nothing of it is left",
    "it is missing: other memories name it, but it was never written",
    "it is already locked",
    "it is not locked",
    "only a raw entry can be promoted",
    "only a belief can be replaced; e edits this",
    "it is no longer active",
    "it is already active",
    "it is already forgotten",
    "it is already replaced",
    "only an episode can revise beliefs",
    "it is no longer active",
    "it is not quarantined",
};
#define NEEDS (sizeof(need_messages) / sizeof(need_messages[0]))
_Static_assert(NEED_END == 1u << NEEDS, "each need has its words");

static struct subject find_subject(struct app *x)
{
    struct subject s = {.x = x,
                        .v = x->nav.top,
                        .here = view_memory(x->nav.top),
                        .selected = x->ui.selection.count};
    s.cursor = details_row(x, s.here);
    s.one = s.selected > 1 ? NULL : details_row(x, pending_subject(x));
    return s;
}

/* An argument that names a memory, or what to copy, replaces the conditions on the cursor. */
static const char *missing_here(struct app *x, const struct action *a, const char *argument)
{
    if (*argument && (a->argument == ARGUMENT_REF || a->argument == ARGUMENT_COPY))
        return NULL;
    struct subject s = a->needs ? find_subject(x) : (struct subject){0};
    for (size_t i = 0; i < NEEDS; i++)
        if (a->needs >> i & 1 && !holds(&s, (enum need)(1u << i)))
            return need_messages[i];
    return a->blocked ? a->blocked(x) : NULL;
}

const char *action_missing(struct app *x, const struct action *a, const char *argument)
{
    const char *why = a->group == GROUP_ACT ? pending_blocked(x) : NULL;
    return why ? why : missing_here(x, a, argument);
}
