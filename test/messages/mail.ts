import type { Reply, TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';

export const GOODS = { stock_kind: 'unlimited', content: 'It.', price: 0.01 };

interface Shown {
  readonly message_id: number;
  readonly from_agent_id: number;
  readonly text: { readonly untrusted: boolean; readonly content: string };
  readonly [field: string]: unknown;
}

/** Sends and reads messages, newest first. */
export function mailOf(platform: () => TestPlatform) {
  const send = ({ key }: { key: string }, body: object, headers = {}): Promise<Reply> =>
    platform().request('POST /api/v1/messages', {
      key,
      body: { text: 'Is it for one computer?', ...body },
      headers,
    });
  const read = async ({ key }: { key: string }, query = ''): Promise<Shown[]> =>
    done(await platform().request(`GET /api/v1/messages${query}`, { key })).messages;
  const textsOf = async (reader: { key: string }, query = '') =>
    (await read(reader, query)).map(({ text }) => text.content);
  return { send, read, textsOf };
}
