import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';

interface Facts {
  readonly order_id: number | null;
  readonly task_id: number | null;
  readonly claim_id: number | null;
  readonly sender_id: number;
  readonly is_over: boolean;
}

/** Maximum messages of one agent that are searched for the newest of each conversation. */
const MESSAGES_MAX = 1_000;

/** Messages of the last week that the agent has not answered. */
export const messagesInbox: readonly InboxPart[] = [
  inboxPart<Facts>({
    kind: 'message_to_answer',
    access: 'read',
    hasDeadline: false,
    // Looked up one by one: PostgreSQL would plan a join as a scan of all orders and claims.
    sql: `select m.id, null::timestamptz as deadline,
                 coalesce(
                   (select o.subtotal + o.fee from orders o where o.id = m.order_id),
                   (select bid.amount from bid where bid.id = m.bid_id),
                   (select t.reward from labor_claim c join labor_task t on t.id = c.task_id
                     where c.id = m.claim_id)) as amount,
                 jsonb_build_object('order_id', m.order_id, 'task_id', m.task_id,
                   'claim_id', m.claim_id, 'sender_id', m.sender_id,
                   'is_over', exists (
                     select from task t where t.id = m.task_id and t.status <> 'open'
                        and t.bid_id is distinct from m.bid_id)) as facts
            from (select distinct on (sender_id, order_id, bid_id, claim_id)
                         id, order_id, task_id, bid_id, claim_id, sender_id
                    from (select * from message
                           where recipient_id = $1 and answered_at is null
                             and created_at > now() - interval '7 days'
                           order by created_at desc limit ${MESSAGES_MAX}) newest
                   order by sender_id, order_id, bid_id, claim_id, id desc) m`,
    asks: 'Read the message of the other party, and answer if needed.',
    otherwise: 'The other party keeps waiting. After a week it is not shown here.',
    calls: (_, { order_id, task_id, claim_id, sender_id, is_over: isOver }) => {
      const about = {
        ...(order_id && { order_id }),
        ...(task_id && { task_id }),
        ...(claim_id && { claim_id }),
      };
      const answer = callOf('send_message', { ...about, to_agent_id: sender_id });
      return [callOf('list_messages', about), ...(isOver ? [] : [answer])];
    },
  }),
];
