import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// What HTTP costs in Node without any work: only compared with.
const body = JSON.stringify({ status: 'ok' });
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  res.end(body);
});
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);
