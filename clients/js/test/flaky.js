/** A small HTTP server that answers as it is told, for what a real one does only in trouble. */
import { once } from "node:events";
import { createServer } from "node:http";

export const HANG_UP = 0; // in place of a status: the connection ends without an answer
export const NEVER = -1; // it stays open, without an answer

/** Gives `answers` in turn, then what `decide` says; keeps what it was `asked`. */
export async function flakyServer(test, ...answers) {
  const flaky = { url: "", answers, asked: [], decide: () => ({ status: 200, body: {} }) };
  const server = createServer(async (request, response) => {
    let text = "";
    request.setEncoding("utf8");
    for await (const part of request) text += part;
    const asked = { method: request.method, path: request.url, headers: request.headers, body: text && JSON.parse(text) };
    flaky.asked.push(asked);
    const { status, body = {}, headers = {} } = flaky.answers.shift() ?? flaky.decide(asked);
    if (status === NEVER) return;
    if (status === HANG_UP) request.socket.destroy();
    else response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  flaky.url = `http://127.0.0.1:${server.address().port}`;
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return flaky;
}

export const problem = (status, code, more = {}) => ({ status, body: { code, detail: "No.", status, ...more } });

/** Waits are short in tests; what is waited for is never asserted. */
export const QUICK = { firstWait: 1, longestWait: 2 };
