/* The demo store has everything it should show, and passes fsck. */
#include <math.h>
#include <unistd.h>
#include "model/json/json.h"
#include "store/export/export.h"
#include "store/import/import.h"
#include "store/guard/guard.h"
#include "store/journal/journal.h"
#include "store/query/list.h"
#include "store/lineage/orphans.h"
#include "store/lineage/subgraph.h"
#include "store/open.h"
#include "store/reasoning/responses.h"
#include "tests/support/test.h"
#include "tui/demo/demo.h"
#include "tests/support/findings.h"

#define NOW  INT64_C(1795190000000)
#define MOST 200

static char directory[200];
static char path[300];
static struct store *store;
static struct reader *reader;
static struct arena arena;
static struct memory memories[MOST];
static struct row_label labels[MOST];
static size_t count;

/* ---- finding memories ---- */

static const struct memory *find(const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(memories[i].text, text))
            return &memories[i];
    fail_msg("nothing says %s", text);
    return NULL;
}

static enum label label_of(const struct memory *m)
{
    return labels[m - memories].label;
}

static const struct memory *by_ref(struct ref ref)
{
    for (size_t i = 0; i < count; i++)
        if (ref_equal(memories[i].ref, ref))
            return &memories[i];
    return NULL;
}

static bool rests_on(const struct memory *m, const struct memory *on)
{
    for (size_t j = 0; j < m->justification_count; j++)
        for (size_t a = 0; a < m->justifications[j].count; a++)
            if (ref_equal(m->justifications[j].antecedents[a].ref, on->ref))
                return true;
    return false;
}

static const struct memory *supersedes(const struct memory *m)
{
    for (size_t i = 0; i < m->relation_count; i++)
        if (m->relations[i].type == RELATION_SUPERSEDES)
            return by_ref(m->relations[i].to);
    return NULL;
}

/* ---- the tests ---- */

static int read_all(void)
{
    struct list_query query = {.statuses = STATUSES_ALL};
    struct error e;
    int64_t rows[MOST];
    struct list *list = list_open(reader, &query, NULL, &e);
    while (list && count < MOST && list_next(list, &rows[count], &e) > 0)
        count++;
    list_close(list);
    for (size_t i = 0; i < count; i++)
        if (memory_read(reader, &arena, rows[i], &memories[i], &e))
            return -1;
    return labels_of_rows(reader, rows, count, labels, &e);
}

static int set_up(void **state)
{
    const char *base = getenv("STEMMA_TEST_DIR");
    struct store_options options = {0};
    struct error e = {0};
    snprintf(directory, sizeof(directory), "%s/demo-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof(path), "%s/demo.db", directory);
    if (story_replay(path, NOW, &e)) {
        print_error("%s\n", e.what);
        return -1;
    }
    store = store_open(path, &options, NULL, &e);
    reader = store ? reader_open(store, &e) : NULL;
    return reader ? read_all() : -1;
}

static int tear_down(void **state)
{
    char command[300];
    reader_close(reader);
    store_close(store);
    arena_release(&arena);
    snprintf(command, sizeof(command), "rm -r '%s'", directory);
    return system(command);
}

GROUP(set_up, tear_down);

TEST(it_has_every_kind_and_every_label)
{
    int kinds[KIND_COUNT] = {0}, seen[LABEL_COUNT] = {0};
    assert_in_range(count, 140, 180);
    for (size_t i = 0; i < count; i++) {
        kinds[memories[i].ref.kind]++;
        seen[labels[i].label]++;
    }
    for (int k = 0; k < KIND_COUNT; k++)
        assert_true(kinds[k] > 0);
    for (int l = 0; l < LABEL_COUNT; l++)
        assert_true(seen[l] > 0);
}

TEST(two_agents_and_a_human_are_in_it)
{
    int ash = 0, claire = 0, sean = 0;
    for (size_t i = 0; i < count; i++) {
        ash += strcmp(memories[i].agent_id, "ash") == 0;
        claire += strcmp(memories[i].agent_id, "claire") == 0;
        sean += memories[i].source_entity && strcmp(memories[i].source_entity, "human:sean") == 0;
    }
    assert_true(ash > 10 && claire > 10 && sean > 2);
}

TEST(its_times_end_just_before_now)
{
    int64_t last = 0, first = NOW;
    for (size_t i = 0; i < count; i++) {
        const struct memory *m = &memories[i];
        assert_true(m->created_at <= m->updated_at);
        last = m->updated_at > last ? m->updated_at : last;
        first = m->created_at < first ? m->created_at : first;
        for (size_t h = 0; h < m->history_count; h++)
            assert_in_range(m->history[h].at, m->created_at, m->updated_at);
        for (size_t k = 0; k < m->flag_count; k++)
            assert_in_range(m->flags[k].at, m->created_at, m->updated_at);
    }
    assert_in_range(NOW - last, 0, 10 * 60 * 1000);
    assert_in_range(NOW - first, INT64_C(30) * 86400000, INT64_C(60) * 86400000);
}

/* confidence += 0.05 / (1 + 0.1 n) * (0.99 - confidence), to three decimals in the history. */
TEST(the_reinforced_belief_grew_by_the_formula)
{
    const struct memory *m = find("Run migrations before the workers restart.");
    double c = 0.7;
    assert_int_equal(m->history_count, 2);
    c += 0.05 / 1.1 * (0.99 - c);
    assert_true(fabs(m->history[0].old - 0.7) < 1e-9 && fabs(m->history[0].new_ - c) < 0.0005);
    assert_non_null(m->history[0].evidence_source);
    c += 0.05 / 1.2 * (0.99 - c);
    assert_true(fabs(m->history[1].new_ - c) < 0.0005);
    assert_true(fabs(m->confidence - c) < 1e-9);
    struct json_slice times = json_member(m->detail, strlen(m->detail), "times_reinforced");
    int64_t number;
    assert_int_equal(json_integer(times, &number), 0);
    assert_int_equal(number, 2);
}

TEST(one_belief_was_superseded_twice)
{
    const struct memory *third = find("Never skip staging before a deploy.");
    const struct memory *second = supersedes(third);
    assert_non_null(second);
    const struct memory *first = supersedes(second);
    assert_non_null(first);
    assert_true(rests_on(third, second) && rests_on(second, first));
    assert_int_equal(third->status, STATUS_ACTIVE);
    assert_int_equal(second->status, STATUS_SUPERSEDED);
    assert_int_equal(first->status, STATUS_SUPERSEDED);
}

TEST(ten_notes_echo_one_source)
{
    const struct memory *belief = find("Retries are always safe on the new queue.");
    const struct memory *page = find("A vendor's page claims");
    assert_int_equal(belief->justification_count, 1);
    assert_int_equal(belief->justifications[0].reading, READING_ANY);
    assert_int_equal(belief->justifications[0].count, 10);
    for (size_t a = 0; a < belief->justifications[0].count; a++) {
        const struct memory *note = by_ref(belief->justifications[0].antecedents[a].ref);
        assert_int_equal(note->ref.kind, KIND_NOTE);
        assert_int_equal(note->justification_count, 1);
        assert_true(rests_on(note, page));
    }
    assert_int_equal(belief->relations[0].type, RELATION_CONTRADICTS);
    assert_ptr_equal(by_ref(belief->relations[0].to),
                     find("Retries beyond three hide the first error."));
}

TEST(it_has_a_diamond_and_a_conjunction)
{
    const struct memory *top = find("A migration must leave a schema");
    const struct memory *left = find("Old workers keep reading"),
                        *right = find("A rollback starts");
    const struct memory *bottom = find("Skipped staging on a deploy;");
    const struct memory *both = find("Blue-green halves");
    struct graph g;
    struct lineage walk;
    struct error e;
    bool bounded;
    assert_true(rests_on(top, left) && rests_on(top, right));
    assert_true(rests_on(left, bottom) && rests_on(right, bottom));
    assert_int_equal(both->justifications[0].reading, READING_ALL);
    assert_int_equal(both->justifications[0].count, 2);
    graph_init(&g);
    assert_int_equal(graph_load_surroundings(reader, &g, &top->node, 1, ANCESTORS, 0, &bounded, &e),
                     0);
    lineage_walk(&walk, &g, 0, ANCESTORS, DEPTH_UNLIMITED);
    assert_int_equal(walk.cycle_count, 0);
    lineage_release(&walk);
    graph_release(&g);
}

TEST(it_has_every_problem)
{
    const struct memory *warm = find("The cache is warm because");
    const struct memory *hits = find("The hit rate is high because");
    const struct memory *unsupported = find("loses a node every Tuesday");
    assert_true(rests_on(warm, hits) && rests_on(hits, warm));
    assert_int_equal(label_of(warm), LABEL_CIRCULAR);
    assert_int_equal(label_of(hits), LABEL_CIRCULAR);
    assert_int_equal(label_of(unsupported), LABEL_UNSUPPORTED);
    assert_int_equal(unsupported->justifications[0].antecedents[0].status, STATUS_MISSING);
    assert_int_equal(label_of(find("Friday deploys need")), LABEL_WEAKENED);
    assert_int_equal(label_of(find("The staging database is a day behind")), LABEL_UNSOURCED);
    assert_int_equal(find("First night on call")->status, STATUS_FORGOTTEN);
    assert_int_equal(find("deploy.freeze")->status, STATUS_EXPIRED);
}

TEST(it_has_guessed_links)
{
    const struct memory *linked = find("Claire reviews faster");
    const struct memory *step = find("Why did old workers keep writing");
    int heuristic = 0;
    assert_int_equal(linked->justifications[0].recorded, RECORDED_AUTO_LINKED);
    assert_int_equal(find("Make it a belief:")->justifications[0].recorded, RECORDED_HEURISTIC);
    for (size_t a = 0; a < step->justifications[0].count; a++)
        heuristic += step->justifications[0].antecedents[a].use->score == SCORE_HEURISTIC;
    assert_int_equal(heuristic, 1);
}

TEST(its_reasoning_has_steps_sources_and_citations)
{
    const struct memory *chain = find("Why did the deploy stop the payments queue?");
    int documents = 0, citations = 0;
    assert_int_equal(chain->ref.kind, KIND_CHAIN);
    assert_int_equal(chain->justifications[0].reading, READING_ALL);
    assert_true(chain->justifications[0].count >= 3);
    for (size_t a = 0; a < chain->justifications[0].count; a++) {
        const struct memory *step = by_ref(chain->justifications[0].antecedents[a].ref);
        assert_int_equal(step->ref.kind, KIND_STEP);
        assert_int_equal(step->justifications[0].role, ROLE_SOURCE);
        assert_false(isnan(step->justifications[0].antecedents[0].use->relevance));
    }
    for (size_t i = 0; i < count; i++) {
        documents += memories[i].ref.kind == KIND_DOCUMENT;
        citations += memories[i].ref.kind == KIND_CITATION &&
                     memories[i].justifications[0].role == ROLE_CITATION;
    }
    assert_true(documents >= 3 && citations >= 2);
    assert_true(rests_on(find("Workers that were started detached"), find("Why did old workers")));
}

/* One response has a text, in which one sentence has no citation. */
TEST(one_sentence_of_a_response_cites_nothing)
{
    struct error e;
    struct responses *all = responses_read(reader, "m-1", 0, &e);
    assert_non_null(all);
    assert_int_equal(all->count, 1);
    assert_true(all->response[0].has_text);
    assert_int_equal(all->response[0].count, 3);
    assert_int_equal(all->response[0].uncited_count, 1);
    assert_string_equal(all->response[0].uncited[0],
                        "Ten minutes are enough to see every slow query.");
    responses_free(all);
}

/* ---- reasoning worth exploring ---- */

static bool is_answered(const struct memory *chain)
{
    return json_member(chain->detail, strlen(chain->detail), "final_answer").ptr != NULL;
}

/* Counts the different documents that its steps used, and the origins of their scores. */
static size_t documents_of(const struct memory *chain, int origins[SCORE_ASSERTED + 1])
{
    struct ref seen[MOST];
    size_t known = 0;
    for (size_t s = 0; s < chain->justifications[0].count; s++) {
        const struct memory *step = by_ref(chain->justifications[0].antecedents[s].ref);
        for (size_t j = 0; j < step->justification_count; j++) {
            const struct justification *g = &step->justifications[j];
            for (size_t a = 0; a < g->count && g->role == ROLE_SOURCE; a++) {
                size_t k = 0;
                while (k < known && !ref_equal(seen[k], g->antecedents[a].ref))
                    k++;
                if (k == known)
                    seen[known++] = g->antecedents[a].ref;
                origins[g->antecedents[a].use->score]++;
            }
        }
    }
    return known;
}

TEST(one_chain_is_long_and_has_scores_of_every_origin)
{
    const struct memory *chain = find("How can ledger_entries get a column");
    int origins[SCORE_ASSERTED + 1] = {0};
    assert_in_range(chain->justifications[0].count, 8, 12);
    assert_true(documents_of(chain, origins) >= 15);
    for (int o = SCORE_NONE + 1; o < SCORE_ASSERTED + 1; o++)
        assert_true(origins[o] > 0);
}

TEST(one_question_was_answered_twice_and_one_never)
{
    const struct memory *same[2];
    int asked = 0, finished = 0, open = 0;
    for (size_t i = 0; i < count; i++) {
        if (memories[i].ref.kind != KIND_CHAIN)
            continue;
        finished += is_answered(&memories[i]);
        open += !is_answered(&memories[i]) && memories[i].justification_count == 0;
        if (strcmp(memories[i].text, "How often may the consumer try a payment again?") == 0)
            same[asked++ % 2] = &memories[i];
    }
    assert_true(finished >= 4 && open == 1);
    assert_int_equal(asked, 2);
    assert_string_not_equal(same[0]->detail, same[1]->detail);
    assert_string_not_equal(same[0]->agent_id, same[1]->agent_id);
    assert_non_null(strstr(same[0]->detail, "verify_each_claim"));
    assert_non_null(strstr(same[1]->detail, "decomposition"));
}

/* The same passage has two hashes, the newer one in the later chain. */
TEST(a_passage_changed_between_two_chains)
{
    const struct memory *steps[] = {find("Then what was waited for?"),
                                    find("Can it be taken out again")};
    const struct use *use[2] = {NULL, NULL};
    for (int s = 0; s < 2; s++)
        for (size_t a = 0; a < steps[s]->justifications[0].count; a++)
            if (strcmp(steps[s]->justifications[0].antecedents[a].ref.id, "worker-supervisor") == 0)
                use[s] = steps[s]->justifications[0].antecedents[a].use;
    assert_true(use[0] && use[1] && use[0]->chunk == use[1]->chunk);
    assert_string_not_equal(use[0]->version_hash, use[1]->version_hash);
    assert_true(steps[0]->created_at < steps[1]->created_at);
}

TEST(documents_are_linked_to_logged_retrievals)
{
    int tied[RECORDED_HEURISTIC + 1] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0;
             memories[i].ref.kind == KIND_DOCUMENT && j < memories[i].justification_count; j++) {
            const struct justification *g = &memories[i].justifications[j];
            assert_int_equal(by_ref(g->antecedents[0].ref)->ref.kind, KIND_ATTRIBUTION);
            tied[g->recorded]++;
        }
    assert_true(tied[RECORDED] >= 8 && tied[RECORDED_AUTO_LINKED] >= 2);
}

/* Retrievals are spread over weeks and end before now, whenever the demo is made. */
TEST(retrievals_are_spread_over_weeks)
{
    int64_t first = NOW, last = 0;
    int known = 0;
    for (size_t i = 0; i < count; i++) {
        struct json_slice at = {0};
        int64_t ms;
        if (memories[i].ref.kind == KIND_ATTRIBUTION)
            at = json_member(memories[i].detail, strlen(memories[i].detail), "retrieval_timestamp");
        if (!at.ptr || json_integer(at, &ms) || ms < INT64_C(1700000000000))
            continue;
        assert_in_range(memories[i].created_at - ms, 0, 60000);
        first = ms < first ? ms : first;
        last = ms > last ? ms : last;
        known++;
    }
    assert_true(known >= 20 && last < NOW);
    assert_true(last - first > INT64_C(21) * 86400000);
}

TEST(a_person_rated_it)
{
    int relevant = 0, irrelevant = 0, yes = 0, no = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; memories[i].ref.kind == KIND_STEP && k < memories[i].flag_count; k++) {
            const struct flag *flag = &memories[i].flags[k];
            assert_string_equal(flag->actor, "sean");
            assert_true(flag->reason && *flag->reason);
            relevant += strstr(flag->value, " relevant") != NULL;
            irrelevant += strstr(flag->value, " irrelevant") != NULL;
            yes += strcmp(flag->value, "yes") == 0;
            no += strcmp(flag->value, "no") == 0;
        }
    assert_true(relevant >= 2 && irrelevant >= 2 && yes >= 2 && no >= 2);
}

TEST(it_has_the_attribution_of_the_specification)
{
    const struct memory *m = find("Summary of search results on LLM advancements from various "
                                  "research papers and articles.");
    struct json_slice time = json_member(m->detail, strlen(m->detail), "retrieval_timestamp");
    int64_t ms;
    assert_int_equal(m->ref.kind, KIND_ATTRIBUTION);
    assert_string_equal(m->agent_id, "my-ai-agent-001");
    assert_int_equal(json_integer(time, &ms), 0);
    assert_int_equal(ms, INT64_C(1678886400000));
    assert_non_null(strstr(m->detail, "\"tavily_search\""));
    assert_non_null(strstr(m->detail, "\"latest advancements in large language models\""));
}

TEST(it_has_text_of_every_kind)
{
    const struct memory *probe = find("Found in the payments log");
    assert_non_null(strchr(probe->text, '\033'));
    assert_non_null(strstr(probe->text, "\xc2\x9b"));         /* CSI */
    assert_non_null(strstr(probe->text, "\xe2\x80\xae"));     /* right-to-left override */
    assert_non_null(strstr(probe->text, "\xe2\x80\x8b"));     /* zero width */
    find("\xe3\x83\x87\xe3\x83\x97\xe3\x83\xad\xe3\x82\xa4"); /* デプロイ */
    find("\xf0\x9f\x9a\x80");                                 /* a rocket */
}

static int count_problem(void *arg, const struct orphan *orphan)
{
    int *problems = arg;
    problems[orphan->problem]++;
    return 0;
}

TEST(orphans_finds_every_problem)
{
    int problems[PROBLEM_COUNT] = {0};
    struct error e;
    assert_int_equal(orphans_find(reader, &(struct orphan_query){0}, count_problem, problems, &e),
                     0);
    for (int i = 0; i < PROBLEM_COUNT; i++)
        assert_true(problems[i] > 0);
    assert_int_equal(problems[PROBLEM_MISSING], 1);
    assert_int_equal(problems[PROBLEM_CIRCULAR], 2);
}

TEST(it_passes_fsck)
{
    assert_int_equal(expect_sound(reader).memories, count);
}

static int gather(void *arg, const char *line, size_t len)
{
    strbuf_add(arg, line, len);
    return 0;
}

TEST(it_is_the_same_each_time)
{
    AUTO_STRBUF first = STRBUF_INIT, second = STRBUF_INIT;
    char again[300];
    struct error e;
    snprintf(again, sizeof(again), "%s/again.db", directory);
    assert_int_equal(story_replay(again, NOW, &e), 0);
    struct store_options options = {0};
    struct store *other = store_open(again, &options, NULL, &e);
    assert_non_null(other);
    struct reader *r = reader_open(other, &e);
    assert_int_equal(export_jsonl(reader, gather, &first, NULL, &e), 0);
    assert_int_equal(export_jsonl(r, gather, &second, NULL, &e), 0);
    assert_string_equal(first.buf, second.buf);
    reader_close(r);
    store_close(other);
}

/* History, audit, as-of and undo have something to show. */
TEST(it_was_written_over_weeks_by_several)
{
    static const char *const operations[] = {"add",    "edit",    "reinforce", "supersede",
                                             "verify", "protect", "forget",    "retract",
                                             "undo",   "mark"};
    static const char *const actors[] = {"ash", "claire", "sean"};
    AUTO_ARENA events = ARENA_INIT;
    struct event *event;
    size_t told, by[3] = {0};
    struct error e;
    assert_int_equal(journal_read(reader, &events, 0, 1000, &event, &told, &e), 0);
    assert_true(told > count + 30);
    assert_true(event[told - 1].at - event[0].at > INT64_C(30) * 86400000);
    assert_in_range(NOW - event[told - 1].at, 0, 10 * 60 * 1000);
    for (size_t o = 0; o < sizeof(operations) / sizeof(operations[0]); o++) {
        size_t i = 0;
        while (i < told && strcmp(event[i].operation, operations[o]) != 0)
            i++;
        assert_true(i < told);
    }
    for (size_t i = 0; i < told; i++)
        for (size_t a = 0; a < 3; a++)
            by[a] += strcmp(event[i].actor, actors[a]) == 0;
    assert_true(by[0] > 50 && by[1] > 30 && by[2] > 15);
}

/* The list of beliefs begins with the last recorded one. */
TEST(the_wrong_belief_was_recorded_last)
{
    const struct memory *wrong = find("Retries are always safe on the new queue.");
    for (size_t i = 0; i < count; i++)
        if (memories[i].ref.kind == KIND_BELIEF)
            assert_true(memories[i].node <= wrong->node);
}

/* ---- the store ---- */
