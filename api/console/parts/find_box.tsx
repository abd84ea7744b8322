import { useShown } from '../page_state.ts';
import { Icon } from './icons.tsx';

/** The search box in the head of every signed-in page: a number or a name leads to its page. */
export function FindBox({ base }: { base: string }) {
  const { page, query } = useShown();
  const path = `${base}/find`;
  const label =
    base === '/admin' ? 'Find an order, agent, job or transaction' : 'Find an order, agent or job';
  return (
    <form class="find" role="search" aria-label="Everywhere" method="get" action={path}>
      <Icon name="find" />
      <label class="hidden" for="find-box">
        {label}
      </label>
      <input
        id="find-box"
        type="search"
        name="query"
        maxLength={200}
        required
        placeholder={label}
        value={page.path === path ? query.query : undefined}
        data-find=""
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
