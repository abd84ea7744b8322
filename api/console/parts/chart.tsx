import type { AnswerOf } from '../answers.ts';
import { Table } from './card.tsx';
import { Usd, usdOf, wordsOf } from './text.tsx';

type Report = AnswerOf<'spend_report'>;

const HEIGHT = 168;
const SHOWN_PARTS = 4;

/** A bar for each day, stacked by part, and a table with the same numbers. */
export function DayChart({ report, label }: { report: Report; label: string }) {
  const days = report.by_day.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const highest = Math.max(...days.map(({ amount }) => amount), 0);
  const names = report.parts.map(({ name }) => name);
  return (
    <figure class="chart" aria-label={label}>
      <p class="headline">
        <Usd amount={report.total} /> <span class="dim">{changeOf(report)}</span>
      </p>
      {highest > 0 && (
        <svg
          class="plot"
          viewBox={`0 0 ${days.length * 20} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {days.map((day, n) => (
            <Bar day={day} x={n * 20} highest={highest} />
          ))}
        </svg>
      )}
      {highest > 0 && (
        <p class="axis small dim num">
          <span>{dayOf(days[0]!.day)}</span>
          <span>highest {usdOf(highest)} a day</span>
          <span>{dayOf(days.at(-1)!.day)}</span>
        </p>
      )}
      <ul class="legend">
        {report.parts.slice(0, SHOWN_PARTS).map(({ id, name, amount }, n) =>
          // All of it was refunded.
          amount === 0 ? null : (
            <li>
              <span class={`swatch a${n + 1}`} />
              <bdi>{id === null ? wordsOf(name) : name.slice(name.indexOf('/') + 1)}</bdi>{' '}
              <Usd amount={amount} />
            </li>
          ),
        )}
      </ul>
      {names.length > 0 && (
        <details>
          <summary>Show as a table</summary>
          <Table
            label={label}
            rows={days}
            columns={[
              { head: 'Day', cell: ({ day }) => day },
              { head: 'All', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
            ]}
          />
        </details>
      )}
    </figure>
  );
}

function Bar({ day, x, highest }: { day: Report['by_day'][number]; x: number; highest: number }) {
  let top = HEIGHT;
  return (
    <g>
      <title>
        {day.day}: {usdOf(day.amount)}
      </title>
      {day.parts.map((part, n) => {
        const height = (Math.max(part, 0) / highest) * HEIGHT;
        top -= height;
        return (
          <rect
            class={`a${Math.min(n, SHOWN_PARTS - 1) + 1}`}
            x={x + 3}
            y={top.toFixed(1)}
            width="14"
            height={height.toFixed(1)}
          />
        );
      })}
    </g>
  );
}

/** `2026-10-25` in the form used on the rest of the page. */
const dayOf = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function changeOf({ total, previous, by_day: { length } }: Report): string {
  const before = `in the ${length} days before`;
  if (previous === 0) return `nothing ${before}`;
  const change = Math.round((total / previous - 1) * 100);
  if (change === 0) return `as much as ${before}`;
  return `${Math.abs(change)} % ${change < 0 ? 'less' : 'more'} than ${before}`;
}
