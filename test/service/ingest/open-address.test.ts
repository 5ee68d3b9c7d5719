import type { LookupAddress } from "node:dns";
import { ClientRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type FetchRules,
  isInNetworks,
  isPublicAddress,
  openAddress,
  type Resolve,
} from "../../../src/service/ingest/open-address.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

const STRICT: FetchRules = { allowedNetworks: [], ports: null, maximumRedirects: 3, idleSeconds: 2 };
const LOOPBACK: FetchRules = { ...STRICT, allowedNetworks: ["127.0.0.0/8"] };

let host: WebHost;
beforeAll(async () => {
  host = await startWebHost();
  host.pages.set("/video", (_request, response) => response.end("a video"));
  host.pages.set("/to-video", (_request, response) => response.writeHead(302, { location: "/video" }).end());
  host.pages.set("/loop", (_request, response) => response.writeHead(307, { location: "/loop" }).end());
  host.pages.set("/silent", () => undefined);
});
afterAll(() => host.close());
beforeEach(() => host.asked.splice(0));

/** A resolver that gives what it is told, once after the other; the last for ever. */
function resolver(...answers: readonly (readonly string[])[]): Resolve {
  let index = 0;
  const resolve = (_name: string, _options: unknown, answer: (error: null, found: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(index++, answers.length - 1)] ?? [];
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  // The function stands in for one form of a heavily overloaded one, the form that is used.
  return resolve as unknown as Resolve;
}

async function open(url: string, rules = STRICT, resolve?: Resolve): Promise<string> {
  const reply = await openAddress(url, "source_url", rules, new AbortController().signal, resolve);
  let text = "";
  for await (const chunk of reply) text += chunk;
  return text;
}

const refused = (url: string, rules?: FetchRules, resolve?: Resolve) =>
  open(url, rules, resolve).then(
    () => "opened",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const NOT_PUBLIC = '"source_url" does not lead to a public address';

describe("addresses", () => {
  test.each([
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::7f00:1", "::a00:1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1", "fec0::1",
    "no address", "",
  ])("URL-02: %s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  }); // biome-ignore format: a list of addresses reads better in rows

  test.each(["8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test("an address is in any of some networks, not in the first alone, and in none of no networks", () => {
    const networks = ["192.168.0.0/16", "10.0.0.0/8", "fd00::/8"];
    expect(["192.168.1.1", "10.1.2.3", "fd12::1", "11.0.0.1"].map((one) => isInNetworks(one, networks))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isInNetworks("10.1.2.3", [])).toBe(false);
  });

  test("a configured network is reached, in either dress, and its neighbours are not", () => {
    const allowed = ["10.1.0.0/16", "fd00::/8"];
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd00::5"])
      expect(isPublicAddress(address, allowed)).toBe(true);
    for (const address of ["10.2.0.1", "127.0.0.1", "fe80::1"]) expect(isPublicAddress(address, allowed)).toBe(false);
  });
});

describe("opening", () => {
  test.each([
    (port: number) => `http://127.0.0.1:${port}/video`,
    (port: number) => `http://127.1:${port}/video`,
    (port: number) => `http://2130706433:${port}/video`,
    (port: number) => `http://0x7f000001:${port}/video`,
    (port: number) => `http://0x7f.0.0.1:${port}/video`,
    (port: number) => `http://0177.0.0.1:${port}/video`,
    (port: number) => `http://017700000001:${port}/video`,
    (port: number) => `http://[::1]:${port}/video`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/video`,
    (port: number) => `http://[::ffff:7f00:1]:${port}/video`,
    (port: number) => `http://[0:0:0:0:0:ffff:7f00:0001]:${port}/video`,
    (port: number) => `http://[64:ff9b::127.0.0.1]:${port}/video`,
    (port: number) => `http://0:${port}/video`,
    (port: number) => `http://127。0。0。1:${port}/video`,
    (port: number) => `http://①②⑦.0.0.1:${port}/video`,
    (port: number) => `http://localhost:${port}/video`,
    (port: number) => `http://LOCALHOST:${port}/video`,
  ])("URL-02: this machine is not reached, however it is spelt (%#)", async (spell) => {
    expect(await refused(spell(host.port))).toContain(NOT_PUBLIC);
    expect(host.asked).toEqual([]);
  });

  test("URL-02: a name is refused when what it resolves to is not public", async () => {
    const url = `http://films.example:${host.port}/video`;
    expect(await refused(url, STRICT, resolver(["127.0.0.1"]))).toContain(NOT_PUBLIC);
    expect(await refused(url, STRICT, resolver(["::1", "10.0.0.1"]))).toContain(NOT_PUBLIC);
    expect(await refused(url, STRICT, resolver([]))).toContain(NOT_PUBLIC);
    expect(host.asked).toEqual([]);
  });

  test("URL-02: a name that changes its address between check and connection gains nothing", async () => {
    // The first answer is public, every later one is this machine: whoever asks twice connects to the second.
    const rules = { ...STRICT, idleSeconds: 1 };
    const rebinding = resolver(["192.0.2.77", "203.0.113.9"], ["127.0.0.1"]);
    const url = `http://films.example:${host.port}/video`;
    expect(await refused(url, rules, rebinding)).toContain(NOT_PUBLIC);
    expect(await refused(url, rules, rebinding)).toContain(NOT_PUBLIC);
    expect(host.asked).toEqual([]);
  });

  test("of several addresses only the public ones are connected to", async () => {
    const mixed = resolver(["127.0.0.9", "127.0.0.1"]);
    const rules = { ...STRICT, allowedNetworks: ["127.0.0.1/32"] };
    expect(await open(`http://films.example:${host.port}/video`, rules, mixed)).toBe("a video");
  });

  test("follows redirects, and checks each of them", async () => {
    expect(await open(`${host.url}/to-video`, LOOPBACK)).toBe("a video");
    for (const [index, location] of [
      "http://10.0.0.1/video",
      "http://[::1]/video",
      "http://169.254.169.254/latest/meta-data/",
      "//0x0a000001/x",
    ].entries()) {
      host.pages.set(`/away-${index}`, (_request, response) => response.writeHead(301, { location }).end());
      expect(await refused(`${host.url}/away-${index}`, LOOPBACK)).toContain(NOT_PUBLIC);
    }
    host.pages.set("/file", (_request, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end());
    expect(await refused(`${host.url}/file`, LOOPBACK)).toContain("must begin with http");
    host.pages.set("/odd", (_request, response) => response.writeHead(302, { location: "http://[" }).end());
    expect(await refused(`${host.url}/odd`, LOOPBACK)).toContain("no address");
  });

  test("hangs up on whoever redirects, however much is behind that", async () => {
    const hungUp = Promise.withResolvers<string>();
    host.pages.set("/endless", (_request, response) => {
      response.on("close", () => hungUp.resolve("hung up")).writeHead(302, { location: "/video" });
      response.write("and on");
    });
    const rules = { ...LOOPBACK, idleSeconds: 60 };
    expect([await open(`${host.url}/endless`, rules), await hungUp.promise]).toEqual(["a video", "hung up"]);
  }, 20_000);

  test("gives up on too many redirects", async () => {
    expect(await refused(`${host.url}/loop`, LOOPBACK)).toContain("redirects more than 3 times");
    expect(host.asked).toHaveLength(4);
  });

  test("names what is wrong with an address", async () => {
    expect(await refused("ftp://example.org/a")).toContain("must begin with http");
    expect(await refused("file:///etc/passwd")).toContain("must begin with http");
    expect(await refused("nonsense")).toContain("no full address");
    expect(await refused("http://me:secret@example.org/a")).toContain("user name");
    expect(await refused("http://example.org:22/a", { ...STRICT, ports: [80, 443] })).toContain("port 22");
    expect(await refused(`${host.url}/none`, LOOPBACK)).toContain("status 404");
    expect(await refused("http://127.0.0.1:9/", LOOPBACK)).toContain("refuses the connection");
    expect(await refused("http://nowhere.invalid/a")).toContain("does not exist");
  });

  test("takes a host for silent after as many seconds as the rules say", async () => {
    const limits = vi.spyOn(ClientRequest.prototype, "setTimeout");
    try {
      expect(await open(`${host.url}/video`, { ...LOOPBACK, idleSeconds: 7 })).toBe("a video");
      expect(limits.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([7_000]);
    } finally {
      limits.mockRestore();
    }
  });

  test("gives up on silence, and at once when cancelled", async () => {
    expect(await refused(`${host.url}/silent`, LOOPBACK)).toContain("does not answer");
    const stop = new AbortController();
    const opening = openAddress(`${host.url}/silent`, "source_url", LOOPBACK, stop.signal);
    const reason = new Error("cancelled");
    stop.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });

  test("never repeats an address's query in a message", async () => {
    expect(await refused(`${host.url}/none?X-Signature=secret`, LOOPBACK)).not.toContain("secret");
  });
});
