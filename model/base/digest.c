#include "model/base/digest.h"

#include <stdio.h>
#include <string.h>

#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>
#include "model/base/strbuf.h"

_Static_assert(DIGEST_SIZE == SHA256_DIGEST_SIZE, "a digest is a SHA-256");

void digest_run_begin(struct digest_run *run)
{
    sha256_init(&run->ctx);
}

void digest_run_add(struct digest_run *run, const void *bytes, size_t len)
{
    if (len)
        sha256_update(&run->ctx, len, bytes);
}

void digest_run_end(struct digest_run *run, struct digest *out)
{
    sha256_digest(&run->ctx, DIGEST_SIZE, out->bytes);
}

/* SHA-256(first ‖ second), either of which may be empty. */
static void hash_both(struct digest *out, const void *first, size_t first_len, const void *second,
                      size_t second_len)
{
    struct digest_run run;
    digest_run_begin(&run);
    digest_run_add(&run, first, first_len);
    digest_run_add(&run, second, second_len);
    digest_run_end(&run, out);
}

void digest_bytes(struct digest *out, const void *bytes, size_t len)
{
    hash_both(out, NULL, 0, bytes, len);
}

void digest_commit(struct digest *out, const uint8_t salt[SALT_SIZE], const void *bytes, size_t len)
{
    hash_both(out, salt, SALT_SIZE, bytes, len);
}

void digest_chain(struct digest *out, const struct digest *prev, const void *canonical, size_t len)
{
    struct digest before; /* `out` may be `prev` */
    if (prev)
        before = *prev;
    hash_both(out, before.bytes, prev ? DIGEST_SIZE : 0, canonical, len);
}

void digest_hmac(struct digest *out, const void *key, size_t key_len, const struct digest *hash)
{
    struct hmac_sha256_ctx ctx;
    hmac_sha256_set_key(&ctx, key_len, key);
    hmac_sha256_update(&ctx, DIGEST_SIZE, hash->bytes);
    hmac_sha256_digest(&ctx, DIGEST_SIZE, out->bytes);
}

void digest_hex(char out[2 * DIGEST_SIZE + 1], const struct digest *d)
{
    base16_encode_update(out, DIGEST_SIZE, d->bytes);
    out[2 * DIGEST_SIZE] = '\0';
}

void digest_uuid(char out[37], const struct digest *d)
{
    uint8_t b[16];
    memcpy(b, d->bytes, sizeof(b));
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x80); /* version 8: custom */
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80); /* variant */
    snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
             b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

int digest_from_hex(struct digest *out, const char *hex)
{
    /* nettle skips white space, so checking the length is not enough. */
    if (strspn(hex, "0123456789abcdefABCDEF") != 2 * DIGEST_SIZE || hex[2 * DIGEST_SIZE])
        return -1;
    struct base16_decode_ctx ctx;
    base16_decode_init(&ctx);
    size_t len = DIGEST_SIZE;
    if (!base16_decode_update(&ctx, &len, out->bytes, 2 * DIGEST_SIZE, hex) || len != DIGEST_SIZE ||
        !base16_decode_final(&ctx))
        return -1;
    return 0;
}

void base64_add(struct strbuf *out, const void *bytes, size_t len)
{
    size_t room = BASE64_ENCODE_RAW_LENGTH(len);
    strbuf_grow(out, room);
    base64_encode_raw(out->buf + out->len, len, bytes);
    out->len += room;
    out->buf[out->len] = '\0';
}

void base32_write(char *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < BASE32_LEN(size); i++) {
        size_t at = 5 * i / 8, shift = 5 * i % 8;
        unsigned two = (unsigned)bytes[at] << 8 | (at + 1 < size ? bytes[at + 1] : 0);
        *out++ = BASE32_DIGITS[two >> (11 - shift) & 31];
    }
    *out = '\0';
}

bool base32_read(const char *text, uint8_t *bytes, size_t size)
{
    unsigned bits = 0, bit_count = 0;
    size_t n = 0;
    for (size_t i = 0; i < BASE32_LEN(size); i++) {
        const char *digit = text[i] ? strchr(BASE32_DIGITS, text[i]) : NULL;
        if (!digit)
            return false;
        bits = (bits << 5 | (unsigned)(digit - BASE32_DIGITS)) & 0xfff;
        bit_count += 5;
        if (bit_count >= 8) {
            bit_count -= 8;
            bytes[n++] = (uint8_t)(bits >> bit_count);
        }
    }
    return !text[BASE32_LEN(size)] && !(bits & ((1u << bit_count) - 1));
}
