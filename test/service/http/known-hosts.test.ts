import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { hostname } from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_KEY_HEADER } from "../../../src/contract/routes.ts";
import { API, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let port = 0;
beforeAll(async () => {
  service = await startTestService({ allowed_hosts: ["Aside.Studio.example"] });
  port = Number(new URL(await service.app.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(() => service.close());

/** Sends a request as a browser does to which a foreign name led here. */
async function ask(host: string, path: string, more: { method?: string; body?: string; key?: string } = {}) {
  const { method = "GET", body, key } = more;
  const headers = { host, ...(key === undefined ? {} : { [API_KEY_HEADER]: key, "content-type": "application/json" }) };
  const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: false });
  sent.end(body);
  const [reply] = await once(sent, "response");
  return { status: reply.statusCode, body: await text(reply) };
}

test("a page under a foreign name reads nothing, not even what needs no key", async () => {
  for (const path of ["/docs", "/home", "/openapi.json", "/healthz", "/storage/teams/a/b?purpose=get", "/none"]) {
    for (const host of [
      "evil.example",
      "evil.example:80",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "127.0.0.1@evil.example",
    ]) {
      const { status, body } = await ask(host, path);
      expect(status, `${host}${path}`).toBe(400);
      expect(body).toContain("Host header");
      expect(body).not.toContain("evil");
    }
  }
});

test("the service answers under its addresses, names without a dot, its own and those of the configuration", async () => {
  const names = ["127.0.0.1", "[::1]", "192.168.1.7", "localhost", "a.localhost", "aside", "LOCALHOST.", hostname()];
  for (const name of [...names, "aside.studio.example"]) {
    expect((await ask(`${name}:${port}`, "/healthz")).status, name).toBe(200);
  }
});

test("no link is signed for a foreign name, whoever asks", async () => {
  const more = {
    method: "POST",
    key: service.key,
    body: JSON.stringify({ input: { type: "file", filename: "a.mp4" } }),
  };
  expect((await ask("evil.example", `${API}/create_upload_url`, more)).status).toBe(400);
});

test("a broken host costs its sender the request and nobody else anything", async () => {
  for (const head of ["", "Host: \r\n", "Host: a b\r\n", "Host: [::1\r\n", "Host: \u00e4:x\r\n"]) {
    for (const version of ["1.0", "1.1"]) {
      const socket = connect(port, "127.0.0.1");
      socket.end(`GET /docs HTTP/${version}\r\n${head}Connection: close\r\n\r\n`, "latin1");
      expect(await text(socket), `${version} ${head}`).toMatch(/^HTTP\/1\.1 400/);
    }
  }
  expect((await ask("localhost", "/healthz")).status).toBe(200);
});
