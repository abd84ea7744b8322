import { createHash } from 'node:crypto';

/** Text escaped for HTML. */
export const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#fafafb, #14151a);
  --surface: light-dark(#fff, #1c1d24);
  --line: light-dark(#e5e6ea, #33353f);
  --ink: light-dark(#191b23, #f2f2f5);
  --ink-2: light-dark(#55596a, #a9adba);
  --accent: light-dark(#3b46d1, #a5adff);
  --on-accent: light-dark(#fff, #14151a);
  --bad: light-dark(#b3261e, #ffb4ab);
  --play: light-dark(#fff4d6, #3b3216);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 30rem;
  padding: 0 1.25rem 4rem;
  background: var(--canvas);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
.sandbox {
  margin: 0 -1.25rem 2rem;
  padding: 0.5rem 1.25rem;
  background: var(--play);
  border-bottom: 1px solid var(--line);
}
h1 { margin: 0; font-size: 2.4rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.subject { margin: 0 0 1.5rem; color: var(--ink-2); }
form, .card {
  padding: 1rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
}
label { display: block; margin: 0 0 0.9rem; font-size: 0.875rem; color: var(--ink-2); }
.two { display: flex; gap: 1rem; }
.two label { flex: 1; }
input {
  display: block;
  width: 100%;
  margin-top: 0.25rem;
  padding: 0.55rem 0.7rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--canvas);
  color: var(--ink);
  font: 1.05rem/1.4 ui-monospace, Menlo, Consolas, monospace;
}
button {
  width: 100%;
  padding: 0.7rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: 600 1rem/1.4 system-ui, sans-serif;
  cursor: pointer;
}
button.second { margin-top: 0.6rem; background: none; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.refused { margin: 0 0 1rem; color: var(--bad); font-weight: 600; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
td { padding: 0.4rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { padding-right: 1rem; white-space: nowrap; font-family: ui-monospace, monospace; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Headers of a page whose forms may lead to these addresses. */
export function headersOf(targets: readonly (string | null)[]): Record<string, string> {
  const origins = targets.filter((url) => url !== null).map((url) => new URL(url).origin);
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; ` +
      `frame-ancestors 'none'; form-action 'self' ${origins.join(' ')}`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** `body` is HTML. */
export const pageOf = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<p class="sandbox"><strong>Sandbox.</strong> This is play money: no card is charged here, and no
card number is stored. It stands in for Stripe's pay page.</p>
${body}
</body>
</html>
`;
