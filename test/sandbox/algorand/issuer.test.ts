// test:all: the own test of a double.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import algosdk from 'algosdk';
import { expect } from 'chai';

import { fundIssuer, issuerOf } from '../../../sandbox/algorand/issuer.ts';
import { bankOfSandbox } from '../../../sandbox/algorand/sandbox_account.ts';
import { openAlgorandRig, type AlgorandRig } from './algorand_rig.ts';

const FILLED = 1_000_000_000n;

describe('the wallet that issues tokens on the network of this machine', () => {
  let rig: AlgorandRig;
  let folder: string;
  before(async () => {
    const { address, secretKey } = bankOfSandbox();
    const bank = { addr: algosdk.Address.fromString(address), sk: secretKey };
    rig = await openAlgorandRig({ bank });
    folder = mkdtempSync(join(tmpdir(), 'issuer-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await rig.close();
  });

  const fund = () => fundIssuer(folder, rig.node.algodUrl);
  const amount = async () =>
    (await rig.algod.accountInformation(issuerOf(folder).address).do()).amount;

  it('gets play money when it has too little, and nothing when it has enough', async () => {
    expect(await amount()).to.equal(0n);
    await fund();
    expect(await amount()).to.equal(FILLED);
    await fund();
    expect(await amount()).to.equal(FILLED);
    const { address, secretKey } = issuerOf(folder);
    const wallet = { addr: algosdk.Address.fromString(address), sk: secretKey };
    await rig.send(await rig.payment(wallet, rig.bank, { amount: FILLED / 2n }), wallet);
    const left = await amount();
    expect(left < FILLED / 2n).to.equal(true);
    await fund();
    expect(await amount()).to.equal(left + FILLED);
  });

  it('is the same one at each start', () => {
    expect(issuerOf(folder).address).to.equal(issuerOf(folder).address);
    expect(issuerOf(folder).keyFile).to.contain(folder);
  });
});
