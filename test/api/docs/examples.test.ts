// test:all: every example of the documentation is made by every rail.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';

import { EXAMPLES } from '../../../api/docs/examples.ts';
import { refusalsOf } from '../../../api/docs/refusals_of.ts';
import { published } from '../../../shared/composition/catalog.ts';
import { openStripeDouble } from '../../../sandbox/stripe/double.ts';
import { openPaidAlgorand } from '../../deposits/algorand/platform.ts';
import { openPaidBase } from '../../deposits/evm/platform.ts';
import { openPaidSolana } from '../../deposits/solana/platform.ts';
import { openPaidTron } from '../../deposits/tron/platform.ts';
import { startZone } from '../../email/zone.ts';
import { TestPlatform } from '../../harness.ts';
import { shapeOf } from '../../snippets.ts';
import { ROOT } from '../../sources.ts';
import { tell, type Story } from './story.ts';

const FILE = join(ROOT, 'api/docs/examples.json');

describe('the examples of /openapi.json', () => {
  let told: Story;
  let shown: Story = EXAMPLES;
  before(async () => {
    const zone = await startZone({
      'mail.example': { MX: ['mx.mail.example'] },
      'mx.mail.example': { A: ['198.51.100.25'] },
    });
    const algorand = await openPaidAlgorand();
    const base = await openPaidBase();
    const solana = await openPaidSolana();
    const tron = await openPaidTron();
    const stripe = await openStripeDouble({ key: 'sk_test_of_the_story' });
    const platform = await TestPlatform.open({
      env: {
        ...algorand.env,
        ...base.env,
        ...solana.env,
        ...tron.env,
        SANDBOX: 'base,solana,tron,algorand',
        AUTO_APPROVE_PRODUCTS: 'false',
        DNS_SERVERS: zone.address,
        STRIPE_SECRET_KEY: 'sk_test_of_the_story',
        STRIPE_WEBHOOK_SECRETS: 'whsec_of_the_story',
        STRIPE_API_BASE: stripe.url,
        WITHDRAWAL_REVIEW_ABOVE: '2',
      },
      schedules: true,
    });
    const startedAt = new Date();
    told = tidied(await tell(platform, { algorand, base, solana: solana.rig, tron }), startedAt);
    await platform.close();
    await zone.close();
    await stripe.close();
    await algorand.close();
    await base.close();
    await solana.close();
    await tron.close();
    if (process.env.UPDATE_EXAMPLES) {
      writeFileSync(FILE, inLines(told));
      shown = told;
    }
  });

  it('are of every operation: test/api/docs/story.ts calls each once', () => {
    const names = published.map(({ name }) => name);
    expect(Object.keys(told.operations)).to.have.members(names);
  });

  it('are what is answered now, except for values; UPDATE_EXAMPLES=1 writes them anew', () => {
    expect(shapeOf(shown)).to.deep.equal(shapeOf(told));
  });

  it('match the schemas beside which they stand', () => {
    const ajv = formats.default(new Ajv({ allErrors: true, multipleOfPrecision: 3 }));
    for (const { name, output, bindings, input } of published) {
      const example = shown.operations[name]!;
      for (const [schema, value] of [
        [bindings?.dialect?.input ?? input, example.input],
        [output, example.output],
      ] as const) {
        const validate = ajv.compile(schema as object);
        expect([validate(value), ajv.errorsText(validate.errors)], name).to.include(true);
      }
    }
  });

  it('show refusals that somebody may meet', () => {
    const possible = new Set<string>(published.flatMap((op) => refusalsOf(op)));
    expect([...possible]).to.include.members(Object.keys(shown.errors));
    expect(Object.keys(shown.errors).length).to.be.greaterThan(10);
  });

  it('hold no key', () => {
    expect(JSON.stringify(shown)).not.to.match(/(vnxp?|whsec)_\w{5}/);
  });
});

/** The same story as if it had been told at noon one day, without keys and measured times. */
function tidied(story: Story, startedAt: Date): Story {
  const noon = Date.parse('2026-11-22T12:00:00.000Z');
  const hour = 3_600_000;
  // Differ with how busy this machine is: a job may be due in this moment, or none.
  const calm: Readonly<Record<string, unknown>> = {
    latency_ms: 84,
    oldest_due_at: new Date(noon).toISOString(),
  };
  const text = JSON.stringify(story, (name, value: unknown) => calm[name] ?? value)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
      const passed = Math.round((Date.parse(time) - startedAt.getTime()) / hour) * hour;
      return new Date(noon + passed).toISOString();
    })
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, '019aab3e-7c00-7000-8000-5d1f0e2b9a41')
    .replace(/\breq_[\da-f]{32}/g, 'req_019aab3e7c0070008000c4b7a9d2e6f1')
    .replace(/http:\/\/127[^"]*\/pay\/|cs_test_\w+/g, (text) =>
      text.startsWith('cs') ? 'cs_test_a1B2c3D4' : 'https://checkout.stripe.com/c/pay/',
    )
    .replace(/\b(vnxp?)_[\w-]+/g, '$1_…')
    .replace(/\bwhsec_[\w+/=]+/g, 'whsec_…');
  return JSON.parse(text) as Story;
}

/** JSON with a line for each operation and each error, so that a change touches no others. */
function inLines({ operations, errors }: Story): string {
  const lines = (entries: object) =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n');
  return `{"operations":{\n${lines(operations)}\n},"errors":{\n${lines(errors)}\n}}\n`;
}
