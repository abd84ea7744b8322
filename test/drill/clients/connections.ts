import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

import { GREETING, login, request } from '../../api/socks/raw_client.ts';
import { countsOf } from '../calls/history.ts';
import type { Domain } from './domain.ts';
import { HOSTILE_COUNTRIES } from '../peers/hostile_proxies.ts';
import { connectionsLogged } from '../peers/socks_log.ts';
import { isAmongHostile, microsOf } from './goods.ts';

const PRICE = 1_000;
const TIMEOUT_MS = 10_000;
/** After so long a hostile client is gone. */
const HOSTILE_MS = 500;
/** The general failure of SOCKS5: what was charged may not have been refunded. */
const FAILURE = 1;

/** Bytes of a hostile client before it leaves: parts of a handshake, or another protocol. */
const HOSTILE: readonly Buffer[] = [
  Buffer.from([5]),
  GREETING,
  Buffer.concat([GREETING, Buffer.from([1, 255, 97])]),
  Buffer.concat([GREETING, login('agent', `vnxp_${'A'.repeat(43)}`)]),
  Buffer.from('GET / HTTP/1.1\r\n\r\n'),
];

/**
 * Connections through the SOCKS5 server, for $0.001 each: some are used once, one of each client is
 * held open while servers are killed, some leave by proxies that die, and some are hostile. They
 * have no key: whether one that broke was charged, the statement of the wallet says at the end.
 */
export const connections: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { agent, client, wallet, wrong } = trader;
    const counts = countsOf(trader.history, 'connection');
    let proxyKey: string | undefined;
    let paid = 0;
    let doubtful = 0;
    let held: Socket | undefined;

    async function use(keep = false): Promise<void> {
      if (proxyKey === undefined || trader.random.below(5) === 0) await readKey();
      if (wallet.micros < PRICE * 1_000) return; // A poor buyer's refusals are the other domains'.
      const startedAt = Date.now();
      counts.calls += 1;
      let outcome = await fetchBy(proxyKey!, keep);
      for (; outcome === 'refused'; outcome = await fetchBy(proxyKey!, keep)) {
        await client.pause('connection');
      }
      if (outcome === 'unknown') return noteDoubt();
      trader.history.spans.push({ operation: 'connection', startedAt, endedAt: Date.now() });
      counts.answered += 1;
      counts.performed += 1;
      paid += 1;
      wallet.micros -= PRICE;
    }

    /** Uses the connection that is held, if there is one: it was paid for once. */
    async function useHeld(): Promise<void> {
      if (!held) return;
      const counted = countsOf(trader.history, 'held connection');
      counted.calls += 1;
      const path = `/${randomUUID()}`;
      held.write(`GET ${path} HTTP/1.1\r\nhost: target\r\n\r\n`);
      const isServed = await readAnswer(held, path);
      counted.answered += 1;
      if (isServed) {
        counted.performed += 1;
        return;
      }
      held.destroy(); // Its server was killed, or frozen for too long.
      held = undefined;
    }

    /** Most grant the connection and serve nothing: what was refunded is known at the end. */
    async function useHostile(): Promise<void> {
      if (proxyKey === undefined) await readKey();
      if (wallet.micros < PRICE * 1_000) return;
      const { quick, slow } = HOSTILE_COUNTRIES;
      const country = trader.random.pick(isAmongHostile(agent) ? [...quick, ...slow] : quick);
      countsOf(trader.history, 'connection by a hostile proxy').calls += 1;
      const outcome = await fetchBy(proxyKey!, false, `agent-country-${country.toLowerCase()}`);
      if (outcome === 'served') wrong(`a proxy in ${country} has served`);
      if (outcome === 'unknown') noteDoubt();
    }

    async function beHostile(): Promise<void> {
      const counted = countsOf(trader.history, 'hostile connection');
      counted.calls += 1;
      const socket = connect({ host: '127.0.0.1', port: deployment.socksPort });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
      socket.write(trader.random.pick(HOSTILE));
      socket.end();
      setTimeout(() => socket.resetAndDestroy(), HOSTILE_MS).unref();
      counted.answered += 1;
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

    async function fetchBy(
      key: string,
      keep = false,
      name = 'agent-country-us',
    ): Promise<'served' | 'refused' | 'unknown'> {
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
        socket.write(login(name, key));
        const [, status] = await read(socket, 2);
        if (status !== 0) return 'refused';
        isRequested = true;
        socket.write(request('target.example', targetPort));
        const [, reply] = await read(socket, 10);
        if (reply !== 0) return reply === FAILURE ? 'unknown' : 'refused';
        const close = keep ? '' : 'connection: close\r\n';
        socket.write(`GET ${path} HTTP/1.1\r\nhost: target\r\n${close}\r\n`);
        const isServed = await readAnswer(socket, path);
        if (isServed && keep) held = socket;
        return isServed ? 'served' : 'unknown';
      } catch {
        return isRequested ? 'unknown' : 'refused';
      } finally {
        if (held !== socket) socket.destroy();
      }
    }

    return {
      steps: [
        {
          weight: 2,
          async run() {
            await useHeld();
            await use(!held);
          },
        },
        { weight: 1, run: useHostile },
        { weight: 1, run: beHostile },
      ],
      async compare({ database, same }) {
        held?.destroy();
        const [{ count }] = await database.query(
          `select count(*)::int from charge
            where agent_id = $1 and service = 'proxy' and refunded_credit + refunded_cash = 0
              and id not in (select charge_id from drill.all_proxy_sale)`,
          [agent.id],
        );
        same('charges', `connections of agent ${agent.id}`, { found: count, told: paid });
        // The log of a killed server lacks some connections; those that it has are true.
        const logged = connectionsLogged(deployment.logs, agent.id);
        const charges = await database.query(
          `select call_id as connection, c.id::text as charge,
                  refunded_credit + refunded_cash > 0 as refunded,
                  (refunded_credit + refunded_cash) in (0, $2) and (
                    select count(*) from charge_refund r where r.charge_id = c.id) <= 1 as exact
             from charge c where call_id = any ($1) order by 1`,
          [logged.map(({ connection }) => connection), PRICE],
        );
        same('connections of the log', `connections of agent ${agent.id} that were logged`, {
          found: charges,
          told: logged.map((one) => ({ ...one, exact: true })),
        });
      },
    };
  },
};

/** Whether a web server's answer ends with this path, before the connection does. */
async function readAnswer(socket: Socket, path: string): Promise<boolean> {
  let text = '';
  while (!text.endsWith(`\r\n\r\n${path}`)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk) text += String(chunk);
    else if (socket.destroyed || socket.readableEnded) return false;
    else {
      const ended = ['end', 'close'].map((event) => once(socket, event));
      await Promise.race([once(socket, 'readable'), ...ended]);
    }
  }
  return true;
}

/** Exactly so many bytes. Throws where the connection ends before. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk?.length === bytes) return chunk;
    if (socket.destroyed || socket.readableEnded) throw new Error('the connection has ended');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}
