import { randomBytes } from 'node:crypto';

import { holdLiveKey } from '../../agents/own_keys.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Amount, Nullable, Output, Text, Time, type Static } from '../../../kernel/schema.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import type { SealedColumn } from '../../../platform/secrets.ts';
import { METERED } from '../../wallet/charge.ts';
import { toUsd } from '../../../kernel/money.ts';
import { ACCESS_FIELDS, findAccess } from '../access/access_view.ts';

/** An agent's personal key as it is shown. Field names and texts are the specification's. */
export const PROXY_KEY_FIELDS = {
  key: Text(1, 100, 'Starts with vnxp_. Whoever has it uses proxies at your cost.'),
  created_at: Time('Time of creation.'),
  door: Nullable(
    Text(
      1,
      100,
      'host:port of the rotating door, used as socks5h://agent:<key>@<door> or ' +
        'http://agent:<key>@<door>. User names with options behind them choose and keep the ' +
        'proxy: agent-country-us-city-boston-asn-7922-session-<name>-ttl-30m. null: not open.',
    ),
  ),
  price: Amount('Price of one connection that reached its target.'),
  ...ACCESS_FIELDS,
};
export const ProxyKeyView = Output('ProxyKey', PROXY_KEY_FIELDS);

/** Purpose of the hashes of keys. */
export const PURPOSE = 'proxy-key';

/** Returns the agent's key, and makes one if there is none. */
export async function findOrMakeKey(tx: Tx): Promise<Static<typeof ProxyKeyView>> {
  const { agentId, keyId } = tx.caller;
  // Otherwise a leaked API key, just revoked with the old proxy key, could still read a new one.
  await holdLiveKey(tx);
  // If two first calls run at once, the second waits here, and finds the key of the first.
  const made = await insertKey(tx, 'on conflict (agent_id) do nothing');
  if (made) return viewOf(tx, made);
  const found = await row(
    tx.db,
    { sealed: column.bytes, pepper_id: column.text, created_at: column.time },
    'select sealed, pepper_id, created_at from proxy_key where agent_id = $1',
    [agentId],
  );
  // The master key of its hash is gone, so the key is useless.
  if (!tx.secrets.knows(found.pepper_id)) return replaceKey(tx);
  await execute(
    tx.db,
    `update proxy_key set read_by = read_by || $2::bigint
      where agent_id = $1 and $2 <> all (read_by)`,
    [agentId, keyId],
  );
  const key = tx.secrets.open(found.sealed, whereOf(agentId));
  return viewOf(tx, { key, createdAt: found.created_at });
}

/** Replaces the key by a new one. The old one is invalid after the transaction. */
export async function replaceKey(tx: Tx): Promise<Static<typeof ProxyKeyView>> {
  await holdLiveKey(tx);
  const replace = `on conflict (agent_id) do update set id = default, hash = excluded.hash,
    pepper_id = excluded.pepper_id, sealed = excluded.sealed, read_by = excluded.read_by,
    created_at = now()`;
  return viewOf(tx, (await insertKey(tx, replace))!);
}

async function insertKey(
  { db, secrets, caller: { agentId, keyId: readBy } }: Tx,
  onConflict: string,
): Promise<{ key: string; createdAt: Date } | undefined> {
  const key = `vnxp_${randomBytes(32).toString('base64url')}`;
  const { keyId, hash } = secrets.hash(PURPOSE, key);
  const [inserted] = await rows(
    db,
    { created_at: column.time },
    `insert into proxy_key (agent_id, hash, pepper_id, sealed, read_by)
     values ($1, $2, $3, $4, array [$5::bigint])
     ${onConflict} returning created_at`,
    [agentId, hash, keyId, secrets.seal(key, whereOf(agentId)), readBy],
  );
  return inserted && { key, createdAt: inserted.created_at };
}

const whereOf = (agentId: number) => ({
  table: 'proxy_key',
  column: 'sealed',
  row: agentId,
  owner: agentId,
});

export const SEALED_PROXY_KEYS: SealedColumn = {
  table: 'proxy_key',
  column: 'sealed',
  row: 's.agent_id::text',
  owner: 's.agent_id',
  hashedFor: PURPOSE,
};

const viewOf = async (
  { config, db, caller }: Tx,
  { key, createdAt }: { key: string; createdAt: Date },
): Promise<Static<typeof ProxyKeyView>> => ({
  key,
  created_at: createdAt.toISOString(),
  door: config.proxies.socksAddress ?? null,
  price: toUsd(METERED.proxy.unitPrice),
  ...(await findAccess(db, caller.agentId)),
});
