import type { RateLimit, Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { column, execute, nullable, rows } from '../platform/rows.ts';

const WINDOW_SECONDS = 3_600;
/**
 * Nobody has proved an email address yet, so whoever uses up those of a domain must not keep out
 * others of it: a network that has had less than this share of them registers on.
 */
const NETWORK_SHARE = 0.01;

/** What the number of registrations is limited by. */
export interface Registration {
  /** Of the caller: an IPv4 address, or the /64 of an IPv6 one. */
  readonly address: string;
  readonly emailDomain: string;
}

export const registrationOf = ({ address = '' }: Tx, email: string): Registration => ({
  address,
  emailDomain: email.slice(email.lastIndexOf('@') + 1).toLowerCase(),
});

/**
 * Counts a registration that this transaction makes, or refuses it with `rate_limited`. Exact,
 * whichever process makes it: until COMMIT others of the same address or domain wait.
 */
export async function countRegistration(tx: Tx, registration: Registration): Promise<void> {
  const { address, emailDomain } = registration;
  const { perAddress, perEmailDomain } = tx.config.agents.registrations;
  if (perAddress === null && perEmailDomain === null) return;
  // One after the other, the address first: in another order two of them could wait for each other.
  for (const name of [`address ${address}`, `email_domain ${emailDomain}`]) {
    await execute(tx.db, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }
  await assertRegistrable(tx, registration, 1);
  await execute(tx.db, 'insert into registration (address, email_domain) values ($1, $2)', [
    address,
    emailDomain,
  ]);
  await execute(tx.db, FORGET);
}

/** Refuses what `countRegistration` would refuse now, before costly work. It promises nothing. */
export async function assertRegistrable(
  { config, db, onRateLimit }: Tx,
  { address, emailDomain }: Registration,
  more = 0,
): Promise<void> {
  const { perAddress, perEmailDomain } = config.agents.registrations;
  if (perAddress === null && perEmailDomain === null) return;
  const found = await rows(db, USED_COLUMNS, USED, [address, emailDomain]);
  for (const { name, used, of_network, reset } of found) {
    const limit = name === 'address' ? perAddress : perEmailDomain;
    if (limit === null) continue;
    const isReached = used >= limit && of_network >= shareOf(limit);
    const state: RateLimit = {
      name,
      limit,
      windowSeconds: WINDOW_SECONDS,
      left: isReached ? 0 : limit - used - more,
      resetSeconds: Math.max(1, Math.ceil(reset ?? WINDOW_SECONDS)),
    };
    // How many others have registered in a domain is told only when it is too many.
    if (isReached || name === 'address') onRateLimit?.(state);
    if (isReached) throw tooMany(state);
  }
}

function tooMany({ name, limit, windowSeconds, resetSeconds }: RateLimit): Refusal {
  const whose = name === 'address' ? 'from your address' : 'with this email domain';
  return new Refusal(
    'rate_limited',
    `Too many agents were registered ${whose} in this hour. Try again in ${resetSeconds} s. ` +
      'A registered agent can spawn agents of its own.',
    {
      limited_by: name,
      limit,
      window_seconds: windowSeconds,
      retry_after_seconds: resetSeconds,
    },
  );
}

/** One at least, unless nobody may register. */
const shareOf = (limit: number): number => Math.min(limit, Math.max(1, limit * NETWORK_SHARE));

const USED_COLUMNS = {
  name: column.text,
  used: column.int,
  of_network: column.int,
  reset: nullable(column.float),
};
/** The network of one provider or customer: an IPv4 /24 or an IPv6 /48, as SQL; null: not known. */
const networkOf = (address: string) => `network(set_masklen(nullif(${address}, '')::inet,
  case when family(nullif(${address}, '')::inet) = 4 then 24 else 48 end))`;
const SINCE = `created_at > now() - interval '${WINDOW_SECONDS} s'`;
const RESET = `extract(epoch from min(created_at) - now())::float8 + ${WINDOW_SECONDS} as reset`;
const USED = `
  select 'address' as name, count(*)::int as used, count(*)::int as of_network, ${RESET}
    from registration where address = $1 and ${SINCE}
  union all
  select 'email_domain', count(*)::int,
         (count(*) filter (
           where ${networkOf('address')} is not distinct from ${networkOf('$1')}))::int, ${RESET}
    from registration where email_domain = $2 and ${SINCE}`;

/** What counts no more, a few with each registration, so that no timer is needed. */
const FORGET = `
  delete from registration where id in (
    select id from registration where created_at <= now() - interval '${WINDOW_SECONDS} s'
     order by created_at limit 20 for update skip locked)`;
