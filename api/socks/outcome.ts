import { Refusal } from '../../shared/kernel/refusal.ts';
import { NoSocks, REPLY, type Reply } from './messages.ts';

/**
 * The one line that the log has of a connection. It holds no key, no name of a session and no
 * target, of which the port alone is said: whoever complains about an exit knows the time, and
 * proxy and agent follow from that.
 */
export interface Line {
  readonly connection: string;
  agent?: number;
  /** What was asked for. */
  country?: string;
  session?: true;
  port?: number;
  tries?: number;
  proxy?: string;
  /** The country of that proxy. */
  exit?: string;
  charge?: string;
  refunded?: true;
  /** The reply of RFC 1928. */
  told?: Reply;
  up?: number;
  down?: number;
  outcome?: string;
}

/** Why a client does not get where it wants to go; without a reply it was answered already. */
export class Denied extends Error {
  readonly reply: Reply | undefined;

  /** `outcome` is for the log. */
  constructor(reply: Reply | undefined, outcome: string, options?: ErrorOptions) {
    super(outcome, options);
    this.reply = reply;
  }
}

/**
 * What is told of whatever was thrown. What an agent may not do, or cannot pay for, is "not
 * allowed"; what may pass in a moment is a "general failure".
 */
export function denialOf(error: unknown): Denied | undefined {
  if (error instanceof Denied) return error;
  if (error instanceof NoSocks) return new Denied(undefined, error.message.replaceAll(' ', '_'));
  if (!(error instanceof Refusal)) return undefined;
  return new Denied(error.status < 500 ? REPLY.notAllowed : REPLY.failure, error.code);
}
