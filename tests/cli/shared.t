# The namespaces in columns as wide as needed, and the entries of one.
$ printf 'namespaces: {"session.*": {pii: refuse, max_items: 10, max_bytes: 100, evict: oldest}}\nrate_limits: {putMemory: {window_seconds: 60, window_calls: 5}}\nstore: %s\n' $PWD/story.db >c.yaml; stemma namespaces; stemma --config c.yaml namespaces --json | jq -c .
namespace        items  bytes  put  personal data
agent.ash            2   93 B AGE  mask
agent.claire         1   35 B AGE  mask
agent.oncall         2  217 B AGE  mask
deploy               1   77 B AGE  mask, 1 expired
public.runbook       2  125 B AGE  mask
session.rollout      0    0 B    -  mask, 4 expired
vault.payments       1   53 B AGE  mask
{"namespace":"agent.ash","items":2,"bytes":93,"expired":0,"updated_at":1794992680000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
{"namespace":"agent.claire","items":1,"bytes":35,"expired":0,"updated_at":1794996580000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
{"namespace":"agent.oncall","items":2,"bytes":217,"expired":0,"updated_at":1794982480000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
{"namespace":"deploy","items":1,"bytes":77,"expired":1,"updated_at":1794999880000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
{"namespace":"public.runbook","items":2,"bytes":125,"expired":0,"updated_at":1794910480000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
{"namespace":"session.rollout","items":0,"bytes":0,"expired":4,"updated_at":0,"pii":"refuse","max_items":10,"max_bytes":100,"evict":"oldest","consistency":"eventual","policy_of":"session.*"}
{"namespace":"vault.payments","items":1,"bytes":53,"expired":0,"updated_at":1794759880000,"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"}
$ COLUMNS=40 stemma --config c.yaml namespaces
namespace          items  personal data
agent.ash              2  mask
agent.claire           1  mask
agent.oncall           2  mask
deploy                 1  mask, 1 expir…
public.runbook         2  mask
session.rollout  0/10 0%  refuse, 4 exp…
vault.payments         1  mask
$ printf 'namespaces: {"session.*": {max_items: 10}, empty: {max_items: 3, max_bytes: 100}, "none.*": {max_items: 4}, "other.*": {pii: off}}\nstore: %s\n' $PWD/story.db >q.yaml; stemma --config q.yaml namespaces | grep '0/'; stemma --config q.yaml namespaces --json | jq -c 'select(.items==0) | [.namespace, .items, .max_items, .updated_at]'
empty             0/3 0%  0 B/100 B 0%    -  mask
none.*            0/4 0%           0 B    -  mask
session.rollout  0/10 0%           0 B    -  mask, 4 expired
["empty",0,3,0]
["none.*",0,4,0]
["session.rollout",0,10,0]
$ stemma namespaces agent.oncall; stemma namespaces agent.oncall --json | head -1 | jq -c 'keys, .value'; stemma namespaces zz; stemma namespaces a..b
contact:jane.doe@example.com     v1      -  {"prefers":"phone","card_on_file":"4111 1111 1111 1111"}
rota                             v1      -  {"primary":{"name":"Jane Doe","email":"jane.doe@example.com","phone":"+1 (415) 555-1234"},"second":{"name":"Sean","phone":"555-123-4567"},"until":"Monday 09:00"}
["bytes","key","namespace","ref","updated_at","value","version"]
{"prefers":"phone","card_on_file":"4111 1111 1111 1111"}
stemma: there is no entry in the namespace zz
stemma: `a..b` is not a namespace. Namespaces are made of letters, digits, _ and -, with single dots between: session.a1.
[2]
$ stemma namespaces --store none.db; stemma add raw x --store none.db >/dev/null; stemma namespaces --store none.db
stemma: there is no store at none.db. Check the path; `stemma` alone lists the stores on this machine.
stemma: there are no entries in this store
[1]

# The page of an entry says who may read and write it.
$ printf 'agents: {bo: {tool_permissions: {getMemory: {}}}, cy: {tool_permissions: {putMemory: {allowed_namespaces: ["agent.*", "deploy"], operations: [write]}}}}\nstore: %s\n' $PWD/story.db >may.yaml; for ref in $(stemma list entries --json | jq -r 'select(.ref | test("deploy.window|8f31cedc|7cbe39b2")).ref'); do stemma --config may.yaml show "$ref" | grep 'namespace \|access'; done
 namespace    deploy
 access       no agent may read it; only cy may write it
 namespace    agent.ash
 access       only ash may read it; only cy, ash may write it
 namespace    public.runbook
 access       any agent but bo may read it; no agent may write it

# What an agent may do in each namespace, and why.
$ stemma --config c.yaml permissions | head -4; COLUMNS=80 stemma --config c.yaml permissions --agent ash --why | head -12
any agent
getContext  session, agent, task; of other agents' memories it sees only ref and owner; personal data outside entries is masked
namespace        listMemory  getMemory  putMemory  deleteMemory  policy
agent.ash        denied      denied     denied     denied        personal data masked; putMemory 5 calls in 60 s
ash
getContext  session, agent, task; of other agents' memories it sees
            only ref and owner; personal data outside entries is masked
namespace        listMemory  getMemory  putMemory  deleteMemory  policy
agent.ash        read        read       write AGE   write         personal data …
    listMemory: agent.{self} in all agents' grant of listMemory
    getMemory: agent.{self} in all agents' grant of listMemory
    putMemory: agent.{self} in all agents' grant of putMemory
    deleteMemory: agent.{self} in all agents' grant of putMemory
    limits: personal data masked; ttl_seconds 3600 at most (AGE);
             putMemory 5 calls in 60 s
agent.claire     denied      denied     denied     denied        personal data …
$ stemma --config c.yaml permissions --json | sed -n 1,2p; stemma permissions --agent ''
{"agent":null,"tool":"getContext","contexts":"session, agent, task","rate_limit":{},"search_rate_limit":{},"share":false,"mask":true}
{"agent":null,"tool":"listMemory","namespace":"agent.ash","access":"read","allowed":false,"rule":null,"because":"all agents' grant of listMemory allows only session.*, agent.{self}, agent.{self}.*, public.*","policy":{"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*"},"rate_limit":{}}
stemma: --agent needs a name. Omit --agent for an agent that has no grants of its own.
[2]
