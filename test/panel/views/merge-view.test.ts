import { expect, test } from "vitest";
import type { MergePreview, PreviewLine } from "../../../panel/state/merge-preview.ts";
import { mergeView } from "../../../panel/views/merge-view.ts";
import { words } from "../../../panel/words/words.ts";
import { elementOf, happens, outlineOf, usesOf } from "./drawn.ts";
import { LINES, reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

const line = (cueId: string, change: Partial<PreviewLine> = {}): PreviewLine =>
  ({ cueId, message: `What becomes of ${cueId}.`, isDisputed: false, conflicts: [], ...change }) as PreviewLine;
const mine = { id: "a", start: 2, end: 4, text: "Mine." };
const theirs = { id: "a", start: 3, end: 4.5, text: "Theirs." };
const DISPUTED = [
  line("a", { isDisputed: true, conflicts: ["text"] as never, mine, theirs }),
  line("b", { isDisputed: true, conflicts: ["text", "timing"] as never, mine, theirs }),
  line("c", { isDisputed: true, conflicts: ["deleted"] as never, theirs }),
  line("d", { isDisputed: true, conflicts: ["deleted"] as never, mine }),
];

function shown(lines: readonly PreviewLine[], choices = {}, notices: readonly string[] = []) {
  const preview: MergePreview = { counts: "4 changed", lines, notices };
  const review = reviewed({ cues: LINES }, { preview, choices });
  const page = viewPage({ review });
  return { ...page, draw: () => mergeView(review, preview, page.actions) };
}

test("what placing will do is listed: what both sides changed first, each with its versions and a choice; then the rest, as told", async () => {
  const page = shown([line("x"), ...DISPUTED, line("y"), line("z")], { b: "theirs" }, [
    "A first notice.",
    "A second notice.",
  ]);
  expect(outlineOf(page.draw())).toEqual([
    `region “${words.mergeHeading}” #merge`,
    `  ${words.mergeHeading}`,
    "  4 changed.",
    "  A first notice.",
    "  A second notice.",
    `  button “${words.allMine}” #all-mine`,
    `  button “${words.allNew}” #all-theirs`,
    "  radiogroup “What becomes of a.”",
    "    What becomes of a.",
    `    radio “${words.keepMine}: “Mine.”” #choice-a-mine checked`,
    `    radio “${words.takeNew}: “Theirs.”” #choice-a-theirs`,
    "  radiogroup “What becomes of b.”",
    "    What becomes of b.",
    `    radio “${words.keepMine}: 00:00:02:00 – 00:00:04:00 “Mine.”” #choice-b-mine`,
    `    radio “${words.takeNew}: 00:00:03:00 – 00:00:04:13 “Theirs.”” #choice-b-theirs checked`,
    "  radiogroup “What becomes of c.”",
    "    What becomes of c.",
    `    radio “${words.keepMine}: ${words.deletedHere}” #choice-c-mine checked`,
    `    radio “${words.takeNew}: “Theirs.”” #choice-c-theirs`,
    "  radiogroup “What becomes of d.”",
    "    What becomes of d.",
    `    radio “${words.keepMine}: “Mine.”” #choice-d-mine checked`,
    `    radio “${words.takeNew}: ${words.leftOut}” #choice-d-theirs`,
    `  list “${words.mergeList}”`,
    "    listitem : What becomes of x.",
    "    listitem : What becomes of y.",
    "    listitem : What becomes of z.",
    `button “${words.mergePlace}” #merge-place`,
    `button “${words.mergeCancel}” #merge-cancel`,
  ]);
  expect(await usesOf(page, page.draw())).toEqual({
    "all-mine": ['placeController.choose(["a","b","c","d"], "mine")'],
    "all-theirs": ['placeController.choose(["a","b","c","d"], "theirs")'],
    "choice-a-mine": ['placeController.choose(["a"], "mine")'],
    "choice-a-theirs": ['placeController.choose(["a"], "theirs")'],
    "choice-b-mine": ['placeController.choose(["b"], "mine")'],
    "choice-b-theirs": ['placeController.choose(["b"], "theirs")'],
    "choice-c-mine": ['placeController.choose(["c"], "mine")'],
    "choice-c-theirs": ['placeController.choose(["c"], "theirs")'],
    "choice-d-mine": ['placeController.choose(["d"], "mine")'],
    "choice-d-theirs": ['placeController.choose(["d"], "theirs")'],
    "merge-place": ["placeController.markers()"],
    "merge-cancel": ["placeController.closePreview()"],
  });
});

test("one that is disputed alone has no buttons for all; without one there is nothing to choose", () => {
  const ids = (lines: readonly PreviewLine[]) =>
    outlineOf(shown(lines).draw()).flatMap((one) => /#(all-\w+|choice-\S+)/.exec(one)?.[1] ?? []);
  expect(ids(DISPUTED.slice(0, 1))).toEqual(["choice-a-mine", "choice-a-theirs"]);
  expect(ids([line("x")])).toEqual([]);
});

test("of many lines a hundred are drawn, and the others counted; every one that is disputed is", () => {
  const many = Array.from({ length: 103 }, (_, index) => line(`${index}`));
  const lines = outlineOf(shown([...many, ...DISPUTED]).draw());
  expect(lines.filter((one) => one.includes("listitem"))).toHaveLength(100);
  expect(lines).toContain(`  ${words.andMore({ count: 3 })}`);
  expect(lines.filter((one) => one.includes("radiogroup"))).toHaveLength(4);
  const all = outlineOf(shown(many.slice(0, 100)).draw());
  expect([
    all.filter((one) => one.includes("listitem")).length,
    all.some((one) => one.includes(words.andMore({ count: 0 }))),
  ]).toEqual([100, false]);
});

test("Escape leaves the markers as they are; other keys do nothing", () => {
  const { draw, did } = shown(DISPUTED);
  expect([happens(draw(), "merge", "keydown", { key: "Enter" }), did]).toEqual([false, []]);
  expect([happens(draw(), "merge", "keydown", { key: "Escape" }), did]).toEqual([
    true,
    ["placeController.closePreview()"],
  ]);
  // It is read as it comes.
  expect(elementOf(draw(), "merge-heading").properties).toMatchObject({ tabindex: "0", takesFocus: true });
});
