import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers as the node behind it does, or breaks the connection: 'break'. */
type Behaviour = (
  params: unknown[],
  forward: () => Promise<unknown>,
) => Promise<unknown> | 'break' | Promise<'break'>;

/** A provider that tells the truth until a test says otherwise. */
export interface FaultyRpc {
  readonly url: string;
  /** From now on it answers this method so. */
  on(method: string, behaviour: Behaviour): void;
  /** It tells the truth again. */
  honest(): void;
  close(): void;
}

export async function openFaultyRpc(node: string): Promise<FaultyRpc> {
  const behaviours = new Map<string, Behaviour>();
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data));
    request.on('end', () => void answer(text));
    async function answer(body: string) {
      const { id, method, params } = JSON.parse(body);
      const forward = async () => (await ask(node, body)).result;
      const behaviour = behaviours.get(method);
      const found = behaviour ? { id, result: await behaviour(params, forward) } : undefined;
      if (found?.result === 'break') return response.destroy();
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify(found ?? (await ask(node, body))));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (method, behaviour) => void behaviours.set(method, behaviour),
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
