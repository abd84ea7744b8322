import type { Tx } from '../../kernel/tx.ts';
import { OneOf, Type } from '../../kernel/schema.ts';
import { column, execute, rows } from '../../platform/rows.ts';

/*
 * The personal proxy key of an agent is shown to each of its API keys, so the holder of a leaked
 * API key may have it too. Operations that end an API key say so, and offer to end both.
 */

/** Input field of operations that end an API key. */
export const EndProxyKey = Type.Optional(
  Type.Boolean({
    description: 'Ends the proxy key of the agent too, if this API key has read it.',
  }),
);

/** Output field of the same operations. */
export const ProxyKeyState = OneOf(
  ['not_shown', 'works', 'ended'],
  'Proxy key of the agent. not_shown: this API key has not read it; works: it has, so holders of ' +
    'the API key may know it: end it with end_proxy_key; ended: by this call.',
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
