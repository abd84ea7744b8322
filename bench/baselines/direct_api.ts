import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import pg from 'pg';

import { authenticate } from '../../shared/domains/agents/authenticate.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { openContext } from '../../shared/composition/open_context.ts';
import { parse } from '../../shared/kernel/schema.ts';

// An API without a queue: it checks the key and the schema, and makes one SQL call for each
// request, the platform's own for one purchase. It writes no job row, so a repeated request would
// buy twice. It reads bodies like the platform, and has a configurable number of connections.
const config = readConfig();
const context = await openContext(config, { process: 'direct' });
await context.keys.look();
context.keys.start(() => undefined);
const poolOf = (max: number) => new pg.Pool({ connectionString: config.databaseUrl, max });
let pool = poolOf(16);
const op = catalog.get('purchase_product')!;

async function buy(req: IncomingMessage): Promise<string> {
  const token = req.headers.authorization!.slice('Bearer '.length);
  const { agentId } = await authenticate(context, token, { access: 'buy' });
  const input = parse(op.input, JSON.parse((await bodyOf(req)).toString())) as {
    product_id: number;
    quantity?: number;
  };
  const { rows } = await pool.query('select purchase_alone($1, $2, $3, $4, null) as answer', [
    newJobId(new Date()),
    agentId,
    input.product_id,
    input.quantity ?? 1,
  ]);
  return JSON.stringify(rows[0].answer);
}

function bodyOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on('error', reject);
  });
}

process.on('message', ({ connections }: { connections: number }) => {
  const before = pool;
  pool = poolOf(connections);
  void before.end().then(() => process.send!({}));
});

const server = createServer((req, res) => {
  buy(req).then(
    (body) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      res.end(body);
    },
    (error: unknown) => res.writeHead(500, { 'content-length': 0 }).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);
