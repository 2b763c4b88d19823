/*
 * The server for the official conformance suite: its fixture tools, resources and prompts, served over HTTP without a
 * token. Prints the URL; ends with a signal.
 *
 * Usage: conformance_server STORE
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/mcp/http/http.h"
#include "store/open.h"

#define PIXEL                                                                                      \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg" \
    "gg=="
#define SILENCE     "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
#define TEXT(text)  "{\"type\":\"text\",\"text\":\"" text "\"}"
#define IMAGE       "{\"type\":\"image\",\"data\":\"" PIXEL "\",\"mimeType\":\"image/png\"}"
#define AUDIO       "{\"type\":\"audio\",\"data\":\"" SILENCE "\",\"mimeType\":\"audio/wav\"}"
#define CONTENT(of) "{\"content\":[" of "]}"
#define EMBEDDED(uri, text)                                                                        \
    "{\"type\":\"resource\",\"resource\":{\"uri\":\"" uri "\",\"mimeType\":\"text/plain\","        \
    "\"text\":\"" text "\"}}"
#define STEP_US 50000 /* between two steps of a tool; the suite expects a delay */

/* ---- tools ---- */

static const struct {
    const char *name, *result;
} said[] = {
    {"test_simple_text", CONTENT(TEXT("This is a simple text response for testing."))},
    {"test_image_content", CONTENT(IMAGE)},
    {"test_audio_content", CONTENT(AUDIO)},
    {"test_embedded_resource",
     CONTENT(EMBEDDED("test://embedded-resource", "This is an embedded resource content."))},
    {"test_multiple_content_types",
     CONTENT(TEXT("Multiple content types test:") "," IMAGE "," EMBEDDED(
         "test://mixed-content-resource", "{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}"))},
    {"test_error_handling",
     "{\"content\":[" TEXT("This tool intentionally returns an error for testing") "],\"isError\":"
                                                                                   "true}"},
};

static int say(struct mcp_call *call, struct reader *r, struct error *e)
{
    for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
        if (strcmp(call->tool->name, said[i].name) == 0)
            strbuf_addstr(&call->result, said[i].result);
    return call->result.len > 0 ? 0 : error_set(e, ERROR_NOT_FOUND, "", "no such fixture");
}

static int tell_progress(struct mcp_call *call, struct reader *r, struct error *e)
{
    for (int done = 0; done <= 100; done += 50) {
        mcp_call_progress(call, done, 100);
        usleep(STEP_US);
    }
    strbuf_addstr(&call->result, CONTENT(TEXT("done")));
    return 0;
}

static int tell_log(struct mcp_call *call, struct reader *r, struct error *e)
{
    static const char *steps[] = {"\"Tool execution started\"", "\"Tool processing data\"",
                                  "\"Tool execution completed\""};
    usleep(STEP_US);
    call->events = steps;
    call->event_count = 3;
    strbuf_addstr(&call->result, CONTENT(TEXT("logged")));
    return 0;
}

static int answer_after_a_while(struct mcp_call *call, struct reader *r, struct error *e)
{
    mcp_call_progress(call, 0, 1);
    return tell_log(call, r, e);
}

#define PLAIN(named)                                                                               \
    {                                                                                              \
        .name = named, .title = named, .description = "A fixture.", .hints = HINT_READ_ONLY,       \
        .work = WORK_READ, .read = say, .whole = true                                              \
    }
#define SLOW(named, how)                                                                           \
    {                                                                                              \
        .name = named, .title = named, .description = "A fixture.", .hints = HINT_READ_ONLY,       \
        .work = WORK_LONG, .read = how, .whole = true, .logger = "conformance"                     \
    }

static const struct mcp_tool fixtures[] = {
    PLAIN("test_simple_text"),
    PLAIN("test_image_content"),
    PLAIN("test_audio_content"),
    PLAIN("test_embedded_resource"),
    PLAIN("test_multiple_content_types"),
    PLAIN("test_error_handling"),
    SLOW("test_tool_with_progress", tell_progress),
    SLOW("test_tool_with_logging", tell_log),
    SLOW("test_logging_tool", tell_log),
    SLOW("test_streaming_elicitation", answer_after_a_while),
    {.name = "test_missing_capability",
     .title = "Sampling",
     .description = "Needs what few clients have.",
     .hints = HINT_READ_ONLY,
     .work = WORK_READ,
     .read = tell_log,
     .whole = true,
     .needs = "sampling"},
};
#define FIXTURES (sizeof(fixtures) / sizeof(*fixtures))

/* ---- resources ---- */

static const char listed[] =
    "\"resources\":[{\"uri\":\"test://static-text\",\"name\":\"static-text\",\"title\":\"Text\","
    "\"description\":\"A fixture.\",\"mimeType\":\"text/plain\"},"
    "{\"uri\":\"test://static-binary\",\"name\":\"static-binary\",\"title\":\"Bytes\","
    "\"description\":\"A fixture.\",\"mimeType\":\"image/png\"},"
    "{\"uri\":\"test://watched-resource\",\"name\":\"watched-resource\",\"title\":\"Watched\","
    "\"description\":\"A fixture.\",\"mimeType\":\"text/plain\"}]";

static const struct {
    const char *uri, *type, *member, *value;
} contents[] = {
    {"test://static-text", "text/plain", "text",
     "This is the content of the static text resource."},
    {"test://static-binary", "image/png", "blob", PIXEL},
    {"test://watched-resource", "text/plain", "text", "It does not change."},
};

static int list_resources(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, listed);
    return 0;
}

static void add_contents(struct strbuf *out, const char *uri, const char *type, const char *member,
                         const char *value)
{
    strbuf_addstr(out, "\"contents\":[{\"uri\":");
    json_add_string(out, uri);
    strbuf_addf(out, ",\"mimeType\":\"%s\",\"%s\":", type, member);
    json_add_string(out, value);
    strbuf_addstr(out, "}]");
}

/* Reads the id of test://template/ID/data. Returns false for other URIs. */
static bool is_of_template(const char *uri, char id[64])
{
    static const char begins[] = "test://template/", ends[] = "/data";
    size_t len = strlen(uri), skip = sizeof(begins) - 1, tail = sizeof(ends) - 1;
    if (len <= skip + tail || len >= skip + tail + 64 || memcmp(uri, begins, skip) != 0 ||
        strcmp(uri + len - tail, ends) != 0)
        return false;
    snprintf(id, 64, "%.*s", (int)(len - skip - tail), uri + skip);
    return true;
}

static int read_resource(struct mcp_call *call, struct reader *r, struct error *e)
{
    char id[64], text[256];
    const char *uri = mcp_call_text(call, "uri", NULL);
    for (size_t i = 0; uri && i < sizeof(contents) / sizeof(*contents); i++) {
        if (strcmp(uri, contents[i].uri) != 0)
            continue;
        add_contents(&call->result, uri, contents[i].type, contents[i].member, contents[i].value);
        return 0;
    }
    if (!uri || !is_of_template(uri, id))
        return error_set(e, ERROR_NOT_FOUND, "", "there is no resource %s", uri ? uri : "");
    snprintf(text, sizeof(text), "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for %s\"}",
             id, id);
    add_contents(&call->result, uri, "application/json", "text", text);
    return 0;
}

static int complete(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "\"completion\":{\"values\":[],\"total\":0,\"hasMore\":false}");
    return 0;
}

/* ---- prompts ---- */

static void add_message(struct strbuf *out, const char *content)
{
    strbuf_addf(out, "{\"role\":\"user\",\"content\":%s}", content);
}

static int simple(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "\"messages\":[");
    add_message(&call->result, TEXT("This is a simple prompt for testing."));
    strbuf_addch(&call->result, ']');
    return 0;
}

static const char *argument(struct mcp_call *call, const char *name)
{
    return given_text(&call->given, name, NULL);
}

static int with_arguments(struct mcp_call *call, struct reader *r, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT, content = STRBUF_INIT;
    strbuf_addf(&text, "Prompt with arguments: arg1='%s', arg2='%s'", argument(call, "arg1"),
                argument(call, "arg2"));
    strbuf_addstr(&content, "{\"type\":\"text\",\"text\":");
    json_add_string(&content, text.buf);
    strbuf_addch(&content, '}');
    strbuf_addstr(&call->result, "\"messages\":[");
    add_message(&call->result, content.buf);
    strbuf_addch(&call->result, ']');
    return 0;
}

static int with_resource(struct mcp_call *call, struct reader *r, struct error *e)
{
    AUTO_STRBUF content = STRBUF_INIT;
    strbuf_addstr(&content, "{\"type\":\"resource\",\"resource\":{\"uri\":");
    json_add_string(&content, argument(call, "resourceUri"));
    strbuf_addstr(&content, ",\"mimeType\":\"text/plain\",\"text\":\"Embedded resource content for "
                            "testing.\"}}");
    strbuf_addstr(&call->result, "\"messages\":[");
    add_message(&call->result, content.buf);
    strbuf_addch(&call->result, ',');
    add_message(&call->result, TEXT("Please process the embedded resource above."));
    strbuf_addch(&call->result, ']');
    return 0;
}

static int with_image(struct mcp_call *call, struct reader *r, struct error *e)
{
    strbuf_addstr(&call->result, "\"messages\":[");
    add_message(&call->result, IMAGE);
    strbuf_addch(&call->result, ',');
    add_message(&call->result, TEXT("Please analyze the image above."));
    strbuf_addch(&call->result, ']');
    return 0;
}

static const struct field two[] = {
    {.name = "arg1", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "The first."},
    {.name = "arg2", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "The second."},
    FIELD_END,
};
static const struct field uri_field[] = {
    {.name = "resourceUri", .type = FIELD_STRING, .flags = FIELD_REQUIRED, .about = "Which."},
    FIELD_END,
};
static const struct mcp_prompt prompts[] = {
    {"test_simple_prompt", "Simple", "A fixture.", NULL, simple, false},
    {"test_prompt_with_arguments", "Arguments", "A fixture.", two, with_arguments, false},
    {"test_prompt_with_embedded_resource", "Resource", "A fixture.", uri_field, with_resource,
     false},
    {"test_prompt_with_image", "Image", "A fixture.", NULL, with_image, false},
};
static const struct mcp_template templates[] = {
    {"test://template/{id}/data", "template", "Template", "A fixture.", "application/json"},
};

/* ---- serving ---- */

static struct mcp_server *serving;

static void on_signal(int number)
{
    mcp_server_stop(serving);
}

static int serve(struct store *s, struct error *e)
{
    static const struct mcp_tool *tools[FIXTURES];
    struct mcp_service service = {.name = "conformance", .title = "Fixtures", .version = "1.0.0"};
    struct mcp_http_options http = {.port = 0};
    struct mcp_server_options options = {.http = &http_transport};
    for (size_t i = 0; i < FIXTURES; i++)
        tools[i] = &fixtures[i];
    service.tools = tools;
    service.tool_count = FIXTURES;
    service.templates = templates;
    service.template_count = 1;
    service.prompts = prompts;
    service.prompt_count = sizeof(prompts) / sizeof(*prompts);
    service.list_resources = list_resources;
    service.read_resource = read_resource;
    service.complete = complete;
    serving = mcp_server_new(s, &service, &options, e);
    if (!serving || mcp_server_http(serving, &http, e)) {
        mcp_server_free(serving);
        return -1;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    printf("http://127.0.0.1:%d/mcp\n", mcp_server_http_port(serving));
    fflush(stdout);
    int result = mcp_server_run(serving, e);
    mcp_server_free(serving);
    return result;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    struct store_options options = {.create = true};
    struct store *s = argc == 2 ? store_open(argv[1], &options, NULL, &e) : NULL;
    int result = s ? serve(s, &e) : -1;
    store_close(s);
    if (result)
        fprintf(stderr, "%s\n", e.what);
    return result ? 1 : 0;
}
