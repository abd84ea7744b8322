/**
 * Points where tests kill a process, named as in the fault tests. Inert: only code inside the
 * process can arm one, and only the programs of the fault tests do.
 */
type Point =
  | 'A1' // a call is recorded, and not yet pushed
  | 'W0' // a worker has the job, and has begun no transaction
  | 'W1' // the job row is locked
  | 'W3' // the work is done, and the job is not finished
  | 'W4' // the job is finished, and not committed
  | 'W5' // committed, and the answer is not published
  | 'W6' // the answer is published, and BullMQ still holds the job
  | 'F0' // a worker has a batch, and has begun nothing
  | 'F2' // a batch is committed, and its answers are not published
  | 'B1' // a batch of writes is done and recorded, and not committed
  | 'B2' // it is committed, and its callers are not answered
  | 'D0' // the dispatcher has claimed due rows, and has not pushed them
  | 'D1' // and has pushed them
  | 'H0' // rounds of webhooks are claimed, and nothing is sent (the ids are those of webhooks)
  | 'H1' // they are sent, and nothing of that is recorded
  | 'H2' // it is recorded, and not committed
  | 'H3' // and committed
  | 'X0' // a payment by x402 is recorded, and its job is not pushed
  | 'X1' // a facilitator was asked to settle it, and nothing of that is recorded
  | 'X2' // it is credited, and its call is not made
  | 'P0' // a payment is signed, and its bytes are not stored (the id is that of a withdrawal)
  | 'P1' // they are stored, and were not sent
  | 'P2' // they were sent, and nothing of that is recorded
  | 'P3' // it is final on its chain, and its withdrawal is closed, and that is not committed
  | 'T0' // a token is signed, and its bytes are not stored (the id is that of the token)
  | 'T1' // they are stored, and were not sent in this round
  | 'T2' // they were sent, and nothing of that is recorded
  | 'T3' // it is there, and its row says so, and that is not committed
  | 'S1'; // a connection of the SOCKS5 server is sold, and its client has no reply

export const crashes: { at?: (point: Point, ids: readonly string[]) => void } = {};

export const crashPoint = (point: Point, ids: readonly string[] = []): void =>
  crashes.at?.(point, ids);
