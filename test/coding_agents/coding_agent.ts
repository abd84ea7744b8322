import type { Started } from '../client/started.ts';
import type { Sandbox } from './sandbox.ts';
import type { Protocol } from './streaming_model.ts';

/** A coding agent, as it is, and how its user connects it to a marketplace. */
export interface CodingAgent {
  readonly name: string;
  /** Name by which it registers. */
  readonly app: string;
  readonly protocol: Protocol;
  /** Its environment: the model of this address, and nothing that asks its maker. */
  settings(where: { readonly model: string }): Readonly<Record<string, string>>;
  /** `packages` is the folder `node_modules` that it was installed into. */
  open(where: { readonly packages: string; readonly model: string }, sandbox: Sandbox): Commands;
  /** Status in its list of servers of one that it is connected to. */
  readonly connected: string;
  /** And of one whose token has ended; undefined: its list asks nobody. */
  readonly ended?: string;
  /** The hosts that it asks for whatever its settings are. It is refused, and goes on. */
  readonly wants?: RegExp;
  /** Text that its model reads when it calls a tool of that one. */
  readonly refused: string;
}

interface Commands {
  /** Adds the marketplace, and signs in: it prints a link, and ends when it has a token. */
  readonly signIn: (market: string) => Promise<Started>;
  readonly list: () => Started;
  /** Has the model work on this, and prints its last word. */
  readonly ask: (prompt: string) => Started;
}
