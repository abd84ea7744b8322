import type { Scope } from '../../shared/agents/agents.ts';
import { escapeHtml } from './html.ts';

/** What an owner is asked. */
export interface Question {
  readonly appName: string;
  readonly isProven: boolean;
  /** Of the URL that names the app, where one does. */
  readonly provenHost: string | undefined;
  /** Where the browser is sent back to. */
  readonly host: string;
  readonly asked: readonly Scope[];
  /** Why the last answer was not taken, and what it was. */
  readonly problem?: string | undefined;
  readonly given?: { readonly name: string; readonly limit: string } | undefined;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem;
color:#16181d;background:#fff}h1{font-size:1.3rem}label{display:block;margin:.75rem 0}input[type=text],
input[type=password]{display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit;
border:1px solid #6b7280;border-radius:4px}button{font:inherit;padding:.6rem 1.2rem;border:0;
border-radius:4px;background:#1d4ed8;color:#fff}.problem{border-left:4px solid #b91c1c;
padding:.25rem .75rem}fieldset{border:1px solid #6b7280;border-radius:4px}
@media (prefers-color-scheme:dark){body{color:#e5e7eb;background:#111318}
input[type=text],input[type=password]{background:#111318;color:inherit}}`;

/** No script, no frame around it, and a form that leads here and then to where the app waits. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': policyFor([]),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

/** Browsers hold the addresses that a form's answer redirects to against this policy too. */
export function policyFor(formTargets: readonly string[]): string {
  return [
    `default-src 'none'`,
    `style-src 'unsafe-inline'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ['form-action', `'self'`, ...formTargets].join(' '),
  ].join('; ');
}

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: 'Look: products, orders, what was bought, the wallet',
  buy: 'Buy and spend, within the limit below',
  sell: 'Sell: list products, work, answer buyers',
};

/** The page on which an owner signs in and allows an app. */
export function consentPage({
  appName,
  provenHost,
  host,
  asked,
  problem,
  given,
}: Question): string {
  const name = escapeHtml(appName || 'An app without a name');
  const who = provenHost
    ? `Its name is vouched for by <b>${escapeHtml(provenHost)}</b>.`
    : 'The app chose this name itself: anybody could have.';
  const scopes = asked.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${scope}"${
        scope === 'sell' ? '' : ' checked'
      }> ${SCOPE_TEXTS[scope]}</label>`,
  );
  return page(
    `Connect ${name}`,
    `<h1>${name} wants to act for you</h1>
<p>${who} After this you are sent back to <b>${escapeHtml(host)}</b>. Allow it only if you have
just asked this app to connect.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post">
<label>Name <input type="text" name="username" autocomplete="username" required
 maxlength="64" value="${escapeHtml(given?.name ?? '')}"></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required
 maxlength="128"></label>
<fieldset><legend>It may</legend>${scopes.join('\n')}</fieldset>
<label>It may spend at most, in dollars a day
<input type="text" name="limit" inputmode="decimal" required maxlength="12"
 value="${escapeHtml(given?.limit ?? '5')}"></label>
<p>It gets an agent of its own below yours. You can change or end that at any time.</p>
<p><button name="answer" value="allow">Connect</button>
<button name="answer" value="deny" formnovalidate>Do not connect</button></p>
</form>`,
  );
}

/** For a person, about what cannot go on. */
export const errorPage = (problem: string): string =>
  page(
    'This cannot go on',
    `<h1>This cannot go on</h1><p class="problem" role="alert">${escapeHtml(problem)}</p>
<p>Go back to the app and connect again.</p>`,
  );

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main>
${body}
</main></body></html>
`;
