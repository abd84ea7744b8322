import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { AsaView, asaViewOf, ownToken } from './token.ts';

export const getAsa = operation({
  name: 'get_asa',
  title: 'Get a token',
  summary: 'Shows one fungible asset of yours, and whether it is on Algorand yet. Free.',
  access: 'sell',
  mode: 'read',
  domain: 'tokens',
  rest: 'GET /api/v1/asa/:asset_id',
  refusals: ['not_found'],
  input: Input({ asset_id: Id('The asset here. issue_asa answers it.') }),
  output: AsaView,

  handle: async (tx, { asset_id: id }) => asaViewOf(await ownToken(tx, { id, kind: 'asa' })),
});
