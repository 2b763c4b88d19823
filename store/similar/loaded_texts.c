/*
 * The texts of all memories, kept once somebody asked for all duplicates (store/lineage/loaded.h), and brought to the
 * reader's event from the journal: then a question about one memory, or about all again, costs what changed since.
 */
#include <string.h>
#include "store/lineage/loaded.h"
#include "store/similar/similar_internal.h"

/* Each question looks at all texts that came after the bands were sorted. Beyond so many it would cost a millisecond:
 * they are forgotten, and computed anew when somebody asks for all. */
#define LATER_MOST 4096

static int last_row(struct finder *f, int64_t *last)
{
    return db_int(reader_db(f->r), last, 0, f->e, "SELECT max(id) FROM memory", "");
}

static int change(struct finder *f, int64_t row)
{
    const struct text_reader from = {read_text, NULL, f};
    struct statement s = STATEMENT_INIT;
    struct seen m;
    int result = read_seen(f, row, KINDS_ALL, &m);
    if (result == 0 && m.compared)
        statement_parse(&s, m.text, strlen(m.text));
    if (result == 0)
        result = texts_change(&f->texts, &from, row, (int)m.kind, m.compared ? &s : NULL);
    statement_release(&s);
    return result;
}

/* Returns 0, or -1 if the texts cannot be those of the reader's event. */
static int bring_to(struct finder *f, struct loaded_texts *k, int64_t seq)
{
    enum similar_question asked = f->question;
    int64_t row[LATER_MOST];
    size_t count;
    int result = loaded_changed(f->r, k->seq, k->last, LATER_MOST, row, &count) &&
                         texts_later(&f->texts) + count < LATER_MOST
                     ? last_row(f, &k->last)
                     : -1;
    f->question = SIMILAR_DUPLICATES; /* raw entries are among the texts */
    for (size_t i = 0; i < count && result == 0; i++)
        result = change(f, row[i]);
    f->question = asked;
    k->seq = result ? 0 : seq;
    return result;
}

bool texts_take(struct finder *f)
{
    struct error ignored;
    int64_t seq;
    struct loaded_texts *k = f->kept = loaded_texts_take(f->r);
    if (!k)
        return false;
    bool usable = k->seq && reader_snapshot_seq(f->r, &seq, &ignored) == 0 && k->seq <= seq;
    f->texts = k->texts;
    if (usable && k->seq < seq && bring_to(f, k, seq)) {
        texts_release(&f->texts);
        usable = false;
    }
    if (!usable)
        texts_give(f);
    return usable;
}

void texts_give(struct finder *f)
{
    f->kept->texts = f->texts;
    f->texts = (struct texts)TEXTS_INIT;
    f->kept = NULL;
    loaded_texts_give(f->r);
}

void texts_put(struct finder *f)
{
    struct loaded_texts *k = loaded_texts_take(f->r);
    int64_t seq;
    if (!k)
        return;
    if (reader_snapshot_seq(f->r, &seq, f->e) == 0 && seq > k->seq && last_row(f, &k->last) == 0) {
        texts_release(&k->texts);
        *k = (struct loaded_texts){f->texts, seq, k->last};
        f->texts = (struct texts)TEXTS_INIT;
    }
    loaded_texts_give(f->r);
}
