#include "tui/view/events/happening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/call_outcome.h"
#include "tui/explorer/news.h"

#define ONE sizeof(struct happening *)

const char *happening_said(const struct happening *h)
{
    static const char *const calls[] = {[HAPPENED_WRITE] = NULL,
                                        [HAPPENED_READ] = "read",
                                        [HAPPENED_REFUSAL] = "refused",
                                        [HAPPENED_CANCEL] = "cancelled"};
    return calls[h->sort] ? calls[h->sort] : news_said(h->what);
}

int64_t happening_session(const struct happening *h)
{
    return h->session ? h->session : h->about;
}

const char *happening_why(const struct happening *h)
{
    return h->sort == HAPPENED_REFUSAL ? call_outcome_name((enum error_code)h->outcome) : "";
}

void happening_text(const struct happening *h, struct strbuf *out)
{
    strbuf_addf(out, "%s%s %s %s %s %s %s %s %s %s %s", h->who, h->person ? " person" : "",
                happening_said(h), h->what, h->client, h->namespace_, h->ref, happening_why(h),
                h->change, h->why, h->text);
}

bool happening_filter_narrows(const struct happening_filter *f)
{
    return f->session || f->subject || *f->actor || *f->operation || *f->correlation || f->kinds ||
           f->sorts || f->since || f->until || f->after_seq || f->after_call;
}

/* ---- keeping ---- */

static bool is_call(const struct happening *h)
{
    return h->sort != HAPPENED_WRITE;
}

/*
 * Did `a` happen after `b`? Events by their order in the journal, whatever the clocks said; calls by
 * their times, for those of a second are logged together.
 */
static bool is_later(const struct happening *a, const struct happening *b)
{
    if ((is_call(a) || is_call(b)) && a->at != b->at)
        return a->at > b->at;
    if (is_call(a) != is_call(b))
        return is_call(a);
    return a->id != b->id ? a->id > b->id : a->outcome > b->outcome;
}

static bool is_same(const struct happening *a, const struct happening *b)
{
    return is_call(a) == is_call(b) && a->id == b->id && a->outcome == b->outcome;
}

size_t happenings_count(const struct happenings *all)
{
    return all->newer_count + all->older_count;
}

struct happening *happenings_at(const struct happenings *all, size_t index)
{
    if (index < all->newer_count)
        return all->newer[all->newer_count - 1 - index];
    index -= all->newer_count;
    return index < all->older_count ? all->older[index] : NULL;
}

static size_t refuse(struct happening *one)
{
    free(one);
    return SIZE_MAX;
}

static size_t put_older(struct happenings *all, struct happening *one)
{
    size_t at = 0;
    while (at < all->older_count && is_later(all->older[at], one))
        at++;
    if ((at < all->older_count && is_same(all->older[at], one)) ||
        !array_grow((void **)&all->older, &all->older_alloc, all->older_count, ONE))
        return refuse(one);
    memmove(all->older + at + 1, all->older + at, (all->older_count - at) * ONE);
    all->older[at] = one;
    all->older_count++;
    return all->newer_count + at;
}

size_t happenings_land(struct happenings *all, struct happening *one)
{
    size_t at = all->newer_count;
    while (at > 0 && is_later(all->newer[at - 1], one))
        at--;
    if (at > 0 && is_same(all->newer[at - 1], one))
        return refuse(one);
    if (at == 0 && all->older_count > 0 &&
        (is_later(all->older[0], one) || is_same(all->older[0], one)))
        return put_older(all, one);
    if (!array_grow((void **)&all->newer, &all->newer_alloc, all->newer_count, ONE))
        return refuse(one);
    memmove(all->newer + at + 1, all->newer + at, (all->newer_count - at) * ONE);
    all->newer[at] = one;
    all->newer_count++;
    return all->newer_count - 1 - at;
}

size_t happenings_append(struct happenings *all, struct happening *one)
{
    size_t at = all->older_count;
    while (at > 0 && is_later(one, all->older[at - 1]))
        at--;
    if (at == 0 && all->newer_count > 0 && !is_later(all->newer[0], one))
        return happenings_land(all, one);
    if ((at > 0 && is_same(all->older[at - 1], one)) ||
        !array_grow((void **)&all->older, &all->older_alloc, all->older_count, ONE))
        return refuse(one);
    memmove(all->older + at + 1, all->older + at, (all->older_count - at) * ONE);
    all->older[at] = one;
    all->older_count++;
    return all->newer_count + at;
}

/* Notes how far back a log is known once this one is let go. */
static void let_go(struct happening *h, int64_t *seq, int64_t *call)
{
    int64_t *from = is_call(h) ? call : seq;
    *from = h->id + 1 > *from ? h->id + 1 : *from;
    free(h);
}

void happenings_cut(struct happenings *all, size_t most, int64_t *seq, int64_t *call)
{
    while (all->older_count > 0 && happenings_count(all) > most)
        let_go(all->older[--all->older_count], seq, call);
    size_t over = happenings_count(all) > most ? happenings_count(all) - most : 0;
    for (size_t i = 0; i < over; i++)
        let_go(all->newer[i], seq, call);
    if (over > 0)
        memmove(all->newer, all->newer + over, (all->newer_count - over) * ONE);
    all->newer_count -= over;
}

void happenings_clear(struct happenings *all)
{
    for (size_t i = 0; i < all->newer_count; i++)
        free(all->newer[i]);
    for (size_t i = 0; i < all->older_count; i++)
        free(all->older[i]);
    all->newer_count = all->older_count = 0;
}

void happenings_release(struct happenings *all)
{
    happenings_clear(all);
    free(all->newer);
    free(all->older);
    *all = (struct happenings){0};
}
