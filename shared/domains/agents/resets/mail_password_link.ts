import { recordMail } from '../../mail/record_mail.ts';
import { makeToken } from '../../mail/tokens.ts';
import { operation } from '../../../kernel/operation.ts';
import { canonical, parseAddress } from '../../../kernel/mail_address.ts';
import { Input, OneOf, Output, Text } from '../../../kernel/schema.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { mayMailPassword } from '../addresses/mail_limits.ts';

export const mailPasswordLink = operation({
  name: 'mail_password_link',
  title: 'Mail a link for a new password',
  summary: 'Internal: mails a link for a new password to the proven address of an owner.',
  access: 'operator',
  mode: 'job',
  // A job, so that whoever asks waits equally long whether there is such an account or not.
  queue: 'timers',
  input: Input({ name: Text(1, 254, 'Name or address, as it was typed.') }),
  output: Output({ outcome: OneOf(['mailed', 'none'], 'none: no owner, or too many links.') }),

  async handle(tx, { name }) {
    const owner = await findProven(tx.db, name);
    if (!owner || !(await mayMailPassword(tx, owner))) return { outcome: 'none' as const };
    const { agentId, username, address } = owner;
    const tokenId = await makeToken(tx, { agentId, purpose: 'password', address });
    await recordMail(tx, {
      key: `password/${tokenId}`,
      agentId,
      kind: 'password_link',
      to: address,
      data: { username },
      tokenId,
    });
    return { outcome: 'mailed' as const };
  },
});

/** The owner of this name or address, if its present address is proven. */
async function findProven(db: Database, name: string) {
  const parsed = parseAddress(name);
  const [found] = await rows(
    db,
    { id: column.id, username: column.text, email: column.text },
    `select a.id, a.username, a.email from agent a
       join proven_address p on p.agent_id = a.id and p.address = a.email
      where a.owner_id is null and a.password_hash is not null
        and (lower(a.username) = lower($1) or lower(a.email) = lower($1))
      order by a.id limit 1`,
    [parsed ? canonical(parsed) : name],
  );
  return found && { agentId: found.id, username: found.username, address: found.email };
}
