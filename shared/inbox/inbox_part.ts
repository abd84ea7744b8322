import type { Access } from '../kernel/operation.ts';

/** A call that an agent can make now. What its input needs besides, only the agent can say. */
export interface InboxCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, number | string>>;
}

/** What of one kind waits for an agent, as the domain that it is of says it. */
export interface InboxPart<F = unknown> {
  /** What waits, as order_to_confirm. */
  readonly kind: string;
  /** What a key needs to be shown it. */
  readonly access: Access;
  /** Whether each has a deadline; otherwise none has. */
  readonly hasDeadline: boolean;
  /**
   * SQL that finds what waits for agent $1, whose tree is $2: `id`, `deadline`, `amount` in
   * micro-dollars, `facts` as jsonb. An index that begins with the agent bounds what it reads;
   * where there may be many, that goes on with the hour of the deadline (`hourOf`).
   */
  readonly sql: string;
  /** What is asked of the agent. */
  readonly asks: string;
  /** What happens if it does nothing. */
  readonly otherwise: string;
  /** The calls that it has, the next one first. */
  readonly calls: (id: number, facts: F) => readonly InboxCall[];
}

/** Forgets the type of the facts, which the part's own SQL writes. */
export const inboxPart = <F>(part: InboxPart<F>): InboxPart => part as InboxPart;

/** SQL: the hour of a deadline, UTC. Those of one hour are ranked by money. */
export const hourOf = (deadline: string): string =>
  `date_trunc('hour', ${deadline} at time zone 'UTC')`;

export const callOf = (tool: string, input: InboxCall['arguments']): InboxCall => ({
  tool,
  arguments: input,
});
