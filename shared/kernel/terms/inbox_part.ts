import type { Access } from './access.ts';

/** A call that an agent can make now. The agent must add the rest of the input. */
export interface InboxCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, number | string>>;
}

/** A kind of item that can wait for an agent, defined by its domain. */
export interface InboxPart<F = unknown> {
  /** Kind of the items, as order_to_confirm. */
  readonly kind: string;
  /** Access that a key needs to see the items. */
  readonly access: Access;
  /** Whether all items have a deadline; otherwise none has. */
  readonly hasDeadline: boolean;
  /**
   * SQL that finds the items of agent $1, whose tree is $2: `id`, `deadline`, `amount` in
   * micro-dollars, `facts` as jsonb. An index that begins with the agent bounds the rows it reads;
   * where there may be many, the hour of the deadline (`hourOf`) is its next column.
   */
  readonly sql: string;
  /**
   * Present if agents above are asked for it too: to decide it, or only to look, where the agent
   * alone may act. `agent` is the column that the SQL compares with $1.
   */
  readonly above?: { readonly may: 'decide' | 'look'; readonly agent: string };
  /** The action asked of the agent. */
  readonly asks: string;
  /** The outcome if the agent does nothing. */
  readonly otherwise: string;
  /** The calls that the agent can make, the next one first. */
  readonly calls: (id: number, facts: F) => readonly InboxCall[];
}

/** Drops the type of the facts, which only the SQL and `calls` of the part use. */
export const inboxPart = <F>(part: InboxPart<F>): InboxPart => part as InboxPart;

/** SQL: the hour of a deadline, UTC. Items of one hour are ranked by amount. */
export const hourOf = (deadline: string): string =>
  `date_trunc('hour', ${deadline} at time zone 'UTC')`;

export const callOf = (tool: string, input: InboxCall['arguments']): InboxCall => ({
  tool,
  arguments: input,
});
