import type { PanelEvent } from "./dom.ts";

/** What an element calls. Raising is allowed: it is shown, and never reaches the host. */
export type Listener = (event: PanelEvent) => unknown;

/** Attributes, properties and listeners of an element. What is `undefined` or `false` is not set. */
export interface Properties {
  readonly [name: string]: string | number | boolean | undefined | Listener;
}

/** An element as it is wanted. Of elements side by side, a `key` says which is which over time. */
export interface ElementNode {
  readonly name: string;
  readonly properties: Properties;
  readonly children: readonly (ElementNode | string)[];
}

/** What may be written where a child belongs: nothing counts as no child. */
export type Child = ElementNode | string | number | null | undefined | false | readonly Child[];

/** An element of the view, wanted. */
export function element(name: string, properties: Properties = {}, ...children: readonly Child[]): ElementNode {
  const flat: (ElementNode | string)[] = [];
  collect(children, flat);
  return { name, properties, children: flat };
}

function collect(children: readonly Child[], into: (ElementNode | string)[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (typeof child === "object" && "length" in child) collect(child, into);
    else into.push(typeof child === "number" ? String(child) : child);
  }
}
