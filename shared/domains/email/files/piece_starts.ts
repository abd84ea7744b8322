/** Addresses a second that are looked up by DNS alone: measured, see docs/email.md. */
const LOOKED_UP_A_SECOND = 100;

interface FileAddress {
  readonly row_number: number;
  readonly domain_hash: number;
}

interface Pieces {
  /** Rows of a piece. */
  readonly size: number;
  readonly count: number;
  /** Pause of a mail server after each mailbox, in ms; undefined: none is asked. */
  readonly pauseMs: number | undefined;
}

/**
 * When each piece of a file should begin, in ms from now, and how long all of them may take. A mail
 * server is asked for one mailbox at a time, and whatever waits too long for it stays unknown. So a
 * piece begins when the mail servers of its domains are done with the pieces before.
 */
export function startsOf(
  addresses: readonly FileAddress[],
  { size, count, pauseMs }: Pieces,
): { delaysMs: number[]; seconds: number } {
  const lookupSeconds = Math.ceil(addresses.length / LOOKED_UP_A_SECOND);
  if (pauseMs === undefined) {
    return { delaysMs: Array.from({ length: count }, () => 0), seconds: lookupSeconds };
  }
  const pieces = Array.from({ length: count }, () => new Map<number, number>());
  for (const { row_number, domain_hash } of addresses) {
    const piece = pieces[Math.floor(row_number / size)]!;
    piece.set(domain_hash, (piece.get(domain_hash) ?? 0) + 1);
  }
  const freeAt = new Map<number, number>();
  const delaysMs = pieces.map((domains) => {
    const start = Math.max(0, ...[...domains.keys()].map((domain) => freeAt.get(domain) ?? 0));
    for (const [domain, mailboxes] of domains) freeAt.set(domain, start + mailboxes * pauseMs);
    return start;
  });
  const last = [...freeAt.values()].reduce((most, at) => Math.max(most, at), 0);
  return { delaysMs, seconds: Math.max(lookupSeconds, Math.ceil(last / 1_000)) };
}
