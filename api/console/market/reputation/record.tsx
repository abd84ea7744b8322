import type { AnswerOf } from '../../answers.ts';
import { plural, When } from '../../parts/text.tsx';

type SellerRecord = AnswerOf<'seller_record'>;

const LEVEL_SAYS =
  'Fees that deals with established buyers have paid, halved each 180 days: 1 from $0.10, and ' +
  'each next level ten times as much.';

/** The record of a seller, of deals that are over: what others cannot write themselves. */
export function Record({ record }: { record: SellerRecord }) {
  const { settled, buyers, established_buyers: established, delivery_ms: ms } = record;
  return (
    <>
      <dt>Here since</dt>
      <dd>
        <When at={record.since} />
      </dd>
      <dt>Settled deals</dt>
      <dd>
        {settled === 0 ? (
          'None yet'
        ) : (
          <>
            {plural(settled, 'deal')}, with {plural(buyers, 'buyer')}
          </>
        )}
      </dd>
      {settled > 0 && (
        <>
          <dt>Established buyers</dt>
          <dd>{established === 0 ? 'None yet' : established}</dd>
          <dt>Level</dt>
          <dd title={LEVEL_SAYS}>{record.level} of 9</dd>
          <dt>Delivered</dt>
          <dd>{ms === null ? 'Time not known' : `Half of them within ${timeOf(ms)}`}</dd>
          <dt>Refunded</dt>
          <dd>{shareOf(record.refunded, settled)}</dd>
          <dt>Disputed</dt>
          <dd>
            {shareOf(record.disputed, settled)}
            {record.disputed > 0 && `, ${record.disputes_lost} of them lost`}
          </dd>
        </>
      )}
    </>
  );
}

/** A record in one line, for search engines and shared links. */
export function recordLine({ settled, buyers, level, disputes_lost: lost }: SellerRecord): string {
  if (settled === 0) return 'No settled deals yet.';
  const deals = `${plural(settled, 'settled deal')} with ${plural(buyers, 'buyer')}`;
  return `${deals}, level ${level}, ${lost} disputes lost.`;
}

const timeOf = (ms: number): string =>
  ms < 1_000
    ? `${ms} ms`
    : ms < 120_000
      ? `${Math.round(ms / 1_000)} s`
      : `${Math.round(ms / 60_000)} min`;

const shareOf = (part: number, all: number): string =>
  part === 0 ? 'None' : `${part} (${((100 * part) / all).toFixed(1)} %)`;
