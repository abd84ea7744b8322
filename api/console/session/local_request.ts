import type { IncomingMessage } from 'node:http';

import { isLoopback } from '../../../shared/platform/egress/addresses.ts';

/**
 * Headers that routers and tunnels add, each its own: whoever sends through one is not on this
 * machine.
 */
const FORWARDED = new RegExp(
  '^(forwarded|via|x-(forwarded|original|real|client|cluster|envoy)-|' +
    '(cf|tailscale|ngrok)-|\\w+-client-ip$)',
);

/**
 * Whether a request comes from this machine: from its address, through no router, by a name of its
 * own. A page of another site can have its own name lead to 127.0.0.1, but cannot change the name
 * that is sent.
 */
export const isFromHere = ({ headers, socket }: IncomingMessage): boolean =>
  isLoopback(hostOf(headers.host)) &&
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  !Object.keys(headers).some((name) => FORWARDED.test(name));

/** The name in a Host header, without its port. */
const hostOf = (host = '') => host.replace(/:\d+$/, '').toLowerCase();
