import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markerComment } from "../../../../src/core/cue.ts";
import type { Timeline, TimelineClip } from "../../../../src/core/timeline.ts";
import { parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../../../src/formats/index.ts";
import { madeClip, madeMedia } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

const shot = (name: string, start: number, end: number): TimelineClip =>
  madeClip(madeMedia(name, { location: `file:///m/${name}`, durationSeconds: 60, audioChannels: 0 }), start, end);

const cut = (clips: readonly TimelineClip[], markers: Timeline["markers"]): Timeline => ({
  name: "Harbour",
  rate: { numerator: 25, denominator: 1 },
  isDropFrame: false,
  startFrame: 0,
  tracks: [{ kind: "video", name: "V1", isEnabled: true, clips, transitions: [] }],
  markers,
});

const MARKERS = [
  { start: 4, end: 6, name: "AD 1 · 2.0 s", comment: markerComment("one", "A woman sits.") },
  { start: 5, end: 5, name: "Grade", comment: "too warm" },
  { start: 14, end: 16, name: "AD 2 · 2.0 s", comment: markerComment("two", "She stands.") },
];

describe("aside conform", () => {
  test.each([
    ["otio", writeOtio, parseOtio],
    ["xml", writeFcp7Xml, parseFcp7Xml],
  ] as const)("moves markers in a .%s and lists what became of each", async (ending, write, parse) => {
    const folder = await temporaryFolder();
    const [placed, recut, out] = ["placed", "recut", "out"].map((name) => join(folder, `${name}.${ending}`));
    if (placed === undefined || recut === undefined || out === undefined) throw new Error("no paths");
    await writeFile(placed, write(cut([shot("a.mov", 0, 10), shot("b.mov", 10, 20)], MARKERS)));
    await writeFile(recut, write(cut([shot("a.mov", 0, 7), shot("b.mov", 7, 17)], MARKERS)));
    const { stdout, code } = await asideHere(["conform", placed, recut, out, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ descriptions: [{ state: "unchanged" }, { state: "moved", start: 11 }] });
    const markers = parse(await readFile(out, "utf8")).timeline?.markers ?? [];
    expect(markers.map(({ start, name }) => [start, name])).toEqual([
      [4, "AD 1 · 2.0 s"],
      [5, "Grade"],
      [11, "AD 2 · 2.0 s"],
    ]);
  });
});
