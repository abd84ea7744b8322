import { signBytes } from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { openPaidAlgorand, type PaidAlgorand } from './platform.ts';

const VERIFY = 'POST /api/v1/algo/verify';
const CLAIMS = 50;

describe('money that comes in by Algorand', () => {
  let rig: PaidAlgorand;
  let platform: TestPlatform;
  before(async () => {
    rig = await openPaidAlgorand();
    platform = await TestPlatform.open({ env: rig.env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await rig.close();
  });

  type Agent = Awaited<ReturnType<TestPlatform['agent']>>;
  const noteOf = async ({ key }: Agent): Promise<string> =>
    (await platform.request('POST /api/v1/algo/deposit', { key, body: {} })).body.note;
  const verify = ({ key }: Agent, txId: string) =>
    platform.request(VERIFY, { key, body: { tx_id: txId } });
  const cashOf = async ({ key }: Agent): Promise<number> =>
    (await platform.request('GET /api/v1/wallet', { key })).body.cash;

  it('is paid where algo_info says, with the note of algo_deposit, at its price', async () => {
    const agent = await platform.agent({ usd: 0 });
    const { body: info } = await platform.request('GET /api/v1/algo/info', { key: agent.key });
    expect(info).to.deep.equal({
      network: 'sandbox',
      address: rig.ours.addr.toString(),
      assets: ['ALGO'],
      min_amount: 0.1,
    });
    const note = await noteOf(agent);
    expect(note).to.match(new RegExp(`^agt_${agent.id}:[0-9a-f]{32}$`));
    const txId = await rig.pay({ amount: 12_500_000, note });
    const { status, body } = await verify(agent, txId);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.deep.include({
      rail: 'algorand',
      network: 'sandbox',
      tx_id: txId,
      status: 'credited',
      asset: 'ALGO',
      amount: '12500000',
      usd: 2.5,
      agent_id: agent.id,
      others: [],
    });
    expect(await cashOf(agent)).to.equal(2.5);
    const [{ network }] = await platform.query('select network from deposit where tx_id = $1', [
      txId,
    ]);
    expect(network).to.equal('sandbox-mainnet');
  });

  it(`is credited once for ${CLAIMS} claims at the same time`, async () => {
    const agent = await platform.agent({ usd: 0 });
    const txId = await rig.pay({ amount: 5_000_000, note: await noteOf(agent) });
    const claims = await Promise.all(Array.from({ length: CLAIMS }, () => verify(agent, txId)));
    const ids = new Set(claims.map(({ body }) => body.deposit_id));
    expect(claims.map(({ status }) => status)).to.deep.equal(Array(CLAIMS).fill(200));
    expect(ids.size).to.equal(1);
    expect(await cashOf(agent)).to.equal(1);
  });

  it('is of whom the note names, and of nobody else', async () => {
    const [agent, other] = [await platform.agent({ usd: 0 }), await platform.agent({ usd: 0 })];
    const note = await noteOf(agent);
    const txId = await rig.pay({ amount: 5_000_000, note });
    const foreign = await verify(other, txId);
    expect(foreign.status).to.equal(409);
    expect(foreign.body.error).to.equal('already_credited');
    expect(await cashOf(other)).to.equal(0);
    expect((await verify(agent, txId)).body.usd).to.equal(1);

    const theirs = await noteOf(other);
    for (const wrong of [undefined, note.replace(/.$/, 'g'), `${note}0`, `${note} ${theirs}`]) {
      const paid = await rig.pay({ amount: 5_000_000, ...(wrong && { note: wrong }) });
      const { status, body } = await verify(agent, paid);
      expect([status, body.error]).to.deep.equal([409, 'deposit_unbound']);
      expect(body.message).to.include('algo_deposit');
    }
    expect(await cashOf(agent)).to.equal(1);
  });

  it('is of whom the note names in whichever way it is written, and its id is pasted', async () => {
    const agent = await platform.agent({ usd: 0 });
    const note = await noteOf(agent);
    const written = [
      ` ${note}\r\n`,
      note.toUpperCase(),
      `\ufeff${note}`,
      `app:j{"ref":"${note}"}`,
      `invoice 7, for ${note}, thank you`,
      `${note.slice(0, 20)}\n${note.slice(20)}`,
      Buffer.from(note).toString('base64'),
      Buffer.from(note).toString('hex'),
      `0x${Buffer.from(`{"note":"${note}"}`).toString('hex')}`,
      encodeURIComponent(note),
      note.split('').join('\0'),
    ];
    for (const [n, one] of written.entries()) {
      const txId = await rig.pay({ amount: 5_000_000, note: one });
      const pasted = n % 2 === 0 ? ` ${txId}\n` : `https://allo.info/tx/${txId}`;
      const { status, body } = await verify(agent, pasted);
      expect([status, body.usd, body.tx_id], one).to.deep.equal([200, 1, txId]);
    }
    expect(await cashOf(agent)).to.equal(written.length);
  });

  it('counts what is left in an account that is closed to us', async () => {
    const agent = await platform.agent({ usd: 0 });
    const closing = await rig.account(10_001_000);
    const note = await noteOf(agent);
    const payment = await rig.payment(closing, rig.ours, {
      amount: 4_000_000,
      close: rig.ours,
      note,
    });
    const { id } = await rig.send(payment, closing);
    const { body } = await verify(agent, id);
    expect([body.usd, body.others.map(({ usd }: { usd: number }) => usd)]).to.deep.equal([
      0.8,
      [1.2],
    ]);
    expect(await cashOf(agent)).to.equal(2);
  });

  it('is found by itself, with the note or from a linked wallet, over thousands of rounds', async () => {
    const watch = () => runTimer(platform, 'watch_chains');
    const isSearched = async () =>
      (await platform.query('select from chain_cursor where position is not null')).length > 0;
    await eventually(() => watch().then(isSearched), Boolean);
    const [named, holder] = [await platform.agent({ usd: 0 }), await platform.agent({ usd: 0 })];
    const wallet = await rig.account(20_000_000);
    const link = async (signature?: string) => {
      const address = wallet.addr.toString();
      const body = { network: 'algorand', address, ...(signature && { signature }) };
      const route = 'POST /api/v1/wallets/link?wait=20';
      return (await platform.request(route, { key: holder.key, body })).body;
    };
    const { message } = await link();
    const signature = signBytes(Buffer.from(message), wallet.sk);
    const linked = await link(Buffer.from(signature).toString('base64'));
    expect(linked).to.include({ linked: true });

    await rig.pay({ amount: 10_000_000, note: await noteOf(named) });
    rig.node.advance(10_500);
    await rig.send(await rig.payment(wallet, rig.ours, { amount: 5_000_000 }), wallet);
    await eventually(
      () => watch().then(() => cashOf(holder)),
      (cash) => cash === 1,
    );
    expect(await cashOf(named)).to.equal(2);
  });

  it('is nothing that nobody knows, that was paid to others, or that is too little', async () => {
    const agent = await platform.agent({ usd: 0 });
    const note = await noteOf(agent);
    const elsewhere = await rig.send(await rig.payment(rig.payer, rig.bank, { note }), rig.payer);
    for (const [txId, refusal] of [
      ['A'.repeat(52), 'transaction_unknown'],
      [elsewhere.id, 'deposit_invalid'],
      [await rig.pay({ amount: 499_999, note }), 'deposit_invalid'],
    ]) {
      expect((await verify(agent, txId!)).body.error).to.equal(refusal);
    }
    expect((await verify(agent, 'a'.repeat(52))).body.error).to.equal('validation_error');
    expect(await cashOf(agent)).to.equal(0);
  });
});
