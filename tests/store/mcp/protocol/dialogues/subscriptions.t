== only an existing resource can be subscribed to
> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"fake://thing/0"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no such thing","data":{"uri":"fake://thing/0"}}}

> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":""}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":7}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"fake://thing/1\u0000"}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string of less than 2048 bytes"}}

> {"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{"uri":"fake://thing/9"}}
< {"jsonrpc":"2.0","id":1,"result":{}}

> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourceSubscriptions":"fake://thing/1"}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.notifications.resourceSubscriptions must be an array of strings"}}

> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourceSubscriptions":["fake://thing/1",7]}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.notifications.resourceSubscriptions must be an array of strings"}}

> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.notifications must be an object"}}
