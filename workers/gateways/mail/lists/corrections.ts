// Corrections of the lists of npm packages. test/email/lists holds what they are judged by.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/**
 * Relays forward to the mailbox of a person who wants the mail and can end that. They last, so they
 * are not disposable.
 */
export const RELAYS = words(`
  duck.com mozmail.com relay.firefox.com privaterelay.appleid.com
  simplelogin.com simplelogin.co simplelogin.fr simplelogin.io aleeas.com slmail.me slmails.com
  silomails.com 8shield.net 8alias.com dralias.com
  addy.io anonaddy.com anonaddy.me addymail.com mailer.me
  passmail.net passmail.com passinbox.com passfwd.com
  erine.email forwardemail.net opayq.com 33mail.com manyme.com maskmail.net cloaked.id`);

/** Domains of providers and a university that lists of disposable domains hold by mistake. */
export const NOT_DISPOSABLE = words(`
  keemail.me gawab.com myself.com consultant.com mail2world.com lavabit.com safe-mail.net
  airmail.cc nus.edu.sg`);

/** Disposable domains that the package does not hold. */
export const DISPOSABLE_TOO = words(`
  tempmail.com throwaway.email luxusmail.org minuteinbox.com any.pink cryptogmail.com
  xojxe.com kzccv.com qiott.com vjuum.com laafd.com txcct.com rteet.com dpptd.com icznn.com
  linshi-email.com edny.net ezztt.com dugmail.com`);

export const FREE_TOO = words(`
  tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me zohomail.com zoho.eu zoho.in
  gmx.ch disroot.org riseup.net sohu.com kakao.com azet.sk mail.bg citromail.hu inbox.lt
  mailfence.com vivaldi.net onmail.com mailo.com net-c.com atlas.cz volny.cz dismail.de
  airmail.cc`);

/**
 * Domains where not everybody can have an address: examples (RFC 2606), an employer, a university,
 * and misspellings of providers.
 */
export const NOT_FREE = words(`
  example.com example.org example.net facebook.com nus.edu.sg
  gmial.com gmal.com gmai.com gamil.com g-meil.com gmail.co gmail.om homail.com
  hotmai.com hotmial.com hotmail.cm hotmail.con liberto.it vahoo.com yaho.com yahoo.om`);

/** Names of towns, countries and people, names of products, years and what is typed for a test. */
export const NO_ROLES = words(`
  berlin boston caltrain chicago china denver europe france india latam
  montreal newyork northamerica nyc paris sanfrancisco seattle sf sfo singapore stockholm sydney ca
  lt ny uk us usa
  alexa angels gardner lifesum
  android apple facebook ifttt instagram iphone itunes myplex namecheap paypal plex plex.tv shopify
  stripe twitter wordpress
  123 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030
  aaa abc asd asdasd asdf la ooo time fun smile random tour prime family friends
  football food music chef master captain`);

export const ROLES_TOO = words(`
  dpo gdpr datenschutz privacidad impressum ombudsman psirt csirt bounce bounces
  rechnung rechnungen bewerbung bewerbungen karriere kundenservice vertrieb personal empfang
  hallo bonjour servicio comptes reclamations datenschutzbeauftragter postmaster whistleblower
  returns redaktion vendite secretariat`);
