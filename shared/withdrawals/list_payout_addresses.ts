import { operation } from '../kernel/operation.ts';
import { Input, Output, Time, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';

const ADDRESSES_MAX = 100;

export const listPayoutAddresses = operation({
  name: 'list_payout_addresses',
  title: 'List payout addresses',
  summary:
    'Lists the addresses that you have withdrawn to, the last used first, and from when on each ' +
    'may be paid to. Free.',
  access: 'owner',
  mode: 'read',
  domain: 'withdrawals',
  rest: 'GET /api/v1/wallet/payout-addresses',
  input: Input({}),
  output: Output('PayoutAddresses', {
    addresses: Type.Array(
      Output({
        address: Type.String({ description: 'On Base.' }),
        usable_from: Time('Not paid to before: the first withdrawal to it waits.'),
        withdrawals: Type.Integer({ description: 'How many were made to it, of the newest 1000.' }),
        created_at: Time('When it was first named.'),
      }),
      { maxItems: ADDRESSES_MAX, description: `The newest ${ADDRESSES_MAX} at most.` },
    ),
  }),

  async handle({ db, config, caller }) {
    const found = await rows(
      db,
      ADDRESS,
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
    return {
      addresses: found.map(({ usable_from, created_at, ...one }) => ({
        ...one,
        usable_from: usable_from.toISOString(),
        created_at: created_at.toISOString(),
      })),
    };
  },
});

const ADDRESS = {
  address: column.text,
  usable_from: column.time,
  created_at: column.time,
  withdrawals: column.int,
};
