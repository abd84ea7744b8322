import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);

// Receives the webhooks of all subscribers in a process of its own, and reports their number.
let received = 0;
const server = createServer((req, res) => {
  req.resume().on('end', () => {
    received += 1;
    res.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
process.on('message', () => void process.send!(received));
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
