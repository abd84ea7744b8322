// Receives events: npm install standardwebhooks, and node webhook_receiver.mjs whsec_… 8080
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const [secret, port = '8080'] = process.argv.slice(2);
const webhook = new Webhook(secret);
const seen = new Set(); // Your database, so that an event which comes twice is handled once.

const server = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req.setEncoding('utf8')) body += chunk;
  try {
    const event = webhook.verify(body, req.headers);
    if (!seen.has(event.id)) console.log(`${event.id} ${event.type} ${event.object.status}`);
    seen.add(event.id);
    res.writeHead(204).end();
  } catch {
    res.writeHead(400).end(); // Not signed with our secret, or too old.
  }
});
server.listen(Number(port), () => console.log(server.address().port));
