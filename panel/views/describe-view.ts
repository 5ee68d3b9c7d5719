import { TEXT_FORMATS } from "../../src/contract/choices.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { forecast } from "../state/forecast.ts";
import { trackOf } from "../state/form.ts";
import type { PanelState } from "../state/panel-state.ts";
import { hostNameOf } from "../state/service-address.ts";
import { sizeText, tenths } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import { button, choice, entries, labelled, primaryButton, radios, text } from "./controls.ts";
import { contextSection, exportSection, savedSection, timingSection, voiceSection } from "./form-sections.ts";
import { gapsPart } from "./gaps-part.ts";

/** What is to be made of the active sequence, and what that would take. */
export function describeView(state: PanelState, actions: Actions): ElementNode[] {
  const { form, openSections } = state;
  const { settings } = form;
  const isOpen = (id: string) => openSections.includes(id);
  const toggle = (id: string) => actions.formController.toggleSection(id);
  return [
    radios("wanted", words.make, form.wanted, entries(words.wanted), (wanted) =>
      actions.formController.change({ wanted }),
    ),
    element(
      "div",
      { class: "pair" },
      labelled(
        words.format,
        choice("format", words.format, settings.format, formats(), (format) =>
          actions.formController.changeSettings({ format }),
        ),
      ),
      trackOf(form) === "none"
        ? null
        : labelled(
            words.track,
            choice("track", words.track, form.track, entries(words.tracks), (track) =>
              actions.formController.change({ track }),
            ),
          ),
      labelled(
        words.range,
        choice("range", words.range, form.range, entries(words.ranges), (range) =>
          actions.formController.change({ range }),
        ),
      ),
      labelled(
        words.type,
        choice("type", words.type, settings.type, entries(words.types), (type) =>
          actions.formController.changeSettings({ type }),
        ),
      ),
    ),
    voiceSection(state, actions, isOpen("voice"), toggle),
    timingSection(state, actions, isOpen("timing"), toggle),
    contextSection(state, actions, isOpen("context"), toggle),
    exportSection(state, actions, isOpen("export"), toggle),
    savedSection(state, actions, isOpen("saved"), toggle),
    ...orderLines(state, actions),
  ];
}

/** What it would take, what stands against it, and the button. */
function orderLines(state: PanelState, actions: Actions): ElementNode[] {
  const { form, sequence, service, shownKey } = state;
  const order = (isPossible: boolean) =>
    primaryButton("describe", words.describe, () => actions.session.run(() => actions.jobQueue.order()), {
      disabled: !isPossible,
    });
  if (sequence === null) return [order(false)];
  const { minutes, credits, uploadBytes, waitMinutes, isLocal, limit, isLarge } = forecast(
    form,
    sequence,
    service,
    state.presets,
  );
  const line = words.estimate({
    minutes: tenths(minutes),
    credits: isLocal ? words.noCredits : words.credits({ count: tenths(credits) }),
    upload: isLocal ? words.noUpload : words.upload({ size: sizeText(uploadBytes) }),
    wait: words.wait({ minutes: tenths(Math.max(0.1, waitMinutes)) }),
  });
  return [
    element("p", { class: "line", id: "estimate" }, line),
    gapsPart(state, actions),
    ...(isLocal
      ? []
      : [text(words.leaves({ file: sizeText(uploadBytes), host: hostNameOf(service.address) }), "hint")]),
    ...(limit === null
      ? []
      : [
          element(
            "p",
            { class: "fault", id: "limit", role: "alert" },
            limit === "empty" ? words.limitEmpty : words.limitMinutes({ plan: service.planMinutes ?? 0 }),
          ),
        ]),
    ...(isLarge ? [text(`⚠ ${words.largeUpload}`, "warning")] : []),
    ...(shownKey === null
      ? [
          text(words.needsKey, "warning"),
          button("go-connect", words.views.connect, () => actions.panelController.go("connect"), {
            "data-action": "go-connect",
          }),
        ]
      : []),
    order(limit === null && shownKey !== null),
  ];
}

function formats() {
  return TEXT_FORMATS.map((format) => [format, words.formats[format]] as const);
}
