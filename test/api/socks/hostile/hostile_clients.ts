import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { audit } from '../../../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../../../faults/children.ts';
import { percentile } from '../../../faults/market.ts';
import type { Goals } from '../../../faults/stalls.ts';
import { eventually } from '../../../harness.ts';
import { programArguments } from '../../../programs.ts';
import { GREETING, login, RawClient, request, requestTarget } from '../raw_client.ts';
import { Rig } from '../rig.ts';
import { CHARACTERS, UNREAD, type CharacterName, type Got, type Order } from './characters.ts';
import type { Measured } from './measured_server.ts';

const HONEST = '127.0.0.99';
/** Connections of the honest client beside each character. */
const TIMES = 12;
/** Number of times where nothing is measured. */
const TIMES_FEW = 2;
const MEMORY_MB_MAX = 512;
const STALL_MS_MAX = 100;
/** Some tens of thousands of connections, each kept, would be more. */
const USED_MB_MORE_MAX = 40;
/** The delay that a shared core may add, with or without hostile clients. */
const JITTER_MS = 30;
/** How far away the honest clients of the two attacks are. */
const AWAY_MS = 100;

const TWO_ATTACKS: readonly CharacterName[] = [
  'reconnects, 1 000 at one address',
  'holds at a byte a second, 100 of each of 21 fresh accounts',
];
const names = Object.keys(CHARACTERS) as CharacterName[];

export const hostileClients = (goals: Goals) =>
  describe('an honest client of the SOCKS5 server', function () {
    this.timeout(120_000);

    const each = goals.areMeasured ? TIMES : TIMES_FEW;
    let rig: Rig;
    let server: Child;
    let port: number;
    let honest: Awaited<ReturnType<Rig['agent']>>;
    /** Keys of the hostile clients: some of their agents have paid, some have welcome credit. */
    let paying: string[];
    let fresh: string[];
    let quiet: number[];
    let usedBefore: number;
    const rows: string[][] = [];
    const attackers = new Set<ChildProcess>();

    before(async () => {
      rig = await Rig.open((env) => openPlatform({ env, workers: false }));
      rig.serve = (socket) => {
        socket.once('data', (first: Buffer) => {
          if (first.toString('latin1', 0, 1) === UNREAD) return void socket.pause();
          socket.write(first);
          return void socket.pipe(socket);
        });
      };
      await Promise.all([rig.proxy('US'), rig.proxy('US'), rig.proxy('DE', 'mute')]);
      honest = await rig.agent({ usd: 10 });
      paying = (await agents(10, { usd: 10 })).map(({ proxyKey }) => proxyKey);
      fresh = (await agents(21, {})).map(({ proxyKey }) => proxyKey);
      server = await child(rig.platform, 'test/api/socks/hostile/measured_server.ts', rig.env);
      port = Number(new URL(server.url).port);
      await times(each);
      quiet = await times(2 * each);
      usedBefore = (await measured()).usedMb;
    });
    afterEach(async () => {
      for (const attacker of attackers) attacker.kill('SIGKILL');
      attackers.clear();
      RawClient.closeAll();
      await eventually(measured, ({ open }) => open === 0);
    });
    after(async () => {
      // Nothing is kept of those who were there.
      const { usedMb } = await measured();
      if (goals.areMeasured) print(usedMb);
      await endChildren();
      const faults = await audit(rig.platform.context.database);
      await rig.close();
      expect(usedMb - usedBefore, 'MB more in use').to.be.below(USED_MB_MORE_MAX);
      expect(faults).to.deep.equal([]);
    });

    async function agents(count: number, options: { usd?: number }) {
      const made: Awaited<ReturnType<Rig['agent']>>[] = [];
      for (let n = 0; n < count; n += 1) made.push(await rig.agent(options));
      return made;
    }

    async function measured(): Promise<Measured> {
      server.process.send('measure');
      const [answer] = (await once(server.process, 'message')) as [Measured];
      return answer;
    }

    /** How long a connection takes that is opened, used and closed; so many times. */
    async function times(count: number): Promise<number[]> {
      const found: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const from = performance.now();
        const to = { key: honest.proxyKey, name: 'agent-country-us', from: HONEST };
        const told = await requestTarget({ port }, { ...to, port: rig.plainPort });
        expect(told.reply, 'the reply').to.equal(0);
        told.client.send('ping');
        expect(String(await told.client.read(4))).to.equal('ping');
        found.push(performance.now() - from);
        told.client.close();
      }
      return found;
    }

    /** Starts hostile clients of this character. Resolves with what stops them. */
    async function attack(character: CharacterName): Promise<() => Promise<Got>> {
      const program = programArguments('test/api/socks/hostile/hostile_process.ts');
      const attacker = spawn(process.execPath, program, {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      attackers.add(attacker);
      await once(attacker, 'message');
      const keys = character.includes('fresh') ? fresh : paying;
      const order: Order = { character, port, targetPort: rig.plainPort, keys };
      attacker.send(order);
      await once(attacker, 'message');
      return async () => {
        attacker.send('stop');
        const [got] = (await once(attacker, 'message')) as [Got];
        return got;
      };
    }

    /** One that is 100 ms away, so that all it says comes so much later. */
    async function fromAfar(key: string, from: string): Promise<number | undefined> {
      const began = performance.now();
      const client = await RawClient.with(port, from);
      const said = [
        [GREETING, 2],
        [login('agent-country-us', key), 2],
        [request('target.example', rig.plainPort), 10],
      ] as const;
      for (const [bytes, answered] of said) {
        await sleep(AWAY_MS);
        client.send(bytes);
        if ((await client.read(answered))[1] !== (answered === 2 && bytes === GREETING ? 2 : 0)) {
          client.close();
          return undefined;
        }
      }
      client.send('ping');
      const isServed = String(await client.read(4)) === 'ping';
      client.close();
      return isServed ? performance.now() - began : undefined;
    }

    function note(character: string, got: Got, beside: readonly number[], of: Measured): void {
      const { memoryMb, usedMb, stallMs } = of;
      const [p50, p99] = [50, 99].map((p) => percentile(beside, p)!.toFixed(0));
      const counts = Object.entries(got).map(([what, count]) => `${what} ${count}`);
      const memory = `${memoryMb} / ${usedMb}`;
      rows.push([character, counts.join(', '), `${p50} / ${p99}`, memory, `${stallMs}`]);
    }

    function print(usedMb: number): void {
      console.log(
        `      MB in use before all of them: ${usedBefore}; when all have gone: ${usedMb}`,
      );
      const [p50, p99] = [50, 99].map((p) => percentile(quiet, p)!.toFixed(0));
      const head = [
        'hostile clients',
        'what they got',
        'honest p50 / p99 ms',
        'MB / in use',
        'stall ms',
      ];
      const all = [head, ['none', '', `${p50} / ${p99}`, '', ''], ...rows];
      const widths = head.map((_, n) => Math.max(...all.map((row) => row[n]!.length)));
      for (const row of all) {
        console.log(`      ${row.map((cell, n) => cell.padEnd(widths[n]!)).join('  ')}`);
      }
    }

    for (const character of names) {
      goals.it(`gets in beside one that ${character}`, async () => {
        const paid = await rig.charges(honest);
        const stop = await attack(character);
        await times(each); // Until they are all there.
        await measured();
        const beside = await times(each);
        const of = await measured();
        note(character, await stop(), beside, of);
        await eventually(
          () => rig.charges(honest),
          (charges) => charges === paid + 2 * each,
        );
        const slowest = 2 * percentile(quiet, 99)! + JITTER_MS;
        expect(of.memoryMb, 'MB of the server').to.be.below(MEMORY_MB_MAX);
        goals.expectGoal(`p99 beside ${character}`, percentile(beside, 99)!, slowest);
        goals.expectGoal(`longest stall of the server, ${character}`, of.stallMs, STALL_MS_MAX);
      });
    }

    // How many get in from afar is a question of time too.
    for (const character of goals.areMeasured ? TWO_ATTACKS : []) {
      goals.it(
        `gets in from 100 ms away, 81 times of 81, beside one that ${character}`,
        async () => {
          const key = honest.proxyKey;
          const others = await agents(27, {});
          // Three of each: of accounts as fresh as the hostile ones'.
          const all = Array.from({ length: 81 }, (_, n) => others[n % others.length]!);
          const alone = await fromAfar(key, HONEST);
          // Three at each address, as many as there are of each agent.
          const come = () =>
            Promise.all(all.map((agent, n) => fromAfar(agent.proxyKey, `127.0.9.${1 + (n % 27)}`)));
          const before = await come();
          const stop = await attack(character);
          await times(each); // By now they are all there.
          const beside = await come();
          const of = await measured();
          const got = await stop();
          const served = beside.filter((ms) => ms !== undefined);
          note(`… 81 from afar (${served.length} got in)`, got, served, of);
          const p99 = percentile(before as number[], 99)!;
          goals.logMeasurement('one from afar, alone', alone!);
          goals.logMeasurement('p99 of 81 from afar, without hostile clients', p99);
          expect(served, 'served').to.have.length(81);
          goals.expectGoal('p99 of 81 from afar', percentile(served, 99)!, 2 * p99 + JITTER_MS);
        },
      );
    }
  });
