import { expect, test } from "vitest";
import type { Actions } from "../../panel/controllers/actions.ts";
import type { ElementNode } from "../../panel/document/element.ts";
import type { EditorText } from "../../panel/state/given-text.ts";
import { givenText } from "../../panel/views/text-question.ts";
import type { Receipt } from "../../src/core/verdict.ts";

const COLUMN = 'From the column "Beschreibung"';
const RECEIPT = {
  facts: ["the sheet “Szenen”", COLUMN, "zero is 10:00:00:00 (from the head)"],
  leftOut: [
    { what: "hidden row", count: 2 },
    { what: "cell of dialogue", count: 9 },
  ],
  choices: {
    rate: "made for 25 frames a second, as the film",
    start: "zero is 10:00:00:00 (from the head)",
    column: COLUMN,
  },
} as const satisfies Receipt;

/** The part of the form for a text of the editor's own, whose receipt is this. */
function shown(
  receipt: Receipt,
  asked: (kind: string, what?: string) => void = () => undefined,
  openSections: readonly string[] = [],
): ElementNode {
  const actions = {
    session: {},
    textController: { ask: asked },
    formController: { toggleSection: asked },
  } as unknown as Actions;
  const text = { picked: { name: "a.xlsx" } } as unknown as EditorText;
  const state = { texts: { script: text }, openSections };
  return givenText("script", { filename: "a.vtt", content: "", receipt }, state, actions);
}

/** The elements below a node whose properties have a value. */
function found(node: unknown, name: string, value: string): ElementNode[] {
  if (Array.isArray(node)) return node.flatMap((one) => found(one, name, value));
  if (typeof node !== "object" || node === null) return [];
  const isMeant = Object.entries(node).some(([key, of]) => key === "properties" && Object(of)[name] === value);
  const inside = Object.values(node).flatMap((one) => (typeof one === "object" ? found(one, name, value) : []));
  return isMeant ? [node as ElementNode, ...inside] : inside;
}

test("a receipt has a row for each thing that can be said otherwise, and one for what was left out", () => {
  const rows = found(shown(RECEIPT), "class", "receipt-row").map((row) => JSON.stringify(row));
  expect(
    rows.map((row) => ["Words", "Zero", "Frame rate", "Left out"].filter((name) => row.includes(`"${name}"`))),
  ).toEqual([["Words"], ["Zero"], ["Frame rate"], ["Left out"]]);
  expect(rows.at(-1)).toContain("2 hidden rows, 9 cells of dialogue");
  // What has a row of its own is not said twice.
  expect(JSON.stringify(shown(RECEIPT)).match(/Zero is 10:00:00:00/g)).toHaveLength(1);
});

test("each row that can be changed asks about its own thing; a receipt without such rows has one way to change it", () => {
  const asked: unknown[] = [];
  const tree = shown(RECEIPT, (kind, what) => asked.push([kind, what]));
  for (const what of ["column", "start", "rate"]) {
    const [button] = found(tree, "data-action", `change-script-${what}`);
    const listener = Object(button?.properties)["onclick"];
    listener();
  }
  expect(asked).toEqual([
    ["script", "column"],
    ["script", "start"],
    ["script", "rate"],
  ]);
  expect(found(tree, "data-action", "change-script")).toEqual([]);
  const { choices: _, ...plain } = RECEIPT;
  expect(found(shown(plain), "data-action", "change-script")).toHaveLength(1);
});

test("what stands where something was left out is shown and hidden, by its kind, and it is said how much more there is", () => {
  const leftOut = [
    { what: "hidden row", count: 2 },
    { what: "struck-out cell", count: 3, words: ["A gull lands.", "It calls."] },
  ];
  const pressed: unknown[] = [];
  const closed = shown({ ...RECEIPT, leftOut }, (...given) => pressed.push(given));
  const [show] = found(closed, "data-action", "left-out-script");
  expect(show?.properties).toMatchObject({ "aria-expanded": "false" });
  expect(JSON.stringify(closed)).not.toContain("A gull lands.");
  Object(show?.properties)["onclick"]();
  expect(pressed).toEqual([["left-out-script"]]);
  const open = shown({ ...RECEIPT, leftOut }, undefined, ["left-out-script"]);
  expect(found(open, "data-action", "left-out-script")[0]?.properties).toMatchObject({ "aria-expanded": "true" });
  const [list, ...others] = found(open, "class", "preview");
  expect(others).toEqual([]);
  for (const said of ["Struck-out cell", "“A gull lands.”", "“It calls.”", "and 1 more"]) {
    expect(JSON.stringify(list)).toContain(said);
  }
  // Where nothing is known of what stands there, nothing can be shown.
  expect(found(shown(RECEIPT), "data-action", "left-out-script")).toEqual([]);
});
