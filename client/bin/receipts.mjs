#!/usr/bin/env node
// agent-marketplace-receipts save <folder>: writes the receipts of an agent and all below it, the
// keys and the documents of days into a folder. Reads MARKET_URL and MARKET_KEY.
// agent-marketplace-receipts verify <folder> [<keys>]: verifies such a folder. <keys> is the file
// or the https address of the keys that you trust. Without it nobody is asked, and the keys of the
// folder are named, to be compared.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openMarket, verifyReceipts } from '../dist/src/client.js';

const [command, folder, trusted] = process.argv.slice(2);
if (folder && command === 'save') await save();
else if (folder && command === 'verify') await verify();
else {
  console.error('Usage: agent-marketplace-receipts save <folder> | verify <folder> [<keys>]');
  process.exitCode = 2;
}

async function save() {
  const { MARKET_URL: baseUrl, MARKET_KEY: key } = process.env;
  if (!baseUrl || !key) {
    console.error('Set MARKET_URL and MARKET_KEY, an API key that may read.');
    process.exitCode = 2;
    return;
  }
  const market = openMarket({ baseUrl, key });
  mkdirSync(folder, { recursive: true });
  const write = (name, content) =>
    writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
  write('keys.json', await market.get_receipt_keys());
  const days = new Set();
  let receipts = 0;
  for await (const { receipt_id } of market.all('list_receipts', { below: true })) {
    const receipt = await market.get_receipt({ receipt_id });
    if (receipt.inclusion) days.add(receipt.inclusion.day);
    write(`receipt_${receipt_id}.json`, receipt);
    receipts += 1;
  }
  for (const day of days) write(`day_${day}.json`, await market.get_receipt_day({ day }));
  console.log(`${receipts} receipts and ${days.size} days in ${folder}`);
}

async function verify() {
  const book = { keys: { keys: [] }, receipts: [], days: [] };
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (content.keys) book.keys = content;
    else if (content.signed) book.days.push(content);
    else if (content.receipt) book.receipts.push(content);
    else if (content.receipts) book.receipts.push(...content.receipts);
  }
  if (trusted) book.keys = await keysOf(trusted);
  const { receipts, days, last, faults } = await verifyReceipts(book);
  if (receipts === 0) faults.push('There is no receipt.');
  for (const fault of faults) console.error(fault);
  console.log(`${receipts} receipts, ${days} days, ${faults.length} faults`);
  if (last) console.log(`last: receipt ${last.receipt_id}, ${last.sha256}`);
  if (!trusted) {
    const kids = book.keys.keys.map(({ kid }) => kid).join(', ');
    console.log(`signed by the keys of this folder: ${kids}`);
    console.log('compare them with /.well-known/jwks.json of the marketplace, or name that');
  }
  if (faults.length > 0) process.exitCode = 1;
}

async function keysOf(place) {
  if (!place.includes('://')) return JSON.parse(readFileSync(place, 'utf8'));
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place} answered ${answer.status}`);
  return answer.json();
}
