// test:all: each check starts the program of the client.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  const programWith = (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const bin = join(client.folder, 'bin/receipts.mjs');
    return run(process.execPath, [bin, ...args], { cwd: client.folder, env });
  };
  const program = (command: string, ...folder: string[]) => {
    const env = { ...process.env, MARKET_URL: platform.url, MARKET_KEY: buyer.key };
    return programWith(env, command, ...folder);
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
    expect(verified.ok).to.equal(true);
    const [{ kid }] = (await platform.request('GET /.well-known/jwks.json')).body.keys;
    const [counted, last, keys] = verified.all.trim().split('\n');
    expect(counted).to.equal('4 receipts, 1 days, 0 faults');
    const newest = (await receiptsOf(platform, buyer)).at(-1)!;
    expect(last).to.equal(`last: receipt ${newest.receipt_id}, ${newest.sha256}`);
    expect(keys).to.contain(kid);
  });

  it('are not mixed with those of others, and say in a sentence what is wrong', async () => {
    const folder = join(client.folder, 'mixed');
    mkdirSync(folder);
    const kept = join(folder, 'receipt_999.json');
    writeFileSync(kept, '{"receipt": "a.b.c"}');
    const mixed = await program('save', folder);
    expect(mixed.all).to.contain('holds receipts that this key does not list (receipt_999.json)');
    expect(readdirSync(folder)).to.deep.equal(['receipt_999.json']);
    rmSync(kept);
    expect((await program('save', folder)).ok).to.equal(true);
    expect((await program('save', folder)).all).to.contain('4 receipts and 1 days');
    expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).to.deep.equal([]);

    const file = join(client.folder, 'a_file');
    writeFileSync(file, 'null');
    writeFileSync(join(folder, 'broken.json'), '{');
    const none = join(client.folder, 'none');
    const page = `${platform.url}/market`;
    for (const [[command, ...args], words] of [
      [['verify', none], `${none}: there is none.`],
      [['verify', file], `${file}: it is a file, and no folder.`],
      [['save', file], `${file}: it is a file, and no folder.`],
      [['verify', folder], 'broken.json: it is no JSON object.'],
      [['verify', client.folder, file], `${file}: it is no JSON object.`],
      [['verify', client.folder, page], `${page}: no keys could be read there.`],
      [['verify', client.folder, `${platform.url}/none`], 'answered 404.'],
    ] as const) {
      const { ok, all } = await program(command, ...args);
      expect(ok).to.equal(false);
      expect(all.trim().split('\n'), all).to.have.length(1);
      expect(all).to.contain(words);
    }
    const wrong = { ...process.env, MARKET_URL: platform.url, MARKET_KEY: 'vnx_nobody' };
    const refused = await programWith(wrong, 'save', none);
    expect(refused.all).to.match(/^list_receipts: invalid_key: .*\n$/);
    const misspelt = await programWith({ ...wrong, MARKET_URL: 'localhost' }, 'save', none);
    expect(misspelt.all).to.equal('MARKET_URL is no address: localhost\n');
  });

  it('are not those of whoever put other keys into the folder', async () => {
    const forger = await TestPlatform.open();
    try {
      const { buyer: other } = await meet(forger, { items: ['x'] });
      await issueReceipts(forger);
      const folder = join(client.folder, 'forged');
      const keys = (await forger.request('GET /.well-known/jwks.json')).body;
      const receipts = await receiptsOf(forger, other);
      mkdirSync(folder);
      writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys));
      writeFileSync(join(folder, 'page.json'), JSON.stringify({ receipts }));
      expect((await program('verify', folder)).all).to.contain('signed by the keys of this folder');
      const trusted = `${platform.url}/.well-known/jwks.json`;
      const verified = await program('verify', folder, trusted);
      expect([verified.ok, verified.all]).to.satisfy(
        ([ok, all]: [boolean, string]) => !ok && all.includes('no key of these has signed it'),
      );
    } finally {
      await forger.close();
    }
  });

  it('show another document, a day that is missing, and that nothing is there', async () => {
    const edited = await verifiedAfter((folder, [first]) =>
      edit(join(folder, first!), (text) => {
        const one = JSON.parse(text);
        one.document.amounts.paid = 999;
        return JSON.stringify(one);
      }),
    );
    expect(edited.all).to.match(/Receipt \d+: its document is not what was signed/);
    const dayless = await verifiedAfter((folder) => {
      for (const name of readdirSync(folder)) {
        if (name.startsWith('day_')) rmSync(join(folder, name));
      }
    });
    expect(dayless.all).to.match(/Receipt \d+: the document of \d{4}-\d\d-\d\d is missing/);
    const swapped = await verifiedAfter((folder, [first]) => {
      const { receipt } = JSON.parse(readFileSync(join(folder, first!), 'utf8'));
      writeFileSync(join(folder, 'day_x.json'), JSON.stringify({ signed: receipt }));
    });
    expect(swapped.all).to.contain('A document of a day is another');
    const empty = await verifiedAfter((folder, files) => {
      for (const name of files) rmSync(join(folder, name));
    });
    for (const one of [edited, dayless, swapped, empty]) expect(one.ok).to.equal(false);
    expect(empty.all).to.contain('There is no receipt');
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
    const today = new Date(platform.context.clock.now()).toISOString().slice(0, 10);
    const { body: day } = await platform.request(`GET /api/v1/receipts/days/${today}`);
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
      [day.signed, keys],
      [`${Buffer.from('null').toString('base64url')}.e30.AA`, keys],
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
