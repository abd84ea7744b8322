import { Deferral } from '../../jobs/deferral.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, rows } from '../../platform/rows.ts';
import type { Changes } from './approval.ts';
import { ask, type Question } from './ask.ts';

/** The action to approve: a spend, a withdrawal or a change of a policy. */
interface Action {
  /** Completes the message after "when this agent". */
  readonly does: string;
  readonly spend?: Pick<Question, 'amount' | 'productType' | 'quantity' | 'title'>;
  readonly changes?: Changes;
}

/**
 * The deferral to throw when nothing else refuses the call, if the policy of the caller or of an
 * agent above it has level high and nobody who may decide has approved this call. At that level an
 * owner decides also about withdrawals and about calls that spend nothing. The caller has locked
 * its tree.
 */
export async function askAtHigh(
  { db, caller, key }: Tx,
  { does, spend, changes }: Action,
): Promise<Deferral | undefined> {
  const [asks] = await rows(db, { id: column.id }, UNAPPROVED, [caller.agentId, key]);
  if (!asks) return undefined;
  const message =
    `The policy of agent ${asks.id} has level high: an owner approves it first when this agent ` +
    `${does}.`;
  const why = new Refusal('forbidden', message, { policy_of: asks.id });
  const question = {
    policyOf: asks.id,
    rule: 'governance_level',
    amount: 0n,
    quantity: 0,
    ...(spend && { ...spend, asksAbove: 0n }),
    ...(changes && { changes }),
  } as const;
  return new Deferral(why, (tx, call) => ask(tx, question, call));
}

/** SQL: the agent nearest the root whose policy asks: its deciders may decide below it too. */
const UNAPPROVED = `
  select l.id from agent
   cross join lateral unnest(agent.lineage) with ordinality as l(id, depth)
    join policy on policy.agent_id = l.id
   where agent.id = $1 and governance_level = 'high'
     and not exists (
       select from approval
        where job_id = $2 and status = 'approved'
          and policy_of = any (select unnest(lineage) from agent where id = l.id))
   order by l.depth limit 1`;

/** The approval under which a call is performed; undefined: it needed none. */
export async function approvalOf({ db, key }: Tx): Promise<number | undefined> {
  const [approval] = await rows(
    db,
    { id: column.id },
    `select id from approval where job_id = $1 and status = 'approved' order by id desc limit 1`,
    [key],
  );
  return approval?.id;
}
