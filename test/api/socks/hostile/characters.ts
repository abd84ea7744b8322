import { setTimeout as sleep } from 'node:timers/promises';

import { GREETING, login, RawClient, request } from '../raw_client.ts';

/** Orders of hostile clients, which are in a process of their own. */
export interface Order {
  readonly character: CharacterName;
  /** Port of the SOCKS5 server. */
  readonly port: number;
  readonly targetPort: number;
  /** Proxy keys of agents that are theirs. */
  readonly keys: readonly string[];
}

/** How often each thing happened to them. */
export type Got = Record<string, number>;

export type CharacterName = keyof typeof CHARACTERS;

const HERE = '127.0.0.31';
/** The first byte to a target that is to read no more. */
export const UNREAD = 'S';
const WRONG_KEY = `vnxp_${'A'.repeat(43)}`;

/** All that one character does until it is stopped. */
class Attack {
  readonly order: Order;
  readonly got: Got = {};
  isOver = false;
  readonly #open = new Set<RawClient>();

  constructor(order: Order) {
    this.order = order;
  }

  note(what: string): void {
    this.got[what] = (this.got[what] ?? 0) + 1;
  }

  async connect(from = HERE): Promise<RawClient> {
    const client = await RawClient.with(this.order.port, from);
    this.note('connected');
    this.#open.add(client);
    client.socket.once('close', () => this.#open.delete(client));
    return client;
  }

  /** Runs `act` again and again in each of several clients. */
  async repeat(clients: number, act: (n: number) => Promise<void>): Promise<void> {
    const one = async (n: number) => {
      while (!this.isOver) {
        await act(n).catch(() => this.note('failed'));
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, n) => one(n)));
  }

  /** Returns the answer to the login. */
  async logIn(client: RawClient, key: string, name = 'agent'): Promise<number | undefined> {
    client.send(GREETING);
    await client.read(2);
    client.send(login(name, key));
    const [, status] = await client.read(2);
    this.note(status === undefined ? 'disconnected' : status === 0 ? 'logged in' : 'login refused');
    return status;
  }

  /** Resolves with a client that has its connection to the target, if it is granted one. */
  async open(key: string, { from = HERE, port = this.order.targetPort, name = 'agent' } = {}) {
    const client = await this.connect(from);
    if ((await this.logIn(client, key, name)) === 0) {
      client.send(request('target.example', port));
      const [, reply] = await client.read(10);
      this.note(reply === undefined ? 'disconnected' : reply === 0 ? 'granted' : `reply ${reply}`);
      if (reply === 0) return client;
    }
    client.close();
    return undefined;
  }

  keyOf(n: number): string {
    return this.order.keys[n % this.order.keys.length]!;
  }

  stop(): void {
    this.isOver = true;
    for (const client of this.#open) client.socket.resetAndDestroy();
  }
}

const addressOf = (n: number) => `127.0.${1 + Math.floor(n / 200)}.${1 + (n % 200)}`;

/** Connects, says nothing, and does it again when it is disconnected. */
const reconnects = (clients: number, addresses: number) => (attack: Attack) =>
  attack.repeat(clients, async (n) => {
    const client = await attack.connect(addresses === 1 ? HERE : addressOf(n % addresses));
    await client.closed;
    attack.note('disconnected');
    client.socket.resetAndDestroy();
  });

/** Sends these bytes, one at a time. */
async function drip(attack: Attack, client: RawClient, bytes: Buffer, everyMs: number) {
  for (const byte of bytes) {
    if (attack.isOver || client.socket.destroyed) break;
    client.send(byte);
    await sleep(everyMs);
  }
}

export const CHARACTERS = {
  'reconnects, 1 000 at one address': reconnects(1_000, 1),
  'reconnects, 3 000 at one address': reconnects(3_000, 1),
  'reconnects, 1 000 at 250 addresses': reconnects(1_000, 250),
  'greets and says no more': (attack: Attack) =>
    attack.repeat(600, async (n) => {
      const client = await attack.connect(addressOf(n % 20));
      client.send(GREETING);
      await client.closed;
      attack.note('disconnected');
    }),
  'a byte every 300 ms': (attack: Attack) =>
    attack.repeat(300, async (n) => {
      const client = await attack.connect();
      const all = [GREETING, login('agent', attack.keyOf(n)), request('target.example', 443)];
      await Promise.race([drip(attack, client, Buffer.concat(all), 300), client.closed]);
      attack.note('disconnected');
      client.close();
    }),
  'ends its half after the greeting': (attack: Attack) =>
    attack.repeat(50, async () => {
      const client = await attack.connect();
      client.send(GREETING);
      client.socket.end();
      await client.closed;
      attack.note('disconnected');
    }),
  'names and keys of 255 bytes': (attack: Attack) =>
    attack.repeat(50, async () => {
      const client = await attack.connect();
      await attack.logIn(client, 'k'.repeat(255), 'n'.repeat(255));
      client.close();
    }),
  'other protocols': (attack: Attack) =>
    attack.repeat(50, async (n) => {
      const client = await attack.connect();
      const hello = [
        'GET / HTTP/1.1\r\n\r\n',
        '\x04\x01\x00\x50\x01\x01\x01\x01\x00',
        '\x16\x03\x01',
      ];
      client.send(hello[n % hello.length]!);
      await client.closed;
      attack.note('disconnected');
      client.close();
    }),
  'wrong keys': (attack: Attack) =>
    attack.repeat(200, async () => {
      const client = await attack.connect();
      await attack.logIn(client, WRONG_KEY);
      client.close();
    }),
  'forbidden targets': (attack: Attack) =>
    attack.repeat(100, async (n) => void (await attack.open(attack.keyOf(n), { port: 25 }))),
  'resets after the grant': (attack: Attack) =>
    attack.repeat(4, async (n) => {
      const client = await attack.open(attack.keyOf(n));
      client?.socket.resetAndDestroy();
    }),
  'leaves while a proxy is dialled': (attack: Attack) =>
    attack.repeat(20, async (n) => {
      const client = await attack.connect();
      if ((await attack.logIn(client, attack.keyOf(n))) === 0) {
        client.send(request('target.example', attack.order.targetPort));
        client.socket.end();
        await client.closed;
        attack.note('disconnected');
      }
      client.close();
    }),
  'never reads': (attack: Attack) =>
    attack.repeat(30, async (n) => {
      const client = await attack.open(attack.keyOf(n));
      if (!client) return;
      client.socket.pause();
      client.send(Buffer.alloc(2 ** 20)); // It comes back.
      await client.closed;
    }),
  'sends without end to a target that never reads': (attack: Attack) =>
    attack.repeat(30, async (n) => {
      const client = await attack.open(attack.keyOf(n));
      if (!client) return;
      client.send(UNREAD);
      const chunk = Buffer.alloc(65_536);
      while (client.socket.write(chunk)) attack.note('64 kB sent');
      await client.closed;
    }),
  'uses dead proxies': (attack: Attack) =>
    attack.repeat(10, async (n) => {
      const client = await attack.open(attack.keyOf(n), { name: 'agent-country-de' });
      client?.send('a request');
      await client?.closed;
      client?.close();
    }),
  'holds at a byte a second, 100 of each of 21 fresh accounts': (attack: Attack) =>
    attack.repeat(2_100, async (n) => {
      const client = await attack.open(attack.keyOf(n), { from: addressOf(n % 21) });
      while (client && !attack.isOver && !client.socket.destroyed) {
        client.send('x');
        await sleep(1_000);
      }
      await sleep(500); // Or the one who holds would also be one who reconnects.
    }),
} satisfies Record<string, (attack: Attack) => Promise<void>>;

export function startAttack(order: Order): Attack {
  const attack = new Attack(order);
  void CHARACTERS[order.character](attack);
  return attack;
}
