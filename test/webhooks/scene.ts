import { transact } from '../../shared/platform/database.ts';
import { happen, type Happening } from '../events/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import type { Agent } from '../orders/trade.ts';
import { startReceiver, type Receiver } from './receiver.ts';

/** An owner with a receiver of its own, new for each test. */
export class WebhookScene {
  readonly platform: TestPlatform;
  owner!: Agent;
  receiver!: Receiver;
  /** The URLs of receivers that are sent to beyond the end of a test. */
  readonly kept: string[] = [];

  static async open(): Promise<WebhookScene> {
    return new WebhookScene(await TestPlatform.open({ env: { EGRESS_ALLOW: '127.0.0.0/8' } }));
  }

  constructor(platform: TestPlatform) {
    this.platform = platform;
  }

  async begin(): Promise<void> {
    this.owner = await this.platform.agent();
    this.receiver = await startReceiver();
  }

  async end(): Promise<void> {
    await this.platform.query(`update webhook set status = 'disabled' where url <> all ($1)`, [
      this.kept,
    ]);
    await this.receiver.close();
  }

  async call(route: string, body?: object, key = this.owner.key) {
    const reply = await this.platform.request(route, { key, ...(body && { body }) });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  }

  create(fields: object = {}) {
    return this.call('POST /api/v1/webhooks', { url: this.receiver.url, ...fields });
  }

  async show() {
    return (await this.call('GET /api/v1/webhooks')).webhooks[0];
  }

  write(...happenings: Partial<Happening>[]): Promise<void> {
    const { id: agentId } = this.owner;
    return transact(this.platform.context.database, (db) =>
      happen(db, ...happenings.map((one) => ({ agentId, ...one }))),
    );
  }

  /** Resolves when nothing more is due for the webhooks of this owner. */
  async sent(): Promise<void> {
    await eventually(
      () =>
        this.platform.query(
          `select from webhook w
            where root_id = $1 and status = 'active' and (
                  claimed_until > now()
               or not_before <= now() and (
                  exists (select from webhook_delivery
                           where webhook_id = w.id and status = 'waiting' and next_at <= now())
               or exists (select from event where root_id = w.root_id and id > w.position)))`,
          [this.owner.id],
        ),
      (due) => due.length === 0,
    );
  }

  /** Resolves when no round of any webhook runs, but of those that are kept. */
  async ended(): Promise<void> {
    await eventually(
      () =>
        this.platform.query('select from webhook where claimed_until > now() and url <> all ($1)', [
          this.kept,
        ]),
      (running) => running.length === 0,
    );
  }

  /** An event has been attempted so often; 0: none waits for another attempt. */
  async attempted(times: number): Promise<void> {
    await eventually(
      () =>
        this.platform.query(
          `select coalesce(max(attempts), 0)::int as times from webhook_delivery d
             join webhook on webhook.id = webhook_id
            where root_id = $1 and d.status = 'waiting'`,
          [this.owner.id],
        ),
      ([found]) => found.times === times,
    );
  }

  /** All pauses of the webhooks of this owner are over. */
  pass() {
    return this.platform.query(
      `with own as (
         update webhook set not_before = '-infinity', claimed_until = '-infinity'
          where root_id = $1 returning id)
       update webhook_delivery d set next_at = now() from own
        where d.webhook_id = own.id and d.status = 'waiting'`,
      [this.owner.id],
    );
  }

  objects(): number[] {
    return this.receiver.received.map(({ event }) => event.object.id);
  }
}
