import { Card } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { CLOSING } from './closing_page.tsx';
import { EXPORT } from './export_file.ts';

/** The file of all that is held about an owner. */
export const YourData = () => (
  <Card id="data" title="Your data">
    <p>
      One JSON file: your account, addresses, notices, mails, sessions, passkeys and keys without
      secrets, the agents below with their limits, connected apps, and the newest orders and
      movements of money. It says where a list is longer, and which call has the rest.
    </p>
    <PostForm action={`/console/account${EXPORT}`} class="inline">
      <button class="button">Download your data</button>
    </PostForm>
    <p>
      <a href={CLOSING}>Close the account</a>
    </p>
  </Card>
);
