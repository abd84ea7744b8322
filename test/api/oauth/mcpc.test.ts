// test:all: a client of others signs in, as the SDK does in npm test.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { installPackages } from '../../client/packages.ts';
import { startProgram, type Started } from '../../client/started.ts';
import { eventually } from '../../harness.ts';
import { ROOT } from '../../sources.ts';
import { followLink } from './printed_link.ts';
import { OAuthRig } from './rig.ts';

/** Prompt of its shell when it waits for a line. */
const PROMPT = 'mcpc(@market)> ';

describe('mcpc, as it is', function () {
  this.timeout(120_000);

  let rig: OAuthRig;
  let program: string;
  /** Its home folder: what it has registered, its tokens, and its session. */
  let home: string;
  const started: Started[] = [];
  before(async () => {
    // The lock file leaves out what the project has too, and the keychain of who runs the tests:
    // without it mcpc keeps its tokens in its home folder.
    const folder = await installPackages('mcpc', join(ROOT, 'test/api/oauth/mcpc'));
    program = join(folder, 'node_modules/@apify/mcpc/bin/mcpc');
    rig = await OAuthRig.open();
    home = mkdtempSync(join(tmpdir(), 'mcpc-'));
    // The only program that it finds: no browser, which it would open.
    mkdirSync(join(home, 'bin'));
    symlinkSync(process.execPath, join(home, 'bin/node'));
  });
  after(async () => {
    for (const child of started) child.kill();
    for (const pid of sessions()) process.kill(pid, 'SIGKILL');
    await rig.close();
    rmSync(home, { recursive: true });
  });

  const kept = (file: string) => JSON.parse(readFileSync(join(home, '.mcpc', file), 'utf8'));

  /** A process keeps a session, and stays when the command has ended. */
  function sessions(): number[] {
    const { sessions: known } = kept('sessions.json') as { sessions: Record<string, Session> };
    return Object.values(known).flatMap(({ pid }) => pid ?? []);
  }

  function start(...args: string[]): Started {
    const env = { PATH: join(home, 'bin'), HOME: home };
    const child = startProgram(process.execPath, [program, ...args], { env });
    started.push(child);
    return child;
  }

  /** Its shell, in which one process does many commands. */
  async function openShell() {
    const { write, said, ended } = start('shell', '@market');
    const answer = (from: number) =>
      eventually(
        async () => said().slice(from),
        (text) => text.includes(PROMPT),
      );
    await answer(0);
    return {
      /** Returns the text that it prints for this command. */
      async run(command: string): Promise<string> {
        const from = said().length;
        write(`${command}\n`);
        return answer(from);
      },
      close: () => (write('exit\n'), ended),
    };
  }

  it('signs its owner in, buys, meets the limit, and is refused once it was ended', async () => {
    const [seller, owner] = [await rig.platform.agent(), await rig.platform.agent({ usd: 20 })];
    const { id } = await rig.platform.product(seller, { price: 2, items: ['a', 'b', 'c'] });
    const market = `${rig.origin}/mcp?tools=market`;
    const login = start('login', market);
    const { username } = owner;
    await followLink(rig, login.said, { username, scopes: ['read', 'buy'], limit: '3' });
    expect(await login.ended, login.said()).to.equal(0);
    expect(login.said()).to.contain('Scopes: read, buy');
    expect(JSON.stringify(kept('credentials.json'))).to.contain('vnx_');

    // It gives up where the process that keeps the session takes five seconds to start.
    const connect = () => start('connect', market, '@market').ended;
    expect(await eventually(connect, (code) => code === 0)).to.equal(0);
    const shell = await openShell();
    expect(await shell.run('tools-list')).to.contain('`purchase_product (product_id:int');
    const buy = `tools-call purchase_product product_id:=${id}`;
    expect(await shell.run(buy)).to.contain('"status":"escrow"');
    expect(await shell.run(buy)).to.contain('"error":"daily_limit_exceeded"');
    expect(await rig.platform.balance(owner)).to.equal(20.5 - 2.2);

    const { body } = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    const [{ connection_id: connectionId, app }] = body.connections;
    expect(app).to.equal('mcpc');
    const end = `DELETE /api/v1/connections/${connectionId}`;
    const ended = await rig.platform.request(end, { key: owner.key });
    expect(ended.body.status).to.equal('revoked');
    // How soon it is refused is a goal, of connections/ended_at_once_goals.test.ts.
    for (;;) {
      const said = await shell.run(buy);
      // It would sign in again, for which it has another command.
      if (said.includes('Use CLI "login" command first')) break;
      expect(said).to.contain('"error":"daily_limit_exceeded"');
    }
    expect(await rig.platform.balance(owner)).to.equal(20.5 - 2.2);
    expect(await shell.close()).to.equal(0);
  });
});

interface Session {
  readonly pid?: number;
}
