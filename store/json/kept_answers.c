#include "store/json/kept_answers.h"

#include <lz4.h>
#include <pthread.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/fnv.h"
#include "store/entries/entry.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

/* An answer has some places, by its question. */
#define SETS         512
#define WAYS         4
#define BYTES_MAX    (5 << 19) /* of all of it */
#define QUESTION_MAX 2048
#define ANSWER_MAX   (256 << 10) /* before it is compressed */
#define IN_HEAP      16    /* bytes that a piece of the heap takes beside what it holds, about */
#define MET_BITS     16384 /* of questions that were asked once */
#define LONG_US      20000 /* what took longer is kept at once */
#define FULL_ODDS    8     /* of so many one takes the place of another */

struct kept {
    uint64_t hash;
    int64_t subject;
    int64_t until; /* ms: it holds before that */
    uint32_t question_len, answer_len, packed_len;
    char bytes[]; /* the question, then the answer compressed */
};

struct kept_answers {
    pthread_mutex_t lock;
    int64_t seq; /* the event at which all of it holds */
    size_t bytes;
    uint64_t random; /* tells what gives way next */
    uint64_t met[MET_BITS / 64];
    struct kept *kept[SETS * WAYS];
};

struct kept_answers *kept_answers_new(void)
{
    struct kept_answers *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

static size_t size_of(const struct kept *kept)
{
    return sizeof(*kept) + kept->question_len + kept->packed_len + IN_HEAP;
}

static void give_up(struct kept_answers *k, struct kept **place)
{
    if (!*place)
        return;
    k->bytes -= size_of(*place);
    free(*place);
    *place = NULL;
}

static void give_up_all(struct kept_answers *k)
{
    for (size_t i = 0; i < SETS * WAYS && k->bytes > 0; i++)
        give_up(k, &k->kept[i]);
}

void kept_answers_free(struct kept_answers *k)
{
    if (!k)
        return;
    give_up_all(k);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* FNV-1a, whose high bits hardly change with the last bytes, is mixed at the end. */
static uint64_t hash_of(const struct strbuf *question)
{
    uint64_t hash = fnv_add(FNV_BASIS, question->buf, question->len);
    return (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct kept **set_of(struct kept_answers *k, uint64_t hash)
{
    return &k->kept[(hash >> 32) % SETS * WAYS];
}

/* NULL: it is not kept. */
static struct kept **find_place(struct kept_answers *k, uint64_t hash,
                                const struct strbuf *question)
{
    struct kept **set = set_of(k, hash);
    for (struct kept **place = set; place < set + WAYS; place++)
        if (*place && (*place)->hash == hash && (*place)->question_len == question->len &&
            memcmp((*place)->bytes, question->buf, question->len) == 0)
            return place;
    return NULL;
}

/* Brings it to that moment; false: it is of a later one. */
static bool bring_to(struct kept_answers *k, int64_t seq)
{
    if (k->seq < seq) {
        give_up_all(k);
        memset(k->met, 0, sizeof(k->met));
        k->seq = seq;
    }
    return k->seq == seq;
}

static bool unpack(const struct kept *kept, struct strbuf *answer)
{
    if (!strbuf_grow(answer, kept->answer_len))
        return false;
    int len = LZ4_decompress_safe(kept->bytes + kept->question_len, answer->buf + answer->len,
                                  (int)kept->packed_len, (int)kept->answer_len);
    if (len != (int)kept->answer_len)
        return false;
    answer->len += kept->answer_len;
    answer->buf[answer->len] = '\0';
    return true;
}

int kept_answer_find(struct reader *r, const struct strbuf *question, struct strbuf *answer,
                     int64_t *subject, struct error *e)
{
    struct kept_answers *k = reader_store(r)->answers;
    int64_t seq;
    if (!reader_keeps(r) || question->failed || question->len > QUESTION_MAX)
        return 0;
    if (reader_moment(r, &seq, e))
        return -1;
    uint64_t hash = hash_of(question);
    pthread_mutex_lock(&k->lock);
    struct kept **place = bring_to(k, seq) ? find_place(k, hash, question) : NULL;
    bool ended =
        place && (*place)->until != INT64_MAX && store_now(reader_store(r)) >= (*place)->until;
    if (ended)
        give_up(k, place);
    int found = place && !ended && unpack(*place, answer);
    if (found)
        *subject = (*place)->subject;
    pthread_mutex_unlock(&k->lock);
    return found;
}

/* A linear congruential generator (Knuth, MMIX): nothing hangs on it but which of many gives way. */
static void turn(struct kept_answers *k)
{
    k->random = k->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* Where there is no room for `len` bytes, another one would give way: that is worth the time to compress it only now and
 * then, or a round of more than there is room for costs more than it spares. */
static bool has_turn(struct kept_answers *k, size_t len)
{
    if (k->bytes + len <= BYTES_MAX)
        return true;
    turn(k);
    return (k->random >> 32) % FULL_ODDS == 0;
}

/* Is the question asked for the second time, or is it worth that without? */
static bool is_wanted(struct kept_answers *k, int64_t seq, uint64_t hash, size_t len, bool at_once)
{
    pthread_mutex_lock(&k->lock);
    bool now = bring_to(k, seq);
    uint64_t *word = &k->met[hash % MET_BITS / 64], bit = UINT64_C(1) << hash % 64;
    bool wanted = now && (at_once || (*word & bit && has_turn(k, len)));
    if (now)
        *word |= bit;
    pthread_mutex_unlock(&k->lock);
    return wanted;
}

/* A place of its set, that of the same question first, then a free one. */
static struct kept **place_for(struct kept_answers *k, uint64_t hash, const struct strbuf *question)
{
    struct kept **set = set_of(k, hash), **same = find_place(k, hash, question);
    for (struct kept **place = set; !same && place < set + WAYS; place++)
        if (!*place)
            return place;
    return same ? same : &set[k->random >> 32 & (WAYS - 1)];
}

static void add(struct kept_answers *k, int64_t seq, struct kept *kept,
                const struct strbuf *question)
{
    pthread_mutex_lock(&k->lock);
    if (k->seq != seq) {
        free(kept);
    } else {
        turn(k);
        struct kept **place = place_for(k, kept->hash, question);
        give_up(k, place);
        while (k->bytes + size_of(kept) > BYTES_MAX) {
            turn(k);
            give_up(k, &k->kept[(k->random >> 32) % (SETS * WAYS)]);
        }
        *place = kept;
        k->bytes += size_of(kept);
    }
    pthread_mutex_unlock(&k->lock);
}

/* In a piece of the heap that it fills; NULL where there is no memory for it. */
static struct kept *pack(const struct strbuf *question, const struct strbuf *answer)
{
    int room = LZ4_compressBound((int)answer->len);
    struct kept *kept = xmalloc(sizeof(*kept) + question->len + (size_t)room);
    if (!kept)
        return NULL;
    char *packed = kept->bytes + question->len;
    memcpy(kept->bytes, question->buf, question->len);
    int len = LZ4_compress_default(answer->buf, packed, (int)answer->len, room);
    kept->question_len = (uint32_t)question->len;
    kept->answer_len = (uint32_t)answer->len;
    kept->packed_len = (uint32_t)len;
    struct kept *cut = xrealloc(kept, sizeof(*kept) + question->len + (size_t)len);
    kept = cut ? cut : kept;
    if (len > 0)
        return kept;
    free(kept);
    return NULL;
}

/* When the first entry expires that has not, or what else was read changes by itself. */
static int find_until(struct reader *r, int64_t *until, struct error *e)
{
    int64_t next = entry_next_expiry(r, e), said = reader_until(r);
    *until = next > 0 && next < said ? next : said;
    return next < 0 ? -1 : 0;
}

int kept_answer_keep(struct reader *r, const struct strbuf *question, const struct strbuf *answer,
                     int64_t subject, int64_t took_us, struct error *e)
{
    struct kept_answers *k = reader_store(r)->answers;
    int64_t seq, until;
    if (!reader_keeps(r) || question->failed || question->len > QUESTION_MAX || answer->failed ||
        answer->len == 0 || answer->len > ANSWER_MAX)
        return 0;
    if (reader_moment(r, &seq, e))
        return -1;
    uint64_t hash = hash_of(question);
    if (!is_wanted(k, seq, hash, answer->len, took_us >= LONG_US))
        return 0;
    if (find_until(r, &until, e))
        return -1;
    struct kept *kept = pack(question, answer);
    if (!kept)
        return 0;
    kept->hash = hash;
    kept->subject = subject;
    kept->until = until;
    add(k, seq, kept, question);
    return 0;
}
