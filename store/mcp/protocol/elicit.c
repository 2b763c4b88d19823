/*
 * Elicitation: asks the person through the client whether a memory that waits becomes active. Legacy clients that
 * declare it get a request of their own after the answer of the write, so no call waits for a person. An answer is
 * carried out as a write of the person's, which the client does not see the end of.
 */
#include <stdlib.h>
#include "model/base/alloc.h"
#include "store/mcp/protocol/connection_internal.h"

#define QUESTIONS_MAX                                                                              \
    16 /* of a connection: more would not be read; the others are asked for in the explorer */
#define SHOWN   500 /* characters of the text */
#define APPROVE "approve"
#define REJECT  "reject"

struct question {
    int64_t number, row;
    struct question *next;
};

/* An object without members is the form mode, the only one before 2025-11-25. */
bool elicit_declared(struct json_slice capabilities)
{
    struct json_slice own = message_member(capabilities, "elicitation");
    return message_is_object(own) &&
           (message_member(own, "form").ptr || !message_member(own, "url").ptr);
}

static const char form[] =
    "{\"type\":\"object\",\"properties\":{\"decision\":{\"type\":\"string\",\"title\":\"Decision\","
    "\"enum\":[\"" APPROVE "\",\"" REJECT "\"]}},\"required\":[\"decision\"]}";

static void add_message(const struct mcp_call *call, struct strbuf *out)
{
    AUTO_STRBUF masked = STRBUF_INIT;
    protocol_mask(call->guard.rules, call->asks.text, &masked);
    strbuf_addf(out, "%s wrote a memory that waits for you (%s): ", call->actor.name,
                call->asks.why);
    clean_add(out, masked.buf ? masked.buf : "", SHOWN);
}

void elicit_ask(struct mcp_connection *c, const struct mcp_call *call)
{
    AUTO_STRBUF message = STRBUF_INIT;
    size_t count = 0;
    for (const struct question *q = c->questions; q; q = q->next)
        count++;
    if (!c->elicits || !call->asks.row || call->request->batch || count >= QUESTIONS_MAX)
        return;
    struct question *q = xcalloc(1, sizeof(*q));
    *q = (struct question){++c->asked, call->asks.row, c->questions};
    c->questions = q;
    add_message(call, &message);
    strbuf_addf(&c->out,
                "{\"jsonrpc\":\"2.0\",\"method\":\"elicitation/create\",\"id\":\"approval-%lld\","
                "\"params\":{\"message\":",
                (long long)q->number);
    json_add_string_len(&c->out, message.buf, message.len);
    strbuf_addf(&c->out, ",\"requestedSchema\":%s}}\n", form);
}

/* Takes the question of that id from the connection: its row, or 0 if it asked none. */
static int64_t take(struct mcp_connection *c, struct json_slice id)
{
    for (struct question **at = &c->questions; *at; at = &(*at)->next) {
        struct question *q = *at;
        char own[40];
        int len = snprintf(own, sizeof(own), "\"approval-%lld\"", (long long)q->number);
        if (!message_same_id((struct json_slice){own, (size_t)len}, id))
            continue;
        int64_t row = q->row;
        *at = q->next;
        free(q);
        return row;
    }
    return 0;
}

/* Sets *approves; false if the person decided nothing. */
static bool read_decision(struct json_slice result, bool *approves)
{
    char action[16], decision[16];
    struct json_slice content = message_member(result, "content");
    message_copy_string(message_member(result, "action"), action, sizeof(action));
    message_copy_string(message_member(content, "decision"), decision, sizeof(decision));
    bool accepted = strcmp(action, "accept") == 0;
    *approves = accepted && strcmp(decision, APPROVE) == 0;
    return *approves || strcmp(action, "decline") == 0 ||
           (accepted && strcmp(decision, REJECT) == 0);
}

void elicit_answer(struct mcp_connection *c, const struct message *m)
{
    static const struct method answered = {.name = "elicitation/create"};
    bool approves;
    int64_t row = m->id.ptr && c->questions ? take(c, m->id) : 0;
    if (!row || !c->service->decide ||
        !read_decision(message_member(m->whole, "result"), &approves))
        return;
    struct message none = {.class = MESSAGE_RESPONSE};
    struct exchange x = {.c = c, .m = &none, .method = &answered};
    struct mcp_call *call = request_new(&x, (struct json_slice){NULL, 0});
    call->request->unanswered = true;
    call->decides =
        (struct mcp_decision){.row = row,
                              .approves = approves,
                              .reason = arena_format(&call->request_arena, "through the client %s",
                                                     c->client ? c->client : "of the agent")};
    call->write = c->service->decide;
    call->work = WORK_WRITE;
    request_start(call);
}

void elicit_release(struct mcp_connection *c)
{
    while (c->questions) {
        struct question *q = c->questions;
        c->questions = q->next;
        free(q);
    }
}
