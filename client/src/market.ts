import { ROUTES, VERSION } from '../generated/routes.ts';
import { EventFeed } from './events.ts';
import { ApprovalRequired, jobOf, Refused, StillPending } from './outcomes.ts';
import { send, type Connection, type Reply, type Sent } from './transport.ts';
import type {
  Answer,
  Arguments,
  CallOptions,
  Input,
  Item,
  ListName,
  OperationName,
  Result,
  Route,
  Schemas,
} from './operations.ts';

export interface MarketOptions {
  /** URL of the marketplace: http://localhost:3000 if absent. */
  readonly baseUrl?: string;
  /** API key (`vnx_…`); without one only public operations can be called. */
  readonly key?: string;
  /** Seconds that one request waits for a job before it polls: 20 if absent. */
  readonly waitSeconds?: number;
  /** Maximum attempts for a request: 5 if absent. */
  readonly attempts?: number;
  /** Time limit of calls that set none, in milliseconds: 120 000 if absent. */
  readonly timeoutMs?: number;
  /** Name of your program, such as `my-agent/1.2`: sent in User-Agent after our own name. */
  readonly userAgent?: string;
  /** Sends the requests: for a proxy, for logs, for tests. */
  readonly fetch?: typeof fetch;
}

/** Each operation as a function: it answers, or throws `Refused` or another of `outcomes.ts`. */
type Calls = {
  readonly [N in OperationName]: (...args: Arguments<N>) => Promise<Answer<N>>;
};

export interface Market extends Calls {
  /** The same call with its refusal as a value, whose code the compiler knows. */
  try<N extends OperationName>(name: N, ...args: Arguments<N>): Promise<Result<N>>;
  /** Resumes waiting for a call that was accepted, also in another process. */
  resume<N extends OperationName>(
    name: N,
    jobId: string,
    options?: CallOptions,
  ): Promise<Answer<N>>;
  /** Every entry of a list, page after page. */
  all<N extends ListName>(
    name: N,
    input?: Input<N>,
    options?: CallOptions,
  ): AsyncGenerator<Item<N>, void>;
  /** Events from now on, or from a cursor on, for as long as it is iterated. */
  events(options?: {
    readonly type?: string;
    readonly cursor?: string;
    readonly signal?: AbortSignal;
  }): EventFeed;
}

const TIMEOUT_MS = 120_000;
const routes: Readonly<Record<string, Route>> = ROUTES;

/** A client of one marketplace, with one key. It holds no connection: nothing has to be closed. */
export function openMarket(options: MarketOptions = {}): Market {
  const connection: Connection = {
    baseUrl: (options.baseUrl ?? 'http://localhost:3000').replace(/\/+$/, ''),
    key: options.key,
    fetch: options.fetch ?? fetch,
    waitSeconds: options.waitSeconds ?? 20,
    attempts: options.attempts ?? 5,
    userAgent: [`agent-marketplace-client/${VERSION}`, options.userAgent].filter(Boolean).join(' '),
  };
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;

  async function call(operation: string, input: object = {}, options: CallOptions = {}) {
    const endsAt = Date.now() + (options.timeoutMs ?? timeoutMs);
    const sent: Sent = {
      operation,
      route: routes[operation]!,
      input: { ...input },
      options,
      endsAt,
    };
    const reply = await send(connection, sent);
    return reply.status === 202 ? finish(sent, reply) : reply.body;
  }

  async function finish(sent: Sent, { body }: Reply): Promise<unknown> {
    const accepted = body as Schemas['Pending'] | Schemas['ApprovalRequired'];
    if (accepted.status === 'approval_required' && !sent.options.waitForApproval) {
      throw new ApprovalRequired(sent.operation, accepted);
    }
    return wait(sent, jobOf(accepted.poll));
  }

  async function wait({ operation, options, endsAt }: Sent, jobId: string): Promise<unknown> {
    const route = routes.get_job!;
    for (;;) {
      const seconds = Math.floor(Math.max(endsAt - Date.now(), 0) / 1_000);
      const input = { job_id: jobId, wait: Math.min(connection.waitSeconds, seconds) };
      const polled: Sent = { operation, route, input, options, endsAt };
      const job = (await send(connection, polled)).body as Schemas['Job'];
      const asked = job.approval as Schemas['ApprovalRequired'] | undefined;
      if (job.status === 'failed') {
        throw new Refused(operation, job.http_status!, job.error as Schemas['Error']);
      }
      // A repeat of a call that waits for an owner ends at once, and names the waiting call.
      if (job.status === 'complete' && !asked) return job.result;
      if (asked && !options.waitForApproval) throw new ApprovalRequired(operation, asked);
      if (Date.now() >= endsAt) throw new StillPending(operation, jobId);
      if (job.status === 'complete') return wait(polled, jobOf(asked!.poll));
    }
  }

  async function* all(
    name: string,
    input: object = {},
    options: CallOptions = {},
  ): AsyncGenerator<unknown, void> {
    let cursor: string | undefined;
    do {
      const page = (await call(name, cursor ? { ...input, cursor } : input, options)) as Page;
      yield* page[routes[name]!.list!] as unknown[];
      cursor = page.has_more ? page.next_cursor! : undefined;
    } while (cursor !== undefined);
  }

  const calls = Object.fromEntries(
    Object.keys(ROUTES).map((name) => [
      name,
      (input?: object, options?: CallOptions) => call(name, input, options),
    ]),
  );
  const others = {
    async try(name: string, input?: object, options?: CallOptions) {
      try {
        return { ok: true, answer: await call(name, input, options) };
      } catch (error) {
        if (error instanceof Refused) return { ok: false, refusal: error.refusal };
        throw error;
      }
    },
    resume(operation: string, jobId: string, options: CallOptions = {}) {
      const endsAt = Date.now() + (options.timeoutMs ?? timeoutMs);
      return wait({ operation, route: routes.get_job!, input: {}, options, endsAt }, jobId);
    },
    all,
    events: (options = {}) => new EventFeed(call, options),
  };
  return { ...calls, ...others } as unknown as Market;
}

interface Page extends Readonly<Record<string, unknown>> {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
