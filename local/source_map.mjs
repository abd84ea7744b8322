const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE_BITS = 5;
const MORE = 1 << VALUE_BITS;

/**
 * A source map (ECMA-426) without the parts about packages. Node keeps the whole map from the first
 * error whose stack is read: for an API with its packages that would be 120 MB.
 */
export function withoutPackages(text) {
  const map = JSON.parse(text);
  const isOwn = map.sources.map((source) => !source.includes('node_modules/'));
  // Column, source, line, column and name, each stored as the difference from the segment before.
  const read = [0, 0, 0, 0, 0];
  const written = [0, 0, 0, 0, 0];
  let wasOwn = true;
  const lines = map.mappings.split(';').map((line) => {
    read[0] = 0;
    written[0] = 0;
    const kept = [];
    for (const segment of line === '' ? [] : line.split(',')) {
      const changes = decoded(segment);
      for (const [n, change] of changes.entries()) read[n] += change;
      const own = changes.length > 1 && isOwn[read[1]];
      // A column alone ends the mapping before it: from there on nothing is known.
      if (own || wasOwn) kept.push(encoded(read, written, own ? changes.length : 1));
      wasOwn = own;
    }
    return kept.join(',');
  });
  return JSON.stringify({ ...map, mappings: lines.join(';') });
}

function decoded(segment) {
  const values = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits % MORE) << shift;
    shift += VALUE_BITS;
    if (bits >= MORE) continue;
    values.push(value % 2 === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return values;
}

/** The first `count` fields, as differences from the last written ones, which they replace. */
function encoded(read, written, count) {
  let segment = '';
  for (let n = 0; n < count; n += 1) {
    const change = read[n] - written[n];
    written[n] = read[n];
    let left = change < 0 ? (-change << 1) + 1 : change << 1;
    do {
      const bits = left % MORE;
      left >>= VALUE_BITS;
      segment += DIGITS[left > 0 ? bits + MORE : bits];
    } while (left > 0);
  }
  return segment;
}
