import { Redis } from 'ioredis';

const COMMAND_MS_MAX = 2_000;

/** The state of a Redis' replication; empty: it does not answer. */
export async function replicationOf(address: string, password: string): Promise<string> {
  const client = new Redis({
    host: address,
    password,
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: COMMAND_MS_MAX,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.info('replication');
  } catch {
    return '';
  } finally {
    client.disconnect();
  }
}
