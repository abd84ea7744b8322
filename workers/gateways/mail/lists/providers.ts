/** Providers of mail by the names of their mail servers, or what these names end with. */
const BY_HOST: Readonly<Record<string, string>> = {
  'google.com': 'Google',
  'googlemail.com': 'Google',
  'smtp.goog': 'Google',
  'outlook.com': 'Microsoft',
  'office365.us': 'Microsoft',
  'mx.microsoft': 'Microsoft',
  'hotmail.com': 'Microsoft',
  'yahoodns.net': 'Yahoo',
  'aol.com': 'Yahoo',
  'yahoo.co.jp': 'Yahoo Japan',
  'mail.icloud.com': 'Apple',
  'protonmail.ch': 'Proton',
  'messagingengine.com': 'Fastmail',
  'zoho.com': 'Zoho',
  'zoho.eu': 'Zoho',
  'zoho.in': 'Zoho',
  'gmx.net': 'GMX',
  'gmx.com': 'GMX',
  'web.de': 'WEB.DE',
  'mail.com': 'mail.com',
  'kundenserver.de': 'IONOS',
  'ionos.com': 'IONOS',
  '1and1.com': 'IONOS',
  't-online.de': 'Telekom',
  'tutanota.de': 'Tuta',
  'posteo.de': 'Posteo',
  'mailbox.org': 'mailbox.org',
  'yandex.net': 'Yandex',
  'yandex.ru': 'Yandex',
  'mail.ru': 'Mail.ru',
  'qq.com': 'Tencent',
  'exmail.qq.com': 'Tencent',
  '163.com': 'NetEase',
  '126.com': 'NetEase',
  'netease.com': 'NetEase',
  'aliyun.com': 'Alibaba',
  'mxhichina.com': 'Alibaba',
  'naver.com': 'Naver',
  'hanmail.net': 'Kakao',
  'kakao.com': 'Kakao',
  'rediffmail.com': 'Rediffmail',
  'orange.fr': 'Orange',
  'free.fr': 'Free',
  'laposte.net': 'La Poste',
  'libero.it': 'Libero',
  'seznam.cz': 'Seznam',
  'wp.pl': 'WP',
  'onet.pl': 'Onet',
  'interia.pl': 'Interia',
  'comcast.net': 'Comcast',
  'ovh.net': 'OVHcloud',
  'gandi.net': 'Gandi',
  'secureserver.net': 'GoDaddy',
  'registrar-servers.com': 'Namecheap',
  'privateemail.com': 'Namecheap',
  'mailspamprotection.com': 'SiteGround',
  'hostinger.com': 'Hostinger',
  'titan.email': 'Titan',
  'migadu.com': 'Migadu',
  'mxroute.com': 'MXroute',
  'emailsrvr.com': 'Rackspace',
  'infomaniak.ch': 'Infomaniak',
  'one.com': 'one.com',
  'strato.de': 'STRATO',
  'rzone.de': 'STRATO',
  'improvmx.com': 'ImprovMX',
  'forwardemail.net': 'Forward Email',
  'mx.cloudflare.net': 'Cloudflare',
  'mailgun.org': 'Mailgun',
  'sendgrid.net': 'SendGrid',
  'amazonaws.com': 'Amazon',
  'awsapps.com': 'Amazon',
  'mimecast.com': 'Mimecast',
  'pphosted.com': 'Proofpoint',
  'ppe-hosted.com': 'Proofpoint',
  'barracudanetworks.com': 'Barracuda',
  'messagelabs.com': 'Symantec',
  'trendmicro.com': 'Trend Micro',
  'iphmx.com': 'Cisco',
  'hornetsecurity.com': 'Hornetsecurity',
  'simplelogin.co': 'SimpleLogin',
  'anonaddy.me': 'addy.io',
};

/** Providers by their own domains, where the mail servers do not tell. */
const BY_DOMAIN: Readonly<Record<string, string>> = {
  'gmail.com': 'Google',
  'googlemail.com': 'Google',
  'outlook.com': 'Microsoft',
  'hotmail.com': 'Microsoft',
  'live.com': 'Microsoft',
  'msn.com': 'Microsoft',
  'yahoo.com': 'Yahoo',
  'ymail.com': 'Yahoo',
  'rocketmail.com': 'Yahoo',
  'aol.com': 'Yahoo',
  'icloud.com': 'Apple',
  'me.com': 'Apple',
  'mac.com': 'Apple',
  'privaterelay.appleid.com': 'Apple',
  'proton.me': 'Proton',
  'protonmail.com': 'Proton',
  'fastmail.com': 'Fastmail',
  'mozmail.com': 'Firefox Relay',
  'relay.firefox.com': 'Firefox Relay',
  'duck.com': 'DuckDuckGo',
  'addy.io': 'addy.io',
  'gmx.de': 'GMX',
  'web.de': 'WEB.DE',
  'mail.ru': 'Mail.ru',
  'qq.com': 'Tencent',
};

/**
 * Providers whose mail servers accept every mailbox at RCPT TO and refuse the message later: what
 * they accept says nothing of a mailbox, and is no catch-all of their customers either.
 */
const ANSWER_AFTER_DATA: ReadonlySet<string> = new Set(['Yahoo', 'Yahoo Japan']);

/** Name of the provider of a domain's mail, by its mail servers. Null: none that is known. */
export function providerOf(domain: string, hosts: readonly string[]): string | null {
  for (const host of hosts) {
    const known = named(host, BY_HOST);
    if (known) return known;
  }
  return (Object.hasOwn(BY_DOMAIN, domain) && BY_DOMAIN[domain]) || null;
}

/** Whether asking this provider for a mailbox tells nothing if it accepts it. */
export const answersAfterData = (provider: string | null): boolean =>
  provider !== null && ANSWER_AFTER_DATA.has(provider);

/** The value for a name, or for the domain nearest above it that has one. */
function named(host: string, names: Readonly<Record<string, string>>): string | undefined {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (Object.hasOwn(names, name)) return names[name];
  }
  return undefined;
}
