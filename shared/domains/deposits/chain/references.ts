import { column, row, type Database } from '../../../platform/rows.ts';

/** A reference that names an agent in a payment: its id, and 16 unguessable random bytes in hex. */
export interface Reference {
  readonly agentId: number;
  readonly random: string;
}

const REFERENCE = { agentId: column.id, random: column.text };

/** The reference of an agent. */
export const referenceOf = (db: Database, agentId: number): Promise<Reference> =>
  row(
    db,
    REFERENCE,
    `select id as "agentId", replace(reference::text, '-', '') as random from agent where id = $1`,
    [agentId],
  );

/** The reference as text, for a note or a memo. */
export const noteOf = ({ agentId, random }: Reference): string => `agt_${agentId}:${random}`;

/** The reference as 32 bytes, for the router: the id in 16 bytes, and the random bytes. */
export const routerReferenceOf = ({ agentId, random }: Reference): string =>
  `0x${agentId.toString(16).padStart(32, '0')}${random}`;

/** Maximum characters of a note that are read: a note of Algorand has 1 000 bytes. */
const NOTE_CHARS_MAX = 2_000;

/**
 * Finds the reference in the text of a payer. 16 random bytes mean nothing else, so other text,
 * capitals, spaces and line breaks are allowed, and so are base64, hex and percent-encoding, as
 * wallets and scripts write notes. Undefined: there is none of ours, or more than one.
 */
export function findReference(text: string): Reference | undefined {
  const inRouter = /^0x([\da-f]{32})([\da-f]{32})$/.exec(text);
  if (inRouter) return checked(Number(`0x${inRouter[1]}`), inRouter[2]!);
  for (const reading of readingsOf(text.slice(0, NOTE_CHARS_MAX))) {
    const found = new Map(
      [...reading.toLowerCase().matchAll(IN_NOTE)].map(([all, id, random]) => [
        all,
        checked(Number(id), random!),
      ]),
    );
    if (found.size > 0) return found.size === 1 ? [...found.values()][0] : undefined;
  }
  return undefined;
}

const IN_NOTE = /agt_([1-9]\d{0,15}):([\da-f]{32})(?![\da-f])/g;

const checked = (agentId: number, random: string): Reference | undefined =>
  Number.isSafeInteger(agentId) && agentId > 0 ? { agentId, random } : undefined;

/** The text as it is, without spaces and characters that nobody sees, and decoded. */
function* readingsOf(text: string): Generator<string> {
  yield text;
  const compact = text.replace(/[\s\0\p{Cf}]/gu, '');
  yield compact;
  yield compact.replace(/%3a/gi, ':');
  const hex = /^(?:0x)?((?:[\da-f]{2})+)$/i.exec(compact);
  if (hex) yield Buffer.from(hex[1]!, 'hex').toString();
  if (/^[\w+/-]+={0,2}$/.test(compact)) yield Buffer.from(compact, 'base64').toString();
}
