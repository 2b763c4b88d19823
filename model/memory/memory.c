/* Memories: the tables of kinds, source types and code names; refs, repaired texts, search text, ratings. */
#include "model/memory/memory.h"

#include <nettle/base64.h>
#include <string.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"

/* ---- kinds ---- */

static const struct kind_spec specs[KIND_COUNT] = {
    [KIND_RAW] = {"raw", "raw entries", "text", "unprocessed text, as captured", 1.0, 'r', true},
    [KIND_EPISODE] = {"episode", "episodes", "objective", "an experience and its outcome", 0.8, 'e',
                      false},
    [KIND_BELIEF] = {"belief", "beliefs", "statement", "a statement believed to be true", 0.8, 'b',
                     false},
    [KIND_NOTE] = {"note", "notes", "content", "a decision, insight, quote or observation", 0.8,
                   'n', false},
    [KIND_VALUE] = {"value", "values", "statement", "a principle that matters to the agent", 0.9,
                    'v', false},
    [KIND_GOAL] = {"goal", "goals", "title", "what the agent wants to achieve", 0.8, 'g', false},
    [KIND_DRIVE] = {"drive", "drives", "drive", "what motivates the agent", 0.8, 'd', false},
    [KIND_RELATIONSHIP] = {"relationship", "relationships", "entity", "someone the agent knows",
                           0.8, 'p', false},
    [KIND_SUGGESTION] = {"suggestion", "suggestions", "content",
                         "a proposed memory, not yet accepted", 0.8, 'u', false},
    [KIND_ATTRIBUTION] = {"attribution", "attributions", "summary", "a logged retrieval", 1.0, 'a',
                          true},
    [KIND_DOCUMENT] = {"document", "documents", "title", "a document that reasoning cites", 1.0,
                       'D', true},
    [KIND_CHAIN] = {"chain", "chains", "question", "a run of reasoning", 0.8, 'c', false},
    [KIND_STEP] = {"step", "steps", "question", "a step of a chain", 0.8, 's', false},
    [KIND_CITATION] = {"citation", "citations", "snippet", "a passage cited in a response", 0.8,
                       'q', false},
    [KIND_ENTRY] = {"entry", "entries", "key", "a namespaced key with a value", 1.0, 'k', true},
};

const struct kind_spec *kind_spec(enum kind kind)
{
    return &specs[kind];
}

const char *kind_name(enum kind kind)
{
    return specs[kind].name;
}

const char *kind_words(enum kind kind, bool one)
{
    return one ? display_name(specs[kind].name) : specs[kind].plural;
}

int kind_from_name(const char *name, size_t len)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (strlen(specs[k].name) == len && memcmp(specs[k].name, name, len) == 0)
            return k;
    return -1;
}

int kind_from_word(const char *word)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (strcmp(specs[k].name, word) == 0 || strcmp(specs[k].plural, word) == 0)
            return k;
    return -1;
}

/* ---- refs ---- */

static bool is_id(const char *id)
{
    size_t len = strlen(id);
    return len > 0 && len <= REF_ID_MAX && utf8_valid(id, len);
}

enum ref_class ref_parse(const char *text, struct ref *out)
{
    const char *colon = strchr(text, ':');
    if (!colon)
        return is_id(text) ? REF_BARE : REF_BAD;
    if (colon == text)
        return REF_BAD;
    int kind = kind_from_name(text, (size_t)(colon - text));
    if (kind < 0)
        return REF_ANNOTATION;
    if (!is_id(colon + 1))
        return REF_BAD;
    out->kind = (enum kind)kind;
    out->id = colon + 1;
    return REF_MEMORY;
}

void ref_add(struct strbuf *sb, struct ref ref)
{
    strbuf_addstr(sb, kind_name(ref.kind));
    strbuf_addch(sb, ':');
    strbuf_addstr(sb, ref.id);
}

bool ref_equal(struct ref a, struct ref b)
{
    return a.kind == b.kind && strcmp(a.id, b.id) == 0;
}

/* No name of a kind is a prefix of another, so comparing the names is enough. */
int ref_compare(struct ref a, struct ref b)
{
    if (a.kind != b.kind)
        return strcmp(kind_name(a.kind), kind_name(b.kind));
    return strcmp(a.id, b.id);
}

/* Not isxdigit, which depends on the locale. */
static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool ref_is_uuid_prefix(const char *id, size_t min)
{
    size_t len = 0;
    for (; id[len]; len++) {
        if (len == 36)
            return false;
        bool dash = len == 8 || len == 13 || len == 18 || len == 23;
        if (dash ? id[len] != '-' : !is_hex(id[len]))
            return false;
    }
    return len >= min;
}

/* ---- source types ---- */

static const struct {
    const char *name, *label;
} types[SOURCE_TYPE_COUNT] = {
    [SOURCE_DIRECT_EXPERIENCE] = {"direct_experience", "direct"},
    [SOURCE_INFERENCE] = {"inference", "inference"},
    [SOURCE_CONSOLIDATION] = {"consolidation", "consolidation"},
    [SOURCE_PROCESSING] = {"processing", "processing"},
    [SOURCE_SEED] = {"seed", "seed"},
    [SOURCE_TOLD_BY_AGENT] = {"told_by_agent", "told by agent"},
    [SOURCE_TOLD_BY_HUMAN] = {"told_by_human", "told by human"},
    [SOURCE_OBSERVATION] = {"observation", "observation"},
    [SOURCE_EXTERNAL] = {"external", "external"},
    [SOURCE_UNKNOWN] = {"unknown", "unknown"},
};

/* Tried in this order: the first word that the source contains decides. */
static const struct {
    const char *word;
    enum source_type type;
} words[] = {
    {"told", SOURCE_TOLD_BY_AGENT},       {"said", SOURCE_TOLD_BY_AGENT},
    {"heard", SOURCE_TOLD_BY_AGENT},      {"infer", SOURCE_INFERENCE},
    {"deduce", SOURCE_INFERENCE},         {"conclude", SOURCE_INFERENCE},
    {"consolidat", SOURCE_CONSOLIDATION}, {"seed", SOURCE_SEED},
};

const char *source_type_name(enum source_type type)
{
    return types[type].name;
}

int source_type_from_name(const char *name)
{
    for (int t = 0; t < SOURCE_TYPE_COUNT; t++)
        if (strcmp(types[t].name, name) == 0)
            return t;
    return -1;
}

const char *source_type_label(const char *name)
{
    int type = source_type_from_name(name);
    return type < 0 ? name : types[type].label;
}

enum source_type source_type_infer(const char *source, const char *source_entity)
{
    if (!source)
        return SOURCE_DIRECT_EXPERIENCE;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (!strcasestr(source, words[i].word))
            continue;
        if (words[i].type == SOURCE_TOLD_BY_AGENT && source_entity &&
            strncmp(source_entity, "human:", 6) == 0)
            return SOURCE_TOLD_BY_HUMAN;
        return words[i].type;
    }
    return SOURCE_DIRECT_EXPERIENCE;
}

/* ---- names of the codes ---- */

static const char *const statuses[STATUS_COUNT] = {
    [STATUS_ACTIVE] = "active",           [STATUS_SUPERSEDED] = "superseded",
    [STATUS_EXPIRED] = "expired",         [STATUS_RETRACTED] = "retracted",
    [STATUS_FORGOTTEN] = "forgotten",     [STATUS_DELETED] = "deleted",
    [STATUS_PURGED] = "purged",           [STATUS_MISSING] = "missing",
    [STATUS_QUARANTINED] = "quarantined", [STATUS_PENDING] = "pending",
    [STATUS_REJECTED] = "rejected",
};

static const char *const roles[RELATION_END] = {
    [ROLE_DERIVED_FROM] = "derived_from",
    [ROLE_EVIDENCE] = "evidence",
    [ROLE_REINFORCEMENT] = "reinforcement",
    [ROLE_SOURCE] = "source",
    [ROLE_STEP] = "step",
    [ROLE_CITATION] = "citation",
    [RELATION_SUPERSEDES] = "supersedes",
    [RELATION_PROCESSED_INTO] = "processed_into",
    [RELATION_CONTRADICTS] = "contradicts",
    [RELATION_COPY_OF] = "copy_of",
    [RELATION_RETIRED_BY] = "retired_by",
    [RELATION_PART_OF] = "part_of",
    [RELATION_RELATED] = "related_to",
};

static const char *const readings[] = {[READING_ANY] = "any", [READING_ALL] = "all"};

static const char *const recordings[] = {
    [RECORDED] = "recorded",
    [RECORDED_AUTO_LINKED] = "auto-linked",
    [RECORDED_MIGRATED] = "migrated",
    [RECORDED_HEURISTIC] = "heuristic",
};

static const char *const scores[] = {
    [SCORE_NONE] = "none",       [SCORE_MEASURED] = "measured", [SCORE_HEURISTIC] = "heuristic",
    [SCORE_DEFAULT] = "default", [SCORE_ASSERTED] = "asserted",
};

#define COUNT_OF(table) (sizeof(table) / sizeof(*(table)))

/* The index of `name` in a table with NULL gaps, or -1. */
static int find_name(const char *const *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (table[i] && strcmp(table[i], name) == 0)
            return (int)i;
    return -1;
}

const char *status_name(enum status status)
{
    return statuses[status];
}

const char *status_word(enum status status)
{
    return display_name(statuses[status]);
}

int status_from_name(const char *name)
{
    return find_name(statuses, COUNT_OF(statuses), name);
}

const char *role_name(enum role role)
{
    return roles[role];
}

int role_from_name(const char *name)
{
    return find_name(roles, COUNT_OF(roles), name);
}

const char *reading_name(enum reading reading)
{
    return readings[reading];
}

int reading_from_name(const char *name)
{
    return find_name(readings, COUNT_OF(readings), name);
}

const char *recorded_name(enum recorded recorded)
{
    return recordings[recorded];
}

const char *recorded_words(enum recorded recorded)
{
    return recorded == RECORDED_HEURISTIC ? "guessed" : recordings[recorded];
}

int recorded_from_name(const char *name)
{
    return find_name(recordings, COUNT_OF(recordings), name);
}

const char *score_name(enum score score)
{
    return scores[score];
}

int score_from_name(const char *name)
{
    return find_name(scores, COUNT_OF(scores), name);
}

void memory_init(struct memory *m, struct ref ref)
{
    *m = (struct memory){
        .ref = ref,
        .confidence = kind_spec(ref.kind)->confidence,
        .status = STATUS_ACTIVE,
        .version = 1,
    };
}

/* ---- repaired texts ---- */

/* "original", or "original_2" and so on if the detail already has that member. */
static void choose_name(const char *detail, char *name, size_t size)
{
    snprintf(name, size, "original");
    for (unsigned n = 2; json_member(detail, strlen(detail), name).ptr; n++)
        snprintf(name, size, "original_%u", n);
}

/* Appends the detail with the bytes in base64 as its last member. */
static void add_original(struct strbuf *out, const char *detail, const char *bytes, size_t len)
{
    char name[32];
    choose_name(detail, name, sizeof(name));
    size_t body = strlen(detail) - 1; /* without its closing brace */
    strbuf_add(out, detail, body);
    strbuf_addf(out, "%s\"%s\":\"", body > 1 ? "," : "", name);
    base64_add(out, bytes, len);
    strbuf_addstr(out, "\"}");
}

void memory_set_text(struct memory *m, struct arena *arena, const char *bytes, size_t len)
{
    if (utf8_valid(bytes, len)) {
        m->text = arena_strndup(arena, bytes, len);
        return;
    }
    AUTO_STRBUF text = STRBUF_INIT, detail = STRBUF_INIT;
    utf8_repair(&text, bytes, len);
    add_original(&detail, m->detail && m->detail[0] == '{' && m->detail[1] ? m->detail : "{}",
                 bytes, len);
    m->text = arena_strndup(arena, text.buf, text.len);
    m->detail = arena_strndup(arena, detail.buf, detail.len);
}

/* Decodes a JSON string in base64. False if it is none. */
static bool decode(struct json_slice value, struct strbuf *out)
{
    struct base64_decode_ctx context;
    if (value.len < 2 || value.ptr[0] != '"')
        return false;
    size_t len = BASE64_DECODE_LENGTH(value.len - 2);
    strbuf_grow(out, len);
    base64_decode_init(&context);
    if (!base64_decode_update(&context, &len, (uint8_t *)out->buf, value.len - 2, value.ptr + 1) ||
        !base64_decode_final(&context))
        return false;
    out->len = len;
    out->buf[len] = '\0';
    return true;
}

/* Others may write members of that name: the original is the one that the text is the repair of. */
bool memory_has_default_confidence(const struct memory *m)
{
    return m->detail && m->confidence == kind_spec(m->ref.kind)->confidence &&
           strstr(m->detail, CONFIDENCE_DEFAULT);
}

const char *memory_original(const struct memory *m, struct arena *arena, struct strbuf *out)
{
    AUTO_STRBUF text = STRBUF_INIT;
    const char *name = "original", *found = NULL;
    for (unsigned n = 2; m->detail && m->text && !found; n++) {
        struct json_slice value = json_member(m->detail, strlen(m->detail), name);
        if (!value.ptr)
            break;
        strbuf_clear(&text);
        if (decode(value, out) && utf8_repair(&text, out->buf, out->len) &&
            strcmp(text.buf, m->text) == 0)
            found = name;
        else
            strbuf_clear(out);
        name = arena_format(arena, "original_%u", n);
    }
    return found;
}

/* ---- search text ---- */

static void add_line(struct strbuf *out, const char *text)
{
    if (!text || !*text)
        return;
    strbuf_addstr(out, text);
    strbuf_addch(out, '\n');
}

static bool ends_with(const char *key, size_t len, const char *end)
{
    size_t end_len = strlen(end);
    return len >= end_len && memcmp(key + len - end_len, end, end_len) == 0;
}

/* Hashes and originals in base64, which nobody searches for, and the name that an author claimed,
 * which a filter finds. */
static bool is_opaque(const char *key, size_t len)
{
    if (len == sizeof(CLAIMED_MEMBER) - 1 && memcmp(key, CLAIMED_MEMBER, len) == 0)
        return true;
    if (len == 4 ? ends_with(key, len, "hash") : ends_with(key, len, "_hash"))
        return true;
    while (len > 0 && key[len - 1] >= '0' && key[len - 1] <= '9')
        len--;
    len -= len > 0 && key[len - 1] == '_'; /* memory_set_text: original, original_2, … */
    return len == 8 ? ends_with(key, len, "original") : ends_with(key, len, "_original");
}

static const char *skip_string(const char *at)
{
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

/* Adds the inside of a JSON string as a line. An escaped NUL becomes a space. */
static void add_string(struct strbuf *out, const char *s, size_t len)
{
    if (len == 0)
        return;
    strbuf_grow(out, len + 1);
    char *line = out->buf + out->len;
    size_t line_len = json_unescape(line, s, len);
    for (char *nul; (nul = memchr(line, '\0', line_len));)
        *nul = ' ';
    line[line_len] = '\n';
    line[line_len + 1] = '\0';
    out->len += line_len + 1;
}

/* Adds all string values at any depth in one pass. A string followed by a colon is a key. */
static void add_strings(struct strbuf *out, const char *json)
{
    bool skip = false;
    for (const char *at = json; *at; at++) {
        skip &= *at != '}';
        if (*at != '"')
            continue;
        const char *s = at + 1;
        at = skip_string(s);
        size_t len = (size_t)(at - s);
        if (!*at)
            return;
        if (at[1] == ':')
            skip = is_opaque(s, len);
        else if (!skip)
            add_string(out, s, len);
    }
}

void memory_search_text(const struct memory *m, struct strbuf *out)
{
    size_t begin = out->len;
    add_line(out, m->text);
    for (size_t i = 0; i < m->tag_count; i++)
        add_line(out, m->tags[i]);
    add_line(out, m->context);
    add_line(out, m->source);
    add_line(out, m->source_entity);
    if (m->detail)
        add_strings(out, m->detail);
    if (out->len > begin)
        strbuf_addch(out, '\n');
}

/* ---- ratings ---- */

/* An id may contain spaces, a word does not, so the last space separates them. */
static const char *last_space(const char *value)
{
    const char *space = strrchr(value, ' ');
    return space && space[1] ? space : NULL;
}

bool rating_parse(const char *value, struct arena *arena, struct ref *of, const char **word)
{
    const char *space = value ? last_space(value) : NULL;
    if (!space)
        return false;
    const char *ref = arena_strndup(arena, value, (size_t)(space - value));
    *word = arena_strdup(arena, space + 1);
    return ref_parse(ref, of) == REF_MEMORY;
}

/* Does the value begin with that ref and a space? A quick test before parsing, since most values
 * do not. */
static bool names_source(const char *value, struct ref source)
{
    const char *kind = kind_name(source.kind);
    size_t kind_len = strlen(kind), len = strlen(source.id);
    return value && strncmp(value, kind, kind_len) == 0 && value[kind_len] == ':' &&
           strncmp(value + kind_len + 1, source.id, len) == 0 && value[kind_len + 1 + len] == ' ';
}

const char *judge_title(enum judge judge)
{
    static const char *const titles[JUDGES] = {
        [JUDGE_PERSON] = "", [JUDGE_IMPORT] = "import of ", [JUDGE_AGENT] = "agent "};
    return titles[judge];
}

const struct flag *rating_of(const struct memory *step, struct ref source, enum judge judge,
                             struct arena *arena)
{
    const struct flag *latest = NULL;
    struct ref of;
    const char *word;
    for (size_t i = 0; i < step->flag_count; i++) {
        const struct flag *flag = &step->flags[i];
        if (strcmp(flag->name, "rating") != 0 || flag->judge != judge ||
            !names_source(flag->value, source) || (latest && flag->at < latest->at))
            continue;
        if (rating_parse(flag->value, arena, &of, &word) && ref_equal(of, source))
            latest = flag;
    }
    return latest;
}

bool memory_is_annotated(const struct memory *m, const char *annotation)
{
    for (size_t i = 0; i < m->annotation_count; i++)
        if (strcmp(m->annotations[i], annotation) == 0)
            return true;
    return false;
}

/* ---- a logged retrieval ---- */

#define TIME_MAX  9007199254740991 /* what a JSON number holds exactly */
#define HASH_SIZE 64

int attribution_check(const struct memory *m, struct error *e)
{
    int64_t ms;
    if (m->ref.kind != KIND_ATTRIBUTION)
        return 0;
    const char *detail = m->detail ? m->detail : "{}";
    struct json_slice type = json_member(detail, strlen(detail), "source_type"),
                      time = json_member(detail, strlen(detail), "retrieval_timestamp"),
                      hash = json_member(detail, strlen(detail), "full_content_hash");
    if (!m->agent_id || utf8_is_blank(m->agent_id))
        return error_set(e, ERROR_INVALID, "Name the agent that retrieved it.",
                         "agent_id is empty");
    if (!type.ptr || *type.ptr != '"' || type.len <= 2)
        return error_set(e, ERROR_INVALID, "Give the field source_type, such as web_scrape.",
                         "source_type is %s",
                         !type.ptr || *type.ptr == 'n' ? "missing"
                         : *type.ptr == '"'            ? "empty"
                                                       : "not a text");
    if (!time.ptr || json_integer(time, &ms) || ms < -TIME_MAX || ms > TIME_MAX)
        return error_set(e, ERROR_INVALID, "Give when it was retrieved, in Unix milliseconds.",
                         time.ptr && *time.ptr != 'n'
                             ? "retrieval_timestamp is not a whole number in range"
                             : "retrieval_timestamp is missing");
    if (!hash.ptr || *hash.ptr == 'n' ||
        (*hash.ptr == '"' && hash.len == HASH_SIZE + 2 &&
         strspn(hash.ptr + 1, "0123456789abcdefABCDEF") == HASH_SIZE))
        return 0;
    return error_set(e, ERROR_INVALID, "Give the SHA-256 of the content, or leave it out.",
                     "full_content_hash is not 64 hex digits");
}

/* ---- names that people read ---- */

struct name_pair {
    const char *name, *display;
};

/* Kinds, statuses and operations: stored under these names. */
static const struct name_pair stored[] = {
    {"raw", "raw entry"},
    {"superseded", "replaced"},
    {"process", "promote"},
    {"supersede", "replace"},
    {"verify", "approve"},
    {"protect", "lock"},
    {"unprotect", "unlock"},
    {"protected", "locked"},
    {"propagate", "cap-confidence"},
    {"fix-provenance", "repair-origins"},
    {"mark", "flag"},
    {"unmark", "unflag"},
};

/* Labels, styles in themes, and actions of the explorer had these names: only accepted as input. */
static const struct name_pair former[] = {
    {"grounded", "supported"},
    {"ungrounded", "unsupported"},
    {"gone", "ended"},
    {"falls", "loses_support"},
    {"mark-as", "flag"},
    {"mark", "select"},
    {"mark-range", "select-range"},
    {"mark-invert", "select-invert"},
    {"unmark-all", "unselect-all"},
    {"rests-on", "based-on"},
    {"carries", "used-by"},
    {"expand-carried", "expand-used-by"},
    {"shade", "highlight"},
    {"act", "change"},
    {"keep-place", "set-bookmark"},
    {"go-to-place", "go-to-bookmark"},
    {"fold", "left"},
    {"unfold", "right"},
    {"look-left", "pan-left"},
    {"look-right", "pan-right"},
    {"expand", "more"},
    {"collapse", "less"},
    {"removed", "more"},
    {"group", "order"},
    {"may-do", "permissions"},
    {"undo-event", "undo"},
    {"session-writes", "end-session"},
};

const char *display_name(const char *name)
{
    for (size_t i = 0; name && i < sizeof(stored) / sizeof(stored[0]); i++)
        if (strcmp(stored[i].name, name) == 0)
            return stored[i].display;
    return name;
}

static bool has_pair(const struct name_pair *pairs, size_t count, const char *name,
                     const char *display)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i].name, name) == 0 && strcmp(pairs[i].display, display) == 0)
            return true;
    return false;
}

bool is_display_name(const char *typed, const char *display)
{
    return strcmp(typed, display) == 0 ||
           has_pair(stored, sizeof(stored) / sizeof(stored[0]), typed, display) ||
           has_pair(former, sizeof(former) / sizeof(former[0]), typed, display);
}
