import { expect, test } from "vitest";
import {
  beside,
  checkBox,
  choice,
  entries,
  labelled,
  radios,
  section,
  signOf,
  textField,
} from "../../../panel/views/controls.ts";
import { words } from "../../../panel/words/words.ts";
import { elementsOf } from "../../page/page-actions.ts";
import { elementOf, happens, optionsOf, outlineOf } from "./drawn.ts";
import { found } from "./reviewed.ts";

const OPTIONS = [
  ["a", "The first"],
  ["b", "The second"],
  ["c", "The third"],
] as const;

test("a choice has each of its values, the chosen one selected, and tells which is taken", () => {
  const taken: string[] = [];
  const drawn = choice("kind", "Kind", "b", OPTIONS, (value) => void taken.push(value));
  expect([outlineOf(drawn), optionsOf(drawn, "kind")].flat()).toEqual([
    "combobox “Kind” #kind = b",
    "a: The first",
    "b: The second",
    "c: The third",
  ]);
  expect(elementsOf(drawn).map(({ properties }) => properties["selected"])).toEqual([undefined, false, true, false]);
  happens(drawn, "kind", "change", { target: { value: "c" } });
  expect(taken).toEqual(["c"]);
});

test("radio buttons are one group with a button for each value; the chosen one has a mark, and each tells its own", () => {
  const taken: string[] = [];
  const drawn = radios("kind", "Kind", "b", OPTIONS, (value) => void taken.push(value));
  expect(outlineOf(drawn)).toEqual([
    "radiogroup “Kind”",
    "  Kind",
    "  radio “The first” #kind-a",
    "  radio “The second” #kind-b checked",
    "  radio “The third” #kind-c",
  ]);
  const labels = elementsOf(drawn).flatMap(({ name, properties }) => (name === "label" ? [properties["class"]] : []));
  expect(labels).toEqual(["check", "check here", "check"]);
  for (const [value] of OPTIONS) happens(drawn, `kind-${value}`, "change");
  expect(taken).toEqual(["a", "b", "c"]);
  expect(
    new Set(elementsOf(drawn).flatMap(({ name, properties }) => (name === "input" ? [properties["name"]] : []))),
  ).toEqual(new Set(["kind"]));
});

test("a box tells whether it is ticked; a field has its label before it or beside it, and its hint behind", () => {
  const set: boolean[] = [];
  const box = checkBox("box", "A box", true, (isTicked) => void set.push(isTicked), "What it does.");
  expect(outlineOf(box)).toEqual(["checkbox “A box” #box checked (What it does.)"]);
  for (const checked of [true, false]) happens(box, "box", "change", { target: { checked } });
  expect(set).toEqual([true, false]);
  const field = textField("field", "A field", "words", { disabled: true });
  expect(outlineOf(labelled("A field", field, "A hint."))).toEqual([
    "textbox “A field” #field disabled = words (A hint.)",
  ]);
  expect(beside("A field", field).properties["class"]).toBe("inline-field");
});

test("a section shows its summary while it is closed, and what is in it while it is open", () => {
  const toggled: string[] = [];
  const drawn = (isOpen: boolean) =>
    section("part", "A part", "in short", isOpen, (id) => void toggled.push(id), "Inside.");
  expect(outlineOf(drawn(false))).toEqual(["button “A part in short” #section-part expanded=false"]);
  expect(outlineOf(drawn(true))).toEqual(["button “A part” #section-part expanded=true", "Inside."]);
  happens(drawn(true), "section-part", "click");
  expect(toggled).toEqual(["part"]);
  const icons = [false, true].map(
    (isOpen) => elementsOf(elementOf(drawn(isOpen), "section-part"))[1]?.properties["icon"],
  );
  expect(icons).toEqual(["closed", "open"]);
});

test("a table's keys stand with their words, in order, and each severity has a sign of its own", () => {
  expect(entries(words.ranges)).toEqual([
    ["whole", words.ranges.whole],
    ["in-to-out", words.ranges["in-to-out"]],
  ]);
  expect((["fail", "warn", "note"] as const).map((severity) => signOf(found("x", [], { severity })))).toEqual([
    "✕",
    "⚠",
    "ℹ",
  ]);
});
