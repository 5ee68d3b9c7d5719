import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readCues } from "../../../src/formats/registry.ts";
import { DELIVERY_PRESETS, DELIVERY_TEXTS } from "../../../src/workflow/deliver/delivery-preset.ts";
import { type DeliveryOrder, deliveryTexts, gridStartingAt } from "../../../src/workflow/deliver/delivery-texts.ts";
import { scriptPage } from "../../../src/workflow/deliver/script-page.ts";

const [PRESET] = DELIVERY_PRESETS;
if (PRESET === undefined) throw new Error("there are presets");
const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const CUES = [
  { id: "a", start: 1, end: 3, text: "A <dog> & a cat." },
  { id: "b", start: 8, end: 9.48, text: "He runs." },
];
const ORDER: DeliveryOrder = {
  cues: CUES,
  grid: GRID,
  title: "Harbour",
  language: "en-US",
  preset: { ...PRESET, texts: DELIVERY_TEXTS, fileName: "{title}-{kind}.{ending}", kindNames: {}, plainNames: false },
  origin: null,
  voice: { isHuman: false, name: "Ann & Co" },
  isSpoken: true,
  refersToNarration: true,
  createdAt: "2026-03-04T05:06:07.890Z",
};
const textOf = (order: DeliveryOrder, name: string) =>
  deliveryTexts(order).find((file) => file.name === name)?.text ?? "";

describe("the texts of a delivery", () => {
  test("are those of its preset in its order, each under a name of its own, and hold the same descriptions", () => {
    const files = deliveryTexts(ORDER);
    expect(files.map(({ name }) => name)).toEqual([
      "Harbour-descriptions.vtt",
      "Harbour-descriptions.srt",
      "Harbour-descriptions.edl",
      "Harbour-descriptions.csv",
      "Harbour-descriptions.dapt.xml",
      "Harbour-script.html",
    ]);
    for (const { name, text } of files.slice(0, 4)) {
      const { cues, issues } = readCues(text, { filename: name, grid: GRID, durationSeconds: 60 });
      expect([name, cues.map((cue) => cue.text), issues]).toEqual([name, CUES.map((cue) => cue.text), []]);
      for (const [index, { start }] of cues.entries()) expect(start).toBeCloseTo(CUES[index]?.start ?? 0, 2);
    }
    expect(deliveryTexts({ ...ORDER, preset: { ...ORDER.preset, texts: ["csv", "vtt"] } })).toHaveLength(2);
  });

  test("have directions to the voice where somebody speaks from them, and nowhere else", () => {
    const cues = [{ id: "a", start: 1, end: 3, text: "[slowly] A door opens. (beat)" }];
    const withDirections = deliveryTexts({ ...ORDER, cues }).filter(({ text }) => /slowly|beat/.test(text));
    expect(withDirections.map(({ name }) => name)).toEqual(["Harbour-descriptions.csv", "Harbour-script.html"]);
    expect(textOf({ ...ORDER, cues }, "Harbour-descriptions.vtt")).toContain("\nA door opens.\n");
  });

  test("say what their format cannot hold, with a count, where it cannot hold all", () => {
    const losses = deliveryTexts(ORDER).flatMap(({ name, losses: lost }) => (lost.length === 0 ? [] : [name]));
    expect(losses).toContain("Harbour-descriptions.srt");
    for (const { losses: lost } of deliveryTexts(ORDER))
      for (const one of lost) expect(one).toMatch(/^\S.*[^.] \(\d+\)$/);
    expect(deliveryTexts(ORDER).at(-1)?.losses).toEqual([]);
  });

  test("a script to speak from counts in timecode, tells what is said before, and discloses a voice once there is one", () => {
    const dialogue = [{ start: 6, end: 7, text: "Stop!", speaker: "Bob" }];
    const page = textOf({ ...ORDER, dialogue }, "Harbour-script.html");
    expect(page).toContain("<td>01:00:01:00</td><td>01:00:03:00</td><td>2.0</td>");
    expect(page).toContain("Bob: “Stop!”<br>1.0 s before");
    expect(page).toContain("<p>The narration was made with a synthetic voice (Ann &amp; Co).</p>");
    const unspoken = textOf({ ...ORDER, isSpoken: false }, "Harbour-script.html");
    expect(unspoken).not.toContain("synthetic");
    expect(unspoken).not.toContain("Dialogue before");
  });

  test("DAPT says whether it is spoken yet, and refers to the narration where it lies, behind its leader", () => {
    const name = "Harbour-descriptions.dapt.xml";
    const spoken = textOf(ORDER, name);
    expect(spoken).toContain('daptm:scriptType="asRecorded"');
    expect(spoken).toContain("Harbour-narration.wav");
    const begins = (text: string) => /clipBegin="([^"]+)"/.exec(text)?.[1];
    expect(Number.parseFloat(begins(spoken) ?? "")).toBeCloseTo(1, 3);
    const led = textOf({ ...ORDER, leader: { seconds: 8, hasPop: true } }, name);
    expect(Number.parseFloat(begins(led) ?? "")).toBeCloseTo(9, 3);
    const silent = textOf({ ...ORDER, isSpoken: false, refersToNarration: false }, name);
    expect(silent).toContain('daptm:scriptType="preRecording"');
    expect(silent).not.toContain("narration.wav");
    const glides = [
      { start: 0.85, end: 1, fromDb: 0, toDb: -12 },
      { start: 3, end: 3.5, fromDb: -12, toDb: 0 },
    ];
    expect(textOf({ ...ORDER, glides }, name)).not.toBe(spoken);
  });
});

test("a programme starts at the timecode that is told, at none it stays, and what is no timecode at its rate is refused", () => {
  expect(gridStartingAt(GRID, undefined)).toEqual(GRID);
  expect(gridStartingAt(GRID, "00:00:02:05")).toEqual({ ...GRID, startFrame: 55 });
  for (const label of ["", "ten", "00:00:00:25", "00:61:00:00"]) expect(gridStartingAt(GRID, label)).toBeNull();
  const drop = { rate: frameRate(30000, 1001), isDropFrame: true, startFrame: 0 };
  // A label that drop-frame counting passes over means the next one that it counts.
  expect(gridStartingAt(drop, "00:01:00;00")).toEqual({ ...drop, startFrame: 1800 });
});

describe("a script as a page", () => {
  const page = (changes: Partial<Parameters<typeof scriptPage>[1]> = {}, cues = CUES) =>
    scriptPage(cues, { title: "A & B", language: "fr", labelAt: (seconds) => `at ${seconds}`, ...changes });

  test("numbers each description, with its times, its length and its words, and nothing of them is markup", () => {
    const text = page();
    expect(text).toContain("<h1>A &amp; B: description script</h1>");
    expect(text).toContain("<caption>2 descriptions</caption>");
    expect(text).toContain(
      '<tr data-start="8.000" data-end="9.480"><th scope="row">2</th><td>at 8</td><td>at 9.48</td><td>1.5</td><td lang="fr">He runs.</td></tr>',
    );
    expect(text).toContain('<td lang="fr">A &lt;dog&gt; &amp; a cat.</td>');
    expect([...text.matchAll(/<th scope="col">([^<]+)/g)].map(([, name]) => name)).toEqual([
      "Cue",
      "In",
      "Out",
      "Seconds",
      "Description",
    ]);
    expect(page({ note: "a < b" })).toContain("<p>a &lt; b</p>");
    expect(text).not.toContain("<p>a");
  });

  test("tells for each whom it waits for, and says where nobody speaks before", () => {
    const dialogue = [{ start: 4, end: 6, text: "Come <in>!", speaker: "Ann & Bob" }];
    expect(page({ dialogue })).toContain("<td>none</td>");
    expect(page({ dialogue })).toContain("<td>Ann &amp; Bob: “Come &lt;in&gt;!”<br>2.0 s before</td>");
    expect(page({ dialogue: [{ start: 4, end: 6, text: "In!" }] })).toContain("<td>“In!”<br>2.0 s before</td>");
    expect(page({ dialogue })).toContain('<th scope="col">Dialogue before</th>');
  });

  test("has a clock where there is something to count down to", () => {
    expect(page()).toContain("<script>");
    expect(page({}, [])).not.toContain("<script>");
    expect(page({}, [])).toContain("<caption>0 descriptions</caption>");
  });
});
