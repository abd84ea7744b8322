// test:all: money is swept from a chain of its own, which is a tool of the operator.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { HDNodeWallet, Wallet } from 'ethers';

import { sweep } from '../../local/sweep/sweep.ts';
import { audit } from '../../shared/composition/audit.ts';
import { newAddress } from '../deposits/evm/payer.ts';
import { openFaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { openBasePlatform, type BasePlatform } from '../deposits/evm/platform.ts';

const { phrase } = Wallet.createRandom().mnemonic!;
const PARENT = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0");
const ETH = 10n ** 18n;

interface Paid {
  readonly id: number;
  readonly key: string;
  readonly address: string;
}

describe('npm run sweep', function () {
  this.timeout(60_000);
  let base: BasePlatform;
  let folder: string;
  let lines: string[] = [];
  const gasWallet = Wallet.createRandom();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sweep-'));
    base = await openBasePlatform({
      EVM_DEPOSIT_XPUB: PARENT.neuter().extendedKey,
      EVM_OWN_ADDRESSES: gasWallet.address,
    });
    await base.evm.fund(gasWallet.address, ETH);
  });
  beforeEach(() => (lines = []));
  after(async () => {
    rmSync(folder, { recursive: true });
    await base.close();
  });

  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const run = (to: string, more: string[] = [], env: Record<string, string> = {}) =>
    sweep(
      ['base', '--to', to, '--key', fileOf('words', phrase), ...more],
      {
        ...base.env,
        EVM_OWN_ADDRESSES: gasWallet.address,
        DATABASE_URL: base.platform.config.databaseUrl,
        ...env,
      },
      (line) => void lines.push(line),
    );
  const gas = () => ['--gas-key', fileOf('gas', gasWallet.privateKey)];
  /** An agent that was paid at its own address. */
  const paid = async ({ usdc = 0n, wei = 0n }): Promise<Paid> => {
    const agent = await base.platform.agent();
    const { body } = await base.platform.request('GET /api/v1/evm/info', { key: agent.key });
    const { address } = body.networks[0];
    if (usdc > 0n) await base.usdc(address, usdc);
    if (wei > 0n) await base.coin(address, wei);
    return { ...agent, address };
  };
  const coinOf = async (address: string): Promise<bigint> =>
    BigInt((await base.evm.send('eth_getBalance', [address, 'latest'])) as string);
  const refusal = async (ran: Promise<void>): Promise<string> =>
    ran.then(
      () => 'it was not refused',
      (error: Error) => error.message,
    );

  it('says what it would send, then sends it once, and credits nobody with gas', async () => {
    const to = newAddress();
    const agents = [
      await paid({ usdc: 4_000_000n }),
      await paid({ usdc: 5_000_000n, wei: ETH / 10n }),
      await paid({ wei: ETH / 20n }),
      await paid({ usdc: 999_999n, wei: ETH / 2_000n }),
    ];
    const [poor, rich, coins, few] = agents as [Paid, Paid, Paid, Paid];
    await run(to, gas());
    const text = lines.join('\n');
    expect(text).to.contain(`agent ${poor.id}  ${poor.address}  4.0 USDC; it needs 0.`);
    expect(text).to.match(new RegExp(`agent ${rich.id}  ${rich.address}  5.0 USDC, about 0.09`));
    expect(text).to.match(new RegExp(`agent ${coins.id}  ${coins.address}  about 0.04`));
    expect(text).to.not.contain(few.address);
    expect(text).to.contain('total    9.0 USDC, about 0.1').and.contain('at 3 of 4 addresses');
    expect(text).to.contain('Nothing was sent');
    expect([await base.evm.balanceOf(to), await coinOf(to)]).to.deep.equal([0n, 0n]);

    await run(to, [...gas(), '--send']);
    expect(await base.evm.balanceOf(to)).to.equal(9_000_000n);
    expect(Number(await coinOf(to)) / 1e18).to.be.within(0.149, 0.15);
    for (const { address } of [poor, rich]) {
      expect(await base.evm.balanceOf(address)).to.equal(0n);
    }
    expect(await base.evm.balanceOf(few.address)).to.equal(999_999n);
    const [tokens, coin] = [await base.evm.balanceOf(to), await coinOf(to)];
    const [, tx_hash] = /for gas: (0x[\da-f]{64})/.exec(lines.join('\n'))!;
    lines = [];
    await run(to, [...gas(), '--send']);
    expect(lines.at(-1)).to.contain('total    nothing at 0 of 4 addresses');
    expect([await base.evm.balanceOf(to), await coinOf(to)]).to.deep.equal([tokens, coin]);

    await base.finalize();
    const verified = await base.platform.request('POST /api/v1/evm/verify?wait=20', {
      key: poor.key,
      body: { tx_hash },
    });
    expect(verified.body.error).to.equal('deposit_invalid');
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });

  it('sends nothing where a key, an address or the network is not the right one', async () => {
    const agent = await paid({ usdc: 7_000_000n });
    const to = newAddress();
    const open = fileOf('open', phrase);
    chmodSync(open, 0o644);
    const secret = 'abandon '.repeat(11) + 'about';
    const strange = fileOf('strange', Wallet.createRandom().privateKey);
    const key = (text: string) => ['--key', fileOf('other', text)];
    for (const [ran, why] of [
      [() => run(to, [...key(secret), '--send']), 'it does not give address'],
      [() => run(to, [...key('no words at all'), '--send']), 'neither an extended private key'],
      [() => run(to, [...key(PARENT.neuter().extendedKey), '--send']), 'neither an extended'],
      [() => run(to, ['--key', open, '--send']), 'chmod 600'],
      [() => run(to, ['--key', join(folder, 'none'), '--send']), 'cannot be read'],
      [() => run(to, ['--gas-key', strange, '--send']), 'would be credited to them'],
      [() => run(base.recipient, ['--send']), 'takes payments here'],
      [() => run(agent.address, ['--send']), 'deposit address of an agent'],
      [() => run('0x12', ['--send']), 'no address'],
      [() => run(to, ['--send'], { BASE_CHAIN_ID: '10' }), 'is of chain 8453, not 10'],
      [() => run(to, ['--send'], { SANDBOX: 'false' }), 'another first block'],
      [() => run(to, ['--least-token', 'all', '--send']), 'no amount'],
      [() => run(to, ['--sent']), 'npm run sweep'],
    ] as const) {
      const said = await refusal(ran());
      expect(said).to.contain(why);
      expect(said).to.not.contain('abandon').and.not.contain(phrase);
    }
    lines = [];
    await run(to, ['--send']);
    expect(lines.at(-1)).to.equal(`agent ${agent.id}  left: it has no gas; give --gas-key`);
    expect(await base.evm.balanceOf(agent.address)).to.equal(7_000_000n);
    expect(await base.evm.balanceOf(to)).to.equal(0n);
  });

  it('believes nothing that fewer providers than the quorum say', async () => {
    const agent = await paid({ wei: ETH });
    const to = newAddress();
    const [one, other] = base.providers;
    const liar = await openFaultyRpc(base.evm.url);
    const rpc = { BASE_RPC_URLS: [one, other, liar].map(({ url }) => url).join(' ') };
    liar.on('eth_getBalance', () => Promise.resolve('0xd3c21bcecceda1000000'));
    liar.on('eth_maxPriorityFeePerGas', () => Promise.resolve('0x38d7ea4c68000'));
    liar.on('eth_sendRawTransaction', () => Promise.resolve(`0x${'1'.repeat(64)}`));
    liar.on('eth_getTransactionReceipt', () => Promise.resolve({ status: '0x0' }));
    const only = ['--addresses', fileOf('one', `${agent.id} ${agent.address}`)];
    await run(to, only, { ...rpc, RPC_QUORUM: '2' });
    expect(lines.join('\n')).to.match(/total {4}about 0\.999/);
    other.on('eth_getBalance', () => 'break');
    const said = await refusal(run(to, [...only, '--send'], { ...rpc, RPC_QUORUM: '3' }));
    expect(said).to.contain('3 providers have to answer').and.contain(new URL(other.url).host);
    expect(await coinOf(to)).to.equal(0n);
    other.honest();
    await run(to, [...only, '--send'], { ...rpc, RPC_QUORUM: '2' });
    expect(Number(await coinOf(to)) / 1e18).to.be.within(0.999, 1);
    liar.close();
  });

  it('takes the addresses from a file, and the parent as its extended private key', async () => {
    const agent = await paid({ wei: ETH });
    const to = newAddress();
    const addresses = fileOf('addresses', `${agent.id} ${agent.address}\n`);
    const key = fileOf('xprv', PARENT.extendedKey);
    await run(to, ['--addresses', addresses, '--key', key, '--send'], { DATABASE_URL: 'none' });
    expect(Number(await coinOf(to)) / 1e18).to.be.within(0.999, 1);
    const broken = fileOf('broken', '12 0x34');
    expect(await refusal(run(to, ['--addresses', broken]))).to.contain('no index and address');
  });
});
