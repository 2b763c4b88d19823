# A configuration that is wrong is an error of every command, with its line.
$ try() { printf "$1" >c.yaml; for c in "list all" orphans export; do stemma --config c.yaml $c --store story.db 2>&1 >/dev/null; echo $?; done | sort | uniq -c | sort -rn; }
> try 'color: auto\ntheme: nosuch\n'; try 'theme: /dev/null/none\n'; try 'theme: {a: b}\n'; try 'mouse: 3\n'; try 'escape_delay: 1.5\n'; try 'keys:\n  fly: x\n'; try 'keys:\n  quit: Hyper\n'; try 'keys:\n  mark: m\n  quit: [x, C-x, x]\n'
> try 'keys:\n  quit: x\n  mark: z\n  help: x\n'; try 'keys:\n  help: x\n  mark: z\n  quit: x\n'; try "keys:\n  quit: ['']\n"; try 'tool_permissions:\n  putMemory: {operation: [write]}\n'; try "pii:\n  patterns:\n    a: x\n    b: '(y'\n"
      3 stemma: c.yaml line 2: there is no theme `nosuch`. neutral, light and mono come with stemma.
      3 3
      3 stemma: c.yaml line 1: there is no theme `/dev/null/none`. neutral, light and mono come with stemma.
      3 3
      3 stemma: c.yaml line 1: theme takes a single value. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'mouse' takes no, yes, false, true, off or on, not '3'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 1: 'escape_delay' takes a whole number from 0 to 1000, not '1.5'. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 2: there is no action `fly`. ? in the explorer lists what actions are called.
      3 3
      3 stemma: c.yaml line 2: there is no key `Hyper`. Keys are written as in j, C-d, Enter, PgDn, F1.
      3 3
      3 stemma: c.yaml line 3: the key x stands twice for `quit`. Write it once.
      3 3
      3 stemma: c.yaml line 4: the key x is bound to both `quit` and `help`. Give one of them another key.
      3 3
      3 stemma: c.yaml line 4: the key x is bound to both `quit` and `help`. Give one of them another key.
      3 3
      3 stemma: c.yaml line 2: a key of 'quit' is empty. Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 2: there is no part of a grant 'operation'; did you mean 'operations'? Correct that line or remove it; `stemma help config` shows every setting.
      3 3
      3 stemma: c.yaml line 4: the pattern 'b' of personal data is wrong at byte 3: missing closing parenthesis. Patterns are regular expressions of PCRE2.
      3 3

# What is right is taken.
$ for c in '' 'theme: mono\nkeys: {quit: [x, C-x], mouse: []}\n' 'keys:\n' 'theme:\n'; do printf "$c" >c.yaml; stemma --config c.yaml list values --store story.db | wc -l; done
1
1
1
1

# A broken one does not stand in the way of help.
$ echo '{[' >c.yaml; for c in --version --help 'list --help' 'help config'; do stemma --config c.yaml $c | wc -l; done | awk '{print ($1 > 0)}' | sort | uniq -c; stemma --config c.yaml list all
      4 1
stemma: c.yaml line 1: the configuration takes a single value. Correct that line or remove it; `stemma help config` shows every setting.
[3]
