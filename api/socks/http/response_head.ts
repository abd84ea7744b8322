import { Transform } from 'node:stream';

import { endToEnd } from './head.ts';

/** Maximum bytes of a target's head: targets may say more than clients. */
const HEAD_MAX = 65_536;
/** Maximum interim answers (100 to 199). */
const INTERIM_MAX = 16;
const SWITCHING_PROTOCOLS = 101;

/**
 * Passes a target's answer with another head: without fields about its own connection and about
 * proxies, and with the end of the client's connection, on which nothing else follows. If the
 * target ends without a byte, the client reads `ifNone`.
 */
export function oneResponse(ifNone: Buffer): Transform {
  let head = '';
  let hasBytes = false;
  let isPassing = false;
  let interim = 0;

  /** Passes the heads in the text, and what is behind the last of them. */
  function pass(transform: Transform): void {
    while (!isPassing) {
      const [end] = /\r?\n\r?\n/.exec(head) ?? [];
      if (end === undefined) {
        if (head.length > HEAD_MAX) throw new Error('the head of an answer is too long');
        return;
      }
      const at = head.indexOf(end);
      const { text, isInterim } = headFor(head.slice(0, at));
      head = head.slice(at + end.length);
      transform.push(Buffer.from(text, 'latin1'));
      if (!isInterim) isPassing = true;
      else if ((interim += 1) > INTERIM_MAX) throw new Error('an answer without end');
    }
    if (head !== '') transform.push(Buffer.from(head, 'latin1'));
    head = '';
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hasBytes = true;
      if (isPassing) return done(null, chunk);
      try {
        head += chunk.toString('latin1');
        pass(this);
        return done();
      } catch (error) {
        return done(error as Error);
      }
    },
    flush(done) {
      done(null, hasBytes ? undefined : ifNone);
    },
  });
}

function headFor(text: string): { text: string; isInterim: boolean } {
  const [first, ...lines] = text.split(/\r?\n/);
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first!)?.[1]);
  if (Number.isNaN(status)) throw new Error('the answer is not HTTP');
  const fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, Math.max(0, colon)).trim(), value: line.slice(colon + 1).trim() };
  });
  const isInterim = status >= 100 && status < 200 && status !== SWITCHING_PROTOCOLS;
  const kept = endToEnd(fields.filter(({ name }) => name !== '')).map(
    ({ name, value }) => `${name}: ${value}`,
  );
  const all = [first!, ...kept, ...(isInterim ? [] : ['Connection: close'])];
  return { text: `${all.join('\r\n')}\r\n\r\n`, isInterim };
}
