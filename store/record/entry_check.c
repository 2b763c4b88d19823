#include "store/record/entry_check.h"

#include "model/json/json.h"
#include "model/base/utf8.h"
#include "store/record/detail_member.h"
#include "store/record/entry_row.h"

/* ---- what it says ---- */

#define SHOWN 60 /* bytes of a wrong value in what is said of it */

static int wrong(struct json_slice value, const char *member, const char *todo, struct error *e)
{
    size_t shown = utf8_fit(value.ptr, value.len, SHOWN);
    return error_set(e, ERROR_INVALID, todo, "the %s of an entry cannot be %.*s%s", member,
                     (int)shown, value.ptr, shown < value.len ? "…" : "");
}

static int check_name(struct json_slice detail, const char *member,
                      bool (*valid)(const char *, size_t), const char *todo, struct error *e)
{
    struct arena arena = ARENA_INIT;
    const char *text;
    struct json_slice value = json_member(detail.ptr, detail.len, member);
    int result = 0;
    if (value.ptr) {
        detail_string(value, &arena, &text);
        if (!text || !valid(text, strlen(text)))
            result = wrong(value, member, todo, e);
    }
    arena_release(&arena);
    return result;
}

static int check_value(struct json_slice detail, struct error *e)
{
    if (json_member(detail.ptr, detail.len, "value").len <= ENTRY_VALUE_MAX)
        return 0;
    return error_set(e, ERROR_INVALID, "Keep it elsewhere, and its name here.",
                     "the value is longer than %d bytes", ENTRY_VALUE_MAX);
}

static bool is_null(struct json_slice value)
{
    return value.len == 4 && memcmp(value.ptr, "null", 4) == 0;
}

static int check_expiry(struct json_slice detail, struct error *e)
{
    int64_t ms;
    struct json_slice value = json_member(detail.ptr, detail.len, "expires_at");
    if (!value.ptr || is_null(value) ||
        (json_integer(value, &ms) == 0 && ms >= 0 && ms < YEAR_10000))
        return 0;
    return wrong(value, "expires_at",
                 "Give milliseconds since the epoch, or leave it out for never.", e);
}

#define NAMESPACE_TODO                                                                             \
    "Give letters, digits, _ and -, with dots between parts, 100 bytes of them at most."
#define KEY_TODO "Give letters, digits and _ . : / @ -, 200 bytes of them at most."

static int check_detail(struct json_slice detail, struct error *e)
{
    return check_name(detail, "namespace", namespace_is_valid, NAMESPACE_TODO, e) ||
                   check_name(detail, "key", entry_key_is_valid, KEY_TODO, e) ||
                   check_value(detail, e) || check_expiry(detail, e)
               ? -1
               : 0;
}

/* Of no other kind, and where nothing is said, there is none: ptr NULL. */
static void detail_of_entry(const struct memory *m, struct json_slice *detail)
{
    *detail = (struct json_slice){NULL, 0};
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return;
    *detail = detail_json(m->detail);
}

int entry_check_given(const struct memory *m, struct error *e)
{
    struct json_slice detail;
    detail_of_entry(m, &detail);
    return detail.ptr ? check_detail(detail, e) : 0;
}

/* ---- whether it is all of an entry ---- */

static int no_namespace(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Give the field namespace.",
                     "an entry is in a namespace, and this one is in none");
}

static int no_value(struct error *e)
{
    return error_set(e, ERROR_INVALID,
                     "Give the field value as JSON; null says that there is nothing.",
                     "an entry has a value, and this one has none");
}

static int wrong_text(const char *text, struct error *e)
{
    size_t len = strlen(text), shown = utf8_fit(text, len, SHOWN);
    return error_set(e, ERROR_INVALID, KEY_TODO,
                     "the text of an entry is its key, which cannot be \"%.*s%s\"", (int)shown,
                     text, shown < len ? "…" : "");
}

static int check_text(const struct memory *m, struct json_slice detail, struct error *e)
{
    struct arena arena = ARENA_INIT;
    const char *key = NULL;
    struct json_slice value = json_member(detail.ptr, detail.len, "key");
    int result = 0;
    if (value.ptr)
        detail_string(value, &arena, &key);
    if (key && strcmp(key, m->text) != 0)
        result = error_set(e, ERROR_INVALID, "Leave the text out, or give the key as the text.",
                           "the text of an entry is its key");
    else if (result == 0 && !entry_key_is_valid(m->text, strlen(m->text)))
        result = wrong_text(m->text, e);
    arena_release(&arena);
    return result;
}

static int check_whole(const struct memory *m, struct json_slice detail, int64_t now,
                       struct error *e)
{
    struct memory living = *m;
    living.status = STATUS_ACTIVE;
    bool over = entry_is_over(&living, now);
    if (!detail.ptr || !json_member(detail.ptr, detail.len, "namespace").ptr)
        return no_namespace(e);
    if (!json_member(detail.ptr, detail.len, "value").ptr)
        return no_value(e);
    if (over)
        return error_set(e, ERROR_INVALID, "Give a time to come, or retract it.",
                         "expires_at is past: the value would be gone at once, for good");
    return check_text(m, detail, e);
}

int entry_check(const struct memory *m, int64_t now, struct error *e)
{
    struct json_slice detail;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    detail_of_entry(m, &detail);
    if ((detail.ptr && check_detail(detail, e)))
        return -1;
    return check_whole(m, detail, now, e);
}

/* ---- what an exchange line says ---- */

/* One that lives: of what is over the value is gone, and that is as it should be. */
static int check_living(const struct memory *m, struct json_slice detail, int64_t now,
                        struct error *e)
{
    bool over = entry_is_over(m, now);
    if (!detail.ptr || !json_member(detail.ptr, detail.len, "namespace").ptr)
        return no_namespace(e);
    if (!over && !json_member(detail.ptr, detail.len, "value").ptr)
        return no_value(e);
    /* Beside a key the text may say what it likes: an import keeps what it finds. */
    bool has_key = json_member(detail.ptr, detail.len, "key").ptr;
    return has_key || entry_key_is_valid(m->text, strlen(m->text)) ? 0 : wrong_text(m->text, e);
}

int entry_check_line(const struct memory *m, int64_t now, struct error *e)
{
    struct json_slice detail;
    if (m->ref.kind != KIND_ENTRY)
        return 0;
    detail_of_entry(m, &detail);
    if ((detail.ptr && check_detail(detail, e)))
        return error_prefix(e, "entry:%s", m->ref.id);
    if (m->status != STATUS_ACTIVE && m->status != STATUS_SUPERSEDED)
        return 0;
    return check_living(m, detail, now, e) ? error_prefix(e, "entry:%s", m->ref.id) : 0;
}
