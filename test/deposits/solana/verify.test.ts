import { Keypair, Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { eventually } from '../../harness.ts';
import { mistyped } from '../../agents/mistyped.ts';
import { runTimer } from '../../orders/trade.ts';
import {
  balanceOf,
  linkWallet,
  memoOf,
  openSolanaPlatform,
  settleSlots,
  verify,
  type SolanaPlatform,
} from './platform.ts';
import { SOL, sol, usdc, USDC } from './rig.ts';
import { makeTaxedToken, makeToken, moveTokens, payAside } from './tokens.ts';

describe('a deposit by Solana', () => {
  let solana: SolanaPlatform;
  let agent: { id: number; key: string };
  let note: string;
  before(async () => {
    solana = await openSolanaPlatform();
    agent = await solana.platform.agent();
    note = await memoOf(solana, agent);
  });
  after(() => solana.close());
  afterEach(() => solana.other.honest());

  const pay = (...instructions: Parameters<SolanaPlatform['rig']['pay']>[0]) =>
    solana.rig.pay(instructions);
  const refused = async (tx_id: string, code: string, words = /./, as = agent) => {
    const before = await balanceOf(solana, as);
    const { body, text } = await verify(solana, as, tx_id);
    expect(body.error, text).to.equal(code);
    expect(body.message).to.match(words);
    expect(await balanceOf(solana, as)).to.equal(before);
  };

  it('tells how to pay, on which network and with which memo', async () => {
    const { key } = agent;
    const { body } = await solana.platform.request('GET /api/v1/solana/info', { key });
    expect(body).to.deep.equal({
      network: 'sandbox',
      address: solana.treasury.toBase58(),
      memo: note,
      assets: [
        { asset: 'SOL', decimals: 9, mint: null },
        { asset: 'USDC', decimals: 6, mint: USDC.toBase58() },
      ],
      min_amount: 0.1,
    });
    expect(note).to.match(new RegExp(`^agt_${agent.id}:[0-9a-f]{32}$`));
  });

  it('of SOL is credited at its price when it is final, and once', async () => {
    const { rig, treasury } = solana;
    const tx_id = await pay(sol(rig.payer, treasury, SOL / 2n), memo(note));
    const early = await verify(solana, agent, tx_id);
    expect(early.body).to.include({ status: 'detected', usd: null, amount: '500000000' });
    expect(await balanceOf(solana, agent)).to.equal(0);
    settleSlots(solana);
    const link = `https://explorer.solana.com/tx/${tx_id}?cluster=custom`;
    const { body } = await verify(solana, agent, link);
    expect(body).to.deep.include({
      rail: 'solana',
      network: 'sandbox',
      tx_id,
      status: 'credited',
      asset: 'SOL',
      amount: '500000000',
      usd: 75,
    });
    expect(await balanceOf(solana, agent)).to.equal(75);
    const claims = await Promise.all(
      Array.from({ length: 50 }, () => verify(solana, agent, tx_id)),
    );
    expect(claims.map((claim) => claim.body.deposit_id)).to.deep.equal(
      Array.from({ length: 50 }, () => body.deposit_id),
    );
    expect(await balanceOf(solana, agent)).to.equal(75);
  });

  it('of USDC is credited by what our account has more, with SOL in the same transaction', async () => {
    const { rig, treasury } = solana;
    const before = await balanceOf(solana, agent);
    const tx_id = await pay(
      ...usdc(rig.payer, treasury, 12_500_000n),
      sol(rig.payer, treasury, SOL / 100n),
      memo(note),
    );
    settleSlots(solana);
    const { body } = await verify(solana, agent, tx_id);
    const [other] = body.others;
    const found = [body, other].map(({ asset, usd, status }) => ({ asset, usd, status }));
    expect(found).to.have.deep.members([
      { asset: 'USDC', usd: 12.5, status: 'credited' },
      { asset: 'SOL', usd: 1.5, status: 'credited' },
    ]);
    expect(await balanceOf(solana, agent)).to.equal(before + 14);
  });

  it('of other tokens is none, whatever they are called and whoever made them', async () => {
    const { rig, treasury } = solana;
    for (const token of [await makeToken(rig), await makeTaxedToken(rig)]) {
      const tx_id = await pay(...moveTokens(rig, token, treasury, 5_000_000n), memo(note));
      settleSlots(solana);
      await refused(tx_id, 'deposit_invalid', /are not USDC/);
    }
    const tx_id = await payAside(rig, treasury, 3_000_000n, memo(note));
    settleSlots(solana);
    await refused(tx_id, 'deposit_invalid', /their account is not the one/);
  });

  it("is nobody's with another memo, or with one that a program was called with", async () => {
    const { rig, treasury } = solana;
    const wrong = mistyped(note);
    for (const memos of [[], [memo(wrong)]]) {
      const tx_id = await pay(sol(rig.payer, treasury, SOL / 10n), ...memos);
      settleSlots(solana);
      await refused(tx_id, 'deposit_unbound', /memo from solana_info/);
    }
  });

  it("of another agent is not the caller's, before and after it was credited", async () => {
    const { rig, treasury } = solana;
    const thief = await solana.platform.agent();
    const tx_id = await pay(sol(rig.payer, treasury, SOL / 10n), memo(note));
    settleSlots(solana);
    const before = await balanceOf(solana, agent);
    await refused(tx_id, 'already_credited', /another agent/, thief);
    await refused(tx_id, 'already_credited', /another agent/, thief);
    expect(await balanceOf(solana, agent)).to.equal(before + 15);
    expect((await verify(solana, agent, tx_id)).body.status).to.equal('credited');
  });

  it('is none if it failed, is to somebody else, or is unknown', async () => {
    const { rig, treasury } = solana;
    const { connection, payer } = rig;
    const latest = await connection.getLatestBlockhash();
    const failing = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
      sol(payer, treasury, 10n ** 15n),
      memo(note),
    );
    const failed = await connection.sendTransaction(failing, [payer], { skipPreflight: true });
    const elsewhere = await pay(sol(payer, Keypair.generate().publicKey, SOL), memo(note));
    settleSlots(solana);
    await refused(failed, 'deposit_invalid', /failed/);
    await refused(elsewhere, 'deposit_invalid', /pays us nothing/);
    await refused('1'.repeat(64), 'transaction_unknown', /retry in some seconds/);
    await refused('2'.repeat(64), 'deposit_invalid', /must be a signature/);
    await refused('0'.repeat(64), 'validation_error');
  });

  it('that is dropped with its fork is not credited', async () => {
    const { rig, treasury } = solana;
    const before = await balanceOf(solana, agent);
    const drop = rig.node.chain.fork();
    const tx_id = await pay(sol(rig.payer, treasury, SOL), memo(note));
    expect((await verify(solana, agent, tx_id)).body.status).to.equal('detected');
    drop();
    settleSlots(solana);
    await refused(tx_id, 'transaction_unknown');
    expect(await balanceOf(solana, agent)).to.equal(before);
  });

  it('is found and credited without being asked, by its memo or by the wallet that paid', async () => {
    const { rig, treasury, platform } = solana;
    const search = () => runTimer(platform, 'watch_chains');
    const searched = 'select position from chain_cursor where position is not null';
    await eventually(async () => {
      await search();
      return (await platform.query(searched)).length;
    }, Boolean);
    const owner = await platform.agent();
    await linkWallet(solana, owner);
    // A payment of the wallet before, without a memo, is the owner's with the link.
    const [before, own] = await Promise.all([balanceOf(solana, agent), balanceOf(solana, owner)]);
    await pay(sol(rig.payer, treasury, SOL / 10n), memo(note));
    await pay(...usdc(rig.payer, treasury, 2_000_000n));
    settleSlots(solana);
    const found = () => Promise.all([balanceOf(solana, agent), balanceOf(solana, owner)]);
    const balances = await eventually(
      async () => {
        await search();
        return found();
      },
      ([, linked]) => linked > own,
    );
    expect(balances).to.deep.equal([before + 15, own + 2]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('is detected while one of two providers does not call it final', async () => {
    const { rig, treasury, other } = solana;
    const tx_id = await pay(sol(rig.payer, treasury, SOL / 10n), memo(note));
    settleSlots(solana);
    other.on('getTransaction', async ([, options], forward) =>
      (options as { commitment: string }).commitment === 'finalized' ? null : forward(),
    );
    expect((await verify(solana, agent, tx_id)).body.status).to.equal('detected');
    other.honest();
    expect((await verify(solana, agent, tx_id)).body.status).to.equal('credited');
  });
});
