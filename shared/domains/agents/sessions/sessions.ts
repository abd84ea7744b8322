import { hash, randomBytes } from 'node:crypto';

import type { Context } from '../../../composition/context.ts';
import { tierOf } from '../../ledger/tiers.ts';
import {
  column,
  execute,
  namesOf,
  nullable,
  row,
  rows,
  type Database,
} from '../../../platform/rows.ts';
import { SCOPES } from '../../../kernel/caller.ts';
import { PLATFORM, type Caller } from '../../../kernel/caller.ts';
import { DEFAULT_SETTINGS, SETTING_COLUMNS, settingsOf, type OwnerSettings } from './settings.ts';

/** Maximum hours of a session (NIST SP 800-63B-4, AAL2; shorter for operators). */
const HOURS_MAX = { owner: 24, operator: 12 };

/** A person who has signed in with a browser. */
export interface WebSession {
  readonly id: number;
  /** The caller it acts as: the root of a tree with all scopes, or an operator. */
  readonly caller: Caller;
  /** Name of the root or of the operator. */
  readonly name: string;
  readonly createdAt: Date;
  /** Whether its person gave a proof (a password, a passkey, a code) within ten minutes. */
  readonly isFresh: boolean;
  /** Settings of the owner; the defaults for an operator. */
  readonly settings: OwnerSettings;
  /** Due time of the password reset that waits; null: none waits. */
  readonly resetDueAt: Date | null;
}

type SessionOwner =
  { readonly agentId: number; readonly rootId: number } | { readonly operator: string };

/** The browser of a session. */
export interface Browser {
  readonly device: string;
  readonly address: string;
}

const DEVICE_CHARS_MAX = 200;

/** Starts a session. Returns its token, of which only a hash is kept. */
export async function startSession(
  db: Database,
  owner: SessionOwner,
  { device, address }: Browser,
): Promise<string> {
  const token = newToken();
  const isOperator = 'operator' in owner;
  const hours = isOperator ? HOURS_MAX.operator : HOURS_MAX.owner;
  await execute(
    db,
    `insert into web_session (hash, agent_id, root_id, operator, device, address, ends_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7))`,
    [
      digestOf(token),
      isOperator ? null : owner.agentId,
      isOperator ? null : owner.rootId,
      isOperator ? owner.operator : null,
      device.slice(0, DEVICE_CHARS_MAX),
      address,
      hours,
    ],
  );
  await execute(db, FORGET);
  return token;
}

/** The session of a token, looked up each time, so that ending one works at once everywhere. */
export async function findSession(
  { database, config }: Pick<Context, 'database' | 'config'>,
  token: string,
): Promise<WebSession | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [found] = await rows(
    database,
    LIVE_COLUMNS,
    `select ${namesOf(LIVE_COLUMNS)} from live_session($1)`,
    [digestOf(token)],
  );
  if (!found) return undefined;
  const { id, operator, inflow } = found;
  const common = {
    id,
    createdAt: found.created_at,
    isFresh: found.is_fresh,
    resetDueAt: found.reset_due_at,
  };
  if (operator !== null) {
    // An operator removed from the configuration loses its sessions.
    if (!config.agents.operators.some(({ name }) => name === operator)) return undefined;
    const caller = { ...PLATFORM, operator, sessionId: id };
    return { ...common, name: operator, caller, settings: DEFAULT_SETTINGS };
  }
  const tier = tierOf(config.api.tiers, inflow);
  const [agentId, rootId] = [found.agent_id!, found.root_id!];
  const caller = { agentId, rootId, keyId: 0, sessionId: id, scopes: SCOPES, tier };
  return { ...common, name: found.username!, caller, settings: settingsOf(found) };
}

/** The tokens among these whose sessions are live, by one statement. */
export async function liveTokens(
  db: Database,
  tokens: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows(
    db,
    { n: column.int },
    `select n::int from unnest($1::bytea[]) with ordinality as asked(hash, n)
      where exists (select from live_session(asked.hash))`,
    [tokens.map(digestOf)],
  );
  return new Set(found.map(({ n }) => tokens[n - 1]!));
}

/** Notes activity of the session's person, at most once a minute. */
export async function noteSeen(db: Database, { id }: WebSession): Promise<void> {
  await execute(
    db,
    `update web_session set seen_at = now()
      where id = $1 and seen_at < now() - interval '1 minute'`,
    [id],
  );
}

/** Replaces the token of a session after a proof; the old token ends. */
export async function renewSession(db: Database, { id }: WebSession): Promise<string> {
  const token = newToken();
  await row(
    db,
    { id: column.id },
    'update web_session set hash = $2, proved_at = now(), seen_at = now() where id = $1 returning id',
    [id, digestOf(token)],
  );
  return token;
}

export async function endSession(db: Database, { id }: Pick<WebSession, 'id'>): Promise<void> {
  await execute(db, 'delete from web_session where id = $1', [id]);
}

const newToken = () => randomBytes(32).toString('base64url');
const TOKEN = /^[\w-]{43}$/;
const digestOf = (token: string) => hash('sha256', token, 'buffer');

const FORGET = `
  delete from web_session where id in (
    select id from web_session where ends_at < now() - interval '1 day'
     order by ends_at limit 10 for update skip locked)`;

const LIVE_COLUMNS = {
  id: column.id,
  agent_id: nullable(column.id),
  root_id: nullable(column.id),
  username: nullable(column.text),
  operator: nullable(column.text),
  created_at: column.time,
  is_fresh: column.boolean,
  inflow: column.micros,
  ...SETTING_COLUMNS,
  reset_due_at: nullable(column.time),
};
