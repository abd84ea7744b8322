import { NotVerified } from './webhooks.ts';

/** Public keys of a marketplace: `/.well-known/jwks.json`. */
export interface ReceiptKeys {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
}

/** The document of a signed receipt. Amounts are in dollars. */
export interface SignedReceipt {
  readonly version: 1;
  readonly issuer: string;
  readonly receipt_id: number;
  readonly issued_at: string;
  readonly kind: string;
  readonly object_id: number;
  readonly outcome: string;
  readonly opened_at: string;
  readonly settled_at: string;
  readonly payer: ReceiptParty | null;
  readonly payee: ReceiptParty | null;
  readonly item: Readonly<Record<string, unknown>>;
  readonly amounts: Readonly<Record<'paid' | 'to_payee' | 'fee' | 'refunded', number>>;
  readonly transfers: readonly {
    readonly id: number;
    readonly kind: string;
    readonly credit: number;
    readonly cash: number;
  }[];
}

interface ReceiptParty {
  readonly agent_id: number;
  /** SHA-256 of the receipt before, of the same tree of agents; null: this is its first. */
  readonly previous: string | null;
}

/** The signed document of a day. */
interface SignedDay {
  readonly day: string;
  readonly first_receipt_id: number;
  readonly count: number;
  readonly root_hash: string;
  readonly previous: string | null;
}

/** A receipt as `list_receipts` or `get_receipt` answers it. */
export interface HeldReceipt {
  readonly receipt: string;
  readonly side: 'payer' | 'payee';
  /** The document beside it, as get_receipt shows it. It must be the signed one. */
  readonly document?: object;
  readonly inclusion?: {
    readonly day: string;
    readonly index: number;
    readonly count: number;
    readonly path: readonly string[];
  } | null;
}

/** Receipts of one tree of agents, with what they are verified by. */
export interface ReceiptBook {
  readonly keys: ReceiptKeys;
  readonly receipts: readonly HeldReceipt[];
  /** Documents of days, as `get_receipt_day` answers them. */
  readonly days?: readonly { readonly signed: string }[];
}

/** The result of `verifyReceipts`: no faults, or a sentence for each. */
export interface ReceiptReport {
  readonly receipts: number;
  readonly days: number;
  /** The last one: that none is missing after it, only list_receipts can tell. */
  readonly last: { readonly receipt_id: number; readonly sha256: string } | null;
  readonly faults: readonly string[];
}

/**
 * Returns what a receipt says, if one of these keys has signed it (JWS, Ed25519: RFC 7515, 8037);
 * otherwise throws `NotVerified`. It asks nobody.
 */
export async function verifyReceipt(receipt: string, keys: ReceiptKeys): Promise<SignedReceipt> {
  const says = await verify<SignedReceipt>(receipt, keys);
  if (typeof says.receipt_id !== 'number') throw new NotVerified('it is no receipt');
  return says;
}

/**
 * Verifies all receipts of a tree of agents, without asking anybody: signatures, and that each
 * names the one before, so that one that is missing, or was put in, shows. With documents of days,
 * also that these follow one another, and contain the receipts whose `inclusion` is there.
 */
export async function verifyReceipts({
  keys,
  receipts,
  days = [],
}: ReceiptBook): Promise<ReceiptReport> {
  const faults: string[] = [];
  const read = async <T>(work: Promise<T>, name: string): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof NotVerified)) throw error;
      faults.push(`${name}: ${error.message}`);
      return undefined;
    }
  };

  const signedDays = new Map<string, SignedDay & { readonly hash: string }>();
  for (const { signed } of days) {
    const day = await read(verify<SignedDay>(signed, keys), 'A document of a day');
    if (day && typeof day.root_hash !== 'string') faults.push('A document of a day is another.');
    else if (day) signedDays.set(day.day, { ...day, hash: await sha256(signed) });
  }
  faults.push(...faultsOfDays([...signedDays.values()]));

  const held = new Map<number, { says: SignedReceipt; hash: string; of: HeldReceipt }>();
  for (const [n, of] of receipts.entries()) {
    const says = await read(verifyReceipt(of.receipt, keys), `Receipt in place ${n + 1}`);
    if (!says) continue;
    const hash = await sha256(unwrapped(of.receipt));
    if (of.document && JSON.stringify(of.document) !== JSON.stringify(says)) {
      faults.push(`Receipt ${says.receipt_id}: its document is not what was signed.`);
    }
    const before = held.get(says.receipt_id);
    if (before && before.hash !== hash) {
      faults.push(`Receipt ${says.receipt_id}: two different ones are signed.`);
    }
    if (!before || of.inclusion) held.set(says.receipt_id, { says, hash, of });
  }
  const chain = [...held.values()].sort((a, b) => a.says.receipt_id - b.says.receipt_id);
  let previous: string | null = null;
  for (const { says, hash, of } of chain) {
    const party = says[of.side];
    if (!party) faults.push(`Receipt ${says.receipt_id}: it has no ${of.side}.`);
    else if (party.previous !== previous) {
      faults.push(`Receipt ${says.receipt_id}: the one before it is missing (${party.previous}).`);
    }
    previous = hash;
    const day = of.inclusion && signedDays.get(of.inclusion.day);
    if (!of.inclusion) continue;
    if (!day) {
      faults.push(`Receipt ${says.receipt_id}: the document of ${of.inclusion.day} is missing.`);
      continue;
    }
    const { index, count, path } = of.inclusion;
    const root = await rootFrom(await leafOf(hash), { index, count, path: path.map(bytesOfHex) });
    if (
      index !== says.receipt_id - day.first_receipt_id ||
      count !== day.count ||
      hexOf(root) !== day.root_hash
    ) {
      faults.push(`Receipt ${says.receipt_id}: the hash of ${day.day} does not contain it.`);
    }
  }
  const last = chain.at(-1);
  return {
    receipts: chain.length,
    days: signedDays.size,
    last: last ? { receipt_id: last.says.receipt_id, sha256: last.hash } : null,
    faults,
  };
}

/** Days that do not follow one another, where both are there. */
function faultsOfDays(days: readonly (SignedDay & { readonly hash: string })[]): string[] {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  return sorted.flatMap((day, n) => {
    const before = sorted[n - 1];
    if (!before || Date.parse(day.day) - Date.parse(before.day) !== 86_400_000) return [];
    const follows =
      day.previous === before.hash &&
      day.first_receipt_id === before.first_receipt_id + before.count;
    return follows ? [] : [`The document of ${day.day} does not follow that of ${before.day}.`];
  });
}

async function verify<T>(jws: string, { keys }: ReceiptKeys): Promise<T> {
  const [header = '', payload = '', signature = '', ...more] = unwrapped(jws).split('.');
  if (!signature || more.length > 0) throw new NotVerified('it is no signed receipt');
  const { alg, kid } = parsed<{ alg?: unknown; kid?: unknown }>(header);
  const known = keys.find((key) => key.kid === kid);
  if (alg !== 'EdDSA' || !known) throw new NotVerified('no key of these has signed it');
  const key = await crypto.subtle.importKey(
    'jwk',
    { kty: 'OKP', crv: 'Ed25519', x: known.x },
    'Ed25519',
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const bytes = bytesOf(signature);
  if (!(await crypto.subtle.verify('Ed25519', key, bytes, signed))) {
    throw new NotVerified('it was changed after it was signed');
  }
  return parsed<T>(payload);
}

/** A receipt without what mail programs and people put into it and around it. */
const unwrapped = (text: string): string => text.replaceAll(/[\s>"'=]+/g, '');

function parsed<T>(part: string): T {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytesOf(part)));
    if (value !== null && typeof value === 'object') return value as T;
  } catch {
    // Below.
  }
  throw new NotVerified('it is no signed receipt');
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    // The one spelling of these bytes: a hash of the text would differ for another.
    const spelled = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    if (spelled === base64url) return Uint8Array.from(text, (one) => one.charCodeAt(0));
  } catch {
    // Below.
  }
  throw new NotVerified('it is no signed receipt');
}

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const sha256 = async (text: string): Promise<string> =>
  hexOf(await digest(new TextEncoder().encode(text)));
const leafOf = (hash: string): Promise<Uint8Array> =>
  digest(Uint8Array.from([0, ...bytesOfHex(hash)]));

/** The root that a path leads to from a leaf (RFC 9162, section 2.1.3.2). */
async function rootFrom(
  leaf: Uint8Array,
  { index, count, path }: { index: number; count: number; path: readonly Uint8Array[] },
): Promise<Uint8Array> {
  if (count <= 1) return leaf;
  const [rest, last = new Uint8Array()] = [path.slice(0, -1), path.at(-1)];
  const half = 2 ** Math.floor(Math.log2(count - 1));
  const isLeft = index < half;
  const inner = await rootFrom(leaf, {
    index: isLeft ? index : index - half,
    count: isLeft ? half : count - half,
    path: rest,
  });
  return digest(Uint8Array.from(isLeft ? [1, ...inner, ...last] : [1, ...last, ...inner]));
}
