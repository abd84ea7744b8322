// test:all: every column of a table is tried on every operation that writes.
import { expect } from 'chai';

import { published } from '../../shared/composition/catalog.ts';
import type { TestPlatform } from '../harness.ts';
import { openWithStripe, type PlatformWithStripe } from '../sandbox/stripe_platform.ts';
import { callBy } from './interfaces.ts';
import { RIGHTS } from './rights/rights.ts';
import { OPERATOR_TOKEN, LONG_WAIT, setScene, type Scene } from './scene.ts';

/** A validation_error names at most so many fields. */
const FIELDS_MAX = 20;
/** The body of a call without a key has 8 kB at most. */
const WITHOUT_KEY_MAX = 150;

/** The buyer makes these calls, because the outsider's balance must not change. */
const COSTS = [
  'purchase_product',
  'validate_emails',
  'task_post',
  'post_labor_task',
  'withdraw',
  'issue_asa',
  'mint_nft',
  'create_solana_collection',
];

describe('a field that is a column of a table and none of the call', () => {
  let stripe: PlatformWithStripe;
  let platform: TestPlatform;
  let scene: Scene;
  let columns: Record<string, unknown>;
  let lookAtAll: string;

  before(async function () {
    this.timeout(60_000);
    stripe = await openWithStripe({ env: LONG_WAIT });
    platform = stripe.platform;
    scene = await setScene(platform);
    columns = Object.fromEntries(
      (
        await platform.query(
          `select distinct on (column_name) column_name as name, data_type as type
             from information_schema.columns where table_schema in ('public', 'ledger')
            order by column_name`,
        )
      ).map(({ name, type }: { name: string; type: string }) => [name, valueOf(type)]),
    );
    expect(Object.keys(columns).length).to.be.greaterThan(50);
    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema in ('public', 'ledger')`,
    );
    // One statement, because it is made after each call.
    lookAtAll = tables
      .map(
        ({ name }) =>
          `select t::text as row from ${name} t
            where t::text ~ 'mass-assigned|\\y987654321\\y|1987-06-05'`,
      )
      .join(' union all ');
  });
  after(() => stripe.close());

  // access.test.ts finds operations without a line in the table.
  const writes = published.filter(({ name, mode, rest }) => {
    return name in RIGHTS && mode !== 'read' && !rest!.startsWith('GET');
  });

  for (const [n, { name: tool, input: schema }] of writes.entries()) {
    const right = RIGHTS[tool]!;
    const fieldsMax = right.access === 'public' ? WITHOUT_KEY_MAX : Infinity;

    it(`is refused by ${tool} over REST, by name`, async () => {
      const { call, authorization, extra } = await prepared();
      // Then any field is refused as those that are tried: others for each operation.
      expect(schema.additionalProperties).to.equal(false);
      const from = (n * FIELDS_MAX) % (extra.length - FIELDS_MAX);
      const some = Object.fromEntries(extra.slice(from, from + FIELDS_MAX));
      const reply = await callBy(
        platform,
        'REST',
        { tool, route: right.route, input: { ...call, ...some } },
        authorization,
      );
      expect(reply).to.include({ status: 422, code: 'validation_error' });
      const { fields } = reply.body.details as { fields: { pointer: string }[] };
      const pointers = fields.map(({ pointer }) => pointer.slice(1));
      expect(pointers).to.have.members(Object.keys(some));
      expect(await rowsThatHoldIt()).to.deep.equal([]);
    });

    if (right.isTool === false) continue;

    it(`is refused by ${tool} as a tool, and changes nothing`, async () => {
      const { balance, extra: all } = await prepared();
      for (let from = 0; from < all.length; from += fieldsMax) {
        const { call, authorization, extra } = await prepared();
        const some = extra.slice(from, from + fieldsMax);
        const input = { ...Object.fromEntries(some), ...call };
        const request = { tool, route: right.route, input };
        const reply = await callBy(platform, '/api/v1/mcp/call', request, authorization);
        expect(reply.code).to.equal('validation_error');
        expect(JSON.stringify(reply.body)).not.to.match(/mass-assigned|987654321/);
      }
      expect(await rowsThatHoldIt()).to.deep.equal([]);
      expect(await platform.balance(scene.outsider)).to.equal(balance);
    });

    /**
     * A valid call with the key of an agent that may make it, and the columns that are no fields.
     */
    async function prepared() {
      const { answers = {} } = right;
      const party = answers.outsider ? ownerOf(answers) : 'outsider';
      const { key } = scene[COSTS.includes(tool) ? 'buyer' : party];
      const token = right.access === 'operator' ? OPERATOR_TOKEN : key;
      return {
        call: (await right.input?.(scene, party)) ?? {},
        authorization: right.access === 'public' ? undefined : `Bearer ${token}`,
        // A request_id is a spelling of the idempotency key.
        extra: Object.entries(columns).filter(
          ([name]) => !(name in schema.properties) && name !== 'request_id',
        ),
        balance: await platform.balance(scene.outsider),
      };
    }
  }

  const ownerOf = (answers: object) => ('seller' in answers ? 'buyer' : 'seller');

  const valueOf = (type: string): unknown => {
    // More digits than the fraction of a second has, so that no time of a row looks like it.
    if (/int|numeric/.test(type)) return 987_654_321;
    if (type === 'boolean') return true;
    if (/timestamp|date/.test(type)) return '1987-06-05T04:03:02.000Z';
    return type === 'ARRAY' ? ['mass-assigned'] : 'mass-assigned';
  };

  const rowsThatHoldIt = (): Promise<unknown[]> => platform.query(lookAtAll);
});
