const [QUOTE, LINE_FEED, RETURN] = [0x22, 0x0a, 0x0d];

/**
 * CSV in which each row ends with a line feed. Files that several programs wrote end some rows with
 * CRLF and others with LF or CR, and a parser that takes the first for all joins rows or leaves
 * some out. Within quotation marks, which begin a cell, everything stays as it is.
 */
export function withLineFeeds(text: string, delimiter: string): string {
  if (!text.includes('\r')) return text;
  const separator = delimiter.charCodeAt(0);
  const lines: string[] = [];
  let from = 0;
  let beginsCell = true;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE && beginsCell) {
      at = endOfQuoted(text, at);
      beginsCell = false;
    } else if (char === RETURN) {
      lines.push(text.slice(from, at));
      if (text.charCodeAt(at + 1) === LINE_FEED) at += 1;
      from = at + 1;
      beginsCell = true;
    } else beginsCell = char === LINE_FEED || char === separator;
  }
  return [...lines, text.slice(from)].join('\n');
}

/** The position of the mark that ends a quoted cell (RFC 4180, section 2); two in a row are one. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
  return text.length;
}
