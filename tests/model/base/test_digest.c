/* Digests: published test vectors, and the chain of the journal. */
#include "model/base/digest.h"
#include "tests/support/test.h"

static void expect(const struct digest *d, const char *hex)
{
    char got[2 * DIGEST_SIZE + 1];
    digest_hex(got, d);
    assert_string_equal(got, hex);
}

TEST(the_chain_is_as_specified)
{
    static const char *const hashes[] = {
        "f15907a34465f05e9b410aa81afdf7b5762c5db33ddb0ca359414ada73c95e75",
        "455814c4c2e6bc42e39ee889384927f3464ce4c8b1b67df28219a7294e19250d",
        "cd5ab9c855f25ec7b6c10cd8a2322318d0e2ac5fd3d2a1910dc78fd1c9a53b1c",
    };
    struct digest hash, mac;
    for (int i = 0; i < 3; i++) {
        char event[64];
        int len = snprintf(event, sizeof(event), "{\"idx\":%d,\"msg\":\"event-%d\"}", i, i);
        digest_chain(&hash, i ? &hash : NULL, event, (size_t)len);
        expect(&hash, hashes[i]);
        if (i == 0) {
            digest_hmac(&mac, "test-secret", 11, &hash);
            expect(&mac, "c0e66d71b017a984b50548dda5eec422ece60250cef1c5e25442c082c80edaf5");
        }
    }
}

TEST(sha_256_is_as_published)
{
    struct digest d;
    digest_bytes(&d, "", 0);
    expect(&d, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_bytes(&d, NULL, 0);
    expect(&d, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_bytes(&d, "abc", 3);
    expect(&d, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(a_commitment_is_the_hash_of_salt_and_bytes)
{
    uint8_t both[SALT_SIZE + 5];
    struct digest committed, hashed;
    for (uint8_t i = 0; i < SALT_SIZE; i++)
        both[i] = i;
    memcpy(both + SALT_SIZE, "hello", 5);
    digest_commit(&committed, both, "hello", 5);
    digest_bytes(&hashed, both, sizeof(both));
    assert_memory_equal(committed.bytes, hashed.bytes, DIGEST_SIZE);
}

TEST(hex_survives_a_round_trip)
{
    struct digest d, back;
    char hex[2 * DIGEST_SIZE + 1];
    for (int i = 0; i < DIGEST_SIZE; i++)
        d.bytes[i] = (uint8_t)(i * 37);
    digest_hex(hex, &d);
    assert_int_equal(digest_from_hex(&back, hex), 0);
    assert_memory_equal(back.bytes, d.bytes, DIGEST_SIZE);
    hex[3] = 'F';
    assert_int_equal(digest_from_hex(&back, hex), 0);
    static const char *const bad[] = {"", "0", "xyz"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(digest_from_hex(&back, bad[i]), -1);
    hex[10] = ' ';
    assert_int_equal(digest_from_hex(&back, hex), -1);
    hex[10] = 'g';
    assert_int_equal(digest_from_hex(&back, hex), -1);
    hex[10] = '\0';
    assert_int_equal(digest_from_hex(&back, hex), -1);
    assert_int_equal(digest_from_hex(&back,
                                     "f15907a34465f05e9b410aa81afdf7b5762c5db33ddb0ca359414ada73c95"
                                     "e7500"),
                     -1);
}

/* RFC 4648, section 10, without padding. */
TEST(base_32_is_as_published)
{
    static const char *const texts[][2] = {
        {"", ""},         {"f", "MY"},         {"fo", "MZXQ"},
        {"foo", "MZXW6"}, {"foob", "MZXW6YQ"}, {"fooba", "MZXW6YTB"}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        char text[16];
        uint8_t bytes[16];
        base32_write(text, (const uint8_t *)texts[i][0], i);
        assert_string_equal(text, texts[i][1]);
        assert_true(base32_read(text, bytes, i));
        assert_memory_equal(bytes, texts[i][0], i);
    }
    uint8_t bytes[2];
    assert_false(base32_read("MZ", bytes, 1));   /* unused bits that are not zero */
    assert_false(base32_read("mzxq", bytes, 2)); /* lower case */
    assert_false(base32_read("MZXQA", bytes, 2));
}
