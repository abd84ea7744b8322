import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text } from '../../../kernel/schema.ts';
import { column, rows } from '../../../platform/rows.ts';
import { charge } from '../../wallet/charge.ts';

export const sellConnection = operation({
  name: 'sell_connection',
  title: 'Sell a connection',
  summary:
    'Internal: charges for one connection of the SOCKS5 server that has reached its target, once ' +
    'even if repeated.',
  access: 'any',
  mode: 'write',
  input: Input({}),
  output: Output({ charge_id: Text(1, 20, 'The charge.') }),

  /** A repeat, after a call with an unknown outcome, finds the charge of that call. */
  async handle(tx) {
    const [made] = await rows(
      tx.db,
      { id: column.id },
      'select id from charge where call_id = $1',
      [tx.key],
    );
    const { id } = made ?? (await charge(tx, { service: 'proxy', units: 1 }));
    return { charge_id: String(id) };
  },
});
