import { column, rows, type Database } from '../../platform/rows.ts';
import { NO_LIMITS, POLICY_COLUMNS } from './policy.ts';

/** Finds the policies that bind this agent, from the root's to its own. */
export async function policiesAbove(db: Database, agentId: number) {
  return rows(
    db,
    { status: column.text, version: column.int, ...POLICY_COLUMNS },
    `select agent.status, coalesce(p.version, 0) as version,
            coalesce(p.governance_level, 'low') as governance_level, p.max_spend_per_tx,
            p.daily_spend_limit, p.approval_threshold,
            case when p.agent_id is null then ${NO_LIMITS.new_seller_threshold}
                 else p.new_seller_threshold end as new_seller_threshold,
            coalesce(p.allowed_product_types, '{}') as allowed_product_types,
            coalesce(p.auto_suspend_on_anomaly, false) as auto_suspend_on_anomaly,
            p.min_seller_buyers
       from agent, unnest(agent.lineage) with ordinality as l(id, depth)
       left join policy p on p.agent_id = l.id
      where agent.id = $1 order by l.depth`,
    [agentId],
  );
}
