import { isLocalAddress } from "../../src/core/local-address.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { addressFault } from "../state/service-address.ts";
import { words } from "../words/words.ts";
import { button, labelled, primaryButton, text, textField, typedText } from "./controls.ts";
import { settingsPart } from "./settings-part.ts";

/** Address and key of the service. */
export function connectView(state: PanelState, actions: Actions): Child[] {
  const { connection } = actions;
  const fault = addressFault(state.addressDraft);
  const isLocal = isLocalAddress(state.service.address);
  const { localAddress } = actions.session.environment;
  return [
    labelled(
      words.address,
      textField("service-address", words.address, state.addressDraft, {
        // Kept while it is typed: whatever draws the view anew meanwhile must not take it away.
        oninput: (event: Parameters<typeof typedText>[0]) =>
          actions.session.store.set({ addressDraft: typedText(event) }),
        onchange: (event: Parameters<typeof typedText>[0]) =>
          actions.session.run(() => connection.useAddress(typedText(event))),
      }),
      fault === null ? undefined : words.addressFaults[fault],
    ),
    state.service.address === localAddress
      ? null
      : button("use-local", words.useLocal, () => actions.session.run(() => connection.useAddress(localAddress))),
    isLocal ? text(words.localHint, "hint") : null,
    text(state.shownKey === null ? words.keyMissing : words.keyKept({ shown: state.shownKey })),
    labelled(
      state.shownKey === null ? words.key : words.keyReplace,
      // Not a password field: UXP cannot read one on macOS. The key leaves the field as soon as it is kept.
      textField("service-key", words.key, state.keyDraft, {
        oninput: (event: Parameters<typeof typedText>[0]) => actions.session.store.set({ keyDraft: typedText(event) }),
      }),
    ),
    element(
      "div",
      { class: "actions" },
      primaryButton(
        "test-connection",
        words.test,
        () =>
          actions.session.run(async () => {
            await connection.test();
            if (actions.session.state.connection.state === "works") await actions.settingsController.look();
          }),
        {
          disabled: fault !== null,
        },
      ),
      button("save-key", words.saveKey, () => actions.session.run(() => connection.keepKey()), {
        disabled: state.keyDraft.trim() === "",
      }),
      state.shownKey === null
        ? null
        : button("forget-key", words.forgetKey, () => actions.session.run(() => connection.forgetKey())),
    ),
    element("div", { id: "connection-test", role: "status" }, testLines(state)),
    ...settingsPart(state, actions),
    labelled(
      words.planMinutes,
      textField("plan-minutes", words.planMinutes, planText(state), {
        onchange: (event: Parameters<typeof typedText>[0]) => setPlan(state, actions, typedText(event)),
      }),
      words.planMinutesHint,
    ),
    button("open-diagnostics", words.toDiagnostics, () => actions.panelController.go("diagnostics"), {
      class: "button quiet",
    }),
  ];
}

function testLines({ connection }: PanelState): ElementNode[] {
  if (connection.state === "fails") {
    return [text(`✕ ${connection.fault.sentence}`, "fault"), text(connection.fault.next)];
  }
  const said = { untested: words.untested, testing: words.testing, works: words.testWorks };
  return [text(said[connection.state])];
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
