import type { PageQuery } from '../../page.ts';

type Query = PageQuery['query'];

/** Whether only some of the agents are asked for. */
export const isFiltered = ({ name, status }: Query): boolean => Boolean(name || status);

const STATES = { '': 'any', active: 'active', suspended: 'suspended' };

/** Finds agents by a part of their name and by their state. */
export const AgentFilter = ({ query: { name, status = '', sort } }: { query: Query }) => (
  <form class="filters" method="get" action="/console/agents">
    {sort && <input type="hidden" name="sort" value={sort} />}
    <p class="field">
      <label for="filter-name">Find agents</label>
      <input id="filter-name" name="name" maxLength={64} value={name} />
    </p>
    <p class="field">
      <label for="filter-status">State</label>
      <select id="filter-status" name="status">
        {Object.entries(STATES).map(([value, words]) => (
          <option value={value} selected={value === status}>
            {words}
          </option>
        ))}
      </select>
    </p>
    <p class="buttons">
      <button class="button">Show</button>
    </p>
  </form>
);
