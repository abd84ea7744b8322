import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';

/** Agents that a rule has suspended, for all above them; a root sees itself too. */
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
];
