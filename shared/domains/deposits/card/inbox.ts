import { callOf, inboxPart, type InboxPart } from '../../../kernel/terms/inbox_part.ts';

/** An entry for roots whose auto-recharge the platform has turned off. */
export const cardInbox: readonly InboxPart[] = [
  inboxPart({
    kind: 'recharge_to_renew',
    access: 'read',
    hasDeadline: false,
    sql: `select root_id as id, null::timestamptz as deadline, amount, '{}'::jsonb as facts
            from auto_recharge where root_id = $1 and root_id = $2 and off_because is not null`,
    asks: 'Pay by a card that is accepted, and turn auto-recharge on again: its charges failed.',
    otherwise:
      'The wallet is not topped up, and calls that cost more than the balance are refused.',
    calls: () => [callOf('get_wallet', {})],
  }),
];
