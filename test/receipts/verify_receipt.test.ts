import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { BrowserLike, owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { asOwner } from '../as_owner.ts';
import { closeToday } from './close_today.ts';
import { issueReceipts, receiptOf, type Receipt } from './receipt_book.ts';

describe('a receipt that somebody shows', () => {
  let platform: TestPlatform;
  let receipt: Receipt;
  let day: { signed: string };
  before(async () => {
    platform = await TestPlatform.open();
    const { buyer, orderId } = await openDeal(platform);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    await issueReceipts(platform);
    await closeToday(platform);
    receipt = await receiptOf(platform, buyer, 'order', orderId);
    const route = `GET /api/v1/receipts/${receipt.receipt_id}`;
    const { inclusion } = done(await platform.request(route, buyer));
    day = done(await platform.request(`GET /api/v1/receipts/days/${inclusion.day}`));
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const verify = async (text: string) =>
    done(await platform.request('POST /api/v1/receipts/verify', { body: { receipt: text } }));
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

  /** The last letter of a signature has four bits that no byte needs. */
  const otherSpelling = (text: string): string => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return text.slice(0, -1) + letters[letters.indexOf(text.at(-1)!) + 1]!;
  };

  it('is genuine as it was signed, also as a mail brings it', async () => {
    const lines = receipt.receipt.match(/.{1,76}/g)!;
    for (const text of [
      receipt.receipt,
      ` ${receipt.receipt}\n`,
      lines.join('\r\n'),
      lines.map((line) => `> ${line}`).join('\n'),
      lines.join('=\n'),
      `"${receipt.receipt}"`,
    ]) {
      const answer = await verify(text);
      expect(answer).to.include({ verdict: 'genuine', sha256: receipt.sha256 });
      expect(answer.document).to.include({ kind: 'order', receipt_id: receipt.receipt_id });
    }
  });

  it('is not when anything of it was changed, or nobody signed it', async () => {
    const [header, payload, signature] = receipt.receipt.split('.');
    const middle = Math.floor(receipt.receipt.length / 2);
    const key = JSON.parse(Buffer.from(header!, 'base64url').toString());
    const withHeader = (one: object) =>
      [Buffer.from(JSON.stringify(one)).toString('base64url'), payload, signature].join('.');
    for (const text of [
      flip(receipt.receipt, middle),
      flip(receipt.receipt, header!.length + payload!.length + 10),
      `${header}.${payload}.`,
      otherSpelling(receipt.receipt),
      receipt.receipt.replaceAll('-', '+').replaceAll('_', '/') + '+',
      `${receipt.receipt}${receipt.receipt}`,
      `${header}.${payload}`,
      withHeader({ ...key, alg: 'none' }),
      withHeader({ ...key, alg: 'HS256' }),
      withHeader({ ...key, kid: 'another' }),
      withHeader({ alg: 'EdDSA' }),
      withHeader({ ...key, crit: ['x'], x: 1 }),
      withHeader({ ...key, b64: false, crit: ['b64'] }),
      'no receipt at all',
      '..',
      JSON.stringify(receipt),
      'eyJ'.repeat(2_000),
    ]) {
      const answer = await verify(text);
      expect([answer.verdict, answer.document], text).to.deep.equal(['not_signed', null]);
    }
  });

  it('is on record: what else a key of ours signed is no receipt', async () => {
    const answer = await verify(day.signed);
    expect([answer.verdict, answer.document]).to.deep.equal(['not_on_record', null]);
  });

  it('is verified by a page, for who has no program', async () => {
    const browser = new BrowserLike(platform);
    const page = async (text: string) =>
      (await browser.get(`/receipts?receipt=${encodeURIComponent(text)}`)).text;
    expect(await page(''))
      .to.contain('Paste one')
      .and.not.to.contain('This receipt is');
    const genuine = await page(receipt.receipt);
    expect(genuine).to.contain('This receipt is genuine').and.to.contain('$1.10');
    const forged = await page('"><img src=x onerror=alert(1)>');
    expect(forged).to.contain('This is not a receipt of this marketplace');
    expect(forged).not.to.contain('<img');
  });

  it('is verified by a form, which answers what is too long by a sentence', async () => {
    const browser = new BrowserLike(platform);
    const post = (text: string) => browser.post('/receipts', { receipt: text });
    expect((await post(receipt.receipt)).text).to.contain('This receipt is genuine');
    for (const chars of [8_001, 70_000, 2_000_000]) {
      const reply = await post('a'.repeat(chars));
      expect(reply.status).to.equal(200);
      expect(reply.text).to.contain('This is longer than any receipt.').and.not.contain('aaaa');
    }
    const linked = await browser.get(`/receipts?receipt=${'a'.repeat(8_001)}`);
    expect(linked.text).to.contain('This is longer than any receipt.');
  });

  it('is led to by the page of its order', async () => {
    const { browser, agent } = await owner(platform, { usd: 1 });
    const seller = await platform.agent();
    const product = await platform.product(seller, { price: 0.1, items: ['one'] });
    const orderId = await buy(platform, agent, product);
    const page = async () => (await browser.get(`/console/orders/${orderId}`)).text;
    expect(await page()).to.not.contain('/receipts?receipt=');
    await act(platform, 'confirm_order', { orderId, key: agent.key });
    await issueReceipts(platform);
    const [, link] = /href="(\/receipts\?receipt=[^"]+)"/.exec(await page())!;
    expect((await browser.get(link!)).text).to.contain('This receipt is genuine');
  });

  it('stays genuine only while it is on record as it is', async () => {
    const database = `update receipt set hash = sha256('') where id = ${receipt.receipt_id}`;
    const [{ hash }] = await platform.query(
      `select encode(hash, 'hex') as hash from receipt where id = $1`,
      [receipt.receipt_id],
    );
    await asOwner(platform, database);
    try {
      expect((await verify(receipt.receipt)).verdict).to.equal('not_on_record');
    } finally {
      const back = `set hash = decode('${hash}', 'hex') where id = ${receipt.receipt_id}`;
      await asOwner(platform, `update receipt ${back}`);
    }
  });
});
