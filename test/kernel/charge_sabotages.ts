import { REPORT_SABOTAGES } from './report_sabotages.ts';
import { moves, transfer, treasury, type Sabotage } from './sabotage.ts';

const CHARGES = 'each charge was paid once, in full, by the tree of its agent';
const REFUNDS = 'each refund of a charge was paid once, to the tree that had paid';
const SPENDS = 'what an agent spent on each day is what its tree below it paid';
const EMAIL =
  'each email validation was charged what it says, and nothing else was charged for one';
const FILES = 'each answer in a file of addresses was charged by its job, and once';
const DOUBTED = 'each answer about an email that was given back is a refusal of a mail host, once';
const SALES = 'each sale of proxies was charged to its agent, for as many as were sold';
const REPORTS = 'each proxy that was reported has given back what its report says';

const CONNECTIONS = 'each connection that was refunded has given back its whole price';
const UNANSWERED = 'no tree sent more over connections that were refunded on a day than it may';

const revenue = (id: number) => `'revenue', ${id}, null`;

/** The buyer's, of $0.002; of a day whose spends are not compared any more. */
const charge = (
  service: 'proxy' | 'email',
  { callId = 'gen_random_uuid()', day = 'current_date - 90' } = {},
) =>
  `insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                       spent_on)
   values (${callId}, :buyer, :buyer, '${service}', 2, 1000, 0, 2000, ${day});`;
const LAST_CHARGE = '(select max(id) from charge)';
const payment = (service: 'proxy' | 'email', { ref = LAST_CHARGE, cash = 2000 } = {}) =>
  transfer(
    `${service}.charge`,
    ref,
    cash,
    treasury(':buyer'),
    revenue(service === 'proxy' ? 2 : 3),
  ) + moves(':buyer', `cash = cash - ${cash}`);

const refund = (cause: string) =>
  `insert into charge_refund (charge_id, cause, credit, cash)
   values (${LAST_CHARGE}, '${cause}', 0, 1000);
   update charge set refunded_cash = 1000 where id = ${LAST_CHARGE};`;
const LAST_REFUND = '(select max(id) from charge_refund)';
const repayment = (to: string, { ref = LAST_REFUND } = {}) =>
  transfer('proxy.refund', ref, 1000, revenue(2), treasury(to)) + moves(to, 'cash = cash + 1000');

const FILE = `
  insert into email_file (agent_id, root_id, name, format, delimiter, columns, email_column)
  values (:buyer, :buyer, 'list', 'csv', ',', '{email}', 0);`;
const LAST_FILE = '(select max(id) from email_file)';
/** A refusal of a mail host that was charged, and given back. */
const reply = () =>
  `insert into mail_reply (machine, root_id, mailbox, refused, asked_at, charge_id, refunded)
   values ('192.0.2.1', :buyer, sha256('ada'), true, now(), ${LAST_CHARGE}, true);`;
const answerRefund = (cash = 2000) =>
  `insert into charge_refund (charge_id, cause, credit, cash)
   select ${LAST_CHARGE}, 'reply:' || coalesce(max(id), 0), 0, ${cash} from mail_reply;
   update charge set refunded_cash = ${cash} where id = ${LAST_CHARGE};
   ${transfer('email.refund', LAST_REFUND, cash, revenue(3), treasury(':buyer'))}
   ${moves(':buyer', `cash = cash + ${cash}`)}`;

const sale = (agent: string, proxies: string) =>
  `insert into proxy_sale (charge_id, agent_id, proxy_ids)
   values (${LAST_CHARGE}, ${agent}, '${proxies}');`;

const connectionRefund = (bytes: number) =>
  `insert into connection_refund (charge_id, root_id, bytes)
   values (${LAST_CHARGE}, :buyer, ${bytes});`;

/** Sabotages of charges, their refunds, and what was charged for. */
export const CHARGE_SABOTAGES: readonly Sabotage[] = [
  ...REPORT_SABOTAGES,
  { proof: CHARGES, what: 'one that nobody paid', sql: charge('email') },
  {
    proof: CHARGES,
    what: 'one that was paid in part',
    sql: charge('email') + payment('email', { cash: 1000 }),
  },
  { proof: CHARGES, what: 'a payment for nothing', sql: payment('email', { ref: '-1' }) },
  { proof: REFUNDS, what: 'a refund of nothing', sql: repayment(':buyer', { ref: '-1' }) },
  {
    proof: REFUNDS,
    what: 'one that was not paid',
    sql: charge('proxy') + payment('proxy') + refund('a test'),
  },
  {
    proof: REFUNDS,
    what: 'one to another tree',
    sql: charge('proxy') + payment('proxy') + refund('a test') + repayment(':other'),
  },
  {
    proof: 'each charge says what was given back of it',
    what: 'one that says too much',
    sql: `${charge('proxy') + payment('proxy')}
          update charge set refunded_cash = 1 where id = ${LAST_CHARGE}`,
  },
  {
    proof: SPENDS,
    what: 'too little today',
    sql: 'update spend set amount = amount - 1 where agent_id = :buyer',
  },
  {
    proof: SPENDS,
    what: 'too much on a day before',
    sql: `insert into past_spend (agent_id, root_id, day, amount)
          values (:buyer, :buyer, current_date - 9, 1)`,
  },
  {
    proof: SPENDS,
    what: 'a day before that was forgotten',
    sql: charge('email', { day: 'current_date - 9' }) + payment('email'),
  },
  {
    proof: EMAIL,
    what: 'a purchase that was charged for one',
    sql:
      charge('email', { callId: '(select job_id from orders where id = :open)' }) +
      payment('email'),
  },
  {
    proof: EMAIL,
    what: 'one that says another price',
    sql: `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, status,
                           http_status, answer, finished_at)
          values (gen_random_uuid(), 'validate_email', :buyer, :buyer, '{}', '', 'checked',
                  'complete', 200, '{"charged":0.001}', now());
          ${charge('email', { callId: `(select id from job where request_id = 'checked')` })}
          ${payment('email')}`,
  },
  {
    proof: FILES,
    what: 'an answer that nobody paid',
    sql: `${FILE}
          insert into email_file_address
            (file_id, digest, domain_hash, row_number, status, result, call_id)
          values (${LAST_FILE}, '', 1, 0, 'risky', '{"charged":0.002}', gen_random_uuid());`,
  },
  {
    proof: FILES,
    what: 'a payment for answers that are not there',
    sql: `${FILE}
          insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, status,
                           http_status, answer, finished_at)
          values (gen_random_uuid(), 'check_email_file', :buyer, :buyer,
                  json_build_object('file_id', ${LAST_FILE}), '', 'checked',
                  'complete', 200, '{"charged":0.002}', now());
          ${charge('email', { callId: `(select id from job where request_id = 'checked')` })}
          ${payment('email')}`,
  },
  {
    proof: DOUBTED,
    what: 'one that no mail host refused',
    sql: charge('email') + payment('email') + answerRefund(),
  },
  {
    proof: DOUBTED,
    what: 'one that gave nothing back',
    sql: charge('email') + payment('email') + reply(),
  },
  {
    proof: DOUBTED,
    what: 'one that gave back less',
    sql: charge('email') + payment('email') + reply() + answerRefund(1999),
  },
  {
    proof: SALES,
    what: 'two that were paid, and one sold',
    sql: charge('proxy') + payment('proxy') + sale(':buyer', '{1}'),
  },
  {
    proof: SALES,
    what: 'one that another paid',
    sql: charge('proxy') + payment('proxy') + sale(':other', '{1, 2}'),
  },
  {
    proof: REPORTS,
    what: 'one that nobody reported',
    sql: charge('proxy') + payment('proxy') + refund('proxy:7') + repayment(':buyer'),
  },
  {
    proof: REPORTS,
    what: 'one that gave nothing back',
    sql: `${charge('proxy') + payment('proxy') + sale(':buyer', '{7, 8}')}
          insert into proxy_report (charge_id, proxy_id, root_id, works, credited)
          values (${LAST_CHARGE}, 7, :buyer, false, 1000)`,
  },
  {
    proof: CONNECTIONS,
    what: 'one that is not listed',
    sql: charge('proxy') + payment('proxy') + refund('connection:7') + repayment(':buyer'),
  },
  {
    proof: CONNECTIONS,
    what: 'one that gave nothing back',
    sql: charge('proxy') + payment('proxy') + connectionRefund(0),
  },
  {
    proof: CONNECTIONS,
    what: 'one that gave back less',
    sql: `${charge('proxy') + payment('proxy')}
          insert into charge_refund (charge_id, cause, credit, cash)
          values (${LAST_CHARGE}, 'connection:7', 0, 999);
          update charge set refunded_cash = 999 where id = ${LAST_CHARGE};
          ${transfer('proxy.refund', LAST_REFUND, 999, revenue(2), treasury(':buyer'))}
          ${moves(':buyer', 'cash = cash + 999')} ${connectionRefund(0)}`,
  },
  {
    proof: UNANSWERED,
    what: 'a kilobyte more than it bought',
    sql:
      charge('proxy') +
      payment('proxy') +
      refund('connection:7') +
      repayment(':buyer') +
      connectionRefund(65_536 + 3 * 1_024),
  },
];
