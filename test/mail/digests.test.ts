import { expect } from 'chai';

import { dailyMoney } from '../../shared/domains/ledger/daily_money.ts';
import { nextDigestAt } from '../../shared/domains/mail/digest_choice.ts';
import { BrowserLike } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { withoutTriggers } from '../plans/superuser.ts';
import { smtpSettings, startReceiver, type MailReceiver } from './mail_receiver.ts';
import { provenOwner } from './proven_owner.ts';

const NOTICES = '/console/account/notices';

describe('summaries by mail', () => {
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

  const choose = async (browser: BrowserLike, digest: string) =>
    browser.submit(await browser.get('/console/account'), NOTICES, { digest });
  const chosen = ({ text }: { text: string }) => {
    const [, list = ''] = /<select id="digest"(.*?)<\/select>/s.exec(text) ?? [];
    const [found = ''] = /<option[^>]* selected/.exec(list) ?? [];
    return /value="(\w+)"/.exec(found)?.[1] ?? '';
  };
  const run = async (agentId: number) => {
    await platform.query('update digest set next_at = now() where agent_id = $1', [agentId]);
    await runTimer(platform, 'mail_digests');
  };
  const digestsOf = async (agentId: number): Promise<number> =>
    (await platform.query(`select from mail where agent_id = $1 and kind = 'digest'`, [agentId]))
      .length;
  /** Makes what happened so far a thing of the day summed up: before 06:00 that is two days ago. */
  const sleepOverIt = async ({ id }: { id: number }) => {
    const now = platform.context.clock.now();
    const isBeforeDigest = nextDigestAt('day', now).getUTCDate() === now.getUTCDate();
    const days = isBeforeDigest ? 2 : 1;
    const today = dailyMoney({ root: String(id), isSale: 'false', since: 'current_date' });
    await withoutTriggers(
      platform,
      `update event set occurred_at = occurred_at - interval '${days} days';
       insert into daily_money
         (root_id, is_sale, day, agent_id, category, product_id, amount, count)
       select ${id}, false, day - ${days}, agent_id, category, product_id, sum(amount), sum(count)
         from (${today}) moved group by day, agent_id, category, product_id`,
    );
  };

  it('tell who chose them of the day before, once, and of nothing where nothing was', async () => {
    const { agent, address, browser } = await provenOwner(platform);
    await platform.fund(agent.id, 10);
    const seller = await platform.agent();
    const { id } = await platform.product(seller, { price: 1.5, items: ['a', 'b'] });
    const orderId = await buy(platform, agent, { id });
    await buy(platform, agent, { id });
    const sent = { key: agent.key, body: { reason: 'It is empty.' } };
    await platform.request(`POST /api/v1/orders/${orderId}/dispute`, sent);
    const quiet = await provenOwner(platform);
    await sleepOverIt(agent);

    expect(chosen(await browser.get('/console/account'))).to.equal('');
    for (const one of [browser, quiet.browser])
      expect(chosen(await choose(one, 'day'))).to.equal('day');
    await run(quiet.agent.id);
    await run(agent.id);
    const mail = await receiver.find(address, 'Your day: spent $3.30 in 2 payments');
    expect(mail.text)
      .to.include(`Most was spent by: ${agent.username} $3.30.`)
      .and.include('1 order disputed')
      .and.include('for a decision of yours');
    await run(agent.id);
    expect(await digestsOf(agent.id)).to.equal(1);
    expect(await digestsOf(quiet.agent.id)).to.equal(0);
    const [{ next_at: next }] = await platform.query(
      'select next_at from digest where agent_id = $1',
      [agent.id],
    );
    expect(next.getTime()).to.equal(nextDigestAt('day', platform.context.clock.now()).getTime());

    const link = mail.headers.get('list-unsubscribe')!.replaceAll(/[<>\s]/g, '');
    const path = link.slice(new URL(link).origin.length);
    const anybody = new BrowserLike(platform);
    expect((await anybody.get(path)).text).to.include('Summaries of your agents');
    expect((await anybody.post(path, {})).text).to.include('no more mails of this kind');
    expect(chosen(await browser.get('/console/account'))).to.equal('');
    const kinds = await platform.query('select from notice_off where agent_id = $1', [agent.id]);
    expect(kinds).to.deep.equal([]);
  });

  it('go to a confirmed address alone, and end with their choice', async () => {
    const { agent, browser } = await provenOwner(platform);
    await platform.fund(agent.id, 10);
    const { id } = await platform.product(await platform.agent(), { items: ['a'] });
    await buy(platform, agent, { id });
    await sleepOverIt(agent);
    await choose(browser, 'day');
    await platform.query('delete from proven_address where agent_id = $1', [agent.id]);
    await run(agent.id);
    expect(await digestsOf(agent.id)).to.equal(0);
    await platform.query(
      'insert into proven_address (agent_id, address) select id, email from agent where id = $1',
      [agent.id],
    );
    await run(agent.id);
    expect(await digestsOf(agent.id)).to.equal(1);
    expect(chosen(await choose(browser, ''))).to.equal('');
    const rows = await platform.query('select from digest where agent_id = $1', [agent.id]);
    expect(rows).to.deep.equal([]);
  });

  it('are due each day, or each Monday, in the morning by UTC', () => {
    const next = (every: 'day' | 'week', at: string) =>
      nextDigestAt(every, new Date(at)).toISOString().slice(0, 16);
    // 2026-11-30 is a Monday.
    expect(next('day', '2026-11-29T05:59:59Z')).to.equal('2026-11-29T06:00');
    expect(next('day', '2026-11-29T06:00:00Z')).to.equal('2026-11-30T06:00');
    expect(next('day', '2026-12-31T23:00:00Z')).to.equal('2027-01-01T06:00');
    expect(next('week', '2026-11-29T12:00:00Z')).to.equal('2026-11-30T06:00');
    expect(next('week', '2026-11-30T06:00:00Z')).to.equal('2026-12-07T06:00');
  });
});
