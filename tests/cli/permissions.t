# What agents may do, with the limits.
$ printf '#!/bin/sh\nprintf %%b "$1" >r.yaml; shift; exec stemma --store story.db --config r.yaml permissions "$@"\n' >may; chmod +x may
# Rates.
$ ./may 'namespaces: {session.r: {pii: refuse, rate_limits: {listMemory: {}}}}\nrate_limits: {listMemory: {window_seconds: 60, window_calls: 2}}\n' --why | grep -E 'limits|^session' | sort -u
    limits: personal data masked; listMemory 2 calls in 60 s
    limits: personal data masked; ttl_seconds 3600 at most (AGE); listMemory 2 calls in 60 s
    limits: personal data refused; ttl_seconds 3600 at most (AGE)
session.*        read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE); listMemory 2 calls in 60 s
session.r        read        read       write AGE   write         personal data refused; ttl_seconds 3600 at most (AGE)
session.rollout  read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE); listMemory 2 calls in 60 s
# The longest time to live.
$ ./may 'tool_permissions: {putMemory: {allowed_namespaces: [session.*], operations: [write], max_ttl_seconds: 604799}}\n' --why | grep -E 'limits|^session' | sort -u
    limits: personal data masked
    limits: personal data masked; ttl_seconds 604799 at most (AGE AGE AGE AGE)
session.*        denied      denied     write AGE AGE AGE AGE  write         personal data masked; ttl_seconds 604799 at most (AGE AGE AGE AGE)
session.rollout  denied      denied     write AGE AGE AGE AGE  write         personal data masked; ttl_seconds 604799 at most (AGE AGE AGE AGE)
# Where personal data is masked.
$ ./may 'pii: {mask: no}\n' --why | grep "personal data" | grep -v "denied      denied     denied     denied" | sort -u
    limits: personal data masked
    limits: personal data masked; ttl_seconds 3600 at most (AGE)
agent.{self}     read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
agent.{self}.*   read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
getContext  session, agent, task; of other agents' memories it sees only ref and owner; personal data outside entries is not masked
public.*         read        read       denied     denied        personal data masked
public.runbook   read        read       denied     denied        personal data masked
session.*        read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
session.rollout  read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
$ ./may 'namespaces: {"*": {pii: off}}\n' --why | grep "personal data" | grep -v "denied      denied     denied     denied" | sort -u
    limits: personal data not masked
    limits: personal data not masked; ttl_seconds 3600 at most (AGE)
agent.{self}     read        read       write AGE   write         personal data not masked; ttl_seconds 3600 at most (AGE)
agent.{self}.*   read        read       write AGE   write         personal data not masked; ttl_seconds 3600 at most (AGE)
getContext  session, agent, task; of other agents' memories it sees only ref and owner; personal data outside entries is masked
public.*         read        read       denied     denied        personal data not masked
public.runbook   read        read       denied     denied        personal data not masked
session.*        read        read       write AGE   write         personal data not masked; ttl_seconds 3600 at most (AGE)
session.rollout  read        read       write AGE   write         personal data not masked; ttl_seconds 3600 at most (AGE)
# JSON has the same information.
$ ./may 'namespaces: {session.r: {pii: refuse, max_items: 5, max_bytes: 100, evict: oldest, consistency: strong, rate_limits: {listMemory: {}}}}\nrate_limits: {listMemory: {window_seconds: 1.5, window_calls: 2}, putMemory: {per_second: 5, burst: 10}, getContext: {per_second: 1, burst: 3}, memory_search: {window_seconds: 3, window_calls: 1}}\nshare: yes\n' --json | jq -c '.policy + {limit: .rate_limit} | select(.policy_of)' | sort -u; stemma --store story.db --config r.yaml --json permissions | jq -c 'select(.search_rate_limit) | {rate_limit, search_rate_limit, share, mask}' | sort -u
{"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*","limit":{"per_second":5,"burst":10}}
{"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*","limit":{"window_seconds":1.5,"window_calls":2}}
{"pii":"mask","max_items":0,"max_bytes":0,"evict":null,"consistency":"eventual","policy_of":"*","limit":{}}
{"pii":"refuse","max_items":5,"max_bytes":100,"evict":"oldest","consistency":"strong","policy_of":"session.r","limit":{"per_second":5,"burst":10}}
{"pii":"refuse","max_items":5,"max_bytes":100,"evict":"oldest","consistency":"strong","policy_of":"session.r","limit":{}}
{"rate_limit":{"per_second":1,"burst":3},"search_rate_limit":{"window_seconds":3,"window_calls":1},"share":true,"mask":true}
