import { createHash } from 'node:crypto';

import { canonical, parseAddress } from '../../../kernel/mail_address.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, nullable, row, rows } from '../../../platform/rows.ts';
import { payingAmong } from '../../ledger/holdings.ts';
import type { Findings } from '../findings.ts';

/*
 * Refusals in a row at one mail host may be about us. A host that also refuses postmaster, which
 * every host has to accept (RFC 5321 §4.5.1), is not believed for an hour: for the tree whose
 * mailboxes they were, and for everybody if they were of several trees that have paid. So an agent
 * that asks for names of nobody shuts out itself at most.
 */

/** Time for which a host is not believed. */
const DOUBT = `interval '1 hour'`;
/** Time within which refusals make a row, and charges for them are given back. */
const ROW = `interval '1 day'`;
/** Trees with cash that refusals have to be of, to be doubted for everybody. */
const PAYERS_MIN = 3;

/** A finding of a call, by the address as it was written. */
interface Found {
  readonly email: string;
  readonly finding: Findings;
}

/** SQL: whether the doubt `d` reaches a reply of a machine to a tree, at a time. */
export const reaches = (machine: string, rootId: string, askedAt: string) =>
  `d.machine = ${machine} and (d.root_id is null or d.root_id = ${rootId})
   and ${askedAt} >= d.since and ${askedAt} < d.ends_at`;

/** The findings of a call; those of hosts that are not believed are `host_in_doubt`, and free. */
export async function withoutDoubted(tx: Tx, findings: readonly Findings[]): Promise<Findings[]> {
  const asked = findings.filter(isOfMachine);
  if (asked.length === 0) return [...findings];
  const doubted = await rows(
    tx.db,
    { n: column.int },
    `select distinct n::int
       from unnest($2::text[], $3::timestamptz[]) with ordinality as found(machine, asked_at, n)
       join mail_doubt d on ${reaches('found.machine', '$1', 'found.asked_at')}
         or (d.machine = found.machine and (d.root_id is null or d.root_id = $1)
             and d.ends_at > now())`,
    [tx.caller.rootId, asked.map(({ machine }) => machine), asked.map(askedAtOf)],
  );
  const inDoubt = new Set(doubted.map(({ n }) => asked[n - 1]));
  return findings.map((one) =>
    inDoubt.has(one as Asked) ? { ...one, finding: 'host_in_doubt' } : one,
  );
}

/**
 * Records the replies of mail servers that a call was answered with, and begins doubts. `chargeId`:
 * the charge for them.
 */
export async function noteReplies(
  tx: Tx,
  found: readonly Found[],
  chargeId: number | undefined,
): Promise<void> {
  const noted = found.flatMap(({ email, finding }) => {
    const address = parseAddress(email.trim());
    if (!address || !isOfMachine(finding) || !IS_REPLY.has(finding.finding)) return [];
    const isRefused = finding.finding === 'mailbox_refused';
    // A mailbox that was accepted for an earlier call was recorded then.
    if (!isRefused && finding.isCached) return [];
    const mailbox = createHash('sha256').update(canonical(address)).digest();
    return [{ finding, mailbox, isRefused }];
  });
  if (noted.length === 0) return;
  await execute(
    tx.db,
    `insert into mail_reply
       (machine, provider, root_id, mailbox, refused, postmaster, asked_at, charge_id)
     select machine, provider, $1, mailbox, refused, postmaster, asked_at,
            case when refused then $2::bigint end
       from unnest($3::text[], $4::text[], $5::bytea[], $6::boolean[], $7::boolean[],
                   $8::timestamptz[])
         as reply(machine, provider, mailbox, refused, postmaster, asked_at)`,
    [
      tx.caller.rootId,
      chargeId ?? null,
      noted.map(({ finding }) => finding.machine),
      noted.map(({ finding }) => finding.provider),
      noted.map(({ mailbox }) => mailbox),
      noted.map(({ isRefused }) => isRefused),
      noted.map(({ finding }) => finding.postmaster),
      noted.map(({ finding }) => askedAtOf(finding)),
    ],
  );
  const machines = noted.flatMap(({ finding, isRefused }) =>
    isRefused && finding.postmaster === false ? [[finding.machine, finding.provider] as const] : [],
  );
  for (const [machine, provider] of new Map(machines)) await doubt(tx, machine, provider);
}

/** Begins a doubt if the refusals of this host since it last accepted a mailbox are enough. */
async function doubt(tx: Tx, machine: string, provider: string | null): Promise<void> {
  const { mailboxes, own, since, own_since, trees } = await row(
    tx.db,
    {
      mailboxes: column.int,
      own: column.int,
      since: nullable(column.time),
      own_since: nullable(column.time),
      trees: column.ids,
    },
    `select count(distinct mailbox)::int as mailboxes,
            count(distinct mailbox) filter (where root_id = $2)::int as own,
            min(asked_at) as since, min(asked_at) filter (where root_id = $2) as own_since,
            coalesce(array_agg(distinct root_id), '{}') as trees
       from mail_reply
      where machine = $1 and refused and asked_at > now() - ${ROW}
        and asked_at > coalesce((select max(asked_at) from mail_reply
                                  where machine = $1 and (not refused or postmaster)),
                                '-infinity')`,
    [machine, tx.caller.rootId],
  );
  const { refusals } = tx.config.email;
  const isMany = mailboxes >= refusals && trees.length >= PAYERS_MIN;
  const payers = isMany ? (await payingAmong(tx.db, trees)).size : 0;
  const isForAll = payers >= PAYERS_MIN;
  if (!isForAll && own < refusals) return;
  await execute(
    tx.db,
    `insert into mail_doubt (machine, provider, root_id, mailboxes, since, ends_at)
     values ($1, $2, $3, $4, $5, now() + ${DOUBT})`,
    isForAll
      ? [machine, provider, null, mailboxes, since]
      : [machine, provider, tx.caller.rootId, own, own_since],
  );
  const about = { machine, provider, mailboxes, trees: isForAll ? payers : 1 };
  tx.log.warn(about, 'a mail host refuses every mailbox and postmaster; it is not believed');
}

interface Asked extends Findings {
  readonly machine: string;
  readonly askedAt: number;
}

const isOfMachine = (finding: Findings): finding is Asked =>
  finding.machine !== null && finding.askedAt !== null;

const askedAtOf = ({ askedAt }: Asked): Date => new Date(askedAt);

/** Findings that are a reply about a mailbox. */
const IS_REPLY: ReadonlySet<string> = new Set([
  'mailbox_accepted',
  'mailbox_refused',
  'mailbox_full',
  'mailbox_disabled',
  'catch_all',
  'provider_not_askable',
]);
