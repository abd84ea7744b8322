import type { Reply } from '../messages.ts';

/**
 * The one line that the log has of a connection. It holds no key, no name of a session, and of the
 * target only the port. A complaint about an exit names the time; proxy and agent follow from that.
 */
export interface ConnectionLog {
  readonly connection: string;
  agent?: number;
  /** The country that the client asked for. */
  country?: string;
  session?: true;
  port?: number;
  /** How many proxies were dialled. */
  dials?: number;
  proxy?: string;
  /** The country of that proxy. */
  exit?: string;
  charge?: string;
  refunded?: true;
  /** The reply of RFC 1928. */
  reply?: Reply;
  /** Bytes from the client, and to it. */
  up?: number;
  down?: number;
  outcome?: string;
}
