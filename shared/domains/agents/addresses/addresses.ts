import { recordMail } from '../../mail/record_mail.ts';
import { endTokens, findUsed, lockToken, makeToken, type MailToken } from '../../mail/tokens.ts';
import { invalid } from '../../../kernel/schema.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { take } from '../../../kernel/limits/limits.ts';
import { canonical, parseAddress } from '../../../kernel/mail_address.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { isDuplicate } from '../../../platform/fault.ts';
import { column, execute, nullable, rows, type Database } from '../../../platform/rows.ts';
import { addressLimit, holderOfAddress, LINKS_OF_TREE } from './mail_limits.ts';

/** The address of an owner. */
interface OwnerAddress {
  readonly agentId: number;
  readonly username: string;
  readonly address: string;
  /** Whether somebody who reads its mails has confirmed it. */
  readonly isProven: boolean;
  /** Another address that waits to be confirmed; undefined: none does. */
  readonly asked: string | undefined;
}

/** The address of the owner of this id; undefined: there is none. */
export async function addressOf(db: Database, agentId: number): Promise<OwnerAddress | undefined> {
  const [found] = await rows(
    db,
    {
      username: column.text,
      email: column.text,
      is_proven: column.boolean,
      asked: nullable(column.text),
    },
    `select a.username, a.email, coalesce(p.address = a.email, false) as is_proven, asked.address as asked
       from agent a left join proven_address p on p.agent_id = a.id
       left join lateral (
         select t.address from mail_token t
          where t.agent_id = a.id and t.purpose = 'address' and t.used_at is null
            and t.ends_at > now() and t.address <> a.email
          order by t.id desc limit 1) asked on true
      where a.id = $1 and a.owner_id is null and a.email is not null`,
    [agentId],
  );
  if (!found) return undefined;
  const { username, email: address, is_proven: isProven, asked } = found;
  return { agentId, username, address, isProven, asked: asked ?? undefined };
}

/**
 * Mails a link that proves an address: the present one of an owner, or another one that becomes
 * its address then. The present one is told of another if it is proven.
 */
export async function askToProve(tx: Tx, agentId: number, written?: string): Promise<string> {
  const owner = await addressOf(tx.db, agentId);
  if (!owner) throw new Refusal('not_found', 'This account has no address.');
  const parsed = parseAddress(written?.trim() ?? owner.address);
  if (!parsed) throw badAddress('must be an email address, such as ada@example.com');
  const address = canonical(parsed);
  const isOther = address !== owner.address;
  if (!isOther && owner.isProven) throw badAddress('is confirmed already');
  if (isOther) await assertFree(tx.db, agentId, address);
  await take(tx, LINKS_OF_TREE, { tree: agentId });
  await take(tx, addressLimit, holderOfAddress(address));
  const tokenId = await makeToken(tx, { agentId, purpose: 'address', address });
  const { username } = owner;
  const key = `address/${tokenId}`;
  await recordMail(tx, {
    key,
    agentId,
    kind: 'address_link',
    to: address,
    data: { username },
    tokenId,
  });
  if (isOther && owner.isProven) {
    await recordMail(tx, {
      key: `${key}/present`,
      agentId,
      kind: 'address_change',
      to: owner.address,
      data: { username, address },
    });
  }
  return address;
}

/**
 * Proves the address that the token was mailed to, and returns it. The address before it is told.
 * A link that has proven its address says so again, because buttons are pressed twice.
 */
export async function proveAddress(tx: Tx, token: string): Promise<string> {
  const link = await lockToken(tx.db, 'address', token);
  const before = link && (await addressOf(tx.db, link.agentId));
  if (!link || !before) {
    const address = await addressProvenBy(tx.db, token);
    if (address === undefined) throw addressLinkIsOver();
    return address;
  }
  await changeTo(tx, link);
  await endTokens(tx.db, { agentId: link.agentId, purpose: 'address' });
  if (before.address !== link.address) {
    // A link for a new password that went to the address before must not work any more.
    await endTokens(tx.db, { agentId: link.agentId, purpose: 'password' });
    if (before.isProven) {
      await recordMail(tx, {
        key: `address/${link.id}/before`,
        agentId: link.agentId,
        kind: 'address_changed',
        to: before.address,
        data: { username: before.username, address: link.address },
      });
    }
  }
  return link.address;
}

/** The address that a link has proven before, if its account still has it. */
export async function addressProvenBy(db: Database, token: string): Promise<string | undefined> {
  const used = await findUsed(db, 'address', token);
  const owner = used && (await addressOf(db, used.agentId));
  return owner?.isProven && owner.address === used?.address ? owner.address : undefined;
}

export const addressLinkIsOver = () =>
  linkIsOver('Ask for another one on the page of your account.');

/** The refusal of a link that was used, has ended or never was: nobody learns which. */
export const linkIsOver = (advice: string) =>
  new Refusal('not_found', `This link was used before, or it is too old. ${advice}`);

async function changeTo({ db }: Tx, { agentId, address }: MailToken): Promise<void> {
  await assertFree(db, agentId, address);
  await execute(
    db,
    `insert into former_address (agent_id, address)
     select id, email from agent where id = $1 and email <> $2
     on conflict (agent_id, address) do update set left_at = now()`,
    [agentId, address],
  );
  try {
    const sql = 'update agent set email = $2 where id = $1 and email <> $2';
    await execute(db, sql, [agentId, address]);
  } catch (error) {
    // Another account took it since it was looked for.
    throw isDuplicate(error, 'agent_email') ? badAddress('is taken') : error;
  }
  await execute(
    db,
    `insert into proven_address (agent_id, address) values ($1, $2)
     on conflict (agent_id) do update set address = excluded.address, proven_at = now()`,
    [agentId, address],
  );
}

/** Refuses an address of another account, as registering does. A unique index decides races. */
async function assertFree(db: Database, agentId: number, address: string): Promise<void> {
  const sql = 'select id from agent where lower(email) = lower($1) and id <> $2';
  const found = await rows(db, { id: column.id }, sql, [address, agentId]);
  if (found.length > 0) throw badAddress('is taken');
}

const badAddress = (message: string) => invalid([{ pointer: '/address', message }]);
