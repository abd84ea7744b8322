import { operation } from '../kernel/operation.ts';
import { Input, invalid, Text, Type } from '../kernel/schema.ts';
import { ShownLine } from '../kernel/text.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { beginToken } from './begin_token.ts';
import { AsaView, asaViewOf, Supply, SUPPLY_MAX } from './token.ts';
import { boundedOf } from './token_texts.ts';

const NAME_BYTES_MAX = 32;
const UNIT_NAME_BYTES_MAX = 8;

export const issueAsa = operation({
  name: 'issue_asa',
  title: 'Issue a token',
  summary:
    'Issues a fungible asset (ASA) on Algorand, whose whole supply is in the wallet of the ' +
    'marketplace. Nobody can freeze it, claw it back or change it. Takes a fee from the wallet, ' +
    '$1 unless this marketplace has set another, and gives it back if it fails. Send an ' +
    'idempotency key to issue once however often you repeat the call.',
  access: 'sell',
  mode: 'job',
  domain: 'tokens',
  queue: 'money',
  rest: 'POST /api/v1/asa',
  core: true,
  destructive: true,
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    name: ShownLine(Text(1, NAME_BYTES_MAX, 'Up to 32 bytes of UTF-8.')),
    unit_name: ShownLine(Text(1, UNIT_NAME_BYTES_MAX, 'A short name, up to 8 bytes.')),
    total_supply: Supply(
      'How many of its smallest units there are: 1 to 2^64 - 1; as text above 2^53 - 1.',
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description: 'How many decimals a whole unit has; 0 if absent.',
      }),
    ),
  }),
  output: AsaView,

  async handle(tx, { name, unit_name, total_supply, decimals = 0 }) {
    const totalSupply = BigInt(total_supply);
    if (totalSupply > SUPPLY_MAX) {
      throw invalid([{ pointer: '/total_supply', message: 'must be at most 2^64 - 1' }]);
    }
    const token = await beginToken(tx, {
      kind: 'asa',
      name: boundedOf('/name', name, NAME_BYTES_MAX),
      unitName: boundedOf('/unit_name', unit_name, UNIT_NAME_BYTES_MAX),
      totalSupply,
      decimals,
    });
    return asaViewOf(token);
  },
});
