import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import type { ChainTransfer } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { openSolanaDeposits } from '../../../workers/gateways/solana/deposits.ts';
import { createTokenAccount, memo, transferTokens } from '../../../sandbox/solana/instructions.ts';
import {
  tokenAccountOf,
  TOKEN_PROGRAM,
  written,
  read as readOnly,
} from '../../../workers/gateways/solana/token_instructions.ts';
import { HANG, openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { openSolanaRig, SOL, sol, usdc, USDC, type SolanaRig } from './rig.ts';
import { makeToken } from './tokens.ts';

const REFERENCE = `agt_7:${'5a'.repeat(16)}`;
const ACCOUNT_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
/** Instruction of the token account program: returns what was sent to an account of an account. */
const RECOVER_NESTED = 2;
const ACCOUNT_BYTES = 165;

describe('a payment by Solana that programs make, or that is said elsewhere', () => {
  let rig: SolanaRig;
  let one: FaultyRpc;
  let other: FaultyRpc;
  const owner = Keypair.generate();
  const treasury = owner.publicKey;
  const open = (quorum = 2) =>
    openSolanaDeposits({
      rpcUrls: [one.url, other.url],
      quorum,
      isSandbox: true,
      genesis: rig.node.chain.genesis,
      usdc: USDC.toBase58(),
      address: treasury.toBase58(),
    });
  const final = async (paid: Promise<string>) => {
    const txId = await paid;
    rig.node.advance(FINAL_AFTER);
    return txId;
  };
  const toUs = async (paid: Promise<string>): Promise<readonly ChainTransfer[]> => {
    const found = await open().read(await final(paid));
    if (found.status !== 'final') throw new Error(found.status);
    return found.transfers.filter(({ to }) => to === treasury.toBase58());
  };

  before(async () => {
    rig = await openSolanaRig();
    [one, other] = await Promise.all([openFaultyRpc(rig.node.url), openFaultyRpc(rig.node.url)]);
  });
  afterEach(() => [one, other].forEach((rpc) => rpc.honest()));
  after(async () => {
    [one, other].forEach((rpc) => rpc.close());
    await rig.close();
  });

  it('is what a program moved that another was called with', async () => {
    const { mint } = await makeToken(rig);
    const between = tokenAccountOf({ owner: treasury, mint });
    const nested = tokenAccountOf({ owner: between, mint: USDC });
    const { publicKey: payer } = rig.payer;
    await rig.pay([
      createTokenAccount({ payer, owner: treasury, mint }),
      createTokenAccount({ payer, owner: treasury, mint: USDC }),
      createTokenAccount({ payer, owner: between, mint: USDC }),
      transferTokens({
        from: tokenAccountOf({ owner: payer, mint: USDC }),
        mint: USDC,
        to: nested,
        owner: payer,
        amount: 4_000_000n,
        decimals: 6,
      }),
    ]);
    const paid = rig.pay([recoverNested({ mint, between, nested }), memo(REFERENCE)], owner);
    const rent = await rig.connection.getMinimumBalanceForRentExemption(ACCOUNT_BYTES);
    const from = (await toUs(paid)).map((one) => [one.asset, one.amount, one.from, one.reference]);
    // The account between is closed, and what it kept in SOL is the owner's too.
    expect(from).to.deep.equal([
      ['SOL', BigInt(rent), payer.toBase58(), REFERENCE],
      ['USDC', 4_000_000n, between.toBase58(), REFERENCE],
    ]);
    // No instruction of the payer's moves a token: the call does.
    const { message } = (await rawOf(await paid)).transaction;
    expect(message.instructions.map(({ programId }) => programId)).to.not.include(
      TOKEN_PROGRAM.toBase58(),
    );
  });

  it('has no reference by bytes of another program, or by a memo that a program was called with', async () => {
    const transfer = sol(rig.payer, treasury, SOL);
    // The program reads its own bytes, and leaves what follows them.
    transfer.data = Buffer.concat([transfer.data, Buffer.from(REFERENCE)]);
    const [paid] = await toUs(rig.pay([transfer]));
    expect(paid).to.include({ amount: SOL }).and.to.not.have.property('reference');

    const txId = await final(rig.pay([...usdc(rig.payer, treasury, 1n), memo(REFERENCE)]));
    const asCalled = async (_params: unknown, forward: () => Promise<unknown>) => {
      const found = (await forward()) as RawTransaction;
      const { message } = found.transaction;
      const [said] = message.instructions.splice(-1);
      const innerInstructions = [{ index: 0, instructions: [{ ...said, stackHeight: 2 }] }];
      return { ...found, meta: { ...found.meta, innerInstructions } };
    };
    [one, other].forEach((rpc) => rpc.on('getTransaction', asCalled));
    const called = await open().read(txId);
    expect('transfers' in called && called.transfers.map(({ reference }) => reference)).to.eql([
      undefined,
    ]);
    [one, other].forEach((rpc) => rpc.honest());
    const written = await open().read(txId);
    expect('transfers' in written && written.transfers.map(({ reference }) => reference)).to.eql([
      REFERENCE,
    ]);
  });

  it('does not wait for a provider that hangs, unless it takes what that one says', async function () {
    this.timeout(40_000);
    const txId = await final(rig.pay([sol(rig.payer, treasury, SOL)]));
    other.on('getTransaction', HANG);
    expect((await open(1).read(txId)).status).to.equal('final');
    expect(await faultOf(open(2).read(txId))).to.match(
      /2 providers have to agree; 127\.0\.0\.1:\d+ does not answer/,
    );
    other.honest();
    expect((await open(2).read(txId)).status).to.equal('final');
  });

  /** The owner of an account gets what an account of that one has. */
  const recoverNested = (held: { mint: PublicKey; between: PublicKey; nested: PublicKey }) =>
    new TransactionInstruction({
      programId: ACCOUNT_PROGRAM,
      keys: [
        written(held.nested),
        readOnly(USDC),
        written(tokenAccountOf({ owner: treasury, mint: USDC })),
        readOnly(held.between),
        readOnly(held.mint),
        { pubkey: treasury, isSigner: true, isWritable: true },
        readOnly(TOKEN_PROGRAM),
      ],
      data: Buffer.from([RECOVER_NESTED]),
    });

  async function rawOf(txId: string): Promise<RawTransaction> {
    const options = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 };
    const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [txId, options] };
    const answer = await fetch(rig.node.url, { method: 'POST', body: JSON.stringify(body) });
    return ((await answer.json()) as { result: RawTransaction }).result;
  }
});

interface RawTransaction {
  readonly meta: object;
  readonly transaction: { readonly message: { readonly instructions: { programId: string }[] } };
}
