import { TEN, type Pairs } from './answer_pairs.ts';

/*
 * Pairs that tools for comparing answers were reported to judge wrongly: error rates of speech
 * (jiwer, the normalizers of Whisper and NeMo, Seed-TTS), boxes (COCO, Caffe, Label Studio) and
 * JSON (jdd, json-diff, canonicalizers). The texts are our own.
 */

/** Six words, of which the others differ by one that was changed, one too few and one too many. */
const STORE = 'a dog ran to our farm';
const TWENTY = `${TEN} ${TEN}, where they slept until`;
const LONG = (end: string) => `${TEN} ${TEN} ${end}`;

const box = (numbers: string, label = 'car') => `[{"bbox":[${numbers}],"label":"${label}"}]`;
const corners = (x1: number, y1: number, x2: number, y2: number) =>
  JSON.stringify({ x1, y1, x2, y2 });

export const REPORTED_ALIKE: Pairs = {
  text: [
    ['The council had THIRTY SIX members', 'the council had 36 members.'],
    ['thirty-six members', 'thirty six members'],
    ['it has fifty turns', 'it has 50 turns'],
    ['type one diabetes', 'Type 1 diabetes'],
    ['one hundred twenty three boats', '123 boats'],
    ['one hundred and twenty three boats', '123 boats'],
    ['they took forty thousand dollars', 'they took $40,000'],
    ['i owe you fifty two dollars', 'I owe you $52.'],
    ['it rose by eleven per cent', 'It rose by 11 %'],
    ['it rose by eleven point one percent', 'it rose by 11.1%'],
    ['200 and twelve!', '200 and 12'],
    ['in twenty twenty four', 'in 2024'],
    ['in eighteen seventy one', 'in 1871'],
    ['between one hundred and two hundred', 'between 100 and 200'],
    ['five hundred', '500'],
    ['Երեւան եւ Գյումրի', 'Երևան և Գյումրի'],
    ['العـــربية', 'العربية'],
    ['مُحَمَّدٌ رَسُولٌ', 'محمد رسول'],
    ['أحمد إلى البيت', 'احمد الي البيت'],
    ['كتاب يک دوست', 'کتاب یک دوست'],
    ['می‌خواهم بروم', 'میخواهم بروم'],
    ['۱۲۳ کتاب', '123 کتاب'],
    ['שָׁלוֹם עוֹלָם', 'שלום עולם'],
    ['क़लम', 'क़लम'],
    ['İSTANBUL', 'istanbul'],
    ['STRASSE', 'Straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['cafe\u0301', 'café'],
    ['ｶﾌｪ', 'カフェ'],
    ['“so” — he said…', '"so" - he said...'],
    ["rock 'n' roll", 'rock ‘n’ roll'],
    ['co‑op', 'co-op'],
    ['at 3 p.m. today', 'at 3pm today'],
    ['US$5', '5 USD'],
    ['£5m', '£5 million'],
    [`${TWENTY} noon`, `${TWENTY} night`],
    ['I love it ❤️', 'I love it ❤'],
    ['good 👍', 'good 👍🏽'],
  ],
  translation: [],
  half: [[STORE, 'a cat ran to farm outside']],
  label: [
    ['{"amount":42.0}', '{"amount":42}'],
    ['[1, 10.00, 1e1]', '[1.0,10,10.0]'],
    ['{"b":1,"a":[{"y":2,"x":1}]}', '{"a":[{"x":1,"y":2}],"b":1}'],
    [corners(0, 0, 10, 10), corners(0, 5, 10, 10)],
    [box('10,10,20,20'), box('10,10,20,20')],
    [box('1e1,1.0,4,4'), box('10,1,4,4')],
    ['don’t know', "don't know"],
    ['sci–fi', 'Sci-Fi'],
    ['["Car","Person"]', 'person; car; Car'],
  ],
  moderation: [['["hate","spam"]', 'Spam, hate']],
  schema: [
    ['{"amount":42.0}', '{"amount":42}'],
    ['1e2', '100'],
    ['{"a":"é"}', '{"a":"e\u0301"}'],
    ['{"a":"é"}', String.raw`{"a":"e\u0301"}`],
  ],
};

export const REPORTED_DIFFERENT: Pairs = {
  text: [
    [LONG('thirty six'), LONG('3006')],
    [LONG('thirty six'), LONG('30 6')],
    [LONG('fifteen'), LONG('fifty')],
    [LONG('take five'), LONG('take nine')],
    [LONG('eleven percent'), LONG('seven percent')],
    [LONG('$4.85'), LONG('$485')],
    [LONG('$12.05'), LONG('125')],
    [LONG('$20'), LONG('£20')],
    [LONG('US$20'), LONG('A$20')],
    [LONG('forty thousand dollars'), LONG('forty dollars')],
    [LONG('at 3 pm'), LONG('at 3 am')],
    [LONG('between one hundred and two hundred'), LONG('between 102 hundred')],
    [LONG('it is possible, isn’t it'), LONG('it is possible, is it')],
    [LONG('nobody came'), LONG('somebody came')],
    [LONG('من این را نمی‌خواهم'), LONG('من این را می‌خواهم')],
    [LONG('او اینجا نیست'), LONG('او اینجا است')],
    [LONG('三个'), LONG('五个')],
    [LONG('第十二条'), LONG('第十三条')],
    [LONG('10 000'), LONG('10 001')],
    ['हम घर गए', 'हम घर गई'],
    ['ഞാൻ പോയി', 'ഞാൻ പോയ'],
    [STORE, 'a cat ran to farm outside'],
    ['ice cream now please', 'icecream now please'],
    ['☑ yes', '☐ yes'],
    ['x < y', 'x y'],
  ],
  translation: [],
  half: [['a dog sat', 'two dogs stood up']],
  label: [
    ['{"id":9007199254740992}', '{"id":9007199254740993}'],
    ['[10176718226607830673]', '[10176718226607831000]'],
    ['{"n":99999999999999999}', '{"n":100000000000000000}'],
    ['{"n":1.000000000000000000000001}', '{"n":1.0}'],
    ['{"n":1e400}', '{"n":1e401}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"Amount":1}', '{"amount":1}'],
    ['{"a":null}', '{}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    [corners(5, 5, 5, 5), corners(5, 5, 5, 6)],
    [corners(1, 2, 3, 4), corners(5, 6, 7, 8)],
    [corners(0, 0, 2, 2), corners(1, 1, 3, 3)],
    [corners(278, 299, 302, 326), corners(286.5757, 301.9515, 300.103, 326.7515)],
    [corners(0, 0, 10, 10), '{"bbox":[0,0,3,3]}'],
    [box('10,10,20,20'), box('10,10,20,20', 'bus')],
    [box('0,0,10,10'), box('100,100,10,10')],
    ['["Car"]', '["Car","Person"]'],
    ['[]', '["Car"]'],
  ],
  moderation: [
    ['not spam', 'spam'],
    ['hate, spam', 'hate'],
  ],
  schema: [
    ['1610521604143693812', '1610521604143693813'],
    ['{"id":1610521604143693812}', '{"id":1610521604143693813}'],
    ['{"a":"1"}', '{"a":1}'],
    ['{"9007199254740992":1}', '{"9007199254740993":1}'],
  ],
};
