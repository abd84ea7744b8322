import { Card } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { useShown } from '../../page_state.ts';

/** In a sandbox: a form that lets hours pass for an object. Elsewhere nothing. */
export function PassTime({ kind, id }: { kind: 'order' | 'task' | 'labor_task'; id: number }) {
  const { isSandbox } = useShown();
  if (!isSandbox) return null;
  return (
    <Card id="time" title="Sandbox">
      <div class="inside stack">
        <p>This is a sandbox. Let time pass for this alone, to see what happens then.</p>
        <Do op="sandbox_advance" input={{ kind, object_id: id }} label="Let time pass">
          <Fields op="sandbox_advance" only={['hours']} values={{ hours: 72 }} />
        </Do>
      </div>
    </Card>
  );
}
