import { operation } from '../../kernel/operation.ts';
import { Input, invalid, Text, Type } from '../../kernel/schema.ts';
import { ExactLine } from '../../kernel/text.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { beginToken } from './begin_token.ts';
import { AsaView, asaViewOf, Supply, SUPPLY_MAX } from './token.ts';
import { boundedOf, ownNameOf } from './token_texts.ts';

const NAME_BYTES_MAX = 32;
const UNIT_NAME_BYTES_MAX = 8;

export const issueAsa = operation({
  name: 'issue_asa',
  title: 'Issue a token',
  summary:
    'Issues a fungible asset (ASA) on Algorand, whose whole supply is in the wallet of the ' +
    'marketplace. Nobody can freeze it, claw it back or change it. For a unique token, use ' +
    'mint_nft. Takes a fee from the wallet, $1 unless this marketplace sets another, and ' +
    'refunds it on failure. Send an idempotency key so that a repeat issues nothing.',
  phrasings: `
    create my own coin on Algorand; launch a token, currency or asset; issue fungible tokens,
    mint a coin; loyalty points on chain for my customers; mint an Algorand standard asset;
    create a fungible token with a supply and decimals; my own stablecoin or reward token;
    launch a meme coin on Algorand; tokenise something, one million units; make my own token;
    new cryptocurrency; mint a fungible coin with supply and symbol; deploy token contract;
    create asset with unit name; tokens for my community; start a coin; produce ten million
    tokens; create currency for my game; ticker symbol and decimals; I want my own currency;
    make a token for my fans; put a new coin on chain; set up a token with a fixed supply; bring
    out a utility token; create five million units of a coin`,
  access: 'sell',
  mode: 'job',
  queue: 'money',
  rest: 'POST /api/v1/asa',
  effects: { destructive: true, takes: 'fee' },
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    name: ExactLine(Text(1, NAME_BYTES_MAX, 'Up to 32 bytes of UTF-8.')),
    unit_name: ExactLine(Text(1, UNIT_NAME_BYTES_MAX, 'A short name, up to 8 bytes.')),
    total_supply: Supply('Number of smallest units: 1 to 2^64 - 1; as text above 2^53 - 1.'),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description: 'Decimals of a whole unit; 0 if absent.',
      }),
    ),
  }),
  defaults: { decimals: 0 },
  output: AsaView,

  async handle(tx, { name, unit_name, total_supply, decimals = 0 }) {
    const totalSupply = BigInt(total_supply);
    if (totalSupply > SUPPLY_MAX) {
      throw invalid([{ pointer: '/total_supply', message: 'must be at most 2^64 - 1' }]);
    }
    const token = await beginToken(tx, {
      kind: 'asa',
      name: ownNameOf('/name', boundedOf('/name', name, NAME_BYTES_MAX)),
      unitName: ownNameOf('/unit_name', boundedOf('/unit_name', unit_name, UNIT_NAME_BYTES_MAX)),
      totalSupply,
      decimals,
    });
    return asaViewOf(token);
  },
});
