import { expect, test } from "vitest";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../open-panel.ts";

const PROJECT = "project-sample";

/** A panel at its diagnostics, with a service of its own. */
async function atDiagnostics(...given: Parameters<typeof panelOnDoubles>): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles(...given);
  await panel.connect();
  panel.page().click("open-diagnostics");
  await expect.poll(() => panel.page().byId("try-everything").disabled).toBe(false);
  return panel;
}

/** The report that was saved, as lines by the names of what was asked. */
function reportOf({ disk }: PanelOnDoubles): {
  readonly text: string;
  readonly answers: Readonly<Record<string, string>>;
} {
  const [path, ...others] = [...disk.files.keys()].filter((name) => name.startsWith("/data/aside-first-run-"));
  expect(others).toEqual([]);
  const text = new TextDecoder().decode(disk.files.get(path ?? ""));
  const lines = [...text.matchAll(/^(?<name>[^:\n]+): (?<finding>.*) \[(?<code>[^\]]*)\]$/gm)];
  return { text, answers: Object.fromEntries(lines.map(({ groups }) => [groups?.["name"], groups?.["finding"]])) };
}

thoroughTest("everything is tried on a copy: all is answered, and the project is as it was", async () => {
  const panel = await atDiagnostics({ transcript: TRANSCRIPT });
  const { premiere, disk } = panel;
  const before = premiere.machine.project(PROJECT);
  const files = [...disk.files.keys()];
  panel.page().click("try-everything");
  await panel.sees("Done. The report is saved");
  const { text, answers } = reportOf(panel);
  expect(Object.entries(answers).filter(([, finding]) => /^raises|^no answer|^cancelled|NOT/.test(finding))).toEqual([
    ["fails", "raises: no such call"],
  ]);
  expect(answers).toMatchObject({
    "Copy of the sequence": "made, and active",
    "Long note": "100000 of 100000 characters kept; cleared",
    "Marker times and comments": "start and length 0 and 0 ticks off; comment kept; identity there; 0 left",
    "Marker identity over changes": "moved and changed in one step; identity kept",
    "New track by overwriting": "1 new, with 1 s at 0 s; the others as they were",
    "New track by inserting": "1 new, with 1 s at 0 s; the others as they were",
    "Selection in its callback": "removed 1 of 1",
    Muting: "works",
    "Import of captions": "shown, as a clip without a path",
    "Removing the copy": "removed",
    "Removing what was imported": "everything is removed",
    "The timeline": "equal before and after",
  });
  expect(answers["Transcript"]).toBe(
    "1 of 2 sources have one: language 1, start 2, duration 2, text 1, words 1, others 1, segments 1",
  );
  expect(answers["Export of picture with each preset"]).toMatch(/^ours: \d+ bytes, 2\.\d+ s in \d+ ms/);
  expect(answers["Converting to AAF"]).toMatch(/^\d+ bytes$/);
  expect(answers["Replies in bytes"]).toMatch(/arraybuffer: \d+ bytes/);
  // Nothing of the project, of the programme, of the computer or of the service is told.
  expect(text).not.toMatch(/Harbour|harbour|Check grade|too warm|keeper|\/data|\/media|127\.0\.0\.1/);
  expect(text).not.toContain(panel.server.key);
  expect(premiere.machine.project(PROJECT)).toEqual({
    ...before,
    sequences: expect.anything(),
    items: expect.anything(),
  });
  const { sequences, items } = premiere.machine.project(PROJECT);
  expect([...sequences]).toEqual([...before.sequences]);
  expect([...items]).toEqual([...before.items]);
  expect([...disk.files.keys()].filter((path) => !files.includes(path))).toHaveLength(1);
});

const TRANSCRIPT = JSON.stringify({
  language: "en-us",
  segments: [{ start: 0, duration: 1, words: [{ text: "keeper", start: 0, duration: 1 }], keeper: 1 }],
});

test("an answer that is refused costs nobody else's, and a copy that cannot be removed is named", async () => {
  const panel = await atDiagnostics();
  Object.assign(panel.premiere.faults, {
    converters: "refuse",
    selection: "never",
    export: "fails",
    deleteSequence: "nothing",
  });
  panel.page().click("try-everything");
  await panel.sees("Done. The report is saved");
  const { answers } = reportOf(panel);
  expect(answers["Converting to OTIO"]).toBe("raises: Premiere wrote no OTIO. Try File › Export there.");
  expect(answers["Selection in its callback"]).toMatch(/^raises: .*no longer valid/);
  expect(answers["Export of sound with each preset"]).toMatch(/^ours: raises /);
  expect(answers["Removing the copy"]).toMatch(/^raises: Premiere did not remove \(name\)/);
  expect(answers["Transcript"]).toBe("0 of 2 sources have one");
  expect(answers["The timeline"]).toBe("equal before and after");
});

test("cancelled, it asks no more and cleans up", async () => {
  const panel = await atDiagnostics();
  const before = panel.premiere.machine.sequence(PROJECT, SAMPLE_SEQUENCE_ID);
  panel.page().click("try-everything");
  await panel.sees("markers in one step");
  // Nothing else is begun meanwhile.
  panel.page().click("tab-describe");
  expect(panel.page().view).toBe("diagnostics");
  panel.page().click("cancel-trial");
  await panel.sees("Done. The report is saved");
  const { answers } = reportOf(panel);
  expect(answers["Transcript"]).toBe("cancelled before");
  expect(answers).toMatchObject({ "Removing the copy": "removed", "The timeline": "equal before and after" });
  expect([...panel.premiere.machine.project(PROJECT).sequences]).toEqual([[SAMPLE_SEQUENCE_ID, before]]);
});
