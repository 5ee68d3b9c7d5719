import { isLocalAddress } from "../../src/core/ports.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { addressFault, hostNameOf, outdatedSide } from "../state/service-address.ts";
import { words } from "../words/words.ts";
import { button, labelled, primaryButton, text, textField, typedText } from "./controls.ts";
import { settingCard, settingsPart } from "./settings-part.ts";

/** The section with address and key of a service elsewhere. */
const OTHER_SERVICE = "another-service";

/** The service in use: the one of this computer, found by itself, or another one by address and key; and who works there. */
export function connectView(state: PanelState, actions: Actions): Child[] {
  const { connection } = actions;
  const { service, companion } = state;
  const { localAddress } = actions.session.environment;
  // An address or a key that somebody gave stays in sight.
  const isGiven =
    service.address !== companion?.address && (service.address !== localAddress || state.shownKey !== null);
  const isOpen = isGiven || state.openSections.includes(OTHER_SERVICE);
  const isThere = companion !== null || isOpen;
  const test = () =>
    actions.session.run(async () => {
      await connection.test();
      if (actions.session.state.connection.state === "works") await actions.settingsController.look();
    });
  return [
    companion === null && !isGiven ? notRunning(state, actions) : null,
    ...settingsPart(state, actions, whereCard(state, { isOpen, isGiven }, actions)),
    isThere
      ? element(
          "div",
          { class: "actions", key: "test" },
          element("div", { id: "connection-test", class: "grow" }, testLines(state)),
          button("test-connection", words.test, test, { disabled: addressFault(state.addressDraft) !== null }),
        )
      : null,
    actions.session.environment.contact === undefined
      ? null
      : button("open-contact", words.toContact, () => actions.panelController.go("contact"), { class: "button quiet" }),
    actions.tools === null
      ? null
      : button("open-diagnostics", words.toDiagnostics, () => actions.panelController.go("diagnostics"), {
          class: "button quiet",
        }),
  ];
}

function whereCard(
  state: PanelState,
  { isOpen, isGiven }: { readonly isOpen: boolean; readonly isGiven: boolean },
  actions: Actions,
): ElementNode {
  const outdated = outdatedWords(state, actions);
  return settingCard(
    {
      id: OTHER_SERVICE,
      label: words.whereItRuns,
      state: outdated === "" ? whereItRuns(state) : `${whereItRuns(state)} ${outdated}`,
      isReady: outdated === "",
      isOpen,
      toggle: isGiven ? null : () => actions.formController.toggleSection(OTHER_SERVICE),
    },
    useLocal(state, actions),
    ...addressAndKey(state, actions),
    labelled(
      words.planMinutes,
      textField("plan-minutes", words.planMinutes, planText(state), {
        onchange: (event: Parameters<typeof typedText>[0]) => setPlan(state, actions, typedText(event)),
      }),
      words.planMinutesHint,
    ),
  );
}

/** Which service is used, in a sentence. */
function whereItRuns({ companion, service }: PanelState): string {
  if (companion?.address === service.address) return words.companionRuns({ version: companion.version });
  return isLocalAddress(service.address)
    ? words.runsAt({ host: hostNameOf(service.address) })
    : words.writerThere({ host: hostNameOf(service.address) });
}

/** The way back from another service to the one of this computer. */
function useLocal({ companion, service }: PanelState, { session, connection }: Actions): Child {
  if (companion === null || service.address === companion.address) return null;
  return button("use-local", words.useLocal, () => session.run(() => connection.useAddress(companion.address)));
}

/** What is to be brought up to date where the two do not fit; empty where they do. */
function outdatedWords({ companion }: PanelState, { session }: Actions): string {
  const side = companion === null ? null : outdatedSide(session.environment.version, companion.version);
  return side === null ? "" : words.outdated[side];
}

/** Aside does not run on this computer: what works all the same, what waits for it, and how it starts. */
function notRunning({ jobs }: PanelState, { session, settingsController, panelController }: Actions): ElementNode {
  const line = (sign: string, style: string) => (said: string) =>
    element(
      "div",
      { class: `step ${style}`, role: "listitem", key: said },
      element("span", { class: "sign", "aria-hidden": "true" }, sign),
      said,
    );
  return element(
    "div",
    { class: "companion", key: "companion" },
    element("div", { class: "question-title", role: "heading", "aria-level": "2" }, words.companionAbsent),
    text(words.companionHow, "hint"),
    text(words.worksNow, "field-name"),
    element("div", { role: "list", class: "steps" }, words.worksWithout.map(line("✓", "done"))),
    text(words.waitsForAside, "field-name"),
    element("div", { role: "list", class: "steps" }, words.waitsWithout.map(line("○", ""))),
    jobs.length === 0 ? null : text(words.descriptionsSafe, "hint"),
    element(
      "div",
      { class: "foot" },
      session.environment.startCompanion === null
        ? null
        : primaryButton("start-companion", words.companionStart, () =>
            session.run(async () => {
              await settingsController.start();
              // Nothing is to be set here by who wants to describe.
              const { companion, view } = session.state;
              if (companion !== null && view === "connect") panelController.go("describe");
            }),
          ),
      button("look-again", words.companionLook, () =>
        session.run(async () => {
          await settingsController.lookAgain();
          if (session.state.companion === null) session.say(words.companionAbsent);
        }),
      ),
    ),
  );
}

/** Address and key of a service that is not found by itself; the key by a code too. */
function addressAndKey(state: PanelState, { session, connection, settingsController }: Actions): Child[] {
  const fault = addressFault(state.addressDraft);
  return [
    labelled(
      words.address,
      textField("service-address", words.address, state.addressDraft, {
        // Kept while it is typed: whatever draws the view anew meanwhile must not take it away.
        oninput: (event: Parameters<typeof typedText>[0]) => session.store.set({ addressDraft: typedText(event) }),
        onchange: (event: Parameters<typeof typedText>[0]) =>
          session.run(() => connection.useAddress(typedText(event))),
      }),
      fault === null ? undefined : words.addressFaults[fault],
    ),
    isLocalAddress(state.service.address) ? text(words.localHint, "hint") : null,
    text(state.shownKey === null ? words.keyMissing : words.keyKept({ shown: state.shownKey })),
    labelled(
      words.pairingCode,
      textField("pairing-code", words.pairingCode, state.codeDraft, {
        oninput: (event: Parameters<typeof typedText>[0]) => session.store.set({ codeDraft: typedText(event) }),
      }),
      words.pairingCodeHint,
    ),
    button(
      "pair",
      words.pair,
      () =>
        session.run(async () => {
          await connection.pair();
          if (session.state.connection.state === "works") await settingsController.look();
        }),
      { disabled: fault !== null || !/^\s*(?:\d[\s-]*){6}$/.test(state.codeDraft) },
    ),
    labelled(
      state.shownKey === null ? words.key : words.keyReplace,
      // Not a password field: UXP cannot read one on macOS. The key leaves the field as soon as it is kept.
      textField("service-key", words.key, state.keyDraft, {
        oninput: (event: Parameters<typeof typedText>[0]) => session.store.set({ keyDraft: typedText(event) }),
      }),
    ),
    element(
      "div",
      { class: "actions" },
      button("save-key", words.saveKey, () => session.run(() => connection.keepKey()), {
        disabled: state.keyDraft.trim() === "",
      }),
      state.shownKey === null
        ? null
        : button("forget-key", words.forgetKey, () => session.run(() => connection.forgetKey())),
    ),
  ];
}

/** What came of testing address and key, in sentences. */
export function testWords(connection: PanelState["connection"]): readonly string[] {
  if (connection.state === "fails") return [connection.fault.sentence, connection.fault.next];
  return [{ untested: words.untested, testing: words.testing, works: words.testWorks }[connection.state]];
}

function testLines({ connection }: PanelState): ElementNode[] {
  const [said = "", next] = testWords(connection);
  const isFault = connection.state === "fails";
  const first = text(isFault ? `✕ ${said}` : said, isFault ? "fault" : "line");
  return next === undefined ? [first] : [first, text(next)];
}

function planText({ service }: PanelState): string {
  return service.planMinutes === undefined ? "" : String(service.planMinutes);
}

function setPlan({ service }: PanelState, actions: Actions, typed: string): void {
  const minutes = Number(typed.replace(",", "."));
  const { address } = service;
  actions.session.store.set({ service: minutes > 0 ? { address, planMinutes: minutes } : { address } });
  actions.session.keepPreferences();
}
