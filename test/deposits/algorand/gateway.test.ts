import type { Account } from 'algosdk';
import { expect } from 'chai';

import { GENESIS_HASH } from '../../../sandbox/algorand/genesis.ts';
import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type {
  ChainTransaction,
  ChainTransfer,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { openAlgorandDeposits } from '../../../workers/gateways/algorand/deposits.ts';
import { NO_TOKENS } from '../../../shared/platform/config/host_tokens.ts';
import { patience } from '../../platform/pace.ts';
import { openAlgorandRig, type AlgorandRig } from '../../sandbox/algorand/algorand_rig.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { openFaultyIndexer, type FaultyIndexer } from './faulty_indexer.ts';

const BY_ID = /^\/v2\/transactions\//;
const OF_ADDRESS = /^\/v2\/accounts\//;
const NOTE = `agt_7:${'5a'.repeat(16)}`;
/** Time limit for an indexer that does not answer. */
const SHORT_MS = 500;

const transfersOf = (found: ChainTransaction): readonly ChainTransfer[] =>
  'transfers' in found ? found.transfers : [];
const notesOf = (found: ChainTransaction): string => ('notes' in found ? found.notes.join() : '');

describe('what Algorand says of a payment', () => {
  let rig: AlgorandRig;
  let ours: Account;
  let payer: Account;
  let one: FaultyIndexer;
  let other: FaultyIndexer;

  const network = (changes: Partial<AlgorandNetwork> = {}): AlgorandNetwork => ({
    indexers: [one.url, other.url],
    indexerTokens: NO_TOKENS,
    quorum: 2,
    genesisHash: GENESIS_HASH.toString('base64'),
    address: ours.addr.toString(),
    isSandbox: true,
    ...changes,
  });
  const open = (changes?: Partial<AlgorandNetwork>, answerMsMax = patience(10_000)) =>
    openAlgorandDeposits(network(changes), { answerMsMax });
  const read = (txId: string) => open().read(txId);
  const scan = (from: number, to: number) => open().scan(from, to, new Set([network().address]));
  const round = () => Number(rig.node.lastRound());
  const pay = async (fields: Parameters<AlgorandRig['payment']>[2] = {}) =>
    (await rig.send(await rig.payment(payer, ours, fields), payer)).id;

  before(async () => {
    rig = await openAlgorandRig();
    [ours, payer] = [await rig.account(), await rig.account(1_000_000_000)];
    [one, other] = await Promise.all([
      openFaultyIndexer(rig.node.indexerUrl),
      openFaultyIndexer(rig.node.indexerUrl),
    ]);
  });
  afterEach(() => [one, other].forEach((indexer) => indexer.honest()));
  after(async () => {
    [one, other].forEach((indexer) => indexer.close());
    await rig.close();
  });

  it('is who paid whom how much with which note, final at once, by one question', async () => {
    const txId = await pay({ amount: 1_234_567, note: NOTE });
    const chain = open();
    await chain.finalPosition();
    one.honest();
    const found = await chain.read(txId);
    expect(one.asked()).to.deep.equal([`/v2/transactions/${txId}`]);
    expect(found.status).to.equal('final');
    const [{ at, ...transfer }] = transfersOf(found) as [ChainTransfer];
    expect(transfer).to.deep.equal({
      txId,
      index: 0,
      asset: 'ALGO',
      amount: 1_234_567n,
      from: payer.addr.toString(),
      to: ours.addr.toString(),
      reference: NOTE,
      position: round(),
    });
    expect(at.getTime()).to.be.within(Date.now() - patience(60_000), Date.now() + 10_000);
  });

  it('is what was left, too, in an account that is closed to us', async () => {
    const closing = await rig.account(3_000_000);
    const both = await rig.payment(closing, ours, { amount: 1_000_000, close: ours });
    const { id } = await rig.send(both, closing);
    const paid = transfersOf(await read(id)).map(({ index, amount }) => [index, amount]);
    expect(paid).to.deep.equal([
      [0, 1_000_000n],
      [1, 1_999_000n],
    ]);

    const elsewhere = await rig.account(3_000_000);
    const rest = await rig.payment(elsewhere, payer, { amount: 1_000_000, close: ours });
    const sent = await rig.send(rest, elsewhere);
    const [first, second] = transfersOf(await read(sent.id));
    expect([first!.to, second!.to]).to.deep.equal([payer.addr.toString(), ours.addr.toString()]);
    expect(await scan(round(), round())).to.deep.equal([second]);
  });

  it('is nothing for an asset, a clawback, a call of an application, or our own payment', async () => {
    const txId = await pay();
    const asset = { 'asset-id': 31_566_704, amount: 5_000_000, receiver: ours.addr.toString() };
    const cases: readonly [Record<string, unknown>, RegExp][] = [
      [{ 'asset-transfer-transaction': asset }, /only ALGO itself is taken/],
      [
        { 'asset-transfer-transaction': { ...asset, sender: payer.addr.toString() } },
        /takes an asset back from its holder \(clawback\)/,
      ],
      [
        { 'application-transaction': {}, 'inner-txns': [] },
        /is kept as balance:\d+:[A-Z2-7]{58}: claim that/,
      ],
    ];
    for (const [changed, words] of cases) {
      for (const indexer of [one, other]) {
        indexer.honest();
        indexer.on(BY_ID, ({ transaction, ...answer }) => {
          const { 'payment-transaction': payment, ...raw } = transaction;
          if (changed['inner-txns']) changed['inner-txns'] = [{ 'payment-transaction': payment }];
          return { ...answer, transaction: { ...raw, ...changed } };
        });
      }
      const found = await read(txId);
      expect(found.status).to.equal('final');
      expect(transfersOf(found)).to.deep.equal([]);
      expect(notesOf(found)).to.match(words);
    }
    [one, other].forEach((indexer) => indexer.honest());
    const own = await rig.send(await rig.payment(ours, ours, { note: NOTE }), ours);
    expect(transfersOf(await read(own.id))).to.deep.equal([]);
  });

  it('has its reference also between bytes that are no text', async () => {
    const txId = await pay({ note: NOTE });
    const note = Buffer.concat([Buffer.from(NOTE), Buffer.from([0xff])]).toString('base64');
    for (const indexer of [one, other]) {
      indexer.on(BY_ID, (answer) => ({ ...answer, transaction: { ...answer.transaction, note } }));
    }
    expect(transfersOf(await read(txId))[0]!.reference).to.include(NOTE);
  });

  it('is unknown for what nobody knows, and while one indexer has not come so far', async () => {
    expect(await read('A'.repeat(52))).to.deep.equal({ status: 'unknown' });
    const txId = await pay();
    other.on(BY_ID, () => undefined);
    expect(await read(txId)).to.deep.equal({ status: 'unknown' });
    other.honest();
    expect((await read(txId)).status).to.equal('final');
  });

  it('is not believed of an indexer that lies, is of another network, or does not answer', async () => {
    const txId = await pay({ amount: 1_000_000 });
    other.on(BY_ID, (answer) => {
      const payment = { ...answer.transaction['payment-transaction'], amount: 9_000_000 };
      return { ...answer, transaction: { ...answer.transaction, 'payment-transaction': payment } };
    });
    expect(await faultOf(read(txId))).to.include('do not agree');
    other.honest();
    other.on(BY_ID, (answer) => ({
      ...answer,
      transaction: { ...answer.transaction, id: 'B'.repeat(52) },
    }));
    expect(await faultOf(read(txId))).to.include('another transaction');
    other.honest();
    const foreign = { 'genesis-hash': Buffer.alloc(32, 1).toString('base64') };
    other.on(/^\/v2\/blocks\//, (block) => ({ ...block, ...foreign }));
    expect(await faultOf(read(txId))).to.include('of another network');
    other.honest();
    other.on(BY_ID, ({ transaction, ...answer }) => ({
      ...answer,
      transaction: { ...transaction, ...foreign },
    }));
    expect(await faultOf(read(txId))).to.include('of another network');
    other.honest();
    other.hang();
    const given = open({}, SHORT_MS);
    expect(await faultOf(given.read(txId))).to.match(/2 providers have to agree.*not answer/);
    // Nobody waits for the others if one is enough.
    expect((await open({ quorum: 1 }).read(txId)).status).to.equal('final');
  });

  it('is found by a search of rounds, oldest first, and not before the indexer has them', async () => {
    const start = round() + 1;
    const ids = [await pay({ note: NOTE }), await pay({ amount: 7 }), await pay({ amount: 8 })];
    await rig.send(await rig.payment(payer, rig.bank), payer);
    const found = await scan(start, round());
    expect(found.map(({ txId }) => txId)).to.deep.equal(ids);
    expect(found[0]).to.deep.equal(transfersOf(await read(ids[0]!))[0]);
    expect(await scan(start + 1, start + 1)).to.have.lengthOf(1);

    other.on(OF_ADDRESS, (answer) => ({ ...answer, 'current-round': round() - 1 }));
    expect(await faultOf(scan(start, round()))).to.include('has come to round');
    other.honest();
    other.on(OF_ADDRESS, ({ transactions, ...answer }) => ({
      ...answer,
      transactions: transactions.slice(1),
    }));
    expect(await faultOf(scan(start, round()))).to.include('do not agree');
    const { stretchMax } = open();
    expect(await faultOf(scan(0, stretchMax))).to.include('at most');
  });

  it('is searched page by page', async () => {
    const start = round() + 1;
    for (let n = 0; n < 5; n += 1) await pay({ amount: 100 + n });
    const whole = await scan(start, round());
    // An indexer may give fewer than it was asked for.
    for (const indexer of [one, other]) {
      indexer.on(OF_ADDRESS, ({ transactions, ...answer }) => {
        const at = Number(new URLSearchParams(indexer.asked().at(-1)!.split('?')[1]).get('next'));
        const token = transactions.length > 2 ? { 'next-token': String(at + 2) } : {};
        return { ...answer, transactions: transactions.slice(0, 2), ...token };
      });
    }
    expect(await scan(start, round())).to.deep.equal(whole);
    expect(whole.map(({ amount }) => Number(amount))).to.deep.equal([100, 101, 102, 103, 104]);
  });

  it('is final as far as all indexers have come', async () => {
    const { number, at } = await open().finalPosition();
    expect(number).to.equal(round());
    expect(at.getTime()).to.be.within(Date.now() - patience(60_000), Date.now() + 10_000);
    other.on(/^\/health/, (health) => ({ ...health, round: round() - 2 }));
    expect((await open().finalPosition()).number).to.equal(round() - 2);
  });
});
