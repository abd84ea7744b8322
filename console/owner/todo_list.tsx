import type { AnswerOf } from '../answers.ts';
import { Empty } from '../parts/card.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { leftOf, Usd, wordsOf } from '../parts/text.tsx';
import { useShown } from '../shown.ts';

type Item = AnswerOf<'inbox'>['inbox'][number];

const SOON_MS = 3_600_000;

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
        <li id={`todo-${item.kind}-${item.id}`}>
          <span class="chip" aria-hidden="true">
            <Icon name={iconOf(item.kind)} />
          </span>
          <div>
            <p>
              <strong>{wordsOf(item.kind)}</strong> #{item.id} · <Usd amount={item.amount} />
            </p>
            <p class="why">
              {item.asks} If you say nothing: {item.if_you_do_nothing}
            </p>
          </div>
          <Left deadline={item.deadline} />
        </li>
      ))}
    </ul>
  );
}

function Left({ deadline }: { deadline: string | null }) {
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

const iconOf = (kind: string): IconName => {
  if (kind.startsWith('approval') || kind.startsWith('call')) return 'agents';
  if (kind.includes('dispute')) return 'scales';
  if (kind.startsWith('order')) return 'bag';
  return kind.includes('balance') ? 'wallet' : 'work';
};
