import { expect } from 'chai';

import { published } from '../../shared/kernel/catalog.ts';
import { TestPlatform } from '../harness.ts';
import { DOORS, knock, type Invoke } from './interfaces.ts';
import { RIGHTS, type Right } from './rights.ts';
import { OPERATOR_TOKEN, setScene, type Party, type Scene } from './scene.ts';

const STATUSES: Readonly<Record<string, number>> = {
  ok: 200,
  authentication_required: 401,
  invalid_key: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  self_purchase: 400,
};

interface Actor {
  readonly name: string;
  readonly authorization?: string;
  /** What stands in the way of the key itself; "operator": it is the operator's token. */
  readonly proof: 'none' | 'wrong' | 'agent' | 'operator';
  readonly party: Party;
  readonly scopes: readonly string[];
  readonly isChild?: true;
}

/** What this actor must hear by this door: worked out from the table, not from the code. */
function expected(
  { access, isTool, hears = {}, needs = {} }: Right,
  actor: Actor,
  door: Invoke,
): string {
  const isOperators = access === 'operator' && door === 'REST';
  // A name and a password prove an operator to operations for operators, and elsewhere nothing.
  const isBasic = actor.authorization?.startsWith('Basic') && !isOperators;
  const proof = isBasic ? 'none' : actor.proof;

  if (proof === 'wrong') return 'invalid_key';
  if (isOperators) {
    if (proof === 'operator') return 'ok';
    return proof === 'none' ? 'authentication_required' : 'invalid_key';
  }
  if (proof === 'operator') return 'invalid_key';
  // A stream is for those who have a key, whatever is said by it.
  if (proof === 'none' && door === 'MCP by stream') return 'authentication_required';
  if (isTool === false && door.startsWith('MCP')) return 'no such tool';
  if (proof === 'none') return access === 'public' ? 'ok' : 'authentication_required';
  if (isTool === false && door !== 'REST') return 'not_found';

  const ofParty = needs[actor.party];
  const needed = {
    public: [],
    any: ofParty ? [ofParty] : [],
    read: ['read'],
    buy: ['buy'],
    sell: ['sell'],
    owner: ['read', 'buy', 'sell'],
    operator: [],
  }[access];
  if (!needed.every((scope) => actor.scopes.includes(scope))) return 'insufficient_scope';
  if (access === 'owner' && actor.isChild) return 'forbidden';
  return hears[actor.party] ?? 'ok';
}

describe('access', () => {
  let platform: TestPlatform;
  let scene: Scene;
  let actors: Actor[];
  let checks = 0;

  before(async function () {
    this.timeout(60_000);
    platform = await TestPlatform.open();
    scene = await setScene(platform);
    actors = await castOf(scene);
  });
  after(() => platform.close());

  it('is decided, in the table of this test, for every published operation and no other', () => {
    const decided = Object.entries(RIGHTS).map(([name, { route }]) => `${name} ${route}`);
    const offered = published.map(({ name, rest }) => `${name} ${rest}`);
    expect(decided.toSorted()).to.deep.equal(offered.toSorted());
  });

  for (const [tool, right] of Object.entries(RIGHTS)) {
    it(`to ${tool} is the same for every actor by every door, and what it should be`, async () => {
      const found = await Promise.all(
        actors.flatMap((actor) =>
          DOORS.map(async (door) => {
            const input = ((await right.input?.(scene, actor.party)) ?? {}) as Record<
              string,
              string
            >;
            const called = { route: right.route, tool, input };
            const { code, status } = await knock(platform, door, called, actor.authorization);
            checks += 1;
            const wanted = expected(right, actor, door);
            const isRight = code === wanted && (status ?? STATUSES[code]) === STATUSES[code];
            return isRight ? [] : `${actor.name} by ${door}: ${status} ${code}, not ${wanted}`;
          }),
        ),
      );
      expect(found.flat()).to.deep.equal([]);
    });
  }

  it('was asked for at least eight hundred times', () => {
    expect(checks).to.be.at.least(800);
  });
});

async function castOf({ platform, seller, buyer, stranger, child, revokedKey }: Scene) {
  const all = ['read', 'buy', 'sell'];
  const agent = (name: string, key: string, party: Party, scopes = all): Actor => ({
    name,
    party,
    scopes,
    proof: 'agent',
    authorization: `Bearer ${key}`,
  });
  const outsider = (name: string, proof: Actor['proof'], authorization?: string): Actor => ({
    name,
    proof,
    party: 'stranger',
    scopes: [],
    ...(authorization !== undefined && { authorization }),
  });
  const basic = Buffer.from(`operator:${OPERATOR_TOKEN}`).toString('base64');
  const one = (scope: string) => platform.keyOf(stranger, [scope]);
  return [
    outsider('nobody', 'none'),
    outsider('somebody with a malformed key', 'wrong', 'Bearer vnx_nonsense'),
    outsider('somebody with a key of the right form', 'wrong', `Bearer ${changed(stranger.key)}`),
    outsider('the owner of a revoked key', 'wrong', `Bearer ${revokedKey}`),
    outsider('the operator', 'operator', `Bearer ${OPERATOR_TOKEN}`),
    outsider('the operator in a browser', 'operator', `Basic ${basic}`),
    agent('a stranger', stranger.key, 'stranger'),
    agent('a stranger who may read', await one('read'), 'stranger', ['read']),
    agent('a stranger who may buy', await one('buy'), 'stranger', ['buy']),
    agent('a stranger who may sell', await one('sell'), 'stranger', ['sell']),
    { ...agent("a stranger's child", child.key, 'stranger'), isChild: true as const },
    agent('the buyer', buyer.key, 'buyer'),
    agent('the buyer who may read', await platform.keyOf(buyer, ['read']), 'buyer', ['read']),
    agent('the seller', seller.key, 'seller'),
    agent('the seller who may sell', await platform.keyOf(seller, ['sell']), 'seller', ['sell']),
  ];
}

/** A key that differs in one character of its secret. */
const changed = (key: string) =>
  key.slice(0, -10) + (key.at(-10) === 'a' ? 'b' : 'a') + key.slice(-9);
