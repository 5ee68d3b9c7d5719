import { MODEL_KINDS } from "../../src/contract/choices.ts";
import type { ModelDownload, ModelHere } from "../../src/contract/models.ts";
import type { Actions } from "../controllers/actions.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { isUnderWay, type ModelKind, type ModelStanding, type ShownModels, standingOf } from "../state/models-here.ts";
import type { PanelState } from "../state/panel-state.ts";
import { languageName } from "../words/language-names.ts";
import { roughTime, sizeText, words } from "../words/words.ts";
import { button, iconButton, primaryButton, text } from "./controls.ts";
import { modelFilesPart } from "./model-files-part.ts";
import { bar } from "./progress-view.ts";

/** How many languages of a model are named before they are counted. */
const MOST_NAMED = 2;

/** The models that this computer has or may have: eyes, ears and voices in one list. */
export function modelsView(state: PanelState, actions: Actions): Child[] {
  const { modelsHere: shown, service } = state;
  const back = iconButton("leave-models", "back", words.views.connect, () => actions.panelController.go("connect"));
  const known = shown !== null && shown.address === service.address ? shown : null;
  return [
    element(
      "div",
      { class: "header-row", key: "head" },
      back,
      element("span", { class: "title", role: "heading", "aria-level": "2" }, words.views.models),
      known === null
        ? null
        : element("span", { class: "hint" }, words.diskFree({ size: sizeText(known.reply.free_bytes) })),
    ),
    ...(known === null ? [text(words.modelsUnknown, "empty")] : list(known, actions)),
  ];
}

function list(shown: ShownModels, actions: Actions): Child[] {
  const { models, computer, refused } = shown.reply;
  return [
    text(computer, "hint"),
    refused === null ? null : text(`⚠ ${refused}`, "warning"),
    ...MODEL_KINDS.map((kind) => group(kind, models, shown, actions)),
    modelFilesPart(shown, actions),
  ];
}

function group(kind: ModelKind, models: readonly ModelHere[], shown: ShownModels, actions: Actions): Child {
  const own = models.filter((model) => model.kind === kind);
  if (own.length === 0) return null;
  const { name, what } = words.modelKinds[kind];
  return element(
    "div",
    { class: "models", key: kind },
    element(
      "div",
      { class: "heading", role: "heading", "aria-level": "3" },
      name,
      element("span", { class: "hint model-kind" }, ` · ${what}`),
    ),
    element(
      "div",
      { role: "list", "aria-label": `${name}: ${what}` },
      own.map((model) => row(model, shown, actions)),
    ),
  );
}

function row(model: ModelHere, shown: ShownModels, actions: Actions): ElementNode {
  const { id, title, keeper, bytes, licence } = model;
  const standing = standingOf(model, shown.reply);
  const facts = [
    bytes === 0 ? "" : sizeText(bytes),
    licence?.name ?? "",
    keeper === "ollama" ? words.fromOllama : "",
  ].filter((fact) => fact !== "");
  const download = standing === "fetching" ? shown.reply.download : null;
  return element(
    "div",
    { class: "model", key: id, role: "listitem", "data-model": id, "data-state": standing },
    element(
      "div",
      { class: "model-row" },
      element(
        "div",
        { class: "grow" },
        element(
          "div",
          {},
          element("span", { class: "strong" }, title),
          element("span", { class: "hint" }, ` · ${facts.join(" · ")}`),
        ),
        text(meritsOf(model), standing === "too-weak" ? "warning" : "hint"),
      ),
      element("div", { class: "model-controls" }, ...controlsOf(model, standing, shown, actions)),
    ),
    download === null ? null : progress(title, download),
    standing === "failed" ? text(`✕ ${shown.reply.download?.message ?? ""}`, "fault") : null,
    standing === "damaged" ? text(`⚠ ${words.modelDamaged}`, "warning") : null,
    element(
      "div",
      // What is asked goes with its answer: the focus returns to what asked.
      { key: "question", refuge: standing === "absent" ? `get-${id}` : `remove-${id}` },
      question(model, shown, actions),
    ),
  );
}

/** What a model is good for, as far as that is known before it is there. */
function meritsOf({ is_recommended, languages, voices, seconds_per_minute, remark, licence }: ModelHere): string {
  const spoken =
    languages.length === 0
      ? ""
      : languages.length <= MOST_NAMED
        ? languages.map(languageName).join(", ")
        : words.languageCount({ count: languages.length });
  return [
    is_recommended ? words.recommended : "",
    spoken,
    voices === 0 ? "" : voices === 1 ? words.voiceCount.one : words.voiceCount.many({ count: voices }),
    seconds_per_minute === null ? "" : words.secondsForMinute({ seconds: Math.ceil(seconds_per_minute) }),
    licence?.has_terms === true ? words.hasTerms : "",
    remark,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function controlsOf(
  { id, kind, title, languages, bytes, licence, keeper, state, samples }: ModelHere,
  standing: ModelStanding,
  { reply, sending }: ShownModels,
  { session, modelsController, settingsController }: Actions,
): readonly Child[] {
  const isFree =
    reply.refused === null && sending === undefined && (reply.download === null || !isUnderWay(reply.download.state));
  const fetch = () =>
    licence?.has_terms === true && standing === "absent"
      ? modelsController.ask({ model: id, about: "terms" })
      : session.run(() => modelsController.fetch(id));
  const get = (label: string, isMain: boolean) =>
    button(`get-${id}`, label, fetch, {
      class: isMain ? "button small primary" : "button small",
      disabled: !isFree,
      "aria-label": words.getModel({ action: label, model: title, size: sizeText(bytes) }),
    });
  const remove = () => modelsController.ask({ model: id, about: "remove" });
  const isChecked = reply.download?.state === "checking" && state === "installed";
  const discard = iconButton(`remove-${id}`, "delete", words.removeModel({ model: title }), remove);
  switch (standing) {
    case "too-weak":
      return [];
    case "fetching":
      return [
        iconButton(`pause-${id}`, "pause", (isChecked ? words.stopCheck : words.pauseModel)({ model: title }), () =>
          session.run(() => modelsController.pause()),
        ),
      ];
    case "absent":
      return [samplesButton({ id, title, samples }, session), get(words.getIt, false)];
    case "partial":
      return [get(words.continueIt, true), discard];
    case "failed":
      return [get(state === "damaged" ? words.getAgain : words.tryAgain, true), state === "absent" ? null : discard];
    case "damaged":
      return [get(words.getAgain, true), discard];
    case "installed":
      return [
        kind === "voice"
          ? iconButton(`hear-${id}`, "play", words.hearVoice({ voice: title }), () =>
              session.run(() => settingsController.hearModel(id, languages)),
            )
          : null,
        element("span", { class: "good" }, `✓ ${words.modelInstalled}`),
        keeper === "ollama"
          ? null
          : button(`check-${id}`, words.checkModel, () => session.run(() => modelsController.check(id)), {
              class: "button small quiet",
              "aria-label": words.checkModelLong({ model: title }),
            }),
        keeper === "ollama" ? null : discard,
      ];
  }
}

/** Leads to where a voice can be heard before it is there; `null` where no page is known, or none can be opened. */
function samplesButton(
  { id, title, samples }: Pick<ModelHere, "id" | "title" | "samples">,
  session: Actions["session"],
): Child {
  const { openAddress } = session.environment;
  if (samples === null || openAddress === null) return null;
  return button(`samples-${id}`, words.samples, () => session.run(() => openAddress(samples)), {
    class: "button small quiet",
    "aria-label": words.samplesOf({ model: title }),
  });
}

function progress(title: string, download: ModelDownload): ElementNode {
  const { state, completed_bytes: done, total_bytes: whole, bytes_per_second: speed, seconds_left: left } = download;
  const percent = whole === 0 ? 0 : Math.min(100, Math.round((100 * done) / whole));
  // Some are larger than their makers say.
  const amounts =
    whole === 0 || whole < done ? sizeText(done) : words.bytesOf({ done: sizeText(done), whole: sizeText(whole) });
  const facts =
    state === "running"
      ? [
          amounts,
          speed === null ? "" : words.perSecond({ size: sizeText(speed) }),
          left === null ? "" : words.timeLeft({ time: roughTime(left * 1000) }),
        ]
      : [words.modelSteps[state === "unpacking" ? "unpacking" : "checking"]];
  return element(
    "div",
    { key: "progress" },
    bar(percent, title),
    text(facts.filter((fact) => fact !== "").join(" · "), "hint"),
  );
}

/** What is to be agreed to before a model is fetched, or taken off the disk. */
function question(model: ModelHere, { question: asked }: ShownModels, actions: Actions): Child {
  if (asked === null || asked.model !== model.id || asked.about === "files") return null;
  const { session, modelsController } = actions;
  const { id, title, licence, bytes } = model;
  const answer = (work: () => Promise<void>) => () => {
    modelsController.ask(null);
    session.run(work);
  };
  const isTerms = asked.about === "terms";
  const sentence = isTerms
    ? words.termsOf({ model: title, licence: licence?.name ?? "", url: licence?.url ?? "" })
    : words.removeAsk({ model: title, size: sizeText(bytes) });
  return element(
    "div",
    // Its name is read when the focus comes into it.
    { class: "card", role: "group", "aria-label": sentence },
    text(sentence),
    element(
      "div",
      { class: "actions" },
      isTerms
        ? primaryButton(
            `agree-${id}`,
            words.agreeAndGet,
            answer(() => modelsController.fetch(id)),
          )
        : primaryButton(
            `sure-${id}`,
            words.removeIt,
            answer(() => modelsController.remove(id)),
          ),
      button(`leave-${id}`, words.leaveIt, () => modelsController.ask(null), { takesFocus: true }),
    ),
  );
}
