// Connects standard input and output to a store's socket, like `socat STDIO UNIX-CONNECT:PATH`.
import net from 'node:net';

const socket = net.connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('close', () => process.exit(0));
socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
});
