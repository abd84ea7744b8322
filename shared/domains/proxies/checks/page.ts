import type { Secrets } from '../../../platform/secrets.ts';

/** Path of our own page, which checks fetch if the operator names no other. */
export const PAGE_PATH = '/welcome';

/**
 * Returns a page that cannot be guessed, so a proxy cannot make it up. All processes with the same
 * keys return the same page.
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
