import { createHash } from 'node:crypto';

import type { Context } from '../../kernel/context.ts';
import { PLACES } from '../pool/pool.ts';

/** A session keeps its proxy for so long after its last connection. */
const LASTS_S = 10 * 60;

/** A name under which an agent wants its connections to leave by one proxy. */
export interface Session {
  /** Where in the pool it looks first: the same wherever it is asked. */
  readonly place: number;
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
  return { place: digest.readUInt32BE(0) % PLACES, key };
}

/**
 * The proxy of a session, if it has one. Redis only saves it from the newcomers of the pool: when
 * it is away or has lost everything, the place still leads most sessions to the proxy they had.
 */
export async function proxyOf({ queue }: Context, { key }: Session): Promise<number | undefined> {
  const id = await queue.redis.get(key).catch(() => null);
  return id === null ? undefined : Number(id);
}

/** From now on, and for ten minutes more, it is this one. */
export function keepProxy({ queue }: Context, { key }: Session, proxyId: string): void {
  queue.redis.set(key, proxyId, 'EX', LASTS_S).catch(() => undefined);
}
