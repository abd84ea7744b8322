import { Badge } from '../../parts/text.tsx';

const STATES = {
  uploaded: ['not validated', 'held'],
  running: ['being validated', 'held'],
  complete: ['done', 'yours'],
  partial: ['stopped on the way', 'held'],
} as const;

export function ListState({ status }: { status: keyof typeof STATES }) {
  const [state, kind] = STATES[status];
  return <Badge state={state} kind={kind} />;
}
