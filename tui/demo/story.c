#include "tui/demo/demo.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/open.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "tui/text/embedded.h"

#define LAST_BEFORE_NOW (2 * 60 * 1000) /* ms */

/* Clock and ids of the store during the replay. They are global because the hooks take no argument. */
static int64_t clock_at;
static const char *next_id;

static int64_t story_clock(void)
{
    return clock_at;
}

static void story_id(char out[37])
{
    static unsigned count;
    if (next_id)
        snprintf(out, 37, "%s", next_id);
    else
        snprintf(out, 37, "5707e000-0000-4000-8000-%012x", ++count);
}

struct story {
    struct store *store;
    struct arena *arena;
    int64_t first, by; /* time of the first line, and the shift of all times, in ms */
};

/* ---- memories ---- */

/* Shifts a time in the detail if it is within the story; other times are data, right or wrong. */
static void move_detail(struct memory *m, const struct story *s)
{
    const char *name = m->ref.kind == KIND_ATTRIBUTION ? "retrieval_timestamp"
                       : m->ref.kind == KIND_ENTRY     ? "expires_at"
                                                       : "retrieved_at";
    AUTO_STRBUF detail = STRBUF_INIT;
    struct json_slice at = {0};
    int64_t time;
    if (m->detail)
        at = json_member(m->detail, strlen(m->detail), name);
    if (!at.ptr || json_integer(at, &time) || time < s->first)
        return;
    strbuf_add(&detail, m->detail, (size_t)(at.ptr - m->detail));
    json_add_int(&detail, time + s->by);
    strbuf_addstr(&detail, at.ptr + at.len);
    m->detail = arena_strdup(s->arena, detail.buf);
}

/* Shifts the memory's own times. Times in the text and other times in the detail are content and stay. */
static void move_times(struct memory *m, const struct story *s)
{
    m->created_at += s->by;
    m->updated_at += s->by;
    for (size_t i = 0; i < m->justification_count; i++)
        m->justifications[i].at += m->justifications[i].at ? s->by : 0;
    for (size_t i = 0; i < m->history_count; i++)
        m->history[i].at += s->by;
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i].at += m->relations[i].at ? s->by : 0;
    move_detail(m, s);
}

static struct actor agent_named(const char *name)
{
    return (struct actor){.class = ACTOR_AGENT, .name = name, .agent = name, .origin = "mcp"};
}

static int replay_memory(struct story *s, const char *line, size_t len, struct error *e)
{
    struct memory m;
    if (memory_json_read(&m, s->arena, line, len, "ash", clock_at, NULL, e))
        return -1;
    move_times(&m, s);
    clock_at = m.updated_at;
    struct actor agent = agent_named(m.agent_id);
    return store_put(s->store, &agent, &m, s->arena, e);
}

/* ---- operations ---- */

static const char **strings(struct story *s, const cJSON *array, size_t *count)
{
    const char **list = arena_array(s->arena, (size_t)cJSON_GetArraySize(array), sizeof(*list));
    const cJSON *one;
    *count = 0;
    cJSON_ArrayForEach(one, array) list[(*count)++] = cJSON_GetStringValue(one);
    return list;
}

static void take_parameter(struct story *s, const struct param *p, const cJSON *value,
                           struct request *q)
{
    if (cJSON_IsArray(value)) {
        size_t count;
        const char **list = strings(s, value, &count);
        op_set_list(p, q, list, count);
    } else if (cJSON_IsNumber(value)) {
        op_set_number(p, q, value->valuedouble);
    } else {
        op_set_text(p, q, s->arena, value->valuestring, strlen(value->valuestring));
    }
}

/* Whether a member of a line is not a parameter. */
static bool is_own(const char *name)
{
    static const char *const own[] = {"at", "agent", "person", "operation", "id"};
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

static int replay_operation(struct story *s, const cJSON *line, struct error *e)
{
    const char *person = cJSON_GetStringValue(cJSON_GetObjectItem(line, "person"));
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(line, "operation"));
    struct actor actor = {.class = ACTOR_PERSON, .name = person, .origin = "explorer"};
    struct request q = REQUEST_INIT;
    struct plan plan;
    int op = operation_from_name(name);
    if (op < 0)
        return error_set(e, ERROR_INVALID, "", "there is no operation '%s'", name);
    for (const cJSON *value = line->child; value; value = value->next) {
        const struct param *p = op_param(op_spec((enum operation)op), value->string);
        if (p)
            take_parameter(s, p, value, &q);
        else if (!is_own(value->string))
            return error_set(e, ERROR_INVALID, "", "%s takes no '%s'", name, value->string);
    }
    if (!person)
        actor = agent_named(cJSON_GetStringValue(cJSON_GetObjectItem(line, "agent")));
    clock_at = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(line, "at")) + s->by;
    next_id = cJSON_GetStringValue(cJSON_GetObjectItem(line, "id"));
    int result = operation_run_now(s->store, &actor, (enum operation)op, &q, s->arena, &plan, e);
    next_id = NULL;
    return result;
}

/* ---- the story ---- */

static int replay_line(struct story *s, const char *text, size_t len, struct error *e)
{
    cJSON *line = cJSON_ParseWithLength(text, len);
    int result = cJSON_HasObjectItem(line, "operation") ? replay_operation(s, line, e)
                                                        : replay_memory(s, text, len, e);
    cJSON_Delete(line);
    return result;
}

static int64_t time_of(const char *text, size_t len)
{
    struct json_slice at = json_member(text, len, "at");
    int64_t time = 0;
    if (!at.ptr)
        at = json_member(text, len, "updated_at");
    return json_integer(at, &time) ? 0 : time;
}

/* Calls replay_line for each line. Without a store it only finds the first and last time. */
static int each_line(struct story *s, int64_t *last, struct error *e)
{
    const struct embedded_file *story = embedded_find("tui/demo/story.jsonl");
    const char *line = story->text, *end = story->text + story->len, *stop;
    for (int number = 1; line < end; number++, line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        size_t len = (size_t)(stop - line);
        *last = time_of(line, len);
        s->first = s->first ? s->first : *last;
        arena_clear(s->arena);
        if (s->store && replay_line(s, line, len, e))
            return error_prefix(e, "line %d of the story", number);
    }
    return 0;
}

int story_replay(const char *path, int64_t now, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct story s = {.arena = &arena};
    struct store_options options = {.create = true, .now = story_clock, .make_id = story_id};
    int64_t last;
    each_line(&s, &last, e);
    s.by = now - LAST_BEFORE_NOW - last;
    clock_at = s.first + s.by;
    s.store = store_open(path, &options, NULL, e);
    int result = s.store ? each_line(&s, &last, e) : -1;
    store_close(s.store);
    return result;
}
