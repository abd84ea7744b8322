import { operation } from '../../kernel/operation.ts';
import { Input, Output, Text } from '../../kernel/schema.ts';
import { charge } from '../../wallet/charge.ts';

export const sellConnection = operation({
  name: 'sell_connection',
  title: 'Sell a connection',
  summary:
    'Internal: charges for one connection of the SOCKS5 door that has reached its target, once, ' +
    'however often it is repeated.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  input: Input({}),
  output: Output({ charge_id: Text(1, 20, 'The charge.') }),

  /** Who repeats it, because nobody knows what became of the first time, finds that charge. */
  async handle(tx) {
    const [made] = await tx.db.query('select id from charge where call_id = $1', [tx.key]);
    const { id } = made ?? (await charge(tx, { service: 'proxy', units: 1 }));
    return { charge_id: id as string };
  },
});
