/* What stands above the matrix of a chain: the question, the answer, who thought so and when. */
#include "tui/view/chain/chain_view.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "tui/view/memory/facts_sheet.h"
#include "tui/text/text.h"

#define PROSE 120 /* columns at most: longer lines are hard to follow */

/* At most `lines` of it; where there is more, that is said at the end of the last. */
static void put_text(struct sheet *s, const struct screen *screen, enum style style,
                     const char *text, int width, int lines)
{
    size_t shown = sheet_wrap(s, 1, width, style, text, (size_t)lines, false);
    if (shown < strlen(text) && s->count > 0)
        sheet_format(s, width + 1, 2, STYLE_DIM, "%s", glyph_text(screen, GLYPH_ELLIPSIS));
}

static const char *no_answer(const struct chain *chain)
{
    return chain->state == CHAIN_RUNNING     ? "no answer yet: it is still thinking"
           : chain->state == CHAIN_ABANDONED ? "no answer: whoever thought so left before the end"
                                             : "the answer is empty";
}

/* When it or one of its steps was written last: a step that comes changes nothing of the chain itself. */
static int64_t last_written(const struct chain *chain)
{
    int64_t last = chain->updated_at;
    for (size_t i = 0; i < chain->step_count; i++)
        if (chain->step[i].created_at > last)
            last = chain->step[i].created_at;
    return last;
}

/* "by ash, 3w ago · decomposition" */
static void add_origin(const struct chain_view *c, struct strbuf *out)
{
    const struct chain *chain = chain_shown(c);
    struct app *x = c->view.app;
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    struct facts_look look = ages_look(x);
    char when[32];
    strbuf_addstr(out, "by ");
    text_add(out, chain->agent_id ? chain->agent_id : "nobody that was named", TEXT_EXACT);
    if (chain->created_at > 0) {
        facts_when(when, sizeof(when), chain->created_at, &look);
        strbuf_addf(out, ", %s%s", when,
                    x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    }
    if (chain->strategy && *chain->strategy)
        strbuf_addf(out, " %s strategy %s", dot, chain->strategy);
    if (chain->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", dot, status_name(chain->status));
    if (chain->state == CHAIN_RUNNING && last_written(chain) > 0) {
        facts_when(when, sizeof(when), last_written(chain), &look);
        strbuf_addf(out, " %s last written %s%s", dot, when,
                    x->prefs.exact_times || !strcmp(when, "now") ? "" : " ago");
    }
}

static void lay(struct chain_view *c, int width, int lines)
{
    const struct chain *chain = chain_shown(c);
    const struct screen *screen = &c->view.app->ui.screen;
    struct sheet *s = &c->header;
    int room = width - 12 < PROSE ? width - 12 : PROSE;
    int most = lines < 16 ? 1 : lines < 40 ? 2 : 3;
    const char *question = chain->question && *chain->question ? chain->question : "no question";
    room = room < 8 ? width - 2 : room;
    sheet_clear(s, width);
    put_text(s, screen, STYLE_TITLE, question, room, most);
    if (chain->confidence == chain->confidence && width >= 20 && s->count > 0) {
        char number[16];
        snprintf(number, sizeof(number), "%.2f", chain->confidence);
        struct span span = {number, -6, 5, STYLE_NUMBER, true};
        sheet_put_at(s, 0, &span);
    }
    if (chain->answer && *chain->answer)
        put_text(s, screen, STYLE_TEXT, chain->answer, room, most);
    else if (sheet_line(s))
        sheet_put(s, 1, 0, STYLE_DIM, no_answer(chain));
    if (lines < 16 || !sheet_line(s))
        return;
    struct strbuf origin = STRBUF_INIT;
    add_origin(c, &origin);
    sheet_put(s, 1, 0, STYLE_DIM, origin.buf);
    strbuf_release(&origin);
}

void chain_view_lay_header(struct chain_view *c, int width, int lines)
{
    /* How long ago something was changes with every frame: it is a few lines. */
    lay(c, width, lines);
}
