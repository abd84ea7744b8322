import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A connection that was sold, as the SOCKS5 server logged it when it ended. */
interface LoggedConnection {
  readonly connection: string;
  readonly charge: string;
  readonly refunded: boolean;
}

interface Line extends Omit<LoggedConnection, 'refunded'> {
  readonly agent: number;
  readonly refunded?: true;
  readonly outcome?: string;
}

/** Connections of an agent, in the order of their ids, from the logs of all starts of it. */
export function connectionsLogged(logs: string, agentId: number): LoggedConnection[] {
  return (
    readdirSync(logs)
      .filter((file) => file.startsWith('socks-'))
      .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'))
      .filter((text) => text.includes('"charge":') && text.endsWith('}'))
      .map((text) => JSON.parse(text) as Line)
      // After a fault the server itself does not know whether the refund was made.
      .filter(({ agent, outcome }) => agent === agentId && outcome !== 'fault')
      .map(({ connection, charge, refunded = false }) => ({ connection, charge, refunded }))
      .toSorted((a, b) => (a.connection < b.connection ? -1 : 1))
  );
}
