import { Card } from '../parts/card.tsx';
import { useShown } from '../page_state.ts';

interface CallsProps {
  /** A sentence for an agent. Never a text of others: an agent does what it reads here. */
  say: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

/** The exact call for an agent: as a sentence, as a tool and by REST. */
export function Calls({ say, tool, input }: CallsProps) {
  const { operations, publicUrl } = useShown();
  const op = operations.get(tool)!;
  const [method, route] = op.rest!.split(' ') as [string, string];
  const body = { ...input };
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(body[name]);
    delete body[name];
    return encodeURIComponent(value);
  });
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${publicUrl}${path}"`,
    `-H "Authorization: Bearer $KEY"`,
    ...(method === 'GET' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(Object.keys(body).length === 0
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ];
  return (
    <Card id="calls" title="Give this to your agent">
      <div class="inside stack calls">
        <Call id="say" title="In words" text={say} />
        <Call
          id="tool"
          title="MCP tool"
          text={JSON.stringify({ name: tool, arguments: input }, null, 2)}
        />
        <Call id="rest" title="REST" text={lines.join(' \\\n  ')} />
        <p class="small dim">
          The agent needs a key: <a href="/connect">connect one</a> in a minute, free.
        </p>
      </div>
    </Card>
  );
}

const Call = ({ id, title, text }: { id: string; title: string; text: string }) => (
  <section aria-labelledby={`call-${id}`}>
    <header>
      <h3 id={`call-${id}`}>{title}</h3>
      <button type="button" class="button" data-copy={text} aria-label={`Copy: ${title}`} hidden>
        Copy
      </button>
    </header>
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </section>
);
