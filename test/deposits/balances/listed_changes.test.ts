import { expect } from 'chai';

import { changesByBlock } from '../../../workers/gateways/listed_changes.ts';
import { heldBefore } from '../../../workers/gateways/solana/account_moves.ts';

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

describe('the balance before the transactions of a slot, in whatever order they are listed', () => {
  const moves = (...all: readonly [number, number][]) =>
    all.map(([before, after]) => ({ before: BigInt(before), after: BigInt(after) }));

  it('is what the first of them found', () => {
    expect(heldBefore(moves([5, 7]))).to.equal(5n);
    expect(heldBefore(moves([7, 4], [4, 9], [5, 7]))).to.equal(5n);
    expect(heldBefore(moves([4, 5], [5, 7], [7, 4], [4, 4], [4, 6]))).to.equal(4n);
    expect(heldBefore(moves([5, 5], [5, 5]))).to.equal(5n);
  });

  it('is not told by those that end where they began', () => {
    expect(heldBefore(moves([5, 7], [7, 5]))).to.equal(undefined);
  });

  it('is not believed of a list that leaves one out', () => {
    expect(() => heldBefore(moves([5, 7], [8, 9]))).to.throw('leaves out');
    expect(() => heldBefore(moves([5, 7], [5, 9]))).to.throw('leaves out');
  });
});
