/**
 * Words that mail systems use of a mailbox at RCPT TO, as classes, in the form that
 * `statementsOf` gives them: lower case, without accents, most punctuation as spaces, and the
 * mailbox that was asked for as `@name`.
 */

export type MailboxState = 'refused' | 'full' | 'disabled';

interface MailboxWords {
  readonly state: MailboxState;
  readonly words: RegExp;
  /** 4: says so. 2: is said for other reasons too. */
  readonly weight: 4 | 2;
}

const any = (...some: readonly string[]): string => `(?:${some.join('|')})`;

/** Nouns for the mailbox, in the languages in which mail systems answer. */
const MAILBOX = any(
  'users?|usernames?|userid|mail[ -]?box(?:es)?|inbox|recipients?|rcpt|accounts?|e-?mails?',
  'address(?:es|ee)?|alias(?:es)?|local[ -]?part|customer|person|no one',
  'destinataires?|compte|boite|utilisateur|usuario|cuenta|buzon|utente|destinatario|indirizzo',
  'casella|empfaenger|benutzer|postfach|teilnehmer|gebruiker|konta|adres|uzytkownika',
);
/** Nouns for others: what is said after them is not said of the mailbox. */
const OTHERS = any(
  'senders?|sending|from|ip|client|hosts?|helo|dns|domain|server|system|connection|relay',
  'messages?|size|rate|access|your|you',
);
const between = (max: number): string => `(?:(?!${OTHERS}\\b)[\\w'@=+-]+ ){0,${max}}`;
/** Not the sender's address, nor an IP address. */
const OWN = "(?<!\\b(?:senders?|sender's|from|ip|your|client|host|source|return) )\\b";
/** The noun, a few words, and what is said of it. */
const of = (noun: string, said: string, max = 4): string =>
  `${OWN}${noun}(?:'s)? ${between(max)}${said}`;

const ABSENT = any(
  'unknown|invalid|undeliverable|unrecogni[sz]ed|inesistente',
  'not (?:be |a )?(?:found|known|valid|listed|local|registered|recogni[sz]ed|exist)',
  "does ?n[o']t (?:exist|have an?)|cannot exist|no longer (?:exists?|valid|available|on)",
  'not in (?:the |our )?(?:recipient|user)|name not allowed|cannot be verified',
  'inconnue?|invalide|sconosciuto|errato|desconocido|desconhecido|n[ao]o? existe',
  'existiert nicht|unbekannt|nicht (?:bekannt|gefunden|vorhanden)|nie istnieje',
);
const NO_SUCH = any(
  'no such|no|not an?|not our|unknown|invalid|bad|illegal|unrecogni[sz]ed|undeliverable',
  'unroute?able|non-?existent|unbekannter|onbekende|nie ma(?: takiego)?',
);
const CLOSED = any(
  'disabled|deactivated|inactive|suspended|discontinued|closed|frozen|locked|terminated',
  '(?<!(?:@name|rejected) )blocked|bloque|archived?|archivee|disattivata',
  'not activ(?:e|ated)|no longer (?:active|accepts)',
);
/** Somebody may have a quota for sending too. */
const QUOTA = '(?<!(?:sending|organization|queue|daily|message) )quota (?:exceeded|violation)';
const EXCEEDS = 'exc?ee?d(?:s|ed|ing)?';
const STORE = any(MAILBOX, 'storage', 'maildir', 'disk');
const FULL = any(
  `full|over ?quota|${QUOTA}|(?:${EXCEEDS}|exhausted)(?: \\w+){0,2} (?:quota|storage)`,
  'out of storage',
  'pleine?|voll|lleno|pien[oa]',
);

/** In the order in which they decide: a mailbox that is full or disabled exists. */
export const ABOUT_MAILBOX: readonly MailboxWords[] = [
  {
    state: 'full',
    weight: 4,
    words: new RegExp(
      any(
        of(STORE, FULL),
        `${OWN}${STORE} (?:size |storage )?(?:limit|allocation) ${EXCEEDS}`,
        `${EXCEEDS} (?:\\w+ ){0,2}(?:quota|storage allocation)`,
        `\\bover ?quota|^ ${QUOTA}`,
      ),
      'g',
    ),
  },
  {
    state: 'disabled',
    weight: 4,
    words: new RegExp(
      any(
        of(MAILBOX, CLOSED),
        `\\b(?:disabled|inactive|archived|closed|suspended|deactivated) ${between(1)}${MAILBOX}`,
      ),
      'g',
    ),
  },
  {
    state: 'refused',
    weight: 4,
    words: new RegExp(
      any(
        `\\b${NO_SUCH} ${between(3)}(?:${MAILBOX}\\b|@name)`,
        of(MAILBOX, ABSENT, 5),
        `@name ${between(3)}(?!(?:unknown|invalid) ${OTHERS}\\b)${ABSENT}`,
        'recip(?:ient)?notfound|\\bno such id\\b',
        // Without their marks, as all words.
        '(?:пользователь|ящик)(?: @name)? не (?:наиден|существует)|нет такого (?:пользователя|ящика)',
      ),
      'g',
    ),
  },
  {
    state: 'refused',
    weight: 2,
    words: new RegExp(
      of(MAILBOX, any('(?:un|not )available|rejected|not allowed|refused'), 2),
      'g',
    ),
  },
];

/**
 * Microsoft 365's reply for a mailbox that it does not have, whatever it seems to say, and whatever
 * the mailbox is called: `denied` too.
 */
export const MICROSOFT_REFUSES = /\brecipient address rejected access (?:denied|@name)/;
