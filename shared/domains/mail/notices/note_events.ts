import { column, execute, row, rows, type Database } from '../../../platform/rows.ts';
import type { NoticeKind } from '../kinds.ts';

/** Events that a run reads; the next one goes on. */
const EVENTS_MAX = 5_000;

/** Types of events that are told by mail. */
const KINDS: Readonly<Record<string, NoticeKind>> = {
  'approval.requested': 'approval',
  'withdrawal.requested': 'withdrawal',
  'withdrawal.paid': 'withdrawal',
  'withdrawal.failed': 'withdrawal',
  'wallet.recharge_failed': 'payment_failed',
  'wallet.auto_recharge_off': 'payment_failed',
  'deposit.rejected': 'payment_failed',
  'deposit.reversed': 'payment_failed',
  'agent.limit_near': 'spend',
  'agent.calls_failing': 'calls',
  'agent.calls_costly': 'calls',
};

/** SQL: whether the owner `root` is told of `kind` by mail. */
const isTold = (root: string, kind: string) =>
  `exists (select from proven_address p join agent o on o.id = p.agent_id
            where p.agent_id = ${root} and p.address = o.email)
   and not exists (select from notice_off n where n.agent_id = ${root} and n.kind = ${kind})`;

/** Notes what events say since the last run. An approval has an event for each who may decide. */
export async function noteEvents(db: Database): Promise<boolean> {
  const { id: from } = await row(
    db,
    { id: column.id },
    'select id from notice_watermark for update',
  );
  const { until, is_full: isFull } = await row(
    db,
    { until: column.id, is_full: column.boolean },
    `select coalesce(max(id), $1) as until, count(*) = $2 as is_full
       from (select id from event where id > $1 and id <= (select id from event_watermark)
              order by id limit $2) as scanned`,
    [from, EVENTS_MAX],
  );
  await execute(
    db,
    `insert into notice (agent_id, kind, cause, data)
     select e.root_id, k.kind,
            case when k.kind = 'approval' then 'approval/' || e.object_id else 'event/' || e.id end,
            jsonb_build_object('type', e.type, 'at', to_json(e.occurred_at), 'id', e.object_id,
              'agent', a.username, 'amount', e.data -> 'amount', 'reason', e.data -> 'reason',
              'calls', e.data -> 'calls', 'errors', e.data -> 'errors', 'limit', e.data -> 'limit')
       from event e
       join unnest($3::text[], $4::text[]) as k(type, kind) on k.type = e.type
       join agent a on a.id = coalesce((e.data ->> 'agent_id')::bigint, e.agent_id)
      where e.id > $1 and e.id <= $2 and ${isTold('e.root_id', 'k.kind')}
     on conflict do nothing`,
    [from, until, Object.keys(KINDS), Object.values(KINDS)],
  );
  await execute(db, 'update notice_watermark set id = $1', [until]);
  return isFull;
}

/** Notes a sign-in of an owner from a browser that was not signed in before. */
export const noteSignIn = (db: Database, agentId: number): Promise<number> =>
  execute(
    db,
    `insert into notice (agent_id, kind, cause, data)
     select $1::bigint, 'sign_in', 'sign_in/' || clock_timestamp(),
            jsonb_build_object('type', 'sign_in', 'at', to_json(now()), 'id', $1::bigint)
      where ${isTold('$1', `'sign_in'`)}
     on conflict do nothing`,
    [agentId],
  );

interface GatheredNotices {
  readonly agentId: number;
  readonly kind: NoticeKind;
}

/** Owners and kinds with something to tell, of which none was mailed in the last 15 minutes. */
export async function findDue(db: Database, max: number): Promise<GatheredNotices[]> {
  const found = await rows(
    db,
    { agent_id: column.id, kind: column.text },
    `select agent_id, kind from notice n
      where not exists (select from mail m
                         where m.agent_id = n.agent_id and m.kind = n.kind
                           and m.created_at > now() - interval '15 minutes')
      group by agent_id, kind order by min(noted_at) limit $1`,
    [max],
  );
  return found.map(({ agent_id: agentId, kind }) => ({ agentId, kind: kind as NoticeKind }));
}
