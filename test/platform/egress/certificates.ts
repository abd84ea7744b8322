import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate and its private key, as PEM. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Issuer extends Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
}

interface Subject {
  /** A host name, or the four numbers of an IPv4 address. */
  readonly host: string;
  /** When it ends, from now; negative: it has ended. */
  readonly days?: number;
}

/** A new authority, which nobody trusts yet. */
export function makeIssuer(name: string): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))));
  const cert = certificateOf({ subject: name, issuer: name, publicKey, days: 1 }, isAuthority);
  return { name, privateKey, cert: pem(signed(cert, privateKey)), key: pemOf(privateKey) };
}

/** A certificate for a host; without `issuer` it is signed by itself. */
export function makeCertificate({ host, days = 1 }: Subject, issuer?: Issuer): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAddress = /^[\d.]+$/.test(host);
  const name = isAddress ? Buffer.from(host.split('.').map(Number)) : Buffer.from(host);
  const hosts = extension('551d11', sequence(der(isAddress ? 0x87 : 0x82, name)));
  const names = { subject: host, issuer: issuer?.name ?? host };
  const certificate = certificateOf({ ...names, publicKey, days }, hosts);
  const cert = pem(signed(certificate, issuer?.privateKey ?? privateKey));
  return { cert, key: pemOf(privateKey) };
}

interface Fields {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly days: number;
}

/** X.509 (RFC 5280 §4.1), in DER: what the issuer signs. */
function certificateOf({ subject, issuer, publicKey, days }: Fields, extensions: Buffer): Buffer {
  return sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(timeOf(-30), timeOf(days)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
}

const signed = (certificate: Buffer, privateKey: KeyObject): Buffer => {
  const signature = sign('sha256', certificate, privateKey);
  return sequence(certificate, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
};

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const short = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  const lengthBytes = length < 128 ? [length] : short;
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const extension = (hex: string, value: Buffer): Buffer =>
  sequence(identifier(hex), der(0x04, value));

/** One attribute, the common name. */
const nameOf = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))));

function timeOf(days: number): Buffer {
  const time = new Date(Date.now() + days * 86_400_000).toISOString();
  return der(0x17, Buffer.from(`${time.slice(2, 19).replace(/\D/g, '')}Z`));
}

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));

const pem = (bytes: Buffer): string => {
  const lines = bytes
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
