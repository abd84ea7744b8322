import { Refusal, type RefusalCode } from '../../shared/kernel/refusal.ts';
import { ProtocolError, REPLY, type Reply } from './messages.ts';

/** The reason why a client is not connected to its target. */
export class Denial extends Error {
  /** Undefined: the client has its answer already. */
  readonly reply: Reply | undefined;
  readonly #refusal: Refusal | undefined;
  readonly #httpStatus: number | undefined;

  /** `outcome` is for the log, and the name of its refusal unless that is given. */
  constructor(
    reply: Reply | undefined,
    outcome: string,
    { refusal, httpStatus, ...options }: DenialOptions = {},
  ) {
    super(outcome, options);
    this.reply = reply;
    this.#refusal = refusal;
    this.#httpStatus = httpStatus;
  }

  /** The reason in the words of the other interfaces. */
  get refusal(): Refusal {
    if (this.#refusal) return this.#refusal;
    const isLate = this.message === 'not_reached' && this.reply === REPLY.timeUp;
    const [code, message] = REASONS[isLate ? 'not_reached_in_time' : this.message] ?? ENDED;
    return new Refusal(code, message);
  }

  /** The status of an HTTP proxy. Only its client's key asks for another login. */
  get httpStatus(): number {
    if (this.#httpStatus !== undefined) return this.#httpStatus;
    if (LOGINS.includes(this.message)) return 407;
    switch (this.message) {
      case 'not_reached':
        return this.reply === REPLY.timeUp ? 504 : 502;
      case 'proxy_disconnected':
        return 502;
      default:
        return this.refusal.status === 400 ? 503 : this.refusal.status;
    }
  }
}

interface DenialOptions extends ErrorOptions {
  readonly refusal?: Refusal;
  readonly httpStatus?: number;
}

const LOGINS: readonly string[] = ['no_login', 'wrong_key', 'bad_user_name'];

const NOW: RefusalCode = 'service_unavailable';
const ENDED: readonly [RefusalCode, string] = [
  NOW,
  'The connection was ended. Nothing was charged.',
];
const REASONS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  no_login: ['authentication_required', 'Send the user name agent and your proxy key.'],
  wrong_key: ['invalid_key', 'The password is no proxy key. proxy_my_key shows yours.'],
  bad_user_name: [
    'validation_error',
    'The user name is agent, and behind it -country-us, -city-new-york, -asn-3320, ' +
      '-session-<name> or -ttl-30m, each once.',
  ],
  forbidden_target: [
    'forbidden',
    'The target must be a public address or name, at a port that is for sale.',
  ],
  no_proxy: ['out_of_stock', 'No proxy is on sale with what the user name asks for.'],
  not_reached: [NOW, 'Up to three proxies did not reach the target. Nothing was charged.'],
  not_reached_in_time: [
    'request_timeout',
    'Up to three proxies did not reach the target in time. Nothing was charged.',
  ],
  proxy_disconnected: [NOW, 'The proxy ended the connection. Nothing was charged.'],
  too_many_connections: ['rate_limited', 'You have as many connections open as you may.'],
  overloaded: ['queue_overloaded', 'The server is busy. Retry later.'],
  request_not_supported: ['bad_request', 'SOCKS5 is supported with CONNECT alone.'],
  fault: [NOW, 'Something is wrong on our side. Retry later.'],
};

/**
 * The denial for an error; undefined: it is a fault. What an agent may not do or cannot pay for is
 * "not allowed"; what may succeed in a moment is a "general failure".
 */
export function denialOf(error: unknown): Denial | undefined {
  if (error instanceof Denial) return error;
  if (error instanceof ProtocolError) {
    return new Denial(undefined, error.message.replaceAll(' ', '_'));
  }
  if (!(error instanceof Refusal)) return undefined;
  const reply = error.status < 500 ? REPLY.notAllowed : REPLY.failure;
  return new Denial(reply, error.code, { refusal: error });
}
