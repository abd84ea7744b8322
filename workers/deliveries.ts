import { moveEventWatermark } from '../shared/domains/events/watermark.ts';
import type { Context } from '../shared/composition/context.ts';
import { isConflict, isConnectionLost } from '../shared/platform/fault.ts';
import { throttled } from '../shared/platform/log.ts';
import { openShares } from '../shared/platform/shares/shares.ts';
import { claimRounds, findDue } from '../shared/domains/webhooks/claim_rounds.ts';
import { recordRounds } from '../shared/domains/webhooks/record_rounds.ts';
import type { RoundResult, Round } from '../shared/domains/webhooks/round.ts';
import { sendRound } from '../shared/domains/webhooks/send_round.ts';

/** Name of this work in QUEUES. It is not a queue: what is to be sent is only in PostgreSQL. */
export const WEBHOOKS = 'webhooks';

const TURN_EVERY_MS = 250;
/** Pause while nothing is due, so that an idle worker is quiet. */
const IDLE_TURN_EVERY_MS = 500;
/** Pauses for each turn: however long turns take, they take a fifth of the time at most. */
const PAUSES_PER_TURN = 4;
/** Rounds begun in one turn: those due at the same moment are spread over a second. */
const ROUNDS_PER_TURN = 32;
/** Rounds at once, for each BullMQ job that a worker may have in hand: they mostly wait. */
const SLOTS_EACH = 8;
/** Share of a holder: half of the slots, if it is alone. */
const PER_FREE = 1;
const CLOSE_MS_MAX = 6_000;

/**
 * Sends events to webhooks. Every turn records the rounds that have ended, and begins those that
 * are due, in a few statements. Any number of processes may do it: a webhook is claimed, and if the
 * process of a claim dies, another one takes over when the claim ends.
 */
export function startDeliveries(context: Context): { close(): Promise<void> } {
  const { database, reserved, config, log } = context;
  const warn = throttled(log);
  const slots = config.jobs.concurrency * SLOTS_EACH;
  const shares = openShares(slots, PER_FREE);
  const running = new Set<Promise<void>>();
  const pause = openPause();
  let ended: RoundResult[] = [];
  let isClosing = false;

  /** False: nothing was due. */
  async function turn(): Promise<boolean> {
    await recordEnded();
    const due = await findDue(database, 2 * slots);
    if (due.length === 0) return false;
    const holders = new Map<number, string>();
    for (const { id, holder } of due) {
      if (holders.size < ROUNDS_PER_TURN && shares.acquire(holder)) holders.set(id, holder);
    }
    if (holders.size === 0) return true;
    let rounds: Round[] = [];
    try {
      await moveEventWatermark(reserved);
      rounds = await claimRounds(database, [...holders.keys()]);
    } finally {
      const claimed = new Set(rounds.map(({ webhook }) => webhook.id));
      for (const [id, holder] of holders) if (!claimed.has(id)) shares.release(holder);
    }
    for (const round of rounds) begin(round, holders.get(round.webhook.id)!);
    return true;
  }

  function begin(round: Round, holder: string): void {
    const sent = sendRound(context, round)
      .then(
        (result) => void ended.push(result),
        (error: unknown) => warn(`webhook ${round.webhook.id} cannot be sent to`, error),
      )
      .finally(() => {
        shares.release(holder);
        running.delete(sent);
        if (running.size === 0 && ended.some((one) => one.round.more)) pause.end();
      });
    running.add(sent);
  }

  async function recordEnded(): Promise<void> {
    const results = ended;
    if (results.length === 0) return;
    ended = [];
    try {
      await recordRounds(database, results);
    } catch (error) {
      if (isConnectionLost(error) || isConflict(error)) {
        ended.push(...results);
        throw error;
      }
      // A failing round must not harm the others.
      for (const one of results) {
        await recordRounds(database, [one]).catch((fault: unknown) =>
          warn(`what webhook ${one.round.webhook.id} was sent is sent again`, fault),
        );
      }
    }
  }

  async function run(): Promise<void> {
    while (!isClosing) {
      const from = performance.now();
      const isBusy = await turn().catch((error: unknown) => {
        warn('events wait to be sent to webhooks', error);
        return true;
      });
      const tookMs = performance.now() - from;
      const everyMs = isBusy || running.size > 0 ? TURN_EVERY_MS : IDLE_TURN_EVERY_MS;
      await pause.begin(Math.max(everyMs - tookMs, PAUSES_PER_TURN * tookMs));
    }
  }
  const done = run();

  return {
    async close() {
      isClosing = true;
      pause.end();
      await done;
      await Promise.race([Promise.all(running), timeUp(CLOSE_MS_MAX)]);
      await recordEnded().catch((error: unknown) => warn('what was sent is sent again', error));
    },
  };
}

/** A pause that can be ended early, even before it begins. */
function openPause() {
  let isOver = false;
  let resume = () => undefined as void;
  return {
    async begin(ms: number): Promise<void> {
      await new Promise<void>((resolve) => {
        if (isOver) return resolve();
        const timer = setTimeout(resolve, ms);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      isOver = false;
    },
    end(): void {
      isOver = true;
      resume();
    },
  };
}

const timeUp = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
