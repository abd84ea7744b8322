import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Missing, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { plural, Usd, usdOf, When, wordsOf, Words } from '../../parts/text.tsx';
import { ListState } from './list_state.tsx';
import { csvOf, EMAIL_LISTS } from './paths.ts';

type Report = AnswerOf<'get_email_file'>;
type Results = AnswerOf<'get_email_results'>;

/** Rows of a list that its page shows. */
const SHOWN = 20;

const idOf = ({ params }: PageQuery) => ({ file_id: Number(params.id) });

export const emailList = page({
  path: `${EMAIL_LISTS}/:id`,
  title: 'Email list',
  access: 'owner',
  live: ['job'],
  reads: { list: ['get_email_file', idOf] },
  cards: {
    results: ['get_email_results', (asked: PageQuery) => ({ ...idOf(asked), limit: SHOWN })],
  },
  does: ['validate_email_file', 'delete_email_file'],
  view: ({ list, results }) => (
    <>
      <div class="lead">
        <h1>
          <Words>{list.name}</Words> <ListState status={list.status} />
        </h1>
        <p>
          {plural(list.row_count, 'row')}, {plural(list.addresses, 'different address')} in the
          column <Words>{list.email_column}</Words>.
        </p>
      </div>
      <dl class="pairs">
        <dt>Uploaded</dt>
        <dd>
          <When at={list.created_at} />
        </dd>
        <dt>Kept until</dt>
        <dd>
          <When at={list.deleted_at} />
        </dd>
      </dl>
      <Next list={list} />
      <Card
        id="verdicts"
        title="Verdicts"
        aside={
          <a class="link" href={csvOf(list.file_id)} download>
            Download as CSV
          </a>
        }
      >
        <Table
          label="Verdicts"
          rows={Object.entries(VERDICTS)}
          columns={[
            { head: 'Verdict', cell: ([, text]) => text },
            {
              head: 'Addresses',
              right: true,
              cell: ([status]) => list.results[status as keyof Report['results']],
            },
          ]}
        />
        <p>
          Paid so far: <Usd amount={list.charged} />.
        </p>
      </Card>
      <Card id="rows" title={list.row_count > SHOWN ? `The first ${SHOWN} rows` : 'The rows'}>
        {results ? <Rows list={list} results={results} /> : <Missing />}
      </Card>
    </>
  ),
});

const VERDICTS: Readonly<Record<keyof Report['results'], string>> = {
  deliverable: 'Mail arrives',
  risky: 'Risky: everybody is accepted, the mailbox is full, or the domain is a throwaway one',
  undeliverable: 'Mail does not arrive',
  unknown: 'Could not be found out: free',
  unpaid: 'Not validated, because money or a limit ran out: free',
  waiting: 'Not validated yet',
};

/** The next step: validating what has no answer. */
function Next({ list }: { list: Report }) {
  const input = { file_id: list.file_id };
  const { unknown, unpaid, waiting } = list.results;
  const left = unknown + unpaid + waiting;
  const price = usdOf(left * 0.002);
  if (list.status === 'running') {
    return (
      <p>
        {plural(waiting, 'address')} to go.{' '}
        <a href={`/console/jobs/${list.job_id}`}>How far it is</a>
      </p>
    );
  }
  return (
    <div class="buttons">
      {left > 0 && (
        <Do
          op="validate_email_file"
          input={input}
          label={`Validate ${plural(left, 'address')}`}
          main
          confirm={{
            title: 'Validate the list?',
            lines: [
              `It costs ${price} at most: $0.002 for each address that is answered.`,
              `It takes about ${timeOf(list.seconds ?? 0)}.`,
            ],
          }}
        />
      )}
      <Do
        op="delete_email_file"
        input={input}
        label="Delete"
        next={EMAIL_LISTS}
        confirm={{ title: 'Delete the list?', lines: ['Its rows and verdicts are gone for good.'] }}
      />
    </div>
  );
}

function timeOf(seconds: number): string {
  if (seconds < 120) return plural(Math.max(1, seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? plural(minutes, 'minute') : plural(Math.ceil(minutes / 60), 'hour');
}

/** The addresses with their verdicts, and two more columns to recognise the rows by. */
function Rows({ list, results }: { list: Report; results: Results }) {
  const others = results.columns.filter((name) => name !== list.email_column).slice(0, 2);
  const at = (name: string) => results.columns.indexOf(name);
  const cell = (row: Results['rows'][number], name: string) => row.cells[at(name)] ?? '';
  return (
    <Table
      label="Rows"
      rows={results.rows}
      columns={[
        { head: 'Row', right: true, cell: ({ row }) => row },
        {
          head: list.email_column,
          cell: (row) => <Words>{cell(row, list.email_column)}</Words>,
        },
        {
          head: 'Verdict',
          cell: (row) => verdictOf(row, cell(row, list.email_column)),
        },
        ...others.map((name) => ({
          head: name,
          wide: true,
          cell: (row: Results['rows'][number]) => <Words>{cell(row, name)}</Words>,
        })),
      ]}
    />
  );
}

function verdictOf({ result }: Results['rows'][number], email: string) {
  if (!result) return email.includes('@') ? 'none yet' : 'no address';
  const { status, sub_status, did_you_mean } = result;
  return (
    <>
      {status}: {wordsOf(sub_status)}
      {did_you_mean && (
        <span class="note">
          Perhaps meant: <Words>{did_you_mean}</Words>
        </span>
      )}
    </>
  );
}
