import type { PanelEvent } from "../../../panel/document/dom.ts";
import type { Child, ElementNode } from "../../../panel/document/element.ts";
import type { Cue } from "../../../src/core/cue.ts";
import { elementsOf } from "../../page/page-actions.ts";
import type { ViewPage } from "./view-page.ts";

/** Elements that are something to a screen reader without saying so. */
const ROLES: Readonly<Record<string, string>> = {
  button: "button",
  select: "combobox",
  textarea: "textbox",
  option: "option",
};
const INPUT_ROLES: Readonly<Record<string, string>> = { checkbox: "checkbox", radio: "radio", text: "textbox" };
const CONTROLS = new Set(["combobox", "textbox", "checkbox", "radio"]);

/** What is told of an element beside its role and its name, where it is so. */
const STATES = [
  "disabled",
  "checked",
  "takesFocus",
  "aria-expanded",
  "aria-selected",
  "aria-valuenow",
  "aria-level",
  "aria-rowindex",
  "aria-posinset",
  "aria-setsize",
  "aria-activedescendant",
] as const;

/**
 * What is drawn as a screen reader has it: a line for each element with a role (its name, its id, how it stands, what is in it where
 * it is a field; with what is shown where that is another text, and the hint beside it), indented by what it stands in, and one for
 * each stretch of text between them. Of the options of a field, the chosen ones alone.
 */
export function outlineOf(drawn: Child): readonly string[] {
  return linesOf(drawn, "");
}

function linesOf(drawn: Child, indent: string): string[] {
  if (drawn === null || drawn === undefined || drawn === false || drawn === "") return [];
  if (typeof drawn !== "object") return [`${indent}${drawn}`];
  if ("length" in drawn) return drawn.flatMap((one) => linesOf(one, indent));
  const role = roleOf(drawn);
  if (drawn.name === "label") return labelLines(drawn, indent);
  if (role !== null) return roleLines(drawn, role, indent, drawn.properties["aria-label"]);
  if (elementsOf(drawn).every((one) => roleOf(one) === null)) return linesOf(saidOf(drawn), indent);
  return drawn.children.flatMap((one) => linesOf(one, indent));
}

function roleLines(drawn: ElementNode, role: string, indent: string, label: unknown, hint = ""): string[] {
  const { properties, children } = drawn;
  const said = saidOf(drawn);
  const isPlain = elementsOf([...children]).every((one) => roleOf(one) === null);
  const isNamedByWords = label === undefined && /^(button|heading|tab)$/.test(role);
  const name = isNamedByWords ? said : label;
  const { id, value } = properties;
  const states = STATES.filter((state) => properties[state] !== undefined && properties[state] !== false);
  const isField = role === "textbox" || role === "combobox";
  const line = [
    role,
    ...(name === undefined ? [] : [`“${name}”`]),
    ...(id === undefined ? [] : [`#${id}`]),
    ...states.map((state) => (properties[state] === true ? state : `${state.replace("aria-", "")}=${properties[state]}`)),
    ...(isField ? [`= ${value}`] : []),
    ...(isPlain && said !== "" && said !== name && !isField ? [`: ${said}`] : []),
    ...(hint === "" ? [] : [`(${hint})`]),
  ].join(" "); // biome-ignore format: one line each
  return [`${indent}${line}`, ...(isPlain || isField ? [] : children.flatMap((one) => linesOf(one, `${indent}  `)))];
}

/** A control in its label: what stands before it is its name, what follows a hint. */
function labelLines(drawn: ElementNode, indent: string): string[] {
  const controls = elementsOf(drawn).filter((one) => CONTROLS.has(roleOf(one) ?? ""));
  const [control] = controls;
  if (control === undefined || controls.length > 1) return drawn.children.flatMap((one) => linesOf(one, indent));
  const texts = elementsOf(drawn)
    .filter((one) => one.name === "span" || (one.name === "div" && one !== drawn))
    .map(saidOf);
  const own = control.properties["aria-label"];
  const [name, ...hints] = own === undefined ? texts : [own, ...texts.filter((one) => one !== own)];
  return roleLines(control, roleOf(control) ?? "", indent, name, hints.join(" "));
}

function roleOf({ name, properties }: ElementNode): string | null {
  const { role } = properties;
  if (typeof role === "string") return role === "presentation" ? null : role;
  return (name === "input" ? INPUT_ROLES[String(properties["type"])] : ROLES[name]) ?? null;
}

/** The words of an element, those of its parts with a blank between them. */
function saidOf(drawn: Child): string {
  if (drawn === null || drawn === undefined || drawn === false) return "";
  if (typeof drawn !== "object") return String(drawn).trim();
  const said = ("length" in drawn ? drawn : drawn.children).map(saidOf);
  return said.filter((one) => one !== "").join(" ");
}

/** What can be chosen in a field, in order: each with its words, the chosen one first in brackets. */
export function optionsOf(drawn: Child, id: string): readonly string[] {
  const options = elementsOf(elementOf(drawn, id)).filter(({ name }) => name === "option");
  return options.map((one) => `${one.properties["value"]}: ${saidOf(one)}`);
}

/** The element of an id, or the first of a class, which a dot begins. @throws Error where it is not drawn. */
export function elementOf(drawn: Child, id: string): ElementNode {
  const isMeant = ({ properties }: ElementNode) =>
    id.startsWith(".") ? String(properties["class"]).split(" ").includes(id.slice(1)) : properties["id"] === id;
  const found = elementsOf(drawn).find(isMeant);
  if (found === undefined) throw new Error(`${id} is not drawn`);
  return found;
}

/** Tells an element that something happens to it; whether it took that for its own. */
export function happens(drawn: Child, id: string, name: string, event: Partial<PanelEvent> = {}): boolean {
  const listener = elementOf(drawn, id).properties[`on${name}`];
  if (typeof listener !== "function") throw new Error(`${id} hears nothing of ${name}`);
  let isTaken = false;
  const preventDefault = () => {
    isTaken = true;
  };
  const target = event.target ?? {};
  listener({ currentTarget: target, stopPropagation: () => undefined, preventDefault, ...event, target });
  return isTaken;
}

/** What a person does to a control: the events that it hears of, in order. */
const EVENTS = ["onclick", "oninput", "onchange"] as const;

/** What comes of using the controls that are drawn, by their ids; by what they stand in, where they have none. */
export type Uses = Readonly<Record<string, readonly string[]>>;

/**
 * What comes of using each control that is drawn, one after the other: of pressing it, of ticking it or taking its tick away, of
 * typing a text into it; those that cannot be used are left out. Told is what the panel's controllers were asked, what is said, and
 * what is different in the state; then the state is as before.
 *
 * @param typed - The text; by id where fields take different ones.
 */
export async function usesOf(
  page: ViewPage,
  drawn: Child,
  typed: string | Readonly<Record<string, string>> = "typed",
): Promise<Uses> {
  const { session, did, said } = page;
  const uses: Record<string, readonly string[]> = {};
  for (const [{ properties }, within] of withParents(drawn, "")) {
    const listeners = EVENTS.flatMap((name) => {
      const listener = properties[name];
      return typeof listener === "function" ? [listener] : [];
    });
    if (listeners.length === 0 || properties["disabled"] === true) continue;
    const name =
      properties["id"] === undefined ? `${properties["data-action"]} in ${within}` : String(properties["id"]);
    const value = typeof typed === "string" ? typed : (typed[name] ?? "typed");
    const target = { value, checked: properties["checked"] !== true, selectionStart: 3, clientWidth: 100 };
    const nothing = () => undefined;
    const event = { target, currentTarget: target, offsetX: 25, preventDefault: nothing, stopPropagation: nothing };
    const before = session.state;
    const [done, told] = [did.length, said.length];
    for (const listener of listeners) listener(event);
    await page.rest();
    const saying = said.slice(told).map((one) => `says “${one}”`);
    if (uses[name] !== undefined) throw new Error(`${name} is drawn twice`);
    uses[name] = [...did.slice(done), ...saying, ...changesOf(before, session.state)];
    session.store.set(before);
  }
  return uses;
}

/** Every element with the id of what it stands in. */
function* withParents(drawn: Child, within: string): Generator<readonly [ElementNode, string]> {
  if (drawn === null || drawn === undefined || drawn === false || typeof drawn !== "object") return;
  if ("length" in drawn) {
    for (const one of drawn) yield* withParents(one, within);
    return;
  }
  yield [drawn, within];
  const { id } = drawn.properties;
  for (const one of drawn.children) yield* withParents(one, id === undefined ? within : String(id));
}

/** What differs between two states, a line each: of a result under review in what differs of it. */
function changesOf(before: object, now: object, path = ""): readonly string[] {
  return Object.keys({ ...before, ...now }).flatMap((key) => {
    const [was, is]: unknown[] = [Reflect.get(before, key), Reflect.get(now, key)];
    const name = `${path}${key}`;
    // What is found of lines follows from them.
    if (was === is || JSON.stringify(was) === JSON.stringify(is) || name === "review.result.findings") return [];
    if (/^(review|review\.result|delivery|form|form\.settings)$/.test(name)) {
      return changesOf(Object(was), Object(is), `${name}.`);
    }
    if (name === "review.past" && Array.isArray(is)) return [`step: ${is.at(-1)?.action}`];
    if (name === "review.result.cues") return linesBetween(was as readonly Cue[], is as readonly Cue[]);
    return [`${name}: ${JSON.stringify(is)}`];
  });
}

function linesBetween(before: readonly Cue[], now: readonly Cue[]): readonly string[] {
  const tell = ({ id, start, end, text }: Cue) => `line ${id}: ${start} to ${end} “${text}”`;
  const gone = before.filter(({ id }) => now.every((cue) => cue.id !== id)).map(({ id }) => `line ${id} is gone`);
  const told = before.map(tell);
  return [...gone, ...now.map(tell).filter((line) => !told.includes(line))];
}
