import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { ReviewState, Search } from "../state/review-state.ts";
import { countFound, replaceFound, selectFound } from "../state/search.ts";
import { words } from "../words/words.ts";
import { beside, button, textField, typedText } from "./controls.ts";

/** What is looked for in the words of the cues, and put in its place. */
export function searchPart(review: ReviewState, { find, replacement }: Search, actions: Actions): ElementNode {
  const { reviewController } = actions;
  const count = countFound(review, find);
  const change = (changed: Partial<Search>) =>
    reviewController.change((one) => (one.search === null ? one : { ...one, search: { ...one.search, ...changed } }));
  const go = (direction: 1 | -1) => reviewController.show((one) => selectFound(one, one.search?.find ?? "", direction));
  const replace = (isOne: boolean) => {
    // As it is now, not as it was drawn: a click may come faster than a drawing.
    reviewController.change((one) =>
      one.search === null ? one : replaceFound(one, one.search, isOne ? (one.selectedId ?? undefined) : undefined),
    );
    if (isOne) go(1);
  };
  const close = () => reviewController.change((one) => ({ ...one, search: null }));
  const keys = (event: PanelEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") go(event.shiftKey === true ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return element(
    "div",
    { class: "actions search", key: "search", role: "search", "aria-label": words.find, refuge: "cue-keys" },
    beside(
      words.find,
      textField("find-text", words.find, find, {
        takesFocus: true,
        oninput: (event: PanelEvent) => change({ find: typedText(event) }),
        onkeydown: keys,
      }),
    ),
    beside(
      words.replacement,
      textField("replace-text", words.replacement, replacement, {
        oninput: (event: PanelEvent) => change({ replacement: typedText(event) }),
      }),
    ),
    element("span", { class: "hint", id: "found", role: "status" }, words.found({ count })),
    button("find-previous", words.findPrevious, () => go(-1), { class: "button small", disabled: count === 0 }),
    button("find-next", words.findNext, () => go(1), { class: "button small", disabled: count === 0 }),
    button("replace-one", words.replace, () => replace(true), {
      class: "button small",
      disabled: review.selectedId === null || count === 0,
    }),
    button("replace-all", words.replaceAll, () => replace(false), { class: "button small", disabled: count === 0 }),
    button("close-search", words.close, close, { class: "button small" }),
  );
}
