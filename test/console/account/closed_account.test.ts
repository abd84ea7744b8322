import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { addPasskey } from '../../../shared/domains/agents/factors/passkeys.ts';
import { refusalOf } from '../../../shared/kernel/refusal.ts';
import { transact } from '../../../shared/platform/database.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { TestPlatform } from '../../harness.ts';
import { inQueue } from '../../in_queue.ts';
import { act, bidOn, done, openTask } from '../../tasks/board.ts';
import { newKey, owner, type BrowserLike } from '../browser_like.ts';

const PATH = '/console/account/closing';

interface Told {
  readonly status: number;
  readonly body?: { readonly error?: string };
}

describe('an account that was closed', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const close = (browser: BrowserLike, { username }: { username: string }) =>
    browser.post(PATH, { name: username });
  const lock = ({ id }: { id: number }) => `select from agent where id = ${id} for update`;

  it('is named to operators with the money that came later, if somebody could withdraw it', async () => {
    const [paid, cent] = [await owner(platform), await owner(platform)];
    for (const { browser, agent } of [paid, cent]) {
      expect((await close(browser, agent)).status).to.equal(200);
    }
    await platform.fund(paid.agent.id, 3);
    await platform.fund(cent.agent.id, 0.01);
    const open = await platform.agent({ usd: 5 });
    const { body } = await platform.request('GET /api/v1/admin/money', { key: OPERATOR_TOKEN });
    const listed = body.closed_accounts.map((one: Record<string, unknown>) => [
      one.agent_id,
      one.cash,
    ]);
    expect(listed).to.deep.include([paid.agent.id, 3]);
    for (const { id } of [cent.agent, open]) {
      expect(listed.map(([agentId]: number[]) => agentId)).not.to.include(id);
    }
  });

  it('is not resumed by operators, nor any agent of it, and gets no credit', async () => {
    const { browser, agent } = await owner(platform);
    const spawned = await platform.request('POST /api/v1/agent/spawn', {
      key: agent.key,
      body: { agent_name: 'scout' },
    });
    const child = spawned.body.agent.agent_id as number;
    const decide = (id: number, what: string, more: object = {}) =>
      platform.request(`POST /api/v1/admin/agents/${id}/${what}`, {
        key: OPERATOR_TOKEN,
        body: { note: 'A test.', ...more },
      });
    const suspend = `POST /agent/monitor/${child}/suspend`;
    done(await platform.request(suspend, { key: agent.key, body: {} }));
    expect((await close(browser, agent)).status).to.equal(200);
    for (const id of [agent.id, child]) {
      const gift = { amount: 0.5, reference: newKey() };
      for (const [what, more] of [
        ['resume', {}],
        ['goodwill', gift],
      ] as const) {
        const { status, body } = await decide(id, what, more);
        expect([status, body.error, body.message], what).to.deep.equal([
          409,
          'invalid_transition',
          'The account was closed.',
        ]);
      }
    }
    const after = await platform.query(
      `select status, credit::int from agent join ledger.treasury t on t.id = agent.root_id
        where root_id = $1 order by agent.id`,
      [agent.id],
    );
    const suspended = { status: 'suspended', credit: 500_000 };
    expect(after).to.deep.equal([suspended, suspended]);
  });

  it('is given no task: its bid is accepted before, and stands in the way, or not at all', async () => {
    const poster = await platform.agent({ usd: 5 });
    for (const isFirst of [true, false]) {
      const { browser, agent } = await owner(platform);
      const taskId = await openTask(platform, poster, { budget: 0.2 });
      const bid = done(await bidOn(platform, { taskId, key: agent.key }, 0.1));
      const accept = (): Promise<Told> =>
        act(platform, `bids/${bid.bid_id}/accept`, { taskId, key: poster.key });
      const end = (): Promise<Told> => close(browser, agent);
      const calls = isFirst ? [accept, end] : [end, accept];
      const [first, second] = await inQueue(platform, lock(agent), calls);
      expect([first!.status, second!.status]).to.deep.equal([200, 409]);
      if (isFirst) continue;
      expect((await accept()).body!.error).to.equal('invalid_transition');
      done(await act(platform, 'cancel', { taskId, key: poster.key }));
    }
  });

  it('has no webhook and no passkey that was asked for while it was closed', async () => {
    const { browser, agent } = await owner(platform);
    const hook = { url: 'https://ada.example/hook' };
    const passkey = {
      agent_id: agent.id,
      credential_id: `credential-${agent.id}`,
      public_key: Buffer.from([0]),
      counter: 0,
      transports: [],
      name: 'Laptop',
    };
    const [closed, hooked, added] = await inQueue<Told>(platform, lock(agent), [
      () => close(browser, agent),
      () => platform.request('POST /api/v1/webhooks', { key: agent.key, body: hook }),
      () =>
        transact(platform.context.database, (db) => addPasskey(db, passkey)).then(
          () => ({ status: 200 }),
          (error: unknown) => ({ status: 409, body: { error: refusalOf(error).code } }),
        ),
    ]);
    expect([closed!.status, hooked!.status, added!.status]).to.deep.equal([200, 401, 409]);
    expect(added!.body!.error).to.equal('invalid_transition');
    const left = await platform.query(
      `select id from webhook where root_id = $1 union all
       select id from passkey where agent_id = $1`,
      [agent.id],
    );
    expect(left).to.deep.equal([]);
  });
});
