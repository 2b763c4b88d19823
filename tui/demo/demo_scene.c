#include "tui/demo/demo_scene.h"

#include <string.h>

/* The text of a string member, as it is between its quotes: refs need no escapes. */
static bool keep_string(struct demo_telling *t, const char *name, const char *prefix,
                        struct json_slice value)
{
    struct strbuf text = STRBUF_INIT;
    if (value.len < 2 || value.ptr[0] != '"')
        return false;
    strbuf_addstr(&text, prefix);
    strbuf_add(&text, value.ptr + 1, value.len - 2);
    if (!text.failed)
        demo_text_bind(t, name, text.buf);
    strbuf_release(&text);
    return true;
}

static struct json_slice member(struct json_slice object, const char *name)
{
    return json_member(object.ptr, object.len, name);
}

/* One of a list, drawn; ptr NULL: there is none. */
static struct json_slice draw_one(struct demo_telling *t, struct json_slice list)
{
    unsigned count = 0;
    if (!list.ptr)
        return list;
    for (struct json_each it = json_each(list); json_next(&it);)
        count++;
    unsigned chosen = count ? demo_text_draw(t, 0, count - 1) : 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        if (chosen-- == 0)
            return it.value;
    return (struct json_slice){NULL, 0};
}

static void keep_any(struct demo_telling *t, const char *name, struct json_slice list)
{
    struct json_slice one = draw_one(t, list);
    if (one.ptr)
        keep_string(t, name, "", member(one, "ref"));
}

static void keep_source(struct demo_telling *t, const char *name, struct json_slice steps)
{
    struct json_slice step = draw_one(t, steps);
    struct json_slice source = step;
    if (step.ptr)
        source = draw_one(t, member(step, "source_attributions"));
    if (source.ptr && keep_string(t, name, "", member(step, "ref")))
        keep_string(t, "source", "", member(source, "ref"));
}

static void keep_answer(struct demo_telling *t, const struct demo_step *step,
                        struct json_slice result)
{
    if (!result.ptr)
        return;
    switch (step->from) {
    case KEEP_REF:
        keep_string(t, step->keep, "", member(result, "ref"));
        break;
    case KEEP_ATTRIBUTION:
        keep_string(t, step->keep, "attribution:", member(result, "attribution_id"));
        break;
    case KEEP_ANY:
        keep_any(t, step->keep, member(result, "memories"));
        break;
    case KEEP_SOURCE:
        keep_source(t, step->keep, member(result, "reasoning_steps"));
        break;
    case KEEP_NOTHING:
        break;
    }
}

static enum demo_answer make_call(struct demo_stage *stage, const struct demo_step *step,
                                  const char *arguments)
{
    struct json_slice result = {0};
    bool method = strchr(step->call, '/') || strcmp(step->call, "ping") == 0;
    enum demo_answer answer =
        method ? demo_client_request(&stage->client, step->call, arguments, &result)
               : demo_client_call(&stage->client, step->call, arguments, &result);
    if (answer == DEMO_DONE)
        keep_answer(&stage->telling, step, result);
    if (stage->told)
        stage->told(stage->arg, step, answer);
    return answer;
}

static enum demo_answer play_step(struct demo_stage *stage, const struct demo_step *step)
{
    struct demo_telling *t = &stage->telling;
    struct strbuf arguments = STRBUF_INIT;
    enum demo_answer answer = DEMO_DONE;
    unsigned pause = step->pause * 50 + demo_text_draw(t, 0, step->pause * 100);
    if (step->chance && demo_text_draw(t, 1, 100) > step->chance)
        return DEMO_DONE;
    if (demo_text_fill_json(t, step->arguments, &arguments) == 0) {
        if (!stage->hurried && !demo_client_pause(&stage->client, (int)pause))
            answer = DEMO_GONE;
        else
            answer = make_call(stage, step, arguments.buf);
    }
    strbuf_release(&arguments);
    return answer;
}

enum demo_answer demo_scene_play(struct demo_stage *stage, const struct demo_scene *scene)
{
    demo_text_begin(&stage->telling);
    for (const struct demo_step *step = scene->steps; step->call; step++)
        if (play_step(stage, step) == DEMO_GONE)
            return DEMO_GONE;
    return DEMO_DONE;
}

size_t demo_scene_next(const struct demo_agent *agent, size_t played, size_t last,
                       struct demo_telling *t)
{
    size_t next = played < agent->count ? played : last;
    while (agent->scenes[next].steps == agent->scenes[last].steps)
        next = demo_text_draw(t, 0, (unsigned)agent->count - 1);
    return next;
}
