import type { Secrets } from '../../platform/secrets.ts';
import { execute, oneOf, rows, type Database } from '../../platform/rows.ts';
import { isStoppable, NOTICE_KINDS, type NoticeKind, type StoppableKind } from './kinds.ts';

const PURPOSE = 'mail.unsubscribe';

/** An owner and the kind of mails that it wants no more. */
interface Unsubscription {
  readonly agentId: number;
  readonly kind: StoppableKind;
}

/** `agent.kind.signature`: turns off this kind for this owner, without signing in and for ever. */
export function unsubscriptionOf(secrets: Secrets, { agentId, kind }: Unsubscription): string {
  const { hash } = secrets.hash(PURPOSE, `${agentId}|${kind}`);
  return `${agentId}.${kind}.${hash.toString('base64url')}`;
}

/** The owner and the kind that such a text names; undefined: we did not sign it. */
export function readUnsubscription(secrets: Secrets, text: string): Unsubscription | undefined {
  const [, id, kind = '', signature] = /^(\d{1,15})\.([a-z_]{1,40})\.([\w-]{43})$/.exec(text) ?? [];
  if (!signature || !isStoppable(kind)) return undefined;
  const isOurs = secrets.isHashOf(Buffer.from(signature, 'base64url'), PURPOSE, `${id}|${kind}`);
  return isOurs ? { agentId: Number(id), kind } : undefined;
}

/** Turns one kind off. What waits to be told of that kind is forgotten. */
export async function turnOff(db: Database, { agentId, kind }: Unsubscription): Promise<void> {
  if (kind === 'digest') {
    await execute(db, 'delete from digest where agent_id = $1', [agentId]);
    return;
  }
  await execute(
    db,
    'insert into notice_off (agent_id, kind) values ($1, $2) on conflict do nothing',
    [agentId, kind],
  );
  await execute(db, 'delete from notice where agent_id = $1 and kind = $2', [agentId, kind]);
}

/** The kinds that an owner has turned off. */
export async function kindsOff(db: Database, agentId: number): Promise<readonly NoticeKind[]> {
  const sql = 'select kind from notice_off where agent_id = $1 order by kind';
  const found = await rows(db, { kind: oneOf<NoticeKind>() }, sql, [agentId]);
  return found.map(({ kind }) => kind);
}

/** Turns on these kinds, and no others. */
export async function chooseKinds(
  db: Database,
  agentId: number,
  kinds: readonly NoticeKind[],
): Promise<void> {
  for (const kind of NOTICE_KINDS) {
    if (!kinds.includes(kind)) await turnOff(db, { agentId, kind });
  }
  const sql = 'delete from notice_off where agent_id = $1 and kind = any ($2)';
  await execute(db, sql, [agentId, kinds]);
}
