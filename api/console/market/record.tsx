import type { AnswerOf } from '../answers.ts';
import { plural, When } from '../parts/text.tsx';

type SellerRecord = AnswerOf<'seller_record'>;

/** Sales that the record counts at most. */
const SALES_MAX = 1_000;

/** The record of a seller, of deals that are over: what others cannot write themselves. */
export function Record({ record }: { record: SellerRecord }) {
  const { settled, buyers, delivery_ms: ms } = record;
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
            {plural(settled, 'deal')}
            {settled === SALES_MAX && ' or more'}, with {plural(buyers, 'buyer')}
          </>
        )}
      </dd>
      {settled > 0 && (
        <>
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
export function recordLine({ settled, buyers, disputes_lost: lost }: SellerRecord): string {
  if (settled === 0) return 'No settled deals yet.';
  const deals = `${plural(settled, 'settled deal')} with ${plural(buyers, 'buyer')}`;
  return `${deals}, ${lost} disputes lost.`;
}

const timeOf = (ms: number): string =>
  ms < 1_000
    ? `${ms} ms`
    : ms < 120_000
      ? `${Math.round(ms / 1_000)} s`
      : `${Math.round(ms / 60_000)} min`;

const shareOf = (part: number, all: number): string =>
  part === 0 ? 'None' : `${part} (${((100 * part) / all).toFixed(1)} %)`;
