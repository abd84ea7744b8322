import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Stands in front of an EVM node and answers like java-tron where that differs: it has no pending
 * and no `safe` block, blocks have no state root, addresses that begin with T are refused, and the
 * length of a batch is limited by the node's operator.
 */
export interface JavaTron {
  readonly url: string;
  close(): Promise<void>;
}

/** `batchMax`: maximum questions in a request, like node.jsonrpc.maxBatchSize. */
export async function startJavaTron(
  node: string,
  { port = 0, batchMax = 1 }: { readonly port?: number; readonly batchMax?: number } = {},
): Promise<JavaTron> {
  const server = createServer((request, response) => {
    void textOf(request)
      .then((text) => answerTo(node, JSON.parse(text) as Question | Question[], batchMax))
      .catch((error: Error) => refusal(null, -32_603, error.message))
      .then((answer) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}/jsonrpc`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

async function answerTo(node: string, asked: Question | Question[], batchMax: number) {
  if (!Array.isArray(asked)) return answerToOne(node, asked);
  if (asked.length > batchMax) {
    const said = `Batch size ${asked.length} exceeds the limit of ${batchMax}`;
    return refusal(null, -32_005, said);
  }
  return Promise.all(asked.map((question) => answerToOne(node, question)));
}

async function answerToOne(node: string, question: Question): Promise<object> {
  const { id, params = [] } = question;
  const text = JSON.stringify(params);
  if (/"(pending|safe)"/.test(text)) return refusal(id, -32_602, 'TAG pending not supported');
  if (/"T[1-9A-HJ-NP-Za-km-z]{33}"/.test(text)) return refusal(id, -32_602, 'invalid address');
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, jsonrpc: '2.0' }),
  });
  const found = (await answer.json()) as { result?: unknown };
  const isBlock = question.method.startsWith('eth_getBlockBy') && found.result;
  if (isBlock) return { ...found, result: { ...(found.result as object), stateRoot: '0x' } };
  return found;
}

const refusal = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
