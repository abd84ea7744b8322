import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import type { ChainTransfer } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { openSolanaDeposits } from '../../../workers/gateways/solana/deposits.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { newGenesis, openSolanaRig, SOL, sol, usdc, USDC, type SolanaRig } from './rig.ts';
import { patience } from '../../platform/pace.ts';

const REFERENCE = `agt_7:${'5a'.repeat(16)}`;

describe('what Solana says of a payment', () => {
  let rig: SolanaRig;
  let one: FaultyRpc;
  let other: FaultyRpc;
  const treasury = Keypair.generate().publicKey;
  const open = (quorum = 2) =>
    openSolanaDeposits({
      rpcUrls: [one.url, other.url],
      quorum,
      isSandbox: true,
      genesis: rig.node.chain.genesis,
      usdc: USDC.toBase58(),
      address: treasury.toBase58(),
    });
  const read = (txId: string) => open().read(txId);
  const final = async (paid: Promise<string>) => {
    const txId = await paid;
    rig.node.advance(FINAL_AFTER);
    return txId;
  };
  const toUs = (found: readonly ChainTransfer[]) =>
    found.filter(({ to }) => to === treasury.toBase58());

  before(async () => {
    rig = await openSolanaRig();
    [one, other] = await Promise.all([openFaultyRpc(rig.node.url), openFaultyRpc(rig.node.url)]);
  });
  afterEach(() => [one, other].forEach((rpc) => rpc.honest()));
  after(async () => {
    [one, other].forEach((rpc) => rpc.close());
    await rig.close();
  });

  it('is who paid whom how much, final when its slot is, in two questions at most', async () => {
    const pays = usdc(rig.payer, treasury, 5_000_000n);
    const txId = await rig.pay([...pays, memo('hello'), memo(REFERENCE)]);
    const early = await read(txId);
    expect(early.status).to.equal('unfinal');
    rig.node.advance(FINAL_AFTER);
    const chain = open();
    await chain.read(txId);
    const asked = one.requests();
    const late = await chain.read(txId);
    expect(one.requests() - asked).to.equal(1);
    if (late.status !== 'final' || early.status !== 'unfinal') throw new Error(late.status);
    expect(early.transfers).to.deep.equal(late.transfers);
    const [{ position, at, index, ...transfer }] = toUs(late.transfers) as [ChainTransfer];
    expect(transfer).to.deep.equal({
      txId,
      asset: 'USDC',
      amount: 5_000_000n,
      from: rig.payer.publicKey.toBase58(),
      to: treasury.toBase58(),
      reference: REFERENCE,
    });
    expect(index % 2).to.equal(1);
    expect(at.getTime()).to.be.closeTo(Date.now(), patience(10_000));
    expect(position).to.be.below((await chain.finalPosition()).number + 1);
  });

  it('leaves out the account that paid the fee, which may have got it back', async () => {
    const own = Keypair.generate();
    const from = Keypair.generate();
    for (const { publicKey } of [own, from]) {
      await rig.connection.requestAirdrop(publicKey, Number(SOL));
    }
    const latest = await rig.connection.getLatestBlockhash();
    const paid = new Transaction({ feePayer: own.publicKey, ...latest }).add(
      SystemProgram.transfer({
        fromPubkey: from.publicKey,
        toPubkey: own.publicKey,
        lamports: SOL / 2n,
      }),
    );
    paid.sign(own, from);
    const found = await read(await final(rig.connection.sendRawTransaction(paid.serialize())));
    expect(found).to.deep.equal({
      status: 'final',
      transfers: [],
      notes: ['Money received by the account that paid the fee does not count.'],
    });
  });

  it('is not believed of one provider alone', async () => {
    const txId = await final(rig.pay([sol(rig.payer, treasury, SOL)]));
    interface Found {
      readonly meta: { readonly postBalances: number[] };
    }
    other.on('getTransaction', async (_params, forward) => {
      const found = (await forward()) as Found;
      const postBalances = found.meta.postBalances.map((lamports, i) => lamports + i);
      return { ...found, meta: { ...found.meta, postBalances } };
    });
    expect(await faultOf(read(txId))).to.match(/do not agree/);

    other.on('getTransaction', () => 'break');
    expect(await faultOf(read(txId))).to.match(/2 providers have to agree/);
    expect((await open(1).read(txId)).status).to.equal('final');

    const another = await rig.pay([sol(rig.payer, treasury, 2n * SOL)]);
    other.on('getTransaction', async () => (await ask(another)).result);
    expect(await faultOf(read(txId))).to.match(/another transaction/);
  });

  it('is asked of no provider that is of another network', async () => {
    const txId = await final(rig.pay([sol(rig.payer, treasury, SOL)]));
    let asked = 0;
    other.on('getGenesisHash', async () => newGenesis());
    other.on('getTransaction', async (_params, forward) => {
      asked += 1;
      return forward();
    });
    const chain = open();
    expect(await faultOf(chain.read(txId))).to.match(/is of another network/);
    expect(await faultOf(chain.finalPosition())).to.match(/is of another network/);
    expect(asked).to.equal(0);
  });

  it('is found by a scan, each payment once, whatever page it is on', async () => {
    const from = (await open().finalPosition()).number + 1;
    const paid: string[] = [];
    for (const amount of [1n, 2n, 3n]) {
      paid.push(await rig.pay([sol(rig.payer, treasury, amount * SOL), memo(REFERENCE)]));
      paid.push(await rig.pay(usdc(rig.payer, treasury, amount * 1_000_000n)));
    }
    rig.node.advance(FINAL_AFTER);
    const chain = open();
    const to = (await chain.finalPosition()).number;
    const recipients = new Set([treasury.toBase58()]);
    const found = await chain.scan(from, to, recipients);
    expect(found.map(({ txId }) => txId)).to.deep.equal(paid);
    const middle = found[2]!.position;
    const halves = [
      ...(await chain.scan(from, middle, recipients)),
      ...(await chain.scan(middle + 1, to, recipients)),
    ];
    expect(halves).to.deep.equal(found);
    expect(await faultOf(chain.scan(from, to + 1, recipients))).to.match(/has not been reached/);
  });

  async function ask(txId: string) {
    const options = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 };
    const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction' };
    const params = [txId, { ...options, commitment: 'confirmed' }];
    const answer = await fetch(rig.node.url, {
      method: 'POST',
      body: JSON.stringify({ ...body, params }),
    });
    return (await answer.json()) as { result: unknown };
  }
});
