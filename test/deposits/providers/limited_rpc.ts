import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Limits of a public plan, and the words in which it refuses more. */
interface Plan {
  readonly batch?: { readonly max: number; readonly status: number; readonly error: object };
  readonly logs?: { readonly blocksMax: number; readonly error: (from: number) => object };
  /** Requests in a second; more are answered 429, with a pause. */
  readonly perSecond?: number;
  /** Seconds of that pause; 1 if absent. */
  readonly pauseSeconds?: number;
  /** Hash of its first block, as the network that it plays has it. */
  readonly firstBlock?: string;
  /** It has no state and no logs of older blocks than so many. */
  readonly keptBlocks?: number;
}

const hexOf = (number: number) => `0x${number.toString(16)}`;

/** The limits that five public plans have, in their words. */
export const PLANS: Readonly<Record<string, Plan>> = {
  'batches of 3': {
    batch: {
      max: 3,
      status: 500,
      error: {
        code: 31,
        message:
          'Batch of more than 3 requests are not allowed on free tier, see https://a.example',
      },
    },
    logs: {
      blocksMax: 500,
      error: () => ({ code: -32_602, message: 'exceed maximum block range: 500' }),
    },
  },
  'logs of 10 blocks': {
    batch: { max: 100, status: 400, error: { code: -32_600, message: 'Batch size limit is 100' } },
    logs: {
      blocksMax: 10,
      error: (from) => ({
        code: -32_600,
        message:
          'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block ' +
          'range. Based on your parameters, this block range should work: ' +
          `[${hexOf(from)}, ${hexOf(from + 9)}].`,
      }),
    },
  },
  'logs of 5 blocks': {
    batch: { max: 10, status: 413, error: { code: -32_600, message: 'payload too large' } },
    logs: {
      blocksMax: 5,
      error: () => ({ code: -32_615, message: 'eth_getLogs is limited to a 5 range' }),
    },
  },
  'so many requests a second': { perSecond: 8 },
  'no old blocks': {
    batch: { max: 10, status: 200, error: { code: -32_005, message: 'max batch size: 10' } },
    logs: {
      blocksMax: 2_000,
      error: () => ({ code: -32_005, message: 'query returned more than 10000 results' }),
    },
    keptBlocks: 128,
  },
};

/** A node that takes what the plan allows. It counts what it has refused. */
export interface LimitedRpc {
  readonly url: string;
  requests(): number;
  refused(): number;
  close(): void;
}

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const tooMany = (seconds: number): Reply => ({
  status: 429,
  body: 'Too Many Requests',
  headers: { 'retry-after': String(seconds) },
});

/** `plan`: its limits. `node`: the chain behind it. */
export async function openLimitedRpc(node: string, plan: Plan): Promise<LimitedRpc> {
  let [requests, refused, ofThisSecond] = [0, 0, 0];

  async function replyTo(asked: Question | Question[]): Promise<Reply> {
    requests += 1;
    if (plan.perSecond !== undefined) {
      if (ofThisSecond === 0) setTimeout(() => (ofThisSecond = 0), 1_000).unref();
      ofThisSecond += 1;
      if (ofThisSecond > plan.perSecond) {
        refused += 1;
        return tooMany(plan.pauseSeconds ?? 1);
      }
    }
    if (!Array.isArray(asked)) return { status: 200, body: await answerTo(asked) };
    const { batch } = plan;
    if (batch && asked.length > batch.max) {
      refused += 1;
      return { status: batch.status, body: { jsonrpc: '2.0', id: null, error: batch.error } };
    }
    return { status: 200, body: await Promise.all(asked.map(answerTo)) };
  }

  async function answerTo(question: Question): Promise<object> {
    const error = await faultOf(question);
    if (error) refused += 1;
    if (error) return { jsonrpc: '2.0', id: question.id, error };
    const answer = (await post(node, question)) as { result?: object };
    const isFirst = question.method === 'eth_getBlockByNumber' && question.params[0] === '0x0';
    if (!isFirst || plan.firstBlock === undefined) return answer;
    return { ...answer, result: { ...answer.result, hash: plan.firstBlock } };
  }

  async function faultOf({ method, params }: Question): Promise<object | undefined> {
    if (method === 'eth_getLogs') {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      const from = Number(fromBlock);
      const { logs } = plan;
      if (logs && Number(toBlock) - from >= logs.blocksMax) return logs.error(from);
      if (await isGone(from)) {
        return { code: -32_701, message: 'History has been pruned for this block.' };
      }
    }
    if (method === 'eth_call' && (await isGone(await numberOf(params[1] as string)))) {
      return {
        code: -32_000,
        message: 'missing trie node 5a5a5a (path ) state 0x5a not available',
      };
    }
    return undefined;
  }

  const numberOf = async (block: string): Promise<number> => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [block, false] };
    const { result } = (await post(node, asked)) as { result: { number: string } };
    return Number(result.number);
  };
  const isGone = async (block: number): Promise<boolean> =>
    plan.keptBlocks !== undefined && (await numberOf('latest')) - block >= plan.keptBlocks;

  const server: Server = createServer((request, response) => {
    void request.toArray().then(async (chunks) => {
      const { status, body, headers } = await replyTo(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(status, headers);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    refused: () => refused,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function post(node: string, question: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(node, { method: 'POST', headers, body: JSON.stringify(question) });
  return answer.json();
}
