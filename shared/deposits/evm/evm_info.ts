import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Text, Type } from '../../kernel/schema.ts';
import { CHAINS } from '../chain/networks.ts';
import { keepOwnAddress, ownAddress } from '../wallets/own_address.ts';
import { referenceOf, routerReferenceOf } from '../chain/references.ts';
import { EVM_RAILS, type EvmChain } from './settings.ts';

const FAMILY = 'evm';

const EvmDeposit = Output('EvmDeposit', {
  network: OneOf(EVM_RAILS, 'The network.'),
  chain_id: Type.Integer({ description: 'Its number.' }),
  wallet_ready: Type.Boolean({ description: 'Deposits are taken there.' }),
  sandbox: Type.Boolean({ description: 'It is without value.' }),
  address: Nullable(Text(42, 42, 'Where to pay.')),
  own: Type.Boolean({
    description: 'The address is yours alone, for payments from any wallet.',
  }),
  router: Nullable(Text(42, 42, 'The contract to pay with your reference.')),
  assets: Type.Array(
    Output({
      asset: Text(1, 20, 'Its sign.'),
      contract: Nullable(Text(42, 42, 'null: the coin of the network.')),
      decimals: Type.Integer({ description: 'Of its base unit.' }),
    }),
    { description: 'What is taken; all else is lost.' },
  ),
});

export const evmInfo = operation({
  name: 'evm_info',
  title: 'See how to pay in on EVM networks',
  summary:
    'Says where to pay in ETH and USDC on Base, Arbitrum and Ethereum, and your reference. Yours is ' +
    'what is paid to an address of your own, by the router with your reference, or from a wallet ' +
    'that you have linked. No fee.',
  access: 'read',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  rest: 'GET /api/v1/evm/info',
  core: true,
  idempotent: true,
  input: Input({}),
  output: Output('EvmInfo', {
    networks: Type.Array(EvmDeposit, { description: 'All of them.' }),
    reference: Text(66, 66, 'Names you in a payment by a router: 32 bytes.'),
    min_amount: Amount('The least that is credited.'),
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
    assets: CHAINS[rail].assets.map(({ sign, decimals }) => ({
      asset: sign,
      contract: contracts.get(sign) ?? null,
      decimals,
    })),
  };
}
