/* The machines of a team and their sessions, as files of its folder. */
#include "store/team/segments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/array.h"
#include "model/json/json.h"

/* ---- machines ---- */

static int read_machine(void *arg, const char *line, size_t len, struct error *e)
{
    struct machine *m = arg;
    if (json_check(line, len, 1, e))
        return -1;
    struct json_slice o = json_trim(line, len), left = json_get(o, "left");
    m->m.name = json_get_text(m->arena, o, "name");
    m->left = left.ptr && left.ptr[0] == 't';
    if (!m->m.name || json_integer(json_get(o, "applied"), &m->m.applied))
        return error_set(e, ERROR_INVALID, "", "It is no machine");
    m->found = true;
    return 1;
}

static int machine_of(struct segments *s, struct arena *arena, int number, struct machine *out,
                      struct error *e)
{
    struct stat st;
    struct segments_name name = segments_name(&machine_files, number);
    *out = (struct machine){.arena = arena, .m.number = number};
    if (segments_each_line(s, name.text, read_machine, out, e) < 0) {
        snprintf(e->hint, sizeof(e->hint), "%s",
                 "stemma team join on that machine writes it anew.");
        return -1;
    }
    if (!out->found)
        return error_set(e, ERROR_NOT_FOUND, "stemma team join registers it.",
                         "There is no machine %d in team %s", number, s->base.store);
    if (fstatat(s->folder, name.text, &st, 0) == 0)
        out->m.seen_at = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    return 0;
}

int segments_live_machine(struct segments *s, struct arena *arena, int number, struct machine *out,
                          struct error *e)
{
    if (machine_of(s, arena, number, out, e))
        return -1;
    return out->left ? error_set(e, ERROR_REFUSED, "stemma team join registers it.",
                                 "machine %d left the team, or was removed", number)
                     : 0;
}

static int put_machine(struct segments *s, const struct machine *m, bool replace, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct json_object o = json_begin(&text, '{');
    json_pair(&o, "name", m->m.name);
    json_pair_int(&o, "applied", m->m.applied);
    json_pair_bool(&o, "left", m->left);
    json_end_line(&o);
    return segments_put(s, segments_name(&machine_files, m->m.number).text, &text, replace, e);
}

/* All, with those that left. */
static int get_machines(struct segments *s, struct arena *arena, struct machine **out,
                        size_t *count, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    *count = 0;
    *out = NULL;
    if (!segments_exists(s))
        return transport_no_team(&s->base, e);
    if (segments_list(s, &machine_files, &numbers, e))
        return -1;
    *count = numbers.count;
    *out = arena_array(arena, numbers.count, sizeof(**out));
    for (size_t i = 0; i < numbers.count; i++) {
        struct machine *m = &(*out)[i];
        if (machine_of(s, arena, (int)numbers.item[i], m, e) == 0)
            continue;
        if (e->code == ERROR_BUSY)
            return -1;
        m->m.damaged = true;
        m->m.name = segments_path(s, arena, segments_name(&machine_files, numbers.item[i]).text);
    }
    return 0;
}

static int join(struct segments *s, const char *name, int *number, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct machine *all, m = {.m = {.name = name}};
    size_t count;
    if (get_machines(s, &arena, &all, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].m.damaged && strcmp(all[i].m.name, name) == 0) {
            *number = all[i].m.number;
            all[i].left = false;
            return put_machine(s, &all[i], true, e) < 0 ? -1 : 0;
        }
        m.m.number = all[i].m.number + 1;
    }
    for (int placed; (placed = put_machine(s, &m, false, e)) <= 0; m.m.number++)
        if (placed < 0)
            return -1;
    *number = m.m.number;
    return 0;
}

int segments_join(struct transport *t, const char *machine, int *number, struct error *e)
{
    if (segments_take(segments_of(t), e))
        return -1;
    int result = join(segments_of(t), machine, number, e);
    segments_release(segments_of(t));
    return result;
}

int segments_leave(struct transport *t, int machine, struct error *e)
{
    struct segments *s = segments_of(t);
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    if (segments_take(s, e))
        return -1;
    int result = machine_of(s, &arena, machine, &m, e);
    if (result && e->code == ERROR_INVALID) { /* a damaged one is removed, too */
        m.m.name = "?";
        result = 0;
    }
    m.left = true;
    if (result == 0)
        result = put_machine(s, &m, true, e) < 0 ? -1 : 0;
    segments_release(s);
    return result;
}

int segments_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                      size_t *count, struct error *e)
{
    struct machine *all;
    size_t found;
    if (get_machines(segments_of(t), arena, &all, &found, e))
        return -1;
    *count = 0;
    *out = arena_array(arena, found, sizeof(**out));
    for (size_t i = 0; i < found; i++)
        if (!all[i].left)
            (*out)[(*count)++] = all[i].m;
    return 0;
}

/* ---- sessions ---- */

struct session_list {
    struct arena *arena;
    int64_t after;
    struct team_session *item;
    size_t count, alloc;
};

static int read_session(void *arg, const char *line, size_t len, struct error *e)
{
    struct session_list *list = arg;
    struct team_session session;
    if (json_check(line, len, 1, e))
        return -1;
    struct json_slice o = json_trim(line, len);
    if (json_integer(json_get(o, "id"), &session.id) ||
        json_integer(json_get(o, "changed"), &session.changed) ||
        !(session.row = json_get_text(list->arena, o, "row")))
        return error_set(e, ERROR_INVALID, "", "A line is no session");
    if (session.changed > list->after)
        *ARENA_ADD(list->arena, list->item, list->count, list->alloc) = session;
    return 0;
}

static int compare_sessions(const void *a, const void *b)
{
    const struct team_session *x = a, *y = b;
    int order = COMPARE(x->changed, y->changed);
    return order ? order : COMPARE(x->id, y->id);
}

static int read_sessions(struct segments *s, struct session_list *list, struct error *e)
{
    AUTO_NUMBERS numbers = {NULL, 0, 0};
    if (!segments_exists(s))
        return transport_no_team(&s->base, e);
    if (segments_list(s, &session_files, &numbers, e))
        return -1;
    for (size_t i = 0; i < numbers.count; i++)
        if (segments_each_line(s, segments_name(&session_files, numbers.item[i]).text, read_session,
                               list, e) < 0 &&
            e->code != ERROR_INVALID) /* a damaged file stops its own machine alone */
            return -1;
    if (list->count)
        qsort(list->item, list->count, sizeof(*list->item), compare_sessions);
    return 0;
}

static void add_session(struct strbuf *out, const struct team_session *session, int64_t changed)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "id", session->id);
    json_pair_int(&o, "changed", changed);
    json_pair(&o, "row", session->row);
    json_end_line(&o);
}

static int put_sessions(struct segments *s, int machine, const struct team_session *sessions,
                        size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    struct session_list all = {.arena = &arena, .after = INT64_MIN}, own_rows = all;
    struct segments_name name = segments_name(&session_files, machine);
    if (read_sessions(s, &all, e) ||
        segments_each_line(s, name.text, read_session, &own_rows, e) < 0)
        return -1;
    int64_t changed = all.count ? all.item[all.count - 1].changed + 1 : 1;
    for (size_t i = 0; i < own_rows.count; i++) {
        size_t again = 0;
        while (again < count && sessions[again].id != own_rows.item[i].id)
            again++;
        if (again == count)
            add_session(&text, &own_rows.item[i], own_rows.item[i].changed);
    }
    for (size_t i = 0; i < count; i++)
        add_session(&text, &sessions[i], changed);
    return segments_put(s, name.text, &text, true, e) < 0 ? -1 : 0;
}

int segments_report(struct transport *t, int machine, int64_t applied,
                    const struct team_session *sessions, size_t count, struct error *e)
{
    struct segments *s = segments_of(t);
    AUTO_ARENA arena = ARENA_INIT;
    struct machine m;
    if (segments_take(s, e))
        return -1;
    int result = segments_live_machine(s, &arena, machine, &m, e);
    m.m.applied = applied;
    if (result == 0)
        result = put_machine(s, &m, true, e) < 0 ? -1 : 0;
    if (result == 0 && count)
        result = put_sessions(s, machine, sessions, count, e);
    segments_release(s);
    return result;
}

int segments_sessions(struct transport *t, int64_t changed, struct arena *arena,
                      struct team_session **out, size_t *count, struct error *e)
{
    struct session_list list = {.arena = arena, .after = changed};
    if (read_sessions(segments_of(t), &list, e))
        return -1;
    *out = list.item;
    *count = list.count;
    return 0;
}
