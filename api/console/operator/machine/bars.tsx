const WIDTH = 10;
const HEIGHT = 100;

/** One bar of a chart: its whole height, and the part of it that is drawn in front. */
interface Bar {
  readonly value: number;
  readonly part: number;
  /** Shown when it is pointed at. */
  readonly title: string;
}

interface BarsProps {
  /** The names of the whole bars, and of the part in front. */
  label: string;
  partLabel: string;
  bars: readonly Bar[];
  /** The text of the highest value, under the chart. */
  highest: (value: number) => string;
  /** The texts under its two ends. */
  ends: readonly [string, string];
}

/** Bars over time. The page shows the same numbers as a table. */
export function Bars({ label, partLabel, bars, highest, ends: [from, to] }: BarsProps) {
  const top = Math.max(...bars.map(({ value }) => value), 0);
  const heightOf = (value: number) => (top === 0 ? 0 : (value / top) * HEIGHT);
  return (
    <figure class="chart" aria-label={label}>
      <svg
        class="plot low"
        viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ value, part, title }, n) => (
          <g>
            <title>{title}</title>
            <Column shade="a1" x={n * WIDTH} height={heightOf(value)} />
            <Column shade="a3" x={n * WIDTH} height={heightOf(part)} />
          </g>
        ))}
      </svg>
      <p class="axis small dim num">
        <span>{from}</span>
        <span>{top === 0 ? 'none' : `highest ${highest(top)}`}</span>
        <span>{to}</span>
      </p>
      <ul class="legend">
        <li>
          <span class="swatch a1" /> {label}
        </li>
        <li>
          <span class="swatch a3" /> {partLabel}
        </li>
      </ul>
    </figure>
  );
}

const Column = ({ shade, x, height }: { shade: string; x: number; height: number }) =>
  height === 0 ? null : (
    <rect
      class={shade}
      x={x + 1}
      y={(HEIGHT - height).toFixed(1)}
      width={WIDTH - 2}
      height={height.toFixed(1)}
    />
  );
