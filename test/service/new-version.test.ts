import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { configurationFrom } from "../../src/service/configuration.ts";
import { NewVersion } from "../../src/service/new-version.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const DAY_MS = 24 * 3600 * 1000;
const PLACE = "https://aside.example/version.json";

/** What is told over many looks and restarts, by a real server in the place of an address elsewhere. */
async function told(answer: (reply: ServerResponse) => void, isLocalOnly = false) {
  const asked: string[] = [];
  const state = { answer };
  const server = createServer(({ headers, method, url }, reply) => {
    asked.push(`${method} ${url} ${Object.keys(headers).sort().join(" ")}`);
    state.answer(reply);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const dataFolder = await temporaryFolder();
  const found: string[] = [];
  const clock = { now: 1e12 };
  const make = (place = PLACE, version = "0.9.0") =>
    new NewVersion({
      place,
      version,
      dataFolder,
      isLocalOnly: async () => isLocalOnly,
      onFound: (one) => found.push(one),
      now: () => clock.now,
      fetch: (address, options) =>
        fetch(String(address).replace("https://aside.example", `http://127.0.0.1:${port}`), options),
    });
  return { state, asked, found, clock, make, dataFolder };
}

const says = (text: string) => (reply: ServerResponse) => void reply.end(text);

describe("a newer version", () => {
  test("is asked for at most once a day, restarts included, and told once after each start", async () => {
    const { asked, found, clock, make } = await told(says('{"version": "0.10.0", "more": true}'));
    const first = make();
    await Promise.all([first.look(), first.look()]);
    await first.look();
    const second = make();
    await second.look();
    expect([first.found, second.found, found]).toEqual(["0.10.0", "0.10.0", ["0.10.0", "0.10.0"]]);
    expect(asked).toHaveLength(1);
    clock.now += DAY_MS - 1;
    await second.look();
    expect(asked).toHaveLength(1);
    clock.now += 1;
    await second.look();
    expect([asked.length, found.length]).toEqual([2, 2]);
    clock.now -= 3 * DAY_MS;
    await second.look();
    expect(asked).toHaveLength(3);
    // After the update it is no news.
    const updated = make(PLACE, "0.10.0");
    await updated.look();
    expect([updated.found, found.length]).toEqual([null, 2]);
  });

  test("is asked for without a word about who asks", async () => {
    const { asked, make } = await told(says("{}"));
    await make().look();
    expect(asked).toEqual([
      "GET /version.json accept accept-encoding accept-language connection host sec-fetch-mode user-agent",
    ]);
  });

  test.each(["0.9.0", "0.8.99", "0.0.1000"])("is not %s", async (version) => {
    const { found, make } = await told(says(JSON.stringify({ version })));
    await make().look();
    expect(found).toEqual([]);
  });

  test.each<[string, (reply: ServerResponse) => void]>([
    ["no JSON", says("<html>0.11.0")],
    ["no notice", says('{"version": "next"}')],
    ["a version with words in it", says('{"version": "0.11.0 <b>"}')],
    ["nothing", says("")],
    ["an error", (reply) => void reply.writeHead(500).end('{"version": "0.11.0"}')],
    ["another address", (reply) => void reply.writeHead(302, { location: "/other" }).end()],
    ["more than a notice", says(`{"version": "0.11.0", "more": "${"x".repeat(20_000)}"}`)],
    ["a broken connection", (reply) => void reply.destroy()],
  ])("stays as it was known where the answer is %s, and is not asked for again that day", async (_, wrong) => {
    const { state, asked, clock, make } = await told(says('{"version": "0.10.0"}'));
    const version = make();
    await version.look();
    state.answer = wrong;
    clock.now += DAY_MS;
    await version.look();
    await version.look();
    expect([version.found, asked.length]).toEqual(["0.10.0", 2]);
    const restarted = make();
    await restarted.look();
    expect([restarted.found, asked.length]).toEqual(["0.10.0", 2]);
  });

  test("that is answered without end does not keep a service from ending", async () => {
    const { asked, found, make } = await told((reply) => void reply.write('{"version":'));
    const version = make();
    version.start();
    await expect.poll(() => asked).toHaveLength(1);
    await version.close();
    expect(found).toEqual([]);
  });

  test("is asked of no server where nothing may leave the computer; a file is read there", async () => {
    const { asked, make, dataFolder } = await told(says('{"version": "0.10.0"}'), true);
    const elsewhere = make();
    await elsewhere.look();
    expect([elsewhere.found, asked]).toEqual([null, []]);
    const file = join(dataFolder, "notice.json");
    await writeFile(file, '{"version": "1.0.0"}');
    const here = make(file);
    await here.look();
    expect([here.found, asked]).toEqual(["1.0.0", []]);
  });

  test("is not read of a folder, nor of a long file", async () => {
    const { found, clock, make, dataFolder } = await told(says(""));
    await mkdir(join(dataFolder, "folder"));
    await make(join(dataFolder, "folder")).look();
    clock.now += DAY_MS;
    await writeFile(join(dataFolder, "long"), `{"version": "1.0.0"}${" ".repeat(20_000)}`);
    await make(join(dataFolder, "long")).look();
    expect(found).toEqual([]);
  });
});

test.each(["http://aside.example/v.json", "https://a:b@aside.example/", "version.json", "ftp://a/b", ""])(
  "no newer version is looked for at %s",
  (place) => {
    expect(() => configurationFrom({ new_version_at: place }, "/data")).toThrow(/new_version_at is wrong/);
  },
);
