import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** An error of a connection that nobody holds yet would end this process. */
export function outliveServer(database: DataSource): void {
  const { master } = database.driver as unknown as { master: Pool };
  master.on('connect', (client) => void client.on('error', () => undefined));
}
