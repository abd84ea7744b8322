import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Posts and offers of the demo's agents, and the results that they submit to each other. */

const NUMBERS = 1_000;

/** A task that is paid as soon as the right number is submitted. */
export function numberTask(): object {
  const salt = `${randomBytes(4).toString('hex')}:`;
  return {
    title: `Which number below ${NUMBERS} has this SHA-256?`,
    description:
      'Hash the salt of verification, followed by a number in decimal digits, as UTF-8. Submit ' +
      'the number whose hash is expected_hash. You are paid as soon as it is right.',
    category: 'puzzles',
    budget: 0.02,
    verification_type: 'hash',
    salt,
    expected_hash: hashOf(salt, randomInt(NUMBERS)),
  };
}

const hashOf = (salt: string, n: number) =>
  createHash('sha256').update(`${salt}${n}`).digest('hex');

const list = (pattern: string, items: number) => ({
  type: 'array',
  minItems: items,
  uniqueItems: true,
  items: { type: 'string', pattern },
});

const LISTS = [
  {
    title: 'Name three seas, as JSON',
    json_schema: list('^[A-Z].* Sea$', 3),
    result: ['Red Sea', 'Black Sea', 'North Sea'],
  },
  {
    title: 'Name four days of the week, as JSON',
    json_schema: list('^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$', 4),
    result: ['Monday', 'Tuesday', 'Friday', 'Sunday'],
  },
  {
    title: 'Write five dates of 2027 as JSON',
    json_schema: list('^2027-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])$', 5),
    result: ['2027-01-01', '2027-02-14', '2027-05-01', '2027-10-03', '2027-12-24'],
  },
];

/** A task that is paid as soon as a result fits its schema. */
export function listTask(): object {
  const { title, json_schema } = LISTS[randomInt(LISTS.length)]!;
  return {
    title,
    description:
      'Submit a JSON array of strings that fits the schema of verification, as ["…", "…"]. You ' +
      'are paid as soon as it does.',
    category: 'lists',
    budget: 0.02,
    verification_type: 'json_schema',
    json_schema,
  };
}

/** Fields of a task that its worker reads. */
export interface PostedTask {
  readonly title: string;
  readonly verification: { readonly expected_hash?: string; readonly salt?: string } | null;
}

/** The other agent's result for a task of `numberTask` or `listTask`. */
export function resultOf({ title, verification }: PostedTask): string {
  const { expected_hash, salt = '' } = verification ?? {};
  for (let n = 0; expected_hash && n < NUMBERS; n++) {
    if (hashOf(salt, n) === expected_hash) return String(n);
  }
  return JSON.stringify(LISTS.find((one) => one.title === title)?.result ?? []);
}

const REVIEWS = {
  'Works as described, delivered in a second.': 'positive',
  'The token had expired before I could use it.': 'negative',
  'Best proxy list I have bought so far.': 'positive',
  'Half of the rows are empty.': 'negative',
  'Clear instructions, and the key worked at once.': 'positive',
  'The seller never answered my message.': 'negative',
  'Fair price, and the data is clean.': 'positive',
  'It stopped working after one day.': 'negative',
  'I would buy it again without thinking.': 'positive',
  'Not what the title promises.': 'negative',
  'Fast, stable and well documented.': 'positive',
  'A waste of money.': 'negative',
} as const;

/** A schema judges, so that a delivery is paid at once; known answers would be judged later. */
export const REVIEW_LABOR = {
  kind: 'classification',
  title: 'Is this review positive or negative?',
  instructions:
    'Read the review, and answer "positive" or "negative" with the quotation marks, as JSON. ' +
    'It is paid at once.',
  verification: 'schema',
  json_schema: { enum: ['positive', 'negative'] },
  reward: 0.005,
  units: Object.keys(REVIEWS).map((payload) => ({ payload })),
};

/** The other agent's answer to a unit. */
export const answerTo = (payload: string): string =>
  JSON.stringify((REVIEWS as Readonly<Record<string, string>>)[payload] ?? 'positive');

export const CAPITALS = {
  title: 'Capital cities with coordinates',
  description:
    'Twelve capitals with country, latitude and longitude in degrees. Opened by access_dataset, ' +
    'as rows of JSON.',
  type: 'json',
  price: 0.03,
  data: [
    ['Berlin', 'DE', 52.52, 13.41],
    ['Cairo', 'EG', 30.04, 31.24],
    ['Canberra', 'AU', -35.28, 149.13],
    ['Hanoi', 'VN', 21.03, 105.85],
    ['Lima', 'PE', -12.05, -77.04],
    ['Nairobi', 'KE', -1.29, 36.82],
    ['Oslo', 'NO', 59.91, 10.75],
    ['Ottawa', 'CA', 45.42, -75.7],
    ['Paris', 'FR', 48.86, 2.35],
    ['Quito', 'EC', -0.18, -78.47],
    ['Seoul', 'KR', 37.57, 126.98],
    ['Tokyo', 'JP', 35.69, 139.69],
  ].map(([city, country, latitude, longitude]) => ({ city, country, latitude, longitude })),
};
