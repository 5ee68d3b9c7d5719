import { TEXT_FORMATS } from "../../src/contract/choices.ts";
import { isLocalAddress } from "../../src/core/ports.ts";
import { timecodeAt } from "../../src/core/timecode.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { type Forecast, type Form, forecast, rangeOf, trackOf } from "../state/form.ts";
import { offeredModel } from "../state/models-here.ts";
import type { PanelState } from "../state/panel-state.ts";
import { reachOf } from "../state/reach.ts";
import { hostNameOf } from "../state/service-address.ts";
import { languageName } from "../words/language-names.ts";
import { costText, filmLength, rateName, sizeText, spaced, tenths, words } from "../words/words.ts";
import { button, choice, entries, labelled, primaryButton, radios, section, text } from "./controls.ts";
import {
  contextSection,
  exportSection,
  savedSection,
  timingSection,
  voiceField,
  voiceSection,
} from "./form-sections.ts";
import { gapsPart, gapsSection, lookForGaps } from "./gaps-part.ts";
import { stoppedJobs } from "./progress-view.ts";
import { questionView } from "./text-question.ts";

/** What is to be made of the active sequence, and what that would take. `isFilm`: of a film, of which nothing is exported first. */
export function describeView(state: PanelState, actions: Actions, isFilm = false): ElementNode[] {
  const { form, openSections, textQuestion } = state;
  if (textQuestion !== null) return questionView(textQuestion, openSections, actions);
  const { settings } = form;
  const isOpen = (id: string) => openSections.includes(id);
  const toggle = (id: string) => actions.formController.toggleSection(id);
  actions.modelsController.glance();
  if (isFirstOpening(state)) return [whoWrites(state, actions, isFilm)];
  if (mayBeFirstOpening(state, actions)) return [text(words.loading, "empty")];
  return [
    element("div", { class: "view-part", key: "form" }, [
      ...(state.progress === null ? stoppedJobs(state, actions) : []),
      isFilm || state.sequence === null ? null : gapsPart(state, actions),
      radios("type", words.type, settings.type, entries(words.types), (type) =>
        actions.formController.changeSettings({ type }),
      ),
      text(words.typeHints[settings.type], "hint"),
      writerField(state, actions),
      tooWeakLine(state),
      voiceField(state, actions),
      isFilm || !mayChooseRange(state)
        ? null
        : radios("range", words.range, form.range, entries(words.ranges), (range) =>
            actions.formController.change({ range }),
          ),
      isFilm ? null : rangeLine(state),
      section("more", words.moreOptions, moreSummary(form), isOpen("more"), toggle, [
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
        ),
        isFilm || state.sequence === null ? null : gapsSection(state, actions),
        voiceSection(state, actions, isOpen("voice"), toggle),
        timingSection(state, actions, isOpen("timing"), toggle),
        contextSection(state, actions, isOpen("context"), toggle, isFilm),
        isFilm ? null : exportSection(state, actions, isOpen("export"), toggle),
        savedSection(state, actions, isOpen("saved"), toggle),
      ]),
      ...(isFilm ? [] : uploadLines(state)),
    ]),
    element("div", { class: "footer", key: "footer" }, orderLines(state, actions, isFilm)),
  ];
}

/** What stands behind the further options, as far as it decides what comes out. */
function moreSummary(form: Form): string {
  const { format, language, type, autoFit, minimumCueSeconds } = form.settings;
  const parts = [
    languageName(language),
    words.formats[format],
    trackOf(form) === "none" ? words.wanted.markers : words.tracks[form.track],
    type === "standard" && autoFit ? words.pausesFrom({ seconds: minimumCueSeconds }) : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Who writes the descriptions, and the way to have somebody else write them. */
function writerField(state: PanelState, actions: Actions): ElementNode {
  return element(
    "div",
    { class: "field", role: "group", "aria-label": words.writer },
    element("span", { class: "field-name" }, words.writer),
    element(
      "div",
      { class: "pick-row" },
      element("div", { class: "pick", id: "writer" }, writerOf(state)),
      button("change-writer", words.changeWriter, () => actions.panelController.setUpModel(), {
        "aria-label": words.changeWriterLong,
      }),
    ),
  );
}

function writerOf({ form, service, modelEstimate }: PanelState): string {
  if (form.scriptFile !== undefined) return words.writerScript({ name: form.scriptFile.filename });
  const reply = modelEstimate?.address === service.address ? modelEstimate.reply : null;
  if (reply !== null) return reply.model ?? words.writerNobody;
  return isLocalAddress(service.address) ? words.writerHere : words.writerThere({ host: hostNameOf(service.address) });
}

/** That the computer is too weak for the model that writes, and which other ways there are, where its service says so. */
function tooWeakLine({ form, service, modelEstimate }: PanelState): ElementNode | null {
  const remark = modelEstimate?.address === service.address ? modelEstimate.reply.remark : undefined;
  return remark === undefined || form.scriptFile !== undefined ? null : text(`⚠ ${remark}`, "warning");
}

/** Whether there is anything but the whole: in or out is set, or a range was chosen before. */
function mayChooseRange({ form, sequence }: PanelState): boolean {
  return sequence?.inPoint !== undefined || sequence?.outPoint !== undefined || form.range !== "whole";
}

function rangeLine({ form, sequence }: PanelState): ElementNode | null {
  if (sequence === null) return null;
  const { start, end } = rangeOf(form, sequence);
  const span = `${timecodeAt(sequence, start)} – ${timecodeAt(sequence, end)} · ${rateName(sequence)}`;
  return element("p", { class: "hint", id: "range-shown" }, span);
}

/** What leaves the computer, where something does. */
function uploadLines({ form, sequence, service, presets }: PanelState): Child[] {
  if (sequence === null) return [];
  const { uploadBytes, isLocal, isLarge } = forecast(form, sequence, service, presets);
  return [
    isLocal ? null : text(words.leaves({ file: sizeText(uploadBytes), host: hostNameOf(service.address) }), "hint"),
    isLarge ? text(`⚠ ${words.largeUpload}`, "warning") : null,
  ];
}

/** What it would take, what stands against it, and the button. */
function orderLines(state: PanelState, actions: Actions, isFilm: boolean): Child[] {
  const { form, sequence, service, shownKey, presets, progress } = state;
  const { session } = actions;
  const { kind } = reachOf(state);
  const isOff = kind === "off" || kind === "silent";
  const taken = sequence === null ? null : forecast(form, sequence, service, presets);
  const limit = taken?.limit ?? null;
  const isUnwritten = nobodyWrites(state);
  const asksForWriter = isUnwritten && !state.openSections.includes(BY_HAND);
  return [
    asksForWriter
      ? element("p", { class: "warning", id: "nobody-writes", key: "nobody-writes" }, words.nobodyWrites)
      : null,
    taken === null ? null : element("p", { class: "line", id: "estimate" }, estimateLine(taken, state)),
    sequence === null ? null : modelLine(state, sequence, actions),
    limit === null
      ? null
      : element(
          "p",
          { class: "fault", id: "limit" },
          limit === "empty" ? words.limitEmpty : words.limitMinutes({ plan: service.planMinutes ?? 0 }),
        ),
    isOff ? text(words.needsCompanion, "warning") : null,
    shownKey === null && !isOff ? text(words.needsKey, "warning") : null,
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
      ...(asksForWriter ? writerButtons(actions) : []),
      isFilm || sequence === null ? null : lookForGaps(state, actions),
      isOff && session.environment.startCompanion !== null
        ? button("start-companion", words.companionStart, () => session.run(() => actions.settingsController.start()))
        : null,
      shownKey === null || isOff
        ? button("go-connect", words.views.connect, () => actions.panelController.go("connect"))
        : null,
      progress === null ? null : button("go-progress", words.toProgress, () => actions.panelController.go("progress")),
    ),
  ];
}

/** Whether the service in use says that no model would be asked, and no script is given: then all is left to a person. */
function nobodyWrites({ form, service, modelEstimate, serviceSettings }: PanelState): boolean {
  const isKnown = modelEstimate?.address === service.address && serviceSettings?.address === service.address;
  return isKnown && modelEstimate.reply.model === null && form.scriptFile === undefined;
}

/** Section that is open once a person has said that descriptions are written by hand. */
const BY_HAND = "by-hand";

/** Whether nobody has worked here yet, nor said that descriptions are written by hand. */
function isUntouched({ jobs, openSections }: PanelState): boolean {
  return jobs.length === 0 && !openSections.includes(BY_HAND);
}

/** Whether nothing could write, and nobody has worked here yet: then that is asked before anything else. */
function isFirstOpening(state: PanelState): boolean {
  return nobodyWrites(state) && isUntouched(state);
}

/**
 * Whether it is still being asked if anything could write, where nobody has worked yet: the form would be drawn for a moment, and
 * the question take its place under the hand.
 */
function mayBeFirstOpening(state: PanelState, { settingsController }: Actions): boolean {
  const { form, service, sequence, shownKey, modelEstimate, notEstimated } = state;
  if (!isUntouched(state) || form.scriptFile !== undefined || sequence === null || shownKey === null) return false;
  const { kind } = reachOf(state);
  if (kind !== "known") return kind === "untried";
  const { start, end } = rangeOf(form, sequence);
  if (!(end > start)) return false;
  settingsController.estimate(end - start);
  return modelEstimate?.address !== service.address && notEstimated !== service.address;
}

/** The question of the first opening, with what each answer costs and where the pictures go. */
function whoWrites(state: PanelState, actions: Actions, isFilm: boolean): ElementNode {
  const here = offeredModel(state, "eyes");
  const { session, panelController, textController } = actions;
  const answer = (action: keyof typeof words.writers, onclick: () => unknown) => {
    const { name, price, hint } = words.writers[action];
    const size =
      action !== "model-here" || here === undefined ? "" : words.downloadOnce({ size: sizeText(here.bytes) });
    return element(
      "button",
      { class: "card answer", id: action, "data-action": action, key: action, onclick },
      element(
        "span",
        { class: "answer-name" },
        element("span", { class: "strong grow" }, name),
        element("span", { class: "good" }, price),
      ),
      element("span", { class: "hint" }, size === "" ? hint : `${hint} ${size}`),
    );
  };
  return element(
    "div",
    { class: "view-part", id: "who-writes", key: "who-writes" },
    element("div", { class: "question-title", role: "heading", "aria-level": "2" }, words.whoWrites),
    text(words.whoWritesHint, "hint"),
    here === undefined ? null : answer("model-here", () => panelController.go("models")),
    answer("set-up-model", () => panelController.setUpModel()),
    answer("write-by-hand", () =>
      session.store.update((state) => ({ ...state, openSections: [...state.openSections, BY_HAND] })),
    ),
    answer("give-script", () => session.run(() => textController.pick("script"))),
    // A page is one service's.
    isFilm ? null : answer("use-service", () => panelController.go("connect")),
  );
}

/** The same, short, for who has worked here before: behind the main button, which is reached first. */
function writerButtons({ session, panelController, textController }: Actions): ElementNode[] {
  return [
    button("set-up-model", words.setUpModel, () => panelController.setUpModel()),
    button("give-script", words.giveScript, () => session.run(() => textController.pick("script"))),
  ];
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

function estimateLine({ minutes, credits, isLocal, uploadBytes, waitMinutes }: Forecast, state: PanelState): string {
  // What leaves the computer is said once the service has told it.
  const reach = reachOf(state);
  const hosts = reach.kind === "known" ? reach.hosts : [];
  const sent = hosts.length === 0 ? words.noUpload : words.estimateSends({ hosts: hosts.join(", ") });
  const isKnown = reach.kind === "known";
  return [
    words.estimate({ length: filmLength(minutes) }),
    isLocal ? "" : words.credits({ count: tenths(credits) }),
    isLocal ? (isKnown ? sent : "") : words.upload({ size: sizeText(uploadBytes) }),
    waitMinutes === null ? "" : words.wait({ minutes: tenths(Math.max(0.1, waitMinutes)) }),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function formats() {
  return TEXT_FORMATS.map((format) => [format, words.formats[format]] as const);
}
