import { once } from 'node:events';
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { SocksProxyAgent } from 'socks-proxy-agent';

import type { Goals } from '../faults/stalls.ts';
import { allGone, eventually, launch, type Launcher } from './launcher.ts';
import { runs } from './process_tree.ts';
import { watchSlowness } from './watch_slowness.ts';

export const start = (goals: Goals) =>
  describe('npm start', function () {
    this.timeout(120_000);

    const dataDir = mkdtempSync(join(tmpdir(), 'start-'));
    let launcher: Launcher;
    let url: string;

    before(async () => {
      launcher = launch(dataDir);
      url = await launcher.ready();
    });
    after(async () => {
      launcher.kill('SIGTERM');
      await launcher.exit;
      rmSync(dataDir, { recursive: true });
    });

    const answers = async () =>
      (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined))
        ?.status === 200;

    it('says when it is ready, and which page to open, once', async () => {
      await eventually(answers);
      expect(launcher.output().match(/^ready /gm)).to.have.length(1);
      expect(launcher.output().match(/^Open /gm)).to.have.length(1);
    });

    it('calls itself localhost, and answers by address too, also MCP', async () => {
      const { hostname, port } = new URL(url);
      expect(hostname).to.equal('localhost');
      const front = await fetch(`http://127.0.0.1:${port}/`);
      expect(await front.text())
        .to.contain(`"${url}/api/v1/mcp"`)
        .and.not.contain('127.0.0.1');
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const headers = { 'content-type': 'application/json' };
      for (const at of [url, `http://127.0.0.1:${port}`]) {
        const answer = await fetch(`${at}/api/v1/mcp`, { method: 'POST', headers, body });
        expect(await answer.json(), at).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
      }
    });

    /** Registers an agent, and reads its first answers from these paths. */
    async function newAgent(username: string) {
      const registered = await fetch(`${url}/api/v1/agent/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          username,
          email: `${username}@example.com`,
          password: 'correct horse battery',
        }),
      });
      const { api_key } = (await registered.json()) as { api_key: { key: string } };
      const headers = { authorization: `Bearer ${api_key.key}` };
      return async (path: string) =>
        (await (await fetch(url + path, { headers })).json()) as Record<string, never>;
    }

    it('has tasks, labor and a dataset of a demo, and says so', async () => {
      const ask = await newAgent('newcomer');
      await eventually(async () => (await ask('/api/v1/tasks')).count === 2);
      await eventually(async () => (await ask('/api/v1/labor')).count === 1);
      await eventually(async () => (await ask('/api/v1/datasets')).count === 1);
      expect(launcher.output()).to.match(/^Demo: two agents post tasks, labor and a dataset/m);
    });

    it('sells proxies of this machine in one call, says that they are a demo, and they work', async () => {
      const ask = await newAgent('first');
      let proxies: { ip_port: string; country_code: string }[] = [];
      await eventually(async () => {
        ({ proxies = [] as never } = await ask('/api/v1/proxy/list?country=DE'));
        return proxies.length > 0;
      });
      await eventually(async () => (await ask('/api/v1/proxy/info')).total === 3);
      expect(await ask('/api/v1/proxy/info')).to.include({ total: 3, demo: true });
      expect(launcher.output()).to.match(/^Demo: three SOCKS5 proxies/m);

      const agent = new SocksProxyAgent(`socks5h://${proxies[0]!.ip_port}`);
      const [answer] = await once(
        get(`http://127.0.0.1:${new URL(url).port}/readyz`, { agent }),
        'response',
      );
      expect(answer.statusCode).to.equal(200);
      answer.resume();
      // They connect to nothing else on this machine.
      const { port } = new URL(launcher.servers().redisUrl);
      const refused = once(get(`http://127.0.0.1:${port}/`, { agent }), 'response');
      expect(await refused.catch((error: Error) => error.message)).to.match(/NotAllowed/);
    });

    it('takes payments by x402 in play money', async () => {
      const asked = await fetch(`${url}/x402/api/v1/email/validate/not-an-address`);
      expect(asked.status).to.equal(402);
      await eventually(() => /^x402 sandbox runs/m.test(launcher.output()));
    });

    it('signs the operator in by the link that it prints, once, also if the API was killed', async () => {
      const link = /^Open (\S+) /m.exec(launcher.output())![1]!;
      const send = () =>
        fetch(`${url}/start`, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            accept: 'text/html',
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
          },
          body: new URL(link).searchParams.toString(),
        });
      expect((await fetch(link, { headers: { accept: 'text/html' } })).status).to.equal(200);
      const first = await send();
      expect([first.status, first.headers.get('location')]).to.deep.equal([303, '/admin/start']);
      const api = launcher.descendants().find(({ command }) => /\/api\.js/.test(command))!;
      process.kill(api.pid, 'SIGKILL');
      await eventually(async () => (await answers()) && !runs(api.pid));
      expect((await send()).status).to.equal(401);
    });

    it('keeps the operator token that it made where only its owner can read it', () => {
      const file = join(dataDir, 'operator_token');
      const token = readFileSync(file, 'utf8').trim();
      expect(token.length).to.be.at.least(24);
      expect(launcher.output()).not.to.contain(token);
      for (const name of ['operator_token', 'master_keys', 'servers.json', 'postgres_password']) {
        expect(statSync(join(dataDir, name)).mode & 0o777, name).to.equal(0o600);
      }
    });

    // A cluster elsewhere would outlive the folder, and nobody would know what it belongs to.
    it('keeps the cluster inside its data folder', () => {
      expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).to.equal(true);
    });

    it('refuses to run twice in one data folder, and names the process that runs', async () => {
      const restarts = () => launcher.output().match(/^.*starting it again.*$/gm) ?? [];
      const before = restarts();
      const second = launch(dataDir);
      expect(await second.exit).to.equal(1);
      expect(second.output()).to.contain(`already runs on ${dataDir}, as process ${launcher.pid}`);
      await eventually(answers);
      expect(restarts()).to.deep.equal(before);
    });

    const PROCESSES = {
      'the API': /\/api\.js/,
      'a worker': /\/worker\.js/,
      PostgreSQL: /bin\/postgres -D/,
      Redis: /(redis|valkey)-server /,
    };
    for (const [name, pattern] of Object.entries(PROCESSES)) {
      it(`restarts ${name} when it is killed, and answers again`, async () => {
        const find = () =>
          launcher
            .descendants()
            .find(({ command }) => pattern.test(command) && !command.startsWith('/bin/sh'))?.pid;
        const old = find();
        expect(old, name).to.be.a('number');

        const slownessDuring = watchSlowness(join(dataDir, 'a_word'));
        const killedAt = Date.now();
        process.kill(old!, 'SIGKILL');
        await eventually(() => find() !== undefined && find() !== old);
        const startedMs = Date.now() - killedAt;
        await eventually(answers);
        const answeredMs = Date.now() - killedAt;
        const slowness = await slownessDuring();
        goals.expectGoal(`${name} was started`, startedMs, 1000 * slowness);
        goals.expectGoal(`the API answered without ${name}`, answeredMs, 3000 * slowness);
      });
    }

    it('stops everything, and has all data at the next start', async () => {
      const before = launcher.servers();
      const owner = new pg.Client(before.migrationDatabaseUrl);
      await owner.connect();
      await owner.query('create table stored_row as select 42 as answer');
      await owner.end();
      const redis = new Redis(before.redisUrl);
      await redis.set('stored_key', '42');
      await redis.quit();

      const pids = launcher.descendants().map(({ pid }) => pid);
      const slownessDuring = watchSlowness(join(dataDir, 'a_word'));
      const stoppedAt = Date.now();
      launcher.kill('SIGTERM');
      expect(await launcher.exit).to.equal(0);
      await allGone(pids);
      const goneMs = Date.now() - stoppedAt;
      const slowness = await slownessDuring();
      expect(() => launcher.servers()).to.throw('ENOENT');

      launcher = launch(dataDir);
      url = await launcher.ready();
      const after = launcher.servers();
      expect(after.migrationDatabaseUrl).to.equal(before.migrationDatabaseUrl);
      expect(after.redisUrl).to.equal(before.redisUrl);
      await expectStored(after.migrationDatabaseUrl, after.redisUrl);
      goals.expectGoal('all was gone', goneMs, 10_000 * slowness);
    });

    it('leaves nothing running when the launcher itself is killed', async () => {
      const pids = launcher.descendants().map(({ pid }) => pid);
      launcher.kill('SIGKILL');
      await allGone(pids);
      await launcher.exit;

      launcher = launch(dataDir, { DEMO: 'false' });
      url = await launcher.ready();
      await eventually(answers);
    });

    it('makes nothing for a demo where DEMO is false', () => {
      expect(launcher.output()).not.to.match(/^Demo/m);
    });
  });

async function expectStored(databaseUrl: string, redisUrl: string): Promise<void> {
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  const { rows } = await owner.query('select answer from stored_row');
  await owner.end();
  expect(rows).to.deep.equal([{ answer: 42 }]);
  const redis = new Redis(redisUrl);
  expect(await redis.get('stored_key')).to.equal('42');
  await redis.quit();
}
