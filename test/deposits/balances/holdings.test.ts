import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { openBalances } from '../../../workers/gateways/evm/balances/balances.ts';
import { HOLDINGS } from '../../../workers/gateways/evm/balances/questions.ts';
import { checked } from '../../../workers/gateways/evm/provider.ts';
import { openJsonRpc } from '../../../workers/gateways/rpc/json_rpc.ts';
import { compiled } from '../../local/solidity.ts';
import { ROOT } from '../../sources.ts';
import { openFaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { newAddress, openPaying, type Paying } from '../evm/payer.ts';

const FOLDER = 'workers/gateways/evm/balances';

describe('what many addresses hold', () => {
  let paying: Paying;
  before(async () => {
    paying = await openPaying();
  });
  after(() => paying.close());

  it('is asked by the code of holdings.sol; UPDATE_EXAMPLES=1 compiles it', () => {
    const { bytecode } = compiled(`${FOLDER}/holdings.sol`, 'Holdings');
    if (process.env.UPDATE_EXAMPLES) {
      const text = `${JSON.stringify({ bytecode }, null, 1)}\n`;
      writeFileSync(join(ROOT, FOLDER, 'holdings.json'), text);
    }
    expect(HOLDINGS).to.deep.equal({ bytecode });
  }).timeout(60_000);

  it('is the same in one question, and one by one where a provider takes no such question', async () => {
    const addresses = Array.from({ length: 1_100 }, newAddress);
    const [first, last] = [addresses[0]!, addresses.at(-1)!];
    await paying.coin(first, 5n);
    await paying.usdc(last, 6n);
    const block = Number(await paying.evm.send('eth_blockNumber'));
    await paying.coin(first, 7n);

    const node = await openFaultyRpc(paying.evm.url);
    const open = () => {
      const rpc = openJsonRpc(node.url);
      const network = paying.network([node.url]);
      return { rpc, balances: openBalances(checked(rpc, network), network, rpc.profile) };
    };
    const { balances } = open();
    const [coin, usdc] = [
      await balances.held(block, 'ETH', addresses),
      await balances.held(block, 'USDC', addresses),
    ];
    const expected = (one: string, amount: bigint) =>
      addresses.map((address) => (address === one ? amount : 0n));
    expect(coin).to.deep.equal(expected(first, 5n));
    expect(usdc).to.deep.equal(expected(last, 6n));
    expect((await balances.held(block + 1, 'ETH', [first]))[0]).to.equal(12n);

    node.on('eth_call', async ([call], forward) =>
      (call as { to?: string }).to === undefined
        ? new Error('missing required field "to"')
        : forward(),
    );
    const few = [first, ...addresses.slice(-20)];
    const other = open();
    expect(await other.balances.held(block, 'ETH', few)).to.deep.equal([5n, ...Array(20).fill(0n)]);
    expect((await other.balances.held(block, 'USDC', few)).at(-1)).to.equal(6n);
    expect(other.rpc.profile.methods.unknown).to.deep.equal(['eth_call without a contract']);
    node.close();
  });

  it('is explained by a whole block, with all receipts at once or one by one', async () => {
    const mine = newAddress();
    const hash = await paying.coin(mine, 8n);
    const { blockNumber } = (await paying.evm.send('eth_getTransactionReceipt', [hash])) as {
      blockNumber: string;
    };
    const node = await openFaultyRpc(paying.evm.url);
    const rpc = openJsonRpc(node.url);
    const network = paying.network([node.url]);
    const read = () =>
      openBalances(checked(rpc, network), network, rpc.profile).paymentsIn(
        Number(blockNumber),
        new Set([mine]),
      );
    const { transfers, at } = await read();
    expect(transfers).to.have.lengthOf(1);
    expect(transfers[0]).to.deep.include({ txId: hash, amount: 8n, to: mine, at });
    node.on('eth_getBlockReceipts', async () => new Error('the method does not exist'));
    expect(await read()).to.deep.equal({ transfers, at });
    expect(rpc.profile.methods.unknown).to.deep.equal(['eth_getBlockReceipts']);
    await paying.evm.send('anvil_setCode', [mine, '0x5f5ffd']);
    const failed = await paying.call(mine, '0x', 9n);
    const receipt = await paying.evm.send('eth_getTransactionReceipt', [failed]);
    const block = Number((receipt as { blockNumber: string }).blockNumber);
    const balances = openBalances(checked(rpc, network), network, rpc.profile);
    expect((await balances.paymentsIn(block, new Set([mine]))).transfers).to.deep.equal([]);
    node.close();
  });
});
