== tools are called
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi"}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"said\":\"hi\",\"agent\":\"unnamed\"}"}],"structuredContent":{"said":"hi","agent":"unnamed"}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi","agent_id":"ash"}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"said\":\"hi\",\"agent\":\"?ash\"}"}],"structuredContent":{"said":"hi","agent":"?ash"}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hi","agent_id":""}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"said\":\"hi\",\"agent\":\"unnamed\"}"}],"structuredContent":{"said":"hi","agent":"unnamed"}}}

> {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"say","arguments":{"text":"hi"}}}
< {"jsonrpc":"2.0","id":"x","result":{"resultType":"complete","content":[{"type":"text","text":"{\"said\":\"hi\",\"agent\":\"unnamed\"}"}],"structuredContent":{"said":"hi","agent":"unnamed"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"ref\":\"belief:1\"}"}],"structuredContent":{"ref":"belief:1"}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"ref\":\"belief:1\"}"}],"structuredContent":{"ref":"belief:1"}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lines","arguments":{}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"a\":[1,2],\"b\":\" x\\n \\\"y\\\" \\\\ \"}"}],"structuredContent":{"a":[1,2],"b":" x\n \"y\" \\ "}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"picture","arguments":{}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"picture"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"image","data":"AA==","mimeType":"image/png"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

== a malformed call is an error of the protocol
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a tool"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call"}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a tool"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a tool"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a tool"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say\u0000"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.name must be the name of a tool"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no tool \"\". There are say, fail, wait, count, write, fill, lines, picture, tell"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Say"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no tool \"Say\". The nearest is say"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"sa\u202ey"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no tool \"sa\u202ey\". There are say, fail, wait, count, write, fill, lines, picture, tell"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":null}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.arguments must be an object or be left out"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":[]}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.arguments must be an object or be left out"}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":"text"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.arguments must be an object or be left out"}}

== progress and log messages come before the answer
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":7},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"7"},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"7","progress":1,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"7","progress":2,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":""},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"","progress":1,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"","progress":2,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":null},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":0,"io.modelcontextprotocol/logLevel":"debug"},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":2,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"fake","data":"count: counted"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"alert"},"name":"count","arguments":{"to":2}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

== events of a tool come with its answer
# They are data under the tool's own logger; a failed call has one event.
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell"}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"fake.events","data":{"one":1}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"fake.events","data":{"two":[null,"2"]}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{"how":7}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"fake.events","data":{"error":"no","timely":true}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"type\":\"error\",\"error\":{\"code\":\"CONFLICT\",\"message\":\"no\",\"details\":{}}}"}],"structuredContent":{"type":"error","error":{"code":"CONFLICT","message":"no","details":{}}},"isError":true}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{"how":"so"}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"fake.events","data":{"error":"how is a string","timely":true}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"type\":\"error\",\"error\":{\"code\":\"INVALID_REQUEST\",\"message\":\"how is a string\",\"details\":{\"todo\":\"Give a whole number.\"}}}"}],"structuredContent":{"type":"error","error":{"code":"INVALID_REQUEST","message":"how is a string","details":{"todo":"Give a whole number."}}},"isError":true}}

> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"notice"}}
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell"}}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}

> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"notice"}}
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{"how":7}}}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"fake.events","data":{"error":"no","timely":true}}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"type\":\"error\",\"error\":{\"code\":\"CONFLICT\",\"message\":\"no\",\"details\":{}}}"}],"structuredContent":{"type":"error","error":{"code":"CONFLICT","message":"no","details":{}}},"isError":true}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"tell"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"},"name":"tell"}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"fake.events","data":{"one":1}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"fake.events","data":{"two":[null,"2"]}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}

> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"error"},"name":"tell"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{}"}],"structuredContent":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"A fake","version":"1.2.3"}}}}
