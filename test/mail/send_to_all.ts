/** Sends a mail by each server of the command line, for its trusted authorities: a process. */
import { mailSettings } from '../../shared/domains/mail/settings.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { openMailer } from '../../workers/gateways/mailer/mailer.ts';

const outcomes = process.argv.slice(2).map(async (url) => {
  const env = { SMTP_URL: url, MAIL_FROM: 'market@market.example.com' };
  const mailer = openMailer(readEnvironment((reader) => mailSettings(reader, {}), env));
  const texts = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const { outcome } = await mailer.send({ ...texts, to: 'ada@a.example', messageId: 'abc' });
  return outcome;
});
process.stdout.write(JSON.stringify(await Promise.all(outcomes)));
