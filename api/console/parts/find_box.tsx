import type { ComponentChildren } from 'preact';

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

interface StateFilterProps {
  path: string;
  /** The query field. */
  name?: string;
  /** Its values with their labels, after "any". */
  states: Readonly<Record<string, string>>;
  /** The query of the page: its other fields in `keep` stay. */
  query: Readonly<Record<string, string | undefined>>;
  keep?: readonly string[];
  /** Fields before that of the state. */
  children?: ComponentChildren;
}

/** Selects the rows of a list by their state. */
export const StateFilter = ({
  path,
  name = 'status',
  states,
  query,
  keep = ['sort'],
  children,
}: StateFilterProps) => (
  <form class="filters" method="get" action={path}>
    {keep.map((one) => query[one] && <input type="hidden" name={one} value={query[one]} />)}
    {children}
    <p class="field">
      <label for={`filter-${name}`}>State</label>
      <select id={`filter-${name}`} name={name}>
        {Object.entries({ '': 'any', ...states }).map(([value, label]) => (
          <option value={value} selected={value === (query[name] ?? '')}>
            {label}
          </option>
        ))}
      </select>
    </p>
    <p class="buttons">
      <button class="button">Show</button>
    </p>
  </form>
);
