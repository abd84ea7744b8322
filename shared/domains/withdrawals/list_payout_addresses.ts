import { operation } from '../../kernel/operation.ts';
import { Input, Output, Time, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';

const ADDRESSES_MAX = 100;

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
    addresses: Type.Array(
      Output({
        address: Type.String({ description: 'Address on Base.' }),
        usable_from: Time('Not paid before this: the first withdrawal to it waits.'),
        withdrawals: Type.Integer({ description: 'Withdrawals to it, of the newest 1000.' }),
        created_at: Time('Time of the first withdrawal to it.'),
      }),
      { maxItems: ADDRESSES_MAX, description: `The newest ${ADDRESSES_MAX} addresses at most.` },
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
