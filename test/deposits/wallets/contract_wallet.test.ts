import { expect } from 'chai';
import { AbiCoder, Interface, Wallet } from 'ethers';

import { bind } from '../../../shared/domains/deposits/chain/bind.ts';
import { openWallets } from '../../../workers/gateways/wallets/wallets.ts';
import { compiled } from '../../local/solidity.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { TOKEN } from '../evm/payer.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';

const FILE = 'test/deposits/wallets/contract_wallet.sol';
const CALL = 'eth_call';
const VALID = `0x1626ba7e${'0'.repeat(56)}`;

describe('a wallet that is a contract', function () {
  this.timeout(60_000);
  let base: BasePlatform;
  let agent: { id: number; key: string };
  const owner = Wallet.createRandom();
  before(async () => {
    base = await openBasePlatform();
    agent = await base.platform.agent();
  });
  afterEach(() => base.providers.forEach((provider) => provider.honest()));
  after(() => base.close());

  const deploy = async (): Promise<string> => {
    const { bytecode } = compiled(FILE, 'ContractWallet');
    const coder = AbiCoder.defaultAbiCoder();
    return base.deploy(bytecode + coder.encode(['address'], [owner.address]).slice(2));
  };
  const link = (address: string, signature?: string, { key } = agent) =>
    base.platform.request('POST /api/v1/wallets/link?wait=20', {
      key,
      body: { network: 'evm', address, ...(signature !== undefined && { signature }) },
    });
  const messageFor = async (address: string, as = agent): Promise<string> =>
    (await link(address, undefined, as)).body.message;
  const networksOf = async (address: string): Promise<string[]> => {
    const sql = 'select network from linked_wallet where address = lower($1)';
    return (await base.platform.query(sql, [address])).map(
      ({ network }: { network: string }) => network,
    );
  };
  const cash = async (): Promise<number> =>
    (await base.platform.request('GET /api/v1/wallet', { key: agent.key })).body.cash;

  it('is linked where it says that it has signed, and what it pays there is credited', async () => {
    const wallet = await deploy();
    await base.finalize();
    const signature = await owner.signMessage(await messageFor(wallet));
    const { status, body } = await link(wallet, signature);
    expect([status, body.linked], body.message).to.deep.equal([200, true]);
    expect(await networksOf(wallet)).to.deep.equal(['sandbox-base']);

    await base.usdc(wallet, 3_000_000n);
    const { abi } = compiled(FILE, 'ContractWallet');
    const data = TOKEN.encodeFunctionData('transfer', [base.recipient, 3_000_000n]);
    const call = new Interface(abi).encodeFunctionData('execute', [base.evm.usdc, data]);
    const tx_hash = await base.call(wallet, call);
    await base.finalize();
    const verified = await base.platform.request('POST /api/v1/evm/verify?wait=20', {
      key: agent.key,
      body: { tx_hash },
    });
    expect(verified.body).to.include({ status: 'credited', usd: 3 });
    expect(await cash()).to.equal(3);

    // On another network that address may be somebody else's.
    const [transfer] = [{ txId: tx_hash, index: 0, asset: 'USDC', amount: 1n, position: 1 }];
    const at = new Date();
    const paid = [{ ...transfer!, from: wallet.toLowerCase(), to: base.recipient, at }];
    const { database } = base.platform.context;
    const whose = async (network: string) =>
      (await bind(database, { family: 'evm', network }, paid))[0]?.agentId;
    expect(await whose('sandbox-base')).to.equal(agent.id);
    expect(await whose('sandbox-arbitrum')).to.equal(undefined);
    expect(await whose('base')).to.equal(undefined);
  });

  it('is not linked by another signature, nor where it answers anything else', async () => {
    const before = await cash();
    const yes = await base.deploy(compiled(FILE, 'Yes').bytecode);
    const wallet = await deploy();
    await base.finalize();
    const nobody = Wallet.createRandom().address;
    for (const [address, sign] of [
      [wallet, (text: string) => Wallet.createRandom().signMessage(text)],
      [wallet, (text: string) => owner.signMessage(`${text} `)],
      [wallet, () => Promise.resolve(`0x${'12'.repeat(64)}`)],
      [wallet, () => Promise.resolve(`0x${'12'.repeat(1_000)}`)],
      [yes, (text: string) => owner.signMessage(text)],
      [base.evm.usdc, (text: string) => owner.signMessage(text)],
      [nobody, (text: string) => owner.signMessage(text)],
    ] as const) {
      const { status, body } = await link(address, await sign(await messageFor(address)));
      expect([status, body.error], address).to.deep.equal([422, 'signature_invalid']);
      expect(await networksOf(address)).to.deep.equal([]);
    }
    expect(await cash()).to.equal(before);
  });

  it('is not linked before its block is final', async () => {
    const wallet = await deploy();
    const signature = await owner.signMessage(await messageFor(wallet));
    expect((await link(wallet, signature)).body.error).to.equal('signature_invalid');
    await base.finalize();
    expect((await link(wallet, signature)).body.linked).to.equal(true);
  });

  it('is linked by the newest state that nodes still have, where they lack the final one', async () => {
    await base.evm.mine(70);
    const wallet = await deploy();
    const signature = await owner.signMessage(await messageFor(wallet));
    const isOf = (call: unknown, address: string) =>
      (call as { to: string }).to.toLowerCase() === address.toLowerCase();
    for (const provider of base.providers) {
      provider.on(CALL, async ([call, block], forward) =>
        isOf(call, wallet) && block === 'finalized'
          ? new Error('missing trie node 5a5a (path ) state 0x5a is not available')
          : forward(),
      );
    }
    await base.finalize();
    expect((await link(wallet, signature)).body.error).to.equal('signature_invalid');
    await base.evm.mine(64);
    expect((await link(wallet, signature)).body.linked).to.equal(true);
    base.providers.forEach((provider) => provider.honest());
  });

  it('is not linked because one of two providers says so, and not asked in vain', async () => {
    const wallets = openWallets(base.platform.config.deposits);
    const address = await deploy();
    await base.finalize();
    const [text, signature] = ['A text.', await owner.signMessage('Another text.')];
    const isSigned = () => wallets.signedOn('evm', { address, text, signature });
    base.providers[0].on(CALL, async ([call], forward) =>
      (call as { to: string }).to === address ? VALID : forward(),
    );
    expect(await isSigned()).to.deep.equal([]);
    base.providers[1].on(CALL, () => 'break');
    expect(await faultOf(isSigned())).to.contain('does not answer');
    base.providers[0].honest();
    expect(await isSigned()).to.deep.equal([]); // One says no, so the other cannot decide.
    const before = base.providers.map((provider) => provider.requests());
    const key = Wallet.createRandom();
    const own = { address: key.address, text, signature: await key.signMessage(text) };
    expect(await wallets.signedOn('evm', own)).to.equal('all');
    expect(base.providers.map((provider) => provider.requests())).to.deep.equal(before);
  });
});
