/* Personal data: what is found and what is not, and masking text and JSON. */
#include "model/json/json.h"
#include "model/pii/pii.h"
#include "tests/support/test.h"

static struct pii *built_in;

static int make(void **state)
{
    struct error e;
    built_in = pii_new(NULL, 0, &e);
    return built_in ? 0 : -1;
}

static int drop(void **state)
{
    pii_free(built_in);
    return 0;
}

struct vector {
    const char *text, *masked; /* NULL: unchanged */
};

static void check(const struct pii *p, const char *text, const char *masked)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct pii_seen seen = {0, 0};
    bool any = pii_mask_text(p, text, strlen(text), &out, &seen);
    assert_string_equal(out.buf, masked ? masked : text);
    assert_int_equal(any, masked != NULL);
    assert_int_equal(any, seen.count > 0);
    assert_int_equal(any, seen.kinds != 0);
}

static void check_all(const struct vector *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(built_in, vectors[i].text, vectors[i].masked);
}
#define CHECK_ALL(vectors) check_all(vectors, sizeof(vectors) / sizeof(*(vectors)))

GROUP(make, drop);

TEST(each_kind_is_found)
{
    static const struct vector vectors[] = {
        {"jane.doe@example.com", "[redacted-email]"},
        {"x@y.com,z@w.org", "[redacted-email],[redacted-email]"},
        {"555-123-4567", "[redacted-phone]"},
        {"555.123.4567", "[redacted-phone]"},
        {"(555) 123-4567", "[redacted-phone]"},
        {"+1 (415) 555-1234", "[redacted-phone]"},
        {"1700000000", NULL},
        {"1678886400000", NULL},
        {"555-123-45678", NULL},
        {"25551234567", NULL},
        {"123e4567-e89b-12d3-a456-426614174000", NULL},
        {"2024-01-15T10:30:00Z", NULL},
        {"2024-01-15T10:30:00.123456+05:30", NULL},
        {"192.168.100.1", NULL},
        {"255.255.255.255", NULL},
        {"2001:db8:85a3::8a2e:370:7334", NULL},
        {"123-45-6789", "[redacted-ssn]"},
        {"123456789", NULL},
        {"4111 1111 1111 1111", "************1111"},
        {"4111-1111-1111-1111", "************1111"},
        {"4111111111111111", "************1111"},
        {"378282246310005", "***********0005"},
        {"4111 1111 1111 1112", NULL},
    };
    CHECK_ALL(vectors);
}

TEST(e_mail_addresses_are_found)
{
    static const struct vector vectors[] = {
        {"jane+tag@mail.example.co.uk", "[redacted-email]"},
        {"Write to <jane@example.com>.", "Write to <[redacted-email]>."},
        {"mailto:jane@example.com?subject=x", "mailto:[redacted-email]?subject=x"},
        {"jane@example.com.", "[redacted-email]."},
        {"jane@example.com-", "[redacted-email]-"},
        {"jane@example.com2", "[redacted-email]"},
        {"jane@example.com_x", "[redacted-email]_x"},
        {"jane@example.com.5", "[redacted-email].5"},
        {"o'brien@example.com", "[redacted-email]"},
        {"'jane@example.com'", "'[redacted-email]'"},
        {"...jane@example.com", "...[redacted-email]"},
        {"user=jane@example.com", "user=[redacted-email]"},
        {"\"jane doe\"@example.com", "[redacted-email]"},
        {"555-123-4567@example.com", "[redacted-email]"},
        {"(555) 123-4567@example.com", "[redacted-phone]@example.com"},
        {"4111111111111111@example.com", "[redacted-email]"},
        {"j\xc3\xb6rg@ex\xc3\xa4mple.de", "[redacted-email]"},
        {"nguy\xe1\xbb\x85n@example.com", "[redacted-email]"}, /* Latin, with a high code point */
        {"\xe7\x94\xa8\xe6\x88\xb7@\xe4\xbe\x8b\xe5\xad\x90.\xe5\x85\xac\xe5\x8f\xb8",
         "[redacted-email]"},
        {"\xe9\x80\xa3\xe7\xb5\xa1jane@example.com\xe3\x81\xa7\xe3\x81\x99",
         "\xe9\x80\xa3\xe7\xb5\xa1[redacted-email]\xe3\x81\xa7\xe3\x81\x99"},
        {"jane@xn--e1afmkfd.xn--p1ai", "[redacted-email]"},
        {"jane\xef\xbc\xa0"
         "example\xef\xbc\x8e"
         "com",
         "[redacted-email]"},
        {"ja\xe2\x80\x8bne\xe2\x80\x8b@exam\xc2\xadple.c\xe2\x80\x8dom", "[redacted-email]"},
        {"a@b@c.org", "a@[redacted-email]"},
        {"a@b.org@c.org", "[redacted-email]@c.org"},
        {"jane@example", NULL},
        {"jane@example.c", NULL},
        {"jane@192.168.1.1", NULL},
        {"@example.com", NULL},
        {"@app.route", NULL},
        {" @ b.com", NULL},
        {"jane@", NULL},
        {"@", NULL},
        {"@@@@", NULL},
        {"jane@.com", NULL},
    };
    CHECK_ALL(vectors);
}

TEST(broken_personal_data_is_found)
{
    static const struct vector vectors[] = {
        /* the full stops U+3002 and U+FF61 */
        {"jane@example\xe3\x80\x82"
         "com",
         "[redacted-email]"},
        {"jane@example\xef\xbd\xa1"
         "com",
         "[redacted-email]"},
        {"555\xe3\x80\x82"
         "123\xef\xbd\xa1"
         "4567",
         "[redacted-phone]"},
        {"jane@example.com\xe3\x80\x82\xe8\xb0\xa2\xe8\xb0\xa2",
         "[redacted-email]\xe3\x80\x82\xe8\xb0\xa2\xe8\xb0\xa2"},
        /* tabs and line breaks */
        {"jane@\nexample.com", "[redacted-email]"},
        {"jane\r\n@example.com", "[redacted-email]"},
        {"jane@example.\ncom", "[redacted-email]"},
        {"jane@example\t.com", "[redacted-email]"},
        {"jane@example.com.\nThen", "[redacted-email].\nThen"},
        {"pass\n\n@app.route", NULL},
        {"jane.doe@exam\tple.com", "[redacted-email]"},
        {"jane.doe@ma\til.exam\r\nple.Org, x", "[redacted-email], x"},
        {"jane@example.c\nom", "[redacted-email]"},
        {"mail me @app.route\nfoo.bar", NULL},
        {"mail me @app\nfoo.com", NULL},
        {"y = w@x\nself.zeta = 1", NULL}, /* not a common end */
        {"y = w@x\nself.community = 1", NULL},
        {"jane@example\n\nfoo.com", NULL},
        {"Write to\njane@example.com\nThen.com", "Write to\n[redacted-email]\nThen.com"},
        {"555\t123\t4567", "[redacted-phone]"},
        {"555-123-\n4567 x", "[redacted-phone] x"},
        {"(555)\n123-4567", "[redacted-phone]"},
        {"+44\r\n20 7946\n0958", "[redacted-phone]"},
        {"020\t7946\t0958", "[redacted-phone]"},
        {"555\xe2\x80\xa8"
         "123\xc2\x85"
         "4567",
         "[redacted-phone]"},
        {"123-45-\n6789", "[redacted-ssn]"},
        {"123-45\n-6789", "[redacted-ssn]"},
        {"123\n-\n45-6789", "[redacted-ssn]"},
        {"123\r\n-\t45\n-6789 x", "[redacted-ssn] x"},
        {"123\n\n-45-6789", NULL},
        {"123\t45\t6789", "[redacted-ssn]"},
        {"123\n45\n6789", "[redacted-ssn]"},
        {"4111 1111\n1111\t1111", "************1111"},
        {"020\n7946\n0958", "[redacted-phone]"},
        {"5\n123\n45\n6789\n", NULL}, /* columns of numbers */
        {"01\n02\n03\n04\n05", NULL},
        /* plus signs */
        {"++1 (415) 555-1234", "[redacted-phone]"},
        {"++14155551234", "[redacted-phone]"},
        {"555++123++4567", "[redacted-phone]"},
        {"+1++415++555++1234", "[redacted-phone]"},
        {"i++; 5551234", NULL},
        {"100+200+3000", NULL},
        {"123++45++6789", "[redacted-ssn]"},
        {"123-45++6789", "[redacted-ssn]"},
        {"123+45+6789", NULL},
        {"4111++1111++1111++1111", "************1111"},
        {"4111 1111++1111-1111", "************1111"},
        {"4111++1111++1111++1112", NULL},
        {"4111+++1111+++1111+++1111", NULL},
        {"555-123-4567++4111++1111++1111++1111", "[redacted-phone]++************1111"},
    };
    static const struct vector json[] = {
        {"\"555\\t123\\n4567\"", "\"[redacted-phone]\""},
        {"\"jane@\\nexample\\u3002com\"", "\"[redacted-email]\""},
        {"\"++1\\r\\n415 555 1234\"", "\"[redacted-phone]\""},
    };
    CHECK_ALL(vectors);
    for (size_t i = 0; i < sizeof(json) / sizeof(*json); i++) {
        AUTO_STRBUF out = STRBUF_INIT;
        assert_true(pii_mask_json(built_in, json[i].text, strlen(json[i].text), &out, NULL));
        assert_string_equal(out.buf, json[i].masked);
    }
}

TEST(telephone_numbers_are_found)
{
    static const struct vector vectors[] = {
        {"(555)123-4567", "[redacted-phone]"},
        {"(555)1234567", "[redacted-phone]"},
        {"555 123 4567", "[redacted-phone]"},
        {"555-1234567", "[redacted-phone]"},
        {"1-555-123-4567", "[redacted-phone]"},
        {"1 (415) 555-1234", "[redacted-phone]"},
        {"1(415) 555-1234", "[redacted-phone]"},
        {"+14155551234", "[redacted-phone]"},
        {"+1.415.555.1234", "[redacted-phone]"},
        {"+44 20 7946 0958", "[redacted-phone]"},
        {"+44 (0)20 7946 0958", "[redacted-phone]"},
        {"+49 (0)30 123456", "[redacted-phone]"},
        {"+33 1 23 45 67 89", "[redacted-phone]"},
        {"+33123456789", "[redacted-phone]"},
        {"0044 20 7946 0958", "[redacted-phone]"},
        {"020 7946 0958", "[redacted-phone]"},
        {"01.23.45.67.89", "[redacted-phone]"},
        {"010-12345678", "[redacted-phone]"},
        {"tel:555-123-4567;", "tel:[redacted-phone];"},
        {"T555-123-4567x89", "T[redacted-phone]x89"},
        {"_555-123-4567_", "_[redacted-phone]_"},
        {"call 555 - 123 - 4567 now", "call [redacted-phone] now"},
        {"\xef\xbc\x95\xef\xbc\x95\xef\xbc\x95-123-4567", "[redacted-phone]"},
        {"5\xe2\x80\x8b"
         "55-1\xe2\x81\xa0"
         "23-4567",
         "[redacted-phone]"},
        {"555\xe2\x80\x93"
         "123\xe2\x80\x91"
         "4567",
         "[redacted-phone]"},
        {"555\xc2\xa0"
         "123\xc2\xa0"
         "4567",
         "[redacted-phone]"},
        {"\xe7\x94\xb5\xe8\xaf\x9d"
         "555-123-4567\xe8\xb0\xa2",
         "\xe7\x94\xb5\xe8\xaf\x9d[redacted-phone]\xe8\xb0\xa2"},
        {"\xd9\xa5\xd9\xa5\xd9\xa5-123-4567", "[redacted-phone]"},
        {"555-123-4567, 555-123-4568", "[redacted-phone], [redacted-phone]"},
        {"5555-123-4567", NULL},
        {"555-123-456", NULL},
        {"555-1234", NULL},
        {"5551234567", NULL},
        {"15551234567", NULL},
        {"122.4194155", NULL},
        {"37.7749295,-122.4194155", NULL},
        {"123456.7890", NULL},
        {"2024-01-15 10:30:00+0000 2024-01-16", NULL},
        {"UTC+2 2024-01-15 10:30", NULL},
        {"from 01-02-2024 12:30", NULL},
        {"@@ -123,4 +123,4 @@", NULL},
        {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", NULL},
        {"+", NULL},
        {"(", NULL},
        {"(555)", NULL},
    };
    CHECK_ALL(vectors);
}

TEST(social_security_and_card_numbers_are_found)
{
    static const struct vector vectors[] = {
        {"SSN123-45-6789.", "SSN[redacted-ssn]."},
        {"ssn_123-45-6789", "ssn_[redacted-ssn]"},
        {"123 45 6789", "[redacted-ssn]"},
        {"1 123 45 6789", NULL},
        {"1123-45-6789", NULL},
        {"123-45-67890", NULL},
        {"978-93-5268-123-4", NULL},
        {"123-45-6789-0", "[redacted-ssn]-0"},
        {"4222222222222", "*********2222"},
        {"5555555555554444", "************4444"},
        {"6011111111111117", "************1117"},
        {"30569309025904", "**********5904"},
        {"3530111333300000", "************0000"},
        {"6304000000000000000", "***************0000"},
        {"3782 822463 10005", "***********0005"},
        {"4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "************1111"},
        {"4111 1111 1111 1111 123", "************1111 123"},
        {"555-123-4567 4111 1111 1111 1111", "[redacted-phone] ************1111"},
        {"+49 30 1234 4111 1111 1111 1111", "[redacted-phone] ************1111"},
        {"30003 34567 4111 1111 1111 1111", "**********************1111"},
        {"4111 1111 1111 1111 5500 0000 0000 0004", "************1111 ************0004"},
        {"12 4111 1111 1111 1111", "12 ************1111"},
        {"4111111111111111 5555555555554444", "************1111 ************4444"},
        {"jane@example.com4111 1111 1111 1111", "[redacted-email]************1111"},
        {"+4111 1111 1111 1111", "************1111"},
        {"2024-05-30 4111 1111 1111 1111", "2024-05-30 ************1111"},
        {"b4111 1111 1111 1111", "b************1111"},
        {"123e4567-e89b-12d3-a456-555-123-4567,", "123e4567-e89b-12d3-a456-[redacted-phone],"},
        {"5+(555) 123-4567", "5+[redacted-phone]"},
        {"card4111111111111111", "card************1111"},
        {"\xef\xbc\x94"
         "111111111111111",
         "************1111"},
        {"41111\xe2\x80\x8b"
         "11111111111",
         "************1111"},
        {"4111111111111111"
         "1111111111111111",
         NULL},
        {"2223003122003222", NULL},
        {"0.4111111111111111", NULL},
        {"3000000000000", NULL},
        {"d41d8cd98f00b204e9800998ecf8427e", NULL},
        {"a4111111111111111f4111111111111111", NULL},
        {"41111111-1111-1111-4111-111111111111", NULL},
        {"9999999999999999999999999999999999999999", NULL},
        {"", NULL},
    };
    CHECK_ALL(vectors);
}

TEST(secrets_are_found_in_text)
{
    static const struct vector vectors[] = {
        {"body: {\"Password\" : \"a \\\" b\", \"n\": 1}",
         "body: {\"Password\" : \"[redacted]\", \"n\": 1}"},
        {"\"token\":[1, {\"a\": \"]\"}] x", "\"token\":[redacted] x"},
        {"\"ssn\": 5, \"api_key\":null}", "\"ssn\": [redacted], \"api_key\":[redacted]}"},
        {"{\"secret\":\"cut o", "{\"secret\":\"[redacted]"},
        {"{\"password\":\"x\",\"password\":\"a@b.com\"}",
         "{\"password\":\"[redacted]\",\"password\":\"[redacted]\"}"},
        {"\"password\":\"[redacted]\"", NULL},
        {"log: {\"my.password\": \"x\"}", "log: {\"my.password\": \"[redacted]\"}"},
        {"\"a.b/c:Token\" : 5 x", "\"a.b/c:Token\" : [redacted] x"},
        {"\"db/x_y.api_key\"\n: 5,", "\"db/x_y.api_key\"\n: [redacted],"},
        {"\"password.length\": 5, \"mypassword\": 6, \"token_count\": 7", NULL},
        {"x {\\\"password\\\": \\\"a } b\\\", \\\"n\\\": 1}",
         "x {\\\"password\\\": \\\"[redacted]\\\", \\\"n\\\": 1}"},
        {"\\\\\\\"token\\\\\\\":\\\\\\\"a\\\", \\\"b\\\"",
         "\\\\\\\"token\\\\\\\":\\\\\\\"[redacted]\\\", \\\"b\\\""},
        {"{\\\"secret\\\":{\\\"v\\\":\\\"}\\\"},\\\"n\\\":1}\"",
         "{\\\"secret\\\":[redacted],\\\"n\\\":1}\""},
        {"{\\\"ssn\\\": 5}\" x", "{\\\"ssn\\\": [redacted]}\" x"},
        {"\\\"api_key\\\":\\\"cut o", "\\\"api_key\\\":\\\"[redacted]"},
        {"\\\"password\\\":\\\"[redacted]\\\"", NULL},
        {"\\\"password\":\"x\"", NULL},
        {"write to jane\\u0040example.com", "write to [redacted-email]"},
        {"{\\\"a\\\":\\\"jane\\\\u0040example.com\\\"", "{\\\"a\\\":\\\"[redacted-email]\\\""},
        {"https://x.org/u?email=zoe.quill%40example.com&tel=%2B14155551234&q=a%20b",
         "https://x.org/u?email=[redacted-email]&tel=[redacted-phone]&q=a%20b"},
        {"{\"u\":\"zoe%40example.com%22\"}", "{\"u\":\"[redacted-email]%22\"}"},
        {"zoe%4", NULL},
        {"100%40 of %00%zz%", NULL},
        {"C:\\users\\u", NULL},
        {"\"password\":\"\"", NULL},
        {"\"password\":", NULL},
        {"\"password\"", NULL},
        {"\"passwords\":\"x\"", NULL},
        {"password: x", NULL},
    };
    CHECK_ALL(vectors);
}

static void check_json(const char *json, const char *masked)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct pii_seen seen = {0, 0}, looked = {0, 0};
    struct error e;
    assert_int_equal(json_check_lax(json, strlen(json), JSON_DEPTH_LIMIT, &e), 0);
    bool any = pii_mask_json(built_in, json, strlen(json), &out, &seen);
    assert_string_equal(out.buf, masked ? masked : json);
    assert_int_equal(any, masked != NULL);
    assert_int_equal(pii_in_json(built_in, json, strlen(json), &looked), any);
    assert_int_equal(seen.kinds, looked.kinds);
    assert_int_equal(seen.count, looked.count);
    assert_int_equal(json_check_lax(out.buf, out.len, JSON_DEPTH_LIMIT, &e), 0);
}

/* Like a string in pii_mask_json. */
static void check_string(const char *text, const char *masked)
{
    AUTO_STRBUF out = STRBUF_INIT, json = STRBUF_INIT, whole = STRBUF_INIT, again = STRBUF_INIT;
    bool any = pii_mask_string(built_in, text, strlen(text), &out, NULL);
    assert_string_equal(out.buf, masked ? masked : text);
    assert_int_equal(any, masked != NULL);
    assert_int_equal(pii_in_string(built_in, text, strlen(text)), any);
    json_add_string(&json, text);
    pii_mask_json(built_in, json.buf, json.len, &whole, NULL);
    json_add_string(&again, out.buf);
    assert_string_equal(whole.buf, again.buf);
}

TEST(json_strings_are_masked_inside)
{
    static const struct vector vectors[] = {
        {"call 555-867-5309", "call [redacted-phone]"},
        {"{\"a\":\"{\\\"password\\\":\\\"x\\\"}\"}",
         "{\"a\":\"{\\\"password\\\":\\\"[redacted]\\\"}\"}"},
        {" [\"jane\\u0040example.com\"]", " [\"[redacted-email]\"]"},
        {"\"{\\\"ssn\\\":5}\"", "\"{\\\"ssn\\\":\\\"[redacted]\\\"}\""},
        {"{\"ssn\":5}", "{\"ssn\":\"[redacted]\"}"},
        {"{\"ssn\":5", "{\"ssn\":[redacted]"},
        {"[4111111111111111]", NULL},
        {"{} and 4111111111111111", "{} and ************1111"},
        {"{", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++)
        check_string(vectors[i].text, vectors[i].masked);
}

TEST(json_is_masked)
{
    static const struct vector vectors[] = {
        {"{\"a\": \"jane@example.com\", \"n\": 4111111111111111}",
         "{\"a\": \"[redacted-email]\", \"n\": 4111111111111111}"},
        {"[1700000000, true, null, \"x\"]", NULL},
        {"4111111111111111", NULL},
        {"\"4111111111111111\"", "\"************1111\""},
        {"{\"jane@example.com\":1}", "{\"[redacted-email]\":1}"},
        {"{\"a@b.com\":1,\"c\":{\"d@e.com\":2},\"f@g.com\":3}",
         "{\"[redacted-email]\":1,\"c\":{\"[redacted-email]\":2},\"[redacted-email] 2\":3}"},
        {"{\"password\":\"x\",\"Secret\":1,\"TOKEN\":[1,{\"a\":2}],\"ssn\":null,"
         "\"credit_card\":{\"n\":\"}\"},\"api_key\" : true,\"b\":1}",
         "{\"password\":\"[redacted]\",\"Secret\":\"[redacted]\",\"TOKEN\":\"[redacted]\",\"ssn\":"
         "\"[redacted]\",\"credit_card\":\"[redacted]\",\"api_key\" : \"[redacted]\",\"b\":1}"},
        {"{\"my.password\":\"x\",\"a/b:TOKEN\":[1],\"password.hint\":\"y\"}",
         "{\"my.password\":\"[redacted]\",\"a/b:TOKEN\":\"[redacted]\",\"password.hint\":\"y\"}"},
        {"{\"p\\u0061ssword\":\"x\"}", "{\"p\\u0061ssword\":\"[redacted]\"}"},
        {"{\"pass\xe2\x80\x8bword\":\"x\"}", "{\"pass\xe2\x80\x8bword\":\"[redacted]\"}"},
        {"{\"password\":\"[redacted]\"}", NULL},
        {"{\"passwords\":\"x\",\"secretary\":\"y\",\"tokens_used\":5}", NULL},
        {"[\"password\",\"x\"]", NULL},
        {"\"jane\\u0040example.com\"", "\"[redacted-email]\""},
        {"\"\\u0034111 1111 1111 1111\"", "\"************1111\""},
        {"\"555\\u002d123\\u20134567\\n\"", "\"[redacted-phone]\\n\""},
        {"\"5\\u200b55-123-4567\"", "\"[redacted-phone]\""},
        {"\"\\ud835\\udfd3\\ud835\\udfd355-123-4567\"", NULL},
        {"\"\\ud835\\udfd3\\ud835\\udfd35-123-4567\"", "\"[redacted-phone]\""},
        {"\"line\\njane@example.com\\tx\"", "\"line\\n[redacted-email]\\tx\""},
        {"\"a\\\"b@c.com\\\"\"", "\"a\\\"[redacted-email]\\\"\""},
        {"\"{\\\"password\\\":\\\"x\\\",\\\"n\\\":4111111111111111}\"",
         "\"{\\\"password\\\":\\\"[redacted]\\\",\\\"n\\\":4111111111111111}\""},
        {"\"[\\\"jane\\\\u0040example.com\\\"]\"", "\"[\\\"[redacted-email]\\\"]\""},
        {"\"{\\\"v\\\":\\\"{\\\\\\\"token\\\\\\\":1}\\\"}\"",
         "\"{\\\"v\\\":\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"[redacted]\\\\\\\"}\\\"}\""},
        {"\"{\\\"token\\\":1,\\\"token\\\":\\\"x\\\"}\"",
         "\"{\\\"token\\\":[redacted],\\\"token\\\":\\\"[redacted]\\\"}\""},
        {"\"\\\"{\\\\\\\"token\\\\\\\":1}\\\"\"",
         "\"\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"[redacted]\\\\\\\"}\\\"\""},
        {"\"{not json jane@example.com}\"", "\"{not json [redacted-email]}\""},
        {"\"say \xef\xbc\x82token\xef\xbc\x82:5\"",
         "\"say \xef\xbc\x82token\xef\xbc\x82:[redacted]\""},
        {"\"\\ud800jane@example.com\"", "\"\\ud800[redacted-email]\""},
        {"\"\"", NULL},
        {"{}", NULL},
    };
    for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++)
        check_json(vectors[i].text, vectors[i].masked);
}

/* However long a find is. */
TEST(long_finds_are_masked_whole)
{
    static const struct {
        const char *before, *again, *behind, *masked; /* NULL: unchanged */
    } vectors[] = {
        {"bob@", "a.", "example.com end", "[redacted-email] end"},
        {"bob@", "a", ".example.com end", "[redacted-email] end"},
        {"", "b", "@example.com end", "[redacted-email] end"},
        {"", "\xc3\xa9", "@example.com end", "[redacted-email] end"},
        {"\"token\":\"", "x", "\" end", "\"token\":\"[redacted]\" end"},
        {"", "b", "@example end", NULL},
        {"01", "-2", "-2 end", NULL},
    };
    static const int times[] = {900, 1020, 2040, 2047, 2100, 5000};
    for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++)
        for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++) {
            AUTO_STRBUF text = STRBUF_INIT;
            strbuf_addstr(&text, vectors[i].before);
            for (int n = i == 0 && times[k] > 1050 ? 1050 : times[k]; n > 0; n--)
                strbuf_addstr(&text, vectors[i].again);
            strbuf_addstr(&text, vectors[i].behind);
            check(built_in, text.buf, vectors[i].masked);
        }
}

/* The text between the name of a secret and its value stays, unless it is too long to check. */
TEST(a_long_gap_before_a_secret_stays)
{
    static const struct {
        const char *before, again, *behind, *masked;
    } vectors[] = {
        {"text \"password\":", ' ', "\"hunter2\" end", "\"[redacted]\" end"},
        {"text \"password\"", '\n', ":hunter2 end", ":[redacted] end"},
    };
    AUTO_STRBUF text = STRBUF_INIT, masked = STRBUF_INIT;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++)
        for (int gap = 1000; gap < 20000; gap += 1009) {
            strbuf_clear(&text);
            strbuf_addstr(&text, vectors[i].before);
            strbuf_addchars(&text, vectors[i].again, (size_t)gap);
            strbuf_clear(&masked);
            strbuf_add(&masked, text.buf, text.len);
            strbuf_addstr(&text, vectors[i].behind);
            strbuf_addstr(&masked, vectors[i].masked);
            check(built_in, text.buf, masked.buf);
        }
    strbuf_clear(&text);
    strbuf_addstr(&text, "text ");
    for (int quote = 0; quote < 2; quote++) {
        strbuf_addchars(&text, '\\', 2100);
        strbuf_addstr(&text, quote ? "\": " : "\"password");
    }
    strbuf_clear(&masked);
    strbuf_add(&masked, text.buf, text.len);
    strbuf_addstr(&text, "hunter2 end");
    strbuf_addstr(&masked, "[redacted] end");
    check(built_in, text.buf, masked.buf);
    strbuf_clear(&text);
    strbuf_addstr(&text, "text \"password\":");
    strbuf_addchars(&text, ' ', 100000);
    strbuf_addstr(&text, "\"hunter2\" end");
    check(built_in, text.buf, "text [redacted]");
}

TEST(patterns_of_a_configuration_are_found)
{
    struct error e;
    static const struct pii_pattern patterns[] = {{"badge", "B-\\d{4}"}, {"slow", "(a+)+[!?]"}};
    struct pii *p = pii_new(patterns, 2, &e);
    assert_non_null(p);
    check(p,
          "B-1234 and B-\xef\xbc\x91"
          "234",
          "[redacted-badge] and [redacted-badge]");
    check(p, "B-123", NULL);
    check(p, "B-1234@example.com", "[redacted-email]");
    check(p, "aaaa!", "[redacted-slow]");
    check(p, "B-1234 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[redacted-slow]");
    assert_string_equal(pii_kind_name(p, PII_CUSTOM), "badge");
    assert_string_equal(pii_kind_name(p, PII_CARD), "card");
    assert_string_equal(pii_kind_name(p, PII_CUSTOM + 2), "unknown");
    pii_free(p);
}

TEST(an_invalid_pattern_is_named)
{
    struct error e;
    static const struct {
        struct pii_pattern patterns[2];
        const char *says;
    } wrong[] = {
        {{{"badge", "B-\\d{4}"}, {"bad", "a(b"}}, "'bad' of personal data is wrong at byte 4"},
        {{{"a", "x"}, {"a", "y"}}, "two patterns"},
        {{{"email", "x"}, {"b", "y"}}, "'email' cannot name"},
        {{{"a]", "x"}, {"b", "y"}}, "cannot name"},
        {{{"", "x"}, {"b", "y"}}, "cannot name"},
        {{{"a", "\\C"}, {"b", "y"}}, "'a' of personal data is wrong"},
        {{{"a", "\xff"}, {"b", "y"}}, "'a' of personal data is wrong"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        assert_null(pii_new(wrong[i].patterns, 2, &e));
        assert_int_equal(e.code, ERROR_INVALID);
        assert_non_null(strstr(e.what, wrong[i].says));
    }
}

TEST(keys_of_entries_are_masked)
{
    static const struct {
        const char *key;
        size_t open;
    } keys[] = {
        {"user_email", 5},
        {"email", 0},
        {"a/TOKEN:b", 2},
        {"secretary", 9},
        {"tokens_used", 11},
        {"x.ssn.y", 2},
        {"id/jane@example.com", 3},
        {"c-4111111111111111", 2},
        {"email@home", 10},
        {"my@token", 8},
        {"plain", 5},
        {"", 0},
        {"_", 1},
        {"a--password", 3},
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        assert_int_equal(pii_key_visible(built_in, keys[i].key, strlen(keys[i].key)), keys[i].open);
}

/* Leaves every string unchanged, and records its path. */
static bool note_way(void *arg, const struct pii_place *place, const char *text, size_t len,
                     struct strbuf *out)
{
    struct strbuf *ways = arg;
    for (int i = 0; place && i < place->depth; i++)
        if (place->names[i].ptr)
            strbuf_addf(ways, "%.*s/", (int)place->names[i].len, place->names[i].ptr);
    strbuf_addch(ways, place ? ' ' : '-');
    strbuf_add(out, text, len);
    return true;
}

TEST(strings_are_reported_with_their_path)
{
    static const char json[] =
        "{ \"a\" :\"x@y.com\", \"b\":[\"x@y.com\",{\"c\" : [[\"x@y.com\"]]}],"
        "\"d\\\"a\":\"x@y.com\",\"\\\\\":\"x@y.com\",\"\":\"x@y.com\","
        "\"p\":{\"q\":{\"r\":{\"s\":\"x@y.com\"}}},"
        "\"in\":\"{\\\"a\\\":\\\"x@y.com\\\"}\"}";
    AUTO_STRBUF ways = STRBUF_INIT, out = STRBUF_INIT;
    struct pii_seen seen = {0, 0};
    const struct pii_names names = {note_way, &ways};
    assert_false(pii_mask_json_names(built_in, &names, json, strlen(json), &out, &seen));
    assert_int_equal(out.len, 0);
    assert_string_equal(ways.buf, "a/ b/ b/c/ d\\\"a/ \\\\/ / p/q/r/s/ -");
    assert_int_equal(seen.count, 0);
}
