import { randomUUID } from 'node:crypto';

import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { useShown } from '../../page_state.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { PostForm } from '../../parts/do.tsx';
import { Fields, LabelledField } from '../../parts/fields.tsx';
import { Usd, When, Words } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { ListState } from './list_state.tsx';
import { EMAIL_LISTS, UPLOAD } from './paths.ts';

export const emailLists = page({
  path: EMAIL_LISTS,
  title: 'Email lists',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'mail' },
  live: ['job'],
  reads: {
    found: ['list_email_files', ({ query }: PageQuery) => given(query, 'cursor')],
  },
  view: ({ found }, { query }) => (
    <>
      <Lead title="Email lists">
        <p>
          Upload a list of addresses, see what it costs, and get it back with a verdict beside each
          row: <Usd amount={0.002} /> an address, once however often it is listed. Those about which
          nothing can be found out are free.
        </p>
      </Lead>
      <Card id="upload" title="Upload a list">
        <UploadForm />
      </Card>
      <Card id="lists" title="Your lists">
        {found.count === 0 ? (
          <Empty>No lists yet. Each is kept for 30 days.</Empty>
        ) : (
          <Lists files={found.files} />
        )}
        <Pages path={EMAIL_LISTS} of={found} query={query} />
      </Card>
    </>
  ),
});

/** A browser sends a file in this encoding alone, so the form has a route of its own. */
function UploadForm() {
  const { refused } = useShown();
  const fields = refused?.operation === 'upload_email_file' ? refused.fields : {};
  const problem = fields.file ?? fields.content;
  // The message of a refusal leads to the field by its name.
  const id = `upload_email_file-${fields.file ? 'file' : 'content'}`;
  return (
    <PostForm action={UPLOAD} class="form" enctype="multipart/form-data">
      <input type="hidden" name="_back" value={EMAIL_LISTS} />
      <input type="hidden" name="_key" value={randomUUID()} />
      <LabelledField
        id={id}
        label="File"
        note={
          <>
            <span class="note">
              CSV or JSONL, up to 100 000 rows and 16 MB. Its other columns come back unchanged.
            </span>
            {problem && <strong class="problem">{problem}</strong>}
          </>
        }
      >
        <input
          type="file"
          id={id}
          name="file"
          accept=".csv,.tsv,.txt,.jsonl"
          aria-describedby={`${id}-note`}
          required
        />
      </LabelledField>
      <Fields op="upload_email_file" only={['column']} />
      <button class="button main">Upload</button>
    </PostForm>
  );
}

const Lists = ({ files }: { files: AnswerOf<'list_email_files'>['files'] }) => (
  <Table
    label="Email lists"
    rows={files}
    columns={[
      {
        head: 'List',
        cell: ({ file_id, name }) => (
          <a href={`${EMAIL_LISTS}/${file_id}`}>
            #{file_id} <Words>{name}</Words>
          </a>
        ),
      },
      { head: 'State', cell: ({ status }) => <ListState status={status} /> },
      { head: 'Addresses', right: true, cell: ({ addresses }) => addresses },
      { head: 'Price', right: true, cell: ({ price }) => <Usd amount={price} /> },
      { head: 'Uploaded', wide: true, cell: ({ created_at }) => <When at={created_at} /> },
    ]}
  />
);
