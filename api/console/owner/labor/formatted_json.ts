/** Deeper values are shown as they were sent. */
const DEPTH_MAX = 20;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * JSON with a line for each value. Its texts and numbers stay as they were written: parsing would
 * round long numbers. Undefined: the text is no object or list.
 */
export function formattedJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return undefined;
  let depth = 0;
  let shown = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth > DEPTH_MAX) return undefined;
      shown += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      shown = `${shown.trimEnd()}${/[{[]$/.test(shown.trimEnd()) ? '' : line()}${token}`;
    } else if (token === ',') shown += token + line();
    else shown += token === ':' ? ': ' : token;
  }
  return shown;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
