import { Secret, TOTP } from 'otpauth';

import type { Context } from '../../../composition/context.ts';
import { column, execute, rows, type Database } from '../../../platform/rows.ts';
import type { SealedColumn, SecretLocation } from '../../../platform/secrets.ts';

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, steps of 30 seconds. */
const CODES = { algorithm: 'SHA1', digits: 6, period: 30 };
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Accepted clock difference in steps: a clock may be wrong, and typing takes time. */
const STEPS_OFF_MAX = 1;

/** Steps are counted by the clock of this process. */
type Parts = Pick<Context, 'secrets' | 'clock'>;

const locationOf = (agentId: number): SecretLocation => ({
  table: 'app_code',
  column: 'secret',
  row: agentId,
  owner: agentId,
});

/** The location of the secrets in SQL (see SealedColumn). */
export const SEALED_APP_CODES: SealedColumn = {
  table: 'app_code',
  column: 'secret',
  row: 's.agent_id::text',
  owner: 's.agent_id',
};

/** Whether an owner must give a code after its password. */
export async function hasAppCodes(db: Database, agentId: number): Promise<boolean> {
  const sql = 'select agent_id from app_code where agent_id = $1 and confirmed_at is not null';
  return (await rows(db, { agent_id: column.id }, sql, [agentId])).length > 0;
}

/** Creates a secret, or replaces an unconfirmed one. False: codes are already on. */
export async function beginAppCodes(
  { secrets }: Parts,
  db: Database,
  agentId: number,
): Promise<boolean> {
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const made = await execute(
    db,
    `insert into app_code (agent_id, secret) values ($1, $2)
     on conflict (agent_id) do update
        set secret = excluded.secret, last_step = 0, created_at = now()
      where app_code.confirmed_at is null
     returning agent_id`,
    [agentId, secrets.seal(secret, locationOf(agentId))],
  );
  return made === 1;
}

/** A secret that waits for its first code, in the two forms that an app accepts. */
export interface PendingAppCode {
  /** Base32, to be typed. */
  readonly secret: string;
  /** An `otpauth://` URI, to be scanned. */
  readonly uri: string;
}

export async function findBegun(
  { secrets }: Parts,
  db: Database,
  { agentId, name, issuer }: { agentId: number; name: string; issuer: string },
): Promise<PendingAppCode | undefined> {
  const found = await findSecret(db, agentId);
  if (!found || found.is_confirmed) return undefined;
  const secret = secrets.open(found.secret, locationOf(agentId));
  return { secret, uri: new TOTP({ ...CODES, secret, label: name, issuer }).toString() };
}

/** Turns codes on if this first code is right. False: it is wrong. */
export async function confirmAppCodes(
  parts: Parts,
  db: Database,
  agentId: number,
  code: string,
): Promise<boolean> {
  if (!(await takeAppCode(parts, db, agentId, code, { isFirst: true }))) return false;
  await execute(db, 'update app_code set confirmed_at = now() where agent_id = $1', [agentId]);
  return true;
}

/** Whether this is the current code and was not used before: each step counts once. */
export async function takeAppCode(
  { secrets, clock }: Parts,
  db: Database,
  agentId: number,
  code: string,
  { isFirst = false } = {},
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const found = await findSecret(db, agentId);
  if (!found || found.is_confirmed === isFirst) return false;
  const secret = Secret.fromBase32(secrets.open(found.secret, locationOf(agentId)));
  const timestamp = clock.now().getTime();
  const window = STEPS_OFF_MAX;
  const off = TOTP.validate({ ...CODES, token: code, secret, timestamp, window });
  if (off === null) return false;
  const step = TOTP.counter({ period: CODES.period, timestamp }) + off;
  // The step only grows: of two equal codes sent at once, the second finds the step used.
  const taken = await execute(
    db,
    'update app_code set last_step = $2 where agent_id = $1 and last_step < $2',
    [agentId, step],
  );
  return taken === 1;
}

/** Turns codes off and deletes the recovery codes. */
export async function endAppCodes(db: Database, agentId: number): Promise<void> {
  await execute(db, 'delete from app_code where agent_id = $1', [agentId]);
  await execute(db, 'delete from recovery_code where agent_id = $1', [agentId]);
}

async function findSecret(db: Database, agentId: number) {
  const [found] = await rows(
    db,
    { secret: column.bytes, is_confirmed: column.boolean },
    `select secret, confirmed_at is not null as is_confirmed from app_code where agent_id = $1`,
    [agentId],
  );
  return found;
}
