import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ReadTextSent } from "../../../src/contract/read-text.ts";
import { bytesFromBase64 } from "../../../src/core/bytes.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readServiceText } from "../../../src/formats/service-formats.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { readGivenTexts } from "../../../src/workflow/describe/given-texts.ts";
import { pickedText, understandText } from "../../../src/workflow/describe/picked-text.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const READING = { holds: "dialogue", choice: {} } as const;

const text = (content: string | Uint8Array, name = "captions.srt") => ({
  name,
  bytes: Uint8Array.from(Buffer.from(content)),
});

const SRT = "1\n00:00:01,000 --> 00:00:02,000\nWho is it?\n";

describe("without a service that reads files", () => {
  const read = (content: string | Uint8Array, name?: string) => understandText(null, text(content, name), READING);

  test("a text in Unicode is taken to the letter, and what was assumed is told", async () => {
    expect(await read(SRT)).toMatchObject({ content: SRT, filename: "captions.srt", verdict: { kind: "fits" } });
    const marked = Uint8Array.from([0xff, 0xfe, ...Buffer.from(SRT, "utf16le")]);
    expect((await read(marked)).content).toBe(SRT);
    const bare = await read(Buffer.from(SRT, "utf16le"));
    expect(bare.content).toBe(SRT);
    expect(bare.receipt.facts).toContainEqual(expect.stringContaining("utf-16le was assumed"));
    // Half a pair of surrogates is no letter.
    const broken = await read(Buffer.concat([Buffer.from(SRT, "utf16le"), Buffer.from([0x00, 0xd8, 0x41, 0x00])]));
    expect(broken.receipt.facts).toEqual([
      "1 caption",
      expect.stringContaining("utf-16le was assumed"),
      expect.stringContaining("were replaced: 1"),
    ]);
  });

  test.each([
    [Uint8Array.from([0x8a, 0x20, 0xe6, 0xf8, 0xfe]), "a.srt", /save it as UTF-8/],
    ["PK\u0003\u0004 and so on", "a.docx", /^it is /],
    ["", "a.srt", /nothing to read/],
    ["nothing has a time", "a.srt", /time/],
    ["WEBVTT\n\n00:xx --> 00:05.000\nBad.\n", "a.vtt", /\(line 3\)$/],
  ])("%j is not used, and why is said", async (content, name, why) => {
    const { content: used, verdict } = await read(content, name);
    expect(used).toBe("");
    expect(verdict).toMatchObject({ kind: "does not fit", why: expect.stringMatching(why) });
  });
});

describe("a text that may be meant in two ways", () => {
  const film = {
    grid: { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 },
    durationSeconds: 6100,
  };
  const hour = "1\n01:04:00,000 --> 01:04:03,000\nWho is it?\n\n2\n01:40:00,000 --> 01:40:03,000\nNobody at all.\n";

  test("says so, and once a person has chosen is asked about no more, here or at a service of ours", async () => {
    const { verdict, content } = await understandText(null, text(hour), { ...READING, ...film });
    if (verdict.kind !== "unsure") throw new Error(`it is ${verdict.kind}`);
    expect(content).toBe("");
    for (const { choice, preview } of verdict.readings) {
      const chosen = await understandText(null, text(hour), { ...READING, ...film, choice });
      expect(chosen.filename).toBe("captions.vtt");
      const given = readGivenTexts({ captions: { content: chosen.content, filename: chosen.filename } }, film);
      expect(given.captions?.[0]?.start).toBe(preview[0]?.start);
      // As one reads it who knows nothing of the film.
      expect(readServiceText(chosen.content).cues[0]?.start).toBe(preview[0]?.start);
    }
  });
});

describe("by a service that reads files", () => {
  const sent: ReadTextSent[] = [];
  const reader = (reply: object) => ({
    reads: { maximumBytes: 1000, endings: ["srt", "xlsx"] },
    client: {
      readText: async (file: ReadTextSent) => {
        sent.push(file);
        return { format: null, webvtt: "", receipt: { facts: ["1 caption"], leftOut: [] }, ...reply } as never;
      },
    },
  });

  test("the bytes go as they are, with what is known of the film", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const grid = { rate: frameRate(30_000, 1001), isDropFrame: true, startFrame: 0 };
    const client = reader({ verdict: { kind: "does not fit", why: "no" } });
    const known = { grid, durationSeconds: 60, speech: [{ start: 1, end: 2 }] };
    await understandText(
      client,
      { name: "a.xlsx", bytes },
      { holds: "descriptions", choice: { column: "C" }, ...known },
    );
    const [file] = sent.splice(0);
    expect(bytesFromBase64(file?.content ?? "")).toEqual(bytes);
    expect(file).toMatchObject({
      filename: "a.xlsx",
      holds: "descriptions",
      choice: { column: "C" },
      film: { duration_seconds: 60, frame_rate: "30000/1001", start_timecode: "00:00:00;00", speech: [[1, 2]] },
    });
  });

  test("what it reads as it stands stays to the letter; all else becomes WebVTT", async () => {
    const webvtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nWho is it?\n";
    const plain = reader({ format: "srt", webvtt, verdict: { kind: "fits" } });
    expect(await understandText(plain, text(SRT), READING)).toMatchObject({ content: SRT, filename: "captions.srt" });
    for (const [reply, choice] of [
      [{ format: "csv", verdict: { kind: "fits" } }, {}],
      [{ format: "srt", verdict: { kind: "repaired", how: [] } }, {}],
      [{ format: "srt", verdict: { kind: "fits" } }, { unit: "ms" }],
    ] as const) {
      const read = await understandText(reader({ ...reply, webvtt }), text(SRT), { ...READING, choice });
      expect(read).toMatchObject({ content: webvtt, filename: "captions.vtt", receipt: { facts: ["1 caption"] } });
    }
    sent.splice(0);
  });

  test("a file that is longer than it takes is read here", async () => {
    const client = reader({ verdict: { kind: "does not fit", why: "not asked" } });
    const long = `${SRT}\n2\n00:00:03,000 --> 00:00:04,000\n${"Nobody. ".repeat(200)}\n`;
    expect((await understandText(client, text(long), READING)).content).toBe(long);
    expect(sent).toEqual([]);
  });
});

describe("a file that somebody picked", () => {
  test("is read whole, and refused beyond any text's length", async () => {
    const path = join(await temporaryFolder(), "a.srt");
    await writeFile(path, SRT);
    expect(Buffer.from((await pickedText(nodeFiles, path, "a.srt")).bytes).toString()).toBe(SRT);
    const size = 32 * 1024 * 1024;
    const files = (bytes: number) => ({
      ...nodeFiles,
      size: async () => bytes,
      readBytes: async () => Buffer.from("A."),
    });
    await expect(pickedText(files(size + 1), "/a", "a.srt")).rejects.toMatchObject({
      code: "file_unreadable",
      message: expect.stringContaining("is too long"),
      state: "nothing was changed",
    });
    expect((await pickedText(files(size), "/a", "a.srt")).bytes).toHaveLength(2);
  });
});
