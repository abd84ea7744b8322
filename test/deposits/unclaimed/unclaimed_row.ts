import type { TestPlatform } from '../../harness.ts';

/** A payment of nobody on a network that is off, whose value is not known. Resolves with its id. */
export async function unclaimedRow(platform: TestPlatform, txId: string): Promise<number> {
  const [{ id }] = await platform.query(
    `insert into deposit (rail, network, tx_id, status, waits_for, asset, amount, sender, recipient,
                          position, paid_at, note)
     values ('base', 'sandbox-base', $1, 'unclaimed', 'Nothing says whose it is.', 'ETH', 1,
             '0xab', '0xcd', 1, now(), 'rent of May')
     returning id::int`,
    [txId],
  );
  return id;
}
