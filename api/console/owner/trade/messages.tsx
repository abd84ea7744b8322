import type { AnswerOf } from '../../answers.ts';
import { Empty, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { OwnText, Quote, When } from '../../parts/text.tsx';
import { ownName, type Tree } from '../agents/names.tsx';

interface MessagesProps {
  tree: Tree;
  /** Whether the reader is a party, or above an agent that may write for it. */
  mayWrite?: boolean;
  messages: AnswerOf<'list_messages'> | null;
  about: Readonly<Record<string, number>>;
  /** The agent on the other side, if known. */
  to?: number | null;
}

/** The messages between the two sides, and a field to answer. */
export function Messages({ messages, about, to, tree, mayWrite = true }: MessagesProps) {
  if (!messages) return <Missing />;
  return (
    <div class="inside stack">
      {messages.count === 0 && <Empty>Nobody has written yet.</Empty>}
      {messages.messages.map((one) => {
        const own = ownName(tree, one.from_agent_id);
        return (
          <div id={`message-${one.message_id}`}>
            {own === undefined ? (
              <Quote by={one.from_username}>{one.text.content}</Quote>
            ) : (
              <OwnText by={own}>{one.text.content}</OwnText>
            )}
            <p class="small dim">
              <When at={one.sent_at} />
            </p>
          </div>
        );
      })}
      {mayWrite && (
        <Do op="send_message" input={{ ...about, ...(to && { to_agent_id: to }) }} label="Send">
          <Fields op="send_message" only={['text']} />
        </Do>
      )}
    </div>
  );
}
