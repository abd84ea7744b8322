import type { Scope } from '../../kernel/caller.ts';
import { Id, Nullable, Output, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, someOf, type Row } from '../../platform/rows.ts';

/** An agent's own row. A root (no owner) owns a tree of agents and its treasury. */
export const AGENT_COLUMNS = {
  id: column.id,
  username: column.text,
  owner_id: nullable(column.id),
  root_id: column.id,
  status: oneOf<'active' | 'suspended'>(),
  created_at: column.time,
};

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
  connection_id: nullable(column.id),
};
export type ApiKey = Row<typeof KEY_COLUMNS>;

/** SQL: the key `k` works. */
export const KEY_WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

/** The suspension of an agent, as the agent itself may read it. */
export const SuspensionView = Output('Suspension', {
  by: Type.String({
    description: 'The kind of suspender: an operator, an agent or a rule.',
  }),
  set_by: Nullable(Id('The agent that suspended it.')),
  anomaly_id: Nullable(Id('The anomaly found by the rule.')),
  since: Time('Time of the suspension.'),
  note: Nullable(Type.String({ description: 'The reason.' })),
});

export const SUSPENSION_COLUMNS = {
  set_by: nullable(column.id),
  anomaly_id: nullable(column.id),
  suspended_at: nullable(column.time),
  note: nullable(column.text),
};

/** SQL: the columns of the last decision about the agent `a`, if it suspends it. */
export const SUSPENSION =
  'last.set_by, last.anomaly_id, last.created_at as suspended_at, last.note';
export const SUSPENSION_JOIN = `
  left join lateral (select set_by, anomaly_id, created_at, note from suspension
                      where agent_id = a.id order by id desc limit 1) last
    on a.status = 'suspended'`;

export const suspensionOf = ({
  set_by,
  anomaly_id,
  suspended_at,
  note,
}: Row<typeof SUSPENSION_COLUMNS>) =>
  suspended_at && {
    by: set_by !== null ? 'an agent' : anomaly_id !== null ? 'a rule' : 'an operator',
    set_by,
    anomaly_id,
    since: suspended_at.toISOString(),
    note,
  };
