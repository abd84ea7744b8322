import type { ComponentChildren } from 'preact';

import type { AnswerOf } from '../../answers.ts';
import type { Reading } from '../../page.ts';
import { Own, Quote } from '../../parts/text.tsx';

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

/** An agent in a text, by its name: own ones with their page. */
export function AgentName({ tree, id, username }: AgentNameProps) {
  const name = ownName(tree, id);
  if (name === undefined) return <bdi>{username}</bdi>;
  if (id === tree.agentId) return <>{name}</>;
  return <a href={`/console/agents/${id}`}>{name}</a>;
}

/** What an agent wrote: of the own side, or of another party. */
export function Said({ tree, by, username, children }: SaidProps) {
  const name = ownName(tree, by);
  if (name === undefined) return <Quote by={username}>{children}</Quote>;
  return <Own by={name}>{children}</Own>;
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
  /** As it is told to those whom the agent deals with. */
  username: string;
}

/** An agent of the own tree, whose name an answer has. */
export const OwnAgent = ({ agent_id, username, root }: OwnAgentProps) =>
  agent_id === root ? (
    <>you</>
  ) : (
    <a href={`/console/agents/${agent_id}`}>{withoutRoot(username)}</a>
  );

interface OwnAgentProps {
  agent_id: number;
  username: string;
  /** Who has signed in. */
  root: number | undefined;
}

/** A name without that of the root, whose page this is. */
export const withoutRoot = (username: string): string => username.slice(username.indexOf('/') + 1);
