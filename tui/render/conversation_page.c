#include "tui/render/conversation_page.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"
#include "store/guard/guard.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

#define TURNS 3 /* words of a person, before and after */

/* ---- reading ---- */

/* Its own ref, then what it is based on. */
static struct ref *refs_of(const struct memory *m, struct arena *arena, size_t *count)
{
    size_t most = 1;
    for (size_t i = 0; i < m->justification_count; i++)
        most += m->justifications[i].count;
    struct ref *refs = arena_array(arena, most, sizeof(*refs));
    refs[(*count)++] = m->ref;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            refs[(*count)++] = m->justifications[i].antecedents[k].ref;
    return refs;
}

/* Is the ref of that number in a justification that was guessed? */
static bool is_guess(const struct memory *m, size_t number)
{
    for (size_t i = 0; i < m->justification_count && number > 0; i++) {
        if (number <= m->justifications[i].count)
            return m->justifications[i].recorded != RECORDED;
        number -= m->justifications[i].count;
    }
    return false;
}

#define LOOKED_AT 64 /* memories, the nearest first */

/* Adds what the memory is based on. */
static void add_sources(const struct memory *m, struct row_index *rows)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count && rows->count < LOOKED_AT; k++)
            if (m->justifications[i].antecedents[k].node > 0)
                row_index_add(rows, m->justifications[i].antecedents[k].node);
}

/* The conversation of the memory or of the nearest one that it is based on: a summary has none of its own. */
static int find_talk(struct reader *r, struct row_index *rows, int turns, struct talk *t,
                     struct error *e)
{
    int found = 0;
    for (size_t at = 0; at < rows->count && found == 0; at++) {
        struct memory m;
        size_t count = 0;
        if (memory_read(r, &t->arena, rows->row[at], &m, e))
            return -1;
        struct ref *refs = refs_of(&m, &t->arena, &count);
        found = conversation_read(r, refs, count, turns, &t->arena, &t->conversation, e);
        t->is_guessed |= found > 0 && is_guess(&m, t->conversation.ref);
        add_sources(&m, rows);
    }
    return found;
}

static int read_talk(struct reader *r, int64_t node, bool end, struct talk *t, struct error *e)
{
    struct row_index rows = ROW_INDEX_INIT;
    row_index_add(&rows, node);
    int found = find_talk(r, &rows, end ? CONVERSATION_END : TURNS, t, e);
    row_index_release(&rows);
    if (found == 0)
        error_set(e, ERROR_NOT_FOUND,
                  "Only what came from an imported transcript has one; see what it is based on.",
                  "no line of a transcript led to this memory");
    return found > 0 ? 0 : -1;
}

static void mask(struct reader *r, struct talk *t)
{
    struct conversation *c = &t->conversation;
    const char ***texts = arena_array(&t->arena, c->count + 1, sizeof(*texts));
    for (size_t i = 0; i < c->count; i++)
        texts[i] = &c->turn[i].text;
    texts[c->count] = &c->path;
    guard_mask_texts(r, &t->arena, (const char **const *)texts, c->count + 1);
}

struct talk *talk_read(struct reader *r, int64_t node, bool end, struct error *e)
{
    struct talk *t = xcalloc(1, sizeof(*t));
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_talk(r, node, end, t, e);
        reader_end(r);
    }
    if (!failed) {
        mask(r, t);
        return t;
    }
    talk_free(t);
    return NULL;
}

void talk_free(void *talk)
{
    struct talk *t = talk;
    if (!t)
        return;
    arena_release(&t->arena);
    free(t);
}

/* ---- layout ---- */

static const struct {
    const char *who;
    enum style style;
    bool folds;
} kinds[] = {
    [TURN_PERSON] = {"person", STYLE_STRONG, false}, [TURN_AGENT] = {"agent", STYLE_SOURCE, false},
    [TURN_THOUGHT] = {"thought", STYLE_DIM, true},   [TURN_CALL] = {"calls", STYLE_FIELD, false},
    [TURN_RESULT] = {"result", STYLE_DIM, true},
};

#define TEXT_COLUMN 9
#define LINES_SHOWN 12 /* of a text that is not unfolded */

static size_t lines_of(const char *text)
{
    size_t lines = 1;
    for (; (text = strchr(text, '\n')); text++)
        lines += text[1] != '\0';
    return lines;
}

/* The text, or as many of its lines; says how many more there are. */
static void put_text(struct page *s, const struct turn *t, const char *before, bool is_open,
                     bool here)
{
    enum style style = t->kind == TURN_PERSON ? STYLE_STRONG
                       : kinds[t->kind].folds ? STYLE_DIM
                                              : STYLE_TEXT;
    size_t lines = lines_of(t->text), most = is_open                ? SIZE_MAX
                                             : kinds[t->kind].folds ? 1
                                                                    : LINES_SHOWN;
    const char *end = t->text;
    for (size_t i = 0; i < most && *end; i++) {
        end += strcspn(end, "\n");
        end += *end == '\n' && i + 1 < most;
    }
    struct strbuf *text = page_buffer(s);
    strbuf_addf(text, "%s%.*s", before, (int)(end - t->text), t->text);
    page_wrap(s, TEXT_COLUMN, page_prose(s, TEXT_COLUMN), style, page_printf(s, "%s", text->buf),
              is_open ? SIZE_MAX : most, here);
    if (lines > most && most > 1)
        page_note(s, TEXT_COLUMN, "… %zu lines more", lines - most);
}

/* "person  2026-06-21 05:58:21Z  led to this memory", and what the person said below it. */
static void put_person(struct page *s, const struct turn *t, const char *led, bool is_open)
{
    char when[40] = "";
    if (t->at)
        times_format(when, sizeof(when), t->at);
    page_put(s, 1, 0, STYLE_STRONG, kinds[t->kind].who);
    page_put(s, TEXT_COLUMN, 0, STYLE_DIM, when);
    if (t->is_here)
        page_put(s, TEXT_COLUMN + (int)strlen(when) + (*when ? 2 : 0), 0, STYLE_CHIP, led);
    put_text(s, t, "", is_open, false);
}

/* Others stand in one line with their text. */
static void put_other(struct page *s, const struct turn *t, const char *led, bool is_open)
{
    size_t lines = lines_of(t->text);
    AUTO_STRBUF before = STRBUF_INIT;
    strbuf_addf(&before, "%s%s%s%s", t->is_here ? led : "", t->is_here ? ": " : "",
                t->is_side ? "subagent: " : "", t->failed ? "failed: " : "");
    if (kinds[t->kind].folds && !is_open && lines > 1)
        strbuf_addf(&before, "%zu lines: ", lines);
    page_put(s, 1, 0, kinds[t->kind].style, kinds[t->kind].who);
    put_text(s, t, before.buf, is_open, true);
}

static void put_turn(struct page *s, const struct talk *talk, size_t number, bool is_open)
{
    const struct turn *t = &talk->conversation.turn[number];
    const char *led = talk->is_guessed ? "guessed: led to this memory" : "led to this memory";
    if (t->kind == TURN_PERSON)
        page_line(s);
    struct page_line *line = page_opens(s, t->node);
    line->opens = true;
    line->value = (int64_t)number + 1;
    if (t->kind == TURN_PERSON)
        put_person(s, t, led, is_open);
    else
        put_other(s, t, led, is_open);
}

/* The path, or its end from a folder on, if that fits: "…/-w/1f2e.jsonl". */
static const char *path_end(struct page *s, const char *path)
{
    const char *end = path, *slash;
    if (s->options.command)
        return path;
    size_t room = s->options.width > 4 ? (size_t)s->options.width - 4 : 0;
    while (text_width(end, strlen(end), SIZE_MAX, 0) > room && (slash = strchr(end + 1, '/')))
        end = slash;
    return end == path ? path : page_printf(s, "\xe2\x80\xa6%s", end);
}

void conversation_page(struct page *s, const struct talk *talk, const char *open,
                       const struct page_options *options)
{
    const struct conversation *c = &talk->conversation;
    page_begin(s, options);
    page_line(s);
    page_put(s, 1, 0, STYLE_DIM, path_end(s, c->path));
    if (c->why)
        page_note(s, 1, "some lines cannot be shown: %s", c->why);
    if (c->before)
        page_note(s, 3, "… the conversation begins before this");
    for (size_t i = 0; i < c->count; i++)
        put_turn(s, talk, i, open && open[i]);
    if (c->after)
        page_note(s, 3, "… and goes on");
    if (!c->count)
        page_note(s, 1, "nothing of it can be shown");
}
