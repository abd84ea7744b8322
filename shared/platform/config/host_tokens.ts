/** Tokens by which providers know an account: one for all of them, or one for each host. */
export interface HostTokens {
  readonly any?: string;
  readonly byHost: ReadonlyMap<string, string>;
}

export const NO_TOKENS: HostTokens = { byHost: new Map() };

/** A host with a dot or a port: tokens in base64 may end with = too. */
const PAIR = /^((?=[^=]*[.:])[\w.-]+(?::\d+)?)=(.+)$/;
/** Between two pairs: a token may have a comma in it. */
const SEPARATOR = /,?\s+|,(?=[^=,]*[.:][^=,]*=)/;

/**
 * Parses a token, or `host=token` for each host, with commas between them. Throws if a host is in
 * none of these URLs; the message repeats no token.
 */
export const hostTokens =
  (urls: readonly string[]) =>
  (text: string): HostTokens => {
    const parts = text.split(SEPARATOR).map((part) => PAIR.exec(part));
    if (parts.every((pair) => pair === null)) return { any: text, byHost: new Map() };
    const hosts = urls.map((url) => new URL(url).host);
    const pairs = parts.map((pair) => {
      const [, host, token] = pair ?? [];
      if (host === undefined || token === undefined) {
        throw new Error('must be one token, or host=token for each host, with commas between them');
      }
      if (!hosts.includes(host)) throw new Error(`names ${host}, which is none of the providers`);
      return [host, token] as const;
    });
    return { byHost: new Map(pairs) };
  };

/** The token for a URL; undefined: it gets none. */
export const tokenFor = ({ any, byHost }: HostTokens, url: string): string | undefined =>
  any ?? byHost.get(new URL(url).host);
