import { expect } from 'chai';

import { BrowserLike, owner } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { smtpSettings, startReceiver, type MailReceiver } from './mail_receiver.ts';
import { provenOwner } from './proven_owner.ts';

const SIGN_IN = 'New sign-in to your account';

describe('notices by mail', () => {
  let receiver: MailReceiver;
  let platform: TestPlatform;
  before(async () => {
    receiver = await startReceiver();
    platform = await TestPlatform.open({ env: smtpSettings(receiver) });
  });
  after(async () => {
    await platform.close();
    await receiver.close();
  });

  const run = () => runTimer(platform, 'mail_notices');
  const event = (agentId: number, type: string, id: number, data: object) =>
    platform.query(
      `insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
       select $1, $1, $2, 'any', $3, 'any', $4 where pg_current_xact_id() is not null`,
      [agentId, type, id, JSON.stringify(data)],
    );
  const kindsOf = async (agentId: number): Promise<string[]> =>
    (await platform.query('select kind from mail where agent_id = $1 order by id', [agentId])).map(
      ({ kind }: { kind: string }) => kind,
    );
  /** Runs the timer until the events of this owner were read. */
  const told = (agentId: number, kind: string) =>
    eventually(
      async () => {
        await run();
        return kindsOf(agentId);
      },
      (kinds) => kinds.includes(kind),
    );

  it('are sent to a proven address, gathered for 15 minutes, one event once', async () => {
    const { agent, address } = await provenOwner(platform);
    const { agent: unproven } = await owner(platform);
    for (const { id } of [agent, unproven]) {
      await event(id, 'approval.requested', 7, { amount: 44, agent_id: id });
      await event(id, 'approval.requested', 7, { amount: 44, agent_id: id });
    }
    await told(agent.id, 'approval');
    const mail = await receiver.find(address, `${agent.username} asks to spend $44.00`);
    expect(mail.text).to.include('/console/todo');
    await event(agent.id, 'approval.requested', 8, { amount: 1, agent_id: agent.id });
    await event(agent.id, 'approval.requested', 9, { amount: 2, agent_id: agent.id });
    await eventually(
      async () => {
        await run();
        return platform.query('select 1 from notice where agent_id = $1', [agent.id]);
      },
      ({ length }) => length === 2,
    );
    expect(await kindsOf(agent.id)).to.deep.equal(['approval']);
    await platform.query(
      `update mail set created_at = now() - interval '16 minutes' where agent_id = $1`,
      [agent.id],
    );
    await run();
    await receiver.find(address, '2 requests wait for your approval');
    expect(await kindsOf(unproven.id)).to.deep.equal([]);
  });

  it('tell of a new browser, and not of one that was signed in before', async () => {
    const { agent, address, browser } = await provenOwner(platform);
    await browser.signIn(agent.username);
    await run();
    expect(await kindsOf(agent.id)).to.deep.equal([]);
    await new BrowserLike(platform).signIn(agent.username);
    await told(agent.id, 'sign_in');
    await receiver.find(address, SIGN_IN);
  });

  it('tell once a day of an agent that has spent most of its limit', async () => {
    const { agent, address } = await provenOwner(platform);
    await platform.query(
      `insert into policy (agent_id, root_id, version, daily_spend_limit)
       values ($1, $1, 1, 10000000)
       on conflict (agent_id) do update set daily_spend_limit = excluded.daily_spend_limit`,
      [agent.id],
    );
    const spend = (micros: number) =>
      platform.query(
        `update spend set day = (now() at time zone 'UTC')::date, amount = $2 where agent_id = $1`,
        [agent.id, micros],
      );
    const watch = () => runTimer(platform, 'watch_spending');
    await spend(7_990_000);
    await watch();
    await run();
    expect(await kindsOf(agent.id)).to.deep.equal([]);
    await spend(8_000_000);
    await watch();
    await told(agent.id, 'spend');
    await receiver.find(address, `${agent.username} has spent $8.00 today`);
    await platform.query(
      `update mail set created_at = now() - interval '16 minutes' where agent_id = $1`,
      [agent.id],
    );
    await watch();
    await run();
    expect(await kindsOf(agent.id)).to.deep.equal(['spend']);
  });

  it('end by one POST of a mail program, for their kind and owner alone', async () => {
    const { agent, address, browser } = await provenOwner(platform);
    const other = await provenOwner(platform);
    await new BrowserLike(platform).signIn(agent.username);
    await told(agent.id, 'sign_in');
    const mail = await receiver.find(address, SIGN_IN);
    expect(mail.headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
    const link = mail.headers.get('list-unsubscribe')!.replaceAll(/[<>\s]/g, '');
    const path = link.slice(new URL(link).origin.length);
    const anybody = new BrowserLike(platform);
    expect((await anybody.get(path)).status).to.equal(200);
    const off = () =>
      platform.query('select kind from notice_off where agent_id = any ($1)', [
        [agent.id, other.agent.id],
      ]);
    expect(await off()).to.deep.equal([]);
    const forged = path.replace(`of=${agent.id}.`, `of=${other.agent.id}.`);
    const oneClick = { 'List-Unsubscribe': 'One-Click' };
    const cross = { 'sec-fetch-site': 'cross-site' };
    expect((await anybody.post(forged, oneClick, cross)).status).to.equal(404);
    expect((await anybody.post(path, oneClick, cross)).status).to.equal(200);
    expect(await off()).to.deep.equal([{ kind: 'sign_in' }]);
    const account = await browser.get('/console/account');
    expect(account.text).to.include('Mail me when this happens');
    await browser.submit(account, '/console/account/notices', { sign_in: 'on', spend: 'off' });
    expect(await off()).to.deep.equal([{ kind: 'spend' }]);
  });
});
