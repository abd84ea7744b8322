import type { MailWords } from './mail_words.ts';

/** The facts of a summary. */
export interface DigestData {
  /** The first and the last day, UTC. */
  readonly from: string;
  readonly to: string;
  readonly spent: Sum;
  readonly earned: Sum;
  /** The agents that spent most, the first one most. */
  readonly agents: readonly { readonly name: string; readonly amount: number }[];
  /** Numbers of objects, by the type of an event about them. */
  readonly events: Readonly<Record<string, number>>;
  /** Number of items that wait for a decision. */
  readonly waiting: number;
}

interface Sum {
  readonly amount: number;
  readonly count: number;
}

/** Types of events that a summary counts, with the words for one and for several. */
const COUNTED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  'approval.requested': ['request for your approval', 'requests for your approval'],
  'order.disputed': ['order disputed', 'orders disputed'],
  'order.refunded': ['order refunded', 'orders refunded'],
  'agent.suspended': ['agent stopped', 'agents stopped'],
  'deposit.credited': ['deposit', 'deposits'],
  'deposit.reversed': ['deposit taken back', 'deposits taken back'],
  'withdrawal.paid': ['withdrawal paid', 'withdrawals paid'],
  'wallet.recharge_failed': ['failed recharge', 'failed recharges'],
};
export const DIGEST_EVENTS = Object.keys(COUNTED);

const usd = (amount: number) => `$${amount.toFixed(2)}`;
const times = (count: number, one: string, several: string) =>
  `${count} ${count === 1 ? one : several}`;

export function digestWords(data: DigestData): MailWords {
  const { from, to, spent, earned, agents, events, waiting } = data;
  const days = from === to ? `On ${from}` : `From ${from} to ${to}`;
  const happened = Object.entries(COUNTED).flatMap(([type, [one, several]]) =>
    events[type] ? [times(events[type], one, several)] : [],
  );
  const moved = [
    `spent ${usd(spent.amount)} in ${times(spent.count, 'payment', 'payments')}`,
    ...(earned.count > 0
      ? [`earned ${usd(earned.amount)} in ${times(earned.count, 'sale', 'sales')}`]
      : []),
  ];
  const most = agents.map(({ name, amount }) => `${name} ${usd(amount)}`);
  return {
    subject: `${from === to ? 'Your day' : 'Your week'}: ${moved.join(', ')}`,
    lines: [
      `${days} (UTC) you and your agents ${moved.join(' and ')}.`,
      ...(most.length > 0 ? [`Most was spent by: ${most.join(', ')}.`] : []),
      ...(happened.length > 0 ? [`There were: ${happened.join(', ')}.`] : []),
      waiting > 0
        ? `${times(waiting, 'thing waits', 'things wait')} for a decision of yours.`
        : 'Nothing waits for a decision of yours.',
    ],
    label: 'Look at it',
  };
}
