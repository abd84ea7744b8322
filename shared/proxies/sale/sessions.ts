import { createHash } from 'node:crypto';

import type { Context } from '../../kernel/context.ts';
import { POSITIONS } from '../pool/segments.ts';

/** A session keeps its proxy for so long after its last connection. */
const LASTS_S = 10 * 60;

/** A name under which an agent wants its connections to leave by one proxy. */
export interface Session {
  /** Where in the pool the search for its proxy begins: the same in every process. */
  readonly position: number;
  readonly key: string;
}

export function sessionOf(
  { queue }: Context,
  { agentId, country, name }: { agentId: number; country: string | undefined; name: string },
): Session {
  const digest = createHash('sha256')
    .update(`${agentId}/${country ?? ''}/${name}`)
    .digest();
  const key = `${queue.prefix}:proxy-session:${digest.toString('base64url', 0, 16)}`;
  return { position: digest.readUInt32BE(0) % POSITIONS, key };
}

/**
 * The proxy of a session, if it has one. Redis only keeps it while others join the pool: when Redis
 * is away or has lost everything, the position still leads most sessions to the proxy they had.
 */
export async function proxyOf({ queue }: Context, { key }: Session): Promise<number | undefined> {
  const id = await queue.redis.get(key).catch(() => null);
  return id === null ? undefined : Number(id);
}

/** Binds the session to this proxy for the next ten minutes. */
export function keepProxy({ queue }: Context, { key }: Session, proxyId: string): void {
  queue.redis.set(key, proxyId, 'EX', LASTS_S).catch(() => undefined);
}
