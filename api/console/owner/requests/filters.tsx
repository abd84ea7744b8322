import type { ComponentChildren } from 'preact';

import type { AnswerOf } from '../../answers.ts';
import { invalidFilter } from '../../match.ts';
import { Missing } from '../../parts/card.tsx';
import { Filter, FilterChoice } from '../../parts/lists/filter.tsx';
import type { Query } from '../../parts/lists/query.ts';
import { AgentField } from '../agents/names.tsx';

const HOUR_MS = 3_600_000;

/** Periods by hours. */
const PERIODS = {
  '1': 'the last hour',
  '24': 'the last 24 hours',
  '168': 'the last 7 days',
} as const;

/** Input fields for the agent and the period of the query. */
export function filterOf({ agent_id, hours = '' }: Query): Readonly<Record<string, unknown>> {
  if (hours !== '' && !Object.hasOwn(PERIODS, hours)) throw invalidFilter('hours');
  const since = () => new Date(Date.now() - Number(hours) * HOUR_MS);
  return {
    ...(agent_id && { agent_id }),
    ...(hours && { since: since().toISOString() }),
  };
}

/** A filter form; `children` are its first fields. */
export const Filters = ({ path, query, names, fallback, children }: FilterProps) => (
  <Filter path={path}>
    {children}
    {names ? (
      <AgentField name="agent_id" names={names} chosen={query.agent_id} none="all agents" />
    ) : (
      <Missing />
    )}
    <FilterChoice
      name="hours"
      label="Time"
      value={query.hours ?? fallback}
      choices={fallback ? PERIODS : { '': 'all that is kept', ...PERIODS }}
    />
  </Filter>
);

interface FilterProps {
  path: string;
  query: Query;
  names: AnswerOf<'agent_names'> | null;
  /** Hours of the period if the query has none; absent: everything. */
  fallback?: keyof typeof PERIODS;
  children: ComponentChildren;
}
