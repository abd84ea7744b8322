/** The agent that makes a call. 0: the operator. */
export interface Agent {
  readonly id: number;
  readonly token: string;
}

/** The token that every process of a drill knows. */
export const OPERATOR_TOKEN = 'operator-token-of-the-drill';
export const OPERATOR: Agent = { id: 0, token: OPERATOR_TOKEN };

export interface Call {
  readonly agent: Agent;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly key?: string | undefined;
  /** It can be repeated without a key: it reads, or cannot happen twice. */
  readonly repeatable?: boolean;
}

/** One sending of a call. */
export interface Sending {
  readonly base: string;
  readonly call: Call;
  readonly requestId: string;
  /** How long to wait for a job, in seconds. */
  readonly wait: number | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- clients read any answer
  readonly body: any;
}

export const headersOf = ({ agent }: Call, requestId: string) => ({
  authorization: `Bearer ${agent.token}`,
  'content-type': 'application/json',
  'x-request-id': requestId,
});
