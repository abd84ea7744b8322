import { Agent, get, type IncomingMessage } from 'node:http';

import { startSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { eventually, type TestPlatform } from '../../harness.ts';

/** A page that an owner has open and sees. */
export interface Tab {
  readonly cookie: string;
  readonly path: string;
  /** Kinds of events that redraw it. */
  readonly kinds: readonly string[];
}

/** A new session of an owner, as its cookie. */
export async function cookieOf(platform: TestPlatform, { id }: { id: number }): Promise<string> {
  const who = { agentId: id, rootId: id };
  const browser = { device: 'A test', address: '127.0.0.1' };
  return `session=${await startSession(platform.context.database, who, browser)}`;
}

/** Shows this page, as to who opens it. */
export async function showPage({ url }: { url: string }, { path, cookie }: Tab): Promise<void> {
  const reply = await fetch(url + path, { headers: { cookie, accept: 'text/html' } });
  if (reply.status !== 200) throw new Error(`a page was answered ${reply.status}`);
  await reply.arrayBuffer();
}

/**
 * Opens pages that do as the script of the console does: each fetches itself again when it is told
 * of a change that concerns it. They read answers and do nothing with them.
 */
export async function openTabs(
  { url }: { url: string },
  tabs: readonly Tab[],
  onPage?: (text: string) => void,
) {
  const agent = new Agent({ keepAlive: true });
  const streams = new Set<IncomingMessage>();
  const failures: unknown[] = [];
  let isOver = false;
  const count = { open: 0, told: 0, redraws: 0, mark: '' };

  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(url + path, { agent, headers }, resolve).on('error', reject);
    });

  async function redraw({ path, cookie }: Tab, position: string): Promise<void> {
    const headers = { cookie, accept: 'text/html', 'x-redraw': position };
    const reply = await ask(path, headers);
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    if (reply.statusCode !== 200) throw new Error(`a redraw was answered ${reply.statusCode}`);
    count.redraws += 1;
    onPage?.(Buffer.concat(chunks).toString());
  }

  async function follow(tab: Tab): Promise<void> {
    const stream = await ask(`/console/live?kinds=${tab.kinds.join()}`, { cookie: tab.cookie });
    if (stream.statusCode !== 200) throw new Error(`a stream was answered ${stream.statusCode}`);
    streams.add(stream);
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk as string;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        if (block.includes('retry:')) count.open += 1;
        if (!block.startsWith('event: changed')) continue;
        count.told += 1;
        count.mark = /^id: (.*)$/m.exec(block)![1]!;
        await redraw(tab, count.mark);
      }
    }
  }

  const following = tabs.map((tab) =>
    follow(tab).catch((error: unknown) => {
      if (!isOver) failures.push(error);
    }),
  );
  await eventually(
    async () => count.open + failures.length,
    (known) => known >= tabs.length,
  );
  return {
    count,
    close: async () => {
      isOver = true;
      for (const stream of streams) stream.destroy();
      agent.destroy();
      await Promise.all(following);
      if (failures.length > 0) throw failures[0];
      return count;
    },
  };
}
