import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

/** Secrets of every kind, as `log_faults.ts` logs them. */
const SECRETS = {
  apiKey: `vnx_abcd1234_${random(32)}0123abcd`,
  proxyKey: `vnxp_${random(32)}`,
  masterKey: random(32),
  stripeKey: `sk_live_${randomBytes(16).toString('hex')}`,
  hookSecret: `whsec_${randomBytes(16).toString('hex')}`,
  token: `operator-${random(18)}`,
  password: `p-${random(12)}`,
  content: `goods ${random(12)}`,
};
export type LogSecrets = typeof SECRETS;

describe('the log', function () {
  this.timeout(30_000);

  interface Line {
    readonly level: string;
    readonly msg: string;
    readonly n?: number;
    readonly err?: { readonly type: string; readonly message: string; readonly stack: string };
    readonly [field: string]: unknown;
  }
  let text: string;
  let lines: Line[];

  before(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'test/platform/log_faults.ts'],
      { env: { ...process.env, LOG_SECRETS: JSON.stringify(SECRETS) } },
    );
    text = stdout;
    lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  });

  it('holds no secret of any kind, whatever fails and at whatever level', () => {
    for (const [kind, secret] of Object.entries(SECRETS)) {
      expect(text.includes(secret), kind).to.equal(false);
    }
  });

  it('says what failed all the same', () => {
    const faults = lines.filter(({ level, n }) => level === 'fatal' && n !== undefined);
    expect(faults).to.have.length(13);
    const said = faults.map(({ err }) => err!.message);
    expect(said[0]).to.contain('relation "nowhere" does not exist');
    expect(said[1]).to.match(/^WRONGTYPE/);
    expect(said[2]).to.match(/password authentication failed/);
    expect(said[3]).to.contain('http://agent:[redacted]@127.0.0.1/');
    expect(said[4]).to.contain('Bearer [redacted]');
    expect(said[6]).to.contain('Stripe refused [redacted]');
    expect(said[7]).to.equal(
      'the master key k1:[redacted] is used twice in k1:[redacted],k2:[redacted]',
    );
    expect(faults[0]!.err!.stack).to.contain('log_faults.ts');
    expect(faults[0]!.msg).to.equal(
      'a fault of [redacted], of Basic [redacted] and of Bearer [redacted]',
    );
  });

  it('has the ids of the trace that a line is about, and of no other', () => {
    const about = (message: string) => lines.find(({ msg }) => msg === message)!;
    const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
    expect(about('in a trace')).to.include(ids);
    expect(lines.filter((line) => 'trace_id' in line || 'span_id' in line)).to.have.length(1);
    expect(about('in none').process).to.equal('test');
  });

  it('has one line a second of a failure in a loop', () => {
    expect(lines.filter(({ msg }) => msg === 'fault 0')).to.have.length(1);
  });
});
