import { operation } from '../../kernel/operation.ts';
import { Id, ID_MAX, Input, OneOf, Output, Type } from '../../kernel/schema.ts';
import { column, execute, rows, type Database, type Row } from '../../platform/rows.ts';
import { emit, eventsFor } from '../events/events.ts';
import { deferRelease } from '../orders/opening.ts';
import type { Tx } from '../../kernel/tx.ts';
import { findDataset } from '../products/dataset/dataset.ts';
import type { CheckFault, DatasetGateway } from './gateway.ts';
import { findGrant, newPassword, userOf, type Grant } from './grants.ts';
import type { MysqlDelivery, MysqlUser } from './mysql_delivery.ts';
import { openPart } from './versions.ts';

/** Longer than two timeouts of the gateway. */
const GATHER_MS = 45_000;

/**
 * Time after which every attempt to create a user, begun before its grant ended, is over. A user is
 * dropped at once and again after this time, so none is left, whatever process died in between.
 */
const LAST_DROP_AFTER = `interval '90 seconds'`;

/** No earlier version has given other tables to a user. */
const FIRST_VERSION = 1;

/** A version with its server. */
interface Place {
  readonly version: number;
  readonly server: MysqlDelivery;
}

interface Order {
  /** Where the user is made, the first that can; or dropped, all of them. */
  readonly places: readonly Place[];
  readonly user: MysqlUser;
  readonly isWanted: boolean;
  /** The version that the user has been made for; 0: none. */
  readonly madeFor: number;
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
  input: Input({
    grant_id: Id('The grant.'),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ID_MAX,
        description: 'The version; the one bought or else the current one if absent.',
      }),
    ),
  }),
  output: Output({ outcome: OneOf(['made', 'dropped', 'failed', 'none'], 'The result.') }),

  async prepare(tx, { grant_id, version: asked }): Promise<Order | undefined> {
    const grant = await findGrant(tx.db, grant_id);
    if (grant.dropped_at) return undefined;
    const dataset = (await findDataset(tx.db, grant.dataset_id))!;
    const isWanted = !grant.has_ended;
    const versions = isWanted
      ? await wantedAt(tx.db, grant, { asked, current: dataset.version })
      : await leftAt(tx.db, grant);
    if (isWanted && versions.includes(grant.version)) return undefined;
    const places = [];
    for (const version of versions) {
      const text = await openPart(tx, dataset, { version });
      // Only an old version may be kept no more.
      if (text) places.push({ version, server: JSON.parse(text) as MysqlDelivery });
    }
    return { places, user: userOf(tx, grant), isWanted, madeFor: grant.version };
  },

  async gather({ datasets }, _input, _call, order) {
    if (!order) return null;
    return order.isWanted ? makeUser(datasets, order) : dropUser(datasets, order);
  },

  async handle({ db, now }, { grant_id: id }, done) {
    // Before the grant, as accesses lock them.
    const order = await lockOrderOf(db, id);
    const grant = await findGrant(db, id, 'for update');
    if (!done || grant.dropped_at) return { outcome: 'none' as const };
    if (done.fault !== null) {
      const paid = done.isWanted ? order : undefined;
      await recordFault(db, { grant, order: paid }, { ...done, fault: done.fault });
      return { outcome: 'failed' as const };
    }
    if (done.isWanted) {
      // If the grant has ended meanwhile, the timer drops the user.
      const sql = `update dataset_grant set ready_at = now(), version = $2, fault = null,
                          cause = null where id = $1`;
      await execute(db, sql, [id, done.version]);
      const isLate = grant.fault !== null || (order && order.release_at <= now);
      if (order && grant.version === 0 && isLate) await deferRelease(db, order);
      return { outcome: 'made' as const };
    }
    await execute(
      db,
      `update dataset_grant
          set fault = null, cause = null, attempts = 0, next_at = ends_at + ${LAST_DROP_AFTER},
              dropped_at = case when is_last then now() end,
              password = case when is_last then null else password end
         from (select now() > ends_at + ${LAST_DROP_AFTER} as is_last
                 from dataset_grant where id = $1) at
        where id = $1`,
      [id],
    );
    return { outcome: 'dropped' as const };
  },

  ends: {
    async onGiveUp({ db }, { grant_id: id }) {
      const order = await lockOrderOf(db, id);
      const grant = await findGrant(db, id, 'for update');
      const isWanted = !grant.has_ended && grant.version === 0;
      if (isWanted) await recordFault(db, { grant, order }, GIVEN_UP);
      return 'fail';
    },
  },
});

const GIVEN_UP: CheckFault = { fault: 'The attempt could not be made.', cause: 'unknown' };

/**
 * Notes why a user could not be made, or dropped. The payment of an order is put off while its
 * buyer has not been let in; both parties are told once.
 */
async function recordFault(
  db: Tx['db'],
  { grant, order }: { grant: Grant; order: PaidOrder | undefined },
  { fault, cause = 'unknown' }: CheckFault,
): Promise<void> {
  const sql = 'update dataset_grant set fault = $2, cause = $3 where id = $1';
  await execute(db, sql, [grant.id, fault, cause]);
  if (!order) return;
  if (grant.version === 0) await deferRelease(db, order);
  if (grant.fault === null) await tellOfFault(db, order, grant);
}

/** The versions whose servers are asked in turn: the one bought, until the deal is final. */
async function wantedAt(
  db: Database,
  { order_id }: Grant,
  { asked, current }: { asked: number | undefined; current: number },
): Promise<readonly number[]> {
  if (asked) return [asked];
  const [sold] = await rows(
    db,
    { version: column.int },
    'select version from dataset_sale where order_id = $1 and is_open',
    [order_id],
  );
  return sold ? [...new Set([sold.version, current])] : [current];
}

/** The versions whose servers may have the user, the newest first: it may be at several. */
async function leftAt(db: Database, { dataset_id }: Grant): Promise<readonly number[]> {
  const found = await rows(
    db,
    { version: column.int },
    `select version from dataset_part join dataset_version v using (dataset_id, version)
      where dataset_id = $1 and part = 0 and v.status = 'active' order by version desc`,
    [dataset_id],
  );
  return found.map(({ version }) => version);
}

const FORGOTTEN: CheckFault = { fault: 'Its server is not known any more.', cause: 'forgotten' };

async function makeUser(datasets: DatasetGateway, { places, user, madeFor }: Order) {
  const isWanted = true;
  let first: CheckFault | undefined;
  for (const { server, version } of places) {
    const mayHaveMore = version > FIRST_VERSION || madeFor > version;
    const fault = await datasets.createUser(server, { user, mayHaveMore });
    if (!fault) return { fault: null, version, isWanted };
    first ??= fault;
  }
  return { ...(first ?? FORGOTTEN), version: 0, isWanted };
}

/** Drops the user from each server, with the newest login of it. */
async function dropUser(datasets: DatasetGateway, { places, user: { username } }: Order) {
  const servers = new Map<string, MysqlDelivery>();
  for (const { server } of places.toReversed()) {
    servers.set(`${server.host}:${server.port}`, server);
  }
  const faults = await Promise.all(
    [...servers.values()].map((server) =>
      datasets.dropUser(server, { username, password: newPassword() }),
    ),
  );
  return { fault: faults.find((one) => one)?.fault ?? null, version: 0, isWanted: false };
}

const PAID_ORDER = {
  id: column.id,
  buyer_id: column.id,
  seller_id: column.id,
  release_at: column.time,
};
type PaidOrder = Row<typeof PAID_ORDER>;

/** Locks the order of a grant; undefined: nothing was bought. */
async function lockOrderOf(db: Database, grantId: number): Promise<PaidOrder | undefined> {
  const [order] = await rows(
    db,
    PAID_ORDER,
    `select id, buyer_id, seller_id, release_at from orders
      where id = (select order_id from dataset_grant where id = $1) for no key update`,
    [grantId],
  );
  return order;
}

/** Tells both parties that the buyer cannot be let in. What its server says is not repeated. */
const tellOfFault = (db: Tx['db'], order: PaidOrder, { dataset_id }: { dataset_id: number }) =>
  emit(
    db,
    eventsFor([order.buyer_id, order.seller_id], {
      type: 'dataset.access_failed',
      object: { kind: 'dataset', id: dataset_id, status: 'active' },
      data: { dataset_id, order_id: order.id },
    }),
  );
