import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TextThreads } from "../../../src/service/http/text-threads.ts";
import { uniqueClip } from "../clips.ts";
import { form, type Reply, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let mediaId = "";
beforeAll(async () => {
  service = await startTestService(
    {
      plans: { default: { queued_jobs: 10_000 }, plain: { without: ["custom_description"] } },
      teams: { plain: { plan: "plain" } },
    },
    { worksOnJobs: false },
  );
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

const describeBy = (generation_config: object, media = mediaId): Promise<Reply> =>
  service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id: media }, generation_config });

/** A text of some megabytes in which no reader finds a cue, and every one looks for long. */
const withoutCue = (megabytes: number) => `start,end,text\n${'"a,'.repeat((megabytes * 1_000_000) / 3)}`;

/** Longest time for which this thread computed without a pause while `work` went on, in milliseconds of the processor. */
async function longestComputation(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const { user } = process.threadCpuUsage(before);
      longest = Math.max(longest, user / 1000);
      before = process.threadCpuUsage();
    }
  };
  const watching = watch();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return longest;
}

test("long scripts and captions are not read on the thread that serves requests", async () => {
  const content = withoutCue(4);
  const longest = await longestComputation(async () => {
    const replies = await Promise.all([
      describeBy({ description_content: content }),
      describeBy({ custom_captions: { content } }),
    ]);
    for (const { status, body } of replies) {
      expect(status).toBe(400);
      expect(body.message).toMatch(/^"generation_config\..*" holds no cue that can be read/);
    }
  });
  // Read on this thread, one of them takes more than a second.
  expect(longest).toBeLessThan(400);
});

test("a long script with cues is taken", async () => {
  const script = "[00:01.000] A door opens.\n".repeat(40_000);
  expect((await describeBy({ description_content: script })).status).toBe(200);
});

test("what is cheap to refuse is refused before a text is read", async () => {
  const description_content = withoutCue(0.1);
  expect((await describeBy({ description_content }, UNKNOWN)).status).toBe(404);
  const { key } = await service.app.administration.createKey({ team: "plain" });
  const input = { type: "media_id", media_id: UNKNOWN };
  const refused = await service.send(
    "POST",
    "generate_ad_text",
    { input, generation_config: { description_content } },
    { "X-API-Key": key },
  );
  expect(refused).toMatchObject({ status: 403, body: { feature: "custom_description" } });
});

test("a text that takes too long is refused, and the next one is read", async () => {
  const threads = new TextThreads(20);
  const given = { parameter: "edl_content", formats: "EDL" };
  await expect(threads.requireCues("team", { ...given, content: withoutCue(8) })).rejects.toMatchObject({
    code: "invalid_input",
    message: '"edl_content" takes too long to read. Send a shorter or simpler one.',
  });
  await threads.close();
  const patient = new TextThreads();
  await patient.requireCues("team", { ...given, content: "[00:01.000] A door opens.\n".repeat(1_000) });
  await patient.close();
});

describe("JSON", () => {
  const raw = (body: string) => service.send("POST", "generate_ad_text", body, { "Content-Type": "application/json" });

  test.each([
    ["too many values", `{"x":[${"[],".repeat(100_000)}[]]}`, /more than 100000 values/],
    ["too many members", `{${Array.from({ length: 100_001 }, (_, at) => `"x${at}":1`).join(",")}}`, /100000 values/],
    ["too deep", `${"[".repeat(65)}${"]".repeat(65)}`, /nested more than 64 levels/],
    ["far too deep", `${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`, /values|levels/],
  ])("with %s is refused by a sentence", async (_name, body, message) => {
    const reply = await raw(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringMatching(message) });
  });

  test("brackets within texts are no depth, and long bodies are read as short ones", async () => {
    const body = (instructions: string) => ({ media_id: mediaId, custom_instructions: instructions, 'x\\"[': [] });
    for (const instructions of ["[{,".repeat(100), '[{,\\"é'.repeat(60_000)]) {
      const reply = await service.send("POST", "generate_ad_text", body(instructions));
      expect(reply.status).toBe(200);
      expect(reply.body.ignored).toEqual(['x\\"[']);
    }
  });

  test("a long body that is no JSON is refused as a short one", async () => {
    for (const length of [10, 100_000]) {
      expect((await raw(`{"a":"${"b".repeat(length)}"`)).body.message).toBe("The request body is not valid JSON.");
    }
  });

  test("names that are not known are repeated in part only", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}${"x".repeat(1_000)}`, 1]));
    const { body } = await service.send("POST", "generate_ad_text", { media_id: mediaId, ...many });
    expect(body.ignored).toHaveLength(100);
    expect(body.ignored[0]).toHaveLength(200);
  });
});

describe("text parts of a form", () => {
  test("are bounded together", async () => {
    const data = form(await uniqueClip());
    data.append("generation_config", " ".repeat(5_000_000));
    data.append("generation_config", " ".repeat(5_000_000));
    const reply = await service.send("POST", "generate_ad_text", data);
    expect(reply.status).toBe(400);
    expect(reply.body.message).toMatch(/text parts of the form have more than 8388608 bytes together/);
  });

  test("that are not known are named, however long", async () => {
    const data = form(await uniqueClip());
    data.set("note", "x".repeat(20_000_000));
    const reply = await service.send("POST", "upload_media", data);
    expect(reply).toMatchObject({ status: 200, body: { ignored: ["note"] } });
  });
});
