// The HTTP requests that set up a table: JSON out, JSON in.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** The response to a request, and the cookies it sets; throws unless it succeeds. */
export function call(method, url, body, headers = {}) {
  const data = body === undefined ? '' : JSON.stringify(body);
  const sent = data ? { 'content-type': 'application/json', 'content-length': data.length } : {};
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent, headers: { ...sent, ...headers } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode >= 300) {
          reject(new Error(`${method} ${url}: ${answer.statusCode} ${text}`));
        } else {
          const cookies = (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]);
          resolve({ data: JSON.parse(text), cookies });
        }
      });
    });
    asked.on('error', reject);
    asked.end(data);
  });
}
