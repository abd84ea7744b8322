import { domainToASCII, domainToUnicode } from 'node:url';

import { isAddress, isHostName } from '../platform/egress/addresses.ts';

/** A mailbox as RFC 5321 writes it. */
export interface Address {
  /** The local part unchanged, with quotes: only its domain knows which forms are equal. */
  readonly local: string;
  /** The domain in ASCII and lower case (IDNA), or an address literal in brackets. */
  readonly domain: string;
}

const LOCAL_BYTES_MAX = 64;
const BYTES_MAX = 254; // RFC 5321 §4.5.3.1.3: 256 with the angle brackets.

/** Characters beyond ASCII in an international address (RFC 6531): no controls, no spaces. */
const BEYOND = String.raw`(?![\x00-\x7f])[\p{L}\p{M}\p{N}\p{P}\p{S}]`;
const ATOM = String.raw`(?:[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~\-]|${BEYOND})+`;
const QUOTED = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e]|${BEYOND})*"`;
/** A full stop, and those that IDNA takes for one (RFC 3490, section 3.1). */
const DOTS = /[.\u3002\uff0e\uff61]/;
const LOCAL = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})$`, 'u');

/**
 * Reads an address by RFC 5321 with the international forms of RFC 6531: dot-atoms and quoted
 * strings, a fully qualified domain or an address literal. Comments and folding white space
 * (RFC 5322) belong to headers and are not accepted. Undefined: it is no address.
 */
export function parseAddress(text: string): Address | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = domainOf(text.slice(at + 1));
  if (!domain || !LOCAL.test(local) || Buffer.byteLength(local) > LOCAL_BYTES_MAX) return undefined;
  return Buffer.byteLength(local) + 1 + domain.length > BYTES_MAX ? undefined : { local, domain };
}

/** One spelling of an address whose domain or letters may be written in several ways. */
export const canonical = ({ local, domain }: Address): string =>
  `${local.normalize('NFC')}@${domain}`;

/**
 * The address as it is sent, without quotes that it does not need: `"ada"` is `ada`, and senders
 * should use the least quoting (RFC 5321 §4.1.2).
 */
export function withLeastQuoting({ local, domain }: Address): Address {
  const [, quoted = ''] = /^"(.*)"$/s.exec(local) ?? [];
  const plain = quoted.replaceAll(/\\(.)/g, '$1');
  return { local: !plain.startsWith('"') && LOCAL.test(plain) ? plain : local, domain };
}

/** Whether the address has an IP address where others have a domain. */
export const isLiteral = ({ domain }: Address): boolean => domain.startsWith('[');

function domainOf(written: string): string | undefined {
  const [, tag, literal = ''] = /^\[(IPv6:)?([\da-f.:]+)\]$/i.exec(written) ?? [];
  if (literal && isAddress(literal) && literal.includes(':') === Boolean(tag)) return written;
  // URL parsing would decode or drop characters that are invalid in a domain.
  if (/[^\w.\-\u0080-\u{10ffff}]/u.test(written)) return undefined;
  const isPlain = /^[\w.-]*$/.test(written) && !/xn--/i.test(written);
  const ascii = isPlain ? written.toLowerCase() : domainToASCII(written);
  // Node 24 keeps a label that is invalid Punycode, which Node 20 refuses; this refuses it too.
  if (!isPlain && /(^|\.)xn--/.test(domainToUnicode(ascii))) return undefined;
  if (!isPlain && !isAsWritten(written, ascii)) return undefined;
  // Hosts may have `_` in their names, domains of addresses may not (RFC 5321 §4.1.2).
  const isDomain = ascii.includes('.') && isHostName(ascii) && !ascii.includes('_');
  return isDomain ? ascii : undefined;
}

/**
 * Whether each label is as written, but for its letters' case and Unicode form. IDNA leaves out
 * characters that nobody sees and replaces others (circled, of full width), while mail programs
 * take an address as it is.
 */
function isAsWritten(written: string, ascii: string): boolean {
  const labels = written.normalize('NFC').toLowerCase().split(DOTS);
  const [encoded, shown] = [ascii.split('.'), domainToUnicode(ascii).split('.')];
  return (
    labels.length === encoded.length &&
    labels.every((label, n) => label === encoded[n] || label === shown[n])
  );
}
