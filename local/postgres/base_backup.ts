import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import pg from 'pg';

/**
 * Writes the whole cluster of a running server as one tar file, with all of the log that makes the
 * copy whole: the state at the moment in which the backup ends. `url` is that of a superuser. It
 * asks for what pg_basebackup asks for, which the npm package of PostgreSQL lacks.
 */
export async function baseBackup(url: string, to: Writable): Promise<void> {
  const client = new pg.Client({ connectionString: url, replication: 'database' } as object);
  const copy = new Copy("BASE_BACKUP (LABEL 'npm run backup', CHECKPOINT 'fast', WAL)");
  client.on('error', (error) => copy.destroy(error));
  await client.connect();
  try {
    // Until this session ends, the server throws away nothing that it logs. Replication's own
    // statements are known in capitals only.
    const slot = `backup_${process.pid}_${Date.now()}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
    await pipeline(client.query(copy), to);
  } finally {
    await client.end();
  }
}

const [NEW_ARCHIVE, DATA] = [...Buffer.from('nd')];

/** A statement whose answer is a file. Whoever reads it slowly makes the server wait. */
class Copy extends Readable implements pg.Submittable {
  readonly #statement: string;
  #connection: pg.Connection | undefined;
  #archives = 0;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (chunk[0] === NEW_ARCHIVE && (this.#archives += 1) > 1) {
      this.destroy(new Error('The cluster has tablespaces of its own, which are not backed up.'));
    }
    // Copied, because pg reads what comes next into the same memory.
    if (chunk[0] === DATA && !this.push(Buffer.from(chunk.subarray(1)))) {
      this.#connection?.stream.pause();
    }
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  // Where in the log it begins and ends, which the archive says too.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
