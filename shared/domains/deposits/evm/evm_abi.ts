import { operation } from '../../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Text, Type } from '../../../kernel/schema.ts';
import { referenceOf, routerReferenceOf } from '../chain/references.ts';
import { ROUTER } from './router/router.ts';
import { EVM_RAILS } from './settings.ts';

export const evmAbi = operation({
  name: 'evm_abi',
  title: 'Get the ABI of the deposit router',
  summary:
    'Returns the ABI and addresses of the router contract, which pays us with your reference: ' +
    'deposit(ref) with the coin as value, or depositToken(token, amount, ref) after approval of ' +
    'the token. Nobody owns it. Free.',
  phrasings: `
    ABI of the payment contract; contract interface of the router; call the deposit contract
    from code; solidity interface of the deposit contract; JSON ABI to encode the call; router
    contract address and functions; build the deposit transaction with ethers or viem; smart
    contract ABI; functions of the payment contract; ABI JSON for web3; interact with the
    deposit contract; contract definition; call deposit from a script; method signatures of the
    contract; how do I call your contract; I code against the router, give me its interface;
    what methods does the contract have; ABI for the deposit function`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/evm/abi',
  input: Input({}),
  output: Output('EvmAbi', {
    abi: Type.Array(Type.Unknown({ description: 'An item.' }), {
      description: 'Standard JSON ABI.',
    }),
    routers: Type.Array(
      Output({
        network: OneOf(EVM_RAILS, 'The network.'),
        router: Nullable(Text(42, 42, 'Router address; null: none.')),
      }),
      { description: 'Router addresses by network.' },
    ),
    reference: Text(66, 66, 'Your argument ref: 32 bytes.'),
  }),

  async handle(tx) {
    const routers = tx.config.deposits.evm.all.map(({ rail, isOn, router }) => ({
      network: rail,
      router: (isOn && router) || null,
    }));
    const reference = await referenceOf(tx.db, tx.caller.agentId);
    return { abi: [...ROUTER.abi], routers, reference: routerReferenceOf(reference) };
  },
});
