import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers as the node behind it does, or breaks the connection: 'break'; or never: HANG. With an
 * Error, the node refuses the question.
 */
type Behaviour = (
  params: unknown[],
  forward: () => Promise<unknown>,
) => Promise<unknown> | 'break' | Promise<'break'>;

/** It takes the question, and says nothing. */
export const HANG = () => new Promise<never>(() => undefined);

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

/** A provider that tells the truth until a test says otherwise. */
export interface FaultyRpc {
  readonly url: string;
  /** From now on it answers this method so. */
  on(method: string, behaviour: Behaviour): void;
  /** How many requests it has got, of which each may ask several things. */
  requests(): number;
  /** Headers of the newest of them. */
  headers(): IncomingHttpHeaders;
  /** It tells the truth again. */
  honest(): void;
  close(): void;
}

export async function openFaultyRpc(node: string): Promise<FaultyRpc> {
  const behaviours = new Map<string, Behaviour>();
  let requests = 0;
  let headers: IncomingHttpHeaders = {};
  const server: Server = createServer((request, response) => {
    let text = '';
    requests += 1;
    headers = request.headers;
    request.on('data', (data) => (text += data));
    request.on('end', () => void answer(text));
    async function answer(body: string) {
      response.setHeader('content-type', 'application/json');
      if (behaviours.size === 0) return response.end(JSON.stringify(await ask(node, body)));
      const asked = JSON.parse(body);
      const batch: Question[] = Array.isArray(asked) ? asked : [asked];
      const answers = await Promise.all(batch.map(answerTo));
      if (answers.some(({ result }) => result === 'break')) return response.destroy();
      return response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    }
    async function answerTo(question: Question) {
      const body = JSON.stringify(question);
      const behaviour = behaviours.get(question.method);
      if (!behaviour) return ask(node, body);
      const forward = async () => (await ask(node, body)).result;
      const result = await behaviour(question.params, forward);
      if (!(result instanceof Error)) return { id: question.id, result };
      return { id: question.id, result: null, error: { code: 3, message: result.message } };
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (method, behaviour) => void behaviours.set(method, behaviour),
    requests: () => requests,
    headers: () => headers,
    honest: () => behaviours.clear(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function ask(node: string, body: string): Promise<{ result?: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(node, { method: 'POST', headers, body });
  return (await answer.json()) as { result?: unknown };
}
