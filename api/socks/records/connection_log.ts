import type { Reply } from '../messages.ts';

/**
 * The one log line of a connection. It holds no key, no session name, and only the port of the
 * target. A complaint about an exit names the time; proxy and agent follow from that.
 */
export interface ConnectionLog {
  /** Its id; the `request_id` of an answer over HTTP is `req_` and this without hyphens. */
  readonly connection: string;
  agent?: number;
  /** The client speaks HTTP; else SOCKS5. */
  http?: true;
  /** The client logged in by its address. */
  allowed?: true;
  /** The country that the client asked for. */
  country?: string;
  session?: true;
  port?: number;
  /** Number of proxies that were dialled. */
  dials?: number;
  proxy?: string;
  /** The country of that proxy. */
  exit?: string;
  charge?: string;
  refunded?: true;
  /** The reply of RFC 1928. */
  reply?: Reply;
  /** Bytes from the client; below, bytes to it. */
  up?: number;
  down?: number;
  outcome?: string;
}
