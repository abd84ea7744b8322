import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

import { GREETING, login, request } from '../../api/socks/raw_client.ts';
import { countsOf } from '../calls/history.ts';
import type { Domain } from './domain.ts';
import { microsOf } from './goods.ts';

const PRICE = 1_000;
const TIMEOUT_MS = 10_000;
/** The general failure of SOCKS5: what was charged may not have been refunded. */
const FAILURE = 1;

/**
 * Connections through the SOCKS5 server, for $0.001 each. They have no key: whether one that broke
 * was charged, the statement of the wallet says at the end.
 */
export const connections: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { agent, client, wallet, wrong } = trader;
    const counts = countsOf(trader.history, 'connection');
    let proxyKey: string | undefined;
    let paid = 0;
    let doubtful = 0;

    async function use(): Promise<void> {
      if (proxyKey === undefined || trader.random.below(5) === 0) await readKey();
      if (wallet.micros < PRICE * 1_000) return; // A poor buyer's refusals are the other domains'.
      const startedAt = Date.now();
      counts.calls += 1;
      let outcome = await fetchBy(proxyKey!);
      for (; outcome === 'refused'; outcome = await fetchBy(proxyKey!)) {
        await client.pause('connection');
      }
      if (outcome === 'unknown') return noteDoubt();
      trader.history.spans.push({ operation: 'connection', startedAt, endedAt: Date.now() });
      counts.answered += 1;
      counts.performed += 1;
      paid += 1;
      wallet.micros -= PRICE;
    }

    async function readKey(): Promise<void> {
      const operation = 'proxy_my_key';
      const answer = await client({ agent, operation, input: {}, repeatable: true });
      const { key } = answer!.body;
      if (answer!.status !== 200 || (proxyKey ?? key) !== key) {
        wrong(`the proxy key changed to ${answer!.text}`);
      }
      proxyKey = key;
    }

    /** The statement is read once for all connections in doubt. */
    function noteDoubt(): void {
      doubtful += 1;
      const isFirst = doubtful === 1;
      trader.expectLast('connection', async () => {
        if (!isFirst) return;
        const more = (await connectionsPaid()) - paid;
        if (more < 0 || more > doubtful) {
          wrong(`${paid + more} connections are paid, of which ${paid} + ${doubtful} are known`);
        }
        paid += more;
        wallet.micros -= more * PRICE;
      });
    }

    /** Charges for one proxy without a sale of proxies, less what was refunded. */
    async function connectionsPaid(): Promise<number> {
      let micros = 0;
      for (let cursor: string | undefined; ;) {
        const input = { limit: 100, ...(cursor && { cursor }) };
        const call = { agent, operation: 'wallet_statement', input, repeatable: true };
        const { entries, next_cursor } = (await client(call))!.body;
        for (const { kind, amount } of entries as { kind: string; amount: number }[]) {
          if (['proxy.charge', 'proxy.refund'].includes(kind)) micros -= microsOf(amount);
        }
        if (!next_cursor) return micros / PRICE - wallet.proxies;
        cursor = next_cursor;
      }
    }

    async function fetchBy(key: string): Promise<'served' | 'refused' | 'unknown'> {
      const path = `/${randomUUID()}`;
      const { targetPort } = deployment.outside;
      const socket = connect({ host: '127.0.0.1', port: deployment.socksPort! });
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
      socket.on('error', () => undefined);
      let isRequested = false;
      try {
        await once(socket, 'connect');
        socket.write(GREETING);
        await read(socket, 2);
        socket.write(login('agent-country-us', key));
        const [, status] = await read(socket, 2);
        if (status !== 0) return 'refused';
        isRequested = true;
        socket.write(request('target.example', targetPort));
        const [, reply] = await read(socket, 10);
        if (reply !== 0) return reply === FAILURE ? 'unknown' : 'refused';
        socket.write(`GET ${path} HTTP/1.1\r\nhost: target\r\nconnection: close\r\n\r\n`);
        let text = '';
        for await (const chunk of socket) text += String(chunk);
        return text.endsWith(`\r\n\r\n${path}`) ? 'served' : 'unknown';
      } catch {
        return isRequested ? 'unknown' : 'refused';
      } finally {
        socket.destroy();
      }
    }

    return {
      steps: [{ weight: 2, run: use }],
      async compare({ database, same }) {
        const [{ count }] = await database.query(
          `select count(*)::int from charge
            where agent_id = $1 and service = 'proxy' and refunded_credit + refunded_cash = 0
              and id not in (select charge_id from drill.all_proxy_sale)`,
          [agent.id],
        );
        same('charges', `connections of agent ${agent.id}`, { found: count, told: paid });
      },
    };
  },
};

/** Exactly so many bytes. Throws where the connection ends before. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk?.length === bytes) return chunk;
    if (socket.destroyed || socket.readableEnded) throw new Error('the connection has ended');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}
