== the set memory is listed unless others are asked for
@ ash
> tools/list {}
~ "name":"memory_search"
~ "name":"memory_add"
!~ "name":"memory_raw"
!~ "name":"cot_begin"
!~ "name":"memory_retract"
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ stemma is your long-term memory
!~ cot_begin

== a tool that is not listed answers
@ ash
> memory_raw {"blob": "heard"}
{"ref": "raw:ID1"}

== an unknown tool is answered with those of a near name, or with those that are listed
@ ash
> memory_serch {}
! -32602: no tool "memory_serch". The nearest is memory_search
> search_memories {}
! -32602: no tool "search_memories". The nearest is memory_search
> memory.search {}
! -32602: no tool "memory.search". The nearest is memory_search
> create_entities {}
! -32602: no tool "create_entities". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark
> get_memory {}
! -32602: no tool "get_memory". The nearest is memory_get
> memory_edit {}
! -32602: no tool "memory_edit". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark
> forget {}
! -32602: no tool "forget". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark
> memory_restor {}
! -32602: no tool "memory_restor". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark
@ ash --tools all
> create_entities {}
! -32602: no tool "create_entities". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark, memory_raw, memory_episode, memory_note and those of tools/list
> putmemory {}
! -32602: no tool "putmemory". The nearest is putMemory
> memory_bellief {}
! -32602: no tool "memory_bellief". The nearest is memory_belief

== an error names the set of a tool that is not listed
@ ash
> memory_add {"kind":"entry","text":"e"}
! PERMISSION_DENIED: an entry is put by putMemory alone -> putMemory (set namespaces) stores entries: call it by name.

== sets are added by name
@ ash --tools memory,reasoning
> tools/list {}
~ "name":"memory_search"
~ "name":"cot_begin"
!~ "name":"putMemory"
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ cot_begin

== --tools adds up, and blanks around a name are no part of it
@ ash --tools memory,reasoning --tools namespaces
> tools/list {}
~ "name":"memory_search"
~ "name":"cot_begin"
~ "name":"putMemory"
!~ "name":"memory_raw"
$ stemma mcp --store memory.db --tools " memory , foo" </dev/null
stemma: 'foo' is not a set of tools. The sets are memory, kernle, attributions, reasoning, namespaces, review, all.
[2]
$ stemma mcp --store memory.db --tools "memory, reasoning ," </dev/null
stemma: the store is DIR/memory.db; give this path in the client's configuration

== an unknown set is refused with those that exist, before a store is made
$ stemma mcp --store new.db --tools memory,foo </dev/null; ls new.db
stemma: 'foo' is not a set of tools. The sets are memory, kernle, attributions, reasoning, namespaces, review, all.
ls: cannot access 'new.db': No such file or directory
[2]

== the configuration says which sets
| mcp: {tools: [namespaces, review]}
@ ash
> tools/list {}
~ "name":"putMemory"
~ "name":"memory_history"
!~ "name":"memory_search"
@ ash --tools all
> tools/list {}
~ "name":"memory_search"
~ "name":"putMemory"

== strict refuses what is not listed
| mcp: {strict: yes}
@ ash
> memory_raw {"blob": "heard"}
! PERMISSION_DENIED: memory_raw is not offered here -> Use a tool that tools/list names, or ask the person who reviews this memory to offer it: `--tools all`.
> memory_add {"kind": "raw", "text": "heard"}
{"ref": "raw:ID1"}
> memory_bellief {}
! -32602: no tool "memory_bellief". There are memory_search, memory_get, memory_list, memory_lineage, memory_add, memory_reinforce, memory_supersede, memory_update, memory_mark

== strict: no error names a tool that is refused
+ {"ref": "raw:a", "text": "heard", "status": "retracted"}
| mcp: {strict: yes}
| destructive_tools: yes
@ ash
> memory_reinforce {"ref": "raw:a"}
! PERMISSION_DENIED: raw:a is retracted -> Ask the person who reviews this memory to restore it.
> memory_add {"kind":"entry","text":"e"}
! PERMISSION_DENIED: an entry is put by putMemory alone -> That tool is not offered here: ask the person who reviews this memory for it.
@ ash --tools memory,kernle,namespaces
> memory_reinforce {"ref": "raw:a"}
! PERMISSION_DENIED: raw:a is retracted -> Restore it first: memory_restore (set kernle), called by name.
> memory_add {"kind":"entry","text":"e"}
! PERMISSION_DENIED: an entry is put by putMemory alone -> putMemory (set namespaces) stores entries: call it by name.

== a read-only server lists tools that read
+ {"ref": "raw:a", "text": "heard"}
@ ash --read-only --tools all
> tools/list {}
~ "name":"memory_search"
~ "name":"cot_get"
!~ "name":"memory_add"
!~ "name":"cot_begin"
> prompts/list {}
~ why_believed
!~ memory_add
!~ record_with_provenance

== prompts name only tools that are listed
+ {"ref": "raw:a", "text": "heard"}
@ ash --tools kernle,attributions,reasoning,namespaces,review
> prompts/list {}
{"prompts": []}
> prompts/get {"name":"why_believed","arguments":{"ref":"raw:a"}}
! -32602: params.name must be the name of a prompt
@ ash --tools reasoning,memory
> prompts/list {}
{"prompts": "(5 items)"}
> prompts/get {"name":"why_believed","arguments":{"ref":"raw:a"}}
~ memory_lineage

== whatif is a direction of memory_lineage
+ {"ref": "raw:a", "text": "heard"}
+ {"ref": "belief:b", "text": "so", "derived_from": ["raw:a"]}
@ ash
> memory_lineage {"ref": "raw:a", "direction": "whatif","format":"json"}
{"loses_all_support": ["belief:b"], "weakened": [], "descends": 0}

== memory_retract forgets, too
+ {"ref": "raw:a", "text": "heard"}
+ {"ref": "raw:b", "text": "heard again"}
| destructive_tools: yes
@ ash
> tools/list {}
~ "name":"memory_retract"
> memory_retract {"ref": "raw:a", "reason": "wrong"}
{"ref": "raw:a", "version": 2}
> memory_get {"ref": "raw:a"}
{"status": "retracted"}
> memory_retract {"ref": "raw:b", "forget": true}
{"ref": "raw:b", "version": 2}
> memory_get {"ref": "raw:b"}
{"status": "forgotten"}
