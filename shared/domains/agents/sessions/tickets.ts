import type { Context } from '../../../composition/context.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';

/** Maximum time between the password and the code. */
const LIFE_MS = 5 * 60_000;
const PURPOSE = 'console.ticket';

type Parts = Pick<Context, 'database' | 'secrets' | 'clock'>;

/** An owner whose password was right. */
export interface Root {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly passwordHash: string;
}

/**
 * A ticket, `id.until.hash`, that says an owner has given its password and only a code is missing.
 * The page keeps it. Alone it allows nothing, and it ends when the password changes.
 */
export function ticketOf({ secrets, clock }: Parts, root: Root): string {
  const until = clock.now().getTime() + LIFE_MS;
  const { hash } = secrets.hash(PURPOSE, textOf(root, until));
  return `${root.id}.${until}.${hash.toString('base64url')}`;
}

/** The root that a ticket names; undefined: invalid or expired. */
export async function rootOfTicket(parts: Parts, ticket: string): Promise<Root | undefined> {
  const [, id, until, signature] = /^(\d{1,15})\.(\d{13})\.([\w-]{43})$/.exec(ticket) ?? [];
  if (id === undefined || Number(until) < parts.clock.now().getTime()) return undefined;
  const root = await findRoot(parts.database, 'id = $1', id);
  const hash = Buffer.from(signature!, 'base64url');
  const isOurs = root && parts.secrets.isHashOf(hash, PURPOSE, textOf(root, Number(until)));
  return isOurs ? root : undefined;
}

export const rootOfId = ({ database }: Pick<Parts, 'database'>, id: number) =>
  findRoot(database, 'id = $1', String(id));

export const rootOfName = ({ database }: Pick<Parts, 'database'>, name: string) =>
  findRoot(database, 'lower(username) = lower($1)', name);

/**
 * Refuses if the password of a root has changed since it was proven. It then stays as it is until
 * the transaction ends, so a session that begins here is among those that a new password ends.
 */
export async function holdPassword(db: Database, { id, passwordHash }: Root): Promise<void> {
  const sql = 'select id from agent where id = $1 and password_hash = $2 for share';
  const found = await rows(db, { id: column.id }, sql, [id, passwordHash]);
  if (found.length > 0) return;
  throw new Refusal('invalid_key', 'The password was changed just now. Sign in with the new one.');
}

async function findRoot(
  db: Context['database'],
  condition: string,
  value: string,
): Promise<Root | undefined> {
  const [found] = await rows(
    db,
    { id: column.id, username: column.text, status: column.text, password_hash: column.text },
    `select id, username, status, password_hash from agent
      where ${condition} and owner_id is null and password_hash is not null
        and closed_at is null`,
    [value],
  );
  if (!found) return undefined;
  const { username: name, password_hash: passwordHash, ...rest } = found;
  return { ...rest, name, passwordHash };
}

const textOf = ({ id, passwordHash }: Root, until: number) => `${id}|${until}|${passwordHash}`;
