import type { AnswerOf } from '../../answers.ts';
import type { Reading } from '../../page.ts';

const AGENTS_MAX = 100;

/** The card of a page that calls agents by their names. */
export const TREE = ['list_children', { limit: AGENTS_MAX }] as const satisfies Reading;

export interface Tree {
  /** Who has signed in. */
  readonly agentId: number | undefined;
  readonly children: AnswerOf<'list_children'> | null;
}

/** What its owner calls an agent; undefined: it is another party's. */
export function ownName({ agentId, children }: Tree, id: number): string | undefined {
  if (id === agentId) return 'you';
  return children?.children.find(({ agent_id }) => agent_id === id)?.agent_name;
}

/** An agent in a text: own ones by name, with their page. */
export function AgentName({ tree, id }: { tree: Tree; id: number }) {
  const name = ownName(tree, id);
  if (name === undefined) return <>agent {id}</>;
  if (id === tree.agentId) return <>{name}</>;
  return <a href={`/console/agents/${id}`}>{name}</a>;
}

/** A name without that of the root, whose page this is. */
export const withoutRoot = (username: string): string => username.slice(username.indexOf('/') + 1);
