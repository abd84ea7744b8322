import type { Context } from '../../kernel/context.ts';
import { column, rows } from '../../platform/rows.ts';

/** From the password to the code. */
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
 * Says that an owner has given its password, and that a code is what is missing: `id.until.hash`,
 * worth nothing alone. It is kept by the page that asks, and ends with the password.
 */
export function ticketOf({ secrets, clock }: Parts, root: Root): string {
  const until = clock.now().getTime() + LIFE_MS;
  const { hash } = secrets.hash(PURPOSE, textOf(root, until));
  return `${root.id}.${until}.${hash.toString('base64url')}`;
}

/** Whose it is; undefined: it is none, or too old. */
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

async function findRoot(
  db: Context['database'],
  condition: string,
  value: string,
): Promise<Root | undefined> {
  const [found] = await rows(
    db,
    { id: column.id, username: column.text, status: column.text, password_hash: column.text },
    `select id, username, status, password_hash from agent
      where ${condition} and owner_id is null and password_hash is not null`,
    [value],
  );
  if (!found) return undefined;
  const { username: name, password_hash: passwordHash, ...rest } = found;
  return { ...rest, name, passwordHash };
}

const textOf = ({ id, passwordHash }: Root, until: number) => `${id}|${until}|${passwordHash}`;
