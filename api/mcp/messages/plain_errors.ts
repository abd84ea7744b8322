import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** A failing field, as the validator of the SDK reports it. */
interface Issue {
  readonly path?: readonly (string | number)[];
  readonly message?: string;
}

/** A reply whose error, if it is a report of the SDK's validator, is a sentence. */
export function withPlainError<R extends object>(reply: R): R {
  const { error } = reply as { error?: { message: string } };
  const issues = error && issuesIn(error.message);
  if (!issues) return reply;
  const named = issues.map(({ path = [] }) => `/${path.join('/')}`);
  const message = `${[...new Set(named)].join(' and ')} cannot be read: see the schema of MCP.`;
  return { ...reply, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

/** The report in a message such as `Invalid … request: [ … ]`; undefined: there is none. */
function issuesIn(message: string): readonly Issue[] | undefined {
  const [report] = /\[\s*\{[^]*\]$/.exec(message) ?? [];
  if (report === undefined) return undefined;
  try {
    return JSON.parse(report) as readonly Issue[];
  } catch {
    return [];
  }
}
