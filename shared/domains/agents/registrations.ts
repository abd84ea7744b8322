import type { Address } from '../../kernel/mail_address.ts';
import type { RateLimit, Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, nullable, rows } from '../../platform/rows.ts';

const WINDOW_SECONDS = 3_600;
/**
 * Share of a domain's registrations that each network may always make. Email addresses are not
 * proved yet, so one network that uses up a domain's limit must not keep out the others.
 */
const NETWORK_SHARE = 0.01;

/** The values that limit the number of registrations. */
interface Registration {
  /** The caller's IPv4 address, or the /64 of its IPv6 address. */
  readonly address: string;
  readonly emailDomain: string;
}

export const registrationOf = ({ address = '' }: Tx, { domain }: Address): Registration => ({
  address,
  emailDomain: domain,
});

/**
 * Counts a registration that this transaction makes, or refuses it with `rate_limited`. Exact over
 * all processes: until COMMIT others of the same address or domain wait.
 */
export async function countRegistration(tx: Tx, registration: Registration): Promise<void> {
  const { address, emailDomain } = registration;
  const { perAddress, perEmailDomain } = tx.config.agents.registrations;
  if (perAddress === null && perEmailDomain === null) return;
  // The locks are always taken in this order, or two registrations could deadlock.
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

/** Refuses what `countRegistration` would refuse now, before costly work; it reserves nothing. */
export async function assertRegistrable(
  { config, db, now, onRateLimit }: Tx,
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
    // The count of a domain shows how many others registered, so it is told only at the limit.
    if (isReached || name === 'address') onRateLimit?.(state);
    if (isReached) throw tooMany(state, now);
  }
}

function tooMany({ name, limit, windowSeconds, resetSeconds }: RateLimit, now: Date): Refusal {
  const source = name === 'address' ? 'from your address' : 'with this email domain';
  return new Refusal(
    'rate_limited',
    `Too many agents were registered ${source} within an hour. Retry in ${resetSeconds} s. ` +
      'A registered agent can spawn more agents.',
    {
      limited_by: name,
      limit,
      used: limit,
      window_seconds: windowSeconds,
      retry_after_seconds: resetSeconds,
      resets_at: new Date(now.getTime() + resetSeconds * 1_000).toISOString(),
    },
  );
}

/** The share of a network: at least one, unless nobody may register. */
const shareOf = (limit: number): number => Math.min(limit, Math.max(1, limit * NETWORK_SHARE));

const USED_COLUMNS = {
  name: column.text,
  used: column.int,
  of_network: column.int,
  reset: nullable(column.float),
};
/** SQL: the network of an address, an IPv4 /24 or an IPv6 /48; null: unknown. */
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

/** Deletes a few old rows with each registration, so that no timer is needed. */
const FORGET = `
  delete from registration where id in (
    select id from registration where created_at <= now() - interval '${WINDOW_SECONDS} s'
     order by created_at limit 20 for update skip locked)`;
