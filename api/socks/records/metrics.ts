import { openProcessMetrics, type Scrape } from '../../../shared/composition/metrics.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { counter } from '../../../shared/platform/metrics.ts';
import type { SocksSettings } from '../../../shared/domains/proxies/settings.ts';
import type { ConnectionLog } from './connection_log.ts';

const OUTCOMES = ['sold', 'refunded', 'denied', 'unauthenticated', 'fault'] as const;
type Outcome = (typeof OUTCOMES)[number];

const ended = counter('market_socks_connections_total', 'Connections of clients that ended.', [
  'outcome',
]);
// An alert looks for an increase, so each counter has to exist before its first event.
for (const outcome of OUTCOMES) ended.inc({ outcome }, 0);

export const countConnection = (log: ConnectionLog): void => ended.inc({ outcome: outcomeOf(log) });

function outcomeOf({ agent, charge, refunded, outcome }: ConnectionLog): Outcome {
  if (outcome === 'fault') return 'fault';
  if (agent === undefined) return 'unauthenticated';
  if (charge === undefined) return 'denied';
  return refunded ? 'refunded' : 'sold';
}

/** Metrics of the SOCKS5 server. */
export const openSocksMetrics = (
  context: Context,
  { connections }: SocksSettings,
  countOpen: () => number,
): Scrape =>
  openProcessMetrics(context, (gauges) => {
    const add = (name: string, help: string, read: () => number) =>
      gauges.add(name, help, [], () => [[{}, read()]]);
    add('market_socks_connections', 'Open connections of clients that have logged in.', countOpen);
    add('market_socks_connections_max', 'How many there may be.', () => connections);
  });
