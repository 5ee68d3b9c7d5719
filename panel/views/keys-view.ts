import type { ElementNode } from "../document/element.ts";
import { element } from "../document/element.ts";
import { words } from "../words/words.ts";
import { text } from "./controls.ts";

/** Every key that does something, on one page. */
export function keysView(): ElementNode[] {
  return [
    element(
      "div",
      { role: "list", "aria-label": words.views.keys },
      words.keyMap.map(([keys, what]) =>
        what === ""
          ? element("p", { class: "heading", key: keys, role: "listitem" }, keys)
          : element(
              "div",
              { class: "key-row", key: keys, role: "listitem" },
              element("span", { class: "key-name strong" }, keys),
              element("span", {}, what),
            ),
      ),
    ),
    text(words.keysHint, "hint"),
  ];
}
