import { createHash } from 'node:crypto';

import type { Context } from '../../../composition/context.ts';
import { POSITIONS } from '../pool/segments.ts';

/** Seconds that a session keeps its proxy after its last connection, if it does not say. */
const TTL_S = 10 * 60;

/** A session: connections of an agent under one name, which use one proxy. */
export interface Session {
  /** Position in the pool where the search for its proxy begins: the same in every process. */
  readonly position: number;
  readonly key: string;
  readonly ttlS: number;
}

interface SessionName {
  readonly agentId: number;
  readonly country?: string | undefined;
  readonly city?: string | undefined;
  readonly asn?: number | undefined;
  readonly name: string;
  readonly ttlS?: number | undefined;
}

export function sessionOf(
  { queue }: Context,
  { agentId, country, city, asn, name, ttlS = TTL_S }: SessionName,
): Session {
  // No name has a slash in it.
  const place = city === undefined && asn === undefined ? '' : `/${city ?? ''}/${asn ?? ''}`;
  const digest = createHash('sha256')
    .update(`${agentId}/${country ?? ''}/${name}` + place)
    .digest();
  const key = `${queue.prefix}:proxy-session:${digest.toString('base64url', 0, 16)}`;
  return { position: digest.readUInt32BE(0) % POSITIONS, key, ttlS };
}

/**
 * Reads the proxy of a session, if it has one. Redis only keeps it stable while others join the
 * pool: without Redis the position still leads most sessions to the proxy they had.
 */
export async function proxyOf({ queue }: Context, { key }: Session): Promise<number | undefined> {
  const id = await queue.redis.get(key).catch(() => null);
  return id === null ? undefined : Number(id);
}

/** Binds the session to this proxy for its time from now on. */
export function keepProxy({ queue }: Context, { key, ttlS }: Session, proxyId: string): void {
  queue.redis.set(key, proxyId, 'EX', ttlS).catch(() => undefined);
}
