import type { Contact } from "../../src/host/contact.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { words } from "../words/words.ts";
import { button, checkBox, primaryButton, text } from "./controls.ts";

/** What a version of the host does, tried as it was met: a difference is told as what Aside does about it. */
export function contactView(state: PanelState, { session, panelController, contactController }: Actions): Child[] {
  const { contact } = state;
  const { version = "", learnt } = session.environment.contact ?? {};
  const isPlain = learnt?.recall("button") === "button";
  return [
    text(words.contactTitle({ version }), "heading"),
    contact === null
      ? text(words.contactNone)
      : text(words.contactTook({ seconds: (contact.milliseconds / 1000).toFixed(1) }), "hint"),
    ...contactRows(contact),
    ...differences(contact, learnt?.recall("import")),
    checkBox(
      "slow-pace",
      words.slowPace,
      learnt?.recall("pace") === "slow",
      (isSlow) => contactController.giveTime(isSlow),
      words.slowPaceHint,
    ),
    checkBox(
      "plain-buttons",
      words.plainButtons,
      isPlain,
      (isWanted) => session.run(() => contactController.usePlainButtons(isWanted)),
      words.plainButtonsHint,
    ),
    text(words.reportHint, "hint"),
    element(
      "div",
      { class: "actions" },
      primaryButton("contact-continue", words.contactContinue, () => panelController.go("describe")),
      button("contact-again", words.contactAgain, () => session.run(() => contactController.tryAgain())),
      button("copy-contact", words.remedies["copy-report"], () =>
        session.run(() => contactController.copyReport(null)),
      ),
    ),
  ];
}

/** What was tried, a line each with what was seen. */
export function contactRows(contact: Contact | null): ElementNode[] {
  if (contact === null) return [];
  const rows = contact.answers.map(({ name, outcome, seen }) =>
    element(
      "div",
      { class: "probe", role: "listitem", key: name },
      element(
        "span",
        { class: outcome === "differs" ? "warning" : "strong" },
        `${SIGNS[outcome]} ${words.contactNames[name]}`,
      ),
      element("span", { class: "hint" }, seen),
    ),
  );
  return [element("div", { id: "contact", role: "list", "aria-label": words.views.contact }, rows)];
}

const SIGNS = { usual: "✓", differs: "!", open: "–" } as const;

function differences(contact: Contact | null, importedBy: string | undefined): ElementNode[] {
  const told = (contact?.answers ?? []).flatMap(({ name, outcome }) =>
    outcome === "differs" ? [words.contactDiffers[name]] : [],
  );
  const all = importedBy?.startsWith("a copy") === true ? [...told, words.importsCopies] : told;
  if (all.length === 0) return [];
  return [
    element(
      "div",
      { class: "message", key: "differs" },
      text(words.contactDifferences({ count: all.length }), "strong"),
      all.map((sentence) => text(sentence)),
    ),
  ];
}
