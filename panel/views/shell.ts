import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { Message, PanelState, ViewName } from "../state/panel-state.ts";
import { reachOf } from "../state/reach.ts";
import { lengthOf, rateName, words } from "../words/words.ts";
import { bibleView } from "./bible-view.ts";
import { conformNotice, conformView } from "./conform-view.ts";
import { connectView } from "./connect-view.ts";
import { contactView } from "./contact-view.ts";
import { button, icon, iconButton, iconClass, text } from "./controls.ts";
import { keysView } from "./cue-row.ts";
import { deliverView } from "./deliver-view.ts";
import { describeView } from "./describe-view.ts";
import { historyView } from "./history-view.ts";
import { modelsView } from "./models-view.ts";
import { progressView } from "./progress-view.ts";
import { reviewView } from "./review-view.ts";

const DRAWINGS: Readonly<Record<ViewName, (state: PanelState, actions: Actions) => readonly Child[]>> = {
  describe: describeView,
  progress: progressView,
  review: reviewView,
  history: historyView,
  connect: connectView,
  models: modelsView,
  diagnostics: () => [],
  conform: conformView,
  deliver: deliverView,
  keys: keysView,
  bible: bibleView,
  contact: contactView,
};

/**
 * Views with a tab. A job under way takes the place of the form; the history and the service are reached from the header and from
 * the panel's own menu, the diagnostics from there, conforming from its notice, the film's bible from the review's menu.
 */
const TABS: readonly ViewName[] = ["describe", "review", "deliver"];

/** The tab of a view that has none of its own. */
const TAB_OF: Readonly<Partial<Record<ViewName, ViewName>>> = {
  progress: "describe",
  conform: "review",
  bible: "review",
  models: "connect",
};

/** The whole panel as it is to be drawn. */
export function shell(state: PanelState, actions: Actions): ElementNode[] {
  const { view } = state;
  const { tools } = actions;
  const draw = tools?.views[view] ?? ((now: PanelState) => DRAWINGS[view](now, actions));
  return [
    tools?.header?.(state) ?? header(state, actions),
    element(
      "div",
      { role: "navigation", "aria-label": words.title, key: "tabs" },
      element(
        "div",
        {
          class: "tabs",
          role: "tablist",
          "aria-label": words.title,
          onkeydown: (event: PanelEvent) => tabKey(event, actions),
        },
        (tools?.tabs ?? TABS).map((name) => tab(name, state, actions)),
      ),
    ),
    element(
      "div",
      // What has the focus may go: nowhere, the keyboard would be Premiere's.
      { class: "main", role: "main", key: "main", refuge: tabId(view, actions) },
      conformNotice(state, actions),
      element(
        "div",
        { class: `view ${view}`, key: view, "data-view": view, role: "tabpanel", "aria-label": words.views[view] },
        state.isLoaded ? draw(state) : text(words.loading, "empty"),
      ),
    ),
    // What the focus was on may go with a message.
    element(
      "div",
      {
        class: "messages",
        key: "messages",
        refuge: tabId(view, actions),
        ...(state.message === null ? {} : { role: "region", "aria-label": words.messages }),
      },
      state.message === null ? null : messageBox(state.message, actions),
    ),
  ];
}

/** Name of what leads to a view: its tab, or the button of the history. */
export function tabId(view: ViewName, actions: Actions): string {
  return `tab-${tabOf(view, actions) ?? (view === "history" ? view : "describe")}`;
}

/** Names of all tabs. */
export function tabIds({ tools }: Pick<Actions, "tools">): readonly string[] {
  return (tools?.tabs ?? TABS).map((name) => `tab-${name}`);
}

function tabOf(view: ViewName, { tools }: Actions): ViewName | undefined {
  return (tools?.tabs ?? TABS).includes(view) ? view : TAB_OF[view];
}

function header(state: PanelState, actions: Actions): ElementNode {
  const { sequence, sequenceFault } = state;
  return element(
    "div",
    { class: "header", role: "banner" },
    element(
      "div",
      { class: "header-row" },
      sequence === null
        ? element("div", { class: "title", id: "sequence", role: "heading", "aria-level": "1" }, words.title)
        : element(
            "div",
            {
              class: "title",
              id: "sequence",
              role: "heading",
              "aria-level": "1",
              title: `${sequence.name} · ${lengthOf(sequence)} · ${rateName(sequence)}`,
            },
            sequence.name,
          ),
      iconButton("tab-history", "history", words.views.history, () => actions.panelController.go("history"), {
        class: iconClass(state.view === "history"),
        "data-action": "go-history",
      }),
      badge(state, actions),
    ),
    sequence === null
      ? element(
          "p",
          { class: "line", id: "sequence-said" },
          sequenceFault === null ? words.noSequence : `${sequenceFault.sentence} ${sequenceFault.next}`,
        )
      : null,
    sequence === null
      ? button("retry-sequence", words.remedies["retry-sequence"], () => actions.panelController.go("describe"), {
          class: "button small",
        })
      : null,
    sequenceFault?.tried === undefined ? null : triedLines(sequenceFault.tried, actions),
  );
}

/** What was asked of the host for its sequence and how it answered, with a way to hand it on. */
function triedLines(tried: readonly string[], { session, contactController }: Actions): ElementNode {
  return element(
    "div",
    { id: "sequence-tried", key: "tried" },
    tried.map((line) => text(line, "hint")),
    text(words.reportHint, "hint"),
    button(
      "copy-sequence-report",
      words.remedies["copy-report"],
      () => session.run(() => contactController.copyReport(null)),
      { class: "button small" },
    ),
  );
}

/** Where the work is done, and the way to change that. */
function badge(state: PanelState, actions: Actions): ElementNode {
  const { view } = state;
  const reach = reachOf(state);
  const isQuiet = reach.kind !== "hosted" && (reach.kind !== "known" || reach.hosts.length === 0);
  const said = actions.connection.badge();
  const answers = reach.kind === "known" || reach.kind === "here";
  return element(
    "button",
    {
      id: "badge",
      "data-action": "badge",
      class: view === "connect" || view === "models" ? "badge here" : "badge",
      "data-local": String(isQuiet),
      "aria-label": `${words.views.connect}: ${said}`,
      title: said,
      onclick: () => actions.panelController.go("connect"),
    },
    icon(isQuiet ? (answers ? "local" : "offline") : "sent"),
    element("span", { class: "badge-words" }, said),
    icon("settings"),
  );
}

/** Arrows go through the tabs, as Home and End do, and show what they come to. */
function tabKey(event: PanelEvent, actions: Actions): void {
  const { document } = actions.session.environment;
  const ids = tabIds(actions);
  const at = ids.findIndex((id) => document.getElementById(id) === document.activeElement);
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: ids.length - 1 }[event.key ?? ""];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  const id = ids[(next + ids.length) % ids.length] ?? "";
  // Only names of views are written there.
  show(id.slice("tab-".length) as ViewName, actions);
  document.getElementById(id)?.focus();
}

/** Shows a view by its tab. While a job is under way, it is what there is to see; its own view leads to the form. */
function show(name: ViewName, { session, deliverController, panelController }: Actions): void {
  const { review, progress } = session.state;
  if (name === "deliver" && review !== null) session.run(() => deliverController.open());
  else panelController.go(name === "describe" && progress !== null ? "progress" : name);
}

function tab(name: ViewName, state: PanelState, actions: Actions): ElementNode {
  const isHere = tabOf(state.view, actions) === name;
  const isBusy = name === "describe" && state.progress !== null;
  return element(
    "button",
    {
      key: name,
      class: isHere ? "tab here" : "tab",
      id: `tab-${name}`,
      "data-action": `go-${name}`,
      role: "tab",
      "aria-selected": String(isHere),
      // Premiere may keep the arrow keys for its playhead: there Tab has to lead to each.
      ...(actions.session.environment.keysReachAll === true
        ? { tabindex: isHere || tabOf(state.view, actions) === undefined ? "0" : "-1" }
        : {}),
      onclick: () => show(name, actions),
    },
    `${isBusy ? "● " : ""}${words.views[name]}`,
  );
}

function messageBox(message: Message, actions: Actions): ElementNode {
  const { isFault, next, code, details, remedies, copy } = message;
  return element(
    "div",
    { class: isFault ? "message is-fault" : "message", id: "message" },
    text(`${isFault ? "✕ " : ""}${message.text}`, "strong"),
    next === undefined || next === "" ? null : text(next),
    details === undefined
      ? null
      : element(
          "div",
          { class: "details" },
          details.map((line) => text(line, "hint")),
        ),
    code === undefined ? null : element("p", { class: "hint", "data-code": code }, `${words.details}: ${code}`),
    element(
      "div",
      { class: "actions" },
      (remedies ?? []).map((remedy) =>
        button(`remedy-${remedy}`, words.remedies[remedy], () => actions.panelController.remedy(remedy, message), {
          key: remedy,
        }),
      ),
      copy === undefined
        ? null
        : button("copy-text", words.copy, () => actions.session.run(() => actions.panelController.copy(copy))),
      button("dismiss", words.dismiss, () => actions.session.store.set({ message: null })),
    ),
  );
}
