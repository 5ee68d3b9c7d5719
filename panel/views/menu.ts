import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { words } from "../words/words.ts";
import { button } from "./controls.ts";

/** Name of the button that opens the menu of a view. */
const MENU = "menu";

/** What stands at the foot of a view and stays in sight: the one thing that goes on, and a menu with the rest. */
export interface Footer {
  readonly main: Child;
  /** What stands between the two. */
  readonly more?: Child;
  readonly isMenuOpen: boolean;
  /** What is looked for as the menu opens, so that its rows are true; what cannot be found out leaves them as they are. */
  readonly look?: () => Promise<void>;
  /** The rows of the menu; drawn while it is open. */
  readonly menu: () => Child;
}

/** Draws the foot of a view. */
export function footer({ main, more, isMenuOpen, look, menu }: Footer, actions: Actions): ElementNode {
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
    element(
      "div",
      { class: "foot", key: "foot" },
      main,
      more,
      button(
        MENU,
        `${words.more} ${isMenuOpen ? "▾" : "▴"}`,
        () => {
          store.set({ isMenuOpen: !isMenuOpen });
          if (!isMenuOpen) void look?.().catch(() => undefined);
        },
        { "aria-expanded": String(isMenuOpen), "aria-controls": "menu-rows" },
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
