import type { Secrets } from '../../platform/secrets.ts';

/** Where our own page is, which checks ask for if the operator names no other. */
export const PAGE_PATH = '/welcome';

/**
 * A plain page that nobody can know who did not ask us for it: a proxy cannot make it up. The same
 * from every process with the same keys.
 */
export function pageOf(secrets: Secrets): string {
  const words = secrets
    .hash('proxy-page', PAGE_PATH)
    .hash.toString('hex')
    .match(/.{1,8}/g)!;
  return (
    '<!doctype html><html lang="en"><title>Welcome</title>' +
    `<p>This page is ${words.join(' ')}.</p></html>`
  );
}
