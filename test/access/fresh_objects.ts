import { randomBytes } from 'node:crypto';

import { holdJob } from '../../shared/jobs/deferred.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { childOf } from '../agents/child.ts';
import type { TestPlatform } from '../harness.ts';
import { freshKeyBelow, freshKeyOf, lostProxyOf, type Party, type Scene } from './scene.ts';

/** Rotating and revoking end a key, so its owner needs a new one each time. */
export async function keyOfBuyer({ platform, buyer, keyId }: Scene, party: Party): Promise<object> {
  return { key_id: party === 'buyer' ? await freshKeyOf(platform, buyer) : keyId };
}

/** The same of an agent below the buyer. */
export async function keyBelowBuyer({ platform, buyer, keyBelowId }: Scene, party: Party) {
  return { key_id: party === 'buyer' ? await freshKeyBelow(platform, buyer) : keyBelowId };
}

/** An order in escrow: a new one for its parties, because they may end it. */
export async function orderOf({ platform, buyer, product, order }: Scene, party: Party) {
  if (party === 'outsider') return { order_id: order };
  const body = { product_id: product };
  const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
  return { order_id: bought.body.order_id as number };
}

export async function disputeOf(scene: Scene, party: Party) {
  const input = await orderOf(scene, party);
  if (party !== 'outsider') {
    const { platform, buyer } = scene;
    const route = `POST /api/v1/orders/${input.order_id}/dispute`;
    await platform.request(route, { key: buyer.key, body: { reason: 'It is empty.' } });
  }
  return input;
}

/** A disputed order of a dataset. */
export async function datasetDisputeOf({ platform, dataset, buyer }: Scene) {
  const [{ product_id }] = await platform.query(
    'select product_id::int from dataset where id = $1',
    [dataset],
  );
  const { body } = await platform.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id },
  });
  await platform.request(`POST /api/v1/orders/${body.order_id}/dispute`, {
    key: buyer.key,
    body: { reason: 'It is empty.' },
  });
  return { order_id: body.order_id as number };
}

/** A suspended agent may not buy, so its owner needs another one than itself. */
export const childOfBuyer = async ({ platform, buyer }: Scene, party: Party) => ({
  agent_id: party === 'buyer' ? (await childOf(platform, buyer)).id : buyer.id,
});

/** A wallet is unlinked once, so each call has a new one. */
export async function walletOfBuyer({ platform, buyer }: Scene) {
  const address = `0x${randomBytes(20).toString('hex')}`;
  const sql = `insert into linked_wallet (family, address, agent_id, root_id)
               values ('evm', $1, $2, $2)`;
  await platform.query(sql, [address, buyer.id]);
  return { network: 'evm', address };
}

/** A file is validated or deleted once, so each call has a new one. */
export async function emailFileOf({ platform, buyer }: Scene) {
  const body = { content: 'ada@nobody.example' };
  const file = await platform.request('POST /api/v1/email/files', { key: buyer.key, body });
  return { file_id: file.body.file_id as number };
}

/** A proxy is reported once, so its buyer needs a new one each time. */
export async function proxyOfBuyer({ platform, buyer, lostProxy }: Scene, party: Party) {
  return { proxy_id: party === 'buyer' ? await lostProxyOf(platform, buyer) : lostProxy };
}

/** Deleting ends it, so each call has a new one. By SQL: an owner may have ten. */
export async function webhookOfBuyer({ platform, buyer }: Scene) {
  const [{ id }] = await platform.query(`select nextval('webhook_id')::int as id`);
  const location = { table: 'webhook', column: 'secret', row: id, owner: buyer.id };
  await platform.query(
    `insert into webhook (id, root_id, url, description, types, secret, position,
       types_from, status)
     values ($1, $2, 'https://example.com/', '', '{}', $3, 0, 0, 'disabled')`,
    [id, buyer.id, platform.context.secrets.seal('whsec_AAAA', location)],
  );
  return { webhook_id: id as number };
}

/** A call of the buyer's that waits for the buyer, as a root that limits itself: decided once. */
export async function approvalOf({ platform, buyer }: Scene): Promise<object> {
  const id = newJobId(new Date());
  const [asked] = await platform.query(
    `with asks as (
       insert into approval (job_id, agent_id, root_id, policy_of, rule, asks_above, operation,
                             amount, product_type, quantity, expires_at)
       values ($1, $2, $2, $2, 'approval_threshold', 0, 'validate_email', 2000, 'api_service', 1,
               now() + interval '1 day')
       returning id)
     insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, run_at,
                      push_after, deferral)
     select $1, 'validate_email', $2, $2, '{"email": "any"}', '', 'test', 'infinity', 'infinity',
            json_build_object('status', 'approval_required', 'approval_id', id,
                              'expires_at', now(), 'poll', '/api/v1/jobs/' || $1) from asks
     returning (deferral ->> 'approval_id')::int as id`,
    [id, buyer.id],
  );
  return { approval_id: asked.id as number };
}

const webhooks = new WeakMap<TestPlatform, ReturnType<typeof webhookOfBuyer>>();

/** The same webhook of the buyer's each time: a tree may not have many. */
export function anyWebhook(scene: Scene) {
  const { platform } = scene;
  if (!webhooks.has(platform)) webhooks.set(platform, webhookOfBuyer(scene));
  return webhooks.get(platform)!;
}

/** A timer's job that was given up, and waits for an operator. */
export async function heldJob({ context }: TestPlatform): Promise<string> {
  const { database, clock } = context;
  const id = newJobId(clock.now());
  const caller = { agentId: 0, rootId: 0, hash: Buffer.alloc(32), requestId: 'timer' };
  const runAt = new Date(Date.now() + 3_600_000);
  await insertJobs(database, [{ id, operation: 'forget_old_rows', input: {}, runAt, ...caller }]);
  await holdJob(database, id);
  return id;
}
