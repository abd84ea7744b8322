import { folded } from './spelling.ts';

/**
 * Units of measurement by their sign: the spellings after a number that mean the same, between
 * commas. Case does not matter.
 */
const UNITS: Readonly<Record<string, string>> = {
  '%':
    'percent, per cent, prozent, pour cent, por ciento, por cento, per cento, procent, процент, ' +
    'процента, процентов, प्रतिशत, بالمئة, بالمائة, パーセント, เปอร์เซ็นต์',
  µg: 'mcg, ug, microgram, micrograms, mikrogramm, мкг, マイクログラム, 微克',
  mg:
    'milligram, milligrams, milligramm, milligramme, milligrammes, miligramo, miligramos, ' +
    'miligrama, miligramas, milligrammi, мг, मिलीग्राम, मिग्रा, ملغ, ملغم, مجم, ミリグラム, 毫克',
  g:
    'gram, grams, gramm, gramme, grammes, gramo, gramos, grama, gramas, grammi, г, ग्राम, غ, غم, ' +
    'غرام, جرام, グラム, 克, กรัม',
  kg:
    'kilo, kilos, kilogram, kilograms, kilogramm, kilogramme, kilogrammes, kilogramo, ' +
    'kilogramos, chilo, chili, кг, किलो, किलोग्राम, किग्रा, كغ, كجم, كيلو, كيلوغرام, キロ, 公斤, 千克, กิโลกรัม',
  t: 'ton, tons, tonne, tonnes, tonnen, т, टन, طن, トン, 吨',
  lb: 'lbs',
  oz: 'ounce, ounces',
  pound: 'pounds',
  ml:
    'millilitre, millilitres, milliliter, milliliters, mililitro, mililitros, мл, मिलीलीटर, مل, ' +
    'ミリリットル, 毫升',
  cl: 'centilitre, centilitres, centiliter, centiliters',
  l: 'litre, litres, liter, liters, litro, litros, л, लीटर, لتر, リットル, 升, ลิตร',
  mm: 'millimetre, millimetres, millimeter, millimeters, мм, ملم, ミリメートル, 毫米',
  cm: 'centimetre, centimetres, centimeter, centimeters, zentimeter, см, सेमी, سم, センチ, 厘米',
  m: 'metre, metres, meter, meters, metro, metros, м, मीटर, متر, メートル, 米, เมตร',
  km: 'kilometre, kilometres, kilometer, kilometers, км, किमी, किलोमीटर, كم, キロメートル, 公里, 千米',
  inch: 'inches, zoll',
  ft: 'foot, feet',
  yd: '',
  mile: 'miles, mi, meilen',
  'km/h': 'kmh, kph, км/ч',
  mph: '',
  ms: 'millisecond, milliseconds, мс',
  s: 'sec, secs, second, seconds, sekunde, sekunden, segundos, secondes, сек, सेकंड, ثانية, 秒',
  am: 'a.m., a.m',
  pm: 'p.m., p.m',
  min: 'mins, minute, minutes, minuten, minutos, мин, मिनट, دقيقة, دقائق, 分, 分钟, นาที',
  h: 'hr, hrs, hour, hours, stunde, stunden, hora, horas, heures, ч, घंटे, ساعة, ساعات, 時間, 小时',
  day: 'days, tag, tage, tagen, día, días, dias, jours, дней, दिन, يوم, أيام, 日, 天, วัน',
  week: 'weeks, woche, wochen, semanas, semaines, недель, हफ्ते, أسبوع, أسابيع, 週間, 周',
  month: 'months, monat, monate, monaten, meses, mois, месяцев, महीने, شهر, أشهر, か月, ヶ月, 个月',
  year: 'years, jahr, jahre, jahren, años, anos, ans, лет, साल, वर्ष, سنة, سنوات, 年',
  '°c': '°c, c, celsius, degrees celsius, degree celsius, grad celsius',
  '°f': '°f, f, fahrenheit, degrees fahrenheit, degree fahrenheit, grad fahrenheit',
  '°': 'degree, degrees, grad, grados, градусов, डिग्री, درجة, 度, องศา',
  hz: 'hertz, гц',
  khz: 'кгц',
  mhz: 'мгц',
  ghz: 'ггц',
  w: 'watt, watts, вт',
  kw: 'kilowatt, kilowatts, квт',
  kwh: '',
  v: 'volt, volts',
  mv: 'millivolt, millivolts',
  ma: 'milliamp, milliamps',
  mah: '',
  pa: 'pascal',
  hpa: '',
  kpa: '',
  mpa: '',
  bar: '',
  psi: '',
  mmhg: '',
  mmol: '',
  mol: '',
  iu: '',
  kcal: 'kilocalories',
  cal: 'calories',
  kj: '',
  kb: 'kilobytes',
  mb: 'megabytes, мб',
  gb: 'gigabytes, гб',
  tb: 'terabytes, тб',
  db: 'decibel, decibels',
  ppm: '',
  rpm: '',
  px: 'pixel, pixels',
  k: '',
  thousand: 'tausend, mil, mille, тысяч, हज़ार, ألف, 千',
  万: '萬',
  lakh: 'लाख',
  million: 'millions, millionen, mio, millones, milhões, миллион, миллионов, مليون, ملايين',
  crore: 'करोड़',
  億: '亿',
  billion: 'billions, bn, milliarde, milliarden, mrd, milliards, миллиардов, مليار',
  trillion: 'trillions, billionen, 兆',
  dozen: 'dozens',
};

/** Currencies beside the signs of Unicode: codes and names before or after a number. */
const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'dollar, dollars, dólar, dólares, долларов, डॉलर, دولار, ドル',
  '€': 'eur, euro, euros, евро, यूरो, يورو, ユーロ, 欧元',
  '£': 'gbp, pounds sterling',
  '₹': 'inr, rs, rupee, rupees, रुपये, रुपए',
  '₽': 'rub, рублей',
  '¥': 'jpy, yen, 円, 日元',
  cny: 'rmb, yuan, 元, 人民币',
  美元: '',
  usd: 'us$',
  cad: 'c$, ca$',
  aud: 'a$, au$',
  nzd: 'nz$',
  hkd: 'hk$',
  sgd: 's$',
  brl: 'r$',
  cent: 'cents, ct',
  ...Object.fromEntries(
    'chf krw mxn sek nok dkk pln czk huf try ils zar aed sar egp thb vnd idr'
      .concat(' myr php twd uah ngn kes pkr bdt clp cop ars btc eth usdt usdc')
      .split(' ')
      .map((code) => [code, '']),
  ),
};

/** Words that negate, in the languages of most texts. */
const NEGATIONS =
  'not no never none nobody nothing neither nor without ' +
  'nicht nichts kein keine keinen keinem keiner keines nie niemals niemand ohne weder noch ' +
  'ne pas jamais rien aucun aucune sans ni non nunca jamás nada nadie ningún ninguno ninguna sin ' +
  'tampoco mai niente nulla nessun nessuno nessuna senza né não ninguém nenhum nenhuma sem nem ' +
  'niet geen nooit niets zonder inte ingen inget aldrig utan ikke aldri uden uten ' +
  'nie nigdy nic nikt bez не нет ни никогда ничего никто без нельзя ні немає ніколи ' +
  'değil yok hayır asla δεν μη μην όχι ποτέ χωρίς ei eivät tidak bukan jangan tanpa belum ' +
  'không chưa chẳng đừng नहीं नही न ना मत बिना না নয় নেই இல்லை ' +
  'لا ليس ليست لست لم لن غير بدون دون كلا ولا ولم ولن وليس بلا فلا نہیں نہ بغیر ' +
  'نه نیست نیستم نیستند هرگز نباید نبود نشد نکرد ندارد ندارم ندارند ' +
  'לא אין בלי 안 못';

/** Parts of Korean and Persian words that negate, and words of scripts without spaces. */
const NEGATING_PARTS = '않 없 아니 못하 ^نمی';
const UNSPACED_NEGATIONS =
  'ません ない なかっ なく なけれ 無 不 非 未 没 沒 无 勿 否 ไม่ ไร้ อย่า ห้าม ບໍ່ មិន គ្មាន កុំ ဘူး မဟုတ်';

/** Letters of scripts that are written without spaces between words, each with its marks. */
export const UNSPACED =
  String.raw`(?=[\p{L}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}` +
  String.raw`\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;

/** A letter of the others. */
export const LETTER = String.raw`(?:(?!${UNSPACED})[\p{L}\p{M}])`;

/** Each spelling, with the sign that it stands for. */
const meaningsOf = (table: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    Object.entries(table).flatMap(([sign, spellings]) =>
      [sign, ...spellings.split(', ')]
        .filter((spelling) => spelling !== '')
        .map((spelling) => [folded(spelling), folded(sign)] as const),
    ),
  );

export const unitsBySpelling = meaningsOf(UNITS);
export const currenciesBySpelling = meaningsOf(CURRENCIES);
export const negations: ReadonlySet<string> = new Set(NEGATIONS.split(' ').map(folded));

/** A pattern of any of these, the longest first. A word ends where no letter follows. */
export function anyOf(words: Iterable<string>): string {
  const isUnspaced = new RegExp(`${UNSPACED}$`, 'u');
  const sorted = [...words].toSorted((one, other) => other.length - one.length);
  const [unspaced, spaced] = [true, false].map((is) =>
    sorted
      .filter((word) => isUnspaced.test(word) === is)
      .map(escaped)
      .join('|'),
  );
  return `(?:(?:${spaced})(?!${LETTER})|${unspaced})`;
}

const escaped = (text: string) => text.replaceAll(/[$.*+?^()|[\]{}\\/]/g, String.raw`\$&`);

const oneOf = (words: string) => words.split(' ').map(folded).join('|');
export const negatingParts = oneOf(NEGATING_PARTS);
export const unspacedNegations = oneOf(UNSPACED_NEGATIONS);
