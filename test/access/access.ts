import { expect } from 'chai';

import { published } from '../../shared/composition/catalog.ts';
import type { TestPlatform } from '../harness.ts';
import { openSandbox } from '../sandbox/time/open_sandbox.ts';
import { startZone } from '../email/zone.ts';
import type { NameServer } from '../name_server.ts';
import { callBy, type Interface } from './interfaces.ts';
import { casesOf, type Right } from './rights/right.ts';
import { RIGHTS } from './rights/rights.ts';
import { OPERATOR_TOKEN, LONG_WAIT, setScene, type Party, type Scene } from './scene.ts';

const STATUSES: Readonly<Record<string, number>> = {
  rail_unavailable: 503,
  ok: 200,
  authentication_required: 401,
  invalid_key: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  self_purchase: 400,
  invalid_transition: 409,
};

interface Actor {
  readonly name: string;
  readonly authorization?: string;
  /** Proof by the header; "operator": it is the operator's token. */
  readonly proof: 'none' | 'wrong' | 'agent' | 'operator';
  readonly party: Party;
  readonly scopes: readonly string[];
  readonly isChild?: true;
}

/** Expected answer of this interface to this actor: computed from the table, not by the code. */
function expected(
  { access, isTool, answers = {}, needs = {}, byChildren }: Right,
  actor: Actor,
  by: Interface,
): string {
  const isOperators = access === 'operator' && by === 'REST';
  // A name and a password prove nothing to any operation: browsers send them along by themselves.
  const isBasic = actor.authorization?.startsWith('Basic');
  const proof = isBasic ? 'none' : actor.proof;

  if (proof === 'wrong') return 'invalid_key';
  if (isOperators) {
    if (proof === 'operator') return 'ok';
    return proof === 'none' ? 'authentication_required' : 'invalid_key';
  }
  if (proof === 'operator') return 'invalid_key';
  // A stream needs a key, whatever its messages are.
  if (proof === 'none' && by === 'MCP by stream') return 'authentication_required';
  if (isTool === false && by.startsWith('MCP')) return 'no such tool';
  const isOffered = isTool !== false || by === 'REST';
  if (proof === 'none') {
    return access === 'public' && isOffered ? 'ok' : 'authentication_required';
  }
  if (!isOffered) return 'not_found';

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
  if (access === 'owner' && actor.isChild && !byChildren) return 'forbidden';
  return answers[actor.party] ?? 'ok';
}

/** Every operation, by every actor and by these interfaces. */
export function describeAccess(interfaces: readonly Interface[]): void {
  let platform: TestPlatform;
  let names: NameServer;
  let scene: Scene;
  let actors: Actor[];
  let checks = 0;

  before(async function () {
    this.timeout(60_000);
    names = await startZone({});
    platform = await openSandbox({ env: { ...LONG_WAIT, DNS_SERVERS: names.address } });
    scene = await setScene(platform);
    actors = await castOf(scene);
  });
  after(async () => {
    await platform.close();
    await names.close();
  });

  it('is decided in the table of this test, for every published operation and no other', () => {
    const decided = Object.entries(RIGHTS).map(([name, { route }]) => `${name} ${route}`);
    const offered = published.map(({ name, rest }) => `${name} ${rest}`);
    expect(decided.toSorted()).to.deep.equal(offered.toSorted());
  });

  const cases = casesOf(RIGHTS);
  for (const { tool, title, ...right } of cases) {
    it(`to ${title} is the same for every actor by every interface, and as the table says`, async () => {
      const fresh = async (party: Party) =>
        ((await right.input?.(scene, party)) ?? {}) as Record<string, string>;
      /** Refused calls end nothing, so those of a party are about the same object. */
      const ofRefused = new Map<Party, ReturnType<typeof fresh>>();
      const check = async (actor: Actor, by: Interface) => {
        const { party } = actor;
        const wanted = expected(right, actor, by);
        if (!ofRefused.has(party)) ofRefused.set(party, fresh(party));
        const input = await (wanted === 'ok' ? fresh(party) : ofRefused.get(party)!);
        const call = { route: right.route, tool, input };
        const { code, status } = await callBy(platform, by, call, actor.authorization);
        checks += 1;
        const isRight = code === wanted && (status ?? STATUSES[code]) === STATUSES[code];
        return isRight ? [] : `${actor.name} by ${by}: ${status} ${code}, not ${wanted}`;
      };
      const all = actors.flatMap((actor) => interfaces.map((by) => () => check(actor, by)));
      const found: (string | never[])[] = [];
      if (right.isLimited) for (const one of all) found.push(await one());
      else found.push(...(await Promise.all(all.map((one) => one()))));
      expect(found.flat()).to.deep.equal([]);
    });
  }

  it('was checked for every operation, actor and interface', () => {
    expect(checks).to.equal(cases.length * actors.length * interfaces.length);
    expect(checks).to.be.at.least(2_000);
  });
}

async function castOf({ platform, seller, buyer, outsider, child, revokedKey }: Scene) {
  const all = ['read', 'buy', 'sell'];
  const agent = (name: string, key: string, party: Party, scopes = all): Actor => ({
    name,
    party,
    scopes,
    proof: 'agent',
    authorization: `Bearer ${key}`,
  });
  const unknown = (name: string, proof: Actor['proof'], authorization?: string): Actor => ({
    name,
    proof,
    party: 'outsider',
    scopes: [],
    ...(authorization !== undefined && { authorization }),
  });
  const basic = Buffer.from(`operator:${OPERATOR_TOKEN}`).toString('base64');
  const one = (scope: string) => platform.keyOf(outsider, [scope]);
  return [
    unknown('nobody', 'none'),
    unknown('somebody with a malformed key', 'wrong', 'Bearer vnx_nonsense'),
    unknown('somebody with a key of the right form', 'wrong', `Bearer ${changed(outsider.key)}`),
    unknown('the owner of a revoked key', 'wrong', `Bearer ${revokedKey}`),
    unknown('the operator', 'operator', `Bearer ${OPERATOR_TOKEN}`),
    unknown('the operator in a browser', 'operator', `Basic ${basic}`),
    agent('an outsider', outsider.key, 'outsider'),
    agent('an outsider that may read', await one('read'), 'outsider', ['read']),
    agent('an outsider that may buy', await one('buy'), 'outsider', ['buy']),
    agent('an outsider that may sell', await one('sell'), 'outsider', ['sell']),
    { ...agent("an outsider's child", child.key, 'outsider'), isChild: true as const },
    agent('the buyer', buyer.key, 'buyer'),
    agent('the buyer that may read', await platform.keyOf(buyer, ['read']), 'buyer', ['read']),
    agent('the seller', seller.key, 'seller'),
    agent('the seller that may sell', await platform.keyOf(seller, ['sell']), 'seller', ['sell']),
  ];
}

/** A key that differs in one character of its secret. */
const changed = (key: string) =>
  key.slice(0, -10) + (key.at(-10) === 'a' ? 'b' : 'a') + key.slice(-9);
