import { parseUrl } from '../parse_url.ts';

/**
 * Throws if a user or password in a URL cannot be read, because it has an unescaped `%`, `@`, `/`,
 * `#` or `?`.
 */
export function checkUser(text: string): void {
  const read = parseUrl(text);
  try {
    decodeURIComponent(`${read?.username}${read?.password}`);
    if (read || !/^\w+:\/\/[^/]*:.*@/.test(text)) return;
  } catch {
    // Reported below.
  }
  throw new Error(
    'cannot be read: in a password, write % as %25, @ as %40, / as %2F, # as %23 and ? as %3F',
  );
}
