import { Refusal, type RefusalCode } from '../../shared/kernel/refusal.ts';
import { ProtocolError, REPLY, type Reply } from './messages.ts';

/** The reason why a client is not connected to its target, or has no answer of it. */
export class Denial extends Error {
  /** Undefined: the client has its answer already. */
  readonly reply: Reply | undefined;
  readonly #options: DenialOptions;

  /** `outcome` is for the log, and the name of its refusal unless that is given. */
  constructor(reply: Reply | undefined, outcome: string, options: DenialOptions = {}) {
    super(outcome, options);
    this.reply = reply;
    this.#options = options;
  }

  /** The reason in the words of the other interfaces. */
  get refusal(): Refusal {
    const { refusal, sentence, isCharged } = this.#options;
    if (refusal) return refusal;
    const isLate = this.message === 'not_reached' && this.reply === REPLY.timeUp;
    const [code, text] = REASONS[isLate ? 'not_reached_in_time' : this.message] ?? ENDED;
    return new Refusal(code, [sentence ?? text, ...costOf(isCharged)].join(' '));
  }

  /** Names of the operations that help, if they are others than those of the code. */
  get next(): readonly string[] | undefined {
    if (LOGINS.includes(this.message)) return ['proxy_my_key'];
    return this.message === 'no_proxy' ? ['proxy_countries'] : undefined;
  }

  /** The status of an HTTP proxy. Only its client's key asks for another login. */
  get httpStatus(): number {
    const { httpStatus } = this.#options;
    if (httpStatus !== undefined) return httpStatus;
    if (LOGINS.includes(this.message)) return 407;
    switch (this.message) {
      case 'not_reached':
        return this.reply === REPLY.timeUp ? 504 : 502;
      // Proxies are checked all the time: the request is right, and may succeed in a minute.
      case 'no_proxy':
        return 503;
      case 'proxy_disconnected':
      case 'not_http':
        return 502;
      case 'no_answer':
      case 'idle':
        return 504;
      default:
        return this.refusal.status;
    }
  }
}

interface DenialOptions extends ErrorOptions {
  readonly refusal?: Refusal;
  readonly httpStatus?: number;
  /** Text that says more than that of the outcome. */
  readonly sentence?: string;
  /** Whether a connection that reached its target is paid for. Absent: none did. */
  readonly isCharged?: boolean;
}

const costOf = (isCharged: boolean | undefined): string[] =>
  isCharged === undefined
    ? []
    : [isCharged ? 'The connection was charged.' : 'Nothing was charged.'];

const LOGINS: readonly string[] = ['no_login', 'wrong_key', 'bad_user_name'];

const NOW: RefusalCode = 'service_unavailable';
const ENDED: readonly [RefusalCode, string] = [NOW, 'The connection was ended. Retry later.'];
const LATE: readonly [RefusalCode, string] = [
  'request_timeout',
  'The target was reached and sent no answer in time.',
];
const REASONS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  no_login: ['authentication_required', 'Send the user name agent and your proxy key.'],
  wrong_key: ['invalid_key', 'The password is no proxy key. proxy_my_key shows yours.'],
  bad_user_name: ['validation_error', 'The user name is not understood.'],
  forbidden_target: ['forbidden', 'The target must be a public address, or a public name.'],
  forbidden_port: ['forbidden', 'The port of the target is not for sale.'],
  no_proxy: [
    'out_of_stock',
    'No proxy that fits the user name is known to work at the moment. Retry in a minute, or ' +
      'leave options out of the user name, such as the city.',
  ],
  not_reached: [NOW, 'Up to three proxies did not reach the target. Nothing was charged.'],
  not_reached_in_time: [
    'request_timeout',
    'Up to three proxies did not reach the target in time. Nothing was charged.',
  ],
  proxy_disconnected: [NOW, 'The proxy ended the connection without an answer.'],
  not_http: [NOW, 'The target did not answer in HTTP. For other protocols use CONNECT.'],
  no_answer: LATE,
  idle: LATE,
  bad_body: ['bad_request', 'The body of the request is not valid.'],
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
