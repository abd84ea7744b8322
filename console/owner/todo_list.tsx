import type { AnswerOf } from '../answers.ts';
import { Empty } from '../parts/card.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { leftOf, Usd, Words, wordsOf } from '../parts/text.tsx';
import { useShown } from '../shown.ts';
import { withoutRoot } from './agents/names.tsx';
import { CallButton } from './calls.tsx';

type Item = AnswerOf<'inbox'>['inbox'][number];
type Approval = AnswerOf<'list_approvals'>['approvals'][number];

const SOON_MS = 3_600_000;

/** Of each kind: what it is, where one reads about it, its icon. */
const KINDS: Readonly<Record<string, readonly [string, (id: number) => string, IconName]>> = {
  approval_to_decide: ['An agent asks to spend', () => '/console/todo', 'agents'],
  order_to_confirm: ['An order to check', (id) => `/console/orders/${id}`, 'bag'],
  dispute_to_answer: ['A buyer disputes a sale', (id) => `/console/orders/${id}`, 'scales'],
  work_to_judge: ['A result to judge', (id) => `/console/work/${id}`, 'work'],
  bids_to_judge: ['Bids for a task', (id) => `/console/work/${id}`, 'work'],
  work_to_submit: ['Work to hand in', (id) => `/console/work/${id}`, 'work'],
  rejection_to_dispute: ['A result was rejected', (id) => `/console/work/${id}`, 'scales'],
  low_balance: ['The wallet is low', () => '/console/add', 'wallet'],
};

/** What waits for a person, by deadline and then by money. */
export function ToDo({ items, approvals = [] }: ToDoProps) {
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
        <ToDoItem item={item} approval={approvalOf(item, approvals)} />
      ))}
    </ul>
  );
}

interface ToDoProps {
  items: readonly Item[];
  /** Of these it is said who asks for what. */
  approvals?: readonly Approval[] | undefined;
}

const approvalOf = ({ kind, id }: Item, approvals: readonly Approval[]) =>
  kind === 'approval_to_decide'
    ? approvals.find(({ approval_id }) => approval_id === id)
    : undefined;

function ToDoItem({ item, approval }: { item: Item; approval: Approval | undefined }) {
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
        {approval ? (
          <Asked approval={approval} />
        ) : (
          <>
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
          </>
        )}
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

const RULES: Readonly<Record<string, string>> = {
  approval_threshold: 'You are asked above a limit',
  new_seller_threshold: 'You are asked about the first purchase from a seller',
  governance_level: 'Your governance level asks about this',
};

/** Who asks for what, under which rule. */
const Asked = ({ approval: one }: { approval: Approval }) => (
  <>
    <p>
      <strong>
        <Words>{withoutRoot(one.username)}</Words>
      </strong>{' '}
      asks{one.operation === 'purchase_product' ? ' to buy' : ':'}{' '}
      <strong>
        <Words>{one.title ?? wordsOf(one.operation)}</Words>
      </strong>{' '}
      for <Usd amount={one.amount} />
    </p>
    <p class="why">
      {RULES[one.rule]}
      {one.asks_above !== null && (
        <>
          {' '}
          (<Usd amount={one.asks_above} />)
        </>
      )}
      {one.seller && (
        <>
          ; from <Words>{one.seller}</Words>
        </>
      )}
      . If you do nothing, it is refused.
    </p>
  </>
);

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
