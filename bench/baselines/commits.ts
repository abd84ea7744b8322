import pg from 'pg';

const MESSAGE = 'x'.repeat(200);

/** Opens one connection; each call commits a little to disk, in one round trip, without a table. */
export async function openCommits(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  // The server ends before this process.
  client.on('error', () => undefined);
  await client.connect();
  const query = {
    name: 'commit',
    text: `select pg_logical_emit_message(true, 'bench', $1)`,
    values: [MESSAGE],
  };
  return async () => {
    await client.query(query);
  };
}
