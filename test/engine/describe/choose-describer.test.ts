import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { chooseDescriber, listDescribers } from "../../../src/engine/describe/choose-describer.ts";
import type { DescribeRequest } from "../../../src/engine/describe/describer.ts";
import { readGlossary } from "../../../src/engine/describe/script.ts";
import { visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import { PICTURE_HEAD } from "../../fakes/describing-model.ts";
import { startVisionServer } from "../../fakes/vision-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { describeRequest, keyFramesAt } from "./describe-request.ts";

function requestIn(folder: string): DescribeRequest {
  return describeRequest({
    durationSeconds: 20,
    onscreen: { isRead: true, texts: [{ start: 1, end: 4, lines: ["Harbour Master"] }], notes: [], unread: [] },
    gaps: [{ start: 2, end: 9, sound: "ambience" }],
    keyFrames: keyFramesAt([1]),
    keyFrameFolder: folder,
  });
}

/** What is written where nothing is configured and one model runs here that answers so. */
async function writtenWithFound(answer: Parameters<typeof startVisionServer>[0][number]) {
  const folder = await temporaryFolder();
  for (const { file } of requestIn(folder).keyFrames) await writeFile(join(folder, file), PICTURE_HEAD);
  const server = await startVisionServer([answer]);
  onTestFinished(() => server.close());
  const findModels = async () => [{ server: "Ollama", baseUrl: server.url, model: "llava:7b" }];
  const describer = await chooseDescriber({
    environment: {},
    folder,
    findModels,
  });
  return describer.describe(requestIn(folder), new AbortController().signal);
}

test("a model found on this computer that cannot do it leaves text on screen and the pauses, and the result says so", async () => {
  const { describer, descriptions, notes, leavesRest } = await writtenWithFound({
    status: 400,
    body: { error: { message: "this model takes no images" } },
  });
  expect([describer, leavesRest]).toEqual(["text", true]);
  expect(descriptions[0]?.wordings[0]).toContain("Harbour Master");
  expect(notes[0]).toMatch(/^llava:7b in Ollama, found on this computer, could not be used: .*takes no images.*=off/);
});

test("ERR-26: a model found on this computer that refuses fails the job all the same", async () => {
  await expect(writtenWithFound({ refusal: "No." })).rejects.toMatchObject({ code: "content_blocked" });
});

test.each([
  [{ ASIDE_VISION_URL: "http://[x", ASIDE_VISION_MODEL: "m" }, "ASIDE_VISION_URL is no http(s) address"],
  [{ ASIDE_VISION_URL: "http://h/v1", ASIDE_VISION_MODEL: "m", ASIDE_VISION_TIMEOUT: "soon" }, "ASIDE_VISION_TIMEOUT"],
  [{ ASIDE_VISION_URL: "http://h/v1", ASIDE_VISION_MODEL: "m", ASIDE_VISION_PRICE: "2.5" }, "ASIDE_VISION_PRICE"],
  [{ ASIDE_VISION_URL: "http://h/v1" }, "ASIDE_VISION_MODEL is not"],
])("says what of %o cannot be used, in the list and as the job's failure", async (environment, words) => {
  const vision = (await listDescribers(environment)).find(({ name }) => name === "vision");
  expect(vision).toMatchObject({ isAvailable: false, detail: expect.stringContaining(words) });
  const chosen = chooseDescriber({ environment, folder: "" });
  await expect(chosen).rejects.toThrow(words);
});

test("an empty key is none, and a price is read", () => {
  const environment = {
    ASIDE_VISION_URL: "http://h/v1/",
    ASIDE_VISION_MODEL: "m",
    ASIDE_VISION_KEY: "",
    ASIDE_VISION_PRICE: "2.5/10",
  };
  expect(visionConfiguration(environment)).toMatchObject({
    settings: { baseUrl: "http://h/v1", apiKey: "none", pricePerMillion: { input: 2.5, output: 10 } },
  });
});

test("a glossary is read line by line, and one that is missing or too long is named", async () => {
  const path = join(await temporaryFolder(), "names.txt");
  await writeFile(path, "\uFEFF# The crew\r\nArgo = the red ship\r\n\r\n  Kwame   Nkosi =\n");
  expect(await readGlossary({ ASIDE_GLOSSARY: path })).toEqual(["Argo: the red ship", "Kwame Nkosi"]);
  expect(await readGlossary({})).toEqual([]);
  await expect(readGlossary({ ASIDE_GLOSSARY: `${path}.no` })).rejects.toThrow("ASIDE_GLOSSARY names cannot be read");
  await writeFile(path, "x".repeat(8000));
  expect(await readGlossary({ ASIDE_GLOSSARY: path })).toEqual(["x".repeat(8000)]);
  await writeFile(path, "x".repeat(8001));
  await expect(readGlossary({ ASIDE_GLOSSARY: path })).rejects.toThrow("8001 characters; at most 8000");
});

test("the list says whether a configured model's server answers, and whether it takes the key", async () => {
  const stateAt = async (url: string) =>
    (await listDescribers({ ASIDE_VISION_URL: url, ASIDE_VISION_MODEL: "eyes" })).find(({ name }) => name === "vision");
  const replies = [200, 404, 401];
  const server = createServer((_, reply) => void reply.writeHead(replies.shift() ?? 500).end("{}"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  expect(await stateAt(url)).toMatchObject({ isAvailable: true });
  expect(await stateAt(url)).toMatchObject({ isAvailable: true });
  expect(await stateAt(url)).toMatchObject({ isAvailable: false, detail: expect.stringContaining("refuses the key") });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await stateAt(url)).toMatchObject({ isAvailable: false, detail: expect.stringContaining("does not answer") });
});
