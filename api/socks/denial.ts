import { Refusal } from '../../shared/kernel/refusal.ts';
import { ProtocolError, REPLY, type Reply } from './messages.ts';

/** The reason why a client is not connected to its target. */
export class Denial extends Error {
  /** Undefined: the client has its answer already. */
  readonly reply: Reply | undefined;

  /** `outcome` is for the log. */
  constructor(reply: Reply | undefined, outcome: string, options?: ErrorOptions) {
    super(outcome, options);
    this.reply = reply;
  }
}

/**
 * The denial for an error; undefined: it is a fault. What an agent may not do or cannot pay for is
 * "not allowed"; what may succeed in a moment is a "general failure".
 */
export function denialOf(error: unknown): Denial | undefined {
  if (error instanceof Denial) return error;
  if (error instanceof ProtocolError) {
    return new Denial(undefined, error.message.replaceAll(' ', '_'));
  }
  if (!(error instanceof Refusal)) return undefined;
  return new Denial(error.status < 500 ? REPLY.notAllowed : REPLY.failure, error.code);
}
