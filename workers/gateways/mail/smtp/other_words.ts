/**
 * Words of mail systems at RCPT TO about somebody else, as classes, in the form that `statementsOf`
 * gives them. A statement about any of these says nothing of the mailbox.
 */

export type Other =
  'sender' | 'host' | 'list' | 'authentication' | 'rate' | 'message' | 'policy' | 'server';

interface OtherWords {
  readonly other: Other;
  readonly words: RegExp;
  /**
   * The less likely such words are where a mailbox is meant, the higher: a refusal of a sender
   * names the address of a mailbox too, and any reply may point at a policy.
   */
  readonly weight: number;
}

const any = (...some: readonly string[]): RegExp => new RegExp(some.join('|'));

export const ABOUT_OTHERS: readonly OtherWords[] = [
  {
    other: 'sender',
    weight: 8,
    words: any(
      "\\bsender(?:'?s)? (?:address|domain|verif|e?-?mail|id|account|policy|unknown|@)",
      '\\bsender (?:reject|den|refus|block|not|is|has|must)',
      '\\b(?:invalid|unknown|unverified|unauthenticated|banned|your) (?:e-?mail )?sender',
      '\\benvelope (?:sender|from)\\b|\\bmail ?from\\b|\\breturn-?path|\\bfrom address',
      '\\b(?:emetteur|absender|mittente|remitente|submitter)\\b',
    ),
  },
  {
    other: 'host',
    weight: 5,
    words: any(
      '\\b(?:client|your|connecting|sending|remote|source) (?:mail )?(?:host|ip|server|address)',
      '\\byour (?:network|domain|isp|country)|\\bsending (?:mta|domain)|\\bhostname',
      '\\b(?:helo|ehlo|ptr|rdns|ips?|ipv[46]|dynamic|residential|geoip)\\b',
      '\\breverse[ -](?:dns|lookup)|\\bhost (?:network|lookup)|\\bdns (?:error|check|ptr|mx)',
      '\\bconnections? (?:refused|from|not|rejected|will|frequency|rate)',
      '\\bopen (?:relay|proxy|resolver)|\\ballowed to (?:connect|send)',
    ),
  },
  {
    other: 'list',
    weight: 5,
    words: any(
      '\\b(?:black|block|deny|white|bypass|spam)[ -]?list|dnsbl|\\b[rxs]bl\\b|\\brbl',
      'spamhaus|spamcop|sorbs|barracuda|cloudmark|invaluement|hostkarma|reputation',
      '(?<!not |gr[ae]y[- ])\\blist(?:ed|ing) (?:in|on|at|by)\\b',
      '\\bbanned\\b|\\bblocked (?:using|by|for|due)',
    ),
  },
  {
    other: 'authentication',
    weight: 5,
    words: any(
      '\\b(?:spf|dkim|dmarc)\\b|policy framework|authenti|\\bcredentials',
      '\\bnot authorized|\\bunauthori[sz]ed|\\bpermissions?\\b',
    ),
  },
  {
    other: 'rate',
    weight: 5,
    words: any(
      '\\brates?\\b|\\bratelimit|\\btoo (?:many|much|fast|quick|often)|throttl|\\bslow down',
      '\\bfrequency|\\bconcurrent|\\b(?:per|this) (?:hour|day|minute)|\\bhourly|\\bdaily',
      '\\bexcessive|\\bvolume|\\btrop de|\\bunusual',
    ),
  },
  {
    other: 'message',
    weight: 5,
    words: any(
      '\\b(?:message|e?-?mail) (?:size|length|too|content|rejected|contains)|\\bcontent\\b',
      '\\bvirus|\\btoo (?:large|big)\\b|\\bmail rejete',
      '\\b(?:delivery of|accept) (?:this|your) (?:message|e?-?mail)',
    ),
  },
  {
    other: 'policy',
    weight: 4,
    words: any(
      '\\bpolic(?:y|ies)|spam|\\bjunk|\\babuse|prohibit|\\bforbidden|\\bden(?:y|ied|ies)\\b',
      '\\brefused?\\b|\\brestrict|\\bpermitted|\\bnot allowed|\\bdisallow|\\bno access',
      '\\bblock(?:ed|ing|s)?\\b|\\bbloque|\\bunsolicited|\\bunwanted|\\bsecurity|\\bsuspicio',
      '\\badministrativ|\\bviolat|\\bnot (?:be )?accepted|\\bcomplaints?\\b',
    ),
  },
  {
    other: 'server',
    weight: 3,
    words: any(
      '\\btempor|\\btransient|\\blocal (?:problem|error)|\\binternal|\\binsufficient',
      '\\btry (?:again|later)|\\blater\\b|\\bretry|\\bbusy\\b|\\brelay|\\brout(?:e|ing)|\\bloop',
      '\\btimed? ?out|\\bcallout|\\bno (?:smtp )?service',
      '\\b(?:system|server|service|network|directory|transport|configuration) (?:is |does )?' +
        '(?:not|fail|error|unavailable|problem|down)',
    ),
  },
];

/** A server that defers unknown senders says so; "try again later" is said for many reasons. */
export const GREYLISTED = /\bgr[ae]y-? ?list/;
/** An IPv4 address: most replies that name one are about it. */
export const AN_ADDRESS = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/;
