import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '../../../shared/composition/config.ts';
import type { Address } from '../../../shared/kernel/mail_address.ts';
import {
  NOTHING,
  type Findings,
  type MailGateway,
  type PendingExamination,
} from '../../../shared/domains/email/findings.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Log } from '../../../shared/platform/log.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { openBeginnings } from './start_turns.ts';
import { openDisposableDomains } from './lists/disposable_domains.ts';
import type { Domains } from './lists/domains.ts';
import { findInLists, isFreeMail } from './lists/lists.ts';
import { answersAfterData, providerOf } from './lists/providers.ts';
import { openMailProbe, type Probe } from './probe.ts';
import type { ProbeAnswer } from './smtp/answers.ts';
import { openMailRoutes, type FindMailRoute } from './routes.ts';
import { mailboxOf, openTold, type Told } from './finding_store.ts';

/** Addresses of batches that begin at once if mail servers are asked, which costs far more. */
const PROBED_AT_ONCE = 1;
/** Time that a job waits at once for a mail server's answer. */
const AT_ONCE_MS = 1_500;
/** A job that waits looks again after half the time that it has waited, within these bounds. */
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;
/** Maximum wait of a job besides greylisting, whatever became of the workers that asked. */
const WAIT_MS_MAX = 900_000;
/** Maximum time for which a mailbox counts as greylisted, for the jobs that wait for it. */
const GREYLISTED_MS_MAX = 30_000;

/** Our side of the mail system: lists, DNS and, where it is switched on, mail servers. */
export function openMail(
  config: Config,
  egress: Egress,
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
): MailGateway {
  const { smtpProbe, refusals, disposableDomains: source } = config.email;
  const port = smtpProbe?.port ?? 25;
  const routeOf = openMailRoutes({ ...config, port, isKnown: isFreeMail });
  const disposableDomains = openDisposableDomains(source, egress, log);
  const sources = { routeOf, disposableDomains };
  const findByDns = openFinder(sources, smtpProbe ? PROBED_AT_ONCE : undefined);
  if (smtpProbe) {
    const now = () => clock.now().getTime();
    // It is forgotten before the mailbox is asked for again.
    const greylistedMs = Math.min(GREYLISTED_MS_MAX, smtpProbe.greylistMs / 2);
    const probe = openMailProbe({ ...smtpProbe, refusals, greylistedMs }, egress, store, now);
    return gatewayWithProbe(findByDns, probe, { store, now, greylistMs: smtpProbe.greylistMs });
  }
  return {
    async examine(addresses, { tree }) {
      const found = await Promise.all(addresses.map((one) => findByDns(one, addresses, tree)));
      return found.map(({ now }) => now);
    },
  };
}

type Finder = ReturnType<typeof openFinder>;

/** Addresses of a batch take turns; a single one does not wait for them. */
function openFinder(sources: Sources, max?: number) {
  const begin = openBeginnings({ max });
  return (address: Address, { length }: readonly Address[], tree: number) => {
    const find = () => findByDns(sources, address, tree);
    return length > 1 ? begin(tree, find) : find();
  };
}

const NOTHING_TOLD = (): Told => ({ findings: new Map(), deferred: new Map(), waitedMs: 0 });

interface Sources {
  readonly routeOf: FindMailRoute;
  readonly disposableDomains: Domains;
}

/** Findings of DNS, and the mail servers to ask, if there are any. */
async function findByDns({ routeOf, disposableDomains }: Sources, address: Address, tree: number) {
  const route = await routeOf(address.domain, tree);
  const lists = findInLists(address, disposableDomains);
  const mxFound = route.kind === 'mx';
  const provider = providerOf(address.domain, route.kind === 'mx' ? route.hosts : []);
  const finding = mxFound ? ('domain_accepts_mail' as const) : route.kind;
  const now: Findings = { ...NOTHING, ...lists, provider, finding, mxFound };
  return {
    now,
    hosts: route.kind === 'mx' ? route.hosts : route.kind === 'no_mx' ? [address.domain] : [],
  };
}

function gatewayWithProbe(
  find: Finder,
  probe: Probe,
  { store, now: clockMs, greylistMs }: { store: Store; now: () => number; greylistMs: number },
): MailGateway {
  const told = openTold(store);

  async function examine(
    addresses: readonly Address[],
    { key, tree }: { key: string; tree: number },
  ): Promise<readonly Findings[] | PendingExamination> {
    // Without Redis no mail server is asked, because the job could not wait for the answer.
    const before = await told.of(key).catch(() => NOTHING_TOLD());
    const { findings, deferred } = before;
    const dueOf = (mailbox: string) => (deferred.get(mailbox) ?? -greylistMs) + greylistMs;
    const hasWaited = before.waitedMs > 0;
    const begunAt = clockMs() - (hasWaited ? before.waitedMs + AT_ONCE_MS : 0);
    const waiting = new Map<string, Findings>();
    const asked = addresses.filter((address) => !findings.has(mailboxOf(address)));
    const answers: Promise<void>[] = [];
    await Promise.all(
      asked.map(async (address) => {
        const { now, hosts } = await find(address, addresses, tree);
        const mailbox = mailboxOf(address);
        if (hosts.length === 0) return void findings.set(mailbox, now);
        waiting.set(mailbox, { ...now, finding: 'mailbox_not_asked' });
        if (dueOf(mailbox) > clockMs()) return;
        answers.push(
          probe(address, hosts, tree).then((answer) => {
            if (answer === 'elsewhere') return;
            // The first time, a server that defers unknown senders has not decided.
            const isFirst = answer.finding === 'greylisted' && !deferred.has(mailbox);
            if (isFirst) return void deferred.set(mailbox, answer.askedAt);
            waiting.delete(mailbox);
            findings.set(mailbox, withAnswer(now, answer, begunAt));
          }),
        );
      }),
    );
    await inTime(Promise.all(answers));
    const isOver = before.waitedMs >= WAIT_MS_MAX + greylistMs;
    if (waiting.size > 0 && !isOver) {
      await told.keep(key, before).catch(() => undefined);
      const half = Math.min(Math.max(before.waitedMs / 2, RETRY_MS_MIN), RETRY_MS_MAX);
      const nextDue = Math.min(...[...waiting.keys()].map(dueOf)) - clockMs();
      return { retryMs: Math.max(half, nextDue) };
    }
    return addresses.map((address) => {
      const mailbox = mailboxOf(address);
      return findings.get(mailbox) ?? waiting.get(mailbox)!;
    });
  }
  return { examine };
}

/** The findings with the answer of a mail server, for a job that began at this time. */
function withAnswer(now: Findings, answer: ProbeAnswer, begunAt: number): Findings {
  const { greeted, askedAt, machine, postmaster } = answer;
  const isUnaskable = answer.finding === 'catch_all' && answersAfterData(now.provider);
  const finding = isUnaskable ? 'provider_not_askable' : answer.finding;
  const mxFound = now.mxFound && finding !== 'no_mail_server';
  const isCached = askedAt < begunAt;
  return { ...now, finding, mxFound, greeted, askedAt, machine, postmaster, isCached };
}

/** Waits for the work, up to a limit. */
async function inTime(work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const timeUp = sleep(AT_ONCE_MS, undefined, { signal }).catch(() => undefined);
  await Promise.race([work, timeUp]);
  ended.abort();
}
