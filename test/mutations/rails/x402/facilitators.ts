import type { Mutation } from '../../mutation.ts';

const FACILITATORS = 'workers/gateways/x402/facilitators.ts';
const AUTHORIZATION = 'workers/gateways/x402/authorization.ts';
const tests = ['test/x402/facilitators.test.ts'];

/** Which facilitator gets a payment, and what proves us to it. */
export const X402_FACILITATORS: readonly Mutation[] = [
  {
    name: 'payment_that_one_was_told_to_settle_is_given_to_another',
    file: FACILITATORS,
    from: 'given === null || name === given',
    to: 'given === null || name !== undefined',
    tests,
    grep: 'never get a payment',
  },
  {
    name: 'who_was_told_to_settle_a_payment_is_not_noted',
    file: FACILITATORS,
    from: "const set = redis.set(key, name, 'PX', KEPT_MS, 'NX', 'GET');",
    to: 'const set = redis.get(key);',
    tests,
    grep: 'never get a payment',
  },
  {
    name: 'another_settles_after_an_answer_that_was_lost',
    file: FACILITATORS,
    from: 'if (!settled) break;',
    to: 'if (!settled) continue;',
    tests,
    grep: 'never get a payment',
  },
  {
    name: 'refusal_of_one_facilitator_is_asked_of_the_next',
    file: FACILITATORS,
    from: 'return { ...refusedFor(verified.invalidReason), answers };',
    to: 'continue;',
    tests,
    grep: 'end with what the first says',
  },
  {
    name: 'fault_of_a_facilitator_refuses_a_payment',
    file: FACILITATORS,
    from: 'if (!verified) continue;',
    to: 'if (!verified) break;',
    tests,
    grep: 'signed by Ed25519',
  },
  {
    name: 'token_for_a_facilitator_names_another_path',
    file: AUTHORIZATION,
    from: 'uris: [`${method} ${host}${pathname}`]',
    to: 'uris: [`${method} ${host}/`]',
    tests,
    grep: 'signed by Ed25519',
  },
  {
    name: 'token_for_a_facilitator_is_good_for_days',
    file: AUTHORIZATION,
    from: 'exp: issuedAt + LIVES_SECONDS',
    to: 'exp: issuedAt + LIVES_SECONDS * 1_000',
    tests,
    grep: 'signed by Ed25519',
  },
];
