import { operation } from '../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../kernel/schema.ts';
import { execute } from '../platform/rows.ts';
import { findDataset } from './dataset.ts';
import type { CheckFault } from './gateway.ts';
import { findGrant, userOf } from './grants.ts';
import type { MysqlDelivery, MysqlUser } from './mysql_delivery.ts';
import { openPart } from './versions.ts';

/** Longer than the gateway may take. */
const GATHER_MS = 30_000;

/**
 * Whoever began to make a user before its time ended has done so by then. So a user is dropped at
 * once, and once more after this: none is left, whatever died in between.
 */
const LAST_DROP_AFTER = `interval '90 seconds'`;

interface Order {
  readonly server: MysqlDelivery;
  readonly user: MysqlUser;
  readonly version: number;
  readonly isWanted: boolean;
}

/**
 * Makes the user of a grant at its seller's server, or drops it when the grant has ended: whatever
 * it finds there, and however often it is done.
 */
export const setDatasetUser = operation({
  name: 'set_dataset_user',
  title: 'Make or drop a user',
  summary: "Internal: makes the user of a buyer at a seller's server, or drops it.",
  access: 'operator',
  mode: 'job',
  domain: 'datasets',
  queue: 'network',
  gatherMs: GATHER_MS,
  input: Input({ grant_id: Id('The grant.') }),
  output: Output({ outcome: OneOf(['made', 'dropped', 'failed', 'none'], 'What was done.') }),

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
      ? await datasets.createUser(server, user)
      : await datasets.dropUser(server, user);
    return { fault: fault?.fault ?? null, version, isWanted };
  },

  async handle({ db }, { grant_id: id }, done) {
    const grant = await findGrant(db, id, 'for update');
    if (!done || grant.dropped_at) return { outcome: 'none' as const };
    if (done.fault !== null) {
      await execute(db, 'update dataset_grant set fault = $2 where id = $1', [id, done.fault]);
      return { outcome: 'failed' as const };
    }
    if (done.isWanted) {
      // If its time has ended meanwhile, the timer drops it.
      const sql = `update dataset_grant set ready_at = now(), version = $2, fault = null
                    where id = $1`;
      await execute(db, sql, [id, done.version]);
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
