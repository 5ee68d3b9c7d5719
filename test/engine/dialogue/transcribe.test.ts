import { describe, expect, test } from "vitest";
import { TranscriptionError } from "../../../src/engine/dialogue/ask-transcription.ts";
import { type TranscriptionOrder, transcribe } from "../../../src/engine/dialogue/transcribe.ts";
import type { Transcriber } from "../../../src/engine/dialogue/transcriber.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { signal } = new AbortController();
const range = (start: number, end: number) => ({ start, end });

/** Says one line of each piece, from a time in it to another; notes how long each piece is. */
function transcriber(line: { start: number; end: number }, more: Partial<Transcriber> = {}) {
  const asked: number[] = [];
  const one: Transcriber = {
    ...{ name: "the double", identity: ["double"], isHere: true, tellsAll: true },
    pieces: { longest: 600, skipped: 1.5 },
    async ask(samples) {
      asked.push(samples.length / 16_000);
      return [{ ...line, text: "Hello.", words: [{ ...line, text: "Hello." }] }];
    },
    ...more,
  };
  return { one, asked };
}

async function order(more: Partial<TranscriptionOrder> = {}): Promise<TranscriptionOrder> {
  return {
    ...{ mediaPath: sharedMedia("constructed/placed-speech-silence.mp4"), durationSeconds: 120 },
    ...{ speech: [range(4, 6), range(30, 32)], language: "en", folder: await temporaryFolder() },
    ...more,
  };
}

describe("what is said in a programme", () => {
  test("is told on the programme's clock, words and all, of each stretch with a little around it", async () => {
    const { one, asked } = transcriber(range(0.5, 1));
    const told: number[] = [];
    const { lines, requests, invented, failure } = await transcribe(await order(), one, signal, (share) =>
      told.push(share),
    );
    expect(lines).toEqual([
      { ...range(4, 4.5), text: "Hello.", words: [{ ...range(4, 4.5), text: "Hello." }] },
      { ...range(30, 30.5), text: "Hello.", words: [{ ...range(30, 30.5), text: "Hello." }] },
    ]);
    expect([requests, invented, failure, asked, told]).toEqual([2, 0, null, [3, 3], [0.5, 1]]);
  });

  test("is nothing where nothing is heard under it, but for a third of a second on either side", async () => {
    const kept = async (start: number, end: number) =>
      (await transcribe(await order({ speech: [range(4, 6)] }), transcriber(range(start, end)).one, signal)).lines
        .length;
    // A piece begins half a second before what was heard.
    expect([await kept(0, 0.19), await kept(0, 0.21)]).toEqual([0, 1]);
    expect([await kept(2.81, 3), await kept(2.79, 3)]).toEqual([0, 1]);
    const { invented } = await transcribe(await order(), transcriber(range(0, 0.1)).one, signal);
    expect(invented).toBe(2);
  });

  test("is asked once of each stretch: for another language, track or transcriber anew", async () => {
    const first = await order();
    const asksOf = async (more: Partial<TranscriptionOrder>, identity: readonly unknown[] = ["double"]) => {
      const { one, asked } = transcriber(range(0.5, 1), { identity });
      const { requests, lines } = await transcribe({ ...first, ...more }, one, signal);
      expect([requests, lines.length]).toEqual([asked.length, 2]);
      return requests;
    };
    expect(await asksOf({})).toBe(2);
    expect(await asksOf({})).toBe(0);
    expect(await asksOf({ speech: [range(4, 6), range(50, 52)] })).toBe(1);
    expect(await asksOf({ language: "de" })).toBe(2);
    expect(await asksOf({ tracks: [1] })).toBe(2);
    expect(await asksOf({}, ["another"])).toBe(2);
    expect(await asksOf({})).toBe(0);
  });

  test("is what was answered before a transcriber failed, and that it did; other faults are not its own", async () => {
    const fault = new TranscriptionError("transcription_refused", "No.");
    let asked = 0;
    const failing = (error: Error) =>
      transcriber(range(0.5, 1), {
        ask: async () => {
          asked += 1;
          if (asked === 2) throw error;
          return [{ ...range(0.5, 1), text: "Hello." }];
        },
      }).one;
    const first = await order();
    expect(await transcribe(first, failing(fault), signal)).toMatchObject({
      failure: fault,
      requests: 2,
      lines: [{ start: 4 }],
    });
    // What was answered is paid once.
    asked = 2;
    expect(await transcribe(first, failing(fault), signal)).toMatchObject({ failure: null, requests: 1 });
    asked = 0;
    await expect(transcribe(await order(), failing(new Error("a bug")), signal)).rejects.toThrow("a bug");
  });

  test("is nothing where nobody speaks, and nobody is asked", async () => {
    const { one, asked } = transcriber(range(0, 1));
    const silent = await transcribe(await order({ speech: [], mediaPath: "/no/such/film.mp4" }), one, signal);
    expect([silent, asked]).toEqual([{ lines: [], requests: 0, invented: 0, failure: null }, []]);
  });
});
