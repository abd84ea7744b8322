import type { Mutation } from '../mutation.ts';
import { NEWEST_EVENTS } from './newest_events.ts';

const tests = ['test/events/list_events.test.ts'];
const grep = 'tells the story of one object';

/** Events of one object that list_events tells, and to whom. */
export const STORIES: readonly Mutation[] = [
  ...NEWEST_EVENTS,
  {
    name: 'story_of_an_object_is_told_to_everybody',
    file: 'shared/domains/events/event_reader.ts',
    from: 'const conditions = [own];',
    to: 'const conditions = [object ? `${own} is not null` : own];',
    tests,
    grep,
  },
  {
    name: 'who_waits_for_one_object_is_woken_for_none',
    file: 'shared/domains/events/event_reader.ts',
    from: 'event.object_id !== object.id)',
    to: 'event.object_id === object.id)',
    tests: ['test/events/event_feed.test.ts'],
    grep: 'of its object',
  },
];
