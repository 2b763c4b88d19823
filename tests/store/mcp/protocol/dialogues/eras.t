== client and server agree on a revision
> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2031-01-01"}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":""}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"a version that is far too long to be one of ours, whatever year it is"}}
< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"},"instructions":"Use it.\nNo name is granted to you here: an agent_id is kept as a claim."}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":20251125}}
< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params.protocolVersion must be a string"}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}
< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params.protocolVersion must be a string"}}

> {"jsonrpc":"2.0","id":0,"method":"initialize"}
< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params.protocolVersion must be a string"}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":null}}
< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params.clientInfo and params.capabilities must be objects"}}

> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":[]}}
< {"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"params.clientInfo and params.capabilities must be objects"}}

== modern requests need their meta
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"server/discover needs params._meta with io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}

> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"subscriptions/listen needs params._meta with io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta must have io.modelcontextprotocol/clientCapabilities, an object"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":null}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta must have io.modelcontextprotocol/clientCapabilities, an object"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta must have io.modelcontextprotocol/protocolVersion, a string"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta must have io.modelcontextprotocol/protocolVersion, a string"}}

> {"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":"a","error":{"code":-32022,"message":"this protocol version is not supported","data":{"supported":["2026-07-28"],"requested":"2027-01-01"}}}

> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"this protocol version is not supported","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown log level"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"dev.stemma/agent_id":"\u200b "}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta: dev.stemma/agent_id must be a string of 1 to 200 characters, not all blank"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"dev.stemma/task_id":"\u2003"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta: dev.stemma/task_id must be a string of 1 to 1000 characters, not all blank"}}

> {"jsonrpc":"2.0","id":1,"method":"nothing/here","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method \"nothing/here\""}}

> {"jsonrpc":"2.0","id":1,"method":"nothing/here","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method \"nothing/here\""}}

> {"jsonrpc":"2.0","id":1,"method":"notifications/initialized","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method \"notifications/initialized\""}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1.5},"name":"say"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params._meta.progressToken must be a string or an integer"}}

> {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":null}}}
< {"jsonrpc":"2.0","id":1,"result":{}}

== log levels are those of syslog
> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}
< {"jsonrpc":"2.0","id":1,"result":{}}

> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"emergency"}}
< {"jsonrpc":"2.0","id":1,"result":{}}

> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"Debug"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.level must be debug, info, notice, warning, error, critical, alert or emergency"}}

> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":1}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.level must be debug, info, notice, warning, error, critical, alert or emergency"}}

> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.level must be debug, info, notice, warning, error, critical, alert or emergency"}}

== lists have one page
> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{}}
< {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[{"uriTemplate":"fake://thing/{n}","name":"thing","title":"A thing","description":"One of nine.","mimeType":"text/plain"}]}}

> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"cursor":""}}
< {"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[{"uriTemplate":"fake://thing/{n}","name":"thing","title":"A thing","description":"One of nine.","mimeType":"text/plain"}]}}

> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no page for this cursor"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"cursor":null}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no page for this cursor"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}
< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"fake://thing/1","name":"one"}]}}

> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":""}}
< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"fake://thing/1","name":"one"}]}}

> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no page has that cursor. Begin anew."}}

> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":7}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.cursor must be a string"}}

> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{}}
< {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"greet","title":"Greet","description":"Greets someone.","arguments":[{"name":"name","description":"Whom.","required":true}]}]}}

> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no page for this cursor"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no page for this cursor"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":0}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"there is no page for this cursor"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resources":[{"uri":"fake://thing/1","name":"one"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

== resources are read
> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"fake://thing/1"}}
< {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"fake://thing/1","text":"a thing"}]}}

> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"uri":"fake://thing/1"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[{"uri":"fake://thing/1","text":"a thing"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"fake://thing/0"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no such thing","data":{"uri":"fake://thing/0"}}}

> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"uri":"fake://\u00fc"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such thing","data":{"uri":"fake://ü"}}}

> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":["fake://thing/1"]}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

== prompts are returned and arguments completed
> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"Ash"}}}
< {"jsonrpc":"2.0","id":1,"result":{"description":"A greeting","messages":[{"role":"user","content":{"type":"text","text":"Good morning"}}]}}

> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"Greet","arguments":{"name":"Ash"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a prompt"}}

> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a prompt"}}

> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":null}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.arguments must be an object or be left out"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"n","value":""}}}
< {"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["ash"],"total":1,"hasMore":false}}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"ref":{"type":"ref/resource","uri":"fake://thing/{n}"},"argument":{"name":"n","value":""}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","completion":{"values":["ash"],"total":1,"hasMore":false},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"no"},"argument":{"name":"n","value":""}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.ref.name must be the name of a prompt"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/tool","name":"say"},"argument":{"name":"n","value":""}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.ref.type must be ref/prompt or ref/resource"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource"},"argument":{"name":"n","value":""}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.ref.uri must be a string"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.ref and params.argument must be objects"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"n"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.argument must have a name and a value, both strings"}}

> {"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"n","value":""},"context":7}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.context must be an object"}}
