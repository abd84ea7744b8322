import { isIPv6 } from 'node:net';

/** Types of DNS queries (RFC 1035 §3.2.2), with their numbers. */
const TYPES = { A: 1, NS: 2, MX: 15, AAAA: 28 } as const;
export type RecordType = keyof typeof TYPES;

export interface Query {
  readonly id: number;
  /** In lower case, without a dot at its end. */
  readonly name: string;
  readonly type: RecordType;
}

/** A record as text: an address or a host; for MX with its preference (the lowest comes first). */
export interface FoundRecord {
  readonly value: string;
  readonly preference: number;
}

export interface Answer {
  /** Response code (RFC 1035 §4.1.1): 0 is success, 3 that the name does not exist. */
  readonly code: number;
  /** True: it did not fit into a datagram, and must be asked for again by TCP. */
  readonly isTruncated: boolean;
  /** The first records by preference, up to a maximum. */
  readonly records: readonly FoundRecord[];
  /** True: there were records of this type, but all of other names than the one asked for. */
  readonly isOfOthers: boolean;
}

/** The bytes are not a DNS answer. */
class MalformedMessage extends Error {}

export const RECORDS_MAX = 8;
/** Maximum aliases (CNAME) from a name to the one that has the records. */
const ALIASES_MAX = 8;
const NAME_MAX = 255;
const HEADER = 12;
const CNAME = 5;
const INTERNET = 1;
/** Option of RFC 6891: we take datagrams of up to 1 232 bytes, which no path fragments. */
const EDNS = Buffer.from([0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0]);

export function queryOf({ id, name, type }: Query): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  const header = Buffer.from([id >> 8, id & 0xff, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  const question = labels.flatMap((label) => [Buffer.from([label.length]), label]);
  const end = Buffer.from([0, 0, TYPES[type], 0, INTERNET]);
  return Buffer.concat([header, ...question, end, EDNS]);
}

/**
 * Reads the answer to a query. Undefined: the message answers another query (other id or question),
 * as guessed ones do (RFC 5452 §9.1). Only records of the name that was asked for, or of the name
 * that its aliases lead to, are believed. Throws Malformed.
 */
export function readAnswer(message: Buffer, { id, name, type }: Query): Answer | undefined {
  if (message.length < HEADER || message.readUInt16BE(0) !== id) return undefined;
  const flags = message.readUInt16BE(2);
  if (flags >> 15 === 0 || message.readUInt16BE(4) !== 1) return undefined;
  const asked = readName(message, HEADER);
  const start = asked.end + 4;
  if (asked.name !== name || message.length < start) return undefined;
  if (message.readUInt16BE(asked.end) !== TYPES[type]) return undefined;

  const code = flags & 0x0f;
  const isTruncated = (flags & 0x0200) !== 0;
  if (isTruncated) return { code, isTruncated, records: [], isOfOthers: false };
  const owner = ownerOf(message, start, name);
  const records: FoundRecord[] = [];
  let others = 0;
  for (const entry of entries(message, start)) {
    if (entry.type !== TYPES[type]) continue;
    if (entry.name === owner) keep(records, recordOf(message, entry, type));
    else others += 1;
  }
  return { code, isTruncated, records, isOfOthers: others > 0 && records.length === 0 };
}

/** The name that has the records, after all aliases. */
function ownerOf(message: Buffer, start: number, name: string): string {
  const aliases = new Map<string, string>();
  for (const entry of entries(message, start)) {
    if (entry.type !== CNAME) continue;
    if (aliases.size >= 2 * ALIASES_MAX) throw new MalformedMessage('too many aliases');
    aliases.set(entry.name, readName(message, entry.data).name);
  }
  let owner = name;
  for (let hops = 0; aliases.has(owner); hops += 1) {
    if (hops >= ALIASES_MAX) throw new MalformedMessage('aliases without end');
    owner = aliases.get(owner)!;
  }
  return owner;
}

interface Entry {
  readonly name: string;
  readonly type: number;
  /** Offset of its data; below, the offset of its end. */
  readonly data: number;
  readonly end: number;
}

/** The answer section. */
function* entries(message: Buffer, start: number): Iterable<Entry> {
  let at = start;
  for (let left = message.readUInt16BE(6); left > 0; left -= 1) {
    const { name, end } = readName(message, at);
    const data = end + 10;
    if (data > message.length) throw new MalformedMessage('it ends within a record');
    at = data + message.readUInt16BE(end + 8);
    if (at > message.length) throw new MalformedMessage('it ends within a record');
    const isInternet = message.readUInt16BE(end + 2) === INTERNET;
    if (isInternet) yield { name, type: message.readUInt16BE(end), data, end: at };
  }
}

function recordOf(message: Buffer, { data, end }: Entry, type: RecordType): FoundRecord {
  const bytes = message.subarray(data, end);
  const preference = type === 'MX' && bytes.length > 2 ? bytes.readUInt16BE(0) : 0;
  if (type === 'A' && bytes.length === 4) return { value: bytes.join('.'), preference };
  if (type === 'AAAA' && bytes.length === 16) return { value: ipv6Of(bytes), preference };
  const at = type === 'MX' ? data + 2 : data;
  if (type === 'A' || type === 'AAAA' || at >= end)
    throw new MalformedMessage('a record of no such form');
  return { value: readName(message, at).name, preference };
}

/** Keeps the record if it is among the first by preference. */
function keep(records: FoundRecord[], record: FoundRecord): void {
  const later = records.findIndex(({ preference }) => preference > record.preference);
  if (later >= 0) records.splice(later, 0, record);
  else if (records.length < RECORDS_MAX) records.push(record);
  if (records.length > RECORDS_MAX) records.pop();
}

function ipv6Of(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(2 * n).toString(16));
  const text = groups.join(':');
  if (!isIPv6(text)) throw new MalformedMessage('no address');
  return text;
}

/**
 * Reads a name, in lower case. A pointer (RFC 1035 §4.1.4) may lead only to an earlier name, so
 * there are no loops. A byte that no host has is written as `\DDD`, so it is never taken for a dot.
 */
function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  let earliest = from;
  let end: number | undefined;
  let length = 0;
  for (;;) {
    const size = message[at];
    if (size === undefined) throw new MalformedMessage('it ends within a name');
    if (size === 0) break;
    if (size >= 0xc0) {
      const to = ((size & 0x3f) << 8) | (message[at + 1] ?? 0);
      end ??= at + 2;
      if (to >= earliest || to < HEADER) throw new MalformedMessage('a pointer that leads forward');
      at = earliest = to;
      continue;
    }
    length += size + 1;
    const label = message.subarray(at + 1, at + 1 + size);
    if (size > 63 || length >= NAME_MAX || label.length < size)
      throw new MalformedMessage('no name');
    labels.push(textOf(label));
    at += size + 1;
  }
  return { name: labels.join('.'), end: end ?? at + 1 };
}

const textOf = (label: Buffer): string =>
  label
    .toString('latin1')
    .toLowerCase()
    .replaceAll(/[^\w-]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`);
