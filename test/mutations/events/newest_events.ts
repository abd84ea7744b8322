import type { Mutation } from '../mutation.ts';

const tests = ['test/events/newest_events.test.ts'];

/** A list of events that goes back in time. */
export const NEWEST_EVENTS: readonly Mutation[] = [
  {
    name: 'list_from_the_newest_goes_beyond_the_watermark',
    file: 'shared/domains/events/find_events.ts',
    from: 'options.before ?? (await findWatermark(db)) + 1n',
    to: 'options.before ?? 9_000_000_000_000n',
    tests,
    grep: 'committed late',
  },
  {
    name: 'list_from_the_newest_repeats_an_event',
    file: 'shared/domains/events/find_events.ts',
    from: 'where id < $1 and id >= $2',
    to: 'where id <= $1 and id >= $2',
    tests,
    grep: 'newest first',
  },
  {
    name: 'search_for_an_old_type_ends_with_its_scan',
    file: 'shared/domains/events/find_events.ts',
    from: 'until: first === 0n ? undefined : first',
    to: 'until: undefined',
    tests,
    grep: 'few rows',
  },
  {
    name: 'stream_of_events_goes_back_in_time',
    file: 'shared/domains/events/list_events.ts',
    from: 'if (cursor !== null && !isBackwards(cursor)) return { cursor };',
    to: 'return { cursor: cursor! };',
    tests: ['test/events/event_stream.test.ts'],
    grep: 'goes forwards',
  },
  {
    name: 'cursor_beyond_the_newest_event_waits',
    file: 'shared/domains/events/list_events.ts',
    from: 'if (after > end) throw',
    to: 'if (after > end + 10n ** 18n) throw',
    tests: ['test/events/newest_events.test.ts'],
    grep: 'beyond the newest event',
  },
];
