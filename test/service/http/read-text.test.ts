import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTextFile, readTextReading } from "../../../src/client/text-reply.ts";
import { ReadTextReplySchema } from "../../../src/contract/read-text.ts";
import { readServiceText } from "../../../src/formats/service-formats.ts";
import { corpusBytes } from "../../corpus/corpus-files.ts";
import { startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { worksOnJobs: false });
});
afterAll(() => service.close());

const FILM = { duration_seconds: 7200, frame_rate: "25/1", start_timecode: "01:00:00:00" };

const srt = (...cues: readonly (readonly [string, string, string])[]) =>
  cues.map(([start, end, text], index) => `${index + 1}\n${start},000 --> ${end},000\n${text}\n`).join("\n");

const HOUR = srt(["01:04:00", "01:04:03", "Who is it?"], ["01:40:00", "01:40:03", "Nobody at all."]);

async function read(content: string | Uint8Array, more: object = {}, filename = "a.srt") {
  const sent = { content: Buffer.from(content).toString("base64"), filename, holds: "dialogue", film: FILM, ...more };
  const { status, body } = await service.send("POST", "read_text", sent);
  if (status !== 200) return { status, body };
  const { ignored: _, ...told } = ReadTextReplySchema.parse(body);
  const text = readTextFile(body);
  // What the client reads is what the service says.
  expect(text).toMatchObject({
    webvtt: told.webvtt.trim() === "" ? "" : told.webvtt,
    verdict: { kind: told.verdict.kind },
  });
  return { status, body, text, starts: readServiceText(told.webvtt).cues.map(({ start }) => start) };
}

test("the service says which files it reads, and how long they may be", async () => {
  const { body } = await service.send("GET", "read_text");
  expect(readTextReading(body)?.endings).toEqual(expect.arrayContaining(["srt", "vtt", "csv", "xlsx", "docx", "otio"]));
  expect(readTextReading(body)?.maximumBytes).toBe(5 * 1024 * 1024);
});

describe("a text that may be meant in two ways", () => {
  test("is asked about with what each would mean, and read as the choice that is made", async () => {
    const { text, starts } = await read(HOUR, { film: { ...FILM, duration_seconds: 6100 } });
    expect(starts).toEqual([]);
    if (text?.verdict.kind !== "unsure") throw new Error(`it is ${text?.verdict.kind}`);
    const { readings } = text.verdict;
    expect(readings.map(({ choice, fitting, lines, preview }) => [choice, fitting, lines, preview[0]?.start])).toEqual([
      [{ start: "00:00:00" }, 2, 2, 3840],
      [{ start: "01:00:00" }, 2, 2, 240],
    ]);
    for (const { choice, preview } of readings) {
      const chosen = await read(HOUR, { film: { ...FILM, duration_seconds: 6100 }, choice });
      expect(chosen.starts?.[0]).toBe(preview[0]?.start);
    }
  });

  test("is decided by the speech that was heard", async () => {
    const speech = [
      [239.5, 244],
      [2399.5, 2404],
    ];
    const { starts, text } = await read(HOUR, { film: { ...FILM, speech } });
    expect(starts).toEqual([240, 2400]);
    expect(text?.verdict.kind).toBe("repaired");
    expect(text?.receipt.facts).toEqual(["2 captions", "zero is 01:00:00 (the film's timecode)"]);
  });
});

test("times are read for the frame rate that a person says, and the receipt says what can be said otherwise", async () => {
  const asMade = await read(HOUR, { film: FILM, choice: { start: "01:00:00" } });
  expect(asMade.text?.receipt.choices).toEqual({
    start: "zero is 01:00:00 (as given)",
    rate: "made for 25 frames a second, as the film",
  });
  const { starts, text } = await read(HOUR, { film: FILM, choice: { start: "01:00:00", rate: "24" } });
  expect(starts).toEqual([230.4, 2304]);
  expect(text?.receipt.choices?.rate).toContain("made for 24 frames a second");
});

test("a document of Excel is read from its columns, and what was left out is told", async () => {
  const { text } = await read(
    corpusBytes("faults/exchange/spreadsheets/hidden-column-of-old-words.xlsx"),
    { holds: "descriptions" },
    "a.xlsx",
  );
  expect(text?.verdict.kind).toBe("fits");
  expect(text?.receipt.facts[0]).toMatch(/^\d+ descriptions? from the column/);
  // The head of the column, by which a person knows it.
  expect(text?.receipt.leftOut).toContainEqual({
    what: "hidden column",
    count: 1,
    words: [expect.stringMatching(/\S/)],
  });
});

test("what is no text, of another film, or in no encoding says so and is not used", async () => {
  for (const [content, why] of [
    ["%PDF-1.7\n", /is a PDF/],
    [srt(["05:07:00", "05:07:03", "Far away."]), /none of its 1 times lies inside the film/],
    [Uint8Array.from({ length: 1000 }, (_, index) => (index * 7919 + 128) % 256), /no encoding/],
    ["Nothing has a time here.", /./],
  ] as const) {
    const { text, starts } = await read(content, { film: { ...FILM, duration_seconds: 40 } }, "a.txt");
    expect(starts).toEqual([]);
    expect(text?.verdict).toMatchObject({ kind: "does not fit", why: expect.stringMatching(why) });
  }
});

test("a long file is read beside what else is asked, and answered alike", async () => {
  const many = Array.from({ length: 2000 }, (_, index) => {
    const at = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19);
    return [at(index * 3), at(index * 3 + 2), `Line ${index} of many.`] as const;
  });
  const { starts } = await read(srt(...many), { film: { duration_seconds: 7200 } });
  expect(starts).toHaveLength(2000);
});

test.each([
  [{ content: "%%%" }, '"content" is no Base64.'],
  [{ film: { frame_rate: "25/0" } }, '"film.frame_rate" is no rate.'],
  [{ film: { frame_rate: "25/1", start_timecode: "10:00:00:30" } }, '"film.start_timecode" is no label at 25/1.'],
  [{ holds: "songs" }, /"holds"/],
  [{ choice: { start: "noon" } }, /"choice.start"/],
])("%j is refused", async (more, message) => {
  const { status, body } = await read(HOUR, more);
  expect([status, body.error]).toEqual([400, "invalid_input"]);
  expect(body.message).toMatch(message);
});

test("a file that is too long is refused with how long it may be", async () => {
  const { status, body } = await read(new Uint8Array(5 * 1024 * 1024 + 1));
  expect([status, body.message]).toEqual([400, expect.stringContaining("at most 5242880 are read")]);
});
