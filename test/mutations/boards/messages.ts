import type { Mutation } from '../mutation.ts';

const SENDING = 'shared/domains/messages/sending.ts';
const TASK_SIDES = 'shared/domains/tasks/parties/sides.ts';
const LIST = 'shared/domains/messages/list_messages.ts';
const MESSAGES = 'test/messages/messages.test.ts';
const LIMITS = 'test/messages/message_limits.test.ts';

export const MESSAGES_OF_DEALS: readonly Mutation[] = [
  {
    name: 'anybody_writes_about_an_order',
    file: 'shared/domains/orders/parties/sides.ts',
    from: 'where o.id = $1 and ($2 = any (buyer.lineage) or o.seller_id = $2)',
    to: 'where o.id = $1 and $2 > 0',
    tests: [MESSAGES],
  },
  {
    name: 'anybody_reads_about_an_order',
    file: LIST,
    from: 'and $1 = any (party.lineage)',
    to: 'and $1 > 0',
    tests: [MESSAGES],
  },
  {
    name: 'bidders_read_what_others_write',
    file: LIST,
    from: 'where party.id in (m.sender_id, m.recipient_id)',
    to: 'where (m.bid_id is not null or party.id in (m.sender_id, m.recipient_id))',
    tests: [MESSAGES],
  },
  {
    name: 'anybody_writes_about_a_claim',
    file: 'shared/domains/labor/parties/sides.ts',
    from: 'where c.id = $1 and ($2 = any (poster.lineage) or c.agent_id = $2)',
    to: 'where c.id = $1 and $2 > 0',
    tests: [MESSAGES],
  },
  {
    name: 'claims_of_a_task_have_one_conversation',
    file: LIST,
    from: 'and ($6::bigint is null or m.claim_id = $6)',
    to: 'and ($6::bigint is null or m.claim_id is not null)',
    tests: [MESSAGES],
  },
  {
    name: 'operators_read_about_claims_without_an_appeal_to_them',
    file: 'shared/domains/messages/list_dispute_messages.ts',
    from: "or status = 'appealed' and judged_by = 'poster')",
    to: "or judged_by = 'poster')",
    tests: [MESSAGES],
  },
  {
    name: 'lost_bids_are_written_about',
    file: TASK_SIDES,
    from: "if (bidId === bid_id || status === 'open') return;",
    to: 'if (bidId > 0) return;',
    tests: [MESSAGES],
  },
  {
    name: 'messages_are_stored_as_text',
    file: 'shared/domains/messages/send_message.ts',
    from: 'const sealed = tx.secrets.seal(text, textOf({ message_id: id, from_agent_id: mine }));',
    to: 'const sealed = Buffer.from(text);',
    tests: [MESSAGES],
  },
  {
    name: 'text_of_a_message_opens_in_another_row',
    file: 'shared/domains/messages/message.ts',
    from: '  row: message.message_id,',
    to: '  row: 0,',
    tests: [MESSAGES],
  },
  {
    name: 'operators_read_what_is_not_in_dispute',
    file: 'shared/domains/messages/list_dispute_messages.ts',
    from: 'if (!disputed) throw',
    to: 'if (disputed === null) throw',
    tests: [MESSAGES],
  },
  {
    name: 'messages_in_a_row_have_no_end',
    file: SENDING,
    from: 'if (sent >= UNANSWERED_MAX) {',
    to: 'if (sent > UNANSWERED_MAX) {',
    tests: [LIMITS],
  },
  {
    name: 'messages_at_once_are_not_counted',
    file: SENDING,
    from: "'select pg_advisory_xact_lock(hashtextextended($1, 0))'",
    to: "'select hashtextextended($1, 0)'",
    tests: [LIMITS],
  },
  {
    name: 'messages_are_counted_by_agent',
    file: SENDING,
    from: '[caller.rootId, seconds, max - 1]',
    to: '[caller.agentId, seconds, max - 1]',
    tests: [LIMITS],
  },
  {
    name: 'ended_deals_are_written_about_for_ever',
    file: SENDING,
    from: 'if (!endedAt || now.getTime() - endedAt.getTime() < DAYS_AFTER_END * DAY_MS) return;',
    to: 'if (!endedAt || now > endedAt) return;',
    tests: [LIMITS],
  },
  {
    name: 'own_messages_are_answered_by_more_of_them',
    file: SENDING,
    from: 'latest where sender_id <> $2)',
    to: 'latest where sender_id = $2)',
    tests: [MESSAGES],
    grep: 'go from a buyer',
  },
];
