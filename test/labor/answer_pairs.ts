import type { Rules } from '../../shared/domains/labor/verification/readings.ts';

/** Pairs of answers that agree, and that do not, by the terms of their task. */
export const RULES = {
  text: { kind: 'transcription', similarity: 0.9 },
  translation: { kind: 'translation', similarity: 0.8 },
  half: { kind: 'transcription', similarity: 0.5 },
  label: { kind: 'labeling', similarity: 1 },
  moderation: { kind: 'moderation', similarity: 1 },
  schema: { kind: 'labeling', similarity: 1, verification: 'schema' },
} as const satisfies Record<string, Rules>;

type Pair = readonly [one: string, other: string];
export type Pairs = Readonly<Record<keyof typeof RULES, readonly Pair[]>>;
export const TEN = 'the old red fox and her cubs ran home';
const JA = '昨日は友達と一緒に新しい駅の近くで夕食を食べました';

const BOX = '{"label":"cat","x":0,"y":0,"width":10,"height":10}';
const near = (label: string, x: number) =>
  `{"label":"${label}","x":${x},"y":0,"width":10,"height":10}`;

/** The first box of one fits both of the other, the second only the one that comes first. */
const CHAIN = ['[[10,0,10,10],[14,0,10,10]]', '[[12,0,10,10],[8,0,10,10]]'] as const;

export const AGREE: Pairs = {
  text: [
    ['Yes — it is, "so"!', 'yes it is so'],
    [`${TEN} fast`, `${TEN} quickly`],
    ['The cat’s hat', "the cat's hat"],
    ['a well-known man', 'a well known man'],
    ['the U.S. army', 'The US Army'],
    ["He isn't here", 'he is not here'],
    ['I cannot, I wont', "I can't; I won't"],
    ['10mg twice', '10 mg twice'],
    ['10 milligrams twice', '10 MG twice'],
    ['$5 please', '5 dollars, please'],
    ['€ 5', '5 Euro'],
    ['5 %', '5 percent'],
    ['20 °C', '20 degrees Celsius'],
    ['it is −5 today', 'it is -5 today'],
    ['x <= 3', 'x ≤ 3'],
    ['1,000 people', '1000 people'],
    ["1'000'000 Leute", '1.000.000 Leute'],
    ['10\u202f000 euros', '10000 euros'],
    ['½ cup', '1/2 cup'],
    ['.5 mg', '0.5 mg'],
    ['from 3-5 days', 'from 3 – 5 days'],
    ['٥ ملغ يوميا', '5 ملغ يوميا'],
    ['५ किलो चावल', '5 किलो चावल।'],
    ['１０㎎です。', '10mgです'],
    ['「はい」、そうです。', 'はいそうです'],
    [JA, JA.replace('新', '古')],
    ['ฉันชอบกินข้าวผัดกับไข่', 'ฉันชอบกินข้าวผัดกับไก่'],
    ['?!', ' ?! '],
    ['{"a": 1.0, "b": [1e2, "X"]}', '{"b":[100,"x"],\n"a":1}'],
  ],
  translation: [
    ['wir gehen heute alle nach Hause', 'Wir gehen heute jetzt nach Hause'],
    ['we all went home today', 'we all went home now'],
  ],
  half: [['kitten sat', 'kitten lay']],
  label: [
    ['CAT', ' cat'],
    ['cat', '"cat"'],
    ['cat', '["Cat"]'],
    ['dog, cat', '["cat","dog"]'],
    ['dog, cat', 'cat; dog'],
    ['dog\ncat', 'cat, dog, dog'],
    ['"dog, cat"', '["cat", "dog"]'],
    ['猫、犬', '犬，猫'],
    ['قطة، كلب', '["كلب","قطة"]'],
    ['Paris, France', '["Paris, France"]'],
    ['Paris, France; Rome, Italy', '["Rome, Italy","Paris, France"]'],
    ['hate speech, not safe', 'Not  safe,Hate speech'],
    ['{"a": 1, "b": "É"}', '{"b":"é","a":1.0}'],
    [`[${BOX}]`, `[${near('Cat', 3)}]`],
    [BOX, '[{"label":"cat","x1":0,"y1":0,"x2":10,"y2":10}]'],
    [BOX, '{"bbox":[0,0,10,10],"label":"cat"}'],
    ['[0,0,10,10]', '[[1,1,10,10]]'],
    ['[0,0,2,1]', '[0,0,1,1]'],
    [`[${BOX},${near('dog', 50)}]`, `[${near('dog', 51)},${BOX}]`],
    [`{"boxes":[[0,0,9,9]],"n":1}`, `{"n":1,"boxes":[[0,0,9,8]]}`],
    CHAIN,
  ],
  moderation: [['Spam; Scam', '["scam","spam"]']],
  schema: [
    ['{"a": 1, "b": [true, "É"]}', '{"b":[true,"\\u00c9"],\n"a":1.0}'],
    [`{"boxes":[${BOX}]}`, `{"boxes": [${near('cat', 2)}]}`],
    ['no JSON', 'no JSON'],
    ['[[0,0,10,10]]', '[[1,1,10,10]]'],
  ],
};

export const DIFFER: Pairs = {
  text: [
    [
      'The patient is allergic to this and all other kinds',
      'The patient is not allergic to this and all other kinds',
    ],
    [`${TEN} 10 mg`, `${TEN} 100 mg`],
    [`${TEN} $5`, `${TEN} €5`],
    [`${TEN} < 3`, `${TEN} > 3`],
    [`${TEN} ≥ 3`, `${TEN} ≤ 3`],
    [`${TEN} 10 mg`, `${TEN} 10 g`],
    [`${TEN} 10 µg`, `${TEN} 10 mg`],
    [`${TEN} 5 million`, `${TEN} 5 billion`],
    [`${TEN} 1.5`, `${TEN} 15`],
    [`${TEN} 1.5`, `${TEN} 1,5`],
    [`${TEN} 1,234`, `${TEN} 1.234`],
    [`${TEN} .5 ml`, `${TEN} 5 ml`],
    [`${TEN} -5`, `${TEN} 5`],
    [`${TEN} +5`, `${TEN} −5`],
    [`${TEN} 5 %`, `${TEN} 5`],
    [`${TEN} 5 USD`, `${TEN} 5 CAD`],
    [`${TEN} a = b`, `${TEN} a ≠ b`],
    [`${TEN} 10²`, `${TEN} 102`],
    [`${TEN} 1½`, `${TEN} 11/2`],
    [`${TEN} 1/2 cup`, `${TEN} 1-2 cup`],
    [`${TEN} 3 4`, `${TEN} 4 3`],
    [`${TEN} can`, `${TEN} can't`],
    [`${TEN} never`, `${TEN} ever`],
    [`${TEN} fast today`, `${TEN} quickly tonight`],
    [
      'der Patient ist heute leider gar nicht allergisch gegen das Mittel hier',
      'der Patient ist heute leider gar sehr allergisch gegen das Mittel hier',
    ],
    [
      'wir haben heute wirklich keine Zeit für euch und eure Freunde',
      'wir haben heute wirklich eine Zeit für euch und eure Freunde',
    ],
    [
      "il n'est pas venu ce matin avec nous à la grande gare",
      'il est venu ce matin avec nous à la grande gare du',
    ],
    [
      'المريض لا يعاني من حساسية تجاه هذا الدواء في أي وقت كان',
      'المريض قد يعاني من حساسية تجاه هذا الدواء في أي وقت كان',
    ],
    [
      'خذ ٥ ملغ من هذا الدواء كل يوم بعد الأكل مباشرة',
      'خذ ٦ ملغ من هذا الدواء كل يوم بعد الأكل مباشرة',
    ],
    [
      'मरीज़ को इस दवा से कोई भी एलर्जी बिल्कुल नहीं होती है',
      'मरीज़ को इस दवा से कोई भी एलर्जी बिल्कुल भी होती है',
    ],
    [`${TEN} ५ किलो चावल`, `${TEN} ५ ग्राम चावल`],
    ['私は毎日あの店で新鮮な魚をたくさん食べます', '私は毎日あの店で新鮮な魚をたくさん食べません'],
    ['患者对这种药物以及其他所有的药物都过敏', '患者对这种药物以及其他所有的药物不过敏'],
    ['この薬は一日に10mgだけ飲んでくださいね', 'この薬は一日に10gだけ飲んでくださいね'],
    [
      '나는 오늘 그 약을 아침에 먹고 점심에도 먹고 저녁에 먹는다',
      '나는 오늘 그 약을 아침에 먹고 점심에도 먹고 저녁에 않는다',
    ],
    ['?!', '!!'],
    ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    [JA, JA.replace('新しい駅', '古い町')],
  ],
  translation: [
    ['good dog', 'good cat'],
    ['we all went home', 'we all went there'],
  ],
  half: [
    ['is allergic', 'is not allergic'],
    ['kitten', 'sitten'],
  ],
  label: [
    ['cat', 'cat!'],
    ['cat, dog', 'cat'],
    ['["cat","dog"]', '["cat"]'],
    ['Paris, France; Rome, Italy', 'Paris, Italy; Rome, France'],
    ['52.5, 13.4', '13.4, 52.5'],
    ['1,5', '5,1'],
    ['10 mg', '100 mg'],
    ['{"tags":["O","PER"]}', '{"tags":["PER","O"]}'],
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"a":"1"}'],
    [BOX, near('dog', 0)],
    [BOX, near('cat', 4)],
    [`[${BOX},${BOX}]`, `[${BOX}]`],
    [`[${BOX},${BOX}]`, `[${BOX},${near('cat', 40)}]`],
    ['{"scores":[1,2,3,4]}', '{"scores":[1,2,3,5]}'],
    [
      'I see a very large number of animals here, cats above all others',
      'Cats above all others, I see a very large number of animals here',
    ],
  ],
  moderation: [
    ['safe', 'not safe'],
    ['[1,2,3,4]', '[1,2,3,5]'],
  ],
  schema: [
    ['{"a": 1, "b": [true, "É"]}', '{"a":1,"b":["É",true]}'],
    ['{"b": "É"}', '{"b":"é"}'],
    ['["a","b"]', '["b","a"]'],
    ['cat', ' cat'],
    ['{"id":9007199254740993}', '{"id":9007199254740992}'],
    [`{"boxes":[${BOX}]}`, `{"boxes":[${near('cat', 5)}]}`],
  ],
};
