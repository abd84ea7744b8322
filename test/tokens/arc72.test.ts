import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import algosdk, { type ABIValue, type Address } from 'algosdk';
import { expect } from 'chai';

import { assemble } from '../../sandbox/algorand/avm/assembler.ts';
import { ARC72 } from '../../shared/domains/tokens/arc72/arc72_program.ts';
import { newAddress, openContract, ZERO, type Contract } from './contract.ts';

const SOURCE = (name: string) => readFileSync(`shared/domains/tokens/arc72/${name}.teal`, 'utf8');

const OWNER_OF = 'arc72_ownerOf(uint256)address';
const TRANSFER = 'arc72_transferFrom(address,address,uint256)void';
const TOKEN_URI = 'arc72_tokenURI(uint256)byte[256]';
const APPROVE = 'arc72_approve(address,uint256)void';
const SET_OPERATOR = 'arc72_setApprovalForAll(address,bool)void';
const GET_APPROVED = 'arc72_getApproved(uint256)address';
const IS_OPERATOR = 'arc72_isApprovedForAll(address,address)bool';
const BALANCE = 'arc72_balanceOf(address)uint256';
const SUPPLY = 'arc72_totalSupply()uint256';
const BY_INDEX = 'arc72_tokenByIndex(uint256)uint256';
const SUPPORTS = 'supportsInterface(byte[4])bool';
const MINT = 'mint(address,uint256,string)void';
const EVENT = {
  transfer: 'arc72_Transfer(address,address,uint256)',
  approval: 'arc72_Approval(address,address,uint256)',
  approvalForAll: 'arc72_ApprovalForAll(address,address,bool)',
};
/** Interfaces as the ARC lists them, events included. */
const INTERFACES = {
  '4e22a3ba': [SUPPORTS],
  '53f02a40': [OWNER_OF, TRANSFER, EVENT.transfer],
  c3c1fc00: [TOKEN_URI],
  b9c6f696: [
    APPROVE,
    SET_OPERATOR,
    GET_APPROVED,
    IS_OPERATOR,
    EVENT.approval,
    EVENT.approvalForAll,
  ],
  a57d4679: [BALANCE, SUPPLY, BY_INDEX],
};

const URI = 'ipfs://bafybeigdyrzt/1.json#arc3';
const selectorOf = (signature: string): Buffer =>
  createHash('sha512-256').update(signature).digest().subarray(0, 4);

describe('the ARC-72 contract', () => {
  let contract: Contract;
  let owner: Address;
  let other: Address;
  let third: Address;
  beforeEach(() => {
    contract = openContract();
    [owner, other, third] = [newAddress(), newAddress(), newAddress()];
  });

  const ask = (signature: string, ...args: ABIValue[]) =>
    contract.call(third, signature, ...args).value;
  const mint = (number: number, uri = URI) =>
    contract.call(contract.creator, MINT, owner, number, uri);
  const expectRefused = (...[sender, signature, ...args]: Parameters<Contract['call']>) =>
    expect(() => contract.call(sender, signature, ...args), signature).to.throw(/assert|gave up/);
  const event = (signature: string, ...args: ABIValue[]) => {
    const types = algosdk.ABIType.from(signature.slice(signature.indexOf('(')));
    return Buffer.concat([selectorOf(signature), types.encode(args)]).toString('hex');
  };

  it('is committed as its source assembles', () => {
    const [approval, clear] = [assemble(SOURCE('arc72')), assemble(SOURCE('clear'))];
    expect(Buffer.from(approval.bytes).toString('base64')).to.equal(ARC72.approval);
    expect(Buffer.from(clear.bytes).toString('base64')).to.equal(ARC72.clear);
    expect(algosdk.encodeAddress(approval.hash)).to.equal(ARC72.hash);
  });

  // A node that is a real one has the compiler that all others have.
  const { ALGO_NODE_URL, ALGO_NODE_TOKEN = '' } = process.env;
  if (ALGO_NODE_URL) {
    it('is assembled to the same bytes by the node that ALGO_NODE_URL names', async () => {
      const node = new algosdk.Algodv2(ALGO_NODE_TOKEN, ALGO_NODE_URL, new URL(ALGO_NODE_URL).port);
      const { hash, result } = await node.compile(SOURCE('arc72')).do();
      expect({ hash, result }).to.deep.equal({ hash: ARC72.hash, result: ARC72.approval });
    });
  }

  it('mints tokens by number, once each, and only for its creator', () => {
    expect(mint(1).events).to.deep.equal([event(EVENT.transfer, ZERO, owner, 1)]);
    mint(2, '');
    expectRefused(contract.creator, MINT, owner, 2, URI);
    expectRefused(contract.creator, MINT, owner, 4, URI);
    expectRefused(owner, MINT, owner, 3, URI);
    expectRefused(contract.creator, MINT, ZERO, 3, URI);
    expectRefused(contract.creator, MINT, owner, 3, 'x'.repeat(257));
    mint(3, 'x'.repeat(256));
    expect(ask(SUPPLY)).to.equal(3n);
    expect(ask(BALANCE, owner)).to.equal(3n);
    expect(ask(BALANCE, other)).to.equal(0n);
  });

  it('says whose a token is, and that of one that does not exist nobody is the owner', () => {
    mint(1);
    expect(String(ask(OWNER_OF, 1))).to.equal(owner.toString());
    expect(String(ask(OWNER_OF, 2))).to.equal(ZERO.toString());
    expect(String(ask(GET_APPROVED, 2))).to.equal(ZERO.toString());
  });

  it('answers the URI of a token filled up to 256 bytes', () => {
    mint(1);
    mint(2, 'y'.repeat(256));
    const uri = Buffer.from(ask(TOKEN_URI, 1) as Uint8Array);
    expect(uri).to.have.length(256);
    expect(uri.toString()).to.equal(URI.padEnd(256, '\0'));
    expect(Buffer.from(ask(TOKEN_URI, 2) as Uint8Array).toString()).to.equal('y'.repeat(256));
    expectRefused(third, TOKEN_URI, 3);
  });

  it('lets the owner transfer a token, and nobody else', () => {
    mint(1);
    expectRefused(third, TRANSFER, owner, third, 1);
    expectRefused(contract.creator, TRANSFER, owner, third, 1);
    // Whoever names itself as the one that it is from does not own it for that.
    expectRefused(third, TRANSFER, third, third, 1);
    expectRefused(owner, TRANSFER, other, third, 1);
    expectRefused(owner, TRANSFER, owner, ZERO, 1);
    expectRefused(owner, TRANSFER, owner, other, 2);
    const { events } = contract.call(owner, TRANSFER, owner, other, 1);
    expect(events).to.deep.equal([event(EVENT.transfer, owner, other, 1)]);
    expect(String(ask(OWNER_OF, 1))).to.equal(other.toString());
    expect([ask(BALANCE, owner), ask(BALANCE, other)]).to.deep.equal([0n, 1n]);
    expectRefused(owner, TRANSFER, other, owner, 1);
    contract.call(other, TRANSFER, other, other, 1);
    expect(ask(BALANCE, other)).to.equal(1n);
  });

  it('lets whoever is approved for a token transfer it, once', () => {
    mint(1);
    expectRefused(third, APPROVE, third, 1);
    expectRefused(owner, APPROVE, other, 2);
    const { events } = contract.call(owner, APPROVE, other, 1);
    expect(events).to.deep.equal([event(EVENT.approval, owner, other, 1)]);
    expect(String(ask(GET_APPROVED, 1))).to.equal(other.toString());
    expectRefused(other, APPROVE, third, 1);
    contract.call(other, TRANSFER, owner, third, 1);
    expect(String(ask(GET_APPROVED, 1))).to.equal(ZERO.toString());
    expectRefused(other, TRANSFER, third, other, 1);
    contract.call(third, APPROVE, other, 1);
    contract.call(third, APPROVE, ZERO, 1);
    expectRefused(other, TRANSFER, third, other, 1);
  });

  it('lets several operators act for all tokens of an owner, until it takes that back', () => {
    mint(1);
    mint(2);
    const { events } = contract.call(owner, SET_OPERATOR, other, true);
    expect(events).to.deep.equal([event(EVENT.approvalForAll, owner, other, true)]);
    contract.call(owner, SET_OPERATOR, third, true);
    expect(ask(IS_OPERATOR, owner, other)).to.equal(true);
    expect(ask(IS_OPERATOR, other, owner)).to.equal(false);
    contract.call(other, APPROVE, other, 1);
    contract.call(other, TRANSFER, owner, other, 1);
    contract.call(owner, SET_OPERATOR, other, false);
    expect(ask(IS_OPERATOR, owner, other)).to.equal(false);
    expectRefused(other, TRANSFER, owner, other, 2);
    contract.call(third, TRANSFER, owner, third, 2);
    contract.call(owner, SET_OPERATOR, other, false);
    const selector = new Uint8Array(selectorOf(SET_OPERATOR));
    const odd = [selector, other.publicKey, Uint8Array.of(1)];
    expect(() => contract.callRaw(owner, odd)).to.throw(/assert/);
  });

  it('lists its tokens by index', () => {
    mint(1);
    mint(2);
    expect([ask(BY_INDEX, 0), ask(BY_INDEX, 1)]).to.deep.equal([1n, 2n]);
    expectRefused(third, BY_INDEX, 2);
    expectRefused(third, BY_INDEX, 2n ** 64n);
  });

  it('supports the interfaces of the ARC, which are what their parts make them', () => {
    for (const [id, parts] of Object.entries(INTERFACES)) {
      const made = parts
        .map(selectorOf)
        .reduce((a, b) => a.map((byte, n) => byte ^ b[n]!) as Buffer);
      expect(Buffer.from(made).toString('hex')).to.equal(id);
      expect(ask(SUPPORTS, Buffer.from(id, 'hex')), id).to.equal(true);
    }
    expect(ask(SUPPORTS, Buffer.from('ffffffff', 'hex'))).to.equal(false);
    expect(() => contract.callRaw(third, [selectorOf(SUPPORTS), Buffer.alloc(3)])).to.throw(
      /assert/,
    );
  });

  it('refuses what is no call of a method', () => {
    mint(1);
    for (const onComplete of [1, 2, 4, 5]) {
      expect(() => contract.callRaw(contract.creator, [selectorOf(SUPPLY)], onComplete)).to.throw(
        /assert/,
      );
    }
    expect(() => contract.callRaw(owner, [])).to.throw(/no argument 0/);
    expect(() => contract.callRaw(owner, [Buffer.from('00000000', 'hex')])).to.throw(/gave up/);
    expect(() => contract.callRaw(owner, [selectorOf(OWNER_OF), Buffer.alloc(31)])).to.throw(
      /assert/,
    );
    const cut = Buffer.concat([Buffer.from([0, 9]), Buffer.from('short')]);
    const mintArgs = [selectorOf(MINT), owner.publicKey, Buffer.alloc(32, 0).fill(2, 31), cut];
    expect(() => contract.callRaw(contract.creator, mintArgs)).to.throw(/assert/);
  });

  it('keeps each method within the budget of one call, and names of boxes within 64 bytes', () => {
    const costs = [
      mint(1).cost,
      contract.call(owner, SET_OPERATOR, other, true).cost,
      contract.call(other, TRANSFER, owner, third, 1).cost,
    ];
    expect(Math.max(...costs)).to.be.below(400);
    const lengths = [...contract.boxes.keys()].map((name) => name.length / 2);
    expect(Math.max(...lengths)).to.equal(33);
  });
});
