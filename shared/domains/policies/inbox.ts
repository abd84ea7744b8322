import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';
import { IS_NEAR } from './policy.ts';

/**
 * Agents that a rule has suspended, for all above them, and agents that have spent most of what
 * they may spend today, for their root. A root sees itself too.
 */
export const policiesInbox: readonly InboxPart[] = [
  inboxPart({
    kind: 'agent_to_resume',
    access: 'owner',
    hasDeadline: false,
    sql: `select a.id, null::timestamptz as deadline, 0::bigint as amount, '{}'::jsonb as facts
            from agent a
           cross join lateral (select anomaly_id from suspension where agent_id = a.id
                                order by id desc limit 1) last
           where a.root_id = $2 and a.status = 'suspended' and last.anomaly_id is not null
             and $1::bigint = any (a.lineage) and (a.id <> $1 or a.id = $2)`,
    asks: 'Find out what the suspended agent did, and resume it if that was right.',
    otherwise: 'It stays suspended: it can neither spend, list nor withdraw.',
    calls: (agent_id) => [
      callOf('monitor_agent', { agent_id }),
      callOf('resume_agent', { agent_id }),
    ],
  }),
  inboxPart({
    kind: 'limit_to_raise',
    access: 'owner',
    hasDeadline: true,
    sql: `select a.agent_id as id, (a.day + 1)::timestamp at time zone 'UTC' as deadline,
                 s.amount, '{}'::jsonb as facts
            from spend_alert a
            join spend s on (s.agent_id, s.day) = (a.agent_id, a.day)
            join policy p on p.agent_id = a.agent_id and ${IS_NEAR}
           where a.root_id = $1 and a.root_id = $2 and a.day = (now() at time zone 'UTC')::date`,
    asks: 'Raise the daily limit of the agent if what it buys is right: 80 % of it is spent.',
    otherwise: 'Calls above the limit are refused until the day ends at midnight UTC.',
    calls: (agent_id) => [
      callOf('monitor_agent', { agent_id }),
      callOf('set_policy', { agent_id }),
    ],
  }),
];
