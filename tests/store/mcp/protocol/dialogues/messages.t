== an invalid line gets one error
> nonsense
> {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: an unexpected character at byte 1"}}
< {"jsonrpc":"2.0","id":1,"result":{}}

> {"jsonrpc":"2.0","id":1,
> "method":"ping"}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: unexpected end at byte 25"}}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: text after the value at byte 9"}}

> 7
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"a message must be a JSON object"}}

> {}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"method must be a string"}}

> {"jsonrpc":"2.0","id":3}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"method must be a string"}}

> {"id":3,"method":"ping"}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}}

> {"jsonrpc":"2.0","id":null,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

> {"jsonrpc":"2.0","id":1.5,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

> {"jsonrpc":"2.0","id":{},"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

> {"jsonrpc":"2.0","id":[1],"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

> {"jsonrpc":"2.0","id":true,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

> {"jsonrpc":"2.0","id":1,"method":"ping","params":null}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object or be left out"}}

> {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object or be left out"}}

> {"jsonrpc":"2.0","id":1,"method":"ping","id":1}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"JSON with a duplicate key at byte 41"}}

> {"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":1}}
< {"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"JSON with a duplicate key at byte 57"}}

> []
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"only the revision 2025-03-26 has arrays of messages: send each message on its own line"}}

> [{"jsonrpc":"2.0","id":1,"method":"ping"}]
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"only the revision 2025-03-26 has arrays of messages: send each message on its own line"}}

> {"jsonrpc":"2.0","id":1,"method":"ping","extra":{"a":[]},"x":null}
< {"jsonrpc":"2.0","id":1,"result":{}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> nonsense
> {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: an unexpected character at byte 1"}}
< {"jsonrpc":"2.0","id":1,"result":{}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1,
> "method":"ping"}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: unexpected end at byte 25"}}
< {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: text after the value at byte 9"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> 7
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"a message must be a JSON object"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"method must be a string"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":3}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"method must be a string"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"id":3,"method":"ping"}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":null,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1.5,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":{},"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":[1],"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":true,"method":"ping","params":{}}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"id must be a string or an integer"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1,"method":"ping","params":null}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object or be left out"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object or be left out"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1,"method":"ping","id":1}
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"JSON with a duplicate key at byte 41"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":1}}
< {"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"JSON with a duplicate key at byte 57"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> []
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"only the revision 2025-03-26 has arrays of messages: send each message on its own line"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> [{"jsonrpc":"2.0","id":1,"method":"ping"}]
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"only the revision 2025-03-26 has arrays of messages: send each message on its own line"}}

^ {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}
> {"jsonrpc":"2.0","id":1,"method":"ping","extra":{"a":[]},"x":null}
< {"jsonrpc":"2.0","id":1,"result":{}}

== notifications and responses get no answer
> {"jsonrpc":"2.0","method":"notifications/initialized","params":{}}

> {"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{}}

> {"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}

> {"jsonrpc":"2.0","method":"tools/call","params":{"name":"say"}}

> {"jsonrpc":"2.0","method":"notifications/cancelled","params":null}

> {"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}

> {"method":"notifications/cancelled"}

> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}

> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[7]}}

> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99,"reason":"never asked"}}

> {"jsonrpc":"2.0","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}

> {"jsonrpc":"2.0","id":5,"result":{}}

> {"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"no"}}

> {"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}
