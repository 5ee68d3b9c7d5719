import type { Finding } from "../../src/core/finding.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element, type Listener, type Properties } from "../document/element.ts";
import type { IconName } from "../document/icon-pictures.ts";
import { words } from "../words/words.ts";

/** A picture that says nothing to who does not see it: what it stands for is said beside it. */
export function icon(name: IconName): ElementNode {
  return element("img", { class: "icon", icon: name, alt: "", key: `icon-${name}` });
}

/** The classes of an icon's button; `isOn`: what it turns on is on, or its view is shown. */
export function iconClass(isOn: boolean): string {
  return isOn ? "button icon-button here" : "button icon-button";
}

/** A button that shows an icon. Its words are its accessible name, and what is shown where the pointer rests. */
export function iconButton(
  action: string,
  name: IconName,
  label: string,
  onclick: Listener,
  more: Properties = {},
): ElementNode {
  const own = { class: iconClass(false), id: action, "data-action": action, "aria-label": label, title: label };
  return element("button", { ...own, onclick, ...more }, icon(name));
}

/** A button. Its action is its stable name, and its words are its accessible name. */
export function button(action: string, label: string, onclick: Listener, more: Properties = {}): ElementNode {
  return element("button", { class: "button", id: action, "data-action": action, onclick, ...more }, label);
}

/** The one button of a view that goes on. */
export function primaryButton(action: string, label: string, onclick: Listener, more: Properties = {}): ElementNode {
  return button(action, label, onclick, { class: "button primary", ...more });
}

/** A control with its label in front: UXP knows no `for`, so the label holds it. */
export function labelled(label: string, control: ElementNode, hint?: string): ElementNode {
  return element(
    "label",
    { class: "field" },
    element("span", { class: "field-name" }, label),
    control,
    hint === undefined ? null : element("span", { class: "hint" }, hint),
  );
}

/** A control with its label beside it, in one line. */
export function beside(label: string, control: ElementNode, style = "inline-field"): ElementNode {
  return element("label", { class: style, key: label }, element("span", { class: "field-name" }, label), control);
}

/** A line of text to type into. `onchange` comes when it is left, or on Enter. */
export function textField(id: string, label: string, value: string, more: Properties): ElementNode {
  return element("input", { type: "text", class: "input", id, "aria-label": label, value, ...more });
}

/** A choice among named values. */
export function choice<Value extends string>(
  id: string,
  label: string,
  value: Value | string,
  options: readonly (readonly [Value, string])[],
  choose: (value: Value) => void,
): ElementNode {
  // Only values of the list can be chosen.
  const onchange = (event: PanelEvent) => choose(typedText(event) as Value);
  return element(
    "select",
    { id, class: "input", "aria-label": label, onchange, value },
    options.map(([name, text]) => element("option", { key: name, value: name, selected: name === value }, text)),
  );
}

/** A box to tick, with what it does beside it. */
export function checkBox(
  id: string,
  label: string,
  isChecked: boolean,
  set: (isChecked: boolean) => void,
  hint?: string,
): ElementNode {
  const onchange = (event: PanelEvent) => set(isTicked(event));
  return element(
    "label",
    { class: "check" },
    element("input", { type: "checkbox", id, checked: isChecked, onchange }),
    element("span", {}, label),
    hint === undefined ? null : element("span", { class: "hint" }, hint),
  );
}

/** Buttons of which one is chosen; the chosen one carries a mark, not only a colour. */
export function radios<Value extends string>(
  id: string,
  label: string,
  value: Value,
  options: readonly (readonly [Value, string])[],
  choose: (value: Value) => void,
): ElementNode {
  return element(
    "div",
    { class: "field", role: "radiogroup", "aria-label": label },
    element("span", { class: "field-name" }, label),
    element(
      "div",
      { class: "radios" },
      options.map(([name, text]) =>
        element(
          "label",
          { key: name, class: name === value ? "check here" : "check" },
          element("input", {
            type: "radio",
            name: id,
            id: `${id}-${name}`,
            value: name,
            checked: name === value,
            onchange: () => choose(name),
          }),
          element("span", {}, text),
        ),
      ),
    ),
  );
}

/** A part of a view that opens and closes; closed, its summary stands beside its name. */
export function section(
  id: string,
  title: string,
  summary: string,
  isOpen: boolean,
  toggle: (id: string) => void,
  ...children: readonly Child[]
): ElementNode {
  return element(
    "div",
    { class: "section", key: id },
    element(
      "button",
      {
        class: "section-name",
        id: `section-${id}`,
        "data-action": `section-${id}`,
        "aria-expanded": String(isOpen),
        onclick: () => toggle(id),
      },
      icon(isOpen ? "open" : "closed"),
      element("span", { class: "section-title" }, title),
      isOpen ? null : element("span", { class: "hint summary" }, summary),
    ),
    isOpen ? element("div", { class: "section-body" }, children) : null,
  );
}

/** A paragraph. */
export function text(content: Child, style = "line"): ElementNode {
  return element("p", { class: style }, content);
}

/** What stands in the control that an event comes from. */
export function typedText(event: PanelEvent): string {
  const { target } = event;
  return typeof target === "object" && target !== null && "value" in target ? String(target.value) : "";
}

function isTicked(event: PanelEvent): boolean {
  const { target } = event;
  return typeof target === "object" && target !== null && "checked" in target && target.checked === true;
}

/** A table's keys with their words, for {@link choice} and {@link radios}. */
export function entries<Key extends string>(names: Readonly<Record<Key, string>>): [Key, string][] {
  // The table's own keys, which Object.entries forgets.
  return Object.entries(names) as [Key, string][];
}

/** Name of the button that opens the menu of a view. */
const MENU = "menu";

/** What stands at the foot of a view and stays in sight: the one thing that goes on, and a menu with the rest. */
export interface Footer {
  readonly main: Child;
  /** Whether the main thing is one button, of which the menu is the other half. */
  readonly isSplit?: boolean;
  /** What stands above the two. */
  readonly more?: Child;
  readonly isMenuOpen: boolean;
  /** What is looked for as the menu opens, so that its rows are true; what cannot be found out leaves them as they are. */
  readonly look?: () => Promise<void>;
  /** The rows of the menu; drawn while it is open. */
  readonly menu: () => Child;
}

/** Draws the foot of a view. */
export function footer({ main, isSplit = false, more, isMenuOpen, look, menu }: Footer, actions: Actions): ElementNode {
  const { store } = actions.session;
  return element(
    "div",
    {
      class: "footer",
      key: "footer",
      refuge: MENU,
      onkeydown: (event: PanelEvent) => {
        if (event.key !== "Escape" || !actions.session.state.isMenuOpen) return;
        store.set({ isMenuOpen: false });
        event.preventDefault();
      },
    },
    isMenuOpen
      ? element("div", { class: "menu", id: "menu-rows", key: "rows", role: "group", "aria-label": words.more }, menu())
      : null,
    element("div", { class: "actions", key: "more" }, more),
    element(
      "div",
      { class: "foot", key: "foot" },
      main,
      button(
        MENU,
        isMenuOpen ? "▾" : "▴",
        () => {
          store.set({ isMenuOpen: !isMenuOpen });
          if (!isMenuOpen) void look?.().catch(() => undefined);
        },
        {
          class: isSplit ? "button primary menu-button" : "button",
          "aria-expanded": String(isMenuOpen),
          "aria-controls": "menu-rows",
          "aria-label": words.more,
          title: words.more,
        },
      ),
    ),
  );
}

/** A row of a menu: doing it closes the menu. */
export function menuRow(
  action: string,
  label: string,
  work: () => Promise<unknown>,
  actions: Actions,
  isPossible = true,
): ElementNode {
  const onclick = () => {
    actions.session.store.set({ isMenuOpen: false });
    actions.session.run(work);
  };
  // A key of its own: rows come and go while the menu is open, and the focus stays on its row.
  return button(action, label, onclick, { class: "button menu-row", disabled: !isPossible, key: action });
}

/** A sign for each severity, so that nothing is said by colour alone. */
export function signOf({ severity }: Finding): string {
  return severity === "fail" ? "✕" : severity === "warn" ? "⚠" : "ℹ";
}
