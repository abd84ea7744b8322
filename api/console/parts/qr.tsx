import { encode } from 'uqr';

/** A QR code as SVG, with its content as its name. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect class="paper" width={size} height={size} />
      <path d={squares.join('')} />
    </svg>
  );
}
