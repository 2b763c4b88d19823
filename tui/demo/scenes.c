#include "tui/demo/demo_agents.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"
#include "tui/text/embedded.h"

/* Plays the scenes of a live demo's agents. */

/* ---- scenes.json ---- */

const cJSON *demo_list(const char *name)
{
    static cJSON *tree;
    if (!tree)
        tree = cJSON_Parse(embedded_find("tui/demo/scenes.json")->text);
    return cJSON_GetObjectItem(tree, name);
}

const char *demo_member(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

const cJSON *demo_named(const cJSON *list, const char *name)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, list) if (strcmp(demo_member(one, "name"), name) == 0) return one;
    return NULL;
}

static unsigned number_of(const cJSON *object, const char *name)
{
    const cJSON *number = cJSON_GetObjectItem(object, name);
    return number ? (unsigned)number->valueint : 0;
}

/* ---- values from answers ---- */

/* Stores the raw text of a string member: refs have no escapes. */
static bool store_string(struct demo_scene_state *t, const char *name, const char *prefix,
                         struct json_slice value)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (value.len < 2 || value.ptr[0] != '"')
        return false;
    strbuf_addstr(&text, prefix);
    strbuf_add(&text, value.ptr + 1, value.len - 2);
    demo_text_store(t, name, text.buf);
    return true;
}

static struct json_slice member(struct json_slice object, const char *name)
{
    return json_member(object.ptr, object.len, name);
}

/* A random element of a list; ptr NULL if it is empty. */
static struct json_slice draw_one(struct demo_scene_state *t, struct json_slice list)
{
    unsigned count = (unsigned)json_count(list);
    if (!list.ptr)
        return list;
    unsigned chosen = count ? demo_text_random(t, 0, count - 1) : 0;
    for (struct json_each it = json_each(list); json_next(&it);)
        if (chosen-- == 0)
            return it.value;
    return (struct json_slice){NULL, 0};
}

static void keep_any(struct demo_scene_state *t, const char *name, struct json_slice list)
{
    struct json_slice one = draw_one(t, list);
    if (one.ptr)
        store_string(t, name, "", member(one, "ref"));
}

static void keep_source(struct demo_scene_state *t, const char *name, struct json_slice steps)
{
    struct json_slice step = draw_one(t, steps);
    struct json_slice source = step;
    if (step.ptr)
        source = draw_one(t, member(step, "source_attributions"));
    if (source.ptr && store_string(t, name, "", member(step, "ref")))
        store_string(t, "source", "", member(source, "ref"));
}

static void keep_answer(struct demo_scene_state *t, const cJSON *step, struct json_slice result)
{
    const char *from = demo_member(step, "from"), *keep = demo_member(step, "keep");
    if (!result.ptr || !from)
        return;
    if (!strcmp(from, "ref"))
        store_string(t, keep, "", member(result, "ref"));
    else if (!strcmp(from, "attribution"))
        store_string(t, keep, "attribution:", member(result, "attribution_id"));
    else if (!strcmp(from, "any"))
        keep_any(t, keep, member(result, "memories"));
    else
        keep_source(t, keep, member(result, "reasoning_steps"));
}

static enum demo_answer make_call(struct demo_stage *stage, const cJSON *step,
                                  const char *arguments)
{
    struct json_slice result = {0};
    const char *call = demo_member(step, "call");
    bool method = strchr(call, '/') || strcmp(call, "ping") == 0;
    enum demo_answer answer = method ? demo_client_request(&stage->client, call, arguments, &result)
                                     : demo_client_call(&stage->client, call, arguments, &result);
    if (answer == DEMO_DONE)
        keep_answer(&stage->telling, step, result);
    if (stage->reported)
        stage->reported(stage->arg, step, answer);
    return answer;
}

static enum demo_answer play_step(struct demo_stage *stage, const cJSON *step)
{
    struct demo_scene_state *t = &stage->telling;
    AUTO_STRBUF arguments = STRBUF_INIT;
    enum demo_answer answer = DEMO_DONE;
    unsigned pause = number_of(step, "pause"), chance = number_of(step, "chance");
    pause = pause * 50 + demo_text_random(t, 0, pause * 100);
    if (chance && demo_text_random(t, 1, 100) > chance)
        return DEMO_DONE;
    if (demo_text_fill_json(t, demo_member(step, "arguments"), &arguments) == 0) {
        if (!stage->hurried && !demo_client_pause(&stage->client, (int)pause))
            answer = DEMO_ENDED;
        else
            answer = make_call(stage, step, arguments.buf);
    }
    return answer;
}

enum demo_answer demo_scene_play(struct demo_stage *stage, const cJSON *scene)
{
    const cJSON *step;
    demo_text_begin(&stage->telling);
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(scene, "steps"))
    {
        if (play_step(stage, step) == DEMO_ENDED)
            return DEMO_ENDED;
    }
    return DEMO_DONE;
}

int demo_scene_next(const cJSON *agent, int played, int last, struct demo_scene_state *t)
{
    const cJSON *names = cJSON_GetObjectItem(agent, "scenes");
    const char *before = cJSON_GetArrayItem(names, last)->valuestring;
    int count = cJSON_GetArraySize(names), next = played < count ? played : last;
    while (strcmp(cJSON_GetArrayItem(names, next)->valuestring, before) == 0)
        next = (int)demo_text_random(t, 0, (unsigned)count - 1);
    return next;
}

#define NESTED_MAX 6 /* depth of words with placeholders in words … */

void demo_text_begin(struct demo_scene_state *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->bound[i].text);
    t->count = 0;
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(struct demo_scene_state *t)
{
    t->seed ^= t->seed >> 12;
    t->seed ^= t->seed << 25;
    t->seed ^= t->seed >> 27;
    return t->seed * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned demo_text_random(struct demo_scene_state *t, unsigned low, unsigned high)
{
    return low + (unsigned)((next_random(t) >> 33) % ((uint64_t)high - low + 1));
}

static const char *find_bound(const struct demo_scene_state *t, const char *name)
{
    for (size_t i = t->count; i > 0; i--)
        if (strcmp(t->bound[i - 1].name, name) == 0)
            return t->bound[i - 1].text;
    return NULL;
}

void demo_text_store(struct demo_scene_state *t, const char *name, const char *text)
{
    if (t->count < DEMO_BOUND_MAX)
        t->bound[t->count++] = (struct demo_bound){name, xstrdup(text)};
}

/* ---- placeholders ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_uuid(struct demo_scene_state *t, struct strbuf *out)
{
    uint64_t a = next_random(t), b = next_random(t);
    strbuf_addf(out, "%08x-%04x-4%03x-a%03x-%012llx", (unsigned)(a & 0xffffffff),
                (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48 & 0xfff), (unsigned)(b & 0xfff),
                (unsigned long long)(b >> 16));
}

/* Fills a built-in placeholder. Returns 1, or 0 if it is none. */
static int fill_own(struct demo_scene_state *t, const char *name, struct strbuf *out)
{
    unsigned low, high;
    char iso[32];
    if (sscanf(name, "%u-%u", &low, &high) == 2 && low <= high)
        strbuf_addf(out, "%u", demo_text_random(t, low, high));
    else if (strcmp(name, "now") == 0)
        json_add_int(out, now_ms());
    else if (strcmp(name, "uuid") == 0)
        add_uuid(t, out);
    else if (strcmp(name, "clock") == 0) {
        clock_format_iso(iso, sizeof(iso), now_ms());
        strbuf_add(out, iso + 11, 5);
    } else
        return 0;
    return 1;
}

/* "belief:ID" is stemma://belief/ID. */
static void add_uri(const char *ref, struct strbuf *out)
{
    size_t kind = strcspn(ref, ":");
    strbuf_addstr(out, "stemma://");
    strbuf_add(out, ref, kind);
    if (ref[kind])
        strbuf_addf(out, "/%s", ref + kind + 1);
}

static int fill(struct demo_scene_state *t, const char *template, int depth, struct strbuf *out);

static int fill_words(struct demo_scene_state *t, const char *name, int depth, struct strbuf *out)
{
    const cJSON *words = demo_named(demo_list("words"), name);
    if (!words || depth >= NESTED_MAX)
        return -1;
    const char *called = demo_member(words, "name"); /* owned by the list */
    bool once = cJSON_IsTrue(cJSON_GetObjectItem(words, "once"));
    const char *kept = once ? find_bound(t, called) : NULL;
    if (kept) {
        strbuf_addstr(out, kept);
        return 0;
    }
    const cJSON *choices = cJSON_GetObjectItem(words, "choices");
    unsigned drawn = demo_text_random(t, 0, (unsigned)cJSON_GetArraySize(choices) - 1);
    size_t from = out->len;
    if (fill(t, cJSON_GetArrayItem(choices, (int)drawn)->valuestring, depth + 1, out))
        return -1;
    if (once)
        demo_text_store(t, called, out->buf + from);
    return 0;
}

static int fill_mark(struct demo_scene_state *t, const char *name, int depth, struct strbuf *out)
{
    const char *kept = find_bound(t, name + 1);
    if (name[0] == '$' && kept)
        strbuf_addstr(out, kept);
    else if (name[0] == '@' && kept)
        add_uri(kept, out);
    if (name[0] == '$' || name[0] == '@')
        return kept ? 0 : -1;
    return fill_own(t, name, out) ? 0 : fill_words(t, name, depth, out);
}

/* Reads the name of the placeholder at `template`. Returns its end, or NULL if there is none. */
static const char *read_mark(const char *template, char name[32])
{
    const char *end = template[0] == '<' ? strchr(template, '>') : NULL;
    if (!end || end - template > 31)
        return NULL;
    memcpy(name, template + 1, (size_t)(end - template - 1));
    name[end - template - 1] = '\0';
    return end;
}

/* Only built-in texts nest, at most NESTED_MAX deep. */
static int fill(struct demo_scene_state *t, const char *template, int depth, struct strbuf *out)
{
    char name[32];
    for (const char *at = template; *at; at++) {
        const char *end = read_mark(at, name);
        if (!end)
            strbuf_addch(out, *at);
        else if (fill_mark(t, name, depth, out))
            return -1;
        else
            at = end;
    }
    return 0;
}

int demo_text_fill_json(struct demo_scene_state *t, const char *template, struct strbuf *out)
{
    char name[32];
    int result = 0;
    AUTO_STRBUF text = STRBUF_INIT;
    for (const char *at = template; *at && result == 0; at++) {
        const char *end = read_mark(at, name);
        strbuf_clear(&text);
        if (!end) {
            strbuf_addch(out, (char)(*at == '\'' ? '"' : *at));
            continue;
        }
        result = fill_mark(t, name, 0, &text);
        json_add_inside(out, text.buf);
        at = end;
    }
    return result;
}
