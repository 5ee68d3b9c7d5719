import { expect, test } from "vitest";
import { IS_THOROUGH } from "../thorough/thorough-test.ts";
import { playFilm } from "./feature-film.ts";

// A tenth of a feature film; `npm run tool -- feature-film` plays a whole one.
test.each([["moves along with the edits", true] as const, ...(IS_THOROUGH ? [["lies still", false] as const] : [])])(
  "a film is read, placed, ducked, conformed after edits, and ducked anew; nothing of the editor's changes; the narration %s",
  async (_how, isInStep) => {
    const report = await playFilm({ shots: 70, music: 10, lines: 40, edits: 8, isInStep });
    expect(report.faults).toEqual([]);
    expect(report.clips).toBe(150);
    expect(Object.keys(report.figures)).toEqual(["place", "duck", "conform", "take the ducking away", "duck anew"]);
    // Premiere bears ten parameters a step: a ducking takes some, and their pauses.
    const { transactions, pauseSeconds } = report.figures["duck"] ?? { transactions: 0, pauseSeconds: 0 };
    expect(transactions).toBeGreaterThan(report.duckedClips / 10);
    expect(pauseSeconds).toBeGreaterThanOrEqual(Math.floor(transactions / 12) * 3);
  },
);
