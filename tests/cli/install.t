# `mcp install` shows what it would write and asks; without a terminal it says how to go on. All else in the file stays.
$ mkdir .cursor; printf '{\n\t"mcpServers": {\n\t\t"files": {"command": "npx"} // mine\n\t}\n}\n' >.cursor/mcp.json; stemma mcp install cursor | sed 's,"/[^"]*/stemma",STEMMA,'
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
DIR/.cursor/mcp.json
+   "stemma": {
+    "command": STEMMA,
+    "args": ["mcp", "--store", "DIR/story.db", "--agent", "cursor"]
+   },

$ stemma mcp install cursor --dry-run >/dev/null; cat .cursor/mcp.json; ls .cursor
{
	"mcpServers": {
		"files": {"command": "npx"} // mine
	}
}
mcp.json

$ python3 -m terminal y stemma mcp install cursor | sed 's,"/[^"]*/stemma",STEMMA,'; sed 's,"/[^"]*/stemma",STEMMA,' .cursor/mcp.json; ls .cursor; stemma mcp install cursor
DIR/.cursor/mcp.json
+   "stemma": {
+    "command": STEMMA,
+    "args": ["mcp", "--store", "DIR/story.db", "--agent", "cursor"]
+   },
Shall it be written? [y/N] y
stemma: written; restart Cursor. What it was is in DIR/.cursor/mcp.json.bak
{
	"mcpServers": {
		"stemma": {
			"command": STEMMA,
			"args": ["mcp", "--store", "DIR/story.db", "--agent", "cursor"]
		},
		"files": {"command": "npx"} // mine
	}
}
mcp.json
mcp.json.bak
DIR/.cursor/mcp.json has it already.

# Again with other options it changes them. Codex has TOML.
$ mkdir .codex; echo 'model = "x"' >.codex/config.toml; stemma mcp install codex --yes >/dev/null; stemma mcp install codex --yes --tools memory,reasoning --json | sed 's,"/[^"]*/stemma",STEMMA,'; sed 's,"/[^"]*/stemma",STEMMA,' .codex/config.toml
stemma: written; restart Codex. What it was is in DIR/.codex/config.toml.bak
{"client":"codex","file":"DIR/.codex/config.toml","agent":"codex","command":STEMMA,"args":["mcp","--store","DIR/story.db","--agent","codex","--tools","memory,reasoning"],"status":"done","copy":"DIR/.codex/config.toml.bak.2"}
model = "x"

[mcp_servers.stemma]
command = STEMMA
args = ["mcp", "--store", "DIR/story.db", "--agent", "codex", "--tools", "memory,reasoning"]

# A file that cannot be edited safely is left as it is, and what it would need is printed.
$ echo '{"mcpServers": []}' >.claude.json; stemma mcp install claude --yes | sed 's,"/[^"]*/stemma",STEMMA,'; cat .claude.json
stemma: DIR/.claude.json: cannot be edited safely: its "mcpServers" is not an object. Edit it by hand.
It would need this:
+ {
+   "mcpServers": {
+     "stemma": {
+       "type": "stdio",
+       "command": STEMMA,
+       "args": ["mcp", "--store", "DIR/story.db", "--agent", "claude-code"]
+     }
+   }
+ }
{"mcpServers": []}

# Mistakes.
$ cp $DATA/kernle-demo.db kernle.db; for words in install 'install curser' 'install emacs' instal 'install cursor now' 'install cursor --tools x' 'install cursor --agent unnamed' 'install cursor --store ""' 'install cursor --store kernle.db'; do eval "stemma mcp $words"; echo "[$?]"; done
stemma: 'mcp install' needs the name of a client. Write one of claude, claude-desktop, cursor, codex, vscode.
[2]
stemma: no client is called 'curser'. Did you mean `stemma mcp install cursor`?
[2]
stemma: no client is called 'emacs'. Write one of claude, claude-desktop, cursor, codex, vscode.
[2]
stemma: 'mcp' does not know what to do with 'instal'. Usage: `stemma mcp install CLIENT`.
[2]
stemma: 'mcp' does not know what to do with 'AGE'. Usage: `stemma mcp [install claude|claude-desktop|cursor|codex|vscode]`.
[2]
stemma: 'x' is not a set of tools. The sets are memory, kernle, attributions, reasoning, namespaces, review, all.
[2]
stemma: unnamed is what all sessions without a name are called. Leave --agent out, or give another name.
[2]
stemma: the path of the store is empty. Write --store PATH.
[2]
stemma: kernle.db is a store of Kernle, which stemma does not write. `stemma import kernle` makes a working copy: give that.
[3]

# Completion and the manual page come from the tables of the commands.
$ eval "$(stemma help bash)"; complete_line() { COMP_LINE="stemma $1"; COMP_POINT=${#COMP_LINE}; _stemma stemma; echo "$1: ${COMPREPLY[*]}"; }; for line in 'li' 'list ar' 'list all --ord' 'list all --order ' 'mcp install c' '--store x mc' 'help co'; do complete_line "$line"; done
li: list
list ar:
list all --ord: --order
list all --order : recorded created updated confidence text trust retrieved keystones
mcp install c: claude claude-desktop cursor codex
--store x mc: mcp
help co: confidence conflicts consolidate config

# So do refs, of the store that the line names: by kind, by id, and where an option takes one. bash divides words at colons. An id that a
# shell would read as more than a word is not offered.
$ eval "$(stemma help bash)"; complete_line() { COMP_LINE="stemma $1"; COMP_POINT=${#COMP_LINE}; _stemma stemma; echo "$1: ${COMPREPLY[*]}"; }; export STEMMA_STORE=$PWD/refs.db; printf '%s\n' '{"ref":"belief:aaaa1111","text":"first\u001b[2J"}' '{"ref":"belief:aaaa2222","text":"second"}' '{"ref":"note:bbbb3333","text":"third"}' '{"ref":"note:$(touch x);","text":"hostile"}' | stemma import jsonl - >/dev/null; for line in 'show bel' 'show belief:aaaa1' 'retract belief:aaaa1111 bbbb' 'show note:' 'add note x --from no' '--store nothere.db show b'; do complete_line "$line"; done; stemma help complete -- show belief:aaaa1
show bel: belief:ID1 belief:ID2
show belief:aaaa1: aaaa1111
retract belief:ID2 bbbb: bbbb3333
show note:: bbbb3333
add note x --from no: note:ID3
--store nothere.db show b:
belief:ID2	first�[2J

# So do the names of agents, after --agent and in a query. A name that a shell would not read as one word is not offered.
$ eval "$(stemma help bash)"; complete_line() { COMP_LINE="stemma $1"; COMP_POINT=${#COMP_LINE}; _stemma stemma; echo "$1: ${COMPREPLY[*]}"; }; export STEMMA_STORE=$PWD/names.db; printf '%s\n' '{"ref":"belief:aaaa1111","text":"x","agent_id":"ash"}' '{"ref":"belief:aaaa2222","text":"x","agent_id":"担当者"}' '{"ref":"belief:aaaa3333","text":"x","agent_id":"two words"}' '{"ref":"belief:aaaa4444","text":"x","agent_id":"$(touch x)"}' '{"ref":"belief:aaaa5555","text":"x","agent_id":"a\u202eb"}' | stemma import jsonl - >/dev/null; for line in 'list --agent ' 'list --agent 担' 'list agent:' 'list -agent:' 'log agent:as' 'add belief x --agent a' '--store nothere.db list --agent ' 'list agent:ash con' 'list "agent:ash con' "list 'x -agent:a" 'list "a b" conf'; do complete_line "$line"; done; stemma help complete list agent:; stemma help complete list 'agent:ash con'
list --agent : ash 担当者
list --agent 担: 担当者
list agent:: ash 担当者
list -agent:: ash 担当者
log agent:as: ash
add belief x --agent a: ash
--store nothere.db list --agent :
list agent:ash con: confidence:
list "agent:ash con: agent:ash confidence:
list 'x -agent:a: x -agent:ash
list "a b" conf: confidence:
agent:ash
agent:担当者
agent:ash confidence:	its confidence as lists show it, 0 to 1

$ stemma help man | grep -c '^\.SS '; stemma help man | grep -A 3 '^.SS stemma lock'; stemma help man-config | head -4; stemma help man x
69
.SS stemma lock REF…
lock memories: agents cannot change them, nobody can forget them.
.PP
Agents do not change a locked memory, and nobody forgets it, until it is unlocked.
.TH STEMMA\-CONFIG 5 "" "stemma 0.1.0"
.SH NAME
stemma\-config \- the settings of stemma
.SH DESCRIPTION
stemma: 'help' does not know what to do with 'x'. Usage: `stemma help COMMAND`.
[2]
