import { createHash } from 'node:crypto';

import { isTaken, type Limit } from '../../../kernel/limits/limits.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { canonical, parseAddress } from '../../../kernel/mail_address.ts';

const reached = 'Too many links were mailed.';

/** Links to one owner: a person that waits for a mail asks two or three times. */
export const LINKS_OF_TREE: Limit = { kind: 'mailed_links', max: 6, windowSeconds: 3_600, reached };
/** Links to one address, whoever asks for them: nobody floods a mailbox through us. */
const LINKS_TO_ADDRESS: Limit = {
  kind: 'mailed_links_to_address',
  max: 10,
  windowSeconds: 86_400,
  reached: 'Too many links were mailed to this address.',
};
/** Password links: whoever asks for them proves nothing. */
const PASSWORD_LINKS: Limit = { kind: 'password_links', max: 3, windowSeconds: 3_600, reached };

export const addressLimit = LINKS_TO_ADDRESS;

/** The holder of a limit on mails to an address, which is not stored in clear. */
export function holderOfAddress(address: string): { readonly of: string } {
  const parsed = parseAddress(address);
  const folded = (parsed ? canonical(parsed) : address).toLowerCase();
  return { of: `mailbox ${createHash('sha256').update(folded).digest('hex')}` };
}

/** Counts a password link to an owner. False: it has had too many, so none is sent. */
export async function mayMailPassword(
  tx: Tx,
  { agentId, address }: { readonly agentId: number; readonly address: string },
): Promise<boolean> {
  if (!(await isTaken(tx, PASSWORD_LINKS, { tree: agentId }))) return false;
  return isTaken(tx, LINKS_TO_ADDRESS, holderOfAddress(address));
}
