/** The style of the front page, in light and dark as its reader has it. */
export const FRONT_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#fafafb, #14151a);
  --surface: light-dark(#fff, #1c1d24);
  --line: light-dark(#e5e6ea, #33353f);
  --ink: light-dark(#191b23, #f2f2f5);
  --ink-2: light-dark(#55596a, #a9adba);
  --accent: light-dark(#3b46d1, #a5adff);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 46rem;
  padding: 1rem 1.25rem 4rem;
  background: var(--canvas);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; justify-content: space-between; }
nav a + a { margin-left: 0.75rem; }
a { color: var(--accent); }
h1 { margin: 3rem 0 0.5rem; font-size: 2.1rem; line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.25rem; font-size: 1.15rem; }
.lead { font-size: 1.15rem; color: var(--ink-2); }
.notice {
  margin: 2rem 0 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--accent);
  border-radius: 0.75rem;
  background: var(--surface);
}
.note { font-size: 0.875rem; color: var(--ink-2); }
dl { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0 0.5rem; }
dl div {
  flex: 1 1 8rem;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
}
dt { font-size: 0.875rem; color: var(--ink-2); }
dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
pre {
  overflow-x: auto;
  margin: 0.5rem 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--surface);
  font: 0.875rem/1.5 ui-monospace, Menlo, Consolas, monospace;
}
details { border-bottom: 1px solid var(--line); }
summary { padding: 0.6rem 0; font-weight: 600; cursor: pointer; }
`;
