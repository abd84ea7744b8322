import type { AnswerOf } from '../answers.ts';
import { Table } from '../parts/card.tsx';
import { usdOf, When, wordsOf } from '../parts/text.tsx';

type List = AnswerOf<'list_unclaimed_payments'>;

const AGES = ['1 day', '7 days', '30 days', '90 days', 'Older'];

/** Payments by chain that are credited to nobody: what there is by age, and the newest. */
export const Unclaimed = ({ sums, payments }: List) => (
  <>
    <Table
      label="Credited to nobody, by age"
      rows={sums}
      columns={[
        { head: 'Rail', cell: ({ rail }) => wordsOf(rail) },
        { head: 'Payments', right: true, cell: ({ count }) => count },
        { head: 'Value', right: true, cell: ({ usd }) => usdOf(usd) },
        ...AGES.map((head, n) => ({
          head,
          right: true,
          wide: true,
          cell: ({ by_age: values }: List['sums'][number]) => usdOf(values[n]!),
        })),
        { head: 'Oldest', wide: true, cell: ({ oldest_at: at }) => <When at={at} /> },
      ]}
    />
    <Table
      label="The newest of them"
      rows={payments}
      columns={[
        {
          head: 'Payment',
          cell: ({ deposit_id: id }) => (
            <a href={`/admin/decisions?kind=payments&id=${id}`}>#{id}</a>
          ),
        },
        { head: 'Rail', wide: true, cell: ({ rail }) => wordsOf(rail) },
        { head: 'Value', right: true, cell: ({ usd }) => (usd === null ? '' : usdOf(usd)) },
        { head: 'Paid', cell: ({ paid_at: at }) => <When at={at} /> },
        { head: 'Why', wide: true, cell: ({ reason }) => reason },
      ]}
    />
  </>
);
