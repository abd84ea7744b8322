import type { AnswerOf } from '../answers.ts';
import type { Reading } from '../page.ts';
import { Empty } from '../parts/card.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { leftOf, Usd, Words, wordsOf } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { ownName, withoutRoot } from './agents/names.tsx';
import { CallButton } from './calls.tsx';
import { judgePath, labelPath, laborPath } from './labor/paths.ts';

type Item = AnswerOf<'inbox'>['inbox'][number];
type Approval = AnswerOf<'list_approvals'>['approvals'][number];
type Sale = AnswerOf<'get_orders'>['orders'][number];
type Verdict = AnswerOf<'list_goods_verdicts'>['goods_verdicts'][number];

const SOON_MS = 3_600_000;

/** Title, page and icon of each kind of item. */
const KINDS: Readonly<Record<string, readonly [string, (id: number) => string, IconName]>> = {
  approval_to_decide: ['An agent asks to spend', () => '/console/todo', 'agents'],
  order_to_confirm: ['An order to check', (id) => `/console/orders/${id}`, 'bag'],
  goods_to_dispute: ['Goods failed your check', (id) => `/console/orders/${id}`, 'check'],
  dispute_to_answer: ['A buyer disputes a sale', (id) => `/console/orders/${id}`, 'scales'],
  work_to_judge: ['A result to judge', (id) => `/console/work/${id}`, 'work'],
  bids_to_judge: ['Bids for a task', (id) => `/console/work/${id}`, 'work'],
  work_to_submit: ['Work to hand in', (id) => `/console/work/${id}`, 'work'],
  rejection_to_dispute: ['A result was rejected', (id) => `/console/work/${id}`, 'scales'],
  deliveries_to_judge: ['Deliveries of labor to judge', judgePath, 'work'],
  appeals_to_judge: ['Appeals of labor to judge', (id) => `${judgePath(id)}?of=appeals`, 'scales'],
  agent_to_resume: ['A rule has suspended an agent', (id) => `/console/agents/${id}`, 'agents'],
  limit_to_raise: ['Most of a daily limit is spent', (id) => `/console/agents/${id}`, 'agents'],
  recharge_to_renew: ['The card was not charged', () => '/console/add', 'wallet'],
  low_balance: ['The wallet is low', () => '/console/add', 'wallet'],
};

/** A claim of the signed-in agent itself, which leads to the page of its task. */
function claimOf({ kind, calls }: Item): (typeof KINDS)[string] | undefined {
  const { task_id: id } = (calls[0]?.arguments ?? {}) as { readonly task_id?: number };
  if (id === undefined) return undefined;
  if (kind === 'claim_to_deliver') return ['A unit to deliver', () => labelPath(id), 'work'];
  if (kind === 'claim_to_appeal') {
    return ['A delivery was rejected', () => laborPath(id), 'scales'];
  }
  return undefined;
}

const ABOUT_AN_AGENT = ['agent_to_resume', 'limit_to_raise'];
const ABOUT_THE_WALLET = ['low_balance', 'recharge_to_renew'];

/** Sales that a buyer disputes: what they are about. */
export const DISPUTED_SALES = [
  'get_orders',
  { role: 'seller', status: 'disputed', below: true, limit: 100 },
] as const satisfies Reading;

/** The goods that failed a check, for the rows about them. */
export const FAILED_GOODS = [
  'list_goods_verdicts',
  { below: true, limit: 100 },
] as const satisfies Reading;

/** Items that wait for a person, by deadline and then by money. */
export function ToDo({ items, approvals = [], ...about }: ToDoProps) {
  if (items.length === 0) {
    return <Empty>Nothing waits for you. Items with a deadline or a decision appear here.</Empty>;
  }
  return (
    <ul class="todo">
      {items.map((item) => (
        <ToDoItem
          item={item}
          approval={approvalOf(item, approvals)}
          deal={dealOf(item, about)}
          agent={agentOf(item, about.names ?? null)}
        />
      ))}
    </ul>
  );
}

interface ToDoProps {
  items: readonly Item[];
  /** For these items the list shows who asks for what. */
  approvals?: readonly Approval[] | undefined;
  /** For these disputes the list shows what was sold, and to whom. */
  sales?: readonly Sale[] | undefined;
  /** For goods that failed the list shows what was bought, and which agent did. */
  verdicts?: readonly Verdict[] | undefined;
  /** Agents that the list names. */
  names?: AnswerOf<'agent_names'> | null;
}

const approvalOf = ({ kind, id }: Item, approvals: readonly Approval[]) =>
  kind === 'approval_to_decide'
    ? approvals.find(({ approval_id }) => approval_id === id)
    : undefined;

/** The goods that an item is about, and their buyer. */
interface Deal {
  readonly title: string;
  readonly buyer: string | undefined;
}

/** The deal of a disputed sale, or of goods that failed. */
function dealOf(
  { kind, id }: Item,
  { sales = [], verdicts = [], names = null }: Omit<ToDoProps, 'items' | 'approvals'>,
): Deal | undefined {
  if (kind === 'dispute_to_answer') {
    const sale = sales.find(({ order_id }) => order_id === id);
    return sale && { title: sale.title, buyer: sale.buyer_username };
  }
  if (kind !== 'goods_to_dispute') return undefined;
  const verdict = verdicts.find(({ order_id }) => order_id === id);
  const buyer = verdict && ownName({ agentId: undefined, names }, verdict.buyer_id);
  return verdict && { title: verdict.title, buyer };
}

/** The name of the agent that the item is about, or waits for. */
function agentOf({ kind, id, agent_id }: Item, names: AnswerOf<'agent_names'> | null) {
  const about = ABOUT_AN_AGENT.includes(kind) ? id : agent_id;
  if (about === undefined) return undefined;
  return ownName({ agentId: undefined, names }, about) ?? `agent ${about}`;
}

interface ToDoItemProps {
  item: Item;
  approval: Approval | undefined;
  deal: Deal | undefined;
  agent: string | undefined;
}

function ToDoItem({ item, approval, deal, agent }: ToDoItemProps) {
  const { page } = useShown();
  const [what, path, icon] = KINDS[item.kind] ??
    claimOf(item) ?? [item.kind.replaceAll('_', ' '), () => '/console/work', 'work' as const];
  // A call that only reads, or that needs a text, is made on the linked page.
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
                {!ABOUT_THE_WALLET.includes(item.kind) && `, #${item.id}`}
              </a>
              {(item.amount > 0 || item.kind === 'low_balance') && (
                <>
                  {' '}
                  · <Usd amount={item.amount} />
                </>
              )}
            </p>
            {agent && (
              <p>
                <Words>{agent}</Words>
              </p>
            )}
            {deal && (
              <p>
                <Words>{deal.title}</Words>
                {deal.buyer !== undefined && (
                  <>
                    , bought by <Words>{deal.buyer}</Words>
                  </>
                )}
              </p>
            )}
            <p class="why">
              {item.asks} If you do nothing: {lower(item.if_you_do_nothing)}
            </p>
          </>
        )}
      </div>
      <TimeLeft deadline={item.deadline} />
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

/** The agent that asks, its request, and the rule. */
const Asked = ({ approval: one }: { approval: Approval }) => (
  <>
    <p>
      <strong>
        <Words>{withoutRoot(one.username)}</Words>
      </strong>{' '}
      asks{one.operation === 'purchase_product' ? ' to buy' : ':'}{' '}
      <strong>
        <AskedFor approval={one} />
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

const AskedFor = ({ approval: { product_id: id, title, operation } }: { approval: Approval }) => {
  const words = <Words>{title ?? wordsOf(operation)}</Words>;
  return id === null ? words : <a href={`/market/products/${id}`}>{words}</a>;
};

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function TimeLeft({ deadline }: { deadline: string | null }) {
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
