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

/** Parses the text of a payer. Undefined: it is no reference of ours. */
export function parseReference(text: string): Reference | undefined {
  const [, id, inNote] = /^agt_([1-9]\d{0,15}):([\da-f]{32})$/.exec(text) ?? [];
  const [, hexId, inRouter] = /^0x([\da-f]{32})([\da-f]{32})$/.exec(text) ?? [];
  const agentId = Number(id ?? `0x${hexId}`);
  const random = inNote ?? inRouter;
  return random !== undefined && Number.isSafeInteger(agentId) && agentId > 0
    ? { agentId, random }
    : undefined;
}
