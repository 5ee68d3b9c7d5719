import type { FastifyReply, FastifyRequest } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import {
  type BroughtMedia,
  bringOnce,
  keyedRequest,
  takeFromAddress,
} from "../../../src/service/http/keyed-request.ts";
import type { ServiceParts } from "../../../src/service/http/service-parts.ts";
import { getMedia } from "../../../src/service/storage/media-records.ts";
import { strictObject } from "../../fakes/premiere/strict-object.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
let team: Caller;
beforeAll(async () => {
  records = await openTestRecords();
  team = { ...records.team, role: "program", plan: planOfTeam(configurationFrom({}, "/"), "north") };
});
afterAll(() => records.close());

let key = 0;
beforeEach(() => {
  key += 1;
});

const request = (header: string | undefined, url = "/upload") =>
  ({
    headers: header === undefined ? {} : { "idempotency-key": header },
    routeOptions: { url },
    raw: {},
  }) as unknown as FastifyRequest;
const keyed = () => keyedRequest(request(`key ${key}`), team, { asked: 1 });

async function brought(): Promise<BroughtMedia> {
  const media = await getMedia(records.database, await records.media());
  if (media === null) throw new Error("no media");
  return { media, status: "created" };
}

describe("media that a keyed request brings", () => {
  test("come once: the same request brings nothing more, and is told the same", async () => {
    const first = await bringOnce(records, keyed(), brought);
    const again = await bringOnce(records, keyed(), () => expect.unreachable());
    expect([again.media.id, again.status]).toEqual([first.media.id, "created"]);
  });

  test("are the first's where the same was sent while they came", async () => {
    let inner: BroughtMedia | undefined;
    const outer = await bringOnce(records, keyed(), async () => {
      inner = await bringOnce(records, keyed(), brought);
      return { ...(await brought()), status: "existing" };
    });
    expect([outer.media.id, outer.status]).toEqual([inner?.media.id, "created"]);
  });

  test("come again where the first try failed, and where they were removed since", async () => {
    await expect(bringOnce(records, keyed(), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const first = await bringOnce(records, keyed(), brought);
    await records.database.query("UPDATE aside.media SET removed_at = now() WHERE id = $1", [first.media.id]);
    const again = await bringOnce(records, keyed(), brought);
    expect(again.media.id).not.toBe(first.media.id);
  });

  test("without a key come each time", async () => {
    const ids = [await bringOnce(records, null, brought), await bringOnce(records, null, brought)];
    expect(ids[0]?.media.id).not.toBe(ids[1]?.media.id);
  });
});

describe("a key", () => {
  test.each([
    ["k", "k"],
    ['"k"', "k"],
    ["a b", "a b"],
    ["x".repeat(255), "x".repeat(255)],
  ])("%s is %s", (header, read) => {
    expect(keyedRequest(request(header), team, {})).toMatchObject({ key: read, teamId: team.id, endpoint: "/upload" });
  });

  test.each(["", '""', "x".repeat(256), `"${"x".repeat(256)}"`, "é", 'a"b', " a"])(
    "%j is none, and refused",
    (header) => {
      expect(() => keyedRequest(request(header), team, {})).toThrow(/1 to 255/);
    },
  );

  test("tells requests apart by what they ask for; without one nothing is kept", () => {
    const of = (asked: unknown) => keyedRequest(request("k"), team, asked)?.fingerprint;
    expect(of({ a: 1 })).toBe(of({ a: 1 }));
    expect(of({ a: 1 })).not.toBe(of({ a: 2 }));
    expect(keyedRequest(request(undefined), team, {})).toBeNull();
  });
});

describe("a video at an address", () => {
  /** Parts with the settings alone: whatever else is asked for would begin to fetch. */
  const parts = (isLocalOnly: boolean) =>
    strictObject("parts", { settings: { isLocalOnly: async () => isLocalOnly } }) as unknown as ServiceParts;
  const address = { url: "https://example.org/a.mp4", fileName: null, parameter: "source_url" };
  const reply = {} as FastifyReply;

  test("is not fetched by a service that is to let nothing leave its computer", async () => {
    await expect(takeFromAddress(parts(true), team, address, request("k"), reply)).rejects.toMatchObject({
      code: "feature_not_available",
      message: expect.stringContaining("nothing leave its computer"),
    });
  });

  test("is not fetched for a plan without it, before anything else is looked at", async () => {
    const plan: Caller["plan"] = { ...team.plan, without: ["url_input"] };
    const nothing = strictObject("parts", {}) as unknown as ServiceParts;
    await expect(takeFromAddress(nothing, { ...team, plan }, address, request("k"), reply)).rejects.toMatchObject({
      code: "feature_not_available",
    });
  });
});
