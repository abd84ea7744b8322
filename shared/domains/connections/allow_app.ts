import { randomBytes } from 'node:crypto';

import { holdOpenAccount } from '../agents/account/open_account.ts';
import { insertChild, tellOfChild } from '../agents/children/child.ts';
import type { Scope } from '../../kernel/caller.ts';
import type { Tx } from '../../kernel/tx.ts';
import { clean, handleOf } from '../../kernel/text.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import { setDailyLimit } from '../policies/set_daily_limit.ts';
import { column, execute, nullable, row, rows, someOf } from '../../platform/rows.ts';
import { setScopes } from './set_scopes.ts';

/** An app, and the permissions that an owner gives it. */
interface AllowedApp {
  /** Identity of the app: the URL that names it, or its name and callbacks. */
  readonly app: string;
  /** Name that the app gives itself. */
  readonly name: string;
  /** Host that the browser is sent back to. */
  readonly host: string;
  /** Whether a document at its URL proves its name. */
  readonly isProven: boolean;
  readonly scopes: readonly Scope[];
  /** Maximum spend per UTC day. */
  readonly dailyLimit: Micros;
}

const NAME_CHARS_MAX = 31;
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9];

const EXISTING = {
  id: column.id,
  agent_id: column.id,
  scopes: someOf<Scope>(),
  revoked_at: nullable(column.time),
};

/**
 * Allows an app to act for the caller, and returns the id of the connection. The same app of the
 * same owner stays one child agent with one limit. The tree is locked, so two sign-ins at once
 * create one connection.
 */
export async function allowApp(tx: Tx, allowed: AllowedApp): Promise<number> {
  const { db, caller } = tx;
  await lockTreasuries(db, [caller.rootId]);
  // It may have been closed while its owner was asked.
  await holdOpenAccount(db, caller.rootId);
  const [existing] = await rows(
    db,
    EXISTING,
    'select id, agent_id, scopes, revoked_at from connection where owner_id = $1 and app = $2',
    [caller.agentId, allowed.app],
  );
  if (!existing) return connect(tx, allowed);
  await execute(
    db,
    `update connection set allowed_at = now(), revoked_at = null, name = $2, host = $3
      where id = $1`,
    [existing.id, allowed.name, allowed.host],
  );
  await setScopes(tx, existing, allowed.scopes);
  await setDailyLimit(tx, existing.agent_id, allowed.dailyLimit, { isDecided: true });
  return existing.id;
}

async function connect(tx: Tx, allowed: AllowedApp): Promise<number> {
  const { db, caller } = tx;
  const childId = await spawn(tx, allowed.name);
  const { id } = await row(
    db,
    { id: column.id },
    `insert into connection (owner_id, agent_id, root_id, app, name, host, is_proven, scopes)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      caller.agentId,
      childId,
      caller.rootId,
      allowed.app,
      allowed.name,
      allowed.host,
      allowed.isProven,
      allowed.scopes,
    ],
  );
  await setDailyLimit(tx, childId, allowed.dailyLimit, { isDecided: true });
  await tellOfChild(tx, childId, allowed.scopes);
  return id;
}

/** Spawns a child named after the app, with a number appended if the name is taken. */
async function spawn(tx: Tx, appName: string): Promise<number> {
  const name = handleOf(clean(appName.replaceAll('/', ' '))) || 'app';
  const ends = ['', ...NUMBERS.map((n) => `-${n}`), `-${randomBytes(4).toString('hex')}`];
  for (const end of ends) {
    const start = Array.from(name)
      .slice(0, NAME_CHARS_MAX - end.length)
      .join('');
    const child = await insertChild(tx, start + end);
    if (child) return child.id;
  }
  throw new Error('no name is left for the agent of an app');
}
