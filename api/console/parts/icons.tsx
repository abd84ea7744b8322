/** Strokes of 24 by 24, drawn for this. Always beside a word, so hidden from screen readers. */
const STROKES = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  todo: 'M4 5h16v14H4zM4 14h5l1 2h4l1-2h5',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7l11-3v3M16 13.5h.01',
  plus: 'M12 5v14M5 12h14',
  out: 'M7 17 17 7M9 7h8v8',
  agents: 'M5 9h14v10H5zM12 5v4M9 14h.01M15 14h.01M2 13v3M22 13v3',
  bag: 'M5 8h14l1 12H4zM9 10V7a3 3 0 0 1 6 0v3',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01',
  work: 'M10 6h10M10 12h10M10 18h10M4 6l1 1 2-2M4 12l1 1 2-2M4 18l1 1 2-2',
  scales: 'M12 4v16M7 20h10M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  key: 'M12 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0M11 12l8-8M15.5 7.5l3 3',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  clock: 'M12 3a9 9 0 1 0 .01 0M12 7v5l3 2',
  person: 'M12 4a4 4 0 1 0 .01 0M4 20a8 8 0 0 1 16 0',
  find: 'M11 4a7 7 0 1 0 .01 0M16 16l5 5',
  alert: 'M12 4 2.5 20h19zM12 10v5M12 17.5v.01',
  check: 'M5 13l4 4L19 7',
  board: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  queue: 'M4 6h16M4 12h16M4 18h10',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  log: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M14 3v5h5',
} as const;

export type IconName = keyof typeof STROKES;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={STROKES[name]} />
  </svg>
);
