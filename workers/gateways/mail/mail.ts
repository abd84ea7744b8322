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
import { openAddressTurns, type AddressTurnSettings } from './address_turns.ts';
import { openDisposableDomains } from './lists/disposable_domains.ts';
import type { Domains } from './lists/domains.ts';
import { findInLists, isFreeMail } from './lists/lists.ts';
import { answersAfterData, providerOf } from './lists/providers.ts';
import { openMailProbe, type Probe } from './probe.ts';
import { openProbePace } from './probe_pace.ts';
import type { ProbeAnswer } from './smtp/answers.ts';
import { openMailRoutes, type FindMailRoute, type MailRoute } from './routes.ts';
import { mailboxOf, openTold, type FindingStore, type Told } from './finding_store.ts';

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
  turns: AddressTurnSettings = {},
): MailGateway {
  const { smtpProbe, refusals, disposableDomains: source } = config.email;
  const port = smtpProbe?.port ?? 25;
  const routeOf = openMailRoutes({ ...config, port, isKnown: isFreeMail });
  const disposableDomains = openDisposableDomains(source, egress, log);
  const find = openFinder({ routeOf, disposableDomains }, turns, smtpProbe !== undefined);
  const now = () => clock.now().getTime();
  const told = openTold(store);
  if (!smtpProbe) return openExaminer({ find, told, now });
  // It is forgotten before the mailbox is asked for again.
  const greylistedMs = Math.min(GREYLISTED_MS_MAX, smtpProbe.greylistMs / 2);
  const probe = openMailProbe({ ...smtpProbe, refusals, greylistedMs }, egress, store, now);
  return openExaminer({ find, told, now, probe, greylistMs: smtpProbe.greylistMs });
}

type Finder = ReturnType<typeof openFinder>;

/** Looks up addresses. Those of a batch take turns; a single one does not wait for them. */
function openFinder(
  { routeOf, disposableDomains }: Sources,
  turns: AddressTurnSettings,
  isProbed: boolean,
) {
  const inTurn = openAddressTurns(turns);
  const atPace = openProbePace();

  return async (address: Address, { length }: readonly Address[], tree: number) => {
    const lookUp = () => routeOf(address.domain, tree);
    const begin = () => (isProbed ? atPace(tree, lookUp) : lookUp());
    const route = length === 1 ? await lookUp() : await inTurn(tree, begin);
    return resultOf(address, route ?? { kind: 'no_turn' }, disposableDomains);
  };
}

/** The findings of DNS and of lists, and the mail servers to ask, if there are any. */
function resultOf(address: Address, route: MailRoute, disposableDomains: Domains) {
  const hosts = route.kind === 'mx' ? route.hosts : [];
  const lists = findInLists(address, disposableDomains);
  const provider = providerOf(address.domain, hosts);
  const finding = findingOf(route);
  const now: Findings = { ...NOTHING, ...lists, provider, finding, mxFound: route.kind === 'mx' };
  return {
    now,
    hosts: route.kind === 'no_mx' ? [address.domain] : hosts,
    isLate: route.kind === 'no_turn',
  };
}

function findingOf({ kind }: MailRoute) {
  if (kind === 'mx') return 'domain_accepts_mail';
  return kind === 'no_turn' ? 'dns_time_out' : kind;
}

const NOTHING_TOLD = (): Told => ({ findings: new Map(), deferred: new Map(), waitedMs: 0 });

interface Sources {
  readonly routeOf: FindMailRoute;
  readonly disposableDomains: Domains;
}

interface Examiner {
  readonly find: Finder;
  readonly told: FindingStore;
  /** The platform's clock, in ms. */
  readonly now: () => number;
  /** Absent: mail servers are not asked. */
  readonly probe?: Probe;
  /** Time after which a server that defers unknown senders is asked again. */
  readonly greylistMs?: number;
}

function openExaminer({ find, told, now, probe, greylistMs = 0 }: Examiner): MailGateway {
  async function examine(
    addresses: readonly Address[],
    { key, tree }: { key: string; tree: number },
  ): Promise<readonly Findings[] | PendingExamination> {
    const mayWait = probe !== undefined || addresses.length > 1;
    // Without Redis no mail server is asked, because the job could not wait for the answer.
    const before = mayWait ? await told.of(key).catch(NOTHING_TOLD) : NOTHING_TOLD();
    const { findings, deferred } = before;
    const dueOf = (mailbox: string) => (deferred.get(mailbox) ?? -greylistMs) + greylistMs;
    const hasWaited = before.waitedMs > 0;
    const begunAt = now() - (hasWaited ? before.waitedMs + AT_ONCE_MS : 0);
    const waiting = new Map<string, Findings>();
    const asked = addresses.filter((address) => !findings.has(mailboxOf(address)));
    const answers: Promise<void>[] = [];
    let isLate = false;
    await Promise.all(
      asked.map(async (address) => {
        const mailbox = mailboxOf(address);
        const { now: found, hosts, ...turn } = await find(address, addresses, tree);
        isLate ||= turn.isLate;
        if (turn.isLate) return void waiting.set(mailbox, found);
        if (!probe || hosts.length === 0) return void findings.set(mailbox, found);
        waiting.set(mailbox, { ...found, finding: 'mailbox_not_asked' });
        if (dueOf(mailbox) > now()) return;
        answers.push(
          probe(address, hosts, tree).then((answer) => {
            if (answer === 'elsewhere') return;
            // The first time, a server that defers unknown senders has not decided.
            const isFirst = answer.finding === 'greylisted' && !deferred.has(mailbox);
            if (isFirst) return void deferred.set(mailbox, answer.askedAt);
            waiting.delete(mailbox);
            findings.set(mailbox, withAnswer(found, answer, begunAt));
          }),
        );
      }),
    );
    if (answers.length > 0) await inTime(Promise.all(answers));
    const isOver = before.waitedMs >= WAIT_MS_MAX + greylistMs;
    if (waiting.size > 0 && !isOver) {
      await told.keep(key, before).catch(() => undefined);
      if (isLate) return { retryMs: RETRY_MS_MIN };
      const half = Math.min(Math.max(before.waitedMs / 2, RETRY_MS_MIN), RETRY_MS_MAX);
      const nextDue = Math.min(...[...waiting.keys()].map(dueOf)) - now();
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
