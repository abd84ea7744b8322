import { expect } from 'chai';

import { owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { childOf } from '../agents/child.ts';
import { prove } from '../mail/proven_owner.ts';
import { smtpSettings, startReceiver, type MailReceiver } from '../mail/mail_receiver.ts';
import { buy, eventsOf, runTimer } from '../orders/trade.ts';

describe('alerts of calls', () => {
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

  const alerts = async (agent: { id: number }) =>
    (await eventsOf(platform, agent)).filter((type) => type.startsWith('agent.calls_'));
  const set = (key: string, body: object) =>
    platform.request('PUT /api/v1/requests/alert', { key, body });
  /** Counts the calls so far as a minute later. */
  const watch = async ({ id }: { id: number }) => {
    await platform.context.requestLog.write();
    await platform.query(`update call_alert set checked_at = '-infinity' where root_id = $1`, [id]);
    await runTimer(platform, 'watch_calls');
  };
  const fail = ({ key }: { key: string }) =>
    platform.request('GET /api/v1/products/999999', { key });

  it('tell an owner of errors of its agents above a share, once an hour, by event and mail', async () => {
    const { agent } = await owner(platform);
    const address = await prove(platform, agent.id);
    const child = await childOf(platform, agent);
    const { body } = await set(agent.key, { errors_percent: 50, calls_min: 4 });
    expect(body).to.deep.equal({ errors_percent: 50, calls_min: 4, cost_above: null });
    // One call of its own so far, and as many of the child as do not reach the share.
    for (let n = 0; n < 2; n += 1) await fail(child);
    await platform.request('GET /api/v1/agent/me', { key: child.key });
    await watch(agent);
    expect(await alerts(agent)).to.deep.equal([]);
    await fail(child);
    await watch(agent);
    await watch(agent);
    expect(await alerts(agent)).to.deep.equal(['agent.calls_failing']);
    expect(await alerts(child)).to.deep.equal([]);
    const { events } = (
      await platform.request('GET /api/v1/events?type=agent.calls_failing', { key: agent.key })
    ).body;
    expect(events[0].data).to.deep.equal({ calls: 5, errors: 3, amount: 0 });
    await runTimer(platform, 'mail_notices');
    const mail = await receiver.find(address, '3 of 5 calls of your agents failed');
    expect(mail.text).to.include('/console/requests');
    await platform.query(
      `update call_alert set errors_told_at = errors_told_at - interval '1 hour'
        where root_id = $1`,
      [agent.id],
    );
    for (let n = 0; n < 9; n += 1) await fail(child);
    await watch(agent);
    expect(await alerts(agent)).to.have.length(2);
  });

  it('tell of a cost above a sum, and of nothing where nothing is set', async () => {
    const { agent } = await owner(platform, { usd: 10 });
    const { id } = await platform.product(await platform.agent(), { price: 2, items: ['a', 'b'] });
    const quiet = await platform.agent({ usd: 10 });
    await set(agent.key, { cost_above: 2.2 });
    for (const one of [agent, quiet]) await buy(platform, one, { id });
    await watch(agent);
    expect(await alerts(agent)).to.deep.equal([]);
    await set(agent.key, { cost_above: 2.19 });
    await watch(agent);
    expect(await alerts(agent)).to.deep.equal(['agent.calls_costly']);
    expect(await alerts(quiet)).to.deep.equal([]);
    await set(agent.key, {});
    const { body } = await platform.request('GET /api/v1/requests/alert', { key: agent.key });
    expect(body).to.deep.equal({ errors_percent: null, calls_min: 20, cost_above: null });
    await watch(agent);
    expect(await alerts(agent)).to.have.length(1);
  });

  it('are set in the console, by the owner alone', async () => {
    const { agent, browser } = await owner(platform);
    const child = await childOf(platform, agent);
    expect((await set(child.key, { errors_percent: 1 })).status).to.equal(403);
    const path = '/console/requests';
    const filled = { errors_percent: '25', calls_min: '10', cost_above: '' };
    const saved = await browser.submit(
      await browser.get(path),
      '/console/do/set_call_alert',
      filled,
    );
    expect(saved.status).to.equal(303);
    const { body } = await platform.request('GET /api/v1/requests/alert', { key: child.key });
    expect(body).to.deep.equal({ errors_percent: 25, calls_min: 10, cost_above: null });
    const over = { ...filled, errors_percent: '101' };
    const page = await browser.get(path);
    const refused = await browser.submit(page, '/console/do/set_call_alert', over);
    expect(refused.text).to.include('Enter 100 or less.');
  });
});
