# Every command reports an invalid configuration with its line.
$ try() { printf "$1" >c.yaml; for c in "list all" orphans export; do stemma --config c.yaml $c --store story.db 2>&1 >/dev/null; echo $?; done | sort | uniq -c | sort -rn; }
> try 'color: auto\ntheme: nosuch\n'; try 'theme: /dev/null/none\n'; try 'theme: {a: b}\n'; try 'mouse: 3\n'; try 'escape_delay: 1.5\n'; try 'keys:\n  fly: x\n'; try 'keys:\n  quit: Hyper\n'; try 'keys:\n  mark: m\n  quit: [x, C-x, x]\n'
> try 'keys:\n  quit: x\n  mark: z\n  help: x\n'; try 'keys:\n  help: x\n  mark: z\n  quit: x\n'; try 'keys:\n  mark: z\n  retract: a\n  edit: j\n'; try "keys:\n  quit: ['']\n"; try 'tool_permissions:\n  putMemory: {operation: [write]}\n'; try "pii:\n  patterns:\n    a: x\n    b: '(y'\n"
> try 'stores:\n  test: {colour: red}\n'; try 'stores:\n  a/b: {path: x.db}\n'; try 'stores: {test: {path: x.db, colour: pink}}\n'; try 'links: maybe\n'
      3 stemma: c.yaml line 2: there is no theme `nosuch`. auto, dark, light, high-contrast, monochrome and solarized come with stemma.
      3 3
      3 stemma: c.yaml line 1: there is no theme `/dev/null/none`. auto, dark, light, high-contrast, monochrome and solarized come with stemma.
      3 3
      3 stemma: c.yaml line 1: theme takes a single value. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'mouse' takes no, yes, false, true, off or on, not '3'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'escape_delay' takes a whole number from 0 to 1000, not '1.5'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 2: there is no action `fly`. ? in the explorer lists the names of all actions.
      3 3
      3 stemma: c.yaml line 2: there is no key `Hyper`. Write keys as in j, C-d, Enter, PgDn, F1.
      3 3
      3 stemma: c.yaml line 3: the key x is given twice for `quit`. Write it once.
      3 3
      3 stemma: c.yaml line 4: the key x is bound to both `quit` and `help`. Give one of them another key.
      3 3
      3 stemma: c.yaml line 4: the key x is bound to both `quit` and `help`. Give one of them another key.
      3 3
      3 stemma: c.yaml line 4: the key j is bound to `edit` and, by default, to `down`. Give `down` another key, or none: `down: []`.
      3 3
      3 stemma: c.yaml line 2: a key of 'quit' is empty. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 2: there is no part of a grant 'operation'; did you mean 'operations'? Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 4: the pattern 'b' of personal data is wrong at byte 3: missing closing parenthesis. Patterns are regular expressions of PCRE2.
      3 3
      3 stemma: c.yaml line 2: 'test' has no 'path'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 2: 'a/b' is no name for a store: a name has no /. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'colour' takes none, red, green, yellow, blue, magenta, cyan or white, not 'pink'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'links' takes auto, yes or no, not 'maybe'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3

# A valid one is accepted.
$ for c in '' 'theme: mono\nkeys: {quit: [Q, F9], mouse: []}\n' 'keys:\n' 'theme:\n'; do printf "$c" >c.yaml; stemma --config c.yaml list values --store story.db | wc -l; done
1
1
1
1

# Help works with an invalid one.
$ echo '{[' >c.yaml; for c in --version --help 'list --help' 'help config'; do stemma --config c.yaml $c | wc -l; done | awk '{print ($1 > 0)}' | sort | uniq -c; stemma --config c.yaml list all
      4 1
stemma: c.yaml line 1: the configuration takes a single value. Correct that line or remove it; `stemma help config` shows every setting.
[3]

# Rules for agents are read literally. Each line of a wrong FILES is a configuration, refused with the number of the wrong line.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/story.db
> wrong() { while IFS= read -r c; do printf %b "$c" >c.yaml; stemma --config c.yaml list all >out 2>err; s=$?; [ $s = 3 ] && [ ! -s out ] || echo "[$s]"; sed 's/^stemma: c.yaml //; s/ Correct that line .*//' err; done; }
> may() { printf %b "$1" >c.yaml; shift; stemma --config c.yaml permissions "$@"; }
> END
$ . ./f; wrong <<'END'
> tool_permissions:\n  listmemory: {}
> tool_permissions:\n  zzz: {}
> tool_permissions:\n
> tool_permissions: [listMemory]
> tool_permissions: yes
> tool_permissions:\n  putMemory:
> tool_permissions:\n  putMemory: [write]
> tool_permissions:\n  putMemory: {}\n  listMemory: {}\n  putMemory: {}
> tool_permissions:\n  putMemory:\n    allowed_namespace: [a]
> tool_permissions:\n  putMemory:\n    operations: [write]\n    operations: []
> tool_permissions:\n  putMemory:\n    allowed_namespaces: a
> tool_permissions:\n  putMemory:\n    allowed_namespaces:
> tool_permissions:\n  putMemory:\n    allowed_namespaces: {a: b}
> tool_permissions:\n  putMemory:\n    allowed_namespaces: [a,\n      '']
> tool_permissions:\n  putMemory:\n    allowed_namespaces: [~]
> tool_permissions:\n  putMemory:\n    allowed_namespaces: [a/b]
> tool_permissions:\n  putMemory:\n    allowed_namespaces: [session.]
> tool_permissions:\n  putMemory:\n    allowed_namespaces: ['session..*']
> tool_permissions:\n  putMemory:\n    allowed_namespaces: [[a]]
> tool_permissions:\n  putMemory:\n    allowed_namespaces: ["a\\0b"]
> tool_permissions:\n  putMemory:\n    allowed_namespaces:\n      - *a
> tool_permissions:\n  listMemory: &x {}\n  putMemory: *x
> tool_permissions:\n  putMemory:\n    <<: {operations: [write]}
> tool_permissions:\n  putMemory:\n    operations: [write,\n    delete]
> tool_permissions:\n  putMemory:\n    operations: write
> tool_permissions:\n  listMemory:\n    max_ttl_seconds: 5
> tool_permissions:\n  getContext:\n    allowed_namespaces: [a]
> tool_permissions:\n  putMemory:\n    allowed_context_types: [task]
> tool_permissions:\n  getContext:\n    allowed_context_types: [all]
> tool_permissions: {? {a: b} : c}
> tool_permissions: {'': {}}
> tool_permission: {}
> share: no\ntool_permissions: {}\nshare: no
> END
line 2: there is no memory tool 'listmemory'; did you mean 'listMemory'?
line 2: there is no memory tool 'zzz'.
line 1: 'tool_permissions' takes tools with their grants; {} grants nothing.
line 1: 'tool_permissions' takes tools with their grants; {} grants nothing.
line 1: 'tool_permissions' takes tools with their grants; {} grants nothing.
line 2: 'putMemory' takes a grant; {} grants nothing.
line 2: 'putMemory' takes a grant; {} grants nothing.
line 4: 'putMemory' occurs twice here.
line 3: there is no part of a grant 'allowed_namespace'; did you mean 'allowed_namespaces'?
line 4: 'operations' occurs twice here.
line 3: 'allowed_namespaces' takes a list of patterns.
line 3: 'allowed_namespaces' takes a list of patterns.
line 3: 'allowed_namespaces' takes a list of patterns.
line 4: '' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 3: '' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 3: 'a/b' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 3: 'session.' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 3: 'session..*' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 3: allowed_namespaces takes a single value.
line 3: allowed_namespaces has a NUL in it.
line 4: allowed_namespaces takes a single value, no alias; quote what begins with *.
line 3: 'putMemory' takes a grant; {} grants nothing.
line 3: there is no part of a grant '<<'.
line 4: 'operations' takes read or write, not 'delete'.
line 3: 'operations' takes a list of read and write.
line 3: a grant of listMemory has no 'max_ttl_seconds'.
line 3: a grant of getContext has no 'allowed_namespaces'.
line 3: a grant of putMemory has no 'allowed_context_types'.
line 3: 'allowed_context_types' takes session, agent or task, not 'all'.
line 1: tool_permissions takes a single value.
line 1: a name in 'tool_permissions' is empty.
line 1: there is no setting 'tool_permission'; did you mean 'tool_permissions'?
line 3: 'share' occurs twice here.

# Trust.
$ . ./f; wrong <<'END'
> trust: yes
> trust: {caps: yes}
> trust: {cap: 2}
> trust:\n  source_types:\n    hearsay: 0.5
> trust:\n  source_types:\n    told_by_agnet: 0.5
> trust:\n  source_types: [external]
> trust:\n  source_types:\n    external: 1.01
> trust:\n  source_types:\n    external: -0.1
> trust:\n  source_types:\n    external: much
> trust:\n  source_types:\n    external: nan
> trust:\n  source_types:\n    external:
> trust:\n  source_entities: [claire]
> trust:\n  source_entities:\n    claire: 2
> trust:\n  source_entities:\n    claire: {trust: 1}
> trust:\n  source_entities:\n    claire: 0.5\n    claire: 0.6
> trust:\n  source_entities: {'': 0.5}
> END
line 1: 'trust' takes cap, source_types and source_entities.
line 1: there is no part of trust 'caps'; did you mean 'cap'?
line 1: 'cap' takes no, yes, false, true, off or on, not '2'.
line 3: there is no source type 'hearsay'.
line 3: there is no source type 'told_by_agnet'; did you mean 'told_by_agent'?
line 2: 'source_types' takes source types with their trust, as in {external: 0.6}.
line 3: 'external' takes a number from 0 to 1, not '1.01'.
line 3: 'external' takes a number from 0 to 1, not '-0.1'.
line 3: 'external' takes a number from 0 to 1, not 'much'.
line 3: 'external' takes a number from 0 to 1, not 'nan'.
line 3: 'external' takes a number from 0 to 1, not ''.
line 2: 'source_entities' takes who told something, with their trust, as in {claire: 0.6}.
line 3: 'claire' takes a number from 0 to 1, not '2'.
line 3: claire takes a single value.
line 4: 'claire' occurs twice here.
line 2: a name in 'source_entities' is empty.
$ for c in 'trust:\n' 'trust: {}\n' 'trust: {cap: yes}\n' 'trust: {source_types: {external: 0, seed: 1.0}, source_entities: {"agent:a b": 1, x: 0}}\n'; do printf "$c" >c.yaml; stemma --config c.yaml list values --store story.db | wc -l; done
1
1
1
1

# What agents are not shown.
$ . ./f; wrong <<'END'
> mcp: [hide]
> mcp: {hid: []}
> mcp: {hide: unsupported}
> mcp: {hide: [unsupported,\n  unsuported]}
> END
line 1: 'mcp' takes tools, strict and hide.
line 1: there is no part of mcp 'hid'; did you mean 'hide'?
line 1: 'hide' takes a list of labels and statuses, as in [unsupported, retracted].
line 2: 'hide' takes weakened, unsupported, circular, unsourced, superseded, expired, retracted, forgotten or deleted, not 'unsuported'.
$ for c in 'mcp:\n' 'mcp: {}\n' 'mcp: {hide: []}\n' 'mcp: {hide: [weakened, unsupported, circular, unsourced, superseded, expired, retracted, forgotten, deleted]}\n'; do printf "$c" >c.yaml; stemma --config c.yaml list values --store story.db | wc -l; done
1
1
1
1

# Agents.
$ . ./f; wrong <<'END'
> agents: [ash]
> agents:\n  ash:
> agents: {ash: {}}
> agents:\n  claire: {tool_permissions: {putMemory: {}}}\n  ash: {}
> agents:\n  ash:\n    putMemory: {}
> agents:\n  ash:\n    tool_permission: {}
> agents:\n  ash:\n    tool_permissions:
> agents:\n  ash:\n    tool_permissions: {}\n  claire: {}
> agents:\n  ash:\n    tool_permissions: [putMemory]
> agents:\n  as*: {tool_permissions: {putMemory: {}}}
> agents:\n  ash: {tool_permissions: {putMemory: {}}}\n  claire: {tool_permissions: {putMemory: {}}}\n  ash: {tool_permissions: {putMemory: {}}}
> agents: {'': {}}
> agents: {~: {}}
> agents: {unnamed: {uid: 1}}
> agents: {ash: {uid: -1}}
> agents:\n  ash: {uid: 7}\n  bo: {uid: 7}
> agents:\n  ash: {token_file: /t}\n  bo: {token_file: /t}
> agents:\n  ash: {socket: /s}\n  bo: {socket: /s, uid: 7}
> END
line 1: 'agents' takes agents with what is theirs.
line 2: 'ash' takes {tool_permissions: ...}, socket, token_file or uid; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 1: 'ash' takes {tool_permissions: ...}, socket, token_file or uid; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 3: 'ash' takes {tool_permissions: ...}, socket, token_file or uid; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 3: there is no part of an agent 'putMemory'.
line 3: there is no part of an agent 'tool_permission'; did you mean 'tool_permissions'?
line 3: 'tool_permissions' takes tools, each with a grant in place of everybody's; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 3: 'tool_permissions' takes tools, each with a grant in place of everybody's; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 3: 'tool_permissions' takes tools, each with a grant in place of everybody's; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.
line 2: 'as*' is not an agent's name: patterns are not allowed here, and each agent has a line of its own.
line 4: 'ash' occurs twice here.
line 1: a name in 'agents' is empty.
line 1: a name in 'agents' is empty.
line 1: 'unnamed' is what all callers without a name are called.
line 1: 'uid' takes a whole number from 0 to 4294967294, not '-1'.
line 3: 'bo' has the socket, the token or the user of 'ash'.
line 3: 'bo' has the socket, the token or the user of 'ash'.
line 3: 'bo' has the socket, the token or the user of 'ash'.

# Policies and rates.
$ . ./f; wrong <<'END'
> namespaces: [a]
> namespaces:\n  a b: {}
> namespaces:\n  session..w: {}
> namespaces:\n  session.w.: {}
> namespaces:\n  agent.{self}: {}
> namespaces:\n  '': {}
> namespaces:\n  a: {}\n  'a': {}
> namespaces:\n  a: mask
> namespaces:\n  a:\n    pii: maks
> namespaces:\n  a:\n    pii: {}
> namespaces:\n  a:\n    evict: newest
> namespaces:\n  a:\n    consistency: weak
> namespaces:\n  a:\n    max_item: 1
> namespaces:\n  a:\n    rate_limits:\n      getContext: {}
> namespaces:\n  a:\n    rate_limits:\n      putmemory: {}
> namespaces:\n  a:\n    rate_limits:\n      memory_search: {}
> tool_permissions:\n  memory_search: {}
> rate_limits: 5
> rate_limits:\n  putMemory: 5
> rate_limits:\n  putMemory:\n    calls: 5
> rate_limits:\n  putMemory:\n    window_call: 5
> rate_limits:\n  putMemory:\n    window_calls: 0
> rate_limits:\n  putMemory:\n    window_calls: 5
> rate_limits:\n  putMemory:\n    window_seconds: 5
> rate_limits:\n  putMemory: {per_second: 5}
> rate_limits:\n  putMemory: {burst: 5}
> END
line 1: 'namespaces' takes patterns with their limits.
line 2: 'a b' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 2: 'session..w' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 2: 'session.w.' can match no namespace: a pattern is letters, digits, _ - . * and {self}, at most 200 bytes, no dot first, last or next to another.
line 2: 'agent.{self}': {self} stands in grants only.
line 2: a name in 'namespaces' is empty.
line 3: 'a' occurs twice here.
line 2: 'a' takes limits, as in {pii: refuse}.
line 3: 'pii' takes mask, refuse or off, not 'maks'.
line 3: pii takes a single value.
line 3: 'evict' takes no or oldest, not 'newest'.
line 3: 'consistency' takes eventual or strong, not 'weak'.
line 3: there is no part of a namespace 'max_item'; did you mean 'max_items'?
line 4: getContext has no namespace: its rate stands in the general 'rate_limits'.
line 4: there is no memory tool 'putmemory'; did you mean 'putMemory'?
line 4: memory_search has no namespace: its rate stands in the general 'rate_limits'.
line 2: there is no memory tool 'memory_search'.
line 1: 'rate_limits' takes tools with their rates.
line 2: 'putMemory' takes a rate; {} is no limit.
line 3: there is no part of a rate 'calls'.
line 3: there is no part of a rate 'window_call'; did you mean 'window_calls'?
line 3: 'window_calls' takes a whole number from 1 to 1000000, not '0'.
line 2: 'window_seconds' and 'window_calls' go together.
line 2: 'window_seconds' and 'window_calls' go together.
line 2: 'per_second' and 'burst' go together.
line 2: 'per_second' and 'burst' go together.

# Personal data.
$ . ./f; wrong <<'END'
> pii: mask
> pii: {mask: maybe}
> pii:\n  masks: no
> pii:\n  patterns: ['a']
> pii:\n  patterns:\n    a: ''
> pii:\n  patterns:\n    a: [b]
> pii:\n  patterns:\n    a: "x\\0"
> pii:\n  patterns:\n    a: b\n    a: c
> pii:\n  patterns:\n    email: b
> pii:\n  patterns:\n    a"b: c
> pii: &a {mask: yes}\nagents: &b {x: *a, y: *a}\nnamespaces: {a: *b, b: *b}\n
> END
line 1: 'pii' takes mask and patterns.
line 1: 'mask' takes no, yes, false, true, off or on, not 'maybe'.
line 2: there is no part of pii 'masks'; did you mean 'mask'?
line 2: 'patterns' takes names with regular expressions.
line 3: 'a' takes a regular expression of 1 to 10000 bytes.
line 3: a takes a single value.
line 3: a has a NUL in it.
line 4: 'a' occurs twice here.
line 3: 'email' is built in; give the pattern another name.
line 3: 'a"b' cannot name a pattern: a-z, 0-9, _ and -, at most 40.
line 2: 'x' takes {tool_permissions: ...}, socket, token_file or uid; {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}} grants nothing.

# Settings.
$ . ./f; wrong <<'END'
> # hello\n\ncolour: never\n
> zzzz: 1
> color: never\n"a\\e[31m": 1
> color: never\nascii: maybe\n
> escape_delay: 2000
> escape_delay: 5x
> mouse: perhaps
> theme: [a]
> theme: "a\\0b"
> keys: [a]
> keys:\n  quit: {a: b}
> keys:\n  quit: q\n  quit: x
> keys: {quit: ''}
> color: auto\ncolor: never
> - a
> color: auto\n---\ncolor: auto
> color: *x
> color: auto\ntheme: \xff
> END
line 3: there is no setting 'colour'; did you mean 'color'?
line 1: there is no setting 'zzzz'.
line 2: there is no setting 'a?[AGE'.
line 2: 'ascii' takes auto, yes or no, not 'maybe'.
line 1: 'escape_delay' takes a whole number from 0 to 1000, not '2000'.
line 1: 'escape_delay' takes a whole number from 0 to 1000, not '5x'.
line 1: 'mouse' takes no, yes, false, true, off or on, not 'perhaps'.
line 1: theme takes a single value.
line 1: theme has a NUL in it.
line 1: 'keys' takes actions with their keys.
line 2: 'quit' takes a key or a list of keys.
line 3: 'quit' occurs twice here.
line 1: a key of 'quit' is empty.
line 2: 'color' occurs twice here.
line 1: settings are lines of 'name: value'.
line 2: a second document begins here.
line 1: color takes a single value, no alias; quote what begins with *.
line 2: this is not YAML: invalid leading UTF-8 octet.

# Numbers.
$ . ./f; sed 's/.*/namespaces:\\n  a:\\n    max_items: &/' <<'END' | wrong | grep -c "line 3: 'max_items' takes a whole number from 0 to 9007199254740991, not '"
> -1
> 1.5
> 1e3
> 0x10
> nan
> .inf
> ''
> ~
> 9007199254740992
> 99999999999999999999999999
> +1
> ' 5'
> 5 5
> yes
> 1_000
> "\\u0663"
> END
16
$ . ./f; sed 's/.*/rate_limits:\\n  putMemory:\\n    window_seconds: &/' <<'END' | wrong | grep -c "line 3: 'window_seconds' takes a number above 0 and up to 31622400, not '"
> -1
> 0
> 0.0
> nan
> .nan
> inf
> .inf
> 1e3
> 0x1p3
> ''
> 1.2.3
> .
> 1,5
> ' 1'
> +1
> 31622401
> 99999999999999999999999999999999999999
> END
17

# Values that are too large or too deep are refused at once; the maximum number of names works.
$ . ./f; p() { echo pii:; echo "  patterns:"; for i in $(seq $1); do echo "    p$i: x"; done; }; p 59 >c.yaml; stemma --config c.yaml list values | wc -l; p 60 >c.yaml; stemma --config c.yaml list values
1
stemma: c.yaml line 62: there are more than 59 patterns. Correct that line or remove it; `stemma help config` shows every setting.
[3]
$ . ./f; n() { echo namespaces:; seq -f '  n%.0f: {}' 60000; }; n >c.yaml; stemma --config c.yaml list values | wc -l; { n; echo '  n17: {}'; } >c.yaml; stemma --config c.yaml list values
1
stemma: c.yaml line 60002: 'n17' occurs twice here. Correct that line or remove it; `stemma help config` shows every setting.
[3]
$ . ./f; for into in '' 'tool_permissions: ' 'namespaces: {a: ' 'agents: {a: {tool_permissions: {putMemory: {operations: ' 'pii: {patterns: {a: '; do for level in '[' '{' '{a: ' '- ' '? '; do python3 -c 'import sys; print(sys.argv[1] + sys.argv[2] * (200000 // len(sys.argv[2])), end="")' "$into" "$level" >c.yaml; stemma --config c.yaml list values; done; done 2>&1 | grep -c '^stemma: c.yaml line 1: '
25

# Without a grant a tool is denied, entirely or in a namespace.
$ echo 'export STEMMA_STORE=$PWD/n.db' >>f; . ./f; for n in session.data public.x; do stemma add entry k --field namespace=$n --field value=1 >/dev/null; done
> may "tool_permissions:\n  listMemory:\n    allowed_namespaces:\n      - \"*\"\n      - notes.*\n    operations: [READ]\n  putMemory: {allowed_namespaces: [a], operations: [write, read],\n              max_ttl_seconds: 0}\n  getContext: {allowed_context_types: [task], operations: [read]}\n  deleteMemory: {}\n"
> may '' >default; for c in "agents:\nnamespaces: ~\nrate_limits: null\npii:\n" "pii: {patterns: }\n"; do may "$c" | cmp - default; done; cat default
> while IFS= read -r c; do may "$c"; done <<'END' | sed -n '/any agent/d; /^namespace /d; s/;.*//; s/  *personal data.*//; p' | sort | uniq -c
> tool_permissions: {}
> tool_permissions: {listMemory: {}, getContext: {}, putMemory: {}}
> tool_permissions: {listMemory: {operations: [read]}, putMemory: {operations: [write]},\n  getContext: {operations: [read]}}
> tool_permissions: {listMemory: {allowed_namespaces: ['*']},\n  putMemory: {allowed_namespaces: ['*']}, getContext: {allowed_context_types: [task]}}
> tool_permissions: {listMemory: {allowed_namespaces: [], operations: []}}
> END
any agent
getContext  task; of other agents' memories it sees only ref and owner; personal data outside entries is masked
namespace     listMemory  getMemory  putMemory  deleteMemory  policy
public.x      read        read       denied     denied        personal data masked
session.data  read        read       denied     denied        personal data masked
*             read        read       denied     denied        personal data masked
a             read        read       write AGE   denied        personal data masked; ttl_seconds 0 at most (AGE)
notes.*       read        read       denied     denied        personal data masked
any agent
getContext  session, agent, task; of other agents' memories it sees only ref and owner; personal data outside entries is masked
namespace       listMemory  getMemory  putMemory  deleteMemory  policy
public.x        read        read       denied     denied        personal data masked
session.data    read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
agent.{self}    read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
agent.{self}.*  read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
public.*        read        read       denied     denied        personal data masked
session.*       read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE)
      1 *             denied      denied     denied     denied
      5 getContext  none
      5 public.x      denied      denied     denied     denied
      5 session.data  denied      denied     denied     denied

# An agent's own grants replace those of everybody, and an agent can be excluded.
$ . ./f; c="agents:\n  ash: {tool_permissions: {putMemory: {}}}\n  'Claire O.': {tool_permissions: {putMemory: {allowed_namespaces: [public.*],\n                                  operations: [write]}}}\n  nobody: {tool_permissions: {getContext: {}}}\n"; for a in ash 'Claire O.' Claire nobody; do may "$c" --agent "$a" | sed 's/  *personal data.*//'; done
ash
getContext  session, agent, task; of other agents' memories it sees only ref and owner;
namespace     listMemory  getMemory  putMemory  deleteMemory  policy
public.x      read        read       denied     denied
session.data  read        read       denied     denied
agent.ash     read        read       denied     denied
agent.ash.*   read        read       denied     denied
public.*      read        read       denied     denied
session.*     read        read       denied     denied
Claire O.
getContext  session, agent, task; of other agents' memories it sees only ref and owner;
namespace       listMemory  getMemory  putMemory  deleteMemory  policy
public.x        read        read       write      write
session.data    read        read       denied     denied
agent.{self}    read        read       denied     denied
agent.{self}.*  read        read       denied     denied
public.*        read        read       write      write
session.*       read        read       denied     denied
Claire
getContext  session, agent, task; of other agents' memories it sees only ref and owner;
namespace       listMemory  getMemory  putMemory  deleteMemory  policy
public.x        read        read       denied     denied
session.data    read        read       write AGE   write
agent.Claire    read        read       write AGE   write
agent.Claire.*  read        read       write AGE   write
public.*        read        read       denied     denied
session.*       read        read       write AGE   write
nobody
getContext  none; of other agents' memories it sees only ref and owner;
namespace       listMemory  getMemory  putMemory  deleteMemory  policy
public.x        read        read       denied     denied
session.data    read        read       write AGE   write
agent.nobody    read        read       write AGE   write
agent.nobody.*  read        read       write AGE   write
public.*        read        read       denied     denied
session.*       read        read       write AGE   write
$ . ./f; c="tool_permissions:\n  listMemory: {allowed_namespaces: ['*'], operations: [read]}\n  getMemory: {allowed_namespaces: ['*'], operations: [read]}\n  putMemory: {allowed_namespaces: ['*'], operations: [write]}\n  deleteMemory: {allowed_namespaces: ['*'], operations: [write]}\n  getContext: {allowed_context_types: [task], operations: [read]}\nagents: {ash: {tool_permissions: {listMemory: {}, getMemory: {}, putMemory: {}, deleteMemory: {}, getContext: {}}}}\n"; for a in ash claire; do may "$c" --agent $a | sed 's/  *personal data.*//'; done
ash
getContext  none; of other agents' memories it sees only ref and owner;
namespace     listMemory  getMemory  putMemory  deleteMemory  policy
public.x      denied      denied     denied     denied
session.data  denied      denied     denied     denied
claire
getContext  task; of other agents' memories it sees only ref and owner;
namespace     listMemory  getMemory  putMemory  deleteMemory  policy
public.x      read        read       write      write
session.data  read        read       write      write
*             read        read       write      write

# Policies and rates.
$ . ./f; c="namespaces:\n  \"session.*\": {pii: refuse, max_items: 3, max_bytes: 9007199254740991,\n                evict: oldest, consistency: strong}\n  public.x:\n    pii: off\n    evict: no\n    rate_limits: {putMemory: {}, listMemory: {per_second: .5, burst: 2}}\nrate_limits:\n  putMemory: {window_seconds: 1.5, window_calls: 2, per_second: 2, burst: 3}\n  getContext: {window_seconds: 60, window_calls: 10}\nshare: yes\npii: {mask: no, patterns: {badge: 'B-[0-9]{6}', de_iban: \"DE\\\\\\\\d{20}\"}}\n"; may "$c"; may "$c" --json | grep '"session.data"' | grep putMemory
any agent
getContext  session, agent, task; 10 calls in 60 s; of other agents' memories it sees all; personal data outside entries is not masked
namespace       listMemory  getMemory  putMemory  deleteMemory  policy
public.x        read        read       denied     denied        personal data not masked; listMemory 2 at once, 0.5 a second
session.data    read        read       write AGE   write         personal data refused, 3 items, 9.0 PB, the oldest is removed, strong; ttl_seconds 3600 at most (AGE); putMemory 2 calls in 1.5 s, 3 at once, 2 a second
agent.{self}    read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE); putMemory 2 calls in 1.5 s, 3 at once, 2 a second
agent.{self}.*  read        read       write AGE   write         personal data masked; ttl_seconds 3600 at most (AGE); putMemory 2 calls in 1.5 s, 3 at once, 2 a second
public.*        read        read       denied     denied        personal data masked; putMemory 2 calls in 1.5 s, 3 at once, 2 a second
session.*       read        read       write AGE   write         personal data refused, 3 items, 9.0 PB, the oldest is removed, strong; ttl_seconds 3600 at most (AGE); putMemory 2 calls in 1.5 s, 3 at once, 2 a second
{"agent":null,"tool":"putMemory","namespace":"session.data","access":"write","allowed":true,"rule":"session.*","because":"session.* in all agents' grant of putMemory","max_ttl_seconds":3600,"policy":{"pii":"refuse","max_items":3,"max_bytes":9007199254740991,"evict":"oldest","consistency":"strong","policy_of":"session.*"},"rate_limit":{"window_seconds":1.5,"window_calls":2,"per_second":2,"burst":3}}
{"agent":null,"tool":"deleteMemory","namespace":"session.data","access":"write","allowed":true,"rule":"session.*","because":"session.* in all agents' grant of putMemory","policy":{"pii":"refuse","max_items":3,"max_bytes":9007199254740991,"evict":"oldest","consistency":"strong","policy_of":"session.*"},"rate_limit":{}}

# The default path is optional, a given path is required.
$ . ./f; mkdir -p x/stemma; export XDG_CONFIG_HOME=$PWD/x; stemma list values | wc -l; echo 'theme: found' >x/stemma/config.yaml; stemma list values; stemma --config /nonexistent/config.yaml list values; stemma --config $PWD/x list values
stemma: nothing matched
0
stemma: DIR/x/stemma/config.yaml line 1: there is no theme `found`. auto, dark, light, high-contrast, monochrome and solarized come with stemma.
stemma: there is no file /nonexistent/config.yaml. Give the path of a configuration, or omit --config.
stemma: DIR/x is not a regular file. Give another with --config.
[3]

# A FIFO or a directory is refused as a configuration or a theme, and not waited for.
$ mkfifo pipe; mkdir folder; for c in pipe folder; do timeout 60 stemma --config $c list values; echo "theme: $PWD/$c" >t.yaml; timeout 60 stemma --config t.yaml list values; done
stemma: pipe is not a regular file. Give another with --config.
stemma: t.yaml line 1: the theme DIR/pipe is not a regular file.
stemma: folder is not a regular file. Give another with --config.
stemma: t.yaml line 1: the theme DIR/folder is not a regular file.
[3]

# Times are UTC or local, as people read and type them; JSON is UTC.
$ printf 'times: local\nstore: %s/story.db\n' "$PWD" >local.yaml; export TZ=IST-5:30; local() { stemma --config local.yaml "$@"; }; stemma show belief:ce930f73 | grep created; local show belief:ce930f73 | grep created; local show belief:ce930f73 --json | grep -o '"created_at":[^,]*' | head -1; local --as-of 1969-12-31 list beliefs
 created      2026-10-06 23:04:40Z (AGE)
 created      2026-10-07 04:34:40 (AGE)
"created_at":1791327880000
stemma: the store was empty at 1969-12-31: its first event is at NOW. Give a later time.
[1]
