import { emit } from '../../events/events.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { toUsd } from '../../../kernel/money.ts';
import { column, execute, nullable, oneOf, rows } from '../../../platform/rows.ts';

/** Failures in a row after which auto-recharge is turned off. */
const FAILURES_MAX = 3;

/** Ends a paid recharge and resets the count of failures. Its tree is locked. */
export async function endPaid(tx: Tx, id: string): Promise<void> {
  await execute(
    tx.db,
    `with ended as (
       update recharge set status = 'paid', reason = null, ended_at = now()
        where id = $1 and status <> 'paid' returning root_id)
     update auto_recharge set failures = 0
      where enabled and root_id in (select root_id from ended)`,
    [id],
  );
}

/**
 * Ends a failed recharge. The next attempt is an hour later, then two. After three failures, or if
 * the bank asks the owner of the card, auto-recharge is off until the owner turns it on again. Its
 * tree is locked.
 */
export async function endFailed(tx: Tx, id: string, reason: string): Promise<void> {
  const [failed] = await rows(
    tx.db,
    {
      root_id: column.id,
      amount: column.micros,
      enabled: column.boolean,
      off_because: nullable(oneOf<string>()),
    },
    `with ended as (
       update recharge set status = 'failed', reason = $2, ended_at = now()
        where id = $1 and status = 'charging' returning id, root_id),
     told as (
       select a.root_id, case when $2 = 'authentication_required' then $2
                              when a.failures + 1 >= ${FAILURES_MAX} then 'failures' end as off
         from auto_recharge a join ended using (root_id))
     update auto_recharge a
        set failures = least(a.failures + 1, ${FAILURES_MAX}),
            not_before = now() + interval '1 hour' * (a.failures + 1),
            enabled = a.enabled and told.off is null,
            off_because = case when a.enabled then told.off else a.off_because end
       from told, card_payment p
      where a.root_id = told.root_id and p.id = $1
     returning a.root_id, p.amount, a.enabled, a.off_because`,
    [id, reason],
  );
  if (!failed) return;
  const { root_id, amount, enabled, off_because } = failed;
  const object = { kind: 'wallet' as const, id: root_id, status: enabled ? 'on' : 'off' };
  const data = { amount: toUsd(amount), reason };
  const event = { agentId: root_id, object };
  await emit(tx.db, [
    { ...event, type: 'wallet.recharge_failed', data },
    ...(off_because
      ? [{ ...event, type: 'wallet.auto_recharge_off' as const, data: { reason: off_because } }]
      : []),
  ]);
}
