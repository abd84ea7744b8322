import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  AddressLookupTableProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { startSolanaNode } from '../../../sandbox/solana/node.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { tokenAccountOf } from '../../../workers/gateways/solana/token_instructions.ts';
import { connectionTo, newGenesis, openSolanaRig, sol, usdc, USDC, type SolanaRig } from './rig.ts';

describe('the Solana sandbox, by web3.js as it comes', () => {
  let rig: SolanaRig;
  before(async () => {
    rig = await openSolanaRig();
  });
  after(() => rig.close());

  const version = { maxSupportedTransactionVersion: 0 } as const;

  it('takes SOL with a memo, which is confirmed at once and final 32 slots later', async () => {
    const { connection, payer, node } = rig;
    const to = Keypair.generate().publicKey;
    const signature = await sendAndConfirmTransaction(
      connection,
      new Transaction().add(sol(payer, to, 250_000_000n), memo('agt_7')),
      [payer],
    );
    expect(await connection.getBalance(to)).to.equal(0.25 * LAMPORTS_PER_SOL);

    const early = await connection.getTransaction(signature, {
      ...version,
      commitment: 'finalized',
    });
    expect(early).to.equal(null);
    node.advance(FINAL_AFTER);
    const found = (await connection.getParsedTransaction(signature, {
      ...version,
      commitment: 'finalized',
    }))!;
    const [transfer, note] = found.transaction.message.instructions;
    expect(transfer).to.deep.include({ program: 'system' });
    expect((transfer as { parsed: object }).parsed).to.deep.equal({
      type: 'transfer',
      info: {
        source: payer.publicKey.toBase58(),
        destination: to.toBase58(),
        lamports: 250_000_000,
      },
    });
    expect(note).to.deep.include({ program: 'spl-memo', parsed: 'agt_7' });
    expect(found.meta).to.deep.include({ err: null, fee: 5_000 });
    const [status] = (await connection.getSignatureStatuses([signature])).value;
    expect(status).to.deep.include({ confirmationStatus: 'finalized', err: null });
    const listed = await connection.getSignaturesForAddress(to, {}, 'finalized');
    expect(listed.map((entry) => entry.signature)).to.deep.equal([signature]);
  });

  it('takes USDC in a transaction of version 0 with a lookup table, and says whose it was', async () => {
    const { connection, payer, node } = rig;
    const to = Keypair.generate().publicKey;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: await connection.getSlot('processed'),
    });
    const account = tokenAccountOf({ owner: to, mint: USDC });
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: payer.publicKey,
      authority: payer.publicKey,
      lookupTable: table,
      addresses: [to, account, USDC],
    });
    await rig.pay([create, extend]);
    const lookup = (await connection.getAddressLookupTable(table)).value!;
    const latest = await connection.getLatestBlockhash();
    const transaction = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: latest.blockhash,
        instructions: usdc(payer, to, 12_500_000n),
      }).compileToV0Message([lookup]),
    );
    transaction.sign([payer]);
    const signature = await connection.sendTransaction(transaction);
    node.advance(FINAL_AFTER);
    await connection.confirmTransaction({ signature, ...latest }, 'finalized');

    const { meta, transaction: sent } = (await connection.getTransaction(signature, version))!;
    const keys = sent.message.getAccountKeys({ accountKeysFromLookups: meta!.loadedAddresses! });
    expect(meta!.loadedAddresses!.writable.map(String)).to.deep.equal([account.toBase58()]);
    const [received] = meta!.postTokenBalances!.filter(({ owner }) => owner === to.toBase58());
    expect(keys.get(received!.accountIndex)!.toBase58()).to.equal(account.toBase58());
    expect(received).to.deep.include({ mint: USDC.toBase58() });
    expect(received!.uiTokenAmount).to.deep.include({ amount: '12500000', decimals: 6 });
    expect((await connection.getTokenAccountBalance(account)).value.uiAmount).to.equal(12.5);
    const owned = await connection.getParsedTokenAccountsByOwner(to, { mint: USDC });
    expect(owned.value[0]!.account.data.parsed.info.tokenAmount.amount).to.equal('12500000');
    await rejected(
      connection.getTransaction(signature),
      /Transaction version \(0\) is not supported/,
    );
  });

  it('refuses what is forged, late or more than there is, and keeps what failed', async () => {
    const { connection, payer, node } = rig;
    const to = Keypair.generate().publicKey;
    const tooMuch = sol(payer, to, 10n ** 15n);
    await rejected(rig.pay([tooMuch]), /custom program error: 0x1/);

    const latest = await connection.getLatestBlockhash();
    const failing = new Transaction({ feePayer: payer.publicKey, ...latest }).add(tooMuch);
    const signature = await connection.sendTransaction(failing, [payer], { skipPreflight: true });
    node.advance(FINAL_AFTER);
    const found = await connection.getTransaction(signature, version);
    expect(found!.meta!.err).to.deep.equal({ InstructionError: [0, { Custom: 1 }] });

    const forged = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
      sol(payer, to, 1n),
    );
    forged.sign(payer);
    const bytes = forged.serialize();
    bytes[5]! ^= 1;
    await rejected(connection.sendRawTransaction(bytes), /signature verification failure/);

    const late = new Transaction({ feePayer: payer.publicKey, ...latest }).add(sol(payer, to, 2n));
    late.sign(payer);
    node.advance(150);
    await rejected(connection.sendRawTransaction(late.serialize()), /Blockhash not found/);
    expect(await connection.getBalance(to)).to.equal(0);
  });

  it('forgets what was on a fork that is dropped', async () => {
    const { connection, payer, node } = rig;
    const to = Keypair.generate().publicKey;
    const drop = node.chain.fork();
    const signature = await rig.pay([sol(payer, to, 5_000_000n)]);
    drop();
    node.advance(FINAL_AFTER);
    expect((await connection.getSignatureStatuses([signature])).value).to.deep.equal([null]);
    expect(await connection.getTransaction(signature, version)).to.equal(null);
    expect(await connection.getBalance(to)).to.equal(0);
  });

  it('has what it had after a start, in later slots', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'solana-'));
    const genesis = newGenesis();
    const first = await startSolanaNode({ genesis, folder });
    const to = Keypair.generate().publicKey;
    const signature = await connectionTo(first).requestAirdrop(to, LAMPORTS_PER_SOL);
    const slot = first.chain.slots.current();
    await first.close();
    const second = await startSolanaNode({ genesis, folder });
    const connection = connectionTo(second);
    expect(await connection.getGenesisHash()).to.equal(genesis);
    expect(await connection.getBalance(to)).to.equal(LAMPORTS_PER_SOL);
    expect(await connection.getSlot('processed')).to.be.above(slot);
    second.advance(FINAL_AFTER);
    expect((await connection.getTransaction(signature, version))!.slot).to.be.below(slot);
    await second.close();
    rmSync(folder, { recursive: true });
  });

  async function rejected(promise: Promise<unknown>, message: RegExp): Promise<void> {
    const error = await promise.then(() => undefined, String);
    expect(error).to.match(message);
  }
});
