import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { findHostCalls, type HostCall } from "../../../tools/check/host-calls/find-host-calls.ts";
import { HOST_CALLS, SINCE, SURVIVED, WITNESSES } from "../../../tools/check/host-calls/host-call-sources.ts";
import { callNames, hostCallTable } from "../../../tools/check/host-calls/host-call-table.ts";
import { matrixPage, survivalsOf } from "../../../tools/check/host-calls/matrix-page.ts";

let calls: readonly HostCall[] = [];
beforeAll(() => {
  calls = findHostCalls(".");
}, 120_000);

test("every call of the host that the code makes is listed with its source, once, and no other", () => {
  expect(HOST_CALLS.flatMap(callNames).sort()).toEqual(calls.map(({ name }) => name).sort());
});

test("calls of every kind are found: by members, taken out of a value, constructed, drawn and listened to", () => {
  const names = calls.map(({ name }) => name);
  const kinds = ["Project.importFiles", "SourceMonitor.play", "VideoTrack.getTrackItems", "Constants.MarkerColor.BLUE"];
  expect(names).toEqual(expect.arrayContaining([...kinds, "fs.readdir", "new XMLHttpRequest", "event mousedown"]));
});

test("at most ten calls are assumed, each with a fallback that stands in the code", async () => {
  const assumed = HOST_CALLS.filter(({ source }) => source === "assumed");
  expect(assumed.flatMap(({ members }) => members).length).toBeLessThanOrEqual(10);
  for (const { owner, fallback } of HOST_CALLS) {
    if (fallback === undefined) continue;
    const [file = "", name = ""] = fallback.code.split("#");
    expect((await readFile(file, "utf8")).includes(name), `${owner}: ${fallback.code}`).toBe(true);
  }
  expect(assumed.every(({ fallback }) => fallback !== undefined)).toBe(true);
});

test("whoever measured is named, and what is said of a member is of one that is used", async () => {
  const names = new Set(HOST_CALLS.flatMap(callNames));
  const witnesses = HOST_CALLS.flatMap(({ by = [] }) => by);
  expect(new Set(witnesses)).toEqual(new Set(Object.keys(WITNESSES)));
  expect(HOST_CALLS.every(({ source, by }) => (source === "measured") === (by !== undefined))).toBe(true);
  expect([...Object.keys(SINCE), ...Object.keys(SURVIVED)].filter((name) => !names.has(name))).toEqual([]);
  for (const { test: file } of Object.values(SURVIVED))
    expect((await readFile(file, "utf8")).length).toBeGreaterThan(0);
});

test("what is survived is read from the page of the matrix as it was written", () => {
  const told = { said: "Premiere did not", isNamed: true };
  const page = matrixPage(
    {
      "in good health": { open: "done", place: "done" },
      "26.3": { open: "done", place: told },
      "Project.getSequence: later": { open: "done", place: "done" },
      "Project.getSequence: refuses": { open: "done", place: told },
      "Marker.getComments: nothing": { open: "done", place: { ...told, isNamed: false } },
    },
    { "SourceMonitor.play: later": { listen: "done" }, "SourceMonitor.play: missing": { listen: "less" } },
  );
  expect(page).toContain("5 columns, 10 journeys: 7 done, 2 told, 1 believed");
  expect(page).toMatch(/^\| place \| told \|$/m);
  expect(survivalsOf(page)).toEqual(
    new Map([
      ["Marker.getComments", []],
      ["Project.getSequence", ["later"]],
      ["SourceMonitor.play", ["later"]],
    ]),
  );
});

test("the page of the calls is up to date: npm run tool -- host-calls", async () => {
  const survived = survivalsOf(await readFile("docs/notes/premiere-matrix.md", "utf8"));
  expect(await readFile("docs/host-calls.md", "utf8")).toBe(hostCallTable(calls, survived));
  // An enumeration that is missing as a whole stands for its values; a level's number is taken out of whatever it is wrapped in.
  const isUsed = (known: string) => calls.some(({ name }) => name === known || name.startsWith(`${known}.`));
  expect([...survived.keys()].filter((name) => !isUsed(name))).toEqual(["Keyframe.value"]);
});
