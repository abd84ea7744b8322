import { Words } from '../parts/text.tsx';

/** An agent in a text for operators, by its name. */
export const AgentLink = ({ id, username }: { id: number; username: string }) => (
  <a href={`/admin/find?agent=${id}`}>
    <Words>{username}</Words>
  </a>
);
