import { expect } from 'chai';

import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { startJavaTron } from '../../../sandbox/tron/java_tron.ts';
import { hexOfTron, tronOfHex } from '../../../shared/domains/deposits/tron/address.ts';
import type {
  ChainTransaction,
  ChainTransfer,
  DepositChain,
  Recipients,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { tronSettings } from '../../../shared/domains/deposits/tron/settings.ts';
import { openTronDeposits } from '../../../workers/gateways/tron/deposits.ts';
import { HANG, openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newTronAddress, openTronPaying, USDT, type TronPaying } from './payer.ts';
import { patience } from '../../platform/pace.ts';

const RECEIPT = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByNumber';

describe('what Tron says of a payment', () => {
  let tron: TronPaying;
  let one: FaultyRpc;
  let other: FaultyRpc;
  const open = (quorum = 2) => openTronDeposits(tron.network([one.url, other.url], quorum));
  const read = (txId: string) => open().read(txId);
  const readFinal = async (paid: Promise<string>) => {
    const txId = await paid;
    await tron.paying.finalize();
    return read(txId);
  };

  before(async () => {
    tron = await openTronPaying();
    [one, other] = await Promise.all([openFaultyRpc(tron.node.url), openFaultyRpc(tron.node.url)]);
  });
  afterEach(() => [one, other].forEach((rpc) => rpc.honest()));
  after(async () => {
    [one, other].forEach((rpc) => rpc.close());
    await tron.close();
  });

  it('is who paid whom how much USDT, final when its block is solidified', async () => {
    const txId = await tron.usdt(tron.recipient, 7_000_000n);
    const early = await read(txId);
    expect(early.status).to.equal('unfinal');
    await tron.paying.finalize();
    const late = await read(txId);
    expect(late.status === 'final' && late.notes).to.deep.equal([]);
    const transfersOf = (found: ChainTransaction) => 'transfers' in found && found.transfers;
    expect(transfersOf(late)).to.deep.equal(transfersOf(early));
    const [{ position, at, ...transfer }] = transfersOf(late) as [ChainTransfer];
    expect(transfer).to.deep.equal({
      txId,
      index: 1,
      asset: 'USDT',
      amount: 7_000_000n,
      from: tron.payer,
      to: tron.recipient,
    });
    expect(position).to.be.greaterThan(0);
    expect(at.getTime()).to.be.within(Date.now() - patience(60_000), Date.now() + 60_000);
  });

  it('is nothing for TRX, a look-alike of USDT, or a transaction that failed', async () => {
    const trx = await readFinal(tron.trx(tron.recipient, 5_000_000n));
    expect(trx).to.include({ status: 'final' });
    expect(trx).to.deep.include({
      transfers: [],
      notes: ['Its coin is not taken here: only USDT.'],
    });
    const forged = await readFinal(tron.forged(tron.recipient, 7_000_000n));
    expect(forged).to.deep.include({ status: 'final', transfers: [] });
    expect('notes' in forged && forged.notes[0]).to.match(
      /^The token T\w{33} is not taken, whatever it is called: only USDT\.$/,
    );
    expect(await readFinal(tron.tooMuch(tron.recipient))).to.deep.equal({ status: 'failed' });
  });

  it('is unknown for what nobody has seen, and for what a reorganization has dropped', async () => {
    expect(await read('ab'.repeat(32))).to.deep.equal({ status: 'unknown' });
    const txId = await tron.usdt(tron.recipient, 1n);
    expect((await read(txId)).status).to.equal('unfinal');
    await tron.paying.evm.dropBlock();
    expect((await read(txId)).status).to.equal('unknown');
  });

  it('is what a quorum says, and of nobody who is of another chain', async () => {
    const txId = await tron.usdt(tron.recipient, 2n);
    one.on(BLOCK, async ([block], forward) => {
      return block === 'finalized' ? tron.paying.evm.send(BLOCK, ['latest', false]) : forward();
    });
    expect((await read(txId)).status).to.equal('unfinal');
    one.honest();
    await tron.paying.finalize();
    one.on(RECEIPT, async (_params, forward) => {
      const receipt = (await forward()) as { logs: object[] };
      return { ...receipt, logs: [...receipt.logs, ...receipt.logs] };
    });
    expect(await faultOf(read(txId))).to.contain('the providers do not agree');
    one.on(RECEIPT, () => 'break');
    expect(await faultOf(read(txId))).to.contain('does not answer');
    expect((await open(1).read(txId)).status).to.equal('final');
    one.honest();
    one.on('eth_chainId', async () => '0x1');
    expect(await faultOf(read(txId))).to.contain('is of chain 1, not 728126428');
  });

  it('does not wait for a provider that hangs, unless it takes what that one says', async function () {
    this.timeout(40_000);
    const txId = await tron.usdt(tron.recipient, 5n);
    await tron.paying.finalize();
    one.on(RECEIPT, HANG);
    expect((await open(1).read(txId)).status).to.equal('final');
    expect(await faultOf(open(2).read(txId))).to.match(
      /2 providers have to agree; 127\.0\.0\.1:\d+ does not answer/,
    );
    one.honest();
    expect((await open(2).read(txId)).status).to.equal('final');
  });

  it('is asked with the key of the first provider, which no other gets', async () => {
    const apiKey = 'a-key-of-trongrid';
    const txId = await tron.usdt(tron.recipient, 6n);
    const keyed = openTronDeposits({ ...tron.network([one.url, other.url]), apiKey });
    await keyed.read(txId);
    const keys = [one, other].map((rpc) => rpc.headers()['tron-pro-api-key']);
    expect(keys).to.deep.equal([apiKey, undefined]);
    one.on(RECEIPT, () => 'break');
    expect(await faultOf(keyed.read(txId))).to.not.contain(apiKey);
    await read(txId).catch(String);
    expect(one.headers()).to.not.have.property('tron-pro-api-key');
  });

  it('takes no key that a header cannot have, and does not repeat it', () => {
    const settings = (TRON_PRO_API_KEY: string) =>
      readEnvironment(tronSettings, {
        TRON_RPC_URLS: one.url,
        TRON_DEPOSIT_ADDRESS: tron.recipient,
        TRON_PRO_API_KEY,
      });
    expect(settings('5f1c-key')!.apiKey).to.equal('5f1c-key');
    for (const odd of ['two words', 'line\nfeed', 'ö', 'x'.repeat(201)]) {
      expect(() => settings(odd))
        .to.throw(/^[^]*TRON_PRO_API_KEY must be at most 200 characters of ASCII/)
        .with.property('message')
        .that.does.not.contain(odd);
    }
  });

  it('is not believed of a chain that only has the id of Tron', async () => {
    const txId = await tron.usdt(tron.recipient, 3n);
    const real = { ...tron.network([one.url]), isSandbox: false };
    expect(await faultOf(openTronDeposits(real).read(txId))).to.contain('is not of Tron');
    // The first block of Tron.
    one.on(BLOCK, async ([block], forward) => ({
      ...((await forward()) as object),
      ...(block === '0x0' && {
        hash: '0x00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
      }),
    }));
    expect((await openTronDeposits(real).read(txId)).status).to.equal('unfinal');
  });

  it('is read of nodes that take no batch, and of those that do in two requests', async () => {
    const txId = await tron.usdt(tron.recipient, 4n);
    await tron.paying.finalize();
    const lax = await startJavaTron(tron.paying.evm.url, { batchMax: 100 });
    const counted = await openFaultyRpc(lax.url);
    const requestsOf = async (rpc: FaultyRpc, chain: DepositChain) => {
      const before = rpc.requests();
      expect((await chain.read(txId)).status).to.equal('final');
      return rpc.requests() - before;
    };
    const strict = openTronDeposits(tron.network([one.url]));
    // A batch that is refused, and its questions; later the questions alone.
    expect(await requestsOf(one, strict)).to.equal(6);
    expect(await requestsOf(one, strict)).to.equal(4);
    const both = openTronDeposits(tron.network([counted.url]));
    expect(await requestsOf(counted, both)).to.equal(2);
    // A request that is refused one by one too is a fault, no reason to ask that way ever after.
    const refused = /eth_getTransaction(ByHash|Receipt)/; // They are asked at once.
    expect(await faultOf(both.read('no id'))).to.match(refused);
    expect(await requestsOf(counted, both)).to.equal(2);
    counted.close();
    await lax.close();
  });

  it('is found by a search for many recipients, and no payment among ourselves', async () => {
    const chain = open();
    const others = Array.from({ length: 450 }, newTronAddress);
    const { number: from } = await chain.finalPosition();
    const paid = [
      await tron.usdt(others[449]!, 11n),
      await tron.usdt(tron.recipient, 12n),
      await tron.usdt(others[0]!, 13n),
      await tron.usdt(newTronAddress(), 14n),
      await tron.forged(others[0]!, 15n),
      await tron.ours(others[0]!, 5n),
    ];
    await tron.paying.finalize();
    const { number: to } = await chain.finalPosition();
    const found = await chain.scan(from + 1, to, new Set([...others, tron.recipient]));
    expect(found.map(({ txId, amount, to: whom }) => [txId, amount, whom])).to.deep.equal([
      [paid[0], 11n, others[449]],
      [paid[1], 12n, tron.recipient],
      [paid[2], 13n, others[0]],
    ]);
    // The same when there are more than can be asked for by name.
    const known = new Set([...others, tron.recipient]);
    const many: Recipients = {
      size: 1_000_000,
      has: (address) => known.has(address),
      [Symbol.iterator]: () => expect.fail('nobody can name them'),
    };
    expect(await chain.scan(from + 1, to, many)).to.deep.equal(found);
  });

  it('names addresses that begin with T, and no other', () => {
    expect(hexOfTron(USDT)).to.equal('0xa614f803b6fd780986a42c78ec9c7f77e6ded13c');
    expect(tronOfHex('0xa614f803B6FD780986A42C78Ec9c7f77e6DeD13C')).to.equal(USDT);
    for (let n = 0; n < 50; n += 1) {
      const address = newTronAddress();
      expect(tronOfHex(hexOfTron(address)!)).to.equal(address);
    }
    const odd = ['', 'T', `${USDT.slice(0, -1)}u`, USDT.toLowerCase(), `0${USDT.slice(1)}`];
    for (const text of [...odd, '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', `${USDT}1`]) {
      expect(hexOfTron(text), text).to.equal(undefined);
    }
    // An address of another network: the same bytes after another first one.
    expect(hexOfTron('27Wma3jVsBL1DJXUAaDvnzVmBVAGEJZQ9bE')).to.equal(undefined);
  });
});
