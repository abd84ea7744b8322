import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../../kernel/schema.ts';
import { column, execute, rows, type Database, type Row } from '../../platform/rows.ts';
import { emit } from '../events/events.ts';
import { deferRelease } from '../orders/opening.ts';
import type { Tx } from '../../kernel/tx.ts';
import { findDataset } from '../products/dataset/dataset.ts';
import type { CheckFault } from './gateway.ts';
import { findGrant, userOf } from './grants.ts';
import type { MysqlDelivery, MysqlUser } from './mysql_delivery.ts';
import { openPart } from './versions.ts';

/** Longer than the timeout of the gateway. */
const GATHER_MS = 30_000;

/**
 * Time after which every attempt to create a user, begun before its grant ended, is over. A user is
 * dropped at once and again after this time, so none is left, whatever process died in between.
 */
const LAST_DROP_AFTER = `interval '90 seconds'`;

/** No earlier version has given other tables to a user. */
const FIRST_VERSION = 1;

interface Order {
  readonly server: MysqlDelivery;
  readonly user: MysqlUser;
  readonly version: number;
  readonly isWanted: boolean;
}

/**
 * Creates the user of a grant on the seller's server, or drops it when the grant has ended.
 * Idempotent: it does not depend on what the server has.
 */
export const setDatasetUser = operation({
  name: 'set_dataset_user',
  title: 'Create or drop a user',
  summary: "Internal: creates the user of a buyer on a seller's server, or drops it.",
  access: 'operator',
  mode: 'job',
  queue: 'network',
  gatherMs: GATHER_MS,
  input: Input({ grant_id: Id('The grant.') }),
  output: Output({ outcome: OneOf(['made', 'dropped', 'failed', 'none'], 'The result.') }),

  async prepare(tx, { grant_id }): Promise<Order | undefined> {
    const grant = await findGrant(tx.db, grant_id);
    const dataset = (await findDataset(tx.db, grant.dataset_id))!;
    const isReady = !grant.has_ended && grant.version === dataset.version;
    if (grant.dropped_at || isReady) return undefined;
    const text = await openPart(tx, dataset, dataset);
    return {
      server: JSON.parse(text!) as MysqlDelivery,
      user: userOf(tx, grant),
      version: dataset.version,
      isWanted: !grant.has_ended,
    };
  },

  async gather({ datasets }, _input, _call, order) {
    if (!order) return null;
    const { server, user, version, isWanted } = order;
    const fault: CheckFault | null = isWanted
      ? await datasets.createUser(server, { user, mayHaveMore: version > FIRST_VERSION })
      : await datasets.dropUser(server, user);
    return { fault: fault?.fault ?? null, version, isWanted };
  },

  async handle({ db }, { grant_id: id }, done) {
    // Before the grant, as accesses lock them.
    const order = await lockOrderOf(db, id);
    const grant = await findGrant(db, id, 'for update');
    if (!done || grant.dropped_at) return { outcome: 'none' as const };
    if (done.fault !== null) {
      await execute(db, 'update dataset_grant set fault = $2 where id = $1', [id, done.fault]);
      if (done.isWanted && order) await deferRelease(db, order);
      if (done.isWanted && order && grant.fault === null) await tellOfFault(db, order, grant);
      return { outcome: 'failed' as const };
    }
    if (done.isWanted) {
      // If the grant has ended meanwhile, the timer drops the user.
      const sql = `update dataset_grant set ready_at = now(), version = $2, fault = null
                    where id = $1`;
      await execute(db, sql, [id, done.version]);
      if (order && grant.fault !== null) await deferRelease(db, order);
      return { outcome: 'made' as const };
    }
    await execute(
      db,
      `update dataset_grant
          set fault = null, attempts = 0, next_at = ends_at + ${LAST_DROP_AFTER},
              dropped_at = case when is_last then now() end,
              password = case when is_last then null else password end
         from (select now() > ends_at + ${LAST_DROP_AFTER} as is_last
                 from dataset_grant where id = $1) at
        where id = $1`,
      [id],
    );
    return { outcome: 'dropped' as const };
  },
});

const PAID_ORDER = { id: column.id, buyer_id: column.id, seller_id: column.id };
type PaidOrder = Row<typeof PAID_ORDER>;

/** Locks the order of a grant; undefined: nothing was bought. */
async function lockOrderOf(db: Database, grantId: number): Promise<PaidOrder | undefined> {
  const [order] = await rows(
    db,
    PAID_ORDER,
    `select id, buyer_id, seller_id from orders
      where id = (select order_id from dataset_grant where id = $1) for no key update`,
    [grantId],
  );
  return order;
}

/** Tells both parties that the buyer cannot be let in. What its server says is not repeated. */
const tellOfFault = (db: Tx['db'], order: PaidOrder, { dataset_id }: { dataset_id: number }) =>
  emit(
    db,
    [order.buyer_id, order.seller_id].map((agentId) => ({
      agentId,
      type: 'dataset.access_failed',
      object: { kind: 'dataset' as const, id: dataset_id, status: 'active' },
      data: { dataset_id, order_id: order.id },
    })),
  );
