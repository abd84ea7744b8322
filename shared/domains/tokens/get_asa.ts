import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { AsaView, asaViewOf, ownToken } from './token.ts';

export const getAsa = operation({
  name: 'get_asa',
  title: 'Get a token',
  summary: 'Shows one fungible asset of yours, and whether it is on Algorand yet. Free.',
  phrasings: `
    was my token or coin created; status of one asset on Algorand; asset id of my token; asset
    id after issuing; has my ASA been deployed; check the fungible token I created; lookup of
    one token I issued; did my token deploy; token status; is my coin live; look up token id;
    on-chain id of my asset; check deployment of asset; has my coin been made; what is the id of
    my token; where is the token I issued; is my token deployed`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/asa/:asset_id',
  refusals: ['not_found'],
  input: Input({ asset_id: Id('The asset. From issue_asa.') }),
  output: AsaView,

  handle: async (tx, { asset_id: id }) => asaViewOf(await ownToken(tx, { id, kind: 'asa' })),
});
