import { randomBytes } from 'node:crypto';

import type { Tx } from '../../kernel/tx.ts';
import type { Order } from '../orders/order.ts';
import { column, execute, nullable, rows, type Database, type Row } from '../../platform/rows.ts';
import type { SealedColumn } from '../../platform/secrets.ts';
import { accessOf } from '../products/dataset/access.ts';
import type { Dataset } from '../products/dataset/dataset.ts';
import type { MysqlUser } from './mysql_delivery.ts';

/** Time after which a job that creates a user has succeeded or failed, and may be started anew. */
const ASK_AGAIN = `interval '1 minute'`;

const GRANT = {
  id: column.id,
  dataset_id: column.id,
  agent_id: column.id,
  order_id: nullable(column.id),
  username: column.text,
  password: nullable(column.bytes),
  /** The dataset version whose server has the user; 0: none yet. */
  version: column.int,
  /** The reason why the last attempt to make or drop the user failed. */
  fault: nullable(column.text),
  /** Kind of the fault. */
  cause: nullable(column.text),
  ends_at: nullable(column.time),
  has_ended: column.boolean,
  dropped_at: nullable(column.time),
};
/** The user that one buyer, or one agent, has on a seller's server. */
export type Grant = Row<typeof GRANT>;

const COLUMNS =
  'g.id, g.dataset_id, g.agent_id, g.order_id, g.username, g.password, g.version, g.fault, ' +
  `g.cause, nullif(g.ends_at, 'infinity') as ends_at, ` +
  'g.ends_at <= now() as has_ended, g.dropped_at';

export async function findGrant(
  db: Database,
  id: number,
  lock: '' | 'for update' = '',
): Promise<Grant> {
  const sql = `select ${COLUMNS} from dataset_grant g where g.id = $1 ${lock}`;
  return (await rows(db, GRANT, sql, [id]))[0]!;
}

/** The grant of this order, or of the caller if nothing was bought; created if there is none. */
export async function grantFor(
  tx: Tx,
  { dataset, order }: { dataset: Dataset; order: Order | undefined },
): Promise<{ grant: Grant; isNew: boolean }> {
  const found = await findGrantFor(tx, { dataset, order });
  if (found) return { grant: found, isNew: false };
  const { db, caller, secrets } = tx;
  const agentId = order?.buyer_id ?? caller.agentId;
  const [next] = await rows(
    db,
    { id: column.id },
    `select nextval(pg_get_serial_sequence('dataset_grant', 'id')) as id`,
  );
  const { id } = next!;
  const password = newPassword();
  const inserted = await execute(
    db,
    `insert into dataset_grant (id, dataset_id, agent_id, root_id, order_id, username, password,
                                ends_at)
     overriding system value
     values ($1, $2, $3, $4, $5, $6, $7,
             coalesce((select created_at from orders where id = $5)
                      + $8 * interval '1 day', 'infinity'))
     on conflict do nothing returning id`,
    [
      id,
      dataset.id,
      agentId,
      caller.rootId,
      order?.id ?? null,
      `vnx_${id}_${randomBytes(4).toString('hex')}`,
      secrets.seal(password, passwordOf({ id, agent_id: agentId })),
      dataset.access_days,
    ],
  );
  return { grant: (await findGrantFor(tx, { dataset, order }))!, isNew: inserted === 1 };
}

/** The state of a right whose user is not made yet. */
export async function waitingFor(tx: Tx, right: { dataset: Dataset; order: Order | undefined }) {
  const grant = (await findGrantFor(tx, right))!;
  const by = await rows(
    tx.db,
    { access_by: nullable(column.time) },
    'select access_by from order_access where order_id = $1',
    [right.order?.id ?? null],
  );
  return accessOf(
    {
      status: right.order?.status ?? 'completed',
      access_by: by[0]?.access_by ?? null,
      access_ends_at: grant.ends_at,
      dataset_type: right.dataset.type,
      grant_version: 0,
      grant_fault: grant.fault,
      grant_cause: grant.cause,
    },
    tx.now,
  );
}

export async function findGrantFor(
  { db, caller }: Tx,
  { dataset, order }: { dataset: Dataset; order: Order | undefined },
): Promise<Grant | undefined> {
  const [grant] = await rows(
    db,
    GRANT,
    `select ${COLUMNS} from dataset_grant g
      where ${order ? 'g.order_id = $2' : 'g.dataset_id = $1 and g.agent_id = $2'}
        and g.dataset_id = $1 ${order ? '' : 'and g.order_id is null'} for update`,
    [dataset.id, order?.id ?? caller.agentId],
  );
  return grant;
}

/** A password of lower and upper case, digits and signs, as the policies of servers ask for. */
export const newPassword = (): string => `${randomBytes(24).toString('base64url')}-aA1`;

/**
 * Claims the start of the job. False: a job was started a moment ago. A user that a server refused
 * has another password the next time.
 */
export async function claimAsking(
  { db, secrets }: Pick<Tx, 'db' | 'secrets'>,
  grant: Grant,
): Promise<boolean> {
  const password = secrets.seal(newPassword(), passwordOf(grant));
  const sql = `update dataset_grant
                  set asked_at = now(),
                      password = case when version = 0 and fault is not null then $2
                                      else password end
                where id = $1 and asked_at < now() - ${ASK_AGAIN}`;
  return (await execute(db, sql, [grant.id, password])) === 1;
}

/** The user with its password. Secret. */
export const userOf = ({ secrets }: Pick<Tx, 'secrets'>, grant: Grant): MysqlUser => ({
  username: grant.username,
  password: secrets.open(grant.password!, passwordOf(grant)),
});

/** The location that the password of a grant is sealed for. */
const passwordOf = ({ id, agent_id }: { id: number; agent_id: number }) => ({
  table: 'dataset_grant',
  column: 'password',
  row: id,
  owner: agent_id,
});

export const SEALED_GRANT_PASSWORDS: SealedColumn = {
  table: 'dataset_grant',
  column: 'password',
  row: 's.id::text',
  owner: 's.agent_id',
};
