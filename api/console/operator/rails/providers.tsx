import type { AnswerOf } from '../../answers.ts';
import { Empty, Table } from '../../parts/card.tsx';
import { Badge, plural, wordsOf } from '../../parts/text.tsx';

type Provider = AnswerOf<'rails_status'>['providers'][number];

/** The providers of chains: how much they are asked, and what they take. */
export function Providers({ providers }: { providers: readonly Provider[] }) {
  if (providers.length === 0) return <Empty>No provider has been asked yet.</Empty>;
  return (
    <Table
      label="Providers"
      rows={providers}
      columns={[
        {
          head: 'Provider',
          cell: ({ rail, provider }) => (
            <>
              {wordsOf(rail)} <code>{provider}</code>
            </>
          ),
        },
        { head: 'State', cell: (provider) => <State provider={provider} /> },
        { head: 'Calls today', right: true, cell: ({ calls_today }) => counted(calls_today) },
        {
          head: 'Calls a month',
          right: true,
          cell: ({ calls_per_month }) => counted(calls_per_month),
        },
        {
          head: 'Blocks a day',
          right: true,
          cell: ({ blocks_per_day }) => counted(blocks_per_day),
        },
        { head: 'Takes', wide: true, cell: takenBy },
      ]}
    />
  );
}

const counted = (count: number | null) =>
  count === null ? '' : String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');

const takenBy = ({ batch, log_blocks, gap_ms, refused_today }: Provider): string =>
  [
    batch === 1 ? 'no batches' : `${batch} calls a request`,
    `logs of ${plural(log_blocks, 'block')}`,
    gap_ms > 0 ? `a request every ${gap_ms} ms` : [],
    refused_today > 0 ? `${refused_today} refused today` : [],
  ]
    .flat()
    .join(', ');

const State = ({ provider: { fault } }: { provider: Provider }) =>
  fault === null ? (
    <Badge state="on" kind="yours" />
  ) : (
    <>
      <Badge state="fault" kind="owed" /> <span class="words">{fault}</span>
    </>
  );
