import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Text, Type } from '../../../kernel/schema.ts';
import { CHAINS } from '../chain/networks.ts';
import { keepOwnAddress, ownAddress } from '../wallets/own_address.ts';
import { referenceOf, routerReferenceOf } from '../chain/references.ts';
import { EVM_RAILS, type EvmChain } from './settings.ts';

const FAMILY = 'evm';

const EvmDeposit = Output('EvmDeposit', {
  network: OneOf(EVM_RAILS, 'The network.'),
  chain_id: Type.Integer({ description: 'Chain id.' }),
  wallet_ready: Type.Boolean({ description: 'Deposits are accepted.' }),
  sandbox: Type.Boolean({ description: 'Network with test money.' }),
  address: Nullable(Text(42, 42, 'Address to pay to.')),
  own: Type.Boolean({
    description: 'The address is yours alone; any wallet may pay.',
  }),
  router: Nullable(Text(42, 42, 'Contract to pay with your reference.')),
  coin_found: Type.Boolean({
    description: 'Plain ETH needs no evm_verify.',
  }),
  assets: Type.Array(
    Output({
      asset: Text(1, 20, 'Symbol of the asset.'),
      contract: Nullable(Text(42, 42, 'Contract; null: the network’s coin.')),
      decimals: Type.Integer({ description: 'Decimals of its base unit.' }),
    }),
    { description: 'Accepted assets; any other is lost.' },
  ),
});

export const evmInfo = operation({
  name: 'evm_info',
  title: 'Show how to pay on EVM networks',
  summary:
    'Shows where to pay ETH and USDC on Base, Arbitrum and Ethereum, and your reference. You are ' +
    'credited for payments to your own address, through the router with your reference, or from ' +
    'a wallet that you have linked. No fee.',
  phrasings: `
    how to pay with ETH or USDC; deposit address on Ethereum, Base or Arbitrum; where do I send
    ether; chains and tokens accepted; which Ethereum-type networks can I pay from; contract and
    recipient for Base; chain ids and token addresses; fund with USDC on Arbitrum; pay in from
    MetaMask; address for an ERC20 deposit; L2 networks supported; pay with Ethereum; how do I
    deposit ETH; USDC on Base address; send crypto by MetaMask to which address; Arbitrum or
    Base supported; payment details for EVM; Ethereum deposit instructions; chain id of Base;
    gas and minimum for ETH payments; receive address for ether; can I use ETH here; where can I
    send ETH or USDC; I hold ether and want to use it; which of the Ethereum networks work;
    facts about paying with EVM coins; can I pay from Arbitrum`,
  access: 'read',
  mode: 'job',
  queue: 'network',
  rest: 'GET /api/v1/evm/info',
  effects: { idempotent: true },
  input: Input({}),
  output: Output('EvmInfo', {
    networks: Type.Array(EvmDeposit, { description: 'All EVM networks.' }),
    reference: Text(66, 66, 'Your 32-byte reference for the router.'),
    min_amount: Amount('Minimum value that is credited.'),
  }),

  ...ownAddress(FAMILY),

  async handle(tx, _input, own) {
    const { evm, chainMin } = tx.config.deposits;
    if (own) await keepOwnAddress(tx.db, { family: FAMILY, address: own }, tx.caller);
    const reference = routerReferenceOf(await referenceOf(tx.db, tx.caller.agentId));
    const networks = evm.all.map((network) => viewOf(network, own));
    return { networks, reference, min_amount: chainMin };
  },
});

function viewOf({ rail, chainId, isOn, isSandbox, ...network }: EvmChain, own?: string) {
  const contracts = new Map([...network.tokens].map(([contract, sign]) => [sign, contract]));
  return {
    network: rail,
    chain_id: chainId,
    wallet_ready: isOn,
    sandbox: isSandbox,
    address: isOn ? (own ?? network.address ?? null) : null,
    own: isOn && own !== undefined,
    router: (isOn && network.router) || null,
    coin_found: isOn && network.coin !== undefined,
    assets: CHAINS[rail].assets.map(({ sign, decimals }) => ({
      asset: sign,
      contract: contracts.get(sign) ?? null,
      decimals,
    })),
  };
}
