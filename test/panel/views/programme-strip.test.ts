import { describe, expect, test } from "vitest";
import type { Child } from "../../../panel/document/element.ts";
import type { ReviewState } from "../../../panel/state/review-state.ts";
import { programmeStrip, stripView } from "../../../panel/views/programme-strip.ts";
import { words } from "../../../panel/words/words.ts";
import type { Result } from "../../../src/result/result.ts";
import { elementsOf } from "../../page/page-actions.ts";
import { elementOf, happens, outlineOf, usesOf } from "./drawn.ts";
import { found, reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

/** What is drawn of a programme, a line each: what it is, and where. */
function drawnIn(drawn: Child): readonly string[] {
  return elementsOf(drawn).flatMap(({ properties, children }) => {
    const kind = String(properties["class"]);
    const said = children.filter((one) => typeof one === "string").join("");
    return /^(strip|ruler-mark|lane|piece|level|playhead)/.test(kind) && kind !== "strip-face"
      ? [[kind, properties["style"], said].filter(Boolean).join(" ")]
      : [];
  });
}

const PAUSE = { id: "p", start: 40, end: 44, words: 9, hints: [] };
function shown(result: Partial<Result> = {}, review: Partial<ReviewState> = {}, playhead: number | null = null) {
  const made = reviewed(result, review);
  const page = viewPage({ review: made });
  return { ...page, draw: () => stripView(page.session.state.review ?? made, playhead, page.actions) };
}

describe("a programme of a result", () => {
  test("has its times, speech above, lines and pauses below, those with findings marked, how loud it is, and the playhead", () => {
    const speech = [
      { start: 6, end: 12 },
      { start: 30, end: 31 },
      { start: 50, end: 60 },
    ];
    const levels = Array.from({ length: 60 }, (_, index) => (index < 15 ? 0 : index < 30 ? 30 : 60));
    const result = {
      speech,
      levels,
      toWrite: [PAUSE],
      findings: [found("cps", ["b"]), found("whole", []), found("over", ["c", "d"])],
    };
    const { draw } = shown(result, {}, 15);
    expect(drawnIn(draw())).toEqual([
      "strip ruled",
      "ruler-mark left: 0.00% 00:00:00",
      "ruler-mark left: 16.67% 00:00:10",
      "ruler-mark left: 33.33% 00:00:20",
      "ruler-mark left: 50.00% 00:00:30",
      "ruler-mark left: 66.67% 00:00:40",
      "ruler-mark left: 83.33% 00:00:50",
      "lane speech-lane",
      "level left: 25.00%; width: 25.00%; height: 50.00%",
      "level left: 50.00%; width: 50.00%; height: 100.00%",
      "piece left: 10.00%; width: 10.00%",
      "piece left: 50.00%; width: 2.08%",
      "piece left: 83.33%; width: 16.67%",
      "lane pause-lane",
      "piece left: 66.67%; width: 6.67%",
      "lane cue-lane",
      "piece left: 3.33%; width: 3.33%",
      "piece flagged left: 20.00%; width: 2.50%",
      "piece flagged left: 36.67%; width: 5.00%",
      "piece flagged left: 53.33%; width: 3.33%",
      "lane whole",
      "playhead left: 25.00%",
    ]);
    expect(outlineOf(draw())[0]).toContain(words.stripLabel({ cues: 4, speech: words.stripSpeechKnown }));
    expect(outlineOf(shown().draw())[0]).toContain(words.stripLabel({ cues: 4, speech: words.stripSpeechUnknown }));
  });

  test("draws no playhead outside it, and none while nobody knows", () => {
    const has = (playhead: number | null) =>
      drawnIn(shown({}, {}, playhead).draw()).some((line) => line.startsWith("playhead"));
    expect([null, -0.1, 0, 60, 60.1].map(has)).toEqual([false, false, true, true, false]);
  });

  test("moves the playhead to where it is clicked, to its ends at most", () => {
    const page = shown();
    const click = (offsetX: number | undefined, clientWidth = 200) => {
      happens(page.draw(), ".strip-face", "click", {
        target: { clientWidth },
        ...(offsetX === undefined ? {} : { offsetX }),
      });
      return page.did.at(-1);
    };
    expect([click(50), click(-5), click(300), click(undefined), click(50, 0)]).toEqual([
      "reviewController.jump(15)",
      "reviewController.jump(0)",
      "reviewController.jump(60)",
      "reviewController.jump(0)",
      "reviewController.jump(0)",
    ]);
  });

  test("that is long is zoomed in by doublings, down to half a minute, and shows what the list shows then", async () => {
    const cues = [0, 300, 590].map((start) => ({ id: `c${start}`, start, end: start + 5, text: "x" }));
    const long = (stripZoom: number, scrollTop = 0) =>
      shown(
        {
          cues,
          durationSeconds: 600,
          levels: Array.from({ length: 600 }, (_, index) => (index < 310 ? 0 : 60)),
          speech: [{ start: 250, end: 350 }],
        },
        { stripZoom, scrollTop, viewHeight: 64 },
        300,
      );
    expect(outlineOf(long(0).draw()).slice(1)).toEqual([
      `group “${words.zoom}”`,
      `  button “${words.zoomIn}” #zoom-in : +`,
      `  button “${words.zoomOut}” #zoom-out disabled : −`,
    ]);
    expect(outlineOf(long(5).draw()).slice(1)).toEqual([
      `group “${words.zoom}”`,
      `  button “${words.zoomIn}” #zoom-in disabled : +`,
      `  button “${words.zoomOut}” #zoom-out : −`,
    ]);
    const page = long(1);
    const { "zoom-in": closer, "zoom-out": further } = await usesOf(page, page.draw());
    expect({ closer, further }).toEqual({
      closer: ["review.stripZoom: 2"],
      further: ["review.stripZoom: 0"],
    });
    expect(drawnIn(long(2, 64).draw())).toEqual([
      "strip-row",
      "strip ruled",
      "ruler-mark left: 10.00% 00:04:00",
      "ruler-mark left: 30.00% 00:04:30",
      "ruler-mark left: 50.00% 00:05:00",
      "ruler-mark left: 70.00% 00:05:30",
      "ruler-mark left: 90.00% 00:06:00",
      "lane speech-lane",
      "level left: 56.67%; width: 43.33%; height: 100.00%",
      "piece left: 16.67%; width: 66.67%",
      "lane pause-lane",
      "lane cue-lane",
      "piece left: 50.00%; width: 3.33%",
      "lane whole",
      "playhead left: 50.00%",
    ]);
    const middle = long(2, 64);
    happens(middle.draw(), ".strip-face", "click", { target: { clientWidth: 200 }, offsetX: 50 });
    expect(middle.did.at(-1)).toEqual("reviewController.jump(262.5)");
  });
});

describe("a strip", () => {
  test("without times, names, levels and a jump has none of these, and each lane is its own", () => {
    const strip = programmeStrip({
      label: "Two lanes",
      lanes: [
        ["speech", "", [{ from: 0, count: 24, level: 1 }]],
        [
          "cue",
          "",
          [
            { from: 120, count: 60, level: 2 },
            { from: 200, count: 1, level: 1 },
          ],
        ],
      ],
    });
    expect(drawnIn(strip)).toEqual([
      "strip",
      "lane speech-lane",
      "piece left: 0.00%; width: 10.00%",
      "lane cue-lane",
      "piece flagged left: 50.00%; width: 25.00%",
      "piece left: 83.33%; width: 0.42%",
    ]);
    expect(elementsOf(strip).some(({ properties }) => properties["class"] === "strip-face")).toBe(false);
    expect(elementOf(strip, "strip").properties).toMatchObject({ role: "img", "aria-label": "Two lanes" });
  });

  test("with names and times says by its look that it has them; how loud it is stands behind the first lane alone", () => {
    const strip = programmeStrip({
      id: "own",
      label: "Named",
      lanes: [
        ["speech", "Heard", []],
        ["cue", "File", []],
      ],
      levels: [
        { from: 12, count: 24, height: 0.5 },
        { from: 60, count: 12, height: 1 },
      ],
      marks: [
        { at: 0, label: "00:00" },
        { at: 0.5, label: "00:30" },
      ],
      playhead: 0.256,
    });
    expect(drawnIn(strip)).toEqual([
      "strip ruled named",
      "ruler-mark left: 0.00% 00:00",
      "ruler-mark left: 50.00% 00:30",
      "lane speech-lane",
      "level left: 5.00%; width: 10.00%; height: 50.00%",
      "level left: 25.00%; width: 5.00%; height: 100.00%",
      "lane-name Heard",
      "lane cue-lane",
      "lane-name File",
      "lane whole",
      "playhead left: 25.60%",
    ]);
  });
});
