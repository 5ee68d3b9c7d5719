import { expect, test } from "vitest";
import type { Actions } from "../../panel/controllers/actions.ts";
import type { ElementNode } from "../../panel/document/element.ts";
import { firstState } from "../../panel/state/panel-state.ts";
import type { JobEntry } from "../../panel/state/saved.ts";
import { historyView } from "../../panel/views/history-view.ts";
import { words } from "../../panel/words/words.ts";
import { jobEntry } from "./session-in-memory.ts";

/** Noon of a day, by the clock of this computer. */
const NOON = new Date(2026, 10, 26, 12).getTime();
const HOUR = 3_600_000;

/** What the history says, a line for each text of its own. */
function shown(...jobs: readonly Partial<JobEntry>[]): string[] {
  const entries = jobs.map((job, index) => jobEntry({ runId: `run-${index}`, ...job }));
  const actions = { session: { environment: { clock: { now: () => NOON } } }, tools: null } as unknown as Actions;
  const texts: string[] = [];
  const walk = (node: ElementNode | string) => {
    if (typeof node === "string") texts.push(node);
    else node.children.forEach(walk);
  };
  historyView({ ...firstState("http://127.0.0.1:8420", NOON), jobs: entries }, actions).forEach(walk);
  return texts;
}

const ago = (hours: number) => new Date(NOON - hours * HOUR).toISOString();

test("jobs stand under the day of this computer's clock, those under way first, each with its age", () => {
  const said = shown(
    { state: "done", startedAt: ago(0.5) },
    { state: "done", startedAt: ago(11.9) },
    { state: "done", startedAt: ago(12.1) },
    { state: "running", startedAt: ago(30) },
    { state: "done", startedAt: ago(37) },
  );
  const wanted = [words.historyNow, words.today, "30 min ago", "11 hours ago", words.yesterday, "23:54", "2026-11-24"];
  expect(said.filter((text) => wanted.includes(text))).toEqual(wanted);
});

test("a failed job says its cause and its next step; a finished one what came of it and whether it is on the timeline", () => {
  const fault = { sentence: "The file ends early.", next: "Export it again.", code: "upload_failed" };
  const said = shown(
    { state: "failed", fault: fault as unknown as NonNullable<JobEntry["fault"]>, startedAt: ago(1) },
    { state: "done", cueCount: 6, findingCount: 1, placedMarkers: true, startedAt: ago(1) },
    { state: "done", cueCount: 1, findingCount: 0, startedAt: ago(1) },
  );
  expect(said).toContain("⚠ The file ends early. Export it again.");
  expect(said).toContain("✓ 6 descriptions · 1 problem · on the timeline");
  expect(said).toContain("✓ 1 description · 0 problems");
});
