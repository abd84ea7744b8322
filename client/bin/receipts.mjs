#!/usr/bin/env node
// agent-marketplace-receipts save <folder>: writes the receipts of an agent and all below it, the
// keys and the documents of days into a folder. Reads MARKET_URL and MARKET_KEY.
// agent-marketplace-receipts verify <folder> [<keys>]: verifies such a folder. <keys> is the file
// or the https address of the keys that you trust. Without it nobody is asked, and the keys of the
// folder are named, to be compared.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openMarket, Refused, Unreachable, verifyReceipts } from '../dist/src/client.js';

/** The errors of the file system, in words. */
const SYSTEM = {
  EACCES: 'it may not be read or written.',
  EEXIST: 'it is a file, and no folder.',
  EISDIR: 'it is a folder, and no file.',
  ENOENT: 'there is none.',
  ENOSPC: 'the disk is full.',
  ENOTDIR: 'it is a file, and no folder.',
  EPERM: 'it may not be read or written.',
  EROFS: 'it may not be written.',
};

/** An error that a person can do something about: its message is enough. */
class Told extends Error {}

const [command, folder, trusted] = process.argv.slice(2);
try {
  if (folder && command === 'save') await save();
  else if (folder && command === 'verify') await verify();
  else {
    console.error('Usage: agent-marketplace-receipts save <folder> | verify <folder> [<keys>]');
    process.exitCode = 2;
  }
} catch (error) {
  console.error(wordsOf(error));
  process.exitCode = 1;
}

/** A sentence for an error of everyday; all of an error that nobody thought of. */
function wordsOf(error) {
  if (error instanceof Unreachable) {
    return `${process.env.MARKET_URL} did not answer. Is it the address of the marketplace?`;
  }
  if (error instanceof Told || error instanceof Refused) return error.message;
  return SYSTEM[error.code] ? `${error.path}: ${SYSTEM[error.code]}` : error;
}

async function save() {
  const { MARKET_URL: baseUrl, MARKET_KEY: key } = process.env;
  if (!baseUrl || !key) {
    console.error('Set MARKET_URL and MARKET_KEY, an API key that may read.');
    process.exitCode = 2;
    return;
  }
  if (!URL.canParse(baseUrl)) throw new Told(`MARKET_URL is no address: ${baseUrl}`);
  const market = openMarket({ baseUrl, key });
  const listed = [];
  for await (const { receipt_id } of market.all('list_receipts', { below: true })) {
    listed.push(receipt_id);
  }
  mkdirSync(folder, { recursive: true });
  refuseOthers(listed);
  // Written whole or not at all: a run that ends in between leaves no half of a file.
  const write = (name, content) => {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, JSON.stringify(content, null, 2));
    renameSync(`${path}.new`, path);
  };
  write('keys.json', await market.get_receipt_keys());
  const days = new Set();
  for (const receipt_id of listed) {
    const receipt = await market.get_receipt({ receipt_id });
    if (receipt.inclusion) days.add(receipt.inclusion.day);
    write(`receipt_${receipt_id}.json`, receipt);
  }
  for (const day of days) write(`day_${day}.json`, await market.get_receipt_day({ day }));
  console.log(`${listed.length} receipts and ${days.size} days in ${folder}`);
}

/**
 * Refuses a folder with receipts that are not listed now. They are of another account, or a proof
 * that somebody would rather not list: neither is mixed with these, or deleted.
 */
function refuseOthers(listed) {
  const names = new Set(listed.map((id) => `receipt_${id}.json`));
  const others = readdirSync(folder).filter(
    (name) => /^receipt_\d+\.json$/.test(name) && !names.has(name),
  );
  if (others.length === 0) return;
  throw new Told(
    `Nothing was written: ${folder} holds receipts that this key does not list ` +
      `(${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}). ` +
      'They are of another account, or a proof to keep. Name another folder.',
  );
}

async function verify() {
  const book = { keys: { keys: [] }, receipts: [], days: [] };
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    const content = jsonIn(join(folder, name));
    if (Array.isArray(content.keys)) book.keys = content;
    else if (content.signed) book.days.push(content);
    else if (content.receipt) book.receipts.push(content);
    else if (Array.isArray(content.receipts)) book.receipts.push(...content.receipts);
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

/** The object in a file of JSON. */
function jsonIn(file) {
  const text = readFileSync(file, 'utf8');
  try {
    const content = JSON.parse(text);
    if (content !== null && typeof content === 'object') return content;
  } catch {
    // Below.
  }
  throw new Told(`${file}: it is no JSON object.`);
}

async function keysOf(place) {
  const keys = place.includes('://') ? await keysAt(place) : jsonIn(place);
  if (Array.isArray(keys.keys)) return keys;
  throw new Told(`${place}: it holds no keys, as /.well-known/jwks.json of a marketplace does.`);
}

async function keysAt(place) {
  try {
    const answer = await fetch(place);
    if (!answer.ok) throw new Told(`${place} answered ${answer.status}.`);
    return await answer.json();
  } catch (error) {
    if (error instanceof Told) throw error;
    throw new Told(`${place}: no keys could be read there.`);
  }
}
