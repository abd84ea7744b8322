import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import pg from 'pg';

/**
 * Writes the cluster of a running server as one tar file, with the write-ahead log that makes the
 * copy consistent: the state at the end of the backup. `url` is a superuser's. It sends the
 * commands of pg_basebackup, which the npm package of PostgreSQL lacks.
 */
export async function baseBackup(url: string, to: Writable): Promise<void> {
  const client = new pg.Client({ connectionString: url, replication: 'database' } as object);
  const copy = new Copy("BASE_BACKUP (LABEL 'npm run backup', CHECKPOINT 'fast', WAL)");
  client.on('error', (error) => copy.destroy(error));
  await client.connect();
  try {
    // Until this session ends, the server deletes none of its write-ahead log. Replication commands
    // are recognised only in capitals.
    const slot = `backup_${process.pid}_${Date.now()}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
    await pipeline(client.query(copy), to);
  } finally {
    await client.end();
  }
}

const [NEW_ARCHIVE, DATA] = [...Buffer.from('nd')];

/** A statement whose result is a file. A slow reader makes the server wait. */
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
    // Copied, because pg reads the next data into the same memory.
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

  // Positions in the log of the beginning and the end, which the archive contains too.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
