/* Cursors that say nothing. */
#include <nettle/base64.h>
#include <nettle/siv-cmac.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/record/entry_row.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"

#define CURSOR_MOST 4096 /* bytes of one, sealed or not */

static const uint8_t nonce[] = "cursors";

/*
 * To make the store's key ready takes longer than to seal a cursor, so that it is kept: a store's secret never changes.
 * Where it cannot be read a cursor holds as long as the rules, and its key is made in `room`.
 */
static const struct siv_cmac_aes128_ctx *key_of(struct reader *r, struct siv_cmac_aes128_ctx *room)
{
    struct guard_known *known = reader_guard_known(r);
    struct digest key;
    struct error none;
    if (known->cursor_key)
        return known->cursor_key;
    if (entry_secret_for(reader_db(r), "list", &key, &none) == 0) {
        room = known->cursor_key = xmalloc(sizeof(*room));
    } else {
        const unsigned char *of_rules = guard_key_of(reader_guarded(r)->rules);
        for (size_t i = 0; i < sizeof(key.bytes); i++)
            key.bytes[i] = of_rules[i % GUARD_KEY];
    }
    siv_cmac_aes128_set_key(room, key.bytes);
    return room;
}

static int bad_cursor(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Ask for the first page again, without a cursor.",
                     "the cursor is damaged or belongs to another list");
}

static void add_base64(struct strbuf *out, const uint8_t *bytes, size_t len)
{
    struct base64_encode_ctx ctx;
    if (!strbuf_grow(out, BASE64_ENCODE_LENGTH(len) + BASE64_ENCODE_FINAL_LENGTH + 1))
        return;
    char *text = out->buf + out->len;
    base64url_encode_init(&ctx);
    size_t n = base64_encode_update(&ctx, text, len, bytes);
    n += base64_encode_final(&ctx, text + n);
    while (n && text[n - 1] == '=')
        n--;
    out->len += n;
    out->buf[out->len] = '\0';
}

void guard_seal(struct reader *r, const char *cursor, struct strbuf *out)
{
    struct siv_cmac_aes128_ctx room;
    size_t len = strlen(cursor), sealed_len = len + SIV_DIGEST_SIZE;
    if (!reader_guarded(r) || len == 0) {
        strbuf_addstr(out, cursor);
        return;
    }
    uint8_t *sealed = xmalloc(sealed_len);
    siv_cmac_aes128_encrypt_message(key_of(r, &room), sizeof(nonce), nonce, 0, NULL, sealed_len,
                                    sealed, (const uint8_t *)cursor);
    add_base64(out, sealed, sealed_len);
    free(sealed);
}

/* How many bytes; 0: it is no such text. */
static size_t decode(const char *text, uint8_t *bytes, size_t room)
{
    struct base64_decode_ctx ctx;
    size_t len = strlen(text), got = room, end = 0;
    base64url_decode_init(&ctx);
    if (!base64_decode_update(&ctx, &got, bytes, len, text))
        return 0;
    for (size_t padding = (4 - len % 4) % 4; padding; padding--)
        if (!base64_decode_update(&ctx, &end, bytes + got, 1, "="))
            return 0;
    return base64_decode_final(&ctx) ? got : 0;
}

int guard_unseal(struct reader *r, struct arena *arena, const char *sealed, const char **out,
                 struct error *e)
{
    struct siv_cmac_aes128_ctx room;
    uint8_t bytes[CURSOR_MOST + 4];
    *out = sealed;
    if (!reader_guarded(r) || !*sealed)
        return 0;
    size_t len = strlen(sealed) < CURSOR_MOST ? decode(sealed, bytes, sizeof(bytes)) : 0;
    if (len <= SIV_DIGEST_SIZE)
        return bad_cursor(e);
    size_t plain_len = len - SIV_DIGEST_SIZE;
    char *plain = arena_alloc(arena, plain_len + 1);
    if (!siv_cmac_aes128_decrypt_message(key_of(r, &room), sizeof(nonce), nonce, 0, NULL, plain_len,
                                         (uint8_t *)plain, bytes))
        return bad_cursor(e);
    plain[plain_len] = '\0';
    *out = plain;
    return 0;
}
