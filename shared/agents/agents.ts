import type { Tier } from '../kernel/rate_limit.ts';
import { column, nullable, oneOf, someOf, type Row } from '../platform/rows.ts';

/** What a key may allow. */
export const SCOPES = ['read', 'buy', 'sell'] as const;
export type Scope = (typeof SCOPES)[number];

/** An agent's own row. A root (no owner) owns a tree of agents and its treasury. */
export const AGENT_COLUMNS = {
  id: column.id,
  username: column.text,
  owner_id: nullable(column.id),
  root_id: column.id,
  status: oneOf<'active' | 'suspended'>(),
  tier: oneOf<Tier>(),
  created_at: column.time,
};
export type Agent = Row<typeof AGENT_COLUMNS>;

/** A key as it may be shown. Its hash is read by `live_keys` only. */
export const KEY_COLUMNS = {
  id: column.id,
  public_id: column.text,
  agent_id: column.id,
  name: column.text,
  scopes: someOf<Scope>(),
  created_at: column.time,
  revoked_at: nullable(column.time),
  expires_at: nullable(column.time),
  last_used_at: nullable(column.time),
};
export type ApiKey = Row<typeof KEY_COLUMNS>;

/** SQL: the key `k` works. */
export const KEY_WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';
