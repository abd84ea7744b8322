import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { recordRounds } from '../../shared/domains/webhooks/record_rounds.ts';
import type { Attempt, RoundResult } from '../../shared/domains/webhooks/round.ts';
import { TestPlatform } from '../harness.ts';

interface Due {
  readonly id: number;
  /** Earlier attempts. */
  readonly attempts: number;
}

describe('what is recorded of a round of a webhook', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A worker begins a round. */
  const claim = (id: number) =>
    platform.query(
      `update webhook set claimed_until = clock_timestamp() + interval '1 minute' where id = $1`,
      [id],
    );

  /** A webhook that a worker sends to, and so many events after it. */
  async function claimed(events: number) {
    const { id: agent, key } = await platform.agent();
    const body = { url: 'https://hooks.example.com/' };
    const made = await platform.request('POST /api/v1/webhooks', { key, body });
    const id = made.body.webhook_id as number;
    await claim(id);
    const written: { id: number }[] = await platform.query(
      `insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
       select $1, $1, 'order.created', 'order', 1, 'escrow', '{}' from generate_series(1, $2)
       returning id::int`,
      [agent, events],
    );
    return { id, agent, events: written.map((one) => one.id) };
  }

  function record(webhook: { id: number; agent: number }, due: readonly Due[], made: Attempt[]) {
    const events = due.map(({ id, attempts }) => ({
      event: { id, type: 'order.created' },
      attempts,
    }));
    const sentTo = { id: webhook.id, root_id: webhook.agent, types: [] };
    const round = { webhook: sentTo, events, until: due.at(-1)!.id, more: false };
    const ended = { round, attempts: made } as unknown as RoundResult;
    return recordRounds(platform.context.database, [ended]);
  }
  const deliveries = (id: number) =>
    platform.query(
      `select event_id::int, status, attempts, fault, attempted_at from webhook_delivery
        where webhook_id = $1 order by event_id`,
      [id],
    );
  const failed = (eventId: number) => ({ eventId, httpStatus: 500, fault: 'It answered 500.' });

  it('leaves what was not sent again as it was', async () => {
    const webhook = await claimed(2);
    const [first, second] = webhook.events as [number, number];
    const due = [
      { id: first, attempts: 0 },
      { id: second, attempts: 0 },
    ];
    await record(webhook, due, [failed(first), failed(second)]);
    const [, before] = await deliveries(webhook.id);
    expect(before).to.include({ status: 'waiting', attempts: 1, fault: 'It answered 500.' });
    await platform.query('update webhook_delivery set next_at = now() where webhook_id = $1', [
      webhook.id,
    ]);
    await claim(webhook.id);
    const again = due.map((one) => ({ ...one, attempts: 1 }));
    await record(webhook, again, [failed(first)]);
    const [one, other] = await deliveries(webhook.id);
    expect(one).to.include({ attempts: 2 });
    expect(other).to.deep.equal(before);
  });

  it('owes nothing of new types before its end, where they were changed meanwhile', async () => {
    const webhook = await claimed(2);
    const [, last] = webhook.events as [number, number];
    const from = async () => {
      const sql = 'select types_from::int, position::int from webhook where id = $1';
      return (await platform.query(sql, [webhook.id]))[0];
    };
    const none = { events: [], until: last, more: false };
    const recordNone = (types: string[]) => {
      const round = { ...none, webhook: { id: webhook.id, root_id: webhook.agent, types } };
      const ended = { round, attempts: [] } as unknown as RoundResult;
      return recordRounds(platform.context.database, [ended]);
    };
    // The round was chosen by another type; its owner has asked for all of them since.
    await recordNone(['wallet.*']);
    expect(await from()).to.deep.equal({ types_from: last, position: last });
    await recordNone([]);
    expect(await from()).to.deep.equal({ types_from: last, position: last });
  });

  it('is nothing where the webhook was disabled meanwhile, which is free then', async () => {
    const webhook = await claimed(1);
    const [event] = webhook.events as [number];
    const of = 'select position, claimed_until > now() as is_claimed from webhook where id = $1';
    const [before] = await platform.query(of, [webhook.id]);
    expect(before.is_claimed).to.equal(true);
    await platform.query(`update webhook set status = 'disabled' where id = $1`, [webhook.id]);
    await record(webhook, [{ id: event, attempts: 0 }], [failed(event)]);
    expect(await deliveries(webhook.id)).to.deep.equal([]);
    const [after] = await platform.query(of, [webhook.id]);
    expect(after).to.deep.equal({ position: before.position, is_claimed: false });
  });
});
