import type { AnswerOf } from '../../answers.ts';
import { Empty, Table } from '../../parts/card.tsx';
import { Badge, Usd, When } from '../../parts/text.tsx';

type Price = AnswerOf<'rails_status'>['prices'][number];

/** The last price of each asset that is taken, and who said it. */
export function Prices({ prices }: { prices: readonly Price[] }) {
  if (prices.length === 0) return <Empty>No asset is taken on a chain.</Empty>;
  return (
    <Table
      label="Prices"
      rows={prices}
      columns={[
        { head: 'Asset', cell: ({ asset }) => asset },
        {
          head: 'Price',
          right: true,
          cell: ({ price }) =>
            price === null ? (
              <Badge state="no price" kind="owed" />
            ) : (
              <Usd amount={Number(price)} />
            ),
        },
        { head: 'Time', cell: ({ at }) => (at ? <When at={at} /> : '') },
        { head: 'Sources', wide: true, cell: ({ sources }) => sources.join(', ') },
      ]}
    />
  );
}
