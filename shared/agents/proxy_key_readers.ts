import type { Tx } from '../kernel/operation.ts';
import { OneOf, Type } from '../kernel/schema.ts';
import { column, execute, rows } from '../platform/rows.ts';

/*
 * The personal proxy key of an agent is shown to each of its API keys, so whoever had one of those
 * may have it too. What ends an API key therefore says so, and offers to end both.
 */

/** Of the input of what ends an API key. */
export const EndProxyKey = Type.Optional(
  Type.Boolean({
    description: 'Ends the proxy key of this agent too, if it was shown to this API key.',
  }),
);

/** Of its answer. */
export const ProxyKeyState = OneOf(
  ['not_shown', 'works', 'ended'],
  'The proxy key of this agent. not_shown: this API key was not used to read it; works: it was, ' +
    'so who has this key may have that one: end it by end_proxy_key; ended: by this call.',
);

/** Ends the proxy key of this agent if it was shown to this API key and `end` says so. */
export async function endProxyKey(
  { db }: Tx,
  { agentId, keyId, end = false }: { agentId: number; keyId: number; end?: boolean | undefined },
): Promise<'not_shown' | 'works' | 'ended'> {
  const shown = await rows(
    db,
    { agent_id: column.id },
    'select agent_id from proxy_key where agent_id = $1 and $2 = any (read_by) for update',
    [agentId, keyId],
  );
  if (shown.length === 0) return 'not_shown';
  if (!end) return 'works';
  await execute(db, 'delete from proxy_key where agent_id = $1', [agentId]);
  return 'ended';
}
