import type { Connection } from '../connections/prepared.ts';
import { spanOf, type Attributes, type Tracing } from './tracing.ts';

/** Maximum characters of a statement in a span. */
const CHARS_MAX = 2_000;
/** Maximum statements whose attributes are kept. */
const STATEMENTS_MAX = 500;

/**
 * Makes a span of each statement that a connection runs for a traced call. Its text has parameters
 * as $1 only; their values, and messages of PostgreSQL, which may repeat them, are in no span.
 */
export function traceStatements(connection: Connection, traces: Tracing): void {
  const query = connection.query.bind(connection);
  connection.query = (statement, parameters, callback) => {
    // Duties of the process have no span above, and make none.
    if (typeof statement !== 'string' || !traces.active())
      return query(statement, parameters, callback);
    const { name, attributes } = describedStatement(statement);
    const span = traces.start(name, 'client', { attributes });
    return spanOf(span, () => query(statement, parameters, callback));
  };
}

interface Statement {
  readonly name: string;
  readonly attributes: Attributes;
}

const known = new Map<string, Statement>();

/** The name and the attributes of the spans of a statement. */
export function describedStatement(sql: string): Statement {
  const found = known.get(sql);
  if (found) return found;
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  const [operation = ''] = /^[a-z]+/i.exec(text) ?? [];
  const [, target] = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_][\w.]*)/i.exec(text) ?? [];
  const name = [operation.toLowerCase(), target].filter(Boolean).join(' ') || 'statement';
  const statement = {
    name,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation.toLowerCase(),
      'db.query.summary': name,
      'db.query.text': withoutLiterals(text).slice(0, CHARS_MAX),
    },
  };
  if (known.size < STATEMENTS_MAX) known.set(sql, statement);
  return statement;
}

/** Our statements have constants only; one that ever had a value must not show it either. */
const withoutLiterals = (text: string): string =>
  /\$1\b/.test(text) ? text : text.replaceAll(/'(?:[^']|'')*'/g, "'?'");
