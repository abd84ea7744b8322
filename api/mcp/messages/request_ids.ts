import type { RequestId } from '@modelcontextprotocol/server';

/**
 * Begins an id that stands for a number which JavaScript cannot hold exactly: its digits follow. No
 * client can send such a text, because no input may hold NUL.
 */
const EXACT = '\u0000';

/** The id of a request as it is handed on: a number that would lose digits is kept as text. */
export const keptId = (id: RequestId, raw: string | undefined): RequestId =>
  typeof id === 'string' || Number.isSafeInteger(id) ? id : EXACT + (raw ?? String(id));

const isExact = (id: unknown): id is string => typeof id === 'string' && id.startsWith(EXACT);

/** The id in JSON, as it was sent. */
export const idText = (id: RequestId | null): string =>
  isExact(id) ? id.slice(EXACT.length) : JSON.stringify(id);

/** A message in JSON, with its id as it was sent. */
export const withIdAsSent = (json: string, id: unknown): string =>
  isExact(id) ? json.replace(JSON.stringify(id), () => idText(id)) : json;

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The ids of the messages of a valid JSON text as they are written there, by their places. */
export function rawIdsIn(text: string): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const depthOfIds = text.trimStart().startsWith('[') ? 2 : 1;
  let [depth, place, isValue] = [0, 0, false];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (isValue) ids.set(place, token);
    isValue = token === ':' && depth === depthOfIds && previous === '"id"';
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ',' && depth === depthOfIds - 1) place += 1;
    previous = token;
  }
  return ids;
}
