/**
 * A browser's way with a request of a page's script to another origin, by the Fetch standard:
 * it asks first whether it may, and hides from the script what the answer does not allow it.
 */
export function browserAt(origin: string) {
  return async (url: string, { method = 'GET', headers = {}, body }: PageRequest = {}) => {
    const asked = Object.keys(headers).filter((name) => !isSimple(name, headers[name]!));
    const isForeign = new URL(url).origin !== origin;
    let preflights = 0;
    if (isForeign && (asked.length > 0 || !['GET', 'HEAD', 'POST'].includes(method))) {
      await preflight(url, { origin, method, asked });
      preflights = 1;
    }
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(isForeign && { Origin: origin }) },
      ...(body !== undefined && { body }),
    });
    if (isForeign && !allows(answer, origin)) throw new Error('the answer may not be read');
    const shown = exposed(answer.headers, isForeign);
    return { status: answer.status, text: await answer.text(), headers: shown, preflights };
  };
}

interface PageRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function preflight(
  url: string,
  { origin, method, asked }: { origin: string; method: string; asked: readonly string[] },
): Promise<void> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(asked.length > 0 && {
        'Access-Control-Request-Headers': asked.map((name) => name.toLowerCase()).join(','),
      }),
    },
  });
  const methods = listOf(answer.headers, 'access-control-allow-methods');
  const names = listOf(answer.headers, 'access-control-allow-headers');
  // A star stands for every header but Authorization.
  const mayName = (name: string) =>
    names.includes(name) || (names.includes('*') && name !== 'authorization');
  const mayUse = ['get', 'head', 'post', ...methods].includes(method.toLowerCase());
  const isAllowed = answer.ok && allows(answer, origin) && mayUse;
  if (!isAllowed || !asked.every((name) => mayName(name.toLowerCase()))) {
    throw new Error('the preflight was not allowed');
  }
}

const allows = ({ headers }: Response, origin: string) =>
  ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');

/** The headers that a script may read of an answer from another origin. */
function exposed(headers: Headers, isForeign: boolean) {
  const names = listOf(headers, 'access-control-expose-headers');
  const isExposed = (name: string) =>
    !isForeign || names.includes('*') || [...SAFE, ...names].includes(name.toLowerCase());
  const get = (name: string) => (isExposed(name) ? headers.get(name) : null);
  return { get, isExposed, has: (name: string) => get(name) !== null };
}

const SAFE = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires'];

const isSimple = (name: string, value: string): boolean =>
  ['accept', 'accept-language', 'content-language'].includes(name.toLowerCase()) ||
  (name.toLowerCase() === 'content-type' && !value.startsWith('application/json'));

const listOf = (headers: Headers, name: string): readonly string[] =>
  (headers.get(name) ?? '').split(',').map((item) => item.trim().toLowerCase());
