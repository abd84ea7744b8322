import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';
import { balanceOf } from '../ledger/balance.ts';

/** An entry for roots whose balance is below the spend of their busiest day of the last eight. */
export const walletInbox: readonly InboxPart[] = [
  inboxPart({
    kind: 'low_balance',
    access: 'read',
    hasDeadline: false,
    sql: `select low.id, null::timestamptz as deadline, low.balance as amount,
                 '{}'::jsonb as facts
            from (select s.agent_id as id, ${balanceOf('s.root_id')} as balance,
                         greatest(
                           case when s.day > current_date - 8 then s.amount else 0 end,
                           (select max(p.amount) from past_spend p
                             where p.agent_id = s.agent_id and p.day > current_date - 8)) as busiest
                    from spend s where s.agent_id = $1 and s.agent_id = $2) low
           where low.balance < low.busiest`,
    asks: 'Add money: the wallet holds less than you spent on the busiest day of the last week.',
    otherwise: 'Calls that cost more than the balance are refused.',
    calls: () => [callOf('get_wallet', {})],
  }),
];
