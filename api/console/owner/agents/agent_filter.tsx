import type { PageQuery } from '../../page.ts';
import { FilterText, StateFilter } from '../../parts/lists/filter.tsx';

type Query = PageQuery['query'];

/** Whether only some of the agents are asked for. */
export const isFiltered = ({ name, status }: Query): boolean => Boolean(name || status);

const STATES = { active: 'active', suspended: 'suspended' };

/** Finds agents by a part of their name and by their state. */
export const AgentFilter = ({ query }: { query: Query }) => (
  <StateFilter path="/console/agents" states={STATES} query={query}>
    <FilterText name="name" label="Find agents" value={query.name} maxLength={64} />
  </StateFilter>
);
