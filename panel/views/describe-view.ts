import { TEXT_FORMATS } from "../../src/contract/choices.ts";
import { timecodeAt } from "../../src/core/timecode.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { type Forecast, forecast, rangeOf, trackOf } from "../state/form.ts";
import type { PanelState } from "../state/panel-state.ts";
import { hostNameOf } from "../state/service-address.ts";
import { costText, sizeText, spaced, tenths, words } from "../words/words.ts";
import { button, choice, entries, labelled, primaryButton, radios, text } from "./controls.ts";
import { contextSection, exportSection, savedSection, timingSection, voiceSection } from "./form-sections.ts";
import { gapsPart } from "./gaps-part.ts";
import { stoppedJobs } from "./progress-view.ts";
import { questionView } from "./text-question.ts";

/** What is to be made of the active sequence, and what that would take. `isFilm`: of a film, of which nothing is exported first. */
export function describeView(state: PanelState, actions: Actions, isFilm = false): ElementNode[] {
  const { form, openSections, textQuestion } = state;
  if (textQuestion !== null) return questionView(textQuestion, actions);
  const { settings } = form;
  const isOpen = (id: string) => openSections.includes(id);
  const toggle = (id: string) => actions.formController.toggleSection(id);
  return [
    element("div", { class: "view-part", key: "form" }, [
      ...(state.progress === null ? stoppedJobs(state, actions) : []),
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
        isFilm
          ? null
          : labelled(
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
      contextSection(state, actions, isOpen("context"), toggle, isFilm),
      isFilm ? null : exportSection(state, actions, isOpen("export"), toggle),
      savedSection(state, actions, isOpen("saved"), toggle),
      ...(isFilm ? [] : whatItTakes(state, actions)),
    ]),
    element("div", { class: "footer", key: "footer" }, orderLines(state, actions)),
  ];
}

/** What the pauses offer, before anything is ordered, and what leaves the computer. */
function whatItTakes(state: PanelState, actions: Actions): Child[] {
  const { form, sequence, service, presets } = state;
  if (sequence === null) return [];
  const { uploadBytes, isLocal, isLarge } = forecast(form, sequence, service, presets);
  const { start, end } = rangeOf(form, sequence);
  return [
    element(
      "p",
      { class: "hint", id: "range-shown" },
      `${words.ranges[form.range]} ${timecodeAt(sequence, start)} – ${timecodeAt(sequence, end)}`,
    ),
    gapsPart(state, actions),
    isLocal ? null : text(words.leaves({ file: sizeText(uploadBytes), host: hostNameOf(service.address) }), "hint"),
    isLarge ? text(`⚠ ${words.largeUpload}`, "warning") : null,
  ];
}

/** What it would take, what stands against it, and the button. */
function orderLines(state: PanelState, actions: Actions): Child[] {
  const { form, sequence, service, shownKey, presets, progress } = state;
  const taken = sequence === null ? null : forecast(form, sequence, service, presets);
  const limit = taken?.limit ?? null;
  const isUnwritten = nobodyWrites(state);
  return [
    isUnwritten ? whoWrites(actions) : null,
    taken === null ? null : element("p", { class: "line", id: "estimate" }, estimateLine(taken)),
    sequence === null ? null : modelLine(state, sequence, actions),
    limit === null
      ? null
      : element(
          "p",
          { class: "fault", id: "limit" },
          limit === "empty" ? words.limitEmpty : words.limitMinutes({ plan: service.planMinutes ?? 0 }),
        ),
    shownKey === null ? text(words.needsKey, "warning") : null,
    element(
      "div",
      { class: "foot" },
      primaryButton(
        "describe",
        isUnwritten ? words.findPauses : words.describe,
        () => actions.session.run(() => order(actions)),
        {
          disabled: taken === null || limit !== null || shownKey === null,
        },
      ),
      shownKey === null ? button("go-connect", words.views.connect, () => actions.panelController.go("connect")) : null,
      progress === null ? null : button("go-progress", words.toProgress, () => actions.panelController.go("progress")),
    ),
  ];
}

/** Whether the service in use says that no model would be asked, and no script is given: then all is left to a person. */
function nobodyWrites({ form, service, modelEstimate, serviceSettings }: PanelState): boolean {
  const isKnown = modelEstimate?.address === service.address && serviceSettings?.address === service.address;
  return isKnown && modelEstimate.reply.model === null && form.scriptFile === undefined;
}

/** Said before anything is exported: who could write. The button below it finds the pauses for somebody who writes by hand. */
function whoWrites({ session, panelController, textController }: Actions): ElementNode {
  const setUp = () => {
    session.store.update((state) => ({ ...state, openSections: [...state.openSections, "settings-describer"] }));
    panelController.go("connect");
  };
  return element(
    "div",
    { class: "card", id: "who-writes", key: "who-writes" },
    element("p", { class: "warning", id: "nobody-writes" }, words.nobodyWrites),
    element(
      "div",
      { class: "actions" },
      button("set-up-model", words.setUpModel, setUp),
      button("give-script", words.giveScript, () => session.run(() => textController.pick("script"))),
    ),
  );
}

/** Orders what the form asks for, once its texts are understood. */
async function order({ textController, jobQueue }: Actions): Promise<void> {
  if (await textController.areSettled()) await jobQueue.order();
}

/** What the model of the service would take of it; nothing where none is asked, as for a script. */
function modelLine(state: PanelState, sequence: SequenceInfo, { settingsController }: Actions): Child {
  const { form, service, serviceSettings, modelEstimate } = state;
  if (form.scriptFile !== undefined || serviceSettings?.address !== service.address) return null;
  const { start, end } = rangeOf(form, sequence);
  settingsController.estimate(end - start);
  if (modelEstimate?.address !== service.address || modelEstimate.durationSeconds !== end - start) return null;
  const { model, requests, tokens, cost, ceiling, seconds } = modelEstimate.reply;
  if (model === null) return null;
  const said = [
    words.modelEstimate({ model, requests, tokens: spaced(tokens) }),
    cost === null ? "" : words.modelCost({ cost: costText(cost) }),
    seconds === null ? "" : words.modelTime({ minutes: tenths(Math.max(0.1, seconds / 60)) }),
  ];
  return element(
    "div",
    { key: "model-estimate" },
    element("p", { class: "hint", id: "model-estimate" }, said.filter((part) => part !== "").join(" · ")),
    cost !== null && ceiling !== null && cost > ceiling
      ? text(`⚠ ${words.modelCeiling({ ceiling: costText(ceiling) })}`, "warning")
      : null,
  );
}

function estimateLine({ minutes, credits, isLocal, uploadBytes, waitMinutes }: Forecast): string {
  return [
    words.estimate({ minutes: tenths(minutes) }),
    isLocal ? "" : words.credits({ count: tenths(credits) }),
    isLocal ? words.noUpload : words.upload({ size: sizeText(uploadBytes) }),
    waitMinutes === null ? "" : words.wait({ minutes: tenths(Math.max(0.1, waitMinutes)) }),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function formats() {
  return TEXT_FORMATS.map((format) => [format, words.formats[format]] as const);
}
