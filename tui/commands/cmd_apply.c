/* stemma apply: writes decisions back into the source that a store follows, after they were shown and confirmed. */
#include <string.h>
#include "model/json/json.h"
#include "model/format/memory_json.h"
#include "store/apply/apply.h"
#include "store/db/store.h"
#include "store/formats/formats.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/commands/commands.h"
#include "tui/render/plan_page.h"

static const struct option_spec options[] = {
    OPT_FLAG("dry-run", "show what would be written, and write nothing"),
    OPT_FLAG("yes", "write it without asking"),
    OPT_FLAG("overwrite", "write also over what changed in the source since"),
    OPT_FLAG("undo", "write back what was there before the last apply"),
    OPTION_END,
};

static void write_changes(struct json_object *o, const char *name, const struct write_change *c,
                          size_t count)
{
    struct json_object list = json_open(o, name, '[');
    for (; count; c++, count--) {
        struct json_object one = json_item_open(&list, '{');
        if (c->decision) {
            memory_json_pair_ref(&one, "ref", c->decision->now->ref);
            json_pair(&one, "decision", c->decision->verb);
            json_pair_if(&one, "actor", c->decision->who);
            json_pair_if(&one, "reason", c->decision->why);
        }
        json_pair(&one, "place", c->place);
        json_pair(&one, "before", c->old);
        json_pair(&one, "after", c->new_);
        if (c->at)
            json_pair_int(&one, "changed_at", c->at);
        json_end(&one);
    }
    json_end(&list);
}

static void write_left(struct json_object *o, const struct apply *a)
{
    struct json_object list = json_open(o, "cannot", '[');
    for (size_t n = 0; n < a->w.left_count; n++) {
        struct json_object one = json_item_open(&list, '{');
        memory_json_pair_ref(&one, "ref", a->w.left[n].decision->now->ref);
        json_pair(&one, "what", a->w.left[n].what);
        json_end(&one);
    }
    json_end(&list);
}

static void print_json(struct output *out, const struct apply *a, bool done)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "source", a->w.path);
    json_pair(&o, "format", a->format->name);
    json_pair_bool(&o, "done", done);
    if (a->undoes)
        json_pair_int(&o, "undoes", a->undoes);
    write_changes(&o, "changes", a->w.change, a->w.change_count);
    write_changes(&o, "conflicts", a->w.conflict, a->w.conflict_count);
    write_left(&o, a);
    struct json_object list = json_open(&o, "backups", '[');
    for (size_t n = 0; n < a->backup_count; n++) {
        json_item(&list);
        json_add_string(&out->text, a->backup[n]);
    }
    json_end(&list);
    json_end_line(&o);
}

static void print_plan(struct output *out, struct arena *arena, const struct apply *a)
{
    struct page page;
    page_for_output(&page, out);
    apply_page(&page, a);
    output_page(out, &page, 0);
    output_text(out, STYLE_TEXT, apply_summary(arena, a));
    strbuf_addch(&out->text, '\n');
}

static void print_done(struct output *out, const struct apply *a)
{
    if (a->undoes) {
        output_text(out, STYLE_TEXT, a->w.path);
        strbuf_addstr(&out->text, " has again what was there before\n");
    }
    for (size_t n = 0; n < a->backup_count; n++) {
        strbuf_addstr(&out->text, "written; what was there is in ");
        output_text(out, STYLE_TEXT, a->backup[n]);
        strbuf_addch(&out->text, '\n');
    }
}

/* What was shown is what is written: the source is compared with what was read for it. */
static int carry_out(struct invocation *i, struct apply *a, struct opened *o, struct error *e)
{
    struct actor person = opening_person(i);
    bool write = apply_writes(a) && !option_given(i, "dry-run");
    if (!i->out.json)
        print_plan(&i->out, &i->arena, a);
    if (write && !option_given(i, "yes") && operating_confirm(&i->out, "written", e))
        return -1;
    if (write && apply_write(a, o->store, &person, e))
        return -1;
    if (i->out.json)
        print_json(&i->out, a, write);
    else if (write)
        print_done(&i->out, a);
    return 0;
}

static int run_apply(struct invocation *i, struct error *e)
{
    struct opened o;
    struct apply a;
    const char *source = i->word_count ? i->words[0] : NULL;
    unsigned how = (option_given(i, "undo") ? APPLY_UNDO : 0) |
                   (option_given(i, "overwrite") ? APPLY_OVERWRITE : 0);
    if (how == (APPLY_UNDO | APPLY_OVERWRITE))
        return error_set(e, ERROR_USAGE, "Give one of them.", "--undo never overwrites");
    struct error ignored;
    if (source)
        format_find_source(&source, &i->arena,
                           &ignored); /* the one in a folder, as it was opened */
    bool copied = source && !option_given(i, "store");
    const char *path = copied ? opening_working_copy(&i->arena, source) : opening_path(i, NULL, e);
    if (copied && path && strcmp(store_recognise(path), "none") == 0)
        return error_set(e, ERROR_STORE, "`stemma PATH` makes one; --store names another store.",
                         "%s has no working copy yet", source);
    if (!path || opening_open(i, path, false, &o, e))
        return path || e->code != ERROR_NONE
                   ? -1
                   : error_set(e, ERROR_STORE, "Name it with --store.", "HOME is not set");
    int result = apply_plan(&a, o.reader, source, how, e) || carry_out(i, &a, &o, e) ? -1 : 0;
    apply_release(&a);
    opening_close(&o);
    return result;
}

const struct command cmd_apply = {
    .name = "apply",
    .words = "[SOURCE]",
    .about = "write decisions back into the source that the store was imported from",
    .examples = "stemma apply ~/.kernle/memories.db --dry-run\n"
                "stemma apply --store copy.db --yes\n"
                "stemma apply --store copy.db --undo --yes",
    .details = "SOURCE is what was opened or imported; its working copy is the store, unless "
               "--store names another. Shows what was retracted, edited, replaced or approved here "
               "and differs there, in the form of the source, and what its format cannot say. On a "
               "terminal you are asked for confirmation; elsewhere nothing is done without --yes "
               "(exit status 4).\n\nWhat changed in the source since it was edited here is left "
               "out, and both texts are shown; --overwrite writes it, too.\n\nA copy of each file "
               "is made next to it first, FILE.stemma-backup. If the source changed since it was "
               "read, or is locked, nothing is written. --undo shows the copy in the same way and "
               "writes it back, unless the source changed since.\n\n--json: {source, format, done, "
               "undoes (an event), changes: [{ref, decision, actor, reason, place, before, "
               "after}], conflicts: [the same, and changed_at], cannot: [{ref, what}], backups}.",
    .options = options,
    .run = run_apply,
};
