import fc from "fast-check";
import { expect, test } from "vitest";
import { frameRate, framesFromSeconds } from "../../src/core/frame-rate.ts";
import { formatTimecode } from "../../src/core/timecode.ts";
import { parseEdlComment, parseEdlLocator, parseResolveMarker } from "../../src/formats/cmx3600/edl-comment.ts";
import { EdlMarkerTable, parseEdlEventLine } from "../../src/formats/cmx3600/parse-edl.ts";
import { parseCmx3600, writeCmx3600 } from "../../src/formats/index.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
const two = fc.integer({ min: 0, max: 59 }).map((value) => String(value).padStart(2, "0"));
const label = fc
  .tuple(two, two, two, fc.integer({ min: 0, max: 24 }), fc.constantFrom(":", ";", "."))
  .map(
    ([hours, minutes, seconds, frames, mark]) =>
      `${hours}:${minutes}:${seconds}${mark}${String(frames).padStart(2, "0")}`,
  );
const eventLine = fc.record({
  number: fc.constantFrom("001", "7", "123456", "012A"),
  reel: fc.constantFrom("AX", "BL", "A036C010", "REEL ONE", "V", "TAPE_1.MOV", ""),
  channels: fc.constantFrom("V", "A", "A2", "AA/V", "NONE", "B", "a,v"),
  transition: fc.constantFrom("C", "D 025", "W001 030", "K B", "K O 012", "D    008", "K", "025"),
  labels: fc.tuple(label, label, label, label),
  space: fc.constantFrom(" ", "  ", "\t", "      "),
});

test("an event line is read whatever parts its columns, and is none without one of them", () => {
  fc.assert(
    fc.property(eventLine, fc.nat(3), ({ number, reel, channels, transition, labels, space }, broken) => {
      const lineOf = (...places: readonly string[]) =>
        [number, ...(reel === "" ? [] : [reel]), channels, transition, ...places].join(space);
      const [sourceIn, sourceOut, recordIn, recordOut] = labels;
      const read = parseEdlEventLine(`${lineOf(...labels)}  `);
      expect(read).toEqual({
        number,
        reel,
        channels: channels.toUpperCase(),
        sourceIn,
        sourceOut,
        recordIn,
        recordOut,
      });
      expect(parseEdlEventLine(lineOf(...labels.slice(1)))).toBeNull();
      expect(parseEdlEventLine(lineOf(...labels.map((one, index) => (index === broken ? `${one}x` : one))))).toBeNull();
      expect(parseEdlEventLine(`x${lineOf(...labels)}`)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["* COMMENT: words: more", "comment", "words: more"],
  ["*comment:words", "comment", "words"],
  ["COMMENT: bare", "comment", "bare"],
  ["* LOC: 01:00:00:00 RED x", "locator", "01:00:00:00 RED x"],
  ["* FROM CLIP NAME:  a.mov", "from-clip-name", "a.mov"],
  ["* TO CLIP NAME: b", "to-clip-name", "b"],
  ["* SOURCE FILE: c", "technical", "c"],
  ["EFFECTS NAME IS CROSS DISSOLVE", "technical", "EFFECTS NAME IS CROSS DISSOLVE"],
  ["note |C:ResolveColorBlue |M:m |D:3", "marker", "note |C:ResolveColorBlue |M:m |D:3"],
  ["* |M:m |D:3", "marker", "|M:m |D:3"],
  ["* COMMENT: |M:m", "comment", "|M:m"],
  ["*", "technical", ""],
  ["* FREEZE FRAME", "technical", "FREEZE FRAME"],
  ["* said freely: so", "free", "said freely: so"],
])("the comment %j is a %s", (line, kind, text) => {
  expect(parseEdlComment(`  ${line} `, 7)).toEqual({ kind, text, line: 7 });
});

test("a line without a star or a key carries no comment", () => {
  expect(["AUD 3 4", "words: more", "M2 AX 025.0 00:00:00:00", ""].map((line) => parseEdlComment(line, 1))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("parts of a marker and of a locator are told apart", () => {
  expect(parseResolveMarker("n |C:Blue |M:name here |D:12")).toEqual({ note: "n", name: "name here", frames: 12 });
  expect(parseResolveMarker("|M:m")).toEqual({ note: "", name: "m", frames: 1 });
  expect(parseResolveMarker("M:m |D:-3")).toEqual({ note: "", name: "m", frames: 1 });
  expect(parseResolveMarker("|n |D:x")).toEqual({ note: "n", name: "", frames: 1 });
  expect(parseEdlLocator("01:00:01:14 RED     a b")).toEqual({ label: "01:00:01:14", text: "a b" });
  expect(parseEdlLocator("01:00:01;14 RED")).toEqual({ label: "01:00:01;14", text: "" });
  expect(parseEdlLocator("RED a")).toBeNull();
});

test("rows of Avid's marker table are read by what stands above them, whatever columns there are", () => {
  const columns = [
    "Number",
    "Color",
    "Marker Name",
    "Start TC",
    "End TC",
    "Duration",
    "Track",
    "Part",
    "Comment",
  ] as const;
  const rows = fc.array(
    fc.record({
      "Marker Name": fc.constantFrom("one", "two words", ""),
      "Start TC": label.map((one) => one.replace(".", ":")),
      "End TC": fc.oneof(
        label.map((one) => one.replace(".", ";")),
        fc.constant(""),
      ),
      Comment: fc.constantFrom("said", "", "said at length"),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const wanted = fc.subarray(["Color", "Marker Name", "End TC", "Duration", "Track", "Part", "Comment"] as const);
  fc.assert(
    fc.property(rows, wanted, (list, more) => {
      const shown = columns.filter(
        (name) => name === "Number" || name === "Start TC" || more.some((one) => one === name),
      );
      const table = new EdlMarkerTable();
      const line = (cells: readonly string[]) => cells.map((cell) => cell.padEnd(20)).join("");
      expect(table.read(line(shown), 1)).toBe(false);
      expect(table.read(" Marker Metadata ", 2)).toBe(true);
      table.read(
        line(shown.map((name) => (name === "Number" ? "1" : name === "Start TC" ? "00:00:00:00" : "early"))),
        3,
      );
      table.read(line(shown), 4);
      table.read("", 5);
      for (const [index, row] of list.entries()) {
        const cells = shown.map((name) =>
          name === "Number" ? String(index + 1) : (row[name as keyof typeof row] ?? "x"),
        );
        table.read(line(cells), 6 + index);
      }
      table.read(line(shown.map(() => "none")), 99);
      table.read("2 what", 100);
      const has = (name: string) => shown.some((one) => one === name);
      expect(table.markers).toEqual(
        list.map((row, index) => ({
          label: row["Start TC"],
          endLabel: has("End TC") ? row["End TC"] : "",
          name: has("Marker Name") ? row["Marker Name"] : "",
          comment: has("Comment") ? row.Comment : "",
          line: 6 + index,
        })),
      );
    }),
    { numRuns: 80 },
  );
});

test("each event gives the first of its words that there are, whatever stands between them", () => {
  const words = fc.record({
    comments: fc.subarray(["one", "two"]),
    marker: fc.constantFrom("", "note |C:Blue |M:name |D:3", "|C:Blue |M:name |D:90"),
    locators: fc.subarray(["00:00:00:05", "00:00:00:10"]),
    wait: fc.integer({ min: 0, max: 90 }),
    length: fc.integer({ min: 25, max: 75 }),
  });
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (events) => {
      fc.pre(
        events.some(({ comments, marker, locators }) => comments.length > 0 || marker !== "" || locators.length > 0),
      );
      let frame = 0;
      const time = (at: number) => formatTimecode(at, GRID);
      const expected: unknown[] = [];
      const blocks = events.map(({ comments, marker, locators, wait, length }, index) => {
        const start = frame + wait;
        frame = start + length;
        const at = locators.map((_, place) => start + (place + 1) * 5);
        if (comments.length > 0) expected.push([start, frame, comments.join(" ")]);
        else if (marker !== "") {
          const lasts = Number(/\|D:(\d+)/.exec(marker)?.[1]);
          expected.push([start, Math.max(frame, start + lasts), marker.startsWith("note") ? "note" : "name"]);
        } else for (const [place, from] of at.entries()) expected.push([from, at[place + 1] ?? frame, `loc ${place}`]);
        return [
          `${String(index + 1).padStart(3, "0")}  AX  V  C  ${time(start)} ${time(frame)} ${time(start)} ${time(frame)}`,
          "* FROM CLIP NAME: a.mov",
          ...at.map((from, place) => `* LOC: ${time(from)} RED   loc ${place}`).reverse(),
          ...(marker === "" ? [] : [marker]),
          "* free words",
          ...comments.map((one) => `* COMMENT: ${one}`),
        ].join("\n");
      });
      const { cues, issues } = parseCmx3600(`TITLE: t\nFCM: NON-DROP FRAME\n${blocks.join("\n")}\n`, {
        grid: GRID,
        isStartGiven: true,
      });
      const frames = (seconds: number) => framesFromSeconds(seconds, GRID.rate);
      const read = cues.map(({ start, end, text }) => [frames(start), frames(end), text]);
      expect(read).toEqual(expected.toSorted((a, b) => Number((a as number[])[0]) - Number((b as number[])[0])));
      expect(issues.filter(({ effect }) => effect !== "note" && effect !== "repaired")).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

test("an out is its own, or the next in where cues touch within a frame; one under another keeps its out", () => {
  const cue = (id: string, start: number, end: number) => ({ id, start, end, text: id });
  const outs = (...cues: ReturnType<typeof cue>[]) =>
    [...writeCmx3600(cues, { grid: GRID }).matchAll(/^\d{3} .* (\S+)$/gm)].map(([, out]) => out);
  expect(outs(cue("a", 1, 2.03), cue("b", 2.05, 3))).toEqual(["00:00:02:01", "00:00:03:00"]);
  expect(outs(cue("a", 1, 2.025), cue("b", 2.005, 3))).toEqual(["00:00:02:01", "00:00:03:00"]);
  expect(outs(cue("a", 1, 2.02), cue("b", 2.02, 3))).toEqual(["00:00:02:01", "00:00:03:00"]);
  expect(outs(cue("a", 1, 3), cue("b", 1.5, 2))).toEqual(["00:00:03:00", "00:00:02:00"]);
  expect(outs(cue("a", 1, 1.001))).toEqual(["00:00:01:01"]);
});
