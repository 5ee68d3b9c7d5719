import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { findHostCalls, type HostCall } from "../../scripts/host-calls/find-host-calls.ts";
import { HOST_CALLS } from "../../scripts/host-calls/host-call-sources.ts";
import { callNames, hostCallTable } from "../../scripts/host-calls/host-call-table.ts";

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

test("at most ten calls are inferred, each with a fallback that stands in the code", async () => {
  const inferred = HOST_CALLS.filter(({ source }) => source === "inferred");
  expect(inferred.flatMap(({ members }) => members).length).toBeLessThanOrEqual(10);
  for (const { owner, fallback } of HOST_CALLS) {
    if (fallback === undefined) continue;
    const [file = "", name = ""] = fallback.code.split("#");
    expect((await readFile(file, "utf8")).includes(name), `${owner}: ${fallback.code}`).toBe(true);
  }
  expect(inferred.every(({ fallback }) => fallback !== undefined)).toBe(true);
});

test("the page of the calls is up to date: npm run host-calls", async () => {
  expect(await readFile("docs/host-calls.md", "utf8")).toBe(hostCallTable(calls));
});
