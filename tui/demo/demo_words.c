/* The words of the live demo: a payments service, the two agents who ship it, and the people around. */
#include "tui/demo/demo_text.h"

#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define ONCE(list, ...)                                                                            \
    {                                                                                              \
        list, true, WORDS(__VA_ARGS__)                                                             \
    }
#define EACH(list, ...)                                                                            \
    {                                                                                              \
        list, false, WORDS(__VA_ARGS__)                                                            \
    }

/* NOLINTBEGIN(bugprone-suspicious-missing-comma): sentences over two lines */
const struct demo_words demo_words[] = {
    /* what a scene is about */
    ONCE("service", "payments", "ledger", "checkout", "refunds", "settlement", "invoices",
         "payouts", "receipts", "fraud-check", "exchange-rates", "card-vault", "statements"),
    ONCE("version", "4.<11-39>.<0-9>", "5.<0-12>.<0-6>", "2026.<40-47>.<1-5>"),
    ONCE("count", "<3-24>"),
    ONCE("minutes", "<2-57>"),
    ONCE("percent", "<2-41>"),
    ONCE("ms", "<18-95>", "<110-940>"),
    ONCE("pr", "<214-961>"),
    ONCE("table", "ledger_entries", "payouts", "refund_requests", "idempotency_keys", "outbox",
         "settlements", "card_tokens", "exchange_rates"),
    ONCE("human", "sean", "noor", "mateus", "yuki", "ines"),
    ONCE("region", "eu-west", "eu-north", "us-east", "ap-south", "sa-east"),
    ONCE("suspect", "the connection pool", "a retry without backoff", "the new index on <table>",
         "a slow disk in <region>", "the nightly export", "DNS in <region>", "a clock that drifted",
         "the cache's cold start", "one oversized batch", "the rate limiter"),

    /* what happens */
    EACH("deploy-log",
         "<clock> <service> <version>: <count> of <count> workers ready after <minutes> s · error "
         "rate 0.<0-9>% · p99 <ms> ms",
         "<clock> rollout <service> <version> in <region>: canary healthy, <count> workers follow",
         "<clock> <service>: migration of <table> done in <minutes> s, <2-900> thousand rows, no "
         "lock held over <1-9> s",
         "<clock> staging run of <service> <version>: <210-990> checks, <0-2> flaky, queue depth "
         "back to <0-40>"),
    EACH("alert-log", "<clock> ALERT <service> p99 <ms> ms for <2-15> minutes in <region>",
         "<clock> ALERT <service> queue depth <1-9> <100-999> and rising, <count> workers",
         "<clock> ALERT <service> error rate <percent>% after <version>; first errors name <table>",
         "<clock> ALERT lock wait on <table> over <3-40> s, <2-9> sessions behind it"),
    EACH("measure-log",
         "<clock> looked again: p99 <ms> ms, <count> workers, <suspect> is busy <percent>% of the "
         "time",
         "<clock> traced forty requests: <percent>% of the time goes into <suspect>",
         "<clock> counted by hand: <2-80> duplicates in <table>, all from <region>",
         "<clock> turned off <suspect> for <minutes> s: queue depth fell by <percent>%"),
    EACH("chat", "<human>: is <service> <version> the one with the change to <table>?",
         "<human>: customers in <region> say <service> is slow, can you look?",
         "<human>: nice work on <service>. Write down what made it quick this time.",
         "<human>: please hold <service> until the statements are out at <10-18>:00.",
         "<human>: who reviewed PR <pr>? I want to read that discussion.",
         "<human>: if it happens again, page me rather than wait."),
    EACH("objective", "Ship <service> <version>", "Roll out PR <pr> to <service> in <region>",
         "Move <table> without stopping <service>", "Release <service> <version> before noon",
         "Bring <service> in <region> to <version>"),
    EACH("outcome", "<count> workers in <minutes> minutes; p99 stayed at <ms> ms",
         "Out in <minutes> minutes. One canary restarted, nobody else noticed",
         "Done; the queue was <percent>% longer for <2-9> minutes and then empty",
         "Finished <minutes> minutes early, since staging had the same <table>"),
    EACH("trouble-objective", "Find out why <service> slowed down in <region>",
         "Stop the errors of <service> <version>", "Clear the lock on <table>",
         "Understand the alert of <clock> on <service>"),
    EACH("trouble-outcome", "It was <suspect>; back to <ms> ms after <minutes> minutes",
         "Rolled back to the version before <version>; <suspect> is still not explained",
         "<suspect> had a part in it, but <percent>% of the slow requests never touch it",
         "Drained <count> workers by hand, then it cleared. The cause looks like <suspect>"),
    EACH("lesson", "measure before blaming <suspect>", "watch <table> for ten minutes, not two",
         "the canary in <region> sees it first", "read PR <pr> again before the next release",
         "warm the cache before the fleet follows", "say in the channel who holds the deploy"),

    /* what is concluded */
    EACH("finding", "<service> slows down when <suspect> and a deploy fall together.",
         "A release of <service> needs about <minutes> minutes when <table> is small.",
         "Above <percent>% load, <suspect> is what <service> waits for.",
         "<region> shows trouble in <service> before the other regions do.",
         "Migrations of <table> are safe while <service> runs fewer than <count> workers.",
         "A canary of <service> that lives ten minutes lives all day.",
         "Alerts on <table> after a deploy are about <suspect> more often than about the code."),
    EACH("doubt", "It may not be <suspect>: <service> was slow before <version> as well.",
         "Nobody has measured what <suspect> costs <service> in <region>.",
         "The numbers for <table> come from one day only.",
         "PR <pr> claims more than its <count> samples can show."),
    EACH("decision", "We keep <service> on <version> until <human> has seen the numbers.",
         "No change to <table> on a Friday; the next slot is Monday at <8-16>:00.",
         "<service> gets a canary in <region> first from now on.",
         "The limit for <suspect> stays where it is; we look again in a week.",
         "Whoever deploys <service> watches it for <minutes> minutes."),
    EACH("review", "Read PR <pr>: the claim about <suspect> rests on one episode. Wants a second.",
         "Checked against the log of <clock>: the <minutes> minutes are right, the cause is a "
         "guess.",
         "Agrees with what <region> showed last week; the number of workers was <count> there.",
         "Too strong as it stands. <percent>% is not always.",
         "Good: it says what it rests on, and I could walk back to the log line."),
    EACH("quote", "If you can't say what it rests on, say that you can't.",
         "The graph went down, so we stopped looking. That's how the last one began.",
         "I'd rather roll back twice than explain once.",
         "A number without a time is a rumour about <service>.",
         "Ask the agents what they'd need to see to change their mind about <suspect>."),
    EACH(
        "weighed", "<suspect> explains most of what <service> did this week, not all of it.",
        "Two ways to say the same: <service> is fine while <table> stays under <2-90> million "
        "rows.",
        "What Ash saw in <region> holds for <service> elsewhere too.",
        "The belief about <suspect> should be weighed down until someone repeats the measurement."),
    EACH("topic", "deploy", "migration", "queue", "retries", "staging", "rollback", "canary",
         "workers", "cache", "<service>", "<table>", "payments queue"),
    EACH("question", "<table> lock timeout postgresql", "how long does <service> warm up",
         "retry storm <region> connection pool", "safe migration large table online",
         "<suspect> latency", "queue backpressure worker lease"),
    EACH("answer-summary", "Four pages agree that <suspect> is a matter of configuration.",
         "Mostly vendors; one measured it and found <percent>% less.",
         "The manual says the lock is held for the whole statement.",
         "Two posts contradict each other on what happens above <count> workers."),
    EACH("page", "wiki://runbooks/<service>", "wiki://postmortems/<pr>",
         "repo://<service>/pull/<pr>", "dashboard://<service>/<region>",
         "doc://postgresql/16/explicit-locking"),
    EACH("page-summary", "The runbook of <service>: drain, migrate, restart, in this order.",
         "Panel of <region>: p99 <ms> ms, <count> workers, one gap of <minutes> minutes.",
         "The discussion of PR <pr>: <count> comments, the open one is about <table>.",
         "How locks on <table> queue behind an ALTER, with a table of which modes conflict."),

    /* how it is reasoned */
    ONCE("why", "Why did <service> slow down in <region> after <version>?",
         "Is it safe to move <table> while <service> runs?",
         "Did PR <pr> cause the errors of <service> in <region>?",
         "What does <service> wait for above <percent>% load?",
         "Why do <percent>% of the requests to <service> take over <ms> ms?"),
    EACH("ask-when", "When did it begin, and what changed then?",
         "Which requests are slow, and which are not?", "What did <service> do before <version>?",
         "How large is <table>, and who locks it?"),
    ONCE("when", "It began <minutes> minutes after <version> reached <region>.",
         "Only requests that touch <table> are slow: <percent>% of them.",
         "Before <version> p99 was <ms> ms; <region> was the first to leave that.",
         "<count> sessions wait for <table>, each for <3-40> s."),
    EACH("ask-cause", "Is it <suspect>?", "What do the slow ones have in common?",
         "Does PR <pr> touch what is slow?", "Would <service> be slow without <suspect>?"),
    EACH("ask-check", "Does that hold in the other regions?",
         "What would we see if it were not <suspect>?", "Has this happened before?"),
    EACH("checked", "Yes: the other regions show it <minutes> minutes later.",
         "No. In <region> <suspect> was idle, and <service> was slow all the same.",
         "Twice this month, each time with <count> workers.",
         "For <percent>% of it; the rest is not explained."),
    EACH("trace", "Laid the panel of <region> beside the log of <clock>",
         "Counted the requests by table, then by release",
         "Read PR <pr> from its end, and looked for <table>",
         "Took the runbook's order of steps and looked where it was left",
         "Compared the hour before <version> with the hour after"),
    EACH("conclusion", "<suspect>: it explains <percent>% of the slow requests in <region>.",
         "Not PR <pr>. <service> waits for <table>, and did before.",
         "Yes, while <service> runs fewer than <count> workers and <human> knows of it.",
         "Most likely <suspect>; a measurement in another region would settle it."),
    EACH("runbook-passage",
         "Drain <service> first: no new work, and wait until the queue is below <2-90>.",
         "If <table> is locked for longer than <3-40> s, stop. Do not retry by hand.",
         "Rollback of <service>: the version before, the same number of workers, then the cache.",
         "After a release watch <region> for <minutes> minutes. It shows trouble first."),
    EACH("panel-passage", "p99 <ms> ms, <count> workers, queue depth <2-900>",
         "error rate 0.<0-9>%, cpu <percent>%, one gap of <minutes> minutes",
         "lock waits on <table>: <2-90> in the last hour"),
    EACH("pr-passage", "<human>: this holds a lock on <table> for the whole batch, doesn't it?",
         "Measured on staging with <count> workers: p99 from <ms> ms to half of that.",
         "Splits the batch into <2-40> parts so that <suspect> is not hit at once."),
    EACH("yes-or-no", "yes", "yes", "no"),
    EACH("relevant-or-not", "relevant", "relevant", "relevant", "irrelevant"),
    {NULL, false, NULL},
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */
