import { Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { newPassword } from '../../../local/stored_values.ts';
import { GENESIS_HASH } from '../../../sandbox/algorand/genesis.ts';
import { usdcContract } from '../../../sandbox/evm/anvil.ts';
import { startPrices, type PriceServer } from '../../../sandbox/prices/prices.ts';
import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { openFaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openFaultyIndexer } from '../algorand/faulty_indexer.ts';
import { openPaidAlgorand } from '../algorand/platform.ts';
import { openPaying } from '../evm/payer.ts';
import { openLimitedRpc, PLANS } from '../providers/limited_rpc.ts';
import { openPaidSolana } from '../solana/platform.ts';
import { SOL, sol } from '../solana/rig.ts';
import { openPaidTron } from '../tron/platform.ts';

/** Public facts about the networks, by which they are known. */
const FIRST_BLOCKS = {
  base: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
  arbitrum: '0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442',
  ethereum: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  tron: '0x00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
};
const SOLANA_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const ALGORAND_GENESIS = 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=';
const ETHEREUM_USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
/** The public key of a phrase that nobody keeps money with. */
const XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a rail in production, from the settings of its page alone', () => {
  let prices: PriceServer;
  before(async () => {
    prices = await startPrices();
  });
  after(() => prices.close());

  /** Opens with the settings that the pages of the rails say, and servers of prices beside them. */
  const open = (env: Record<string, string>) =>
    TestPlatform.open({
      env: {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://market.example.org',
        OPERATOR_TOKEN: newPassword(),
        PASSWORD_MEMORY_KIB: '19456',
        PRICE_SOURCES: prices.sources,
        EGRESS_ALLOW: new URL(prices.url).host,
        ...env,
      },
    });
  /** Searches until all networks have been, and then until the agent has so much. */
  const search = (platform: TestPlatform, isSo: () => Promise<boolean>) =>
    eventually(async () => {
      await runTimer(platform, 'watch_chains');
      return isSo();
    }, Boolean);
  const begin = (platform: TestPlatform, networks: number) =>
    search(platform, async () => {
      const sql = 'select from chain_cursor where position is not null';
      return (await platform.query(sql)).length === networks;
    });
  const get = async (platform: TestPlatform, path: string, { key }: Agent) =>
    (await platform.request(`GET /api/v1/${path}`, { key })).body;
  const cashOf = async (platform: TestPlatform, agent: Agent): Promise<number> =>
    (await get(platform, 'wallet', agent)).cash;
  /** The deposits that were credited, as `base 3 ETH`; all are on the real network. */
  const credited = async (platform: TestPlatform, agent: Agent) => {
    const { deposits } = await get(platform, 'wallet/deposits', agent);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    return deposits
      .map((one: Record<string, string>) => `${one.network} ${one.usd} ${one.asset}`)
      .toSorted();
  };

  it('Base, Arbitrum and Ethereum: by addresses of agents, at providers with small plans', async () => {
    const chains = {
      base: await openPaying(8_453),
      arbitrum: await openPaying(42_161),
      ethereum: await openPaying(1),
    };
    const plans = {
      base: 'batches of 3',
      arbitrum: 'logs of 5 blocks',
      ethereum: 'logs of 10 blocks',
    };
    const doubles = await Promise.all(
      (['base', 'arbitrum', 'ethereum'] as const).map((rail) =>
        openLimitedRpc(chains[rail].evm.url, {
          ...PLANS[plans[rail]],
          firstBlock: FIRST_BLOCKS[rail],
        }),
      ),
    );
    const [base, arbitrum, ethereum] = doubles.map(({ url }) => url) as [string, string, string];
    const platform = await open({
      BASE_RPC_URLS: base,
      ARBITRUM_RPC_URLS: arbitrum,
      ETHEREUM_RPC_URLS: ethereum,
      EVM_DEPOSIT_XPUB: XPUB,
      RPC_QUORUM: '1',
    });
    await begin(platform, 3);
    const agent = await platform.agent();
    const { networks } = (
      await platform.request('GET /api/v1/evm/info?wait=20', { key: agent.key })
    ).body;
    expect(networks.every((one: { sandbox: boolean }) => !one.sandbox)).to.equal(true);
    const own: string = networks[0].address;
    await chains.base.coin(own, 10n ** 15n);
    await chains.base.usdc(own, 2_000_000n);
    await chains.arbitrum.coin(own, 2n * 10n ** 15n);
    const { evm } = chains.ethereum;
    await evm.send('anvil_setCode', [ETHEREUM_USDC, usdcContract().deployed]);
    const word = (value: string) => value.replace(/^0x/, '').toLowerCase().padStart(64, '0');
    await chains.ethereum.call(
      ETHEREUM_USDC,
      `0x40c10f19${word(own)}${word((4_000_000).toString(16))}`,
    );
    for (const chain of Object.values(chains)) await chain.finalize();
    await search(platform, async () => (await cashOf(platform, agent)) === 3 + 2 + 6 + 4);
    expect(await credited(platform, agent)).to.deep.equal([
      'arbitrum 6 ETH',
      'base 2 USDC',
      'base 3 ETH',
      'ethereum 4 USDC',
    ]);
    await platform.close();
    for (const double of doubles) double.close();
    for (const chain of Object.values(chains)) await chain.close();
  });

  it('Solana: by the memo', async () => {
    const solana = await openPaidSolana();
    const double = await openFaultyRpc(solana.rig.node.url);
    double.on('getGenesisHash', async () => SOLANA_GENESIS);
    const platform = await open({
      SOLANA_RPC_URLS: double.url,
      SOLANA_DEPOSIT_ADDRESS: solana.treasury.toBase58(),
    });
    const { rig, treasury } = solana;
    rig.node.advance(FINAL_AFTER);
    await begin(platform, 1);
    const agent = await platform.agent();
    const info = await get(platform, 'solana/info', agent);
    const paid = new Transaction({
      feePayer: rig.payer.publicKey,
      ...rig.node.chain.slots.latest(),
    });
    paid.add(sol(rig.payer, treasury, SOL / 1_000n), memo(info.memo)).sign(rig.payer);
    rig.node.chain.send(paid.serialize(), { skipPreflight: true });
    rig.node.advance(FINAL_AFTER);
    await search(platform, async () => (await cashOf(platform, agent)) > 0);
    expect(await credited(platform, agent)).to.deep.equal(['mainnet-beta 0.15 SOL']);
    await platform.close();
    double.close();
    await solana.close();
  });

  it('Algorand: by the note', async () => {
    const algorand = await openPaidAlgorand();
    const double = await openFaultyIndexer(algorand.env.ALGO_INDEXER_URLS!);
    const own = GENESIS_HASH.toString('base64');
    double.on(
      /./,
      (answer) => answer && JSON.parse(JSON.stringify(answer).replaceAll(own, ALGORAND_GENESIS)),
    );
    const platform = await open({
      ALGO_INDEXER_URLS: double.url,
      ALGO_DEPOSIT_ADDRESS: algorand.ours.addr.toString(),
    });
    await begin(platform, 1);
    const agent = await platform.agent();
    const { body } = await platform.request('POST /api/v1/algo/deposit', {
      key: agent.key,
      body: {},
    });
    expect(body.network).to.equal('mainnet');
    await algorand.pay({ amount: 5_000_000, note: body.note });
    await search(platform, async () => (await cashOf(platform, agent)) > 0);
    expect(await credited(platform, agent)).to.deep.equal(['mainnet 1 ALGO']);
    await platform.close();
    double.close();
    await algorand.close();
  });

  it('Tron: by an address of the agent', async () => {
    const tron = await openPaidTron();
    const double = await openFaultyRpc(tron.node.url);
    double.on('eth_getBlockByNumber', async ([block], forward) => {
      const found = (await forward()) as object;
      return block === '0x0' ? { ...found, hash: FIRST_BLOCKS.tron } : found;
    });
    const platform = await open({ TRON_RPC_URLS: double.url, TRON_DEPOSIT_XPUB: XPUB });
    await begin(platform, 1);
    const agent = await platform.agent();
    const info = (await platform.request('GET /api/v1/tron/info?wait=20', { key: agent.key })).body;
    await tron.usdt(info.networks[0].address, 7_000_000n);
    await tron.paying.finalize();
    await search(platform, async () => (await cashOf(platform, agent)) > 0);
    expect(await credited(platform, agent)).to.deep.equal(['tron 7 USDT']);
    await platform.close();
    double.close();
    await tron.close();
  });
});
