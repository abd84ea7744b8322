import { parseUrl } from '../parse_url.ts';

/**
 * Throws where a user or password in a URL cannot be read, since it has `%`, `@`, `/`, `#` or `?`
 * as they are.
 */
export function checkUser(text: string): void {
  const read = parseUrl(text);
  try {
    decodeURIComponent(`${read?.username}${read?.password}`);
    if (read || !/^\w+:\/\/[^/]*:.*@/.test(text)) return;
  } catch {
    // It is named below.
  }
  throw new Error(
    'cannot be read: in a password, write % as %25, @ as %40, / as %2F, # as %23 and ? as %3F',
  );
}
