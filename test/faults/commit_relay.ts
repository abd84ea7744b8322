import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

export interface CommitRelay {
  readonly port: number;
  /**
   * The answer to the COMMIT of the next transaction that sends a statement with these words is
   * lost with its connection: the transaction has happened, and its client is told nothing.
   */
  loseCommitOf(words: string): void;
  /** How many answers were lost so far. */
  lost(): number;
  close(): void;
}

/** A relay to PostgreSQL that loses answers on demand. */
export async function openCommitRelay(postgres: URL): Promise<CommitRelay> {
  let next: string | undefined;
  let lost = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: postgres.hostname, port: Number(postgres.port) });
    upstream.setNoDelay();
    let isNext = false;
    let isCommitting = false;
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('data', (data) => {
      if (next !== undefined && data.includes(next)) {
        isNext = true;
        next = undefined;
      }
      isCommitting ||= isNext && data.includes('commit');
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!isCommitting) return void client.write(data);
      lost += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    loseCommitOf: (words) => void (next = words),
    lost: () => lost,
    close: () => void server.close(),
  };
}
