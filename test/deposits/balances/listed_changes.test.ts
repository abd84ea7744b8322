import { expect } from 'chai';

import { changesByBlock } from '../../../workers/gateways/listed_changes.ts';

describe('changes that transactions of an address make', () => {
  const at = new Date(0);
  const transfer = (txId: string, index: number) => ({
    txId,
    index,
    asset: 'ALGO',
    amount: 1n,
    from: 'B',
    to: 'A',
    position: 7,
    at,
  });
  const change = (block: number, amount: bigint, own = 0n, ids: readonly string[] = []) => ({
    block,
    asset: 'ALGO',
    address: 'A',
    change: amount,
    own,
    at,
    transfers: ids.map((id) => transfer(id, 0)),
  });

  it('are one change a block, alike in whatever order a provider lists them', () => {
    const listed = [
      change(8, 1n, 0n, ['z']),
      change(7, 5n, 0n, ['y']),
      change(7, -3n, -3n),
      change(7, 1n, 0n, ['x']),
    ];
    const joined = [change(7, 3n, -3n, ['x', 'y']), change(8, 1n, 0n, ['z'])];
    expect(changesByBlock(listed)).to.deep.equal(joined);
    expect(changesByBlock(listed.toReversed())).to.deep.equal(joined);
  });
});
