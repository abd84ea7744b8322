import type { AnswerOf } from '../answers.ts';
import { Empty } from '../parts/card.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { leftOf, Usd } from '../parts/text.tsx';
import { useShown } from '../shown.ts';
import { CallButton } from './calls.tsx';

type Item = AnswerOf<'inbox'>['inbox'][number];

const SOON_MS = 3_600_000;

/** Of each kind: what it is, where one reads about it, its icon. */
const KINDS: Readonly<Record<string, readonly [string, (id: number) => string, IconName]>> = {
  approval_to_decide: ['An agent asks to spend', () => '/console/todo#approvals', 'agents'],
  order_to_confirm: ['An order to check', (id) => `/console/orders/${id}`, 'bag'],
  dispute_to_answer: ['A buyer disputes a sale', (id) => `/console/orders/${id}`, 'scales'],
  work_to_judge: ['A result to judge', (id) => `/console/work/${id}`, 'work'],
  bids_to_judge: ['Bids for a task', (id) => `/console/work/${id}`, 'work'],
  work_to_submit: ['Work to hand in', (id) => `/console/work/${id}`, 'work'],
  rejection_to_dispute: ['A result was rejected', (id) => `/console/work/${id}`, 'scales'],
  low_balance: ['The wallet is low', () => '/console/add', 'wallet'],
};

/** What waits for a person, by deadline and then by money. */
export function ToDo({ items }: { items: readonly Item[] }) {
  if (items.length === 0) {
    return (
      <Empty>
        Nothing waits for you. What has a deadline, or asks for a decision, stands here.
      </Empty>
    );
  }
  return (
    <ul class="todo">
      {items.map((item) => (
        <ToDoItem item={item} />
      ))}
    </ul>
  );
}

function ToDoItem({ item }: { item: Item }) {
  const { page } = useShown();
  const [what, path, icon] = KINDS[item.kind] ?? [
    item.kind.replaceAll('_', ' '),
    () => '/console/work',
    'work' as const,
  ];
  // A call that only reads, or that needs a text, is made on the page of the link.
  const [first, ...others] = item.calls.filter(
    ({ tool, needs }) => needs.length === 0 && page.does.includes(tool),
  );
  return (
    <li id={`todo-${item.kind}-${item.id}`}>
      <span class="chip" aria-hidden="true">
        <Icon name={icon} />
      </span>
      <div>
        <p>
          <a href={path(item.id)}>
            {what}
            {item.kind !== 'low_balance' && `, #${item.id}`}
          </a>{' '}
          · <Usd amount={item.amount} />
        </p>
        <p class="why">
          {item.asks} If you do nothing: {lower(item.if_you_do_nothing)}
        </p>
      </div>
      <Left deadline={item.deadline} />
      <div class="buttons">
        {first && <CallButton call={first} amount={item.amount} main />}
        {others.map((call) => (
          <CallButton call={call} amount={item.amount} />
        ))}
      </div>
    </li>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export function Left({ deadline }: { deadline: string | null }) {
  const { now } = useShown();
  if (deadline === null) return <span class="when" />;
  const isSoon = Date.parse(deadline) - now.getTime() < SOON_MS;
  return (
    <span class={isSoon ? 'when soon' : 'when'}>
      <Icon name="clock" />
      {leftOf(now, deadline)}
    </span>
  );
}
