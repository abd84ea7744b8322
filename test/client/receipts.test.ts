import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { closeToday } from '../receipts/close_today.ts';
import { TestPlatform } from '../harness.ts';
import { act } from '../orders/deal.ts';
import { buy, meet } from '../orders/trade.ts';
import { issueReceipts, receiptsOf } from '../receipts/receipt_book.ts';
import { run } from '../../local/processes/command.ts';
import { buildClient, type BuiltClient } from './built.ts';

describe('receipts with the typed client', () => {
  let platform: TestPlatform;
  let client: BuiltClient;
  let buyer: { id: number; key: string };
  before(async () => {
    platform = await TestPlatform.open();
    client = await buildClient(platform);
    const met = await meet(platform, { items: ['a', 'b', 'c'] });
    buyer = met.buyer;
    for (let n = 0; n < 3; n += 1) {
      const orderId = await buy(platform, buyer, met.product);
      await act(platform, 'confirm_order', { orderId, key: buyer.key });
    }
    await issueReceipts(platform);
    await closeToday(platform);
  });
  after(async () => {
    client.remove();
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const program = (command: string, folder: string) => {
    const env = { ...process.env, MARKET_URL: platform.url, MARKET_KEY: buyer.key };
    const bin = join(client.folder, 'bin/receipts.mjs');
    return run(process.execPath, [bin, command, folder], { cwd: client.folder, env });
  };
  /** Saves all, changes something, and verifies what is there then. */
  const verifiedAfter = async (change: (folder: string, files: string[]) => void) => {
    const folder = join(client.folder, 'book');
    rmSync(folder, { recursive: true, force: true });
    const saved = await program('save', folder);
    expect(saved.all).to.contain('4 receipts and 1 days');
    change(
      folder,
      readdirSync(folder).filter((name) => name.startsWith('receipt_')),
    );
    return program('verify', folder);
  };
  const edit = (file: string, work: (text: string) => string) =>
    writeFileSync(file, work(readFileSync(file, 'utf8')));

  it('are saved into a folder, and verified there without anybody', async () => {
    const verified = await verifiedAfter(() => undefined);
    expect([verified.ok, verified.all.trim()]).to.deep.equal([
      true,
      '4 receipts, 1 days, 0 faults',
    ]);
  });

  it('show one that is missing', async () => {
    const { ok, all } = await verifiedAfter((folder, [, second]) => rmSync(join(folder, second!)));
    expect(ok).to.equal(false);
    expect(all).to.match(/Receipt \d+: the one before it is missing/);
  });

  it('show one that was changed, and a day that does not contain one', async () => {
    const changed = await verifiedAfter((folder, [first]) =>
      edit(join(folder, first!), (text) => {
        const one = JSON.parse(text);
        const [header, payload, signature] = one.receipt.split('.');
        const said = JSON.parse(Buffer.from(payload, 'base64url').toString());
        said.amounts.to_payee += 1;
        const forged = Buffer.from(JSON.stringify(said)).toString('base64url');
        return JSON.stringify({ ...one, receipt: [header, forged, signature].join('.') });
      }),
    );
    expect([changed.ok, changed.all]).to.satisfy(
      ([ok, all]: [boolean, string]) => !ok && all.includes('changed after it was signed'),
    );
    const moved = await verifiedAfter((folder, [first]) =>
      edit(join(folder, first!), (text) => {
        const one = JSON.parse(text);
        one.inclusion.path[0] = 'ab'.repeat(32);
        return JSON.stringify(one);
      }),
    );
    expect(moved.ok).to.equal(false);
    expect(moved.all).to.match(/Receipt \d+: the hash of \d{4}-\d\d-\d\d does not contain it/);
  });

  it('are taken by nobody whose keys are others', async () => {
    const [held] = await receiptsOf(platform, buyer);
    const { verifyReceipt, NotVerified } = await client.load();
    const keys = (await platform.request('GET /.well-known/jwks.json')).body;
    expect(await verifyReceipt(held!.receipt, keys)).to.include({ receipt_id: held!.receipt_id });
    const [one] = keys.keys;
    const others = { keys: [{ ...one, x: Buffer.alloc(32, 7).toString('base64url') }] };
    const none = { keys: [] };
    for (const [jws, wrong] of [
      [held!.receipt, others],
      [held!.receipt, none],
      [held!.receipt.slice(0, -8), keys],
      [`${held!.receipt}.x`, keys],
      ['', keys],
      ['a.b.c', keys],
      [unsigned(held!.receipt), keys],
    ] as const) {
      const outcome = await verifyReceipt(jws, wrong).catch((error: unknown) => error);
      expect(outcome, jws).to.be.an.instanceof(NotVerified);
    }
  });

  /** The same with the algorithm "none", which some libraries took (RFC 8725, section 2.1). */
  const unsigned = (jws: string): string => {
    const [header, payload] = jws.split('.');
    const { kid } = JSON.parse(Buffer.from(header!, 'base64url').toString());
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
    return `${none}.${payload}.AA`;
  };
});
