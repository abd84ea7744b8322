import { moves, transfer, treasury, type Sabotage } from './sabotage.ts';

const STOPS = 'each suspension by an operator is in the audit log, as of the same moment';
const PAID = 'each goodwill credit was paid once, as credit, to the tree of its agent';
const DAYS = 'the goodwill of each day is what was counted for its limit';
const LOGGED = 'each goodwill credit is in the audit log, as of the same moment';

const suspensions = `where operation like 'operator_%_agent'`;
const goodwill = `where operation = 'give_goodwill'`;
const all = `where kind = 'goodwill'`;

/** Statements that make the log of operators untrue. $2 of goodwill are the other's. */
export const OPERATOR_SABOTAGES: readonly Sabotage[] = [
  {
    proof: STOPS,
    what: 'one is missing there',
    sql: `delete from audit_log where operation = 'operator_resume_agent'`,
  },
  {
    proof: STOPS,
    what: 'it names another',
    sql: `update audit_log set operator = 'nobody' ${suspensions}`,
  },
  {
    proof: STOPS,
    what: 'what is there was refused',
    sql: `update audit_log set error = 'not_found' ${suspensions}`,
  },
  {
    proof: STOPS,
    what: 'what is there was later',
    sql: `update audit_log set created_at = created_at + interval '1 second' ${suspensions}`,
  },
  {
    proof: PAID,
    what: 'one that nobody gave',
    sql:
      transfer('goodwill', '-9', 5, `'expense', 1, null`, treasury(':other')) +
      moves(':other', 'cash = cash + 5'),
  },
  {
    proof: PAID,
    what: 'one that was not paid',
    sql: `delete from ledger.transfer ${all}; ${moves(':other', 'credit = credit - 2000000')}`,
  },
  {
    proof: PAID,
    what: 'one that can be withdrawn',
    sql:
      `update ledger.transfer set credit = 0, cash = 2000000 ${all};` +
      moves(':other', 'credit = credit - 2000000, cash = cash + 2000000'),
  },
  {
    proof: PAID,
    what: 'one that another tree has',
    sql:
      `update ledger.transfer set to_id = :idle, to_root = :idle ${all};` +
      moves(':other', 'credit = credit - 2000000') +
      moves(':idle', 'credit = credit + 2000000'),
  },
  { proof: DAYS, what: 'too little', sql: 'update goodwill_day set granted = granted - 1' },
  { proof: DAYS, what: 'a day that was not counted', sql: 'delete from goodwill_day' },
  { proof: LOGGED, what: 'one is missing there', sql: `delete from audit_log ${goodwill}` },
  {
    proof: LOGGED,
    what: 'it names another',
    sql: `update audit_log set operator = 'nobody' ${goodwill}`,
  },
  {
    proof: LOGGED,
    what: 'it is about another reference',
    sql: `update audit_log set input = '{"reference": "x"}' ${goodwill}`,
  },
];
