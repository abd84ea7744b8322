import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Text, Type } from '../../kernel/schema.ts';
import { referenceOf, routerReferenceOf } from '../chain/references.ts';
import { ROUTER } from './router/router.ts';
import { EVM_RAILS } from './settings.ts';

export const evmAbi = operation({
  name: 'evm_abi',
  title: 'Get the ABI of the deposit router',
  summary:
    'Answers the ABI of the contract that pays us with your reference, and where it is: ' +
    'deposit(ref) with the coin as value, or depositToken(token, amount, ref) after the token is ' +
    'approved. Nobody owns it. It is free.',
  access: 'read',
  mode: 'read',
  domain: 'deposits',
  rest: 'GET /api/v1/evm/abi',
  core: true,
  input: Input({}),
  output: Output('EvmAbi', {
    abi: Type.Array(Type.Unknown({ description: 'Of it.' }), {
      description: 'As compilers write it.',
    }),
    routers: Type.Array(
      Output({
        network: OneOf(EVM_RAILS, 'The network.'),
        router: Nullable(Text(42, 42, 'Its address; null: there is none.')),
      }),
      { description: 'Where it is.' },
    ),
    reference: Text(66, 66, 'Your own, as the argument ref: 32 bytes.'),
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
