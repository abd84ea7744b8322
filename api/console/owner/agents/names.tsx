import type { ComponentChildren } from 'preact';

import type { AnswerOf } from '../../answers.ts';
import type { Reading } from '../../page.ts';
import { OwnText, Quote } from '../../parts/text.tsx';

/** The card of pages that show agents by their names. */
export const TREE = 'agent_names' as const satisfies Reading;

export interface Tree {
  /** The signed-in agent. */
  readonly agentId: number | undefined;
  readonly names: AnswerOf<'agent_names'> | null;
}

/** The owner's name for an agent; undefined: it belongs to another party. */
export function ownName({ agentId, names }: Tree, id: number): string | undefined {
  if (id === agentId) return 'you';
  return names?.names.find(({ agent_id }) => agent_id === id)?.agent_name;
}

/** More would make a list that nobody reads to its end, and a heavy page. */
const OPTIONS_MAX = 200;

/** Selects an agent for a filter: from a list, or by its number where the list would be long. */
export const AgentField = ({ name = 'agent', names: { names }, chosen, none }: FieldProps) => (
  <p class="field">
    <label for={`filter-${name}`}>
      {names.length > OPTIONS_MAX ? 'Number of the agent' : 'Agent'}
    </label>
    {names.length > OPTIONS_MAX ? (
      <>
        <input
          id={`filter-${name}`}
          name={name}
          inputmode="numeric"
          value={chosen}
          placeholder={none}
        />
        <a href="/console/find">Find it by name</a>
      </>
    ) : (
      <select id={`filter-${name}`} name={name}>
        <option value="">{none}</option>
        {names.map(({ agent_id, agent_name }) => (
          <option value={String(agent_id)} selected={String(agent_id) === chosen}>
            {agent_name}
          </option>
        ))}
      </select>
    )}
  </p>
);

interface FieldProps {
  /** Its name in the query. */
  name?: string;
  names: AnswerOf<'agent_names'>;
  chosen: string | undefined;
  /** The choice of no agent, as "all agents". */
  none: string;
}

/** An agent in a text, by its name; own agents link to their page. */
export function AgentName({ tree, id, username }: AgentNameProps) {
  const name = ownName(tree, id);
  if (name === undefined) return <bdi>{username}</bdi>;
  if (id === tree.agentId) return <>{name}</>;
  return <a href={`/console/agents/${id}`}>{name}</a>;
}

/** Text written by an agent: of the owner's side, or of another party. */
export function AgentText({ tree, by, username, children }: SaidProps) {
  const name = ownName(tree, by);
  if (name === undefined) return <Quote by={username}>{children}</Quote>;
  return <OwnText by={name}>{children}</OwnText>;
}

interface SaidProps {
  tree: Tree;
  by: number;
  username: string;
  children: ComponentChildren;
}

interface AgentNameProps {
  tree: Tree;
  id: number;
  /** Its name as other parties see it. */
  username: string;
}

/** An agent of the own tree, whose name is in the answer. */
export const OwnAgent = ({ agent_id, username, root }: OwnAgentProps) =>
  agent_id === root ? (
    <>you</>
  ) : (
    <a href={`/console/agents/${agent_id}`}>{withoutRoot(username)}</a>
  );

interface OwnAgentProps {
  agent_id: number;
  username: string;
  /** The signed-in agent. */
  root: number | undefined;
}

/** A name without that of the root, whose page this is. */
export const withoutRoot = (username: string): string => username.slice(username.indexOf('/') + 1);
