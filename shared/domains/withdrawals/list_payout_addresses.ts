import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { rows } from '../../platform/rows.ts';

const ADDRESSES_MAX = 100;

const ADDRESS = view({
  address: field.text('Address on Base.'),
  withdrawals: field.whole('Withdrawals to it, of the newest 1000.'),
  usable_from: field.time('Not paid before this: the first withdrawal to it waits.'),
  created_at: field.time('Time of the first withdrawal to it.'),
});

export const listPayoutAddresses = operation({
  name: 'list_payout_addresses',
  title: 'List payout addresses',
  summary:
    'Lists the addresses that you have withdrawn to, last used first, and the time after which ' +
    'each can be paid. Free.',
  phrasings: `
    addresses that I was paid out to; known or saved payout addresses; where do my withdrawals
    go; wallets I have cashed out to; when can the new address be paid; approved destinations;
    my payout addresses; saved addresses; addresses for withdrawals; where can I withdraw to;
    which wallets get my payouts; which address did I use last time; addresses I can be paid to;
    where did you send my money; my destinations`,
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/wallet/payout-addresses',
  input: Input({}),
  output: Output('PayoutAddresses', {
    addresses: Type.Array(ADDRESS.schema, {
      maxItems: ADDRESSES_MAX,
      description: `The newest ${ADDRESSES_MAX} addresses at most.`,
    }),
  }),

  async handle({ db, config, caller }) {
    const found = await rows(
      db,
      ADDRESS.columns,
      `select a.address, a.usable_from, a.created_at, coalesce(used.count, 0)::int as withdrawals
         from payout_address a
         left join (select address, count(*) as count, max(id) as last
                      from (select id, address from withdrawal
                             where root_id = $1 and chain_id = $2 order by id desc limit 1000) w
                     group by address) used on used.address = a.address
        where a.root_id = $1 and a.chain_id = $2
        order by used.last desc nulls last, a.created_at desc limit ${ADDRESSES_MAX}`,
      [caller.rootId, config.withdrawals.base.chainId],
    );
    return { addresses: found.map(ADDRESS.show) };
  },
});
